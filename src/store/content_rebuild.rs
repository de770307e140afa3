//! Rebuilds and checks the derived data that searches by content need: the index of tokens
//! (`content_index.rs`), the facets of purchases, and the column `facts` of contracts. All of it is
//! computed from the records and items by versioned rules (`search_rules.rs`). An import or upgrade
//! by a program with other rules rebuilds it. A first import builds it after writing all records.

use std::num::NonZero;
use std::thread;

use rusqlite::{Row, params};

use super::content_index::{IndexDigest, contract_tokens, insert};
use super::content_row::{row_of_contract, row_of_purchase};
use super::contract_id::supplier_of;
use super::error::{Error, Result};
use super::file::OpenFile;
use super::purchase_facets::PurchaseFacets;
use super::record;
use super::search_rules::{self, Searched};
use super::suppliers::Suppliers;
use crate::model::{ContentTokenizer, Inn, RecordFact};

/// Maximum number of records read per statement, and the number of bytes after which a statement
/// stops. While these records are tokenized, the previous ones are written.
const AT_ONCE: usize = 5_000;
const BYTES_AT_ONCE: usize = 8 << 20;

/// Bytes of tokens held in memory before they are written. FTS5 flushes its buffer whenever a row
/// id is not greater than the previous one, so the rows are sorted first.
const TOKENS_AT_ONCE: usize = 16 << 20;

/// FTS5 settings for the rebuild: buffer size in bytes, and the number of segments that triggers a
/// merge. The rebuild merges everything into one segment at the end and restores the default
/// settings.
const BULK_SETTINGS: &str = "\
    INSERT INTO content_index (content_index, rank) VALUES ('hashsize', 67108864); \
    INSERT INTO content_index (content_index, rank) VALUES ('automerge', 0); \
    INSERT INTO content_index (content_index, rank) VALUES ('crisismerge', 1999);";
const DEFAULT_SETTINGS: &str = "\
    INSERT INTO content_index (content_index, rank) VALUES ('hashsize', 1048576); \
    INSERT INTO content_index (content_index, rank) VALUES ('automerge', 4); \
    INSERT INTO content_index (content_index, rank) VALUES ('crisismerge', 16);";

/// Rebuilds the content index, the facets of purchases and the column `facts` in the open
/// transaction, unless they already follow this program's version of the rules. Returns whether
/// anything was written.
///
/// # Errors
/// Returns an error if the file cannot be read or written, or the error of `on_progress`, which
/// receives the number of contracts and purchases written so far and in total.
pub(super) fn rebuild(
    file: &OpenFile,
    on_progress: &mut dyn FnMut(u64, u64) -> Result<()>,
) -> Result<bool> {
    if search_rules::is_current(file, Searched::Content)? {
        return Ok(false);
    }
    let sql = "SELECT (SELECT count(*) FROM contract) + (SELECT count(*) FROM purchase)";
    let total = file.value(sql, (), |row| row.get(0))?;
    let mut done = 0;
    on_progress(done, total)?;
    let mut written = |rows: usize| {
        done += rows as u64;
        on_progress(done, total)
    };
    file.batch(
        "DELETE FROM purchase_facet; \
         INSERT INTO content_index (content_index) VALUES ('delete-all')",
    )?;
    file.batch(BULK_SETTINGS)?;
    let mut postings = NewPostings::default();
    each_purchase(file, &mut |rows| {
        let count = rows.len();
        for (facets, tokens) in rows {
            facets.put(file)?;
            postings.add(file, row_of_purchase(facets.id), tokens)?;
        }
        written(count)
    })?;
    each_contract(file, &mut |rows| {
        let count = rows.len();
        for (id, facts, tokens) in rows {
            let sql = "UPDATE contract_facet SET facts = ?2 WHERE id = ?1 AND facts <> ?2";
            file.execute(sql, params![id, facts])?;
            postings.add(file, row_of_contract(id), tokens)?;
        }
        written(count)
    })?;
    postings.write(file)?;
    file.batch("INSERT INTO content_index (content_index) VALUES ('optimize')")?;
    file.batch(DEFAULT_SETTINGS)?;
    search_rules::set_current(file, Searched::Content)?;
    Ok(true)
}

#[derive(Default)]
struct NewPostings {
    rows: Vec<(i64, String)>,
    bytes: usize,
}

impl NewPostings {
    fn add(&mut self, file: &OpenFile, row: i64, tokens: String) -> Result<()> {
        self.bytes += tokens.len();
        self.rows.push((row, tokens));
        match self.bytes < TOKENS_AT_ONCE {
            true => Ok(()),
            false => self.write(file),
        }
    }

    fn write(&mut self, file: &OpenFile) -> Result<()> {
        self.bytes = 0;
        self.rows.sort_unstable_by_key(|(row, _)| *row);
        let mut rows = self.rows.drain(..);
        rows.try_for_each(|(row, tokens)| insert(file, row, &tokens))
    }
}

/// Checks that the index has exactly the tokens of the records and items, and that the facets of
/// purchases match the records. Skips a file whose index was built by other rules.
///
/// # Errors
/// Returns an error if the file cannot be read or a check fails.
pub(super) fn check(file: &OpenFile) -> Result<()> {
    if !search_rules::is_current(file, Searched::Content)? {
        return Ok(());
    }
    let mut expected = IndexDigest::default();
    let mut purchases = 0_u64;
    each_purchase(file, &mut |rows| {
        for (facets, tokens) in &rows {
            if PurchaseFacets::stored(file, facets.id)?.as_ref() != Some(facets) {
                return Err(file.damaged("facets that do not match the record of the purchase"));
            }
            purchases += 1;
            expected.add_row(row_of_purchase(facets.id), tokens);
        }
        Ok(())
    })?;
    let sql = "SELECT count(*) FROM purchase_facet";
    if file.value(sql, (), |row| row.get::<_, u64>(0))? != purchases {
        return Err(file.damaged("facets without a purchase"));
    }
    each_contract(file, &mut |rows| {
        for (id, _, tokens) in &rows {
            expected.add_row(row_of_contract(*id), tokens);
        }
        Ok(())
    })?;
    match IndexDigest::of_index(file)? == expected {
        true => Ok(()),
        false => Err(file.damaged("the index of contents does not match the records")),
    }
}

