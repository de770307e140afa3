//! `fetch` and `update` with a simulated EIS service.

mod archives;
mod cells;
mod dry_run;
mod faults;
mod proved;
mod resume;
mod secure;
mod superseded;
mod token;
mod update;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use eis_service::{Config, Contents, Fault, Service, Times};
use tempfile::TempDir;

use super::program;

const TOKEN: &str = "0f6e3c1a-52d7-4b8e-9c40-7a1b2c3d4e5f";

/// A day so old that `fetch` does not request it again once it is done.
const DAY: &str = "2025-03-03";

/// The first of the cells that [`Fetching::run_day`] requests, one per type of documents
/// ([`types`]).
const CELL: &str = "2025-03-03/77/RGK/contract";

/// Returns the number of types of documents in `--what contracts`.
fn types() -> usize {
    let parts = procurement_lookup::cli::fetched_parts();
    let contracts = parts.iter().find(|(name, _)| name == "contracts");
    contracts.expect("the part").1
}

/// A simulated service, and a folder whose subfolder `documents` receives the archives.
struct Fetching {
    service: Service,
    folder: TempDir,
}

#[derive(Debug)]
struct Outcome {
    status: Option<i32>,
    out: String,
    err: String,
}

impl Fetching {
    fn start() -> Self {
        Self::with(Config::default())
    }

    fn with(config: Config) -> Self {
        Self {
            service: Service::start(config).expect("a service"),
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    fn with_contents(contents: Contents) -> Self {
        Self::with(Config {
            contents,
            ..Config::default()
        })
    }

    /// Starts a service that answers requests matching the pattern with a fault.
    fn faulty(pattern: &str, fault: Fault, times: Times) -> Self {
        let fetching = Self::start();
        fetching.service.fault(pattern, fault, times);
        fetching
    }

    /// Returns a `fetch` or `update` command that writes to the folder, with a token and without
    /// pauses, but without an address.
    fn bare_command(&self, command: &str) -> Command {
        let line = format!("{command} --into documents --pause 100us --per-minute 0");
        let mut command = program(self.folder.path());
        command
            .args(line.split(' '))
            .env("PROCUREMENT_LOOKUP_TOKEN", TOKEN);
        command
    }

    /// Returns a `fetch` command for the service.
    fn command(&self, options: &str) -> Command {
        let mut command = self.bare_command("fetch");
        command
            .args(["--endpoint", &self.service.endpoint()])
            .args(options.split_whitespace());
        command
    }

    /// Returns a `fetch` command for the contracts of [`DAY`] in Moscow, with one cell for each of
    /// [`types`].
    fn day_command(&self) -> Command {
        self.command(OF_DAY)
    }

    fn run(&self, options: &str) -> Outcome {
        Outcome::of(&mut self.command(options))
    }

    fn run_day(&self) -> Outcome {
        self.run(OF_DAY)
    }

    fn update(&self, options: &str) -> Outcome {
        let mut command = self.bare_command("update --database data.sqlite");
        command
            .args(["--endpoint", &self.service.endpoint()])
            .args(options.split(' '));
        Outcome::of(&mut command)
    }

    fn coverage(&self) -> String {
        let coverage = self.files().remove("coverage.jsonl").expect("it");
        String::from_utf8(coverage).expect("UTF-8")
    }

    /// Writes the certificate of the service's authority to a file, if the service uses TLS.
    fn ca_file(&self) -> Option<String> {
        let file = self.folder.path().join("authority.pem");
        fs::write(&file, self.service.ca_pem()?).expect("a file");
        Some(file.to_string_lossy().into_owned())
    }

    /// Returns all archives, with paths relative to `documents`.
    fn archives(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.files();
        files.retain(|path, _| is_zip(path));
        files
    }

    /// Returns all files, with paths relative to `documents`.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let root = self.folder.path().join("documents");
        let mut folders = vec![root.clone()];
        let mut files = BTreeMap::new();
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(folder) else {
                continue;
            };
            for entry in entries {
                let path: PathBuf = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let below = path.strip_prefix(&root).expect("below it");
                    let bytes = fs::read(&path).expect("a file");
                    files.insert(below.to_string_lossy().into_owned(), bytes);
                }
            }
        }
        files
    }
}

fn is_zip(path: &str) -> bool {
    path.ends_with(".zip")
}

/// Options for the contracts of [`DAY`] in Moscow.
const OF_DAY: &str = "--regions 77 --from 2025-03-03 --to 2025-03-03 --what contracts";

/// Options for yesterday's contracts. Yesterday is recent enough to be requested again.
const YESTERDAY: &str = "--regions 77 --last 1 --what contracts";

/// The invented documents of the repository.
fn documents() -> Contents {
    let documents = concat!(env!("CARGO_MANIFEST_DIR"), "/data/documents");
    Contents::documents(documents.as_ref()).expect("documents")
}

impl Outcome {
    fn of(command: &mut Command) -> Self {
        Self::new(&command.output().expect("the program runs"))
    }

    fn new(output: &Output) -> Self {
        Self {
            status: output.status.code(),
            out: super::stdout(output),
            err: super::stderr(output),
        }
    }

    /// Checks that the run fetched everything.
    #[track_caller]
    fn succeeds(self) -> Self {
        assert_eq!(self.status, Some(0), "{self:?}");
        self
    }

    /// Checks that something could not be fetched, and that standard error contains these words.
    #[track_caller]
    fn fails(self, words: &str) -> Self {
        assert_eq!(self.status, Some(1), "{words}: {self:?}");
        assert!(self.err.contains(words), "{words}: {}", self.err);
        self
    }
}
