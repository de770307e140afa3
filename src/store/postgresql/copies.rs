//! Copies of the file's rows to tables of the same names, or to temporary ones.

use super::super::data_file::DataFile;
use super::super::error::Result;
use super::client::Session;
use super::copy::TableCopy;
use super::publish_progress::PublishProgress;
use super::rows;
use crate::model::LoggedChange;

/// Where rows are copied to, and which.
pub struct Copies<'a, 'r> {
    pub session: &'a mut Session,
    pub file: &'a DataFile,
    /// The revision after which something has changed, which goes to temporary tables; none:
    /// all, to new ones.
    pub after: Option<i64>,
    pub progress: &'a mut PublishProgress<'r>,
}

/// Rows are copied without a trace of the transaction, which readers would have to look up: the
/// tables are new.
const FREEZE: &str = ", FREEZE";

/// Begins a copy to a table, which is a temporary one for what has changed since a revision.
fn begin<'a>(
    session: &'a mut Session,
    after: Option<i64>,
    table: &'static str,
) -> Result<TableCopy<'a>> {
    match after {
        Some(_) => TableCopy::begin(session, "new_", table, ""),
        None => TableCopy::begin(session, "", table, FREEZE),
    }
}

impl Copies<'_, '_> {
    /// All suppliers.
    pub fn suppliers(&mut self) -> Result<()> {
        let mut copy = begin(self.session, self.after, "supplier")?;
        self.file.suppliers_by_inn(|supplier, is_known| {
            self.progress.row();
            copy.row(|row| rows::supplier(row, supplier, is_known))
        })?;
        copy.finish()
    }

    /// All contracts, by supplier and position.
    pub fn contracts(&mut self) -> Result<()> {
        let mut copy = begin(self.session, self.after, "contract")?;
        self.file.suppliers_by_inn(|supplier, _| {
            let inn = &supplier.inn;
            self.file
                .contract_records(supplier, |contract, facets, record| {
                    self.progress.row();
                    copy.row(|row| rows::contract(row, inn, contract, facets, record))
                })
        })?;
        copy.finish()
    }

    /// Cards that have changed. Returns how many.
    pub fn purchases(&mut self) -> Result<u64> {
        let mut copy = begin(self.session, self.after, "purchase")?;
        let mut count = 0;
        self.file
            .purchase_records(self.after, |number, id, record| {
                count += 1;
                self.progress.row();
                copy.row(|row| rows::purchase(row, number, id, record))
            })?;
        copy.finish().map(|()| count)
    }

    /// The RNP entries of suppliers of whose entries any has changed. Returns how many.
    pub fn rnp_entries(&mut self) -> Result<u64> {
        let mut copy = begin(self.session, self.after, "rnp_entry")?;
        let mut count = 0;
        self.file
            .entry_records(self.after, |inn, number, entry, record| {
                count += 1;
                self.progress.row();
                copy.row(|row| rows::rnp_entry(row, (inn, number), entry, record))
            })?;
        copy.finish().map(|()| count)
    }

    /// The documents that were stored after the one with the id `last`, and the others about
    /// the same numbers; with none, all.
    pub fn documents(&mut self, last: Option<i64>) -> Result<()> {
        let mut copy = begin(self.session, self.after, "document")?;
        self.file.document_heads(last, |document| {
            self.progress.row();
            copy.row(|row| rows::document(row, document))
        })?;
        copy.finish()
    }

    /// The registries and the coverage, as a whole.
    pub fn registries_and_coverage(&mut self) -> Result<()> {
        let mut copy = begin(self.session, self.after, "registry")?;
        for registry in self.file.registries().all {
            copy.row(|row| rows::registry(row, &registry))?;
        }
        copy.finish()?;
        let mut copy = begin(self.session, self.after, "coverage")?;
        for run in self.file.coverage()? {
            copy.row(|row| rows::coverage(row, &run))?;
        }
        copy.finish()
    }

    /// The log of changes.
    pub fn log(&mut self) -> Result<()> {
        let after = self.after.unwrap_or(i64::MIN);
        let mut copy = begin(self.session, self.after, "revision")?;
        self.file.revisions(after, |number, time, identity| {
            copy.row(|row| rows::revision(row, number, time, identity))
        })?;
        copy.finish()?;
        let mut copy = begin(self.session, self.after, "change")?;
        let change = |change: &LoggedChange| copy.row(|row| rows::change(row, change));
        self.file.logged_changes(after, change)?;
        copy.finish()
    }
}
