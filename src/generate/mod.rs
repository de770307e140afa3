//! Synthetic JSON Lines like real data: the same bytes for the same plan, on every machine.
//!
//! A line follows from the seed and its own index (`chance.rs`); suppliers and customers
//! are computed again wherever they are named (`parties.rs`). So memory does not grow with
//! the contracts: 9 bytes per supplier, 16 per customer (one for 200 contracts).
//!
//! The vocabulary is in `data/words`, and is compiled into the program (`words.rs`).
//!
//! The lines are in the order in which a registry would have first published them.

mod calendar;
mod chance;
mod contract;
mod deal;
mod json_line;
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

pub use plan::{Generated, MAX_CONTRACTS, MAX_PURCHASES, MAX_SUPPLIERS, Plan};

/// Writes the data of `plan`; numbers beyond a bound are reduced to it.
///
/// # Errors
/// Those of `out`.
pub fn generate(plan: Plan, out: &mut impl Write) -> io::Result<Generated> {
    let plan = Plan {
        suppliers: plan.suppliers.clamp(1, MAX_SUPPLIERS),
        contracts: plan.contracts.min(MAX_CONTRACTS),
        purchases: plan.purchases.min(MAX_PURCHASES),
        ..plan
    };
    let mut world = world::World::new(plan, out);
    for _ in 0..plan.contracts {
        world.contract()?;
    }
    world.rest()
}
