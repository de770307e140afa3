//! One batch of an import: compares new documents and lines (`batch_lines.rs`) with the file and
//! writes the differences within the current transaction. The newest version of a document wins.
//! Importing the same files again changes nothing and counts everything as unchanged.
//!
//! For a document, a batch stores only the facts. After the last batch, the importer derives the
//! record of each subject that has new documents (`stored_documents.rs`, `derived_records.rs`).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::changes::{ChangeLog, ChangedCustomers};
use super::content_index::ContentChanges;
use super::contract_id::supplier_of;
use super::contract_items::{ItemTable, ItemsTotal};
use super::contracts::{ContractEdit, Contracts};
use super::derived_records::{Derived, DerivedContract, DerivedRecord};
use super::documents::{Document, Documents};
use super::error::Result;
use super::file::OpenFile;
use super::lines::{LineSubject, too_large};
use super::record::ContractBytes;
use super::suppliers::{OfficialName, SupplierRow, SupplierRows};
use super::tally::{Effect, Tally};
use crate::model::{ChangedPart, Contract, DocumentSubject, Inn, Purchase, Supplier};

/// Documents and lines added since the last batch was written.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Each document with the kind under which it is counted; `None` if it is not counted.
    documents: Vec<(Option<&'static str>, Document)>,
    /// Values stated by lines, grouped by subject, in order of arrival.
    lines: BTreeMap<LineSubject, Vec<Vec<u8>>>,
    bytes: usize,
}

/// Estimated overhead of a document or line in memory, in bytes, in addition to the facts or the
/// value.
const OVERHEAD: usize = 300;

impl Batch {
    /// Returns the estimated size of the batch in memory, in bytes.
    pub fn size(&self) -> usize {
        self.bytes
    }

    pub fn document(&mut self, kind: Option<&'static str>, document: Document) {
        self.bytes += document.facts.len() + OVERHEAD;
        self.documents.push((kind, document));
    }

    pub fn line(&mut self, about: LineSubject, value: Vec<u8>) {
        self.bytes += value.len() + OVERHEAD;
        self.lines.entry(about).or_default().push(value);
    }

    pub fn take_lines(&mut self) -> BTreeMap<LineSubject, Vec<Vec<u8>>> {
        std::mem::take(&mut self.lines)
    }

    /// Sorts the documents into the order of the index `document_about`. Documents with the same
    /// number, kind and key stay in order of arrival.
    fn into_documents(mut self) -> Vec<(Option<&'static str>, Document)> {
        self.documents
            .sort_by(|(_, a), (_, b)| a.identity().cmp(&b.identity()));
        self.documents
    }
}

/// Maximum number of contracts whose registry numbers are read per statement.
const NAMED_AT_ONCE: usize = 1000;

/// Number of contracts collected in memory before they are written. A single notice can affect any
/// number of contracts.
const SET_AT_ONCE: usize = 20_000;

/// Writes one batch of documents, lines and derived records.
pub struct BatchWriter<'a> {
    pub(super) db: &'a OpenFile,
    pub(super) suppliers: SupplierRows<'a>,
    /// Contracts to write, by supplier and registry number.
    contracts: BTreeMap<(i64, String), ContractToWrite>,
    /// Suppliers whose stored name comes from a document that may no longer contain it.
    unnamed: BTreeSet<Inn>,
    pub(super) customers: ChangedCustomers,
    pub(super) content: ContentChanges,
    /// Change in the numbers of contracts with and without items.
    items: ItemsTotal,
    /// Whether changes that affect only the items of contracts are left out of the log.
    leaves_out_items: bool,
    pub(super) written: ImportOutcome,
}

struct ContractToWrite {
    stored: Option<i64>,
    /// `None` removes the contract.
    bytes: Option<ContractBytes>,
}

/// How the new file differs from the one that it replaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dirty {
    #[default]
    No,
    /// Only data that no answer depends on differs, such as the table of archives.
    Bookkeeping,
    Answers,
}

