//! `fetch`: obtain official documents from EIS.

mod documents;
mod folder;
mod progress;
mod run;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use clap::{ArgGroup, ValueEnum};

use super::signals::stop_on_signals;
use super::{BoxedError, Outcome, today, values, wrong_use};
use crate::fetch::{
    AccessToken, CellSelection, Client, ClientOptions, DocumentsOf, FetchFailure,
    MAX_NUMBER_LENGTH, ProbeLine, Proxy, ServiceAddress, probe, roots_of_pem,
};
use crate::model::{Date, Region};
use crate::store::FetchLedger;
use documents::{Part, one_of_each_subsystem, subsystem, types_of};
use folder::{Folder, LEDGER};
use progress::Progress;

pub use run::{RunSummary, millis};

/// The service of EIS for persons and programs.
const ENDPOINT: &str = "https://int.zakupki.gov.ru/eis-integration/services/getDocsIP";

/// The variable that may have the token.
const TOKEN_VARIABLE: &str = "PROCUREMENT_LOOKUP_TOKEN";

/// The largest file of a token and of certificates, in bytes.
pub const MAX_SMALL_FILE: u64 = 1 << 20;

/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(600);

/// The most days that --last counts.
const MAX_DAYS: u64 = 36_500;

/// The region of a probe that names none: Moscow, which has documents each working day.
const PROBED_REGION: &str = "77";

/// Obtain official documents from EIS, as archives that `import` takes.
///
/// Asks for one day of one region and one type of documents after another, the newest day
/// first, and saves their archives under DIR. What is there is not asked for again: the same
/// command goes on where it was stopped, and asks again for what failed. The token comes from
/// --token-file or the variable PROCUREMENT_LOOKUP_TOKEN, never from the command line; the
/// manual (`procurement-lookup manual fetch`) says how to get one.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("asked").args(["regions", "number", "probe"]).required(true).multiple(true))]
pub struct Args {
    #[command(flatten)]
    cells: CellArgs,
    #[command(flatten)]
    service: ServiceArgs,
    /// Obtain all documents with this registry number, instead of days and regions
    #[arg(long, requires = "subsystem", value_parser = number, conflicts_with_all = ["dry_run", "probe"])]
    number: Option<String>,
    /// With --number: the part of EIS it belongs to, such as RGK, PRIZ or RNP
    #[arg(long, value_name = "NAME", requires = "number", value_parser = subsystem)]
    subsystem: Option<&'static str>,
    /// Say how many requests are left and how long they take, without asking anything
    #[arg(long, conflicts_with = "probe")]
    dry_run: bool,
    /// Find out with a few requests what the service gives
    #[arg(long)]
    probe: bool,
}

/// Which cells are asked for, and where they go.
#[derive(Debug, clap::Args)]
pub struct CellArgs {
    /// The folder for archives; made if it does not exist
    #[arg(long, value_name = "DIR")]
    pub into: PathBuf,
    /// The customers' regions: codes such as 77,50, or all
    #[arg(long, value_name = "CODES", value_parser = regions)]
    regions: Option<Regions>,
    /// The first day [default: two days before the last]
    #[arg(long, value_name = "DATE", value_parser = past_day)]
    from: Option<Date>,
    /// The last day [default: yesterday in Moscow]
    #[arg(long, value_name = "DATE", value_parser = past_day)]
    to: Option<Date>,
    /// How many days up to the last one, instead of --from
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u64).range(1..=MAX_DAYS), conflicts_with = "from")]
    last: Option<u64>,
    /// What to ask for
    #[arg(long, value_delimiter = ',', default_value = "contracts,purchases")]
    what: Vec<Part>,
}

