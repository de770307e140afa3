//! The table `publication`: what is published; the lock of who publishes; the schemas of
//! earlier publications.

use std::fmt;

use super::super::data_file::DataVersion;
use super::super::file::DATA;
use super::super::server_bounds::SERVER_SILENCE;
use super::client::{FromSql, Row, Session, Trouble};
use super::publish_failure::Failure;
use super::rows;

/// The version of the tables. A change of their columns must raise it.
const TABLES: i32 = 1;

/// The format of a publication: the version of its tables and, as records are copied from the
/// file, the file's format.
pub const FORMAT: i32 = TABLES * 1000 + DATA.format as i32;

/// The key of the lock that a publisher holds: "procurem", read as a number.
const LOCK: i64 = 0x7072_6f63_7572_656d;

/// The beginning of the names of schemas with data; the number of the publication follows that
/// made it.
const SCHEMA: &str = "procurement_lookup_";

/// How long the drop of an old schema waits for those who still read it: less than they wait
/// for an answer, as who comes after waits for both.
const DROP_WAITS: &str = "500ms";

/// A statement waited too long for a lock (SQLSTATE).
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// What was to be dropped is not all that there is (SQLSTATE).
const DEPENDENT_OBJECTS: &str = "2BP01";

/// What is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicationRow {
    /// Grows with each publication.
    pub number: i64,
    /// The schema with the tables.
    pub data_schema: String,
    /// The version of the data.
    pub version: DataVersion,
}

/// Why the row is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRead {
    /// It has this format.
    Format(i32),
    /// It is not as it was written.
    Damaged,
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(found) => {
                let remedy = match *found > FORMAT {
                    true => "a later release published it, so use that one",
                    false => "publish it anew with this release's `publish --full`",
                };
                write!(
                    f,
                    "what was published has format {found}, this release's is {FORMAT}; {remedy}"
                )
            }
            Self::Damaged => f.write_str(
                "what was published is damaged (the row that says what it is); publish the file anew with `publish --full`",
            ),
        }
    }
}

fn column<'a, T: FromSql<'a>>(row: &'a Row, at: usize) -> Result<T, NotRead> {
    row.try_get(at).map_err(|_| NotRead::Damaged)
}

impl PublicationRow {
    /// The name of the schema that the publication of this number makes.
    pub fn schema(number: i64) -> String {
        format!("{SCHEMA}{number}")
    }