/// Outcome of an import so far, or of one batch.
#[derive(Debug, Default)]
pub(super) struct ImportOutcome {
    pub tallies: BTreeMap<&'static str, Tally>,
    pub dirty: Dirty,
    /// Changed parts of suppliers and purchases that are not yet in the log, each with the row id
    /// of its subject.
    pub parts: BTreeSet<(ChangedPart, i64)>,
    /// Number of contracts, purchases and entries written or removed.
    pub records: u64,
    /// One message for each refused record.
    pub refused: Vec<String>,
}

impl ImportOutcome {
    pub fn note(&mut self, dirty: Dirty, is_different: bool) {
        if is_different {
            self.dirty = self.dirty.max(dirty);
        }
    }

    pub fn add(&mut self, db: &OpenFile, batch: Self) -> Result<()> {
        self.dirty = self.dirty.max(batch.dirty);
        self.records += batch.records;
        self.refused.extend(batch.refused);
        for (kind, tally) in batch.tallies {
            self.tally(kind, tally);
        }
        let log = ChangeLog::for_import(db)?;
        let mut parts = batch.parts.into_iter();
        parts.try_for_each(|(part, subject)| log.add(part, subject))
    }

    pub fn tally(&mut self, kind: &'static str, tally: Tally) {
        self.tallies.entry(kind).or_default().add(tally);
    }
}

impl<'a> BatchWriter<'a> {
    pub(super) fn new(db: &'a OpenFile) -> Self {
        Self {
            db,
            suppliers: SupplierRows::new(db),
            contracts: BTreeMap::new(),
            unnamed: BTreeSet::new(),
            customers: ChangedCustomers::default(),
            content: ContentChanges::default(),
            items: ItemsTotal::default(),
            leaves_out_items: false,
            written: ImportOutcome::default(),
        }
    }

    pub(super) fn batch(&mut self, batch: Batch) -> Result<()> {
        for (kind, document) in batch.into_documents() {
            let effect = Documents(self.db).put(&document)?;
            self.written
                .note(Dirty::Answers, effect != Effect::Unchanged);
            if let Some(kind) = kind {
                self.written.tallies.entry(kind).or_default().count(effect);
            }
        }
        Ok(())
    }

    /// From now on, leaves contracts out of the log if only their items change. An import that
    /// derives all records again by rules that add items would otherwise log every supplier,
    /// although the pages show the same contracts as before.
    pub(super) fn leave_out_items(&mut self) {
        self.leaves_out_items = true;
    }

