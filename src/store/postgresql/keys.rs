//! API keys in PostgreSQL: the tables, changes, and how a running server follows them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::error::{Error, Result};
use super::super::key_rows::{KeyEvent, KeyHash, KeyRows, StoredKey, limit_columns, limit_of};
use super::super::remote_servers::{KeyFollower, KeyTransaction};
use super::super::server_bounds::{ALL_ATTEMPTS, ATTEMPT, STATEMENT};
use super::address::ServerAddress;
use super::client::{Param, Row, Session, is_missing_table, may_pass_elsewhere};
use super::cluster::Cluster;
use crate::model::{Date, Rate};

const FORMAT: i32 = 1;

/// The advisory lock held during a change. Nothing else in the database uses this number.
const LOCK: i64 = 0x6b65_7973_2d70_6c31;

/// How long a change waits for another one.
const PATIENCE: Duration = Duration::from_secs(8);

/// SQLSTATE if a lock was not free in time.
const NO_LOCK: &str = "55P03";

/// A transaction on the keys. Dropping it rolls it back.
pub struct KeyTables(Session);

impl KeyTables {
    /// Starts a transaction once no other is in progress. With `creates`, creates the tables if
    /// they are missing.
    ///
    /// # Errors
    /// Returns an error if the primary is unreachable or refuses, if another transaction takes too
    /// long, if the tables are in another format, or if they are missing and `creates` is not set.
    pub fn begin(address: &ServerAddress, creates: bool) -> Result<Self> {
        let mut session = address.primary()?;
        let begin = format!(
            "BEGIN; SET LOCAL lock_timeout = {}; SELECT pg_advisory_xact_lock({LOCK})",
            PATIENCE.as_millis()
        );
        session
            .batch(&begin, STATEMENT)
            .map_err(|error| match error.sqlstate() {
                Some(NO_LOCK) => session.refused(
                    "another process is changing the keys; run this again when it has ended",
                ),
                _ => error,
            })?;
        match (has_tables(&mut session, STATEMENT)?, creates) {
            (true, _) => {
                let sql = "SELECT format FROM procurement_lookup_keys.state";
                let format = session.value(sql, &[], STATEMENT)?;
                check_format(&session, format.unwrap_or_default())?;
            }
            (false, true) => session.batch(include_str!("keys.sql"), STATEMENT)?,
            (false, false) => {
                let what = "there are no keys; `procurement-lookup keys issue` makes the first";
                return Err(session.refused(what));
            }
        }
        Ok(Self(session))
    }
}

/// Returns all keys ever issued, in the order of issue. Empty if the tables do not exist.
///
/// # Errors
/// Returns an error if no server is reachable, or the server refuses.
pub fn list(address: &ServerAddress) -> Result<Vec<StoredKey>> {
    all(&mut to_list(address)?)
}

fn all(session: &mut Session) -> Result<Vec<StoredKey>> {
    let (_, keys) = read(session, UNREAD, STATEMENT)?;
    Ok(keys.unwrap_or_default())
}

/// Connects to the primary, because a standby may be behind. If the primary is unreachable,
/// connects to a standby.
fn to_list(address: &ServerAddress) -> Result<Session> {
    match address.primary() {
        Ok(session) => Ok(session),
        Err(_) => Cluster::new(address.clone()).session(Instant::now() + ALL_ATTEMPTS),
    }
}

/// Returns the rows of a statement. Empty if the tables do not exist.
fn rows_to_list(session: &mut Session, sql: &str) -> Result<Vec<Row>> {
    match session.rows(sql, &[], STATEMENT) {
        Err(error) if is_missing_table(&error) => Ok(Vec::new()),
        rows => rows,
    }
}

/// Returns the log of changes to keys, oldest first.
///
/// # Errors
/// Returns an error if no server is reachable, or the server refuses.
pub fn events(address: &ServerAddress) -> Result<Vec<KeyEvent>> {
    let mut session = to_list(address)?;
    let sql = "SELECT at, action, name, details FROM procurement_lookup_keys.event ORDER BY id";
    let rows = rows_to_list(&mut session, sql)?;
    let event = |row: &Row| {
        Ok(KeyEvent {
            at: session.get(row, 0)?,
            action: session.get(row, 1)?,
            name: session.get(row, 2)?,
            details: session.get(row, 3)?,
        })
    };
    rows.iter().map(event).collect()
}

