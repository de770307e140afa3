//! The program `generate`: writes synthetic data to standard output.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, value_parser};
use generate::{Generated, MAX_CONTRACTS, MAX_PURCHASES, MAX_SUPPLIERS, MAX_WORDS, Plan, generate};

/// Number of contracts per purchase if `--purchases` is not given.
const CONTRACTS_PER_PURCHASE: u64 = 10;

/// Size of the output buffer, in bytes.
const BUFFER: usize = 1 << 18;

/// Write synthetic data to standard output, as realistic JSON Lines.
///
/// The same options give the same bytes on every machine. All names and numbers are invented.
/// To import the data: generate … | procurement-lookup import --database FILE -
#[derive(Debug, Parser)]
struct Arguments {
    /// Number of suppliers, 1 to 5000000; the largest gets over a tenth of the contracts
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MAX_SUPPLIERS))]
    suppliers: u64,
    /// Number of contracts, 0 to 100000000
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(..=MAX_CONTRACTS))]
    contracts: u64,
    /// Seed of the random numbers
    #[arg(long, value_name = "N")]
    seed: u64,
    /// Percentage of purchases of goods and services that have names in all grammatical cases and
    /// several units
    #[arg(long, value_name = "PERCENT", default_value_t = 40, value_parser = value_parser!(u64).range(..=100))]
    market: u64,
    /// Number of invented words, up to 1000000, that are added to subjects and names; their
    /// frequencies follow Zipf's law
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u64).range(..=MAX_WORDS))]
    words: u64,
    /// Number of purchases, 0 to 20000000 [default: one per ten contracts]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(..=MAX_PURCHASES))]
    purchases: Option<u64>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let plan = Plan {
        suppliers: arguments.suppliers,
        contracts: arguments.contracts,
        purchases: arguments
            .purchases
            .unwrap_or(arguments.contracts / CONTRACTS_PER_PURCHASE),
        seed: arguments.seed,
        market: arguments.market,
        words: arguments.words,
    };
    match write(plan) {
        Ok(written) => {
            eprintln!(
                "{} contracts, {} purchases, {} RNP entries, {} suppliers without contracts, {} bytes",
                written.contracts,
                written.purchases,
                written.rnp_entries,
                written.suppliers,
                written.bytes
            );
            ExitCode::SUCCESS
        }
        // The reader has closed the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: standard output: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(plan: Plan) -> io::Result<Generated> {
    let mut out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
    let written = generate(plan, &mut out)?;
    out.flush()?;
    Ok(written)
}
