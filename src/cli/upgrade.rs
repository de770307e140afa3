//! `upgrade`: brings files of an earlier release to this release's format.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ArgGroup;
use indicatif::{DecimalBytes, ProgressBar, ProgressStyle};

use super::fetch::LEDGER;
use super::progress_bar::{COUNTING, count, count_rebuilt, progress_bar};
use super::signals::stop_on_signals;
use super::{Outcome, key_store, refuse_address};
use crate::store::{
    self, FetchLedger, FileState, KeyStore, OnUpgradeProgress, UpgradeProgress, Upgraded,
};

/// Bring files of an earlier release to this release's format.
///
/// A file that already has this format stays as it is. Otherwise the command works in a copy beside
/// the file, FILE-building, and replaces the file at the end. Until then, a running server of the
/// earlier release answers from the file; afterwards it keeps answering from the data that it has
/// read, until it is restarted. If the command is stopped or killed, the file is unchanged; run the
/// command again.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("files").args(["database", "keys", "into"]).multiple(true).required(true))]
pub struct Args {
    /// The database
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    /// The keys [default: keys.sqlite beside the database, if there is one]
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// The folder of fetched documents, whose ledger is upgraded if there is one
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

pub fn run(args: &Args) -> Outcome {
    let stop = stop_on_signals()?;
    let mut out = io::stdout().lock();
    if let Some(database) = &args.database {
        refuse_address(database);
        let upgraded = upgrade_data(database, &stop)?;
        writeln!(out, "{}", outcome(database, upgraded))?;
    }
    if let Some(into) = &args.into {
        match upgrade_ledger(into, &stop)? {
            Some(upgraded) => writeln!(out, "{}", outcome(&into.join(LEDGER), upgraded))?,
            None => writeln!(
                out,
                "{}: nothing has been fetched into this folder yet",
                into.display()
            )?,
        }
    }
    // The keys come last: after their upgrade, a server of the earlier release no longer notices
    // changes to them.
    if let Some(keys) = keys_of(args) {
        let upgraded = shown(&keys, &stop, |on_progress| {
            store::upgrade_keys(&keys, on_progress)
        })?;
        writeln!(out, "{}", outcome(&keys, upgraded))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the keys file to upgrade: the given one, or else the one beside the database, if it
/// exists.
fn keys_of(args: &Args) -> Option<PathBuf> {
    if args.keys.is_none() && args.database.is_none() {
        return None;
    }
    let keys = match key_store(args.keys.as_deref(), args.database.as_deref()) {
        KeyStore::File(keys) => keys,
        // Keys in PostgreSQL need no upgrade. This is not an error, because the address may come
        // from an environment variable that is meant for the server.
        KeyStore::Server(_) => return None,
    };
    let is_missing = args.keys.is_none() && matches!(FileState::at(&keys), Ok(None));
    (!is_missing).then_some(keys)
}

/// Brings an existing database to this release's format before an import.
///
/// # Errors
/// See [`store::upgrade_data`].
pub fn before_import(database: &Path, stop: &AtomicBool) -> Result<(), store::Error> {
    if store::is_missing_or_empty(database)? {
        return Ok(());
    }
    let upgraded = upgrade_data(database, stop)?;
    tell(database, upgraded);
    Ok(())
}

/// Brings the ledger of a folder to this release's format before documents are fetched into it.
///
/// # Errors
/// See [`FetchLedger::upgrade`].
pub fn before_fetch(into: &Path, stop: &AtomicBool) -> Result<(), store::Error> {
    if let Some(upgraded) = upgrade_ledger(into, stop)? {
        tell(&into.join(LEDGER), upgraded);
    }
    Ok(())
}

/// Says on standard error that a command upgraded the file before doing its own work.
fn tell(path: &Path, upgraded: Upgraded) {
    if let Upgraded::FromTo(..) = upgraded {
        eprintln!("{}", outcome(path, upgraded));
    }
}

fn upgrade_data(database: &Path, stop: &AtomicBool) -> store::Result<Upgraded> {
    shown(database, stop, |on_progress| {
        store::upgrade_data(database, on_progress)
    })
}

/// Returns `None` if nothing has been fetched into the folder yet.
fn upgrade_ledger(into: &Path, stop: &AtomicBool) -> store::Result<Option<Upgraded>> {
    let ledger = into.join(LEDGER);
    shown(&ledger, stop, |on_progress| {
        FetchLedger::upgrade(&ledger, on_progress)
    })
}

fn shown<T>(
    path: &Path,
    stop: &AtomicBool,
    upgrade: impl FnOnce(OnUpgradeProgress<'_>) -> store::Result<T>,
) -> store::Result<T> {
    let bar = progress_bar(ProgressStyle::with_template(COUNTING));
    let upgraded = upgrade(&mut |progress| {
        show(path, progress, &bar);
        !stop.load(Ordering::Relaxed)
    });
    bar.finish_and_clear();
    upgraded
}

fn show(path: &Path, progress: UpgradeProgress, bar: &ProgressBar) {
    match progress {
        UpgradeProgress::Begins {
            from,
            to,
            needed,
            available,
        } => {
            let left = available.map(|left| format!("; {} are free", DecimalBytes(left)));
            let line = format!(
                "{}: upgrading from format {from} to {to}; this needs at most {} of disk space{}",
                path.display(),
                DecimalBytes(needed),
                left.unwrap_or_default()
            );
            bar.suspend(|| eprintln!("{line}"));
        }
        UpgradeProgress::Copying { done, total } => count(bar, "copying, bytes", done, total),
        UpgradeProgress::Step(step) => {
            let what = format!("to format {}, rows", step.to);
            count(bar, what, step.done, step.total);
        }
        UpgradeProgress::Rebuilding(progress) => count_rebuilt(bar, progress),
    }
}

fn outcome(path: &Path, upgraded: Upgraded) -> String {
    let path = path.display();
    match upgraded {
        Upgraded::Already(format) => {
            format!("{path}: nothing to do; the file already has this release's format, {format}")
        }
        Upgraded::FromTo(from, to) => format!("{path}: upgraded from format {from} to {to}"),
    }
}
