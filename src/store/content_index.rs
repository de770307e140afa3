//! The table `content_index`: SQLite's full-text index (FTS5) of the tokens of contracts and
//! purchases ([`crate::model::ContentTokenizer`]). The index stores no text, and only the row ids of
//! each token: a contract has its own id, a purchase the negative of its id.

use std::ops::{ControlFlow, RangeInclusive};

use super::error::Result;
use super::file::OpenFile;
use super::query::{ContentKind, EachId};
use crate::model::ContentTokens;

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
