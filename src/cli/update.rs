//! `update`: fetches and imports as one job.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::ArgGroup;

use super::fetch::{self, CellArgs, RunSummary, ServiceArgs};
use super::signals::stop_on_signals;
use super::{Outcome, import, refuse_address, upgrade};
use crate::model::timestamp;
use crate::store::UpdateStatus;

/// Default time limit for fetching, without `--for`. The import follows, and the next update
/// fetches the rest.
pub const FETCHES_FOR: Duration = Duration::from_secs(6 * 3600);

/// Fetch the newest documents and import them, as a scheduled job.
///
/// Fetches as `fetch` does, for at most six hours unless --for gives another time. Then imports the
/// archives in DIR, even if some documents could not be fetched; a running server answers the next
/// request from the new data. The exit status is 0 only if everything was fetched and imported. The
/// result is stored in FILE-update, and the server's metrics show it.
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
    refuse_address(&args.database);
    let stop = stop_on_signals()?;
    let (cells, service) = (&args.cells, &args.service);
    let fetched = match upgrade::before_fetch(&cells.into, &stop) {
        Ok(()) => fetch::fetch(cells, service, Arc::clone(&stop), FETCHES_FOR),
        Err(error) => Err(error.into()),
    };
    // Even after an error, archives of earlier runs are imported.
    let imported = match cells.into.is_dir() && !stop.load(Ordering::Relaxed) {
        true => catch_panic(|| {
            import::run_until(
                &import::Args::for_folder(&args.database, &cells.into),
                &stop,
            )
        }),
        false => Ok(ExitCode::FAILURE),
    };
    let (fetched, ended) = match fetched {
        Ok(mut fetched) => {
            let ended = fetched.ended.take();
            (fetched, ended)
        }
        Err(error) => (RunSummary::default(), Some(error.to_string())),
    };
    // First report why fetching ended early, then the error of the import.
    let outcome: Outcome = match (ended, imported) {
        (None, Ok(code)) if fetched.is_complete() => Ok(code),
        (None, Ok(_)) => Ok(ExitCode::FAILURE),
        (None, Err(error)) => Err(error),
        (Some(sentence), Ok(_)) => Err(sentence.into()),
        (Some(sentence), Err(error)) => Err(format!("{sentence}; and {error}").into()),
    };
    let total = fetched.total();
    let status = UpdateStatus {
        finished: fetch::now() / 1000,
        is_failed: !outcome
            .as_ref()
            .is_ok_and(|code| *code == ExitCode::SUCCESS),
        done: total.done,
        empty: total.empty,
        failed: total.failed,
        left: total.left,
    };
    notify_service_manager(&status, &outcome);
    let written = status.write(&args.database);
    let code = outcome?;
    written?;
    Ok(code)
}

/// Runs a part of the update. Turns a panic into an error, so that the status is still written.
fn catch_panic(run: impl FnOnce() -> Outcome) -> Outcome {
    let outcome = catch_unwind(AssertUnwindSafe(run));
    outcome.unwrap_or_else(|_| Err("a bug in this program; please report it".into()))
}

/// Sends the line that `systemctl status` shows.
#[cfg(target_os = "linux")]
fn notify_service_manager(status: &UpdateStatus, outcome: &Outcome) {
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
        log::warn!("cannot notify the service manager: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn notify_service_manager(_status: &UpdateStatus, _outcome: &Outcome) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_the_import_is_an_error_of_the_update() {
        let error = catch_panic(|| panic!("a bug")).expect_err("it failed");
        assert!(error.to_string().contains("a bug in this program"));
    }
}