/// How the service is asked.
#[derive(Debug, clap::Args)]
pub struct ServiceArgs {
    /// A file with the token, which other users cannot read
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The address of the service
    #[arg(long, value_name = "URL", default_value = ENDPOINT, value_parser = endpoint)]
    endpoint: String,
    /// Certificates in PEM: only a service whose certificate is signed by one of them is accepted
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// A tunnel to the service, such as http://127.0.0.1:8080, to which all requests go
    #[arg(long, value_name = "URL", value_parser = tunnel)]
    tunnel: Option<String>,
    /// An HTTP proxy, such as http://127.0.0.1:3128; the environment's is not used
    #[arg(long, value_name = "URL", value_parser = proxy)]
    proxy: Option<Proxy>,
    /// Requests a minute at most, downloads included; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = 80)]
    per_minute: u32,
    /// How long to wait before asking again after a failure; each further wait is twice as long
    #[arg(long, value_name = "SPAN", default_value = "6s",
        value_parser = values::duration_in(Duration::ZERO..=MAX_PAUSE))]
    pause: Duration,
}

/// Regions that are asked for.
#[derive(Clone, Debug)]
struct Regions(Vec<&'static Region>);

fn regions(text: &str) -> Result<Regions, String> {
    if text.trim() == "all" {
        return Ok(Regions(Region::all().iter().collect()));
    }
    let mut regions: Vec<&'static Region> = Vec::new();
    for code in text
        .split(',')
        .map(str::trim)
        .filter(|code| !code.is_empty())
    {
        let region = Region::of_code(code).ok_or_else(|| {
            let codes: Vec<&str> = Region::all().iter().map(|region| region.code).collect();
            format!(
                "there is no region {code}: give all, or some of {}",
                codes.join(",")
            )
        })?;
        if !regions.contains(&region) {
            regions.push(region);
        }
    }
    match regions.is_empty() {
        true => Err("give codes of regions, such as 77,50, or all".to_owned()),
        false => Ok(Regions(regions)),
    }
}

fn past_day(text: &str) -> Result<Date, String> {
    let day = Date::parse_iso(text).ok_or("give a date YYYY-MM-DD")?;
    match day <= today() {
        true => Ok(day),
        false => Err("give a day that has come".to_owned()),
    }
}

fn number(text: &str) -> Result<String, String> {
    let is_number = !text.is_empty()
        && text.chars().count() <= MAX_NUMBER_LENGTH
        && !text.chars().any(|c| c.is_control() || c.is_whitespace());
    match is_number {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "give a number of 1 to {MAX_NUMBER_LENGTH} characters"
        )),
    }
}

fn endpoint(text: &str) -> Result<String, String> {
    let address = ServiceAddress::new(text, None);
    address
        .map(|_| text.to_owned())
        .map_err(|error| error.to_string())
}

fn tunnel(text: &str) -> Result<String, String> {
    let address = ServiceAddress::new(ENDPOINT, Some(text));
    address
        .map(|_| text.to_owned())
        .map_err(|error| error.to_string())
}

fn proxy(text: &str) -> Result<Proxy, String> {
    let is_http = text.starts_with("http://") || text.starts_with("https://");
    let proxy = Proxy::new(text).ok().filter(|_| is_http);
    proxy.ok_or_else(|| "give a URL such as http://127.0.0.1:3128".to_owned())
}

impl CellArgs {
    /// The cells that are asked for; wrong use ends the process.
    fn selection(&self) -> CellSelection {
        let to = self.to.unwrap_or_else(|| today().minus_days(1));
        let from = match (self.from, self.last) {
            (Some(from), _) => from,
            (None, last) => to.minus_days(last.unwrap_or(3) - 1),
        };
        if from > to {
            wrong_use(&format!("--from {from} is after the last day, {to}"));
        }
        let regions = self.regions.as_ref();
        CellSelection {
            from,
            to,
            regions: regions.map(|regions| regions.0.clone()).unwrap_or_default(),
            documents: types_of(&self.what),
        }
    }
}

