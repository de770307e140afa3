//! Results of a search by name or number.

use super::Verdict;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitKind {
    /// A supplier, found by INN or name.
    Supplier,
    /// A customer, found by INN or name.
    Customer,
    /// A contract, found by registry number.
    Contract,
    /// A purchase under 44-FZ, found by number. The two variants below are found the same way.
    Purchase44,
    Purchase223,
    Purchase615,
    /// An entry of the registry of unfair suppliers, found by number.
    RnpEntry,
}

impl HitKind {
    pub const CODES: &'static [&'static str] = &[
        "supplier",
        "customer",
        "contract",
        "purchase44",
        "purchase223",
        "purchase615",
        "rnpEntry",
    ];

    /// Returns the code on the wire.
    pub fn code(self) -> &'static str {
        Self::CODES.get(self as usize).copied().unwrap_or_default()
    }
}

/// A search result. Fields that do not apply to the kind are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub kind: HitKind,
    /// INN, registry number, or the number of the purchase or entry.
    pub key: String,
    /// Name of the supplier or customer, or subject of the purchase.
    pub name: String,
    pub supplier_inn: String,
    /// Number of contracts, for suppliers and customers.
    pub contracts: Option<u64>,
    /// Verdict on the supplier. Set for suppliers and registry entries.
    pub verdict: Option<Verdict>,
    /// How well the name matches, from 1 to 100; 100 for a match by number.
    pub score: u8,
}
