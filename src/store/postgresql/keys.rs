//! Keys in PostgreSQL: their tables, changes of them, and what a running server reads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::error::{Error, Result};
use super::super::key_rows::{KeyRows, StoredKey};
use super::super::server_bounds::{ALL_ATTEMPTS, ATTEMPT, STATEMENT};
use super::address::ServerAddress;
use super::client::{Param, Row, Session, Trouble};
use super::cluster::Cluster;

/// The format of the tables.
const FORMAT: i32 = 1;

/// The advisory lock that a change holds: a number that nothing else in the database takes.
const LOCK: i64 = 0x6b65_7973_2d70_6c31;

/// How long a change waits for another.
const PATIENCE: Duration = Duration::from_secs(8);

/// Error (SQLSTATE): the lock was not to be had in time.
const NO_LOCK: &str = "55P03";

/// The keys in PostgreSQL while they are changed, in one transaction. Dropped, it is as if
/// nothing had been changed.
pub struct KeyTables {
    session: Session,
    address: ServerAddress,
}

impl KeyTables {
    /// Begins a change, when no other is under way. There are no tables before the first key,
    /// which `creates` them.
    ///
    /// # Errors
    /// No server that takes changes can be reached, it refuses, another change takes too long,
    /// or there are no tables.
    pub fn begin(address: &ServerAddress, creates: bool) -> Result<Self> {
        let session = address.primary()?;
        let address = address.clone();
        let mut tables = Self { session, address };
        let begin = format!(
            "BEGIN; SET LOCAL lock_timeout = {}; SELECT pg_advisory_xact_lock({LOCK})",
            PATIENCE.as_millis()
        );
        let locked = tables.session.batch(&begin, STATEMENT);
        locked.map_err(|trouble| match trouble.is(NO_LOCK) {
            true => Error::of_server(
                &tables.address,
                "another process is changing the keys; wait until that has ended, then run this again",
            ),
            false => of_trouble(&tables.address, &trouble),
        })?;
        let sql = "SELECT to_regclass('procurement_lookup_keys.state') IS NOT NULL";
        match (tables.one(sql, &[])?, creates) {
            (true, _) => tables.check_format()?,
            (false, true) => tables.batch(include_str!("keys.sql"))?,
            (false, false) => {
                let what = "there are no keys; `procurement-lookup keys issue` makes the first";
                return Err(Error::of_server(&tables.address, what));
            }
        }
        Ok(tables)
    }

    /// Makes the change count.
    ///
    /// # Errors
    /// The server refuses it, or is gone: then it may count or not.
    pub fn commit(mut self) -> Result<()> {
        self.batch("UPDATE procurement_lookup_keys.state SET change = change + 1")?;
        self.session.batch("COMMIT", STATEMENT).map_err(|trouble| {
            let what = format!(
                "{trouble}; whether the change was made is not known, so look with `procurement-lookup keys list`"
            );
            Error::of_server(&self.address, what)
        })
    }

    /// All keys ever issued, in that order; none where there are no tables. They are the
    /// server's that takes changes: a standby may be behind.
    ///
    /// # Errors
    /// It cannot be reached, or refuses.
    pub fn list(address: &ServerAddress) -> Result<Vec<StoredKey>> {
        // Any server will do where none takes changes.
        let mut session = match address.primary() {
            Ok(session) => session,
            Err(_) => Cluster::new(address.clone()).session(Instant::now() + ALL_ATTEMPTS)?,
        };
        let keys = read(&mut session, NO_CHANGE, STATEMENT);
        let keys = keys.map_err(|trouble| of_trouble(address, &trouble))?;
        Ok(keys.keys.unwrap_or_default())
    }

    fn check_format(&mut self) -> Result<()> {
        let format: i32 = self.one("SELECT format FROM procurement_lookup_keys.state", &[])?;
        match format == FORMAT {
            true => Ok(()),
            false => Err(Error::of_server(&self.address, other_format(format))),
        }
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        let done = self.session.batch(sql, STATEMENT);
        done.map_err(|trouble| of_trouble(&self.address, &trouble))
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        let changed = self.session.execute(sql, params, STATEMENT);
        changed.map_err(|trouble| of_trouble(&self.address, &trouble))
    }

    /// The value of a query's one row.
    fn one<T: for<'a> super::client::FromSql<'a>>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
    ) -> Result<T> {
        let rows = self.session.rows(sql, params, STATEMENT);
        let value = rows.and_then(|rows| match rows.first() {
            Some(row) => Ok(row.try_get(0)?),
            None => Err(Trouble::refused(
                "a row of the keys' tables is missing".to_owned(),
            )),
        });
        value.map_err(|trouble| of_trouble(&self.address, &trouble))
    }
}

impl KeyRows for KeyTables {
    fn count_valid(&mut self, name: &str, now: i64) -> Result<i64> {
        let sql = "SELECT count(*) FROM procurement_lookup_keys.key \
                   WHERE name = $1 AND revoked IS NULL AND (ends IS NULL OR ends > $2)";
        self.one(sql, &[&name, &now])
    }

    fn insert(&mut self, hash: [u8; 32], name: &str, now: i64) -> Result<()> {
        let sql = "INSERT INTO procurement_lookup_keys.key (hash, name, issued) \
                   VALUES ($1, $2, $3)";
        self.execute(sql, &[&hash.as_slice(), &name, &now])
            .map(drop)
    }

    fn end(&mut self, name: &str, end: i64) -> Result<()> {
        let sql = "UPDATE procurement_lookup_keys.key SET ends = $2 \
                   WHERE name = $1 AND revoked IS NULL AND (ends IS NULL OR ends > $2)";
        self.execute(sql, &[&name, &end]).map(drop)
    }

