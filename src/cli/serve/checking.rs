//! `serve --check`: finds faults that would make a start fail.

use std::process::ExitCode;

use super::Args;
use super::stages::{Inherited, Prepared};
use crate::api::DataSource;
use crate::cli::Outcome;
use crate::store;

/// Checks the settings, the database, the keys and the signing key. With `--check-new`, reads the
/// whole database file, because a server with that option would refuse a damaged one. Does not
/// listen, and does not create a missing audit trail, because that file should belong to the
/// server's user.
///
/// # Errors
/// Returns the reason why the server would not start.
pub fn run(args: &Args) -> Outcome {
    let Prepared { source, api, .. } = Prepared::new(args, Inherited::default())?;
    args.operators.check_audit(args.database.as_deref())?;
    let data = match (&source, api.probe_data()) {
        (DataSource::Server(_), Err(error)) if error.is_outage() => {
            log::warn!("the server can start, but answers 503 for now: {error}");
            None
        }
        (_, Err(error)) => return Err(error.into()),
        (_, Ok(_)) => Some(api.answerer()?),
    };
    if let (DataSource::File(path), true) = (&source, args.check_new) {
        store::check(path)?;
    }
    let (keys, is_data_readable) = (api.key_state().valid, data.is_some());
    log::info!(keys, is_data_readable; "checked: the server can start with these settings");
    Ok(ExitCode::SUCCESS)
}
