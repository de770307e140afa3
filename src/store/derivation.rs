//! The table `derivation`: the version of the rules by which the records were derived.

use super::error::{Error, Result};
use super::file::OpenFile;
use super::release;

/// Returns the version of the rules by which the records were derived; 0 before the first import.
pub(super) fn rules(file: &OpenFile) -> Result<i64> {
    let sql = "SELECT rules FROM derivation WHERE sum = row_sum(rules)";
    let rules = file.one(sql, (), |row| row.get(0))?;
    let what = "the row with the version of the rules cannot be read";
    rules.ok_or_else(|| file.damaged(what))
}

/// Refuses a file whose records were derived by rules newer than `ours`, the rules of this program.
/// Deriving the records again by older rules would undo the work of a later release.
pub(super) fn refuse_newer(file: &OpenFile, ours: i64) -> Result<()> {
    let theirs = rules(file)?;
    if theirs <= ours {
        return Ok(());
    }
    let by = match release::written_by(&file.connection) {
        Some(release) => format!("release {release}"),
        None => "a later release".to_owned(),
    };
    let what = format!(
        "{by} derived its records by rules {theirs}, and this is release {}, with rules {ours}; import with that release or a later one",
        release::VERSION
    );
    Err(Error::refused(&file.path, what))
}

/// Sets the version of the derivation rules that every stored record now reflects.
pub(super) fn set_rules(file: &OpenFile, rules: i64) -> Result<()> {
    file.execute(
        "UPDATE derivation SET rules = ?1, sum = row_sum(?1)",
        [rules],
    )
}
