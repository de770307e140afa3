//! Lines as the writer takes them: each with its record in the form in which the file
//! keeps it, so that packing is done by the threads that parse.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::contract_rows::Place;
use super::super::error::Result;
use super::super::record;
use crate::model::{Contract, Date, Inn, Purchase, Regime, RnpEntry, Supplier};

/// What messages call what a record that cannot be kept was in.
const SOURCE: &str = "a line";

/// A line, ready to be kept.
#[derive(Debug)]
pub struct PackedLine(pub(in crate::store) Packed);

#[derive(Debug)]
pub(in crate::store) enum Packed {
    Contract(Supplier, PackedContract),
    Purchase(Regime, String, Vec<u8>),
    RnpEntry(Supplier, String, EntryLine),
    Supplier(Supplier),
    /// The registry of a law is complete as of a day.
    Registry(Regime, Date),
}

#[derive(Debug)]
pub(in crate::store) struct PackedContract {
    pub place: Place,
    pub digest: i64,
    pub record: Vec<u8>,
}

/// An RNP entry, and whom it is about.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::store) struct EntryLine {
    pub inn: Inn,
    pub federal_law: String,
    pub record: Vec<u8>,
}

impl PackedLine {
    /// A supplier's contract.
    pub fn contract(supplier: Supplier, contract: &Contract) -> Self {
        let record = record::encode_contract(contract);
        let contract = PackedContract {
            place: Place::of(contract),
            digest: record::digest(&record),
            record,
        };
        Self(Packed::Contract(supplier, contract))
    }

    /// A purchase.
    ///
    /// # Errors
    /// It cannot be kept.
    pub fn purchase(purchase: &Purchase) -> Result<Self> {
        let number = purchase.number();
        let record = record::encode_purchase(Path::new(SOURCE), purchase)?;
        let packed = Packed::Purchase(number.regime(), number.to_string(), record);
        Ok(Self(packed))
    }

    /// An RNP entry about a supplier.
    ///
    /// # Errors
    /// It cannot be kept.
    pub fn rnp_entry(supplier: Supplier, entry: &RnpEntry) -> Result<Self> {
        let line = EntryLine {
            inn: supplier.inn.clone(),
            federal_law: entry.federal_law.clone(),
            record: record::encode_entry(Path::new(SOURCE), &supplier.inn, entry)?,
        };
        let number = entry.registration_number.clone();
        Ok(Self(Packed::RnpEntry(supplier, number, line)))
    }

    /// A supplier itself.
    pub fn supplier(supplier: Supplier) -> Self {
        Self(Packed::Supplier(supplier))
    }

    /// That the registry of unfair suppliers of a law is complete as of a day.
    pub fn registry(law: Regime, complete_as_of: Date) -> Self {
        Self(Packed::Registry(law, complete_as_of))
    }

    /// What it is counted as.
    pub fn kind(&self) -> &'static str {
        match &self.0 {
            Packed::Contract(..) => CONTRACT_KIND,
            Packed::Purchase(regime, ..) => purchase_kind(*regime),
            Packed::RnpEntry(..) => ENTRY_KIND,
            Packed::Supplier(_) => SUPPLIER_KIND,
            Packed::Registry(..) => REGISTRY_KIND,
        }
    }

    /// About how many bytes of memory it takes.
    pub fn weight(&self) -> usize {
        const OVERHEAD: usize = 400;
        let bytes = match &self.0 {
            Packed::Contract(_, contract) => contract.record.capacity(),
            Packed::Purchase(_, _, record) => record.capacity(),
            Packed::RnpEntry(_, _, entry) => entry.record.capacity(),
            Packed::Supplier(_) | Packed::Registry(..) => 0,
        };
        bytes + OVERHEAD
    }
}

/// What contracts' lines are counted as.
pub(in crate::store) const CONTRACT_KIND: &str = "contract (JSON line)";
/// What those of RNP entries are.
pub(super) const ENTRY_KIND: &str = "rnpEntry (JSON line)";
/// What those of suppliers are.
pub(super) const SUPPLIER_KIND: &str = "supplier (JSON line)";
/// What those of registries are.
pub(in crate::store) const REGISTRY_KIND: &str = "registry (JSON line)";

/// What those of purchases are.
pub(super) fn purchase_kind(regime: Regime) -> &'static str {
    match regime {
        Regime::Fz44 => "purchase44 (JSON line)",
        Regime::Fz223 => "purchase223 (JSON line)",
        Regime::Pp615 => "purchase615 (JSON line)",
    }
}
