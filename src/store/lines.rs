//! JSON lines, encoded by the parsing threads. Each batch writes its documents before its lines
//! (`batch.rs`).

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::{Error, Result};
use super::record::{self, ContractBytes};
use crate::model::{
    Contract, Coverage, Date, Inn, Purchase, PurchaseNumber, Regime, RnpEntry, Supplier,
};

/// Stands for the file name in messages about a record that cannot be stored.
const SOURCE: &str = "a line";

/// A line, encoded for storing.
#[derive(Debug)]
pub struct PackedLine(pub(super) LineContent);

#[derive(Debug)]
pub(super) enum LineContent {
    /// A contract of a supplier, with its registry number.
    Contract(Supplier, String, ContractBytes),
    Purchase(Regime, String, Vec<u8>),
    RnpEntry(Supplier, String, EntryLine),
    Supplier(Supplier),
    /// Declares the registry of a law complete as of a day.
    Registry(Regime, Date),
    Coverage(Coverage),
}

/// An encoded RNP entry with the INN of the supplier.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntryLine {
    pub inn: Inn,
    pub federal_law: String,
    pub record: Vec<u8>,
}

impl PackedLine {
    /// Encodes a contract of a supplier.
    ///
    /// # Errors
    /// Returns an error if the contract's items cannot be compressed.
    pub fn contract(supplier: Supplier, contract: &Contract) -> Result<Self> {
        let bytes = ContractBytes::new(Path::new(SOURCE), &supplier.inn, contract)?;
        let reg_num = contract.reg_num.clone();
        Ok(Self(LineContent::Contract(supplier, reg_num, bytes)))
    }

    /// Encodes a purchase.
    ///
    /// # Errors
    /// Returns an error if the card is too large.
    pub fn purchase(purchase: &Purchase) -> Result<Self> {
        let number = purchase.number();
        let source = Path::new(SOURCE);
        let record = record::encode_purchase(source, purchase)?;
        let record = record.ok_or_else(|| Error::refused(source, too_large(number.as_str())))?;
        let packed = LineContent::Purchase(number.regime(), number.to_string(), record);
        Ok(Self(packed))
    }

    /// Encodes an RNP entry about a supplier.
    ///
    /// # Errors
    /// Returns an error if the entry cannot be encoded.
    pub fn rnp_entry(supplier: Supplier, entry: &RnpEntry) -> Result<Self> {
        let line = EntryLine {
            inn: supplier.inn.clone(),
            federal_law: entry.federal_law.clone(),
            record: record::encode_entry(Path::new(SOURCE), &supplier.inn, entry)?,
        };
        let number = entry.registration_number.clone();
        Ok(Self(LineContent::RnpEntry(supplier, number, line)))
    }

    pub fn supplier(supplier: Supplier) -> Self {
        Self(LineContent::Supplier(supplier))
    }

    /// Encodes a declaration that a law's registry of unfair suppliers is complete as of a day.
    pub fn registry(law: Regime, complete_as_of: Date) -> Self {
        Self(LineContent::Registry(law, complete_as_of))
    }

    /// Encodes a run of days whose official documents were fetched.
    pub fn coverage(run: Coverage) -> Self {
        Self(LineContent::Coverage(run))
    }

    /// Returns the kind under which the line is counted.
    pub fn kind(&self) -> &'static str {
        match &self.0 {
            LineContent::Contract(..) => CONTRACT_KIND,
            LineContent::Purchase(regime, ..) => purchase_kind(*regime),
            LineContent::RnpEntry(..) => ENTRY_KIND,
            LineContent::Supplier(_) => SUPPLIER_KIND,
            LineContent::Registry(..) => REGISTRY_KIND,
            LineContent::Coverage(_) => COVERAGE_KIND,
        }
    }
}

/// Returns the reason for refusing a purchase whose card exceeds [`record::MAX_CARD`].
pub(super) fn too_large(number: &str) -> String {
    let most = record::MAX_CARD >> 20;
    format!("purchase {number}: the card would be larger than {most} MiB")
}

/// Kinds under which lines are counted.
pub(super) const CONTRACT_KIND: &str = "contract (JSON line)";
pub(super) const ENTRY_KIND: &str = "rnpEntry (JSON line)";
pub(super) const SUPPLIER_KIND: &str = "supplier (JSON line)";
pub(super) const REGISTRY_KIND: &str = "registry (JSON line)";
pub(super) const COVERAGE_KIND: &str = "coverage (JSON line)";

pub(super) fn purchase_kind(regime: Regime) -> &'static str {
    match regime {
        Regime::Fz44 => "purchase44 (JSON line)",
        Regime::Fz223 => "purchase223 (JSON line)",
        Regime::Pp615 => "purchase615 (JSON line)",
    }
}

/// The subject of a line. A line replaces the previous line about the same subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum LineSubject {
    /// The name of a supplier, which a line of any kind may state.
    Name(Inn),
    Supplier(Inn),
    /// An RNP entry, by registration number.
    RnpEntry(String),
    /// A purchase, by number.
    Purchase(String),
    /// A contract of the supplier with this id, by registry number.
    Contract(i64, String),
}

impl LineSubject {
    /// Returns the kind under which lines about the subject are counted. Returns `None` for names,
    /// because their lines are counted under another subject.
    pub fn kind(&self) -> Option<&'static str> {
        match self {
            Self::Name(_) => None,
            Self::Contract(..) => Some(CONTRACT_KIND),
            Self::Supplier(_) => Some(SUPPLIER_KIND),
            Self::RnpEntry(_) => Some(ENTRY_KIND),
            Self::Purchase(number) => {
                PurchaseNumber::parse(number).map(|number| purchase_kind(number.regime()))
            }
        }
    }
}
