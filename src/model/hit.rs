//! Results of searches by name or number.

use super::Verdict;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitKind {
    /// Found by INN or name.
    Supplier,
    /// Found by INN or name.
    Customer,
    /// Found by registry number.
    Contract,
    Purchase44,
    Purchase223,
    Purchase615,
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

/// Fields that do not apply to the kind are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub kind: HitKind,
    /// INN, registry number, or number of the purchase or entry.
    pub key: String,
    /// Name of the supplier or customer, or subject of the purchase.
    pub name: String,
    pub supplier_inn: String,
    /// Set for suppliers and customers.
    pub contracts: Option<u64>,
    /// Set for suppliers and registry entries.
    pub verdict: Option<Verdict>,
    /// How well the name matches, from 1 to 100. A match by number gives 100.
    pub score: u8,
}
