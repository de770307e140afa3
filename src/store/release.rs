//! The table `release` of every kind of file, which names the release that last wrote the file. Any
//! release can read it in files of any format, so that the message that refuses a newer file can
//! name the release to use. Therefore this table must never change.

use rusqlite::Connection;

pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(super) fn note(file: &Connection) -> rusqlite::Result<()> {
    let sql = "UPDATE release SET version = ?1, sum = row_sum(?1) WHERE version <> ?1";
    file.execute(sql, [VERSION]).map(drop)
}

/// Returns the release that last wrote the file; `None` if the file does not say.
pub(super) fn written_by(file: &Connection) -> Option<String> {
    let sql = "SELECT version FROM release WHERE sum = row_sum(version)";
    let version: String = file.query_row(sql, (), |row| row.get(0)).ok()?;
    // Accept only plain characters: later releases may write something else, and the value is shown
    // to the operator.
    let is_plain = |character: char| character.is_ascii_alphanumeric() || ".-+".contains(character);
    let is_version = !version.is_empty() && version.len() <= 40 && version.chars().all(is_plain);
    is_version.then_some(version)
}
