//! The table `content`: the version of the rules ([`WORDS_VERSION`]) that produced the data for
//! searches by content.

use super::error::Result;
use super::file::OpenFile;
use crate::model::WORDS_VERSION;

/// Returns the version of the tokens in the file; 0 if none were written.
pub(super) fn words(file: &OpenFile) -> Result<i64> {
    let sql = "SELECT words FROM content WHERE sum = row_sum(words)";
    let words = file.one(sql, (), |row| row.get(0))?;
    let what = "the row with the version of the tokens cannot be read";
    words.ok_or_else(|| file.damaged(what))
}

/// Returns whether the tokens were made by the rules of this program.
pub(super) fn is_current(file: &OpenFile) -> Result<bool> {
    Ok(words(file)? == WORDS_VERSION)
}

/// Records that the tokens were made by the rules of this program.
pub(super) fn set_current(file: &OpenFile) -> Result<()> {
    let sql = "UPDATE content SET words = ?1, sum = row_sum(?1)";
    file.execute(sql, [WORDS_VERSION])
}
