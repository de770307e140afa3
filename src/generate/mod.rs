//! Synthetic JSON Lines like real data: the same bytes for the same plan, on every machine.
//!
//! A line is worked out from the seed and its own index (`chance.rs`), suppliers and
//! customers anew wherever they are named (`parties.rs`); so memory does not grow with the
//! contracts: 9 bytes a supplier, 16 a customer (one for 200 contracts).
//!
//! What things are called stands in `data/words`, and is a part of the program (`words.rs`).
//!
//! The lines come in the order in which a registry would have published them first.

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

/// Writes what `plan` asks for; numbers beyond a bound are taken as the bound.
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