    pub fn documents(&self) -> Documents<'_> {
        Documents(self.db)
    }

    /// Writes a record. Contracts are collected and written in groups.
    pub(super) fn set(&mut self, record: DerivedRecord) -> Result<()> {
        match record.0 {
            Derived::Contract(contract) => self.put_contract(contract),
            Derived::Purchase(purchase, Some(bytes)) => self.put_purchase(&purchase, &bytes),
            Derived::Purchase(purchase, None) => {
                let number = purchase.number().as_str();
                self.written.refused.push(too_large(number));
                Ok(())
            }
            Derived::Entry(derived) => {
                let entry = derived.entry.as_ref();
                let entry = entry.map(|(supplier, entry)| (supplier, entry));
                self.set_rnp_entry(&derived.number, entry, derived.published)
            }
        }
    }

    /// Stores a contract under exactly the given suppliers, and removes it from all others. The
    /// suppliers' names come from a document published at `published` (milliseconds since 1970).
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn set_contract(
        &mut self,
        contract: &Contract,
        suppliers: &[Supplier],
        published: i64,
    ) -> Result<()> {
        let suppliers = suppliers.to_vec();
        let contract = DerivedContract::new(&self.db.path, contract, suppliers, published)?;
        self.put_contract(contract)
    }

    pub(super) fn put_contract(&mut self, contract: DerivedContract) -> Result<()> {
        let reg_num = &contract.reg_num;
        let mut listed: BTreeMap<i64, i64> = BTreeMap::new();
        for id in Contracts(self.db).ids(reg_num)? {
            listed.insert(supplier_of(id), id);
        }
        let mut named = Vec::with_capacity(contract.suppliers.len());
        for (supplier, _) in &contract.suppliers {
            named.push(self.suppliers.id(&supplier.inn)?);
        }
        for (supplier, id) in &listed {
            if !named.contains(supplier) {
                self.no_longer_named(*supplier, reg_num)?;
                let removed = ContractToWrite {
                    stored: Some(*id),
                    bytes: None,
                };
                self.contracts.insert((*supplier, reg_num.clone()), removed);
            }
        }
        for ((supplier, bytes), id) in contract.suppliers.into_iter().zip(named) {
            self.name(&supplier, contract.published, reg_num)?;
            let written = ContractToWrite {
                stored: listed.get(&id).copied(),
                bytes: Some(bytes),
            };
            self.contracts.insert((id, reg_num.clone()), written);
        }
        if self.contracts.len() >= SET_AT_ONCE {
            self.write_contracts()?;
        }
        Ok(())
    }

    /// Stores the card of a purchase. A card that is too large is refused, and the stored one
    /// stays.
    ///
    /// # Errors
    /// See [`BatchWriter::set_contract`].
    pub fn set_purchase(&mut self, purchase: &Purchase) -> Result<()> {
        let documents = self.documents();
        self.set(DerivedRecord::purchase(documents, purchase.clone())?)
    }

    /// Writes the collected contracts. Returns the suppliers whose stored name may no longer appear
    /// in any document. The caller must find the current name in the supplier's documents
    /// ([`BatchWriter::each_record_of`]) and store it ([`BatchWriter::set_name`]).
    ///
    /// # Errors
    /// See [`BatchWriter::set_contract`].
    pub fn take_unnamed(&mut self) -> Result<BTreeSet<Inn>> {
        self.write_contracts()?;
        Ok(std::mem::take(&mut self.unnamed))
    }

    /// Stores the name that official documents state for a supplier.
    ///
    /// # Errors
    /// See [`BatchWriter::set_contract`].
    pub fn set_name(&mut self, inn: &Inn, name: Option<OfficialName>) -> Result<()> {
        let row = self.suppliers.row(inn)?;
        self.edit_supplier(row, |row| row.official_name = name)
    }

    /// Passes the numbers of a supplier's contracts, then those of the supplier's RNP entries, to
    /// `each`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or the error of `each`.
    pub fn each_record_of(
        &mut self,
        inn: &Inn,
        mut each: impl FnMut(&Self, DocumentSubject, &str) -> Result<()>,
    ) -> Result<()> {
        let supplier = self.suppliers.id(inn)?;
        let mut last = 0;
        loop {
            let contracts = Contracts(self.db).reg_nums(supplier, last, NAMED_AT_ONCE)?;
            let Some((id, _)) = contracts.last() else {
                break;
            };
            last = *id;
            for (_, reg_num) in contracts {
                each(self, DocumentSubject::Contract, &reg_num.to_string())?;
            }
        }
        let numbers = self.entries_of(inn)?;
        for number in numbers {
            each(self, DocumentSubject::RnpEntry, &number)?;
        }
        Ok(())
    }

    /// Records that a document about `number`, published at `published`, states the supplier's
    /// name.
    pub(super) fn name(&mut self, supplier: &Supplier, published: i64, number: &str) -> Result<()> {
        let row = self.suppliers.row(&supplier.inn)?;
        let mut is_taken = true;
        self.edit_supplier(row, |row| {
            is_taken = row.take_name(&supplier.name, published, number);
        })?;
        if !is_taken {
            self.unnamed.insert(supplier.inn.clone());
        }
        Ok(())
    }

    /// Records that a document about `number` no longer states the name of the supplier with this
    /// id.
    pub(super) fn no_longer_named(&mut self, id: i64, number: &str) -> Result<()> {
        let row = self.suppliers.row_of_id(id)?;
        if row.is_named_by(number) {
            self.unnamed.insert(row.inn.clone());
        }
        Ok(())
    }

    pub(super) fn edit_supplier(
        &mut self,
        was: SupplierRow,
        edit: impl FnOnce(&mut SupplierRow),
    ) -> Result<()> {
        let mut row = was.clone();
        edit(&mut row);
        if row == was {
            return Ok(());
        }
        self.written.dirty = Dirty::Answers;
        if row.name() != was.name() {
            self.written.parts.insert((ChangedPart::Name, row.id));
        }
        // A supplier with RNP entries is known both before and after the edit.
        if row.is_known(false) != was.is_known(false) && !self.suppliers.has_entries(&row.inn)? {
            self.written.parts.insert((ChangedPart::Rnp, row.id));
        }
        self.suppliers.update(row);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<ImportOutcome> {
        self.write_contracts()?;
        self.suppliers.write()?;
        self.content.write(self.db)?;
        ItemTable(self.db).change_total(self.items)?;
        ChangeLog::for_import(self.db)?.customers(&mut self.customers)?;
        Ok(self.written)
    }

    fn write_contracts(&mut self) -> Result<()> {
        let mut by_supplier: BTreeMap<i64, Vec<ContractEdit>> = BTreeMap::new();
        let mut changed = HashSet::new();
        for ((supplier, reg_num), contract) in std::mem::take(&mut self.contracts) {
            let stored = contract.stored.map(|id| Contracts(self.db).bytes(id));
            let was = stored.transpose()?;
            let bytes = contract.bytes;
            let is_same = match (&was, &bytes) {
                (Some(was), Some(is)) => was.is_same(is),
                (was, is) => was.is_none() && is.is_none(),
            };
            if is_same {
                continue;
            }
            let record_was = was.as_ref().map(|bytes| &bytes.record);
            let is_on_page = record_was != bytes.as_ref().map(|bytes| &bytes.record);
            by_supplier.entry(supplier).or_default().push(ContractEdit {
                stored: contract.stored,
                contract: bytes,
                is_logged: is_on_page || !self.leaves_out_items,
            });
            changed.insert(reg_num);
        }
        let is_changed = !changed.is_empty();
        self.written.note(Dirty::Answers, is_changed);
        self.written.records += changed.len() as u64;
        self.edit_contracts(by_supplier)
    }

    pub(super) fn edit_contracts(
        &mut self,
        by_supplier: BTreeMap<i64, Vec<ContractEdit>>,
    ) -> Result<()> {
        for (supplier, edits) in by_supplier {
            let row = self.suppliers.row_of_id(supplier)?;
            let mut contracts = row.contracts;
            let mut unlogged = ChangedCustomers::default();
            for edit in &edits {
                let customers = match edit.is_logged {
                    true => &mut self.customers,
                    false => &mut unlogged,
                };
                let owner = (supplier, &row.inn);
                let (items, content) = (&mut self.items, &mut self.content);
                Contracts(self.db).apply(owner, edit, customers, items, content)?;
                contracts += u64::from(edit.contract.is_some());
                contracts -= u64::from(edit.stored.is_some());
            }
            if edits.iter().any(|edit| edit.is_logged) {
                let part = (ChangedPart::Contracts, supplier);
                self.written.parts.insert(part);
                self.written.dirty = Dirty::Answers;
            }
            self.edit_supplier(row, |row| row.contracts = contracts)?;
            if self.content.is_full() {
                self.content.write(self.db)?;
            }
            if self.customers.is_full() {
                ChangeLog::for_import(self.db)?.customers(&mut self.customers)?;
            }
        }
        Ok(())
    }
}
