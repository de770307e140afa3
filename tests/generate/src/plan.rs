//! The requested and the generated amount of data.

/// The most suppliers: seven digits of their INNs are distinct.
pub const MAX_SUPPLIERS: u64 = 5_000_000;
/// The most contracts: numbers within a customer have six digits.
pub const MAX_CONTRACTS: u64 = 100_000_000;
/// The most purchases: numbers within a customer have six digits, within a fund and year
/// five.
pub const MAX_PURCHASES: u64 = 20_000_000;

/// The requested data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How many suppliers: 1 to [`MAX_SUPPLIERS`]. Those without a contract have a line of
    /// their own.
    pub suppliers: u64,
    /// How many contracts, up to [`MAX_CONTRACTS`].
    pub contracts: u64,
    /// How many purchases, up to [`MAX_PURCHASES`].
    pub purchases: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// How many deals in a hundred are of the trades whose items are named in all grammatical
    /// cases and sold in several units.
    pub market: u64,
    /// How many invented words subjects and names are drawn from, besides the vocabulary: up to
    /// [`MAX_WORDS`](super::MAX_WORDS).
    pub words: u64,
}

/// How much was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// Lines of contracts.
    pub contracts: u64,
    /// Lines of purchases, of all three shapes.
    pub purchases: u64,
    /// Lines of entries of the registry of unfair suppliers.
    pub rnp_entries: u64,
    /// Lines of suppliers without contracts.
    pub suppliers: u64,
    /// Bytes of all of them.
    pub bytes: u64,
}
