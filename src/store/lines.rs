//! Lines of JSON, packed by the parsing threads. They are written in the batches of documents
//! (`batch.rs`), behind the documents of the same batch.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::{Error, Result};
use super::record::{self, ContractBytes};
use crate::model::{
    Contract, Coverage, Date, Inn, Purchase, PurchaseNumber, Regime, RnpEntry, Supplier,
};

/// The name in messages for the source of a record that cannot be stored.
const SOURCE: &str = "a line";

/// A line, packed for the store.
#[derive(Debug)]
pub struct PackedLine(pub(super) LineContent);

#[derive(Debug)]
pub(super) enum LineContent {
    /// A supplier's contract, with its registry number.
    Contract(Supplier, String, ContractBytes),
    Purchase(Regime, String, Vec<u8>),
    RnpEntry(Supplier, String, EntryLine),
    Supplier(Supplier),
    /// The registry of a law is complete as of a day.
    Registry(Regime, Date),
    Coverage(Coverage),
}

/// An RNP entry and its supplier.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntryLine {
    pub inn: Inn,
    pub federal_law: String,
    pub record: Vec<u8>,
}

impl PackedLine {
    /// A supplier's contract.
    ///
    /// # Errors
    /// Returns an error if the contract's items cannot be compressed.
    pub fn contract(supplier: Supplier, contract: &Contract) -> Result<Self> {
        let bytes = ContractBytes::new(Path::new(SOURCE), &supplier.inn, contract)?;
        let reg_num = contract.reg_num.clone();
        Ok(Self(LineContent::Contract(supplier, reg_num, bytes)))
    }

    /// A purchase.
    ///
    /// # Errors
    /// Its card is too large.
    pub fn purchase(purchase: &Purchase) -> Result<Self> {
        let number = purchase.number();
        let source = Path::new(SOURCE);
        let record = record::encode_purchase(source, purchase)?;
        let record = record.ok_or_else(|| Error::refused(source, too_large(number.as_str())))?;
        let packed = LineContent::Purchase(number.regime(), number.to_string(), record);
        Ok(Self(packed))
    }

    /// An RNP entry about a supplier.
    ///
    /// # Errors
    /// It cannot be encoded.
    pub fn rnp_entry(supplier: Supplier, entry: &RnpEntry) -> Result<Self> {
        let line = EntryLine {
            inn: supplier.inn.clone(),
            federal_law: entry.federal_law.clone(),
            record: record::encode_entry(Path::new(SOURCE), &supplier.inn, entry)?,
        };
        let number = entry.registration_number.clone();
        Ok(Self(LineContent::RnpEntry(supplier, number, line)))
    }

    /// A supplier itself.
    pub fn supplier(supplier: Supplier) -> Self {
        Self(LineContent::Supplier(supplier))
    }

    /// A declaration that a law's registry of unfair suppliers is complete as of a day.
    pub fn registry(law: Regime, complete_as_of: Date) -> Self {
        Self(LineContent::Registry(law, complete_as_of))
    }

    /// A run of days whose official documents were obtained.
    pub fn coverage(run: Coverage) -> Self {
        Self(LineContent::Coverage(run))
    }

    /// Returns the kind under which it is counted.
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

/// The error of a purchase whose card is larger than [`record::MAX_CARD`].
pub(super) fn too_large(number: &str) -> String {
    let most = record::MAX_CARD >> 20;
    format!("purchase {number}: its card would be larger than {most} MiB")
}

/// The kind of lines about contracts.
pub(super) const CONTRACT_KIND: &str = "contract (JSON line)";
/// The kind of lines about RNP entries.
pub(super) const ENTRY_KIND: &str = "rnpEntry (JSON line)";
/// The kind of lines about suppliers.
pub(super) const SUPPLIER_KIND: &str = "supplier (JSON line)";
/// The kind of lines about registries.
pub(super) const REGISTRY_KIND: &str = "registry (JSON line)";
/// The kind of lines about coverage.
pub(super) const COVERAGE_KIND: &str = "coverage (JSON line)";

/// The kind of lines about purchases of a law.
pub(super) fn purchase_kind(regime: Regime) -> &'static str {
    match regime {
        Regime::Fz44 => "purchase44 (JSON line)",
        Regime::Fz223 => "purchase223 (JSON line)",
        Regime::Pp615 => "purchase615 (JSON line)",
    }
}

/// The subject of lines. Each line replaces the one before it about the same subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum LineSubject {
    /// The name of a supplier, in a line of any kind.
    Name(Inn),
    /// A supplier itself.
    Supplier(Inn),
    /// An RNP entry, by its registration number.
    RnpEntry(String),
    /// A purchase, by its number.
    Purchase(String),
    /// A contract of the supplier with this id, by its registry number.
    Contract(i64, String),
}

impl LineSubject {
    /// Returns the kind under which the lines are counted; none if they are counted as lines about
    /// something else.
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