impl ServiceArgs {
    /// How the service is asked. Without a tunnel there has to be a token.
    ///
    /// # Errors
    /// There is none, or a file cannot be used.
    fn options(&self, stop: Arc<AtomicBool>) -> Result<ClientOptions, BoxedError> {
        let token = self.token()?;
        if token.is_none() && self.tunnel.is_none() {
            return Err(format!(
                "there is no token: give a file with --token-file, or the variable \
                 {TOKEN_VARIABLE}; `procurement-lookup manual fetch` says how to get one"
            )
            .into());
        }
        let roots = self.ca_file.as_deref().map(|path| {
            let pem = read_small(path)?;
            roots_of_pem(&pem).map_err(|error| of_file(path, &error))
        });
        Ok(ClientOptions {
            address: ServiceAddress::new(&self.endpoint, self.tunnel.as_deref())?,
            token,
            roots: roots.transpose()?,
            proxy: self.proxy.clone(),
            per_minute: self.per_minute,
            pause: self.pause,
            clock: SystemTime::now,
            stop,
        })
    }

    /// The token, from its file, else from its variable.
    fn token(&self) -> Result<Option<AccessToken>, BoxedError> {
        if let Some(path) = &self.token_file {
            refuse_open_to_others(path)?;
            let text = read_small(path)?;
            let text = String::from_utf8_lossy(&text);
            let token = AccessToken::parse(&text).map_err(|error| of_file(path, &error))?;
            return Ok(Some(token));
        }
        match std::env::var(TOKEN_VARIABLE) {
            Ok(text) if text.trim().is_empty() => Ok(None),
            Ok(text) => AccessToken::parse(&text)
                .map(Some)
                .map_err(|error| format!("{TOKEN_VARIABLE}: {error}").into()),
            Err(std::env::VarError::NotPresent) => Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => {
                Err(format!("{TOKEN_VARIABLE}: it is not a token").into())
            }
        }
    }
}

/// A token is for its owner, and for a group to read at most.
#[cfg(unix)]
fn refuse_open_to_others(path: &Path) -> Result<(), BoxedError> {
    use std::os::unix::fs::PermissionsExt;
    const OTHERS_AND_GROUPS_WRITING: u32 = 0o027;
    let metadata = fs::metadata(path).map_err(|error| of_file(path, &error))?;
    match metadata.permissions().mode() & OTHERS_AND_GROUPS_WRITING {
        0 => Ok(()),
        _ => Err(of_file(
            path,
            &"others may use this file, so that the token in it is no secret; change that \
              with `chmod 600`",
        )),
    }
}

#[cfg(not(unix))]
fn refuse_open_to_others(_path: &Path) -> Result<(), BoxedError> {
    Ok(())
}

fn read_small(path: &Path) -> Result<Vec<u8>, BoxedError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| {
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("this is not a regular file"));
        }
        file.take(MAX_SMALL_FILE + 1).read_to_end(&mut bytes)
    });
    read.map_err(|error| of_file(path, &error))?;
    match bytes.len() as u64 > MAX_SMALL_FILE {
        true => Err(of_file(path, &"it is too large for what it is to be")),
        false => Ok(bytes),
    }
}

fn of_file(path: &Path, what: &dyn std::fmt::Display) -> BoxedError {
    format!("{}: {what}", path.display()).into()
}

pub fn run(args: &Args) -> Outcome {
    let selection = args.cells.selection();
    if args.dry_run {
        return dry_run(args, &selection);
    }
    let options = args.service.options(stop_on_signals()?)?;
    let folder = Folder::open(&args.cells.into, millis(SystemTime::now()))?;
    told(&folder, || match (&args.number, args.subsystem) {
        (Some(number), Some(subsystem)) => number_of(&folder, number, subsystem, options),
        _ if args.probe => probed(&folder, &selection, options),
        _ => {
            let summary = run_and_print(&folder, &selection, options)?;
            match (&summary.ended, summary.is_complete()) {
                (Some(sentence), _) => Err(sentence.clone().into()),
                (None, true) => Ok(ExitCode::SUCCESS),
                (None, false) => Ok(ExitCode::FAILURE),
            }
        }
    })
}

