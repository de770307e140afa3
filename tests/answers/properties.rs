//! Configuration of property tests that import files.

use proptest::prelude::ProptestConfig;

/// Runs a test on this many random inputs, or on `PROPTEST_CASES` if that is set, as it is by
/// `scripts/check --all`. Inputs of failed runs are printed, but not stored.
pub fn few_cases(cases: u32) -> ProptestConfig {
    let config = ProptestConfig {
        max_shrink_iters: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => config,
        None => ProptestConfig { cases, ..config },
    }
}
