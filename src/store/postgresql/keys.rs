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

/// Errors (SQLSTATE): there is no such table, or no such schema.
const MISSING: [&str; 2] = ["42P01", "3F000"];

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
        let mut session = address.primary()?;
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
            None => Err(Trouble::Lost("a row is missing".to_owned())),
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

/// The keys as a running server reads them again and again, from any of the servers.
pub struct FollowedKeys {
    cluster: Arc<Cluster>,
    session: Option<Session>,
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
            change: NO_CHANGE,
        }
    }

    /// All keys, if they have changed since they were last read; never a state from before
    /// that ([`Cluster::note`]). It takes three seconds at most.
    ///
    /// # Errors
    /// No server can be reached, or one refuses.
    pub fn changed(&mut self) -> Result<Option<Vec<StoredKey>>> {
        let deadline = Instant::now() + ALL_ATTEMPTS;
        loop {
            let usable = self.session.take();
            let usable = usable.filter(|session| !self.cluster.has_failed(session));
            let mut session = match usable {
                Some(session) => session,
                None => self.cluster.session(deadline)?,
            };
            let newest = self.cluster.newest();
            let why = match read(&mut session, self.change, ATTEMPT) {
                Ok(read) if self.cluster.note(&session, read.change, newest) => {
                    (self.session, self.change) = (Some(session), read.change);
                    return Ok(read.keys);
                }
                Ok(_) => "it is behind what was read before".to_owned(),
                Err(Trouble::Lost(why)) => {
                    self.cluster.failed(&session);
                    why
                }
                Err(refused) => return Err(of_trouble(self.cluster.address(), &refused)),
            };
            if Instant::now() >= deadline {
                let why = format!("{}: {why}", session.host());
                return Err(Error::unreachable(self.cluster.address(), why));
            }
        }
    }
}

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
        Err(trouble) if MISSING.iter().any(|code| trouble.is(code)) => Vec::new(),
        rows => rows?,
    };
    let Some(first) = rows.first() else {
        let (change, keys) = (0, Some(Vec::new()));
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
        Trouble::Refused { message, .. } => Error::of_server(address, message),
    }
}
