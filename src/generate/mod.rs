//! Synthetic JSON Lines like real data: the same bytes for the same plan, on every machine.
//!
//! A line is worked out from the seed and its own index (`chance.rs`), suppliers and
//! customers anew wherever they are named (`who.rs`); so memory does not grow with the
//! contracts: 8 bytes and a bit a supplier, 16 a customer (one for 200 contracts).
//!
//! The lines come in the order in which a registry would have published them first.

mod calendar;
mod chance;
mod contract;
mod deal;
mod json;
mod lot44;
mod numbers;
mod purchase223;
mod purchase44;
mod purchase615;
mod registry;
mod row;
mod sizes;
mod who;
mod words;

use std::io::{self, Write};

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

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
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

/// Writes what `plan` asks for; numbers beyond a bound are taken as the bound.
///
/// # Errors
/// Those of `out`.
pub fn generate(plan: Plan, out: &mut impl Write) -> io::Result<Written> {
    let plan = Plan {
        suppliers: plan.suppliers.clamp(1, MAX_SUPPLIERS),
        contracts: plan.contracts.min(MAX_CONTRACTS),
        purchases: plan.purchases.min(MAX_PURCHASES),
        ..plan
    };
    let mut row = row::Row::new(plan, out);
    for _ in 0..plan.contracts {
        row.contract()?;
    }
    row.rest()
}
