//! The table `derivation`: the version of the rules that derived the records.

use super::error::Result;
use super::file::OpenFile;

/// Reads the version of the rules that derived the file's records; 0 before the first import.
pub(super) fn rules(file: &OpenFile) -> Result<i64> {
    let sql = "SELECT rules FROM derivation WHERE sum = row_sum(rules)";
    let rules = file.one(sql, (), |row| row.get(0))?;
    let what = "the row that says by which rules it was derived cannot be read";
    rules.ok_or_else(|| file.damaged(what))
}

/// Stores the version of the rules that all records are derived by now.
pub(super) fn set_rules(file: &OpenFile, rules: i64) -> Result<()> {
    file.execute(
        "UPDATE derivation SET rules = ?1, sum = row_sum(?1)",
        [rules],
    )
}
