//! Lines as the writer takes them: each with its record in the form in which the file
//! keeps it, so that packing is done by the threads that parse.

use std::path::Path;

use super::super::contract_rows::Place;
use super::super::error::Result;
use super::super::record;
use crate::model::{Contract, Purchase, Regime, RnpEntry, Supplier};

/// What messages call what a record that cannot be kept was in.
const SOURCE: &str = "a line";

/// A line, ready to be kept.
#[derive(Debug)]
pub struct PackedLine(pub(in crate::store) Packed);

#[derive(Debug)]
pub(in crate::store) enum Packed {
    Contract(Supplier, PackedContract),
    Purchase(Regime, String, Vec<u8>),
    RnpEntry(Supplier, PackedEntry),
    Supplier(Supplier),
}

#[derive(Debug)]
pub(in crate::store) struct PackedContract {
    pub place: Place,
    pub digest: i64,
    pub record: Vec<u8>,
}

#[derive(Debug)]
pub(in crate::store) struct PackedEntry {
    pub number: String,
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
        let entry = PackedEntry {
            number: entry.registration_number.clone(),
            federal_law: entry.federal_law.clone(),
            record: record::encode(Path::new(SOURCE), entry)?,
        };
        Ok(Self(Packed::RnpEntry(supplier, entry)))
    }

    /// A supplier itself.
    pub fn supplier(supplier: Supplier) -> Self {
        Self(Packed::Supplier(supplier))
    }

    /// What it is counted as.
    pub fn kind(&self) -> &'static str {
        match &self.0 {
            Packed::Contract(..) => CONTRACT_KIND,
            Packed::Purchase(Regime::Fz44, ..) => "purchase44 (JSON line)",
            Packed::Purchase(Regime::Fz223, ..) => "purchase223 (JSON line)",
            Packed::Purchase(Regime::Pp615, ..) => "purchase615 (JSON line)",
            Packed::RnpEntry(..) => "rnpEntry (JSON line)",
            Packed::Supplier(_) => "supplier (JSON line)",
        }
    }

    /// About how many bytes of memory it takes.
    pub fn weight(&self) -> usize {
        const OVERHEAD: usize = 400;
        let bytes = match &self.0 {
            Packed::Contract(_, contract) => contract.record.capacity(),
            Packed::Purchase(_, _, record) => record.capacity(),
            Packed::RnpEntry(_, entry) => entry.record.capacity(),
            Packed::Supplier(_) => 0,
        };
        bytes + OVERHEAD
    }
}

/// What contracts' lines are counted as.
pub(in crate::store) const CONTRACT_KIND: &str = "contract (JSON line)";
