//! `generate`: synthetic data.

use std::error::Error;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::value_parser;
use signal_hook::consts::signal::{SIGINT, SIGTERM};
use signal_hook::flag;

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
    readable(&mut beside);
    let stopped = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register(signal, Arc::clone(&stopped)).map_err(named)?;
    }
    let mut file = beside
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .map_err(named)?;
    let until = Until {
        stopped,
        out: file.as_file_mut(),
    };
    let written = write(plan, until).map_err(named)?;
    file.persist(path).map_err(|error| named(error.error))?;
    Ok(written)
}

/// The file is for whom any new file is, not for its owner alone.
#[cfg(unix)]
fn readable(beside: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    beside.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn readable(_: &mut tempfile::Builder<'_, '_>) {}

/// Writes until it is told to stop; so that the file that is not complete is removed.
struct Until<W> {
    stopped: Arc<AtomicBool>,
    out: W,
}

impl<W: Write> Write for Until<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped; nothing is left of it"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