    fn revoke(&mut self, name: &str, now: i64) -> Result<bool> {
        let sql = "UPDATE procurement_lookup_keys.key SET revoked = $2 \
                   WHERE name = $1 AND revoked IS NULL AND (ends IS NULL OR ends > $2)";
        Ok(self.execute(sql, &[&name, &now])? > 0)
    }
}

/// For how long they are read from a standby before the server is looked for again that takes
/// changes.
const PRIMARY_AGAIN: Duration = Duration::from_secs(5);

/// The keys as a running server reads them again and again: from the server that takes changes,
/// as a standby may have stopped following, and would have revoked keys as valid ones for ever;
/// from a standby while that one cannot be reached.
pub struct FollowedKeys {
    cluster: Arc<Cluster>,
    session: Option<Session>,
    /// Does the session's server follow another?
    follows: bool,
    change: i64,
}

/// The number of changes before the first that was read: no table has it.
const NO_CHANGE: i64 = -1;

impl FollowedKeys {
    /// The keys of servers, of which nothing was read yet.
    pub fn new(address: &ServerAddress) -> Self {
        Self {
            cluster: Cluster::new(address.clone()),
            session: None,
            follows: false,
            change: NO_CHANGE,
        }
    }

    /// All keys, if they have changed since they were last read. A state from before that is
    /// never taken from a standby; from the server that takes changes only where it has had no
    /// other for a minute ([`Cluster::note`]): then it has taken the place of one that was lost
    /// with its last changes, and those that are made from now on are made there. It takes three
    /// seconds at most.
    ///
    /// # Errors
    /// No server can be reached, or one refuses.
    pub fn changed(&mut self) -> Result<Option<Vec<StoredKey>>> {
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
            let unreachable = |session: &Session, why: &str| {
                let why = format!("{}: {why}", session.host());
                Error::unreachable(self.cluster.address(), why)
            };
            let newest = self.cluster.newest();
            match read(&mut session, self.change, ATTEMPT) {
                Ok(read) if self.follows && read.change < self.change => {
                    self.cluster.found_behind(&session);
                    return Err(unreachable(&session, BEHIND));
                }
                Ok(read) => {
                    let is_taken = self.cluster.note(&session, read.change, newest);
                    let session = self.session.insert(session);
                    if !is_taken {
                        return Err(unreachable(session, BEHIND));
                    }
                    self.change = read.change;
                    return Ok(read.keys);
                }
                Err(Trouble::Lost(why)) => {
                    self.cluster.failed(&session);
                    if Instant::now() >= deadline {
                        return Err(unreachable(&session, &why));
                    }
                }
                Err(trouble) if trouble.is_of_this_server() => {
                    return Err(unreachable(&session, &trouble.to_string()));
                }
                Err(refused) => return Err(of_trouble(self.cluster.address(), &refused)),
            }
        }
    }
}

/// Why what a server has is not taken.
const BEHIND: &str = "it is behind what was read before";

/// What was read.
struct ReadKeys {
    change: i64,
    /// None if there was no other change since.
    keys: Option<Vec<StoredKey>>,
}

/// Reads the keys, if there was another change than `known`.
fn read(
    session: &mut Session,
    known: i64,
    within: Duration,
) -> std::result::Result<ReadKeys, Trouble> {
    // One row, of no key, where there was none.
    let sql = "SELECT s.format, s.change, k.hash, k.name, k.issued, k.revoked, k.ends \
               FROM procurement_lookup_keys.state AS s \
               LEFT JOIN procurement_lookup_keys.key AS k ON s.change <> $1 ORDER BY k.id";
    let rows = match session.rows(sql, &[&known], within) {
        Err(trouble) if trouble.is_of_missing_table() => Vec::new(),
        rows => rows?,
    };
    let Some(first) = rows.first() else {
        let (change, keys) = (0, (known != 0).then(Vec::new));
        return Ok(ReadKeys { change, keys });
    };
    let (format, change): (i32, i64) = (first.try_get(0)?, first.try_get(1)?);
    if format != FORMAT {
        return Err(Trouble::refused(other_format(format)));
    }
    let keys = rows.iter().filter_map(|row| stored(row).transpose());
    let keys = keys.collect::<std::result::Result<Vec<StoredKey>, Trouble>>()?;
    Ok(ReadKeys {
        change,
        keys: (change != known).then_some(keys),
    })
}

/// The key of a row, if there is one.
fn stored(row: &Row) -> std::result::Result<Option<StoredKey>, Trouble> {
    let Some(hash) = row.try_get::<_, Option<&[u8]>>(2)? else {
        return Ok(None);
    };
    let damaged = |_| Trouble::refused("a key's hash is not one".to_owned());
    Ok(Some(StoredKey {
        hash: hash.try_into().map_err(damaged)?,
        name: row.try_get(3)?,
        issued: row.try_get(4)?,
        revoked: row.try_get(5)?,
        ends: row.try_get(6)?,
    }))
}

fn other_format(found: i32) -> String {
    format!(
        "the format of the keys is {found}, this release's is {FORMAT}; another release made them, so use that one"
    )
}

fn of_trouble(address: &ServerAddress, trouble: &Trouble) -> Error {
    match trouble {
        Trouble::Lost(why) => Error::unreachable(address, why),
        Trouble::Refused { message, .. } if trouble.is("42501") => Error::of_server(
            address,
            format!(
                "this user may not do that with the keys ({message}); to read them it needs USAGE on the schema procurement_lookup_keys and SELECT on its tables, to change them to own them, and for the first CREATE in the database"
            ),
        ),
        Trouble::Refused { message, .. } => Error::of_server(address, message),
    }
}
