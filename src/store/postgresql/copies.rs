//! Copies of the file's rows to tables of the same names, or to temporary ones.

use super::super::changes::LoggedRow;
use super::super::data_file::DataFile;
use super::client::Session;
use super::copy::TableCopy;
use super::publish_failure::Failure;
use super::publish_progress::PublishProgress;
use super::rows;

/// Where rows are copied to, and which.
pub struct Copies<'a, 'r> {
    pub session: &'a mut Session,
    pub file: &'a DataFile,
    /// What stands before the name of a table.
    pub prefix: &'static str,
    /// Further options of the statement.
    pub options: &'static str,
    /// The revision after which something has changed; none: all.
    pub after: Option<i64>,
    pub progress: &'a mut PublishProgress<'r>,
}

impl Copies<'_, '_> {
    /// All suppliers.
    pub fn suppliers(&mut self) -> Result<(), Failure> {
        let mut copy = TableCopy::begin(self.session, self.prefix, "supplier", self.options)?;
        self.file.suppliers_by_inn(|supplier, is_known| {
            self.progress.row();
            copy.row(|row| rows::supplier(row, supplier, is_known))
        })?;
        copy.finish()
    }

    /// All contracts, by supplier and position.
    pub fn contracts(&mut self) -> Result<(), Failure> {
        let mut copy = TableCopy::begin(self.session, self.prefix, "contract", self.options)?;
        self.file.suppliers_by_inn(|supplier, _| {
            self.file.contract_records(supplier, |contract, record| {
                self.progress.row();
                copy.row(|row| rows::contract(row, &supplier.inn, contract, record))
            })
        })?;
        copy.finish()
    }

    /// Cards that have changed. Returns how many.
    pub fn purchases(&mut self) -> Result<u64, Failure> {
        let mut copy = TableCopy::begin(self.session, self.prefix, "purchase", self.options)?;
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
    pub fn rnp_entries(&mut self) -> Result<u64, Failure> {
        let mut copy = TableCopy::begin(self.session, self.prefix, "rnp_entry", self.options)?;
        let mut count = 0;
        self.file
            .entry_records(self.after, |inn, number, entry, record| {
                count += 1;
                self.progress.row();
                copy.row(|row| rows::rnp_entry(row, (inn, number), entry, record))
            })?;
        copy.finish().map(|()| count)
    }

    /// The registries and the coverage, as a whole.
    pub fn registries_and_coverage(&mut self) -> Result<(), Failure> {
        let mut copy = TableCopy::begin(self.session, self.prefix, "registry", self.options)?;
        for registry in self.file.registries().0 {
            copy.row(|row| rows::registry(row, &registry))?;
        }
        copy.finish()?;
        let mut copy = TableCopy::begin(self.session, self.prefix, "coverage", self.options)?;
        for run in self.file.coverage()? {
            copy.row(|row| rows::coverage(row, &run))?;
        }
        copy.finish()
    }

    /// The log of changes.
    pub fn log(&mut self) -> Result<(), Failure> {
        let after = self.after.unwrap_or(i64::MIN);
        let mut copy = TableCopy::begin(self.session, self.prefix, "revision", self.options)?;
        self.file.revisions(after, |number, time, identity| {
            copy.row(|row| rows::revision(row, number, time, identity))
        })?;
        copy.finish()?;
        let mut copy = TableCopy::begin(self.session, self.prefix, "change", self.options)?;
        let change = |change: &LoggedRow| copy.row(|row| rows::change(row, change));
        self.file.logged_rows(after, change)?;
        copy.finish()
    }
}
