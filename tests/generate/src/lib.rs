//! Generates realistic synthetic JSON Lines. The same plan produces the same bytes on every
//! machine.
//!
//! The random numbers for a line depend only on the seed and the line's index (`rng.rs`). Suppliers
//! and customers are computed anew wherever they are mentioned (`parties.rs`). Memory use is
//! therefore 9 bytes per supplier, 16 bytes per customer (there is one for every 200 contracts) and
//! 8 bytes per invented word, and does not otherwise depend on the number of contracts.
//!
//! The vocabulary is in the folder `words` and is compiled in (`words.rs`). This crate also
//! generates the demonstration data of `procurement-lookup` ([`demonstration`]).
//!
//! The crate shares no code with `procurement-lookup`, because tests compare the two.
//!
//! Lines are in the order in which a registry would have first published them.

mod calendar;
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
mod rng;
mod sizes;
mod words;
mod world;

use std::io::{self, Write};

pub use lexicon::MAX_WORDS;
pub use plan::{Generated, MAX_CONTRACTS, MAX_PURCHASES, MAX_SUPPLIERS, Plan};

/// Special cases in the demonstration data: lines written by hand.
pub const CASES: &str = include_str!("../cases.jsonl");

/// Returns the lines of the demonstration data: generated lines, then the special cases, which
/// replace earlier lines about the same contract, purchase or entry. The manual, the page's
/// examples and tests use the largest supplier of the first plan, 9602000445. Including two
/// contracts among the special cases, this supplier has 224. The second plan has most of the texts
/// that content searches find.
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
        // Writing to memory cannot fail.
        let _ = generate(plan, &mut lines);
    }
    String::from_utf8_lossy(&lines).into_owned() + CASES
}

/// Generates the data of a plan. Numbers above a maximum are reduced to it.
///
/// # Errors
/// Returns an error if writing to `out` fails.
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
    world.finish()
}
