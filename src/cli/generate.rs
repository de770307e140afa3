//! `generate`: synthetic data.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::value_parser;

use super::Outcome;
use super::output;
use crate::generate::{self, MAX_CONTRACTS, MAX_PURCHASES, MAX_SUPPLIERS, Plan};

/// How many contracts there are to a purchase unless --purchases says otherwise.
const CONTRACTS_A_PURCHASE: u64 = 10;

/// Write synthetic data: JSON Lines like real data, for tests and measurements.
///
/// The same numbers give the same bytes, on every machine. All names and numbers are
/// invented. `import` reads it: procurement-lookup generate … | procurement-lookup
/// import --database FILE -
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many suppliers, 1 to 5000000; the largest has over a tenth of the contracts
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MAX_SUPPLIERS))]
    suppliers: u64,
    /// How many contracts, 0 to 100000000
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(..=MAX_CONTRACTS))]
    contracts: u64,
    /// The seed: the same number gives the same data
    #[arg(long, value_name = "N")]
    seed: u64,
    /// How many purchases, 0 to 20000000 [default: one for every ten contracts]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(..=MAX_PURCHASES))]
    purchases: Option<u64>,
    /// Where to write; - is standard output. The file appears under this name when it is
    /// complete
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

pub fn run(args: &Args) -> Outcome {
    let plan = Plan {
        suppliers: args.suppliers,
        contracts: args.contracts,
        purchases: args
            .purchases
            .unwrap_or(args.contracts / CONTRACTS_A_PURCHASE),
        seed: args.seed,
    };
    let written = output::write_to(&args.out, |mut out| Ok(generate::generate(plan, &mut out)?))?;
    // The reader has closed it.
    let Some(written) = written else {
        return Ok(ExitCode::SUCCESS);
    };
    eprintln!(
        "{} contracts, {} purchases, {} RNP entries, {} suppliers without contracts, {} bytes",
        written.contracts, written.purchases, written.rnp_entries, written.suppliers, written.bytes
    );
    Ok(ExitCode::SUCCESS)
}