/// Returns the day on which each key was last used.
///
/// # Errors
/// Returns an error if no server is reachable, or the server refuses.
pub fn days_of_use(address: &ServerAddress) -> Result<HashMap<KeyHash, Date>> {
    let mut session = to_list(address)?;
    let rows = rows_to_list(
        &mut session,
        "SELECT hash, day FROM procurement_lookup_keys.used",
    )?;
    let first = Date::new(1970, 1, 1);
    let day = |row: &Row| {
        let (hash, day): (&[u8], i32) = (session.get(row, 0)?, session.get(row, 1)?);
        let day = first.zip(u64::try_from(day).ok());
        let day = day.map(|(first, days)| first.plus_days(days));
        Ok(hash.try_into().ok().zip(day))
    };
    rows.iter().filter_map(|row| day(row).transpose()).collect()
}

/// Records days of last use. A later day that is already recorded is kept.
///
/// # Errors
/// Returns an error if the primary is unreachable or refuses.
pub fn note_use(address: &ServerAddress, used: &HashMap<KeyHash, Date>) -> Result<()> {
    let mut session = address.primary()?;
    let sql = "INSERT INTO procurement_lookup_keys.used AS u (hash, day) VALUES ($1, $2) \
               ON CONFLICT (hash) DO UPDATE SET day = greatest(u.day, excluded.day)";
    for (hash, day) in used {
        let hash = hash.as_slice();
        let day = i32::try_from(day.days_since_1970()).unwrap_or_default();
        session.rows(sql, &[&hash, &day], STATEMENT)?;
    }
    Ok(())
}

impl KeyTransaction for KeyTables {
    fn commit(self: Box<Self>) -> Result<()> {
        let mut session = self.0;
        let sql = "UPDATE procurement_lookup_keys.state SET change = change + 1";
        session.batch(sql, STATEMENT)?;
        session.batch("COMMIT", STATEMENT).map_err(|error| match error.is_unreachable() {
            true => session.refused(
                "it was lost, and whether the change was made is not known, so look with `procurement-lookup keys list`",
            ),
            false => error,
        })
    }
}

impl KeyRows for KeyTables {
    fn all(&mut self) -> Result<Vec<StoredKey>> {
        all(&mut self.0)
    }