/// Fetches the cells for `update`, and prints what came of it. `into` is made if it is not
/// there.
///
/// # Errors
/// There is no token, a file cannot be used, or the folder fails.
pub fn fetch(
    cells: &CellArgs,
    service: &ServiceArgs,
    stop: Arc<AtomicBool>,
) -> Result<RunSummary, BoxedError> {
    let selection = cells.selection();
    let options = service.options(stop)?;
    let folder = Folder::open(&cells.into, millis(SystemTime::now()))?;
    told(&folder, || run_and_print(&folder, &selection, options))
}

/// Does `work`, and writes what is in the folder after it, also if it failed.
fn told<T>(folder: &Folder, work: impl FnOnce() -> Result<T, BoxedError>) -> Result<T, BoxedError> {
    let outcome = work();
    let written = folder.write_coverage();
    let outcome = outcome?;
    written.map(|()| outcome)
}

fn run_and_print(
    folder: &Folder,
    selection: &CellSelection,
    options: ClientOptions,
) -> Result<RunSummary, BoxedError> {
    let summary = run::run(folder, selection, options, SystemTime::now)?;
    summary.print(&mut io::stdout().lock())?;
    Ok(summary)
}

/// Says what is left.
fn dry_run(args: &Args, selection: &CellSelection) -> Outcome {
    let now = millis(SystemTime::now());
    let ledger = FetchLedger::open_existing(&args.cells.into.join(LEDGER), now)?;
    let due = run::count_due(ledger.as_ref(), selection, now)?;
    println!("{}", run::estimate(due, args.service.per_minute));
    Ok(ExitCode::SUCCESS)
}

/// Obtains the documents of a registry number.
fn number_of(folder: &Folder, number: &str, subsystem: &str, options: ClientOptions) -> Outcome {
    let progress = Progress::new(1);
    let report = |event: crate::fetch::ServiceEvent<'_>| progress.event(event);
    let mut client = Client::new(options, &report);
    let obtained = all_of_number(&mut client, folder, number, subsystem);
    progress.end();
    match obtained {
        Ok(0) => println!("{subsystem} {number}: the service has no documents of this number"),
        Ok(archives) => println!(
            "{subsystem} {number}: archives: {archives}, in {}",
            folder.of_numbers().display()
        ),
        Err(FetchFailure::Stopped) => return Err("stopped; give the same command again".into()),
        Err(
            FetchFailure::Ended(what)
            | FetchFailure::Failed(what)
            | FetchFailure::Forbidden(what)
            | FetchFailure::Unreachable(what),
        ) => return Err(format!("{subsystem} {number}: {what}").into()),
    }
    Ok(ExitCode::SUCCESS)
}

fn all_of_number(
    client: &mut Client<'_>,
    folder: &Folder,
    number: &str,
    subsystem: &str,
) -> Result<usize, FetchFailure> {
    let documents = DocumentsOf::Number { number, subsystem };
    let into = folder.of_numbers();
    let mut is_asked_anew = false;
    loop {
        let links = client.ask(documents)?;
        let saved = links
            .iter()
            .try_for_each(|link| client.download(link, &into).map(drop));
        match saved {
            Ok(()) => return Ok(links.len()),
            Err(FetchFailure::Forbidden(_)) if !is_asked_anew => is_asked_anew = true,
            Err(failure) => return Err(failure),
        }
    }
}

/// Says what the service gives.
fn probed(folder: &Folder, selection: &CellSelection, options: ClientOptions) -> Outcome {
    let region = selection.regions.first().copied();
    let region = region.or_else(|| Region::of_code(PROBED_REGION));
    let region = region.ok_or("there is no region to ask for")?;
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
    let into = folder.of_day(selection.to);
    let outcome = probe(&mut client, region, selection.to, &types, &into, &mut show);
    progress.end();
    match outcome {
        Ok(()) if all_answered => Ok(ExitCode::SUCCESS),
        Ok(()) => Ok(ExitCode::FAILURE),
        Err(FetchFailure::Ended(sentence)) => Err(sentence.into()),
        Err(_) => Err("stopped".into()),
    }
}
