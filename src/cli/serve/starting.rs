//! The log lines of a start: the data, the number of records and the keys.

use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::Args;
use crate::api::{Api, DataSource};
use crate::cli::{BoxedError, today};
use crate::model::Ground;
use crate::store::{FileState, KeyStore};

/// How often PostgreSQL is asked for the state of the data, in addition to the queries of requests.
const PROBE: Duration = Duration::from_secs(1);

/// Queries the PostgreSQL servers for the state of the data now, and then regularly on a separate
/// thread, so that operators notice new data and outages even while there are no requests.
///
/// # Errors
/// Returns an error if a PostgreSQL server refuses access, or if the thread cannot be started. An
/// outage is not an error: the service answers with a 503 until it is over.
pub fn follow_servers(source: &DataSource, api: &Arc<Api>) -> Result<(), BoxedError> {
    if !matches!(source, DataSource::Server(_)) {
        return Ok(());
    }
    if let Err(error) = api.probe_data()
        && !error.is_outage()
    {
        return Err(error.into());
    }
    let api = Arc::clone(api);
    let follow = move || {
        loop {
            thread::sleep(PROBE);
            // Failures are ignored here, because `/readyz` reports them.
            let _ = api.probe_data();
        }
    };
    thread::Builder::new()
        .name("servers".to_owned())
        .spawn(follow)?;
    Ok(())
}

/// Logs the data, the keys and the receipts. A separate thread counts the records, which may take
/// seconds, and logs the result.
///
/// # Errors
/// Returns an error if the data cannot be read, or if the thread cannot be started.
pub fn log_start(args: &Args, source: &DataSource, api: &Arc<Api>) -> Result<(), BoxedError> {
    log_keys(args, api);
    log_receipts(api);
    let data = match (source, api.data_state()) {
        (DataSource::Server(address), Err(error)) if error.is_outage() => {
            log::warn!(address:%; "no PostgreSQL server is available yet; answering requests once one is");
            return Ok(());
        }
        (_, data) => data?,
    };
    let ground = Ground::new(
        &data.registries,
        &data.unread,
        today(),
        args.verdicts.rules(),
    );
    let (updated, registries) = (data.updated_at(), ground.to_string());
    match source {
        DataSource::File(path) => {
            let (file, bytes) = (path.display(), fs::metadata(path)?.len());
            log::info!(file:%, bytes, updated, registries; "answering from a database");
        }
        DataSource::Server(address) => {
            log::info!(address:%, updated, registries; "answering from PostgreSQL");
        }
        DataSource::Bundled => log::warn!(
            updated, registries;
            "answering from the built-in demonstration data: every record in it is invented, and its key is demo; --database names a file with real data"
        ),
    }
    let api = Arc::clone(api);
    let count = move || match api.count_records() {
        Ok(counts) => log::info!(
            suppliers = counts.suppliers,
            contracts = counts.contracts,
            purchases = counts.purchases,
            rnp_entries = counts.rnp_entries;
            "records counted"
        ),
        Err(error) => log::warn!("the records cannot be counted: {error}"),
    };
    thread::Builder::new()
        .name("count".to_owned())
        .spawn(count)?;
    Ok(())
}

fn log_receipts(api: &Api) {
    match &api.signer {
        Some(signer) => {
            let (server, key) = (signer.server(), signer.public_key().fingerprint());
            log::info!(server, key; "receipts are signed");
        }
        None => log::info!(
            "answers have no receipts because there is no signing key; `procurement-lookup keys signing-key` creates one"
        ),
    }
}

fn log_keys(args: &Args, api: &Api) {
    let (store, keys) = (args.key_store(), api.key_state());
    let is_missing = match &store {
        KeyStore::File(path) => matches!(FileState::at(path), Ok(None)),
        KeyStore::Server(_) => false,
    };
    match keys.valid {
        _ if keys.is_unread => {
            log::warn!(
                "the keys could not be read yet ({store}); requests with a key are answered 503"
            );
        }
        _ if args.database.is_none() && is_missing => {}
        0 if args.database.is_some() => log::warn!(
            "there are no valid keys ({store}); every request is refused; `procurement-lookup keys issue NAME --keys {store}` issues one"
        ),
        valid => log::info!(file:% = store, valid; "keys"),
    }
}
