//! The table `content_index`: a full-text index (SQLite FTS5) of the tokens of contracts and
//! purchases ([`crate::model::ContentTokenizer`]). The index does not store text, only the rows of
//! each token ([`super::content_row`]).

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;

use rusqlite::Rows;

use super::content_row::{
    ascending_rows, contract_of_row, descending_rows, row_of_contract, row_of_purchase,
    rows_of_purchases,
};
use super::error::{Error, Result};
use super::file::OpenFile;
use super::query::ContentKind;
use super::record;
use super::search_rules::{self, Searched};
use crate::model::{ContentTokenizer, ContentTokens, EncodedContract, Inn, Purchase};

/// Number of changed rows held in memory before they are written.
const CHANGES_AT_ONCE: usize = 50_000;

/// Returns the tokens of a contract of the supplier with this INN. `items` is the value in
/// `contract_items`; empty if the contract has no row there.
pub(super) fn contract_tokens(
    path: &Path,
    tokenizer: &mut ContentTokenizer,
    inn: &Inn,
    contract: &EncodedContract<'_>,
    items: &[u8],
) -> Result<String> {
    let damaged = || record::not_items(path);
    let unpacked = record::unpack_items(inn, items).ok_or_else(damaged)?;
    let items = unpacked.items().ok_or_else(damaged)?;
    Ok(tokenizer.contract(contract, items))
}

/// Adds a row, which must not be in the index yet.
pub(super) fn insert(db: &OpenFile, row: i64, tokens: &str) -> Result<()> {
    let sql = "INSERT INTO content_index (rowid, tokens) VALUES (?1, ?2)";
    db.execute(sql, (row, tokens))
}

/// The number of postings (pairs of token and row) and the sum of their hashes. The order of the
/// postings does not matter.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct IndexDigest {
    postings: u64,
    sum: u64,
}

impl IndexDigest {
    pub fn add_row(&mut self, row: i64, tokens: &str) {
        let tokens = tokens.split(' ').filter(|token| !token.is_empty());
        tokens.for_each(|token| self.add(token, row));
    }

    pub fn of_index(db: &OpenFile) -> Result<Self> {
        db.batch(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.content_posting \
             USING fts5vocab(main, content_index, instance)",
        )?;
        let mut digest = Self::default();
        db.each_row("SELECT term, doc FROM content_posting", (), |row| {
            let posting = row
                .get_ref(0)
                .and_then(|token| Ok((token.as_str()?, row.get(1)?)));
            let (token, row) = posting.map_err(|error| db.failed(error))?;
            digest.add(token, row);
            Ok(())
        })?;
        Ok(digest)
    }

    fn add(&mut self, token: &str, row: i64) {
        let mut hasher = DefaultHasher::new();
        (token, row).hash(&mut hasher);
        self.postings += 1;
        self.sum = self.sum.wrapping_add(hasher.finish());
    }
}

/// Changes to the index by one batch of an import. FTS5 flushes its buffer whenever a row id is not
/// greater than the previous one, so the batch writes the changes in ascending order of rows.
#[derive(Default)]
pub(super) struct ContentChanges {
    rows: BTreeMap<i64, RowChange>,
    tokenizer: ContentTokenizer,
    /// Whether the tokens in the index follow this program's rules; `None` until that is first
    /// needed. If they do not, the import rewrites the whole index at its end.
    is_current: Option<bool>,
}

/// Tokens of a row: those in the index, and those that should be there. `None` means no row.
#[derive(Debug, Default)]
struct RowChange {
    was: Option<String>,
    now: Option<String>,
}

impl ContentChanges {
    pub fn remove_contract(
        &mut self,
        db: &OpenFile,
        id: i64,
        inn: &Inn,
        contract: &EncodedContract<'_>,
        items: &[u8],
    ) -> Result<()> {
        let tokens = self.tokens_to_note(db, inn, contract, items)?;
        if let Some(tokens) = tokens {
            self.removed(row_of_contract(id), tokens);
        }
        Ok(())
    }

    pub fn add_contract(
        &mut self,
        db: &OpenFile,
        id: i64,
        inn: &Inn,
        contract: &EncodedContract<'_>,
        items: &[u8],
    ) -> Result<()> {
        if let Some(tokens) = self.tokens_to_note(db, inn, contract, items)? {
            self.rows.entry(row_of_contract(id)).or_default().now = Some(tokens);
        }
        Ok(())
    }

    /// Returns the tokens of a contract, or `None` if the index will be rewritten anyway.
    fn tokens_to_note(
        &mut self,
        db: &OpenFile,
        inn: &Inn,
        contract: &EncodedContract<'_>,
        items: &[u8],
    ) -> Result<Option<String>> {
        if !self.is_current(db)? {
            return Ok(None);
        }
        contract_tokens(&db.path, &mut self.tokenizer, inn, contract, items).map(Some)
    }

    /// Records that the purchase `now` is added, or that it replaces `was`.
    pub fn put_purchase(&mut self, id: i64, was: Option<&Purchase>, now: &Purchase) {
        if let Some(was) = was {
            let tokens = self.tokenizer.purchase(was);
            self.removed(row_of_purchase(id), tokens);
        }
        let tokens = self.tokenizer.purchase(now);
        self.rows.entry(row_of_purchase(id)).or_default().now = Some(tokens);
    }