    /// Returns whether this is the name of a schema with data. It is written into statements.
    fn is_schema(name: &str) -> bool {
        let number = name.strip_prefix(SCHEMA).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// What is published, if anything is.
    ///
    /// # Errors
    /// The server is lost or refuses, or the tables are of a later release.
    pub fn current(session: &mut Session) -> Result<Option<Self>, Failure> {
        let sql = "SELECT to_regclass('procurement_lookup.publication') IS NOT NULL";
        let is_there: bool = first(session, sql)?.unwrap_or_default();
        if !is_there {
            return Ok(None);
        }
        let rows = session.rows(Self::SELECT, &[], SERVER_SILENCE)?;
        match rows.first().map(Self::from_row).transpose() {
            Ok(found) => {
                // Where somebody has dropped a table, nothing is published.
                let sql = "SELECT count(*) FROM pg_tables WHERE tablename = ANY ($1) \
                           AND schemaname = (SELECT data_schema FROM procurement_lookup.publication)";
                let tables = session.rows(sql, &[&rows::TABLES.as_slice()], SERVER_SILENCE)?;
                let tables = tables.first().and_then(|row| row.try_get(0).ok());
                Ok(found.filter(|_| tables == Some(rows::TABLES.len() as i64)))
            }
            Err(newer @ NotRead::Format(found)) if found > FORMAT => {
                Err(Failure::Other(newer.to_string()))
            }
            // It is published anew.
            Err(_) => Ok(None),
        }
    }

    /// Selects the row, for [`PublicationRow::from_row`].
    pub const SELECT: &str = "SELECT format, number, data_schema, identity, revision, updated \
                              FROM procurement_lookup.publication";

    /// What is published, as the row that [`PublicationRow::SELECT`] selects has it.
    ///
    /// # Errors
    /// It has another format, or is damaged.
    pub fn from_row(row: &Row) -> Result<Self, NotRead> {
        match column(row, 0)? {
            FORMAT => {}
            found => return Err(NotRead::Format(found)),
        }
        let data_schema: String = column(row, 2)?;
        if !Self::is_schema(&data_schema) {
            return Err(NotRead::Damaged);
        }
        Ok(Self {
            number: column(row, 1)?,
            data_schema,
            version: DataVersion {
                identity: column(row, 3)?,
                revision: column(row, 4)?,
                updated: column(row, 5)?,
            },
        })
    }

    /// Makes it what is published, in the transaction under way.
    ///
    /// # Errors
    /// The server is lost or refuses.
    pub fn put(&self, session: &mut Session) -> Result<(), Failure> {
        let sql = "INSERT INTO procurement_lookup.publication \
                   (one, format, number, data_schema, identity, revision, updated) \
                   VALUES (true, $1, $2, $3, $4, $5, $6) ON CONFLICT (one) DO UPDATE SET \
                   format = $1, number = $2, data_schema = $3, identity = $4, revision = $5, \
                   updated = $6";
        let DataVersion {
            identity,
            revision,
            updated,
        } = &self.version;
        let schema = &self.data_schema;
        session.execute(
            sql,
            &[&FORMAT, &self.number, schema, identity, revision, updated],
            SERVER_SILENCE,
        )?;
        Ok(())
    }
}

/// Takes the lock of who publishes, until the session ends. False if another has it.
pub fn lock(session: &mut Session) -> Result<bool, Failure> {
    let sql = format!("SELECT pg_try_advisory_lock({LOCK})");
    Ok(first(session, &sql)?.unwrap_or_default())
}

/// A number for the next publication: greater than all there have been.
pub fn next_number(session: &mut Session) -> Result<i64, Failure> {
    // Also where the table is gone, or of another format: no schema is in the way, and readers
    // that have seen a number do not wait for a greater one.
    let sql = format!("SELECT nspname::text FROM pg_namespace WHERE nspname ~ '^{SCHEMA}[0-9]+$'");
    let schemas = names(session, &sql)?;
    let of_schemas = schemas.iter().filter_map(|name| name.strip_prefix(SCHEMA));
    let newest = of_schemas.filter_map(|number| number.parse::<i64>().ok());
    let newest = newest.max().unwrap_or_default();
    let sql = "SELECT to_regclass('procurement_lookup.publication') IS NOT NULL";
    let published = match first(session, sql)? {
        Some(true) => first(session, "SELECT number FROM procurement_lookup.publication")?,
        _ => None,
    };
    Ok(newest.max(published.unwrap_or_default()) + 1)
}

/// The names that a query selects.
fn names(session: &mut Session, sql: &str) -> Result<Vec<String>, Failure> {
    let rows = session.rows(sql, &[], SERVER_SILENCE)?;
    let names = rows.iter().map(|row| row.try_get(0));
    Ok(names.collect::<Result<_, _>>().map_err(Trouble::from)?)
}

/// Drops the schemas that earlier publications have made. One that somebody reads, or has made
/// something of his own from, is left for the next publication to drop; the log says so. A
/// schema that is not recorded is another's, whatever its name.
///
/// # Errors
/// The server is lost or refuses.
pub fn drop_old_schemas(session: &mut Session, current: &PublicationRow) -> Result<(), Failure> {
    let sql = "SELECT name FROM procurement_lookup.data_schema ORDER BY name";
    for name in names(session, sql)? {
        if name == current.data_schema || !PublicationRow::is_schema(&name) {
            continue;
        }
        let tables = rows::TABLES
            .map(|table| format!("{name}.{table}"))
            .join(", ");
        let sql = format!(
            "SET lock_timeout = '{DROP_WAITS}'; DROP TABLE IF EXISTS {tables}; \
             DROP SCHEMA IF EXISTS {name}; \
             DELETE FROM procurement_lookup.data_schema WHERE name = '{name}'"
        );
        match session.batch(&sql, SERVER_SILENCE) {
            Err(trouble) if trouble.is(LOCK_NOT_AVAILABLE) => log::warn!(
                "the schema {name} of an earlier publication is still read; the next publication drops it"
            ),
            Err(trouble) if trouble.is(DEPENDENT_OBJECTS) => log::warn!(
                "the schema {name} of an earlier publication is left, as something not of this program is in it or hangs on its tables, such as a view: drop that, then the next publication drops the schema"
            ),
            dropped => dropped?,
        }
    }
    Ok(())
}

/// The first value of the first row, if there is one.
pub fn first<T: for<'a> FromSql<'a>>(
    session: &mut Session,
    sql: &str,
) -> Result<Option<T>, Failure> {
    let rows = session.rows(sql, &[], SERVER_SILENCE)?;
    let value = rows.first().map(|row| row.try_get(0)).transpose();
    Ok(value.map_err(Trouble::from)?)
}
