//! Requested and generated amounts of data.

/// Maximum number of suppliers. An INN has seven digits to distinguish the organisations of a
/// region, and other organisations need some of these numbers.
pub const MAX_SUPPLIERS: u64 = 5_000_000;
/// Maximum number of contracts. Contract numbers have six digits per customer.
pub const MAX_CONTRACTS: u64 = 100_000_000;
/// Maximum number of purchases. Purchase numbers have six digits per customer, and five per fund and
/// year.
pub const MAX_PURCHASES: u64 = 20_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Number of suppliers, 1 to [`MAX_SUPPLIERS`]. Suppliers without contracts get separate lines.
    pub suppliers: u64,
    /// Number of contracts, up to [`MAX_CONTRACTS`].
    pub contracts: u64,
    /// Number of purchases, up to [`MAX_PURCHASES`].
    pub purchases: u64,
    pub seed: u64,
    /// Percentage of purchases from trades whose items have names in all grammatical cases and several
    /// units.
    pub market: u64,
    /// Number of invented words that are added to subjects and names, up to
    /// [`MAX_WORDS`](super::MAX_WORDS).
    pub words: u64,
}

/// Amounts that were actually written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    pub contracts: u64,
    /// Number of purchases under all three laws.
    pub purchases: u64,
    /// Number of entries in the registry of unfair suppliers.
    pub rnp_entries: u64,
    /// Number of suppliers without contracts.
    pub suppliers: u64,
    /// Total number of bytes.
    pub bytes: u64,
}