    /// Returns whether changes must be collected. If not, the index will be rewritten anyway.
    pub fn is_current(&mut self, db: &OpenFile) -> Result<bool> {
        match self.is_current {
            Some(is_current) => Ok(is_current),
            None => Ok(*self
                .is_current
                .insert(search_rules::is_current(db, Searched::Content)?)),
        }
    }

    pub fn is_full(&self) -> bool {
        self.rows.len() >= CHANGES_AT_ONCE
    }

    pub fn write(&mut self, db: &OpenFile) -> Result<()> {
        for (row, change) in std::mem::take(&mut self.rows) {
            if change.was == change.now {
                continue;
            }
            if let Some(tokens) = change.was {
                let sql = "INSERT INTO content_index (content_index, rowid, tokens) \
                           VALUES ('delete', ?1, ?2)";
                db.execute(sql, (row, tokens))?;
            }
            if let Some(tokens) = change.now {
                insert(db, row, &tokens)?;
            }
        }
        Ok(())
    }

    /// Records the removal of a row with the given tokens. If the batch has already changed the
    /// row, keeps the tokens from before the batch, because those are what the index contains.
    fn removed(&mut self, row: i64, tokens: String) {
        let change = self.rows.entry(row).or_insert_with(|| RowChange {
            was: Some(tokens),
            now: None,
        });
        change.now = None;
    }
}

/// Calls `each` with the ids of records of a kind that match and are within the range `ids`, in
/// ascending order.
pub(super) fn each_match(
    db: &OpenFile,
    tokens: &ContentTokens,
    kind: ContentKind,
    ids: &RangeInclusive<i64>,
    each: &mut dyn FnMut(i64) -> ControlFlow<()>,
) -> Result<()> {
    if tokens.is_everything() {
        let sql = match kind {
            ContentKind::Contracts => {
                "SELECT id FROM contract_facet WHERE id BETWEEN ?1 AND ?2 ORDER BY id"
            }
            ContentKind::Purchases => {
                "SELECT id FROM purchase_facet WHERE id BETWEEN ?1 AND ?2 ORDER BY id"
            }
        };
        return db.each_row_while(sql, [*ids.start(), *ids.end()], |row| {
            let id = row.get(0).map_err(|error| db.failed(error))?;
            Ok(each(id).is_continue())
        });
    }
    let expression = match_expression(tokens);
    match kind {
        ContentKind::Contracts => each_contract(db, &expression, ids, each),
        ContentKind::Purchases => {
            let (first, last) = rows_of_purchases(ids).into_inner();
            db.each_row_while(DESCENDING, (expression, first, last), |row| {
                let row: i64 = row.get(0).map_err(|error| db.failed(error))?;
                Ok(each(-row).is_continue())
            })
        }
    }
}

const ASCENDING: &str = "SELECT rowid FROM content_index WHERE content_index MATCH ?1 \
                         AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid";
const DESCENDING: &str = "SELECT rowid FROM content_index WHERE content_index MATCH ?1 \
                          AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC";

/// Calls `each` with the ids of the contracts that match an FTS5 query, in ascending order. In one
/// part of the index, rows ascend with ids; in the other, they descend. Merges the results of both.
fn each_contract(
    db: &OpenFile,
    expression: &str,
    ids: &RangeInclusive<i64>,
    each: &mut dyn FnMut(i64) -> ControlFlow<()>,
) -> Result<()> {
    let failed = |error| db.failed(error);
    let mut statements = [
        db.connection.prepare_cached(ASCENDING).map_err(failed)?,
        db.connection.prepare_cached(DESCENDING).map_err(failed)?,
    ];
    let [ascending, descending] = &mut statements;
    let params = |rows: RangeInclusive<i64>| (expression, *rows.start(), *rows.end());
    let ascending = ascending.query(params(ascending_rows(ids)));
    let descending = descending.query(params(descending_rows(ids)));
    let mut rows = [ascending.map_err(failed)?, descending.map_err(failed)?];
    let next = |rows: &mut Rows<'_>| {
        let row = rows.next().map_err(failed)?;
        let row: Option<i64> = row.map(|row| row.get(0)).transpose().map_err(failed)?;
        Ok::<_, Error>(row.map(contract_of_row))
    };
    let [ascending, descending] = &mut rows;
    let mut heads = [next(ascending)?, next(descending)?];
    loop {
        let id = match heads {
            [Some(one), Some(other)] => one.min(other),
            [one, other] => match one.or(other) {
                Some(id) => id,
                None => return Ok(()),
            },
        };
        if ids.contains(&id) && each(id).is_break() {
            return Ok(());
        }
        if heads[0] == Some(id) {
            heads[0] = next(ascending)?;
        } else {
            heads[1] = next(descending)?;
        }
    }
}

/// Returns the FTS5 query for records that have at least one token from each list.
fn match_expression(tokens: &ContentTokens) -> String {
    let any = |tokens: &Vec<String>| {
        let quoted = tokens.iter().map(|token| format!("\"{token}\""));
        format!("({})", quoted.collect::<Vec<_>>().join(" OR "))
    };
    let lists = tokens.alternatives().iter().map(any);
    lists.collect::<Vec<_>>().join(" AND ")
}

#[cfg(test)]
mod tests;
