//! The table `content_index`: SQLite's full-text index (FTS5) of the tokens of contracts and
//! purchases ([`crate::model::ContentTokenizer`]). The index stores no text, and only the row ids of
//! each token: a contract has its own id, a purchase the negative of its id.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;

use super::content;
use super::error::Result;
use super::file::OpenFile;
use super::query::{ContentKind, EachId};
use super::record;
use crate::model::{ContentTokenizer, ContentTokens, EncodedContract, Inn, Purchase};

/// The maximum number of changed rows in memory.
const CHANGES_AT_ONCE: usize = 50_000;

/// Returns the row of a purchase in the index.
pub(super) fn purchase_row(purchase: i64) -> i64 {
    -purchase
}

/// Returns the tokens of a contract of the supplier with this INN; `items` are as `contract_items`
/// has them, empty without a row.
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

/// Adds a row, which must not be there.
pub(super) fn insert(db: &OpenFile, row: i64, tokens: &str) -> Result<()> {
    let sql = "INSERT INTO content_index (rowid, tokens) VALUES (?1, ?2)";
    db.execute(sql, (row, tokens))
}

/// The number of postings, each a token and a row, and the sum of their hashes: the same for the same
/// postings in any order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct IndexDigest {
    postings: u64,
    sum: u64,
}

impl IndexDigest {
    /// Adds a row with these tokens.
    pub fn add_row(&mut self, row: i64, tokens: &str) {
        let tokens = tokens.split(' ').filter(|token| !token.is_empty());
        tokens.for_each(|token| self.add(token, row));
    }

    /// Returns the digest of the index.
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

/// The changes of the index by a batch of an import. FTS5 writes what it has collected whenever a row
/// does not come after the last one, so the batch writes its changes in the order of their rows.
#[derive(Default)]
pub(super) struct ContentChanges {
    rows: BTreeMap<i64, RowChange>,
    tokenizer: ContentTokenizer,
    /// Whether the index has the tokens of this program's rules; `None` until it is known. If not,
    /// the import writes all of it at its end.
    is_current: Option<bool>,
}

/// The tokens of a row in the index, and those that it is to have; `None` without a row.
#[derive(Debug, Default)]
struct RowChange {
    was: Option<String>,
    now: Option<String>,
}

impl ContentChanges {
    /// Notes that a contract is removed.
    pub fn remove_contract(
        &mut self,
        db: &OpenFile,
        id: i64,
        inn: &Inn,
        contract: &EncodedContract<'_>,
        items: &[u8],
    ) -> Result<()> {
        if self.is_current(db)? {
            let tokens = contract_tokens(&db.path, &mut self.tokenizer, inn, contract, items)?;
            self.removed(id, tokens);
        }
        Ok(())
    }

    /// Notes that a contract is added.
    pub fn add_contract(
        &mut self,
        db: &OpenFile,
        id: i64,
        inn: &Inn,
        contract: &EncodedContract<'_>,
        items: &[u8],
    ) -> Result<()> {
        if self.is_current(db)? {
            let tokens = contract_tokens(&db.path, &mut self.tokenizer, inn, contract, items)?;
            self.rows.entry(id).or_default().now = Some(tokens);
        }
        Ok(())
    }

    /// Notes that a purchase is added, or replaces another.
    pub fn put_purchase(&mut self, id: i64, was: Option<&Purchase>, now: &Purchase) {
        if let Some(was) = was {
            let tokens = self.tokenizer.purchase(was);
            self.removed(purchase_row(id), tokens);
        }
        let tokens = self.tokenizer.purchase(now);
        self.rows.entry(purchase_row(id)).or_default().now = Some(tokens);
    }

    /// Returns whether changes are to be noted.
    pub fn is_current(&mut self, db: &OpenFile) -> Result<bool> {
        match self.is_current {
            Some(is_current) => Ok(is_current),
            None => Ok(*self.is_current.insert(content::is_current(db)?)),
        }
    }

    /// Returns whether the changes should be written.
    pub fn is_full(&self) -> bool {
        self.rows.len() >= CHANGES_AT_ONCE
    }

    /// Writes the changes.
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

    /// Notes that the row that has these tokens is removed. If the batch has changed the row before,
    /// the index has other tokens.
    fn removed(&mut self, row: i64, tokens: String) {
        let change = self.rows.entry(row).or_insert_with(|| RowChange {
            was: Some(tokens),
            now: None,
        });
        change.now = None;
    }
}

/// Passes the ids of the records of a kind that match to `each`, in ascending order, as far as they
/// are among `ids`.
pub(super) fn each_match(
    db: &OpenFile,
    tokens: &ContentTokens,
    kind: ContentKind,
    ids: RangeInclusive<i64>,
    each: EachId<'_>,
) -> Result<()> {
    let (first, last) = ids.into_inner();
    let mut pass = |id: rusqlite::Result<i64>| {
        let passed = each(id.map_err(|error| db.failed(error))?)?;
        Ok(passed == ControlFlow::Continue(()))
    };
    if tokens.is_everything() {
        let sql = match kind {
            ContentKind::Contracts => {
                "SELECT id FROM contract_facet WHERE id BETWEEN ?1 AND ?2 ORDER BY id"
            }
            ContentKind::Purchases => {
                "SELECT id FROM purchase_facet WHERE id BETWEEN ?1 AND ?2 ORDER BY id"
            }
        };
        return db.each_row_while(sql, [first, last], |row| pass(row.get(0)));
    }
    let expression = match_expression(tokens);
    match kind {
        ContentKind::Contracts => {
            let sql = "SELECT rowid FROM content_index WHERE content_index MATCH ?1 \
                       AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid";
            let params = (expression, first.max(1), last);
            db.each_row_while(sql, params, |row| pass(row.get(0)))
        }
        ContentKind::Purchases => {
            let sql = "SELECT -rowid FROM content_index WHERE content_index MATCH ?1 \
                       AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC";
            let params = (
                expression,
                last.saturating_neg(),
                first.max(1).saturating_neg(),
            );
            db.each_row_while(sql, params, |row| pass(row.get(0)))
        }
    }
}

/// The FTS5 query for records with a token of each list.
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
