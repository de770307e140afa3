//! The log of changes, and what else is known of the data as a whole.

use std::sync::Arc;

use super::super::data_file::RecordCounts;
use super::super::error::Result;
use super::super::suppliers::KnownSupplier;
use super::client::Row;
use super::filter::saturated;
use super::reader::{FIRST, ServerData, statement};
use super::text::original;
use crate::model::{
    ChangedPart, ChangedSubject, Coverage, Date, Inn, LoggedChange, PurchaseNumber,
};

impl ServerData {
    /// As [`super::super::Database::oldest_revision`].
    pub fn oldest_revision(&self) -> Result<u64> {
        let sql = statement!("found.min", "SELECT min(number) FROM DATA.revision");
        let oldest = self.revision(&self.rows(sql, &[])?)?;
        oldest.ok_or_else(|| self.damaged("the log of changes has no revision"))
    }

    /// As [`super::super::Database::revision_time`].
    pub fn revision_time(&self, revision: u64) -> Result<Option<i64>> {
        let sql = statement!(
            "found.time",
            "SELECT time FROM DATA.revision WHERE number = $1"
        );
        let rows = self.rows(sql, &[&saturated(revision)])?;
        rows.first().map_or(Ok(None), |row| self.get(row, FIRST))
    }

    /// As [`super::super::Database::revision_before`].
    pub fn revision_before(&self, time: i64) -> Result<Option<u64>> {
        let sql = statement!(
            "found.max",
            "SELECT max(number) FROM DATA.revision WHERE time < $1"
        );
        self.revision(&self.rows(sql, &[&time])?)
    }

    /// As [`super::super::Database::changes_after`].
    pub fn changes_after(&self, revision: u64, skip: u64, limit: u64) -> Result<Vec<LoggedChange>> {
        let sql = statement!(
            "found.part, found.key, found.revision",
            "SELECT part, key, revision, subject FROM DATA.change WHERE revision > $1 \
             ORDER BY revision, part, subject OFFSET $2 LIMIT $3"
        );
        let [revision, skip, limit] = [revision, skip, limit].map(saturated);
        let sql = [sql, " ORDER BY found.revision, found.part, found.subject"].concat();
        self.changes(&self.many_rows(&sql, &[&revision, &skip, &limit])?)
    }

    /// As [`super::super::Database::changes_of`].
    pub fn changes_of(&self, supplier: &KnownSupplier, revision: u64) -> Result<Vec<LoggedChange>> {
        let sql = statement!(
            "found.*",
            "SELECT part, key, revision FROM DATA.change \
             WHERE key = $1 AND part <> 3 AND revision > $2"
        );
        let inn = supplier.inn.as_str();
        let sql = [sql, " ORDER BY found.part"].concat();
        self.changes(&self.rows(&sql, &[&inn, &saturated(revision)])?)
    }

    fn changes(&self, rows: &[Row]) -> Result<Vec<LoggedChange>> {
        let mut changes = Vec::with_capacity(rows.len());
        for row in rows {
            if let Some(part) = self.get::<Option<i16>>(row, FIRST)? {
                let key = self.get(row, FIRST + 1)?;
                let changed = changed(part, key).ok_or_else(|| self.damaged("a change"))?;
                changes.push(LoggedChange {
                    part: changed.0,
                    subject: changed.1,
                    revision: self.count(row, FIRST + 2)?,
                });
            }
        }
        Ok(changes)
    }

    /// The number of a revision, if there is one.
    fn revision(&self, rows: &[Row]) -> Result<Option<u64>> {
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

/// What changed; none if there is no such part, or if this is no key of what has it.
fn changed(part: i16, key: &str) -> Option<(ChangedPart, ChangedSubject)> {
    let mut parts = ChangedPart::ALL.into_iter();
    let part = parts.find(|known| *known as i16 == part)?;
    let subject = match part {
        ChangedPart::Card => ChangedSubject::Purchase(PurchaseNumber::parse(key)?),
        _ => ChangedSubject::Supplier(Inn::parse(key)?),
    };
    Some((part, subject))
}
