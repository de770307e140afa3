//! `update`: fetch and import as one job.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::SystemTime;

use clap::ArgGroup;

use super::fetch::{self, CellArgs, RunSummary, ServiceArgs};
use super::signals::stop_on_signals;
use super::{BoxedError, Outcome, import};
use crate::model::timestamp;
use crate::store::UpdateStatus;

/// Fetch the newest documents and import them: for a timer.
///
/// Does what `fetch` does, then imports what is in DIR into the database, also if some of it
/// could not be fetched; a running server answers from the new data from its next request
/// on. The exit status is 0 only if all was fetched and imported. What came of it stands in
/// FILE-update, from which the server's metrics have it.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("asked").arg("regions").required(true))]
pub struct Args {
    /// The database; created if it does not exist
    #[arg(long, value_name = "FILE")]
    database: PathBuf,
    #[command(flatten)]
    cells: CellArgs,
    #[command(flatten)]
    service: ServiceArgs,
}

pub fn run(args: &Args) -> Outcome {
    let outcome = fetch_and_import(args);
    let (status, outcome) = match outcome {
        Ok((summary, imported)) => {
            let is_failed = !summary.is_complete() || !imported;
            (status_of(&summary, is_failed), ended(&summary, is_failed))
        }
        Err(error) => {
            let status = UpdateStatus {
                is_failed: true,
                ..status_of(&RunSummary::default(), true)
            };
            (status, Err(error))
        }
    };
    tell_service_manager(&status, &outcome);
    let written = status.write(&args.database);
    let code = outcome?;
    written?;
    Ok(code)
}

/// Fetches, then imports unless that was stopped. Returns what was fetched, and whether the
/// import had nothing wrong.
fn fetch_and_import(args: &Args) -> Result<(RunSummary, bool), BoxedError> {
    let summary = fetch::fetch(&args.cells, &args.service, stop_on_signals()?)?;
    if summary.is_stopped {
        return Ok((summary, false));
    }
    let code = import::run(&import::Args::of_folder(&args.database, &args.cells.into))?;
    Ok((summary, code == ExitCode::SUCCESS))
}

fn ended(summary: &RunSummary, is_failed: bool) -> Outcome {
    match &summary.ended {
        Some(sentence) => Err(sentence.clone().into()),
        None if is_failed => Ok(ExitCode::FAILURE),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn status_of(summary: &RunSummary, is_failed: bool) -> UpdateStatus {
    let total = summary.total();
    UpdateStatus {
        finished: fetch::millis(SystemTime::now()) / 1000,
        is_failed,
        done: total.done,
        empty: total.empty,
        failed: total.failed,
        left: total.left,
    }
}

/// A line for `systemctl status`.
#[cfg(target_os = "linux")]
fn tell_service_manager(status: &UpdateStatus, outcome: &Outcome) {
    let what = match outcome {
        Err(error) => format!("failed: {error}"),
        Ok(_) => format!(
            "{}: cells done {}, empty {}, failed {}, left {}",
            if status.is_failed {
                "incomplete"
            } else {
                "complete"
            },
            status.done,
            status.empty,
            status.failed,
            status.left
        ),
    };
    let line = format!("{}: {what}", timestamp(status.finished));
    if let Err(error) = sd_notify::notify(&[sd_notify::NotifyState::Status(&line)]) {
        log::warn!("the service manager cannot be notified: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn tell_service_manager(_status: &UpdateStatus, _outcome: &Outcome) {}
