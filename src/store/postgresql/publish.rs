//! `publish`: the data of a file into PostgreSQL, for servers that answer from there.
//!
//! A publication is one transaction, whose last statement says what is published then
//! (`publication.rs`): readers see the one before or this one, and of one that was killed
//! nothing is left. It sends what has changed, if what is published is an earlier state of
//! this very file and the file's log of changes goes back to it (`publish_changes.rs`), else
//! all, to a schema of its own (`publish_all.rs`).

use std::cmp::Ordering;
use std::fmt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::super::data_file::DataFile;
use super::super::error::{Error, Result};
use super::super::query::Source;
use super::super::server_bounds::SERVER_SILENCE;
use super::address::ServerAddress;
use super::client::Session;
use super::copies::Copies;
use super::publication::{PublicationRow, drop_old_schemas, lock, next_number};
use super::publish_all::publish_all;
use super::publish_changes::{SentChanges, publish_changes};
use super::publish_progress::PublishProgress;
use super::publish_progress::silence_for;

/// What is published, and the schemas of its tables.
const CONTROL: &str = include_str!("control.sql");

/// A publication takes its time, whatever bound the server has for the statements of others:
/// each step has one here. Not every version has all of them.
const SETTINGS: &str = "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN (\
                        'statement_timeout', 'lock_timeout', 'transaction_timeout', \
                        'idle_in_transaction_session_timeout')";

/// How long to wait before asking again what became of a publication.
const RETRY: Duration = Duration::from_millis(500);

/// What a publication came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// Nothing: what is published is what the file has, of this revision.
    Nothing(i64),
    /// All was sent: so many rows.
    All(u64),
    /// What has changed since this revision was sent.
    Changes(i64, SentChanges),
}

impl fmt::Display for Published {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing(revision) => write!(
                f,
                "nothing to publish: revision {revision} of this data is published"
            ),
            Self::All(rows) => write!(f, "published in full: {rows} rows"),
            Self::Changes(since, sent) => write!(
                f,
                "published what has changed since revision {since}: {} suppliers; contracts: {} sent, {} removed; {} purchases, {} RNP entries",
                sent.suppliers, sent.contracts, sent.removed, sent.purchases, sent.rnp_entries
            ),
        }
    }
}

/// Publishes the data of the file at `path` to the server of `address` that can be written to.
/// The file is opened once nobody else publishes, so that an older state of it does not follow
/// a newer one. With `in_full` all is sent, whatever is published. `report` is told how many rows were sent, and of how many; all of them while
/// the server finishes.
///
/// # Errors
/// The file cannot be read; no server can be written to, or it refuses; another publication is
/// under way. What was published is published still; where that cannot be found out, the
/// error says so.
pub fn publish(
    path: &Path,
    address: &ServerAddress,
    in_full: bool,
    report: &mut dyn FnMut(u64, u64),
) -> Result<Published> {
    let mut session = address.primary()?;
    let published = publish_in(&mut session, path, address, in_full, report);
    if published.is_ok() {
        // Else it is free when the server has seen that the session has ended, which the next
        // publication may precede.
        let _ = session.batch("SELECT pg_advisory_unlock_all()", SERVER_SILENCE);
    }
    published
}

/// A publication that was sent, and awaits its commit.
struct Sent {
    publication: PublicationRow,
    what: Published,
    /// The number of its transaction.
    transaction: i64,
    /// How long its commit may take: where it waits for a standby, that has all of it to write.
    within: Duration,
}

fn publish_in(
    session: &mut Session,
    path: &Path,
    address: &ServerAddress,
    in_full: bool,
    report: &mut dyn FnMut(u64, u64),
) -> Result<Published> {
    session.batch(SETTINGS, SERVER_SILENCE)?;
    if !lock(session)? {
        let what =
            "another publication is under way there; wait until it has ended, then run this again";
        return Err(session.refused(what));
    }
    let sql = "SELECT current_setting('server_encoding')";
    let encoding: Option<String> = session.value(sql, &[], SERVER_SILENCE)?;
    if encoding.as_deref() != Some("UTF8") {
        let what = "the database has another encoding than UTF8; make one with ENCODING 'UTF8'";
        return Err(session.refused(what));
    }
    let file = &DataFile::open(path)?;
    let last = PublicationRow::current(session)?.filter(|_| !in_full);
    let version = file.version();
    if let Some(last) = last.as_ref().filter(|last| last.version == version) {
        clean_up(session, last);
        return Ok(Published::Nothing(version.revision));
    }
    let sent = send(session, file, last, report)?;
    if let Err(error) = session.batch("COMMIT", sent.within) {
        if !error.is_unreachable() {
            return Err(error);
        }
        find_out(address, &sent, error)?;
        return Ok(sent.what);
    }
    clean_up(session, &sent.publication);
    Ok(sent.what)
}