    fn insert(&mut self, key: &StoredKey) -> Result<()> {
        let sql = "INSERT INTO procurement_lookup_keys.key \
                   (hash, name, issued, lasts, ends, rate, burst) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let [rate, burst] = limit_columns(key.limit);
        let (hash, name) = (key.hash.as_slice(), &key.name);
        let (lasts, ends) = (key.lasts, key.ends);
        let row: [Param<'_>; 7] = [&hash, name, &key.issued, &lasts, &ends, &rate, &burst];
        self.0.rows(sql, &row, STATEMENT).map(drop)
    }

    fn update(&mut self, key: &StoredKey) -> Result<()> {
        let sql = "UPDATE procurement_lookup_keys.key \
                   SET ends = $2, revoked = $3 WHERE hash = $1";
        let hash = key.hash.as_slice();
        let row: [Param<'_>; 3] = [&hash, &key.ends, &key.revoked];
        self.0.rows(sql, &row, STATEMENT).map(drop)
    }

    fn set_limit(&mut self, hash: &KeyHash, limit: Option<Rate>) -> Result<()> {
        let sql = "UPDATE procurement_lookup_keys.key SET rate = $2, burst = $3 WHERE hash = $1";
        let [rate, burst] = limit_columns(Ok(limit));
        let hash = hash.as_slice();
        let row: [Param<'_>; 3] = [&hash, &rate, &burst];
        self.0.rows(sql, &row, STATEMENT).map(drop)
    }

    fn log(&mut self, event: &KeyEvent) -> Result<()> {
        let sql = "INSERT INTO procurement_lookup_keys.event (at, action, name, details) \
                   VALUES ($1, $2, $3, $4)";
        let row: [Param<'_>; 4] = [&event.at, &event.action, &event.name, &event.details];
        self.0.rows(sql, &row, STATEMENT).map(drop)
    }
}

/// How long to read from a standby before looking for the primary again.
const PRIMARY_AGAIN: Duration = Duration::from_secs(5);

/// The keys of a running server, which polls them. It reads from the primary, because a standby
/// that has stopped replicating would keep revoked keys valid forever. Only while the primary is
/// unreachable does it read from a standby.
pub struct FollowedKeys {
    cluster: Arc<Cluster>,
    session: Option<Session>,
    follows: bool,
    version: i64,
}

/// Version before the first read. No table has this version.
const UNREAD: i64 = -1;

/// Version if the tables do not exist.
const NO_TABLES: i64 = 0;

impl FollowedKeys {
    pub fn new(address: &ServerAddress) -> Self {
        Self {
            cluster: Cluster::new(address.clone()),
            session: None,
            follows: false,
            version: UNREAD,
        }
    }
}

impl KeyFollower for FollowedKeys {
    /// Returns all keys if they have changed since the last read. Takes at most three seconds.
    ///
    /// Never accepts a state from a standby that is older than the one read last. From the primary,
    /// accepts an older state only if no newer one was seen for a minute ([`Cluster::note`]): then
    /// the server with the newest changes was lost, this primary has replaced it, and new changes
    /// are made here.
    ///
    /// # Errors
    /// Returns an error if no server is reachable, or the server refuses.
    fn changed(&mut self) -> Result<Option<Vec<StoredKey>>> {
        let deadline = Instant::now() + ALL_ATTEMPTS;
        loop {
            let is_due = |one: &Session| self.follows && one.since().elapsed() >= PRIMARY_AGAIN;
            let mut session = match self.session.take().filter(|one| !is_due(one)) {
                Some(session) => session,
                None => {
                    let (session, follows) = self.cluster.primary_or_standby(deadline)?;
                    self.follows = follows;
                    session
                }
            };
            let unreachable =
                |error: &Error| Error::unreachable(self.cluster.address(), error.without_address());
            let newest = self.cluster.newest();
            match read(&mut session, self.version, ATTEMPT) {
                Ok((version, keys)) => {
                    let is_older = self.follows && version < self.version;
                    if is_older || !self.cluster.note(&session, version, newest) {
                        let behind = session.refused("it is behind what was read before");
                        self.session = Some(session).filter(|_| !is_older);
                        return Err(unreachable(&behind));
                    }
                    self.session = Some(session);
                    self.version = version;
                    return Ok(keys);
                }
                Err(error) if error.is_unreachable() => {
                    self.cluster.failed(&session);
                    if Instant::now() >= deadline {
                        return Err(error);
                    }
                }
                Err(error) if may_pass_elsewhere(&error) => return Err(unreachable(&error)),
                Err(refused) => return Err(refused),
            }
        }
    }
}

/// Returns the version of the keys, and the keys themselves unless the version equals `known`.
fn read(
    session: &mut Session,
    known: i64,
    within: Duration,
) -> Result<(i64, Option<Vec<StoredKey>>)> {
    let without_keys = || (NO_TABLES, (known != NO_TABLES).then(Vec::new));
    // If the tables do not exist, a statement that uses them would write an error to the server's
    // log on every read.
    if known <= NO_TABLES && !has_tables(session, within)? {
        return Ok(without_keys());
    }
    // If the version equals `known`, the result is a single row that has no key.
    let sql = "SELECT s.format, s.change, k.hash, k.name, k.issued, k.ends, k.revoked, k.lasts, \
               k.rate, k.burst \
               FROM procurement_lookup_keys.state AS s \
               LEFT JOIN procurement_lookup_keys.key AS k ON s.change <> $1 ORDER BY k.id";
    let rows = match session.rows(sql, &[&known], within) {
        Err(error) if is_missing_table(&error) => Vec::new(),
        rows => rows?,
    };
    let Some(first) = rows.first() else {
        return Ok(without_keys());
    };
    check_format(session, session.get(first, 0)?)?;
    let version = session.get(first, 1)?;
    let keys = rows
        .iter()
        .filter_map(|row| stored(session, row).transpose());
    let keys = keys.collect::<Result<Vec<StoredKey>>>()?;
    Ok((version, (version != known).then_some(keys)))
}

fn has_tables(session: &mut Session, within: Duration) -> Result<bool> {
    let sql = "SELECT to_regclass('procurement_lookup_keys.state') IS NOT NULL";
    Ok(session.value(sql, &[], within)? == Some(true))
}

fn stored(session: &Session, row: &Row) -> Result<Option<StoredKey>> {
    let Some(hash) = session.get::<Option<&[u8]>>(row, 2)? else {
        return Ok(None);
    };
    let damaged = |_| session.refused("a key's hash is not one");
    Ok(Some(StoredKey {
        hash: hash.try_into().map_err(damaged)?,
        name: session.get(row, 3)?,
        issued: session.get(row, 4)?,
        ends: session.get(row, 5)?,
        revoked: session.get(row, 6)?,
        lasts: session.get(row, 7)?,
        limit: limit_of(session.get(row, 8)?, session.get(row, 9)?),
    }))
}

fn check_format(session: &Session, found: i32) -> Result<()> {
    match found == FORMAT {
        true => Ok(()),
        false => Err(session.refused(format!(
            "the format of the keys is {found}, this release's is {FORMAT}; another release made them, so use that one"
        ))),
    }
}
