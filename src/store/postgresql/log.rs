//! The log of changes, and what else is known of the data as a whole.

use std::sync::Arc;

use super::super::changes::Revision;
use super::super::data_file::RecordCounts;
use super::super::error::Result;
use super::super::suppliers::KnownSupplier;
use super::client::Row;
use super::filter::saturated;
use super::reader::{FIRST, ServerData, statement};
use super::rows::{TEXT, subject};
use super::text::original;
use crate::model::{
    ChangedPart, ChangedSubject, Coverage, Date, LogPosition, LogSubject, LoggedChange,
};

impl ServerData {
    /// As [`super::super::Database::oldest_revision`].
    pub fn oldest_revision(&self) -> Result<u64> {
        let sql = statement!("found.min", "SELECT min(number) FROM DATA.revision");
        let oldest = self.number(&self.rows(sql, &[])?)?;
        oldest.ok_or_else(|| self.damaged("the log of changes has no revision"))
    }

    /// As [`super::super::Database::revision`].
    pub fn revision(&self, revision: u64) -> Result<Option<Revision>> {
        let sql = statement!(
            "found.*",
            "SELECT time, identity FROM DATA.revision WHERE number = $1"
        );
        let rows = self.rows(sql, &[&saturated(revision)])?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        let [time, identity] = [FIRST, FIRST + 1].map(|at| self.get::<Option<i64>>(row, at));
        let revision = time?.zip(identity?);
        Ok(revision.map(|(time, identity)| Revision { time, identity }))
    }

    /// As [`super::super::Database::revision_before`].
    pub fn revision_before(&self, time: i64) -> Result<Option<u64>> {
        let sql = statement!(
            "found.max",
            "SELECT max(number) FROM DATA.revision WHERE time < $1"
        );
        self.number(&self.rows(sql, &[&time])?)
    }

    /// As [`super::super::Database::changes_after`].
    pub fn changes_after(&self, position: &LogPosition, limit: u64) -> Result<Vec<LoggedChange>> {
        let sql = statement!(
            "found.*",
            "SELECT part, key, revision, subject FROM DATA.change \
             WHERE (revision, part, subject, key) > ($1, $2, $3, $4) \
             ORDER BY revision, part, subject, key LIMIT $5"
        );
        let sql = [
            sql,
            " ORDER BY found.revision, found.part, found.subject, found.key",
        ]
        .concat();
        let (revision, part, (subject, key)) = bounds(position);
        let limit = saturated(limit);
        self.changes(&self.many_rows(&sql, &[&revision, &part, &subject, &key, &limit])?)
    }

    /// As [`super::super::Database::changes_of`].
    pub fn changes_of(
        &self,
        supplier: &KnownSupplier,
        position: &LogPosition,
    ) -> Result<Vec<LoggedChange>> {
        let sql = statement!(
            "found.*",
            "SELECT part, key, revision, subject FROM DATA.change \
             WHERE key = $1 AND part IN (1, 2, 4) AND (revision, part, subject) > ($2, $3, $4)"
        );
        let inn = supplier.inn.as_str();
        let sql = [sql, " ORDER BY found.part"].concat();
        let (revision, part, (subject, _)) = bounds(position);
        self.changes(&self.rows(&sql, &[&inn, &revision, &part, &subject])?)
    }

    fn changes(&self, rows: &[Row]) -> Result<Vec<LoggedChange>> {
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

    /// The number of a revision, if there is one.
    fn number(&self, rows: &[Row]) -> Result<Option<u64>> {
        let number = rows.first().map(|row| self.get::<Option<i64>>(row, FIRST));
        let number = number.transpose()?.flatten();
        Ok(number.and_then(|number| u64::try_from(number).ok()))
    }

    /// As [`super::super::Database::coverage`].
    pub fn coverage(&self) -> Result<Arc<[Coverage]>> {
        if let Some(publication) = &self.publication
            && let Some(known) = self.cluster.coverage_of(publication.version.identity)
        {
            return Ok(known);
        }
        let sql = statement!(
            "found.*",
            "SELECT subsystem, documents, region, first_day::text, last_day::text \
             FROM DATA.coverage"
        );
        let mut runs = Vec::new();
        for row in &self.many_rows(sql, &[])? {
            let Some(subsystem) = self.get::<Option<&str>>(row, FIRST)? else {
                continue;
            };
            let day = |at| {
                let day = Date::parse_iso(self.get(row, at)?);
                day.ok_or_else(|| self.damaged("a day of coverage"))
            };
            runs.push(Coverage {
                subsystem: original(subsystem),
                documents: original(self.get(row, FIRST + 1)?),
                region: original(self.get(row, FIRST + 2)?),
                from: day(FIRST + 3)?,
                to: day(FIRST + 4)?,
            });
        }
        runs.sort();
        let runs: Arc<[Coverage]> = runs.into();
        let identity = self.version().identity;
        self.cluster.keep_coverage(identity, Arc::clone(&runs));
        Ok(runs)
    }

    /// As [`super::super::Database::counts`].
    pub fn counts(&self) -> Result<RecordCounts> {
        let sql = statement!(
            "found.*",
            "SELECT count(*), coalesce(sum(contracts), 0)::bigint, \
             (SELECT count(*) FROM DATA.purchase), (SELECT count(*) FROM DATA.rnp_entry) \
             FROM DATA.supplier"
        );
        let rows = self.many_rows(sql, &[])?;
        let row = rows.first().ok_or_else(|| self.moved())?;
        Ok(RecordCounts {
            suppliers: self.count(row, FIRST)?,
            contracts: self.count(row, FIRST + 1)?,
            purchases: self.count(row, FIRST + 2)?,
            rnp_entries: self.count(row, FIRST + 3)?,
        })
    }
}

/// The columns that every row up to a position is at or below.
fn bounds(position: &LogPosition) -> (i64, i16, (i64, &str)) {
    let (part, subject) = match &position.row {
        Some((part, at)) => (i16::from(*part), subject(at)),
        // No row has this part.
        None => (i16::MAX, (0, "")),
    };
    (saturated(position.revision), part, subject)
}
