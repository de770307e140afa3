//! Synthetic JSON Lines like real data: the same bytes for the same plan, on every machine.
//!
//! A line follows from the seed and its own index (`chance.rs`); suppliers and customers
//! are computed again wherever they are named (`parties.rs`). So memory does not grow with
//! the contracts: 9 bytes per supplier, 16 per customer (one for 200 contracts), 8 per invented
//! word.
//!
//! The vocabulary is the folder `words`, compiled in (`words.rs`). The demonstration data of
//! `procurement-lookup` is made here, too ([`demonstration`]).
//!
//! Nothing here is of that program: its tests compare one with the other.
//!
//! The lines are in the order in which a registry would have first published them.

mod calendar;
mod chance;
mod contract;
mod deal;
mod goods;
mod json_line;
mod lexicon;
mod lot44;
mod notice;
mod numbers;
mod parties;
mod plan;
mod purchase223;
mod purchase44;
mod purchase615;
mod registry;
mod sizes;
mod words;
mod world;

use std::io::{self, Write};

pub use lexicon::MAX_WORDS;
pub use plan::{Generated, MAX_CONTRACTS, MAX_PURCHASES, MAX_SUPPLIERS, Plan};

/// The special cases of the demonstration data: lines written by hand.
pub const CASES: &str = include_str!("../cases.jsonl");

/// The lines of the demonstration data: synthetic ones, then the special cases, which replace
/// a line about the same thing. The largest supplier of the first seed is 9602000445, which the
/// manual, the page's examples and the tests look up: it has two contracts in the cases too,
/// and 224 in all. Searches by content find most in the second part.
pub fn demonstration() -> String {
    let numbers = Plan {
        suppliers: 6,
        contracts: 544,
        purchases: 14,
        seed: 7_172_923_149,
        market: 0,
        words: 0,
    };
    let texts = Plan {
        suppliers: 12,
        contracts: 480,
        purchases: 70,
        seed: 58,
        market: 100,
        words: 0,
    };
    let mut lines = Vec::new();
    for plan in [numbers, texts] {
        // Memory takes all, and lines are UTF-8.
        let _ = generate(plan, &mut lines);
    }
    String::from_utf8_lossy(&lines).into_owned() + CASES
}

/// Writes the data of `plan`; numbers beyond a bound are reduced to it.
///
/// # Errors
/// Those of `out`.
pub fn generate(plan: Plan, out: &mut impl Write) -> io::Result<Generated> {
    let plan = Plan {
        suppliers: plan.suppliers.clamp(1, MAX_SUPPLIERS),
        contracts: plan.contracts.min(MAX_CONTRACTS),
        purchases: plan.purchases.min(MAX_PURCHASES),
        market: plan.market.min(100),
        ..plan
    };
    let mut world = world::World::new(plan, out);
    for _ in 0..plan.contracts {
        world.contract()?;
    }
    world.rest()
}