/// Passes the facets and tokens of all purchases to `write`, ordered by id.
fn each_purchase(
    file: &OpenFile,
    write: &mut dyn FnMut(Vec<(PurchaseFacets, String)>) -> Result<()>,
) -> Result<()> {
    let mut last = 0;
    let read = || {
        let sql = "SELECT id, number, record FROM purchase WHERE id > ?1 ORDER BY id LIMIT ?2";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let size = |(_, _, record): &(i64, String, Vec<u8>)| record.len();
        let rows = some_rows(file, sql, last, read, size)?;
        last = rows.last().map_or(last, |(id, ..)| *id);
        Ok(rows)
    };
    let path = &file.path;
    let tokens = |tokenizer: &mut ContentTokenizer, row: &(i64, String, Vec<u8>)| {
        let (id, number, record) = row;
        let purchase = record::purchase(path, number, record)?;
        Ok((
            PurchaseFacets::new(*id, &purchase),
            tokenizer.purchase(&purchase),
        ))
    };
    in_order(read, tokens, write)
}

/// Passes the ids, facts and tokens of all contracts to `write`, ordered by id.
fn each_contract(
    file: &OpenFile,
    write: &mut dyn FnMut(Vec<(i64, u8, String)>) -> Result<()>,
) -> Result<()> {
    let mut last = 0;
    let mut supplier: Option<(i64, Inn)> = None;
    let read = || {
        let sql = "SELECT contract.id, record, coalesce(items, x'') FROM contract \
                   LEFT JOIN contract_items USING (id) WHERE contract.id > ?1 \
                   ORDER BY contract.id LIMIT ?2";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let size = |(_, record, items): &(i64, Vec<u8>, Vec<u8>)| record.len() + items.len();
        let rows = some_rows(file, sql, last, read, size)?;
        last = rows.last().map_or(last, |(id, ..)| *id);
        let row = |(id, record, items)| {
            let of = supplier_of(id);
            let known = supplier.take().filter(|(known, _)| *known == of);
            let inn = match known {
                Some((_, inn)) => inn,
                None => Suppliers(file).row_of_id(of)?.inn,
            };
            supplier = Some((of, inn.clone()));
            Ok((id, inn, record, items))
        };
        rows.into_iter().map(row).collect::<Result<Vec<_>>>()
    };
    let path = &file.path;
    let tokens = |tokenizer: &mut ContentTokenizer, row: &(i64, Inn, Vec<u8>, Vec<u8>)| {
        let (id, inn, bytes, items) = row;
        let contract = record::contract(path, inn, bytes)?;
        let tokens = contract_tokens(path, tokenizer, inn, &contract, items)?;
        Ok((*id, RecordFact::bits_of(&contract), tokens))
    };
    in_order(read, tokens, write)
}

/// Reads the rows after the id `last`: [`AT_ONCE`] rows, or fewer once their sizes reach
/// [`BYTES_AT_ONCE`].
fn some_rows<T>(
    file: &OpenFile,
    sql: &str,
    last: i64,
    read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    size: impl Fn(&T) -> usize,
) -> Result<Vec<T>> {
    let (mut rows, mut bytes) = (Vec::new(), 0);
    file.each_row_while(sql, params![last, AT_ONCE], |row| {
        let row = read(row).map_err(|error| file.failed(error))?;
        bytes += size(&row);
        rows.push(row);
        Ok::<_, Error>(bytes < BYTES_AT_ONCE)
    })?;
    Ok(rows)
}

/// Reads rows until there are none left, processes them on all cores, and writes the results in the
/// order of the rows. The next rows are processed while the results for the previous ones are
/// written.
fn in_order<T: Send + Sync, U: Send>(
    mut read: impl FnMut() -> Result<Vec<T>>,
    make: impl Fn(&mut ContentTokenizer, &T) -> Result<U> + Sync,
    write: &mut dyn FnMut(Vec<U>) -> Result<()>,
) -> Result<()> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let mut tokenizers: Vec<_> = (0..threads).map(|_| ContentTokenizer::default()).collect();
    let make_all = |tokenizer: &mut ContentTokenizer, rows: &[T]| {
        let made = rows.iter().map(|row| make(tokenizer, row));
        made.collect::<Result<Vec<U>>>()
    };
    let mut ready = Vec::new();
    loop {
        let rows = read()?;
        ready = thread::scope(|scope| {
            let parts = rows.chunks(rows.len().div_ceil(threads).max(1));
            let make_all = &make_all;
            let parts = parts.zip(&mut tokenizers);
            let parts = parts.map(|(part, tokenizer)| scope.spawn(|| make_all(tokenizer, part)));
            let parts: Vec<_> = parts.collect();
            write(std::mem::take(&mut ready))?;
            let mut made = Vec::with_capacity(rows.len());
            for part in parts {
                match part.join() {
                    Ok(part) => made.extend(part?),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(made)
        })?;
        if rows.is_empty() {
            return Ok(());
        }
    }
}