/// Drops what earlier publications left. What cannot be dropped is the next one's: this one is
/// there.
fn clean_up(session: &mut Session, publication: &PublicationRow) {
    if let Err(error) = drop_old_schemas(session, publication) {
        log::warn!(
            "tables of earlier publications were not dropped ({error}); the next publication drops them"
        );
    }
}

/// Begins a transaction, and writes a publication in it.
fn send(
    session: &mut Session,
    file: &DataFile,
    last: Option<PublicationRow>,
    report: &mut dyn FnMut(u64, u64),
) -> Result<Sent> {
    let number = next_number(session)?;
    session.batch("BEGIN", SERVER_SILENCE)?;
    let version = file.version();
    let base = match last {
        Some(last) if goes_on_from(file, &last)? => Some(last),
        _ => None,
    };
    let counts = file.counts()?;
    let total = match &base {
        Some(base) => file.count_changes(base.version.revision)?.unsigned_abs(),
        None => {
            let records = counts.suppliers + counts.contracts + counts.purchases;
            records + counts.rnp_entries + file.count_documents()?
        }
    };
    let mut copies = Copies {
        session,
        file,
        after: base.as_ref().map(|base| base.version.revision),
        progress: &mut PublishProgress::new(total, report),
    };
    let (data_schema, what, rows) = match base {
        Some(base) => {
            let sent = publish_changes(&mut copies, &base)?;
            let rows = copies.progress.done + sent.contracts + sent.removed;
            let what = Published::Changes(base.version.revision, sent);
            (base.data_schema, what, rows)
        }
        None => {
            copies.session.batch(CONTROL, SERVER_SILENCE)?;
            let publication = PublicationRow {
                number,
                data_schema: PublicationRow::schema(number),
                version,
            };
            publish_all(&mut copies, &publication)?;
            let rows = copies.progress.done;
            (publication.data_schema, Published::All(rows), rows)
        }
    };
    let publication = PublicationRow {
        number,
        data_schema,
        version,
    };
    publication.put(session)?;
    let transaction = session.value("SELECT txid_current()", &[], SERVER_SILENCE)?;
    Ok(Sent {
        publication,
        what,
        transaction: transaction.unwrap_or_default(),
        within: silence_for(rows),
    })
}

/// Is what is published an earlier state of this very file, of which the log has all that has
/// changed since, and is that no more than a quarter of what may change? A changed contract
/// costs the server some eight times a new one: of a quarter of a million changed of a million a
/// delta took 27 s, the whole 14 s.
fn goes_on_from(file: &DataFile, last: &PublicationRow) -> Result<bool> {
    let version = last.version;
    let earlier = file.revision(version.revision.unsigned_abs())?;
    if earlier.is_none_or(|earlier| earlier.identity != version.identity) {
        return Ok(false);
    }
    let changes = file.count_changes(version.revision)?.unsigned_abs();
    let counts = file.counts()?;
    Ok(changes <= (counts.suppliers + counts.purchases) / 4 + FEW_CHANGES)
}

/// So few changes are sent as such, however little data there is.
const FEW_CHANGES: u64 = 1000;

/// Finds out whether the server has committed a publication, whose session was lost then. It
/// is known once the session's lock is free: then its transaction has ended.
///
/// # Errors
/// It has not, or that could not be found out in the time that it may take.
fn find_out(address: &ServerAddress, sent: &Sent, lost: Error) -> Result<()> {
    let until = Instant::now() + sent.within;
    while Instant::now() < until {
        match has_been_published(address, sent) {
            Some(true) => return Ok(()),
            Some(false) => return Err(lost),
            None => thread::sleep(RETRY),
        }
    }
    let lost = lost.without_address();
    Err(Error::of_server(
        address,
        format!(
            "the server was lost while it ended the publication ({lost}), and whether it is published could not be found out; run this again, which sends what is missing"
        ),
    ))
}

/// Has a publication been made? None if that is not known yet.
fn has_been_published(address: &ServerAddress, sent: &Sent) -> Option<bool> {
    let mut session = address.primary().ok()?;
    // Asked before what is published: that is of a time when it had ended.
    let is_over = lock(&mut session).ok()?;
    let current = PublicationRow::current(&mut session).ok()?;
    let number = current.as_ref().map_or(0, |current| current.number);
    match number.cmp(&sent.publication.number) {
        Ordering::Equal => Some(current.as_ref() == Some(&sent.publication)),
        Ordering::Less => is_over.then_some(false),
        // Another one has been made since: after this one, or in its place.
        Ordering::Greater => {
            let sql = format!("SELECT txid_status({})", sent.transaction);
            let status: Option<String> = session.value(&sql, &[], SERVER_SILENCE).ok()?;
            match status.as_deref() {
                Some("committed") => Some(true),
                Some("aborted") => Some(false),
                _ => None,
            }
        }
    }
}
