//! The table `content`: the version of the tokens by which the index of contents was written. What
//! follows from records and their tokens is written again by an import or an upgrade of a program
//! with another version.

use rusqlite::params;

use super::contract_id::supplier_of;
use super::error::Result;
use super::facet_columns::FacetColumn;
use super::facets::file_value;
use super::file::OpenFile;
use super::record;
use super::suppliers::Suppliers;

/// The version of the tokens that this program writes and searches.
pub(super) const WORDS_VERSION: i64 = 1;

/// The number of contracts in memory at once.
const AT_ONCE: u64 = 1_000;

/// Reads the version of the tokens in the file; 0 if none were written.
pub(super) fn words(file: &OpenFile) -> Result<i64> {
    let sql = "SELECT words FROM content WHERE sum = row_sum(words)";
    let words = file.one(sql, (), |row| row.get(0))?;
    let what = "the row with the version of its tokens cannot be read";
    words.ok_or_else(|| file.damaged(what))
}

/// Writes what follows from records alone, unless it was written by this program's version of
/// tokens, within the transaction that is open. Returns whether anything was written.
///
/// # Errors
/// The file cannot be read or written, or the error of `on_progress`, which gets the number of
/// contracts written and their total.
pub(super) fn rebuild(
    file: &OpenFile,
    on_progress: &mut dyn FnMut(u64, u64) -> Result<()>,
) -> Result<bool> {
    if words(file)? == WORDS_VERSION {
        return Ok(false);
    }
    let total = file.value("SELECT count(*) FROM contract", (), |row| row.get(0))?;
    let (mut done, mut last) = (0, i64::MIN);
    on_progress(done, total)?;
    loop {
        let sql = "SELECT id, record FROM contract WHERE id > ?1 ORDER BY id LIMIT ?2";
        let contracts: Vec<(i64, Vec<u8>)> = file.all(sql, params![last, AT_ONCE], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        let Some((greatest, _)) = contracts.last() else {
            break;
        };
        last = *greatest;
        done += contracts.len() as u64;
        write_facts(file, &contracts)?;
        on_progress(done, total)?;
    }
    file.execute(
        "UPDATE content SET words = ?1, sum = row_sum(?1)",
        [WORDS_VERSION],
    )?;
    Ok(true)
}

fn write_facts(file: &OpenFile, contracts: &[(i64, Vec<u8>)]) -> Result<()> {
    let mut supplier = None;
    for (id, bytes) in contracts {
        let of = supplier_of(*id);
        let row = match supplier.take() {
            Some((known, row)) if known == of => row,
            _ => Suppliers(file).row_of_id(of)?,
        };
        let contract = record::contract(&file.path, &row.inn, bytes)?;
        let facts = FacetColumn::Facts.value(&contract);
        let facts = facts.ok_or_else(|| record::not_a_contract(&file.path))?;
        let sql = "UPDATE contract_facet SET facts = ?2 WHERE id = ?1 AND facts <> ?2";
        let facts = file_value(FacetColumn::Facts, &facts);
        file.execute(sql, params![id, facts])?;
        supplier = Some((of, row));
    }
    Ok(())
}
