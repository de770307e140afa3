//! `fetch`: fetches official documents from EIS.

mod documents;
mod folder;
mod options;
mod progress;
mod run;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{ArgGroup, ValueEnum};

use super::output::{SummaryFormat, print_json};
use super::signals::stop_on_signals;
use super::{BoxedError, Outcome};
use crate::fetch::{
    CellSelection, Client, ClientOptions, DocumentsOf, FetchFailure, ProbeLine, probe,
};
use crate::model::Region;
use crate::store::FetchLedger;
use documents::{Part, one_of_each_subsystem, subsystem};
use folder::Folder;
use options::number;
use progress::Progress;

pub use documents::parts;
pub use folder::LEDGER;
pub use options::{CellArgs, ServiceArgs, TOKEN_VARIABLE};
pub use run::{RunSummary, now};

/// Default region of a probe: Moscow, for which documents are published every working day.
const PROBED_REGION: &str = "77";

/// Fetch official documents from EIS, as archives that `import` reads.
///
/// Sends one request for each day, region and document type, the newest day first, and saves the
/// archives under DIR. Saved archives are not requested again: the same command resumes where it
/// left off and retries failures. The token comes from --token-file or the variable
/// PROCUREMENT_LOOKUP_TOKEN, never from the command line; the manual (`procurement-lookup manual
/// fetch`) explains how to get one.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("asked").args(["regions", "number", "probe"]).required(true).multiple(true))]
pub struct Args {
    #[command(flatten)]
    cells: CellArgs,
    #[command(flatten)]
    service: ServiceArgs,
    /// Fetch all documents with this registry number, instead of days and regions
    #[arg(long, requires = "subsystem", value_parser = number, conflicts_with_all = ["dry_run", "probe"])]
    number: Option<String>,
    /// With --number: the subsystem of EIS that the number belongs to, such as RGK, PRIZ or RNP
    #[arg(long, value_name = "NAME", requires = "number", value_parser = subsystem)]
    subsystem: Option<&'static str>,
    /// Print the number of requests left and the time that they take, without sending any
    #[arg(long, conflicts_with = "probe")]
    dry_run: bool,
    /// Probe the service with a few requests and report the result
    #[arg(long)]
    probe: bool,
    /// The format of the summary of a run over days and regions: text, or json for programs
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with_all = ["dry_run", "probe", "number"])]
    format: SummaryFormat,
}

pub fn run(args: &Args) -> Outcome {
    let selection = args.cells.selection();
    if args.dry_run {
        return dry_run(args, &selection);
    }
    let options = args.service.options(stop_on_signals()?, None)?;
    let folder = Folder::open(&args.cells.into, now())?;
    with_coverage_written(&folder, || match (&args.number, args.subsystem) {
        (Some(number), Some(subsystem)) => fetch_number(&folder, number, subsystem, options),
        _ if args.probe => print_probe(&folder, &selection, options),
        _ => {
            let summary = run_and_print(&folder, &selection, options, args.format)?;
            match (&summary.ended, summary.is_complete()) {
                (Some(sentence), _) => Err(sentence.clone().into()),
                (None, true) => Ok(ExitCode::SUCCESS),
                (None, false) => Ok(ExitCode::FAILURE),
            }
        }
    })
}

/// Fetches the cells for `update` and prints the result. `span` is the default time limit.
///
/// # Errors
/// Returns an error if there is no token, if a file cannot be used, or if the folder cannot be read
/// or written.
pub fn fetch(
    cells: &CellArgs,
    service: &ServiceArgs,
    stop: Arc<AtomicBool>,
    span: Duration,
) -> Result<RunSummary, BoxedError> {
    let selection = cells.selection();
    let options = service.options(stop, Some(span))?;
    let folder = Folder::open(&cells.into, now())?;
    with_coverage_written(&folder, || {
        run_and_print(&folder, &selection, options, SummaryFormat::Text)
    })
}

