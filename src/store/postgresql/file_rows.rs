//! The rows of a data file that a publication sends.

use super::super::changes::{changes_after, revision};
use super::super::data_file::DataFile;
use super::super::documents::{DocumentHead, Documents};
use super::super::error::{Error, Result};
use super::super::facets::Facets;
use super::super::record;
use super::super::rnp_index::{EntryRow, select_entries, unsound};
use super::super::suppliers::{KnownSupplier, contract_id, known_supplier};
use crate::model::{ChangedPart, EncodedContract, Inn, LogPosition, LoggedChange, RnpEntry};

/// How many changes of the log are held in memory.
const CHANGES_AT_ONCE: u64 = 10_000;

/// What [`known_supplier`] reads, the INN, and whether the supplier is known: see
/// [`KnownSupplier::is_known`].
macro_rules! with_is_known {
    ($from:literal) => {
        concat!(
            "SELECT id, contracts, stated, given_name, official_name, official_since, \
             official_by, sum, inn, stated OR contracts > 0 \
             OR EXISTS (SELECT 1 FROM rnp_entry WHERE rnp_entry.inn = supplier.inn) ",
            $from
        )
    };
}

impl DataFile {
    /// Passes each supplier that has a row in the file to `each`, by INN, and whether it is
    /// known.
    pub(super) fn suppliers_by_inn<E: From<Error>>(
        &self,
        each: impl FnMut(&KnownSupplier, bool) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = with_is_known!("FROM supplier ORDER BY inn");
        self.each_known(sql, (), each)
    }

    /// Passes only the suppliers with a change of one of `parts` after a revision.
    pub(super) fn changed_suppliers<E: From<Error>>(
        &self,
        revision: i64,
        parts: &[ChangedPart],
        each: impl FnMut(&KnownSupplier, bool) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let parts = parts
            .iter()
            .fold(0, |bits, part| bits | 1 << (*part as i64));
        let sql = with_is_known!(
            "FROM supplier WHERE id IN (SELECT subject FROM change WHERE revision > ?1 \
             AND part <> 3 AND ?2 >> part & 1) ORDER BY inn"
        );
        self.each_known(sql, [revision, parts], each)
    }

    /// Passes only the suppliers whose row ids are greater than `id`.
    pub(super) fn suppliers_after<E: From<Error>>(
        &self,
        id: i64,
        each: impl FnMut(&KnownSupplier, bool) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = with_is_known!("FROM supplier WHERE id > ?1 ORDER BY id");
        self.each_known(sql, [id], each)
    }

    /// Passes the INNs of the suppliers that were imported as records of their own to `each`.
    pub(super) fn stated_suppliers<E: From<Error>>(
        &self,
        each: impl FnMut(String) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = "SELECT inn FROM supplier WHERE stated ORDER BY inn";
        self.file.each(sql, (), |row| row.get(0), each)
    }

    /// How many suppliers there are, and how many of them were imported as records of their own.
    pub(super) fn count_suppliers(&self) -> Result<(i64, i64)> {
        let sql = "SELECT count(*), coalesce(sum(stated), 0) FROM supplier";
        self.file
            .value(sql, (), |row| Ok((row.get(0)?, row.get(1)?)))
    }

