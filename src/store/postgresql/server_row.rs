//! Converts between columns of rows and values of the model.

use super::super::documents::{DocumentHead, DocumentOrigin};
use super::super::error::Result;
use super::super::facet_columns::{FacetColumn, FacetRow, FacetType, FacetValue};
use super::super::reg_num::RegNum;
use super::client::{Row, ToSql};
use super::reader::{FIRST, ServerData};
use super::text::{original, restored, stored};
use crate::model::{ChangedPart, ChangedSubject, Inn, LogSubject, LoggedChange};

/// Value of the column `subject` if the subject is a text. It is greater than any id or INN.
pub(super) const TEXT: i64 = i64::MAX;

/// Converts a number to PostgreSQL's type. A number that is too large becomes the largest one.
pub(super) fn saturated(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn sql_value<'a>(
    column: FacetColumn,
    value: &'a FacetValue<'_>,
) -> Box<dyn ToSql + Sync + 'a> {
    match (column.kind(), value) {
        (_, FacetValue::Number(number)) => Box::new(*number),
        (_, FacetValue::Text(text)) => Box::new(stored(text)),
        (FacetType::Number, FacetValue::Null) => Box::new(None::<i64>),
        (_, FacetValue::Null) => Box::new(None::<&str>),
    }
}

impl ServerData {
    pub(super) fn entry_in<'r>(&self, row: &'r Row) -> Result<(Inn, &'r [u8])> {
        let inn = Inn::from_stored(self.get(row, FIRST)?);
        let inn = inn.ok_or_else(|| self.damaged("an INN that is none"))?;
        Ok((inn, self.get(row, FIRST + 1)?))
    }

    /// Returns the document in the columns of a row that start at `at`, if there is one.
    pub(super) fn document_in(&self, row: &Row, at: usize) -> Result<Option<DocumentHead>> {
        let Some(id) = self.get(row, at)? else {
            return Ok(None);
        };
        let text = |at| self.get(row, at).map(original);
        let kind: i16 = self.get(row, at + 2)?;
        let kind = u8::try_from(kind).map_err(|_| self.damaged("a kind of documents"))?;
        Ok(Some(DocumentHead {
            id,
            number: text(at + 1)?,
            kind,
            version: self.get(row, at + 3)?,
            published: self.get(row, at + 4)?,
            purchase: text(at + 5)?,
            annuls: self.get(row, at + 6)?,
            origin: DocumentOrigin {
                name: text(at + 7)?.into(),
                subsystem: text(at + 8)?.into(),
            },
        }))
    }

    pub(super) fn changes(&self, rows: &[Row]) -> Result<Vec<LoggedChange>> {
        let mut changes = Vec::with_capacity(rows.len());
        for row in rows {
            if let Some(part) = self.get::<Option<i16>>(row, FIRST)? {
                let key: &str = self.get(row, FIRST + 1)?;
                let damaged = || self.damaged("a change");
                let part = ChangedPart::from_number(part.into()).ok_or_else(damaged)?;
                let number = self.get(row, FIRST + 3)?;
                changes.push(LoggedChange {
                    part,
                    subject: ChangedSubject::parse(part, key).ok_or_else(damaged)?,
                    revision: self.count(row, FIRST + 2)?,
                    id: match number {
                        TEXT => LogSubject::Text(key.to_owned()),
                        number => LogSubject::Number(number),
                    },
                });
            }
        }
        Ok(changes)
    }

    pub(super) fn number(&self, row: &Row) -> Result<Option<u64>> {
        let number: Option<i64> = self.get(row, FIRST)?;
        Ok(number.and_then(|number| u64::try_from(number).ok()))
    }
}

/// A row of facets: id of the contract, the selected columns, and, except in rows of
/// [`Source::facets`](super::super::query::Source::facets), the registry number.
pub(super) struct ServerRow<'a> {
    pub data: &'a ServerData,
    pub row: &'a Row,
    pub columns: &'a [FacetColumn],
}

impl FacetRow for ServerRow<'_> {
    fn id(&self) -> Result<i64> {
        self.data.get(self.row, FIRST)
    }

    fn reg_num(&self) -> Result<RegNum> {
        let reg_num = self.data.get(self.row, FIRST + 1 + self.columns.len())?;
        Ok(RegNum::new(&restored(reg_num)))
    }

    fn value(&self, at: usize) -> Result<FacetValue<'_>> {
        let kind = self.columns.get(at).map(|column| column.kind());
        let (data, row, at) = (self.data, self.row, FIRST + 1 + at);
        if matches!(kind, Some(FacetType::Text | FacetType::Inn)) {
            let text = data.get::<Option<&str>>(row, at)?;
            return Ok(text.map_or(FacetValue::Null, |text| FacetValue::Text(restored(text))));
        }
        let number = data.get(row, at)?;
        Ok(Option::map_or(number, FacetValue::Null, FacetValue::Number))
    }
}