/// Runs `work` and then writes the coverage of the folder, even if `work` failed.
fn with_coverage_written<T>(
    folder: &Folder,
    work: impl FnOnce() -> Result<T, BoxedError>,
) -> Result<T, BoxedError> {
    let outcome = work();
    let written = folder.write_coverage();
    let outcome = outcome?;
    written.map(|()| outcome)
}

fn run_and_print(
    folder: &Folder,
    selection: &CellSelection,
    options: ClientOptions,
    format: SummaryFormat,
) -> Result<RunSummary, BoxedError> {
    let summary = run::run(folder, selection, options)?;
    let mut out = io::stdout().lock();
    match format {
        SummaryFormat::Text => summary.print(&mut out)?,
        SummaryFormat::Json => print_json(&mut out, &summary.for_programs())?,
    }
    Ok(summary)
}

fn dry_run(args: &Args, selection: &CellSelection) -> Outcome {
    let now = now();
    let ledger = FetchLedger::open_existing(&args.cells.into.join(LEDGER), now)?;
    let due = run::count_due(ledger.as_ref(), selection, now)?;
    println!("{}", run::estimate(due, args.service.per_minute));
    Ok(ExitCode::SUCCESS)
}

fn fetch_number(folder: &Folder, number: &str, subsystem: &str, options: ClientOptions) -> Outcome {
    let progress = Progress::new(1);
    let report = |event: crate::fetch::ServiceEvent<'_>| progress.event(event);
    let mut client = Client::new(options, &report);
    let fetched = fetch_all_of_number(&mut client, folder, number, subsystem);
    progress.end();
    match fetched {
        Ok(0) => println!("{subsystem} {number}: the service has no documents of this number"),
        Ok(archives) => println!(
            "{subsystem} {number}: archives: {archives}, in {}",
            folder.numbers_folder().display()
        ),
        Err(FetchFailure::Stopped) => return Err("stopped; run the same command again".into()),
        Err(
            FetchFailure::Ended(what)
            | FetchFailure::Failed(what)
            | FetchFailure::Forbidden(what)
            | FetchFailure::Unreachable(what),
        ) => return Err(format!("{subsystem} {number}: {what}").into()),
    }
    Ok(ExitCode::SUCCESS)
}

fn fetch_all_of_number(
    client: &mut Client<'_>,
    folder: &Folder,
    number: &str,
    subsystem: &str,
) -> Result<usize, FetchFailure> {
    let documents = DocumentsOf::Number { number, subsystem };
    let into = folder.numbers_folder();
    let mut has_retried = false;
    loop {
        let links = client.ask(documents)?;
        let saved = links
            .iter()
            .try_for_each(|link| client.download(link, &into).map(drop));
        match saved {
            Ok(()) => return Ok(links.len()),
            Err(FetchFailure::Forbidden(_)) if !has_retried => has_retried = true,
            Err(failure) => return Err(failure),
        }
    }
}

fn print_probe(folder: &Folder, selection: &CellSelection, options: ClientOptions) -> Outcome {
    let region = selection.regions.first().copied();
    let region = region.or_else(|| Region::from_code(PROBED_REGION));
    let region = region.ok_or("there is no region to probe")?;
    let types = one_of_each_subsystem(Part::value_variants());
    let progress = Progress::new(0);
    let report = |event: crate::fetch::ServiceEvent<'_>| progress.event(event);
    let mut client = Client::new(options, &report);
    let mut all_answered = true;
    let mut show = |line: ProbeLine| {
        all_answered &= line.is_answered;
        let failed = if line.is_answered { "" } else { "failed: " };
        println!("{}: {failed}{}", line.what, line.answer);
    };
    let into = folder.day_folder(selection.to);
    let outcome = probe(&mut client, region, selection.to, &types, &into, &mut show);
    progress.end();
    match outcome {
        Ok(()) if all_answered => Ok(ExitCode::SUCCESS),
        Ok(()) => Ok(ExitCode::FAILURE),
        Err(FetchFailure::Ended(sentence)) => Err(sentence.into()),
        Err(_) => Err("stopped".into()),
    }
}
