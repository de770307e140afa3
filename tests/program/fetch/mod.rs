//! `fetch` and `update` over a simulated service of EIS.

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

/// A day that nobody asks for again once it is done.
const DAY: &str = "2025-03-03";

/// One of the cells of [`DAY`] that [`Fetching::run_day`] asks for: the first of [`types`].
const CELL: &str = "2025-03-03/77/RGK/contract";

/// The number of types of documents of `--what contracts`.
fn types() -> usize {
    let parts = procurement_lookup::cli::fetched_parts();
    let contracts = parts.iter().find(|(name, _)| name == "contracts");
    contracts.expect("the part").1
}

/// A service, and a folder whose subfolder `documents` is fetched into.
struct Fetching {
    service: Service,
    folder: TempDir,
}

/// What came of a run.
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

    /// A service with a fault where the pattern matches.
    fn faulty(pattern: &str, fault: Fault, times: Times) -> Self {
        let fetching = Self::start();
        fetching.service.fault(pattern, fault, times);
        fetching
    }

    /// `fetch`, or `update` of `data.sqlite`, into the folder, with the token and without
    /// pauses, at no address.
    fn bare_command(&self, command: &str) -> Command {
        let line = format!("{command} --into documents --pause 100us --per-minute 0");
        let mut command = program(self.folder.path());
        command
            .args(line.split(' '))
            .env("PROCUREMENT_LOOKUP_TOKEN", TOKEN);
        command
    }

    /// `fetch` from the service.
    fn command(&self, options: &str) -> Command {
        let mut command = self.bare_command("fetch");
        command
            .args(["--endpoint", &self.service.endpoint()])
            .args(options.split_whitespace());
        command
    }

    /// The same for the contracts of [`DAY`] in Moscow, a cell for each of [`types`].
    fn day_command(&self) -> Command {
        self.command(OF_DAY)
    }

    fn run(&self, options: &str) -> Outcome {
        Outcome::of(&mut self.command(options))
    }

    fn run_day(&self) -> Outcome {
        self.run(OF_DAY)
    }

    /// Fetches and imports.
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

    /// A file with the certificate of the service's authority, if it does TLS.
    fn ca_file(&self) -> Option<String> {
        let file = self.folder.path().join("authority.pem");
        fs::write(&file, self.service.ca_pem()?).expect("a file");
        Some(file.to_string_lossy().into_owned())
    }

    /// The archives that are there: their paths below `documents` and their bytes.
    fn archives(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.files();
        files.retain(|path, _| is_zip(path));
        files
    }

    /// All files that are there.
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

/// The options for the contracts of [`DAY`] in Moscow.
const OF_DAY: &str = "--regions 77 --from 2025-03-03 --to 2025-03-03 --what contracts";

/// The contracts of yesterday, a day that is fresh.
const YESTERDAY: &str = "--regions 77 --last 1 --what contracts";

/// The invented documents.
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

    /// All was obtained.
    #[track_caller]
    fn succeeds(self) -> Self {
        assert_eq!(self.status, Some(0), "{self:?}");
        self
    }

    /// Something is missing, and standard error says so in these words.
    #[track_caller]
    fn fails(self, words: &str) -> Self {
        assert_eq!(self.status, Some(1), "{words}: {self:?}");
        assert!(self.err.contains(words), "{words}: {}", self.err);
        self
    }
}
