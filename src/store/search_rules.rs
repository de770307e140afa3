//! The table `search_rules`: the versions of the rules that produced the data for searches. An
//! import or upgrade by a program with other rules rebuilds that data.

use super::error::Result;
use super::file::OpenFile;
use crate::model::{NAMES_VERSION, WORDS_VERSION};

/// Derived data that searches need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Searched {
    /// Data for searches by content, under the rules of [`WORDS_VERSION`].
    Content,
    /// Names of suppliers and customers, under the rules of [`NAMES_VERSION`].
    Names,
}

/// Progress in rebuilding the derived data that searches need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RebuildProgress {
    /// Contracts and purchases written to the content index.
    Contents { done: u64, total: u64 },
    /// Suppliers and customers whose names were written.
    Names { done: u64, total: u64 },
}

/// Returns the stored versions for content and names. A version is 0 if that data was never
/// written.
fn versions(file: &OpenFile) -> Result<[i64; 2]> {
    let sql = "SELECT words, names FROM search_rules WHERE sum = row_sum(words, names)";
    let versions = file.one(sql, (), |row| Ok([row.get(0)?, row.get(1)?]))?;
    let what = "the row with the versions of the rules of searches cannot be read";
    versions.ok_or_else(|| file.damaged(what))
}

/// Returns whether the data was produced by the rules of this program.
pub(super) fn is_current(file: &OpenFile, searched: Searched) -> Result<bool> {
    let [words, names] = versions(file)?;
    Ok(match searched {
        Searched::Content => words == WORDS_VERSION,
        Searched::Names => names == NAMES_VERSION,
    })
}

pub(super) fn set_current(file: &OpenFile, searched: Searched) -> Result<()> {
    let [mut words, mut names] = versions(file)?;
    match searched {
        Searched::Content => words = WORDS_VERSION,
        Searched::Names => names = NAMES_VERSION,
    }
    let sql = "UPDATE search_rules SET words = ?1, names = ?2, sum = row_sum(?1, ?2)";
    file.execute(sql, [words, names])
}
