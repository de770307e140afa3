//! `generate`: synthetic data.

use std::error::Error;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::value_parser;

use super::Outcome;
use crate::generate::{self, MAX_CONTRACTS, MAX_PURCHASES, MAX_SUPPLIERS, Plan, Written};

/// How much is written at once, in bytes.
const BUFFER: usize = 1 << 18;

/// How many contracts there are to a purchase where nothing else is said.
const CONTRACTS_A_PURCHASE: u64 = 10;

/// Write synthetic data: JSON Lines like real data, for tests and measurements.
///
/// The same numbers give the same bytes, on every machine. All names and numbers are
/// invented. `import` reads it: procurement-lookup generate … | procurement-lookup
/// import --database FILE -
#[derive(Debug, clap::Args)]
#[command(after_help = super::ENVIRONMENT)]
pub struct Args {
    /// How many suppliers, 1 to 5000000; the largest has over a tenth of the contracts
    #[arg(long, value_name = "N", env = "PROCUREMENT_LOOKUP_SUPPLIERS", hide_env = true, value_parser = value_parser!(u64).range(1..=MAX_SUPPLIERS))]
    suppliers: u64,
    /// How many contracts, 0 to 100000000
    #[arg(long, value_name = "N", env = "PROCUREMENT_LOOKUP_CONTRACTS", hide_env = true, value_parser = value_parser!(u64).range(..=MAX_CONTRACTS))]
    contracts: u64,
    /// What chance begins with: another number gives other data
    #[arg(
        long,
        value_name = "N",
        env = "PROCUREMENT_LOOKUP_SEED",
        hide_env = true
    )]
    seed: u64,
    /// How many purchases, 0 to 20000000 [default: one for every ten contracts]
    #[arg(long, value_name = "N", env = "PROCUREMENT_LOOKUP_PURCHASES", hide_env = true, value_parser = value_parser!(u64).range(..=MAX_PURCHASES))]
    purchases: Option<u64>,
    /// Where to write; - is standard output. A file takes this name when it is complete
    #[arg(
        long,
        value_name = "FILE",
        env = "PROCUREMENT_LOOKUP_OUT",
        hide_env = true,
        default_value = "-"
    )]
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
    let written = if args.out == Path::new("-") {
        match write(plan, io::stdout().lock()) {
            Ok(written) => written,
            // Whoever read it has enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(ExitCode::SUCCESS),
            Err(error) => return Err(format!("standard output: {error}").into()),
        }
    } else {
        into_file(plan, &args.out)?
    };
    eprintln!(
        "{} contracts, {} purchases, {} RNP entries, {} suppliers without contracts, {} bytes",
        written.contracts, written.purchases, written.rnp_entries, written.suppliers, written.bytes
    );
    Ok(ExitCode::SUCCESS)
}

fn write(plan: Plan, out: impl Write) -> io::Result<Written> {
    let mut out = BufWriter::with_capacity(BUFFER, out);
    let written = generate::generate(plan, &mut out)?;
    out.flush()?;
    Ok(written)
}

/// Writes a file beside `path`, which takes its name when it is complete: what was there
/// stays until then, and for good where something goes wrong.
fn into_file(plan: Plan, path: &Path) -> Result<Written, Box<dyn Error>> {
    let named = |error: io::Error| format!("{}: {error}", path.display());
    if path.is_dir() {
        return Err(format!("{}: is a folder; name a file", path.display()).into());
    }
    // A device or a pipe is not replaced by a file.
    if path.exists() && !path.is_file() {
        let file = std::fs::OpenOptions::new().write(true).open(path);
        return Ok(file.and_then(|file| write(plan, file)).map_err(named)?);
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut beside = tempfile::Builder::new();
    beside.prefix(".generate-").suffix(".part");
    let mut file = beside
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .map_err(named)?;
    let written = write(plan, file.as_file_mut()).map_err(named)?;
    file.persist(path).map_err(|error| named(error.error))?;
    Ok(written)
}
