//! Synthetic data: the same seed reproduces it, it has the requested size, and it contains every
//! field of the demonstration data. A hash pins everything else.

use generate::{Plan, generate};
use procurement_lookup::api::response::receipt::sha256;
use procurement_lookup::store::check;

use crate::import::folder::Folder;

fn plan(suppliers: u64, contracts: u64, purchases: u64, seed: u64) -> Plan {
    Plan {
        suppliers,
        contracts,
        purchases,
        seed,
        market: 40,
        words: 5_000,
    }
}

fn text(plan: Plan) -> String {
    let mut out = Vec::new();
    generate(plan, &mut out).expect("memory takes all");
    String::from_utf8(out).expect("UTF-8")
}

#[test]
fn the_same_seed_always_gives_the_same_bytes() {
    let hash = sha256(text(plan(300, 2_000, 200, 7)).as_bytes());
    // Changing the generated data invalidates this hash, and all measurements made with that data.
    assert_eq!(
        hash,
        "a1d32b28fd1333965d05e8b91172866593d5df0cbb27bd5eb34a12d2b8f70d71"
    );
}

#[test]
fn every_line_is_imported_and_passes_the_check() {
    let folder = Folder::new();
    folder.take(text(plan(150, 1_000, 150, 23)));
    let contents = check(&folder.database()).expect("a sound database");
    assert_eq!(
        (contents.suppliers, contents.contracts, contents.purchases),
        (150, 1_000, 150)
    );
}
