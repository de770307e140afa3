//! Records derived from documents. The deriving threads encode them, and the writer's thread writes
//! them.

use std::path::Path;

use super::documents::Documents;
use super::error::Result;
use super::record::{self, ContractBytes};
use crate::model::{Contract, Purchase, RnpEntry, Supplier};

#[derive(Debug)]
pub struct DerivedRecord(pub(super) Derived);

#[derive(Debug)]
pub(super) enum Derived {
    Contract(DerivedContract),
    /// A card with its encoded record; `None` if the record is too large.
    Purchase(Box<Purchase>, Option<Vec<u8>>),
    Entry(Box<DerivedEntry>),
}

#[derive(Debug)]
pub(super) struct DerivedContract {
    pub reg_num: String,
    pub suppliers: Vec<(Supplier, ContractBytes)>,
    /// When the document that names the suppliers was published (milliseconds since 1970).
    pub published: i64,
}

#[derive(Debug)]
pub(super) struct DerivedEntry {
    pub number: String,
    /// `None` if the documents leave no entry with this number.
    pub entry: Option<(Supplier, RnpEntry)>,
    pub published: i64,
}

impl DerivedRecord {
    /// Creates the record of a contract that is listed under exactly the given suppliers. The
    /// suppliers' names come from a document published at `published` (milliseconds since 1970).
    ///
    /// # Errors
    /// Returns an error if the contract's items cannot be compressed.
    pub fn contract(
        documents: Documents<'_>,
        contract: &Contract,
        suppliers: Vec<Supplier>,
        published: i64,
    ) -> Result<Self> {
        let path = &documents.0.path;
        let contract = DerivedContract::new(path, contract, suppliers, published)?;
        Ok(Self(Derived::Contract(contract)))
    }

    /// Creates the record of a purchase's card. If the card is too large, it is refused when
    /// written, and the stored one stays.
    ///
    /// # Errors
    /// Returns an error if the card cannot be compressed.
    pub fn purchase(documents: Documents<'_>, purchase: Purchase) -> Result<Self> {
        let bytes = record::encode_purchase(&documents.0.path, &purchase)?;
        Ok(Self(Derived::Purchase(Box::new(purchase), bytes)))
    }

    /// Creates the record of an RNP entry with this number, from a document published at
    /// `published`. If `entry` is `None`, writing the record removes the entry.
    pub fn entry(number: String, entry: Option<(Supplier, RnpEntry)>, published: i64) -> Self {
        Self(Derived::Entry(Box::new(DerivedEntry {
            number,
            entry,
            published,
        })))
    }
}

impl DerivedContract {
    pub fn new(
        path: &Path,
        contract: &Contract,
        suppliers: Vec<Supplier>,
        published: i64,
    ) -> Result<Self> {
        let encoded = |supplier: Supplier| {
            let bytes = ContractBytes::new(path, &supplier.inn, contract)?;
            Ok((supplier, bytes))
        };
        Ok(Self {
            reg_num: contract.reg_num.clone(),
            suppliers: suppliers.into_iter().map(encoded).collect::<Result<_>>()?,
            published,
        })
    }
}
