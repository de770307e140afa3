//! Hits of a search.

use super::Verdict;

/// The kind of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitKind {
    /// A supplier, by its INN or its name.
    Supplier,
    /// A customer, by its INN or its name.
    Customer,
    /// A contract of a supplier, by its registry number.
    Contract,
    /// A purchase under 44-FZ, by its number.
    Purchase44,
    /// A purchase under 223-FZ.
    Purchase223,
    /// A purchase under Government Decree 615.
    Purchase615,
    /// An entry of the registry of unfair suppliers, by its number.
    RnpEntry,
}

impl HitKind {
    /// All codes.
    pub const CODES: &'static [&'static str] = &[
        "supplier",
        "customer",
        "contract",
        "purchase44",
        "purchase223",
        "purchase615",
        "rnpEntry",
    ];

    /// The code in answers.
    pub fn code(self) -> &'static str {
        Self::CODES.get(self as usize).copied().unwrap_or_default()
    }
}

/// A hit of a search. What its kind does not have is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its kind.
    pub kind: HitKind,
    /// The number that identifies it: INN, registry number, number of the purchase or of the
    /// entry.
    pub key: String,
    /// The name of the supplier or the customer, the object of the purchase.
    pub name: String,
    /// INN of the supplier.
    pub supplier_inn: String,
    /// The number of contracts of the supplier or the customer.
    pub contracts: Option<u64>,
    /// The verdict on the supplier, of suppliers and entries.
    pub verdict: Option<Verdict>,
    /// The score of the match, from 1 to 100; 100 for a number.
    pub score: u8,
}
