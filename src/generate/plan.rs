//! How much is generated, and how much was.

/// The most suppliers: their numbers have seven digits of their own.
pub const MAX_SUPPLIERS: u64 = 5_000_000;
/// The most contracts: a customer's have six digits.
pub const MAX_CONTRACTS: u64 = 100_000_000;
/// The most purchases: a customer's have six digits, a fund's five in a year.
pub const MAX_PURCHASES: u64 = 20_000_000;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How many suppliers: 1 to [`MAX_SUPPLIERS`]. Those that get no contract have a line
    /// of their own.
    pub suppliers: u64,
    /// How many contracts, up to [`MAX_CONTRACTS`].
    pub contracts: u64,
    /// How many purchases, up to [`MAX_PURCHASES`].
    pub purchases: u64,
    /// What chance begins with.
    pub seed: u64,
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
