//! The table `release`, which every kind of file has, with the release that last wrote the file.
//! Any release can read it in a file of any format, so the message that refuses a newer file can
//! name the release to use. This table must therefore never change.

use rusqlite::Connection;

pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Records that this release has written the file.
pub(super) fn note(file: &Connection) -> rusqlite::Result<()> {
    let sql = "UPDATE release SET version = ?1, sum = row_sum(?1) WHERE version <> ?1";
    file.execute(sql, [VERSION]).map(drop)
}

/// Returns the release that last wrote the file; `None` if the file does not say.
pub(super) fn written_by(file: &Connection) -> Option<String> {
    let sql = "SELECT version FROM release WHERE sum = row_sum(version)";
    let version: String = file.query_row(sql, (), |row| row.get(0)).ok()?;
    // Later releases may write something else here, and the value is shown to the operator.
    let is_plain = |character: char| character.is_ascii_alphanumeric() || ".-+".contains(character);
    let is_version = !version.is_empty() && version.len() <= 40 && version.chars().all(is_plain);
    is_version.then_some(version)
}