    fn each_known<E: From<Error>>(
        &self,
        sql: &'static str,
        params: impl rusqlite::Params,
        mut each: impl FnMut(&KnownSupplier, bool) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let read = |row: &rusqlite::Row<'_>| {
            let Some(inn) = Inn::parse(row.get_ref(8)?.as_str()?) else {
                return Ok(None);
            };
            let supplier = known_supplier(&inn, row)?;
            Ok(supplier.zip(Some(row.get(9)?)))
        };
        self.file
            .each(sql, params, read, |supplier| match supplier {
                Some((supplier, is_known)) => each(&supplier, is_known),
                None => Err(self
                    .file
                    .damaged("a supplier's row: its checksum is wrong")
                    .into()),
            })
    }

    /// Passes the contracts of a supplier, their facets and the bytes of their records to
    /// `each`, oldest first.
    pub(super) fn contract_records<E: From<Error>>(
        &self,
        supplier: &KnownSupplier,
        mut each: impl FnMut(&EncodedContract<'_>, &Facets<'_>, &[u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = "SELECT record FROM contract WHERE id >= ?1 AND id < ?2 ORDER BY id";
        let id = |ordinal: u64| contract_id(supplier.id, ordinal);
        let mut count = 0;
        self.file
            .each_blob(sql, [id(0), id(supplier.contracts)], |bytes| {
                count += 1;
                let contract = record::contract(&self.file.path, &supplier.inn, bytes)?;
                let facets = Facets::new(&contract);
                let facets = facets.ok_or_else(|| record::not_a_contract(&self.file.path))?;
                each(&contract, &facets, bytes)
            })?;
        match count == supplier.contracts {
            true => Ok(()),
            false => Err(self
                .file
                .damaged("a supplier has fewer contracts than it counts")
                .into()),
        }
    }

    /// Passes the purchases whose cards have changed after a revision, all if there is none, to
    /// `each`: number, id of the row, and the bytes of the record; by number.
    pub(super) fn purchase_records<E: From<Error>>(
        &self,
        after: Option<i64>,
        mut each: impl FnMut(&str, i64, &[u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = match after {
            None => "SELECT number, id, record FROM purchase WHERE ?1 IS NULL ORDER BY number",
            Some(_) => {
                "SELECT number, id, record FROM purchase WHERE id IN \
                 (SELECT subject FROM change WHERE revision > ?1 AND part = 3) ORDER BY number"
            }
        };
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let purchase = |(number, id, bytes): (String, i64, Vec<u8>)| {
            record::check_purchase(&self.file.path, &number, &bytes)?;
            each(&number, id, &bytes)
        };
        self.file.each(sql, [after], read, purchase)
    }

    /// Passes the RNP entries of the suppliers whose RNP checks have changed after a revision,
    /// of all suppliers if there is none, to `each`: the supplier's INN, the number, the entry,
    /// and the bytes of its record; by INN and number.
    pub(super) fn entry_records<E: From<Error>>(
        &self,
        after: Option<i64>,
        mut each: impl FnMut(&str, &str, &RnpEntry, &[u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = match after {
            None => select_entries!("WHERE ?1 IS NULL ORDER BY inn, number"),
            Some(_) => select_entries!(
                "WHERE inn IN (SELECT supplier.inn FROM change JOIN supplier \
                 ON supplier.id = subject WHERE revision > ?1 AND part = 2) \
                 ORDER BY inn, number"
            ),
        };
        self.file.each(sql, [after], EntryRow::read, |row| {
            let row = row.ok_or_else(|| unsound(&self.file))?;
            let entry = row.entry(&self.file)?;
            each(row.inn.as_str(), &row.number, &entry, &row.record)
        })
    }

    /// Passes the changes after a revision to `each`, in the order of the log.
    pub(super) fn logged_changes<E: From<Error>>(
        &self,
        revision: i64,
        mut each: impl FnMut(&LoggedChange) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let mut position = LogPosition::after_revision(revision.try_into().unwrap_or_default());
        loop {
            let changes = changes_after(&self.file, &position, CHANGES_AT_ONCE)?;
            changes.iter().try_for_each(&mut each)?;
            let Some(last) = changes.last() else {
                return Ok(());
            };
            position = LogPosition {
                revision: last.revision,
                row: Some((last.part as u8, last.id.clone())),
            };
        }
    }

    /// The revision of the oldest change in the log, if there is one.
    pub(super) fn oldest_change(&self) -> Result<Option<i64>> {
        let sql = "SELECT min(revision) FROM change";
        Ok(self.file.one(sql, (), |row| row.get(0))?.flatten())
    }

    /// How many changes of suppliers and purchases the log has after a revision.
    pub(super) fn count_changes(&self, revision: i64) -> Result<i64> {
        let sql = "SELECT count(*) FROM change WHERE revision > ?1 AND part < 5";
        self.file.value(sql, [revision], |row| row.get(0))
    }

    /// Passes number, time and identity of each revision of the log after this one to `each`.
    pub(super) fn revisions<E: From<Error>>(
        &self,
        after: i64,
        mut each: impl FnMut(i64, i64, i64) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = "SELECT number FROM revision WHERE number > ?1 ORDER BY number";
        for number in self.file.all(sql, [after], |row| row.get::<_, i64>(0))? {
            if let Some(revision) = revision(&self.file, number.unsigned_abs())? {
                each(number, revision.time, revision.identity)?;
            }
        }
        Ok(())
    }

    /// Passes documents without their facts to `each`: those stored after the one with this id,
    /// and all others about the same numbers; with none, all.
    pub(super) fn document_heads<E: From<Error>>(
        &self,
        after: Option<i64>,
        each: impl FnMut(&DocumentHead) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        Documents(&self.file).heads(after, each)
    }

    /// The number of documents.
    pub(super) fn count_documents(&self) -> Result<u64> {
        let sql = "SELECT count(*) FROM document";
        self.file.value(sql, (), |row| row.get(0))
    }
}
