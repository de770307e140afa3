//! The table `publication`: what is published; the lock of who publishes; the schemas of
//! earlier publications.

use super::super::data_file::DataVersion;
use super::client::{Session, Trouble};
use super::publish_failure::{Failure, SILENCE};

/// The format of the tables. A change of what a table has must raise it.
pub const FORMAT: i32 = 1;

/// The key of the lock that a publisher holds: "procurem", read as a number.
const LOCK: i64 = 0x7072_6f63_7572_656d;

/// The beginning of the names of schemas with data; the number of the publication follows that
/// made it.
const SCHEMA: &str = "procurement_lookup_";

/// How long the drop of an old schema waits for those who still read it: less than they wait
/// for an answer, as who comes after waits for both.
const DROP_WAITS: &str = "500ms";

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

impl PublicationRow {
    /// The name of the schema that the publication of this number makes.
    pub fn schema(number: i64) -> String {
        format!("{SCHEMA}{number}")
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
        let sql = "SELECT format FROM procurement_lookup.publication";
        match first::<i32>(session, sql)? {
            None => return Ok(None),
            Some(format) if format > FORMAT => {
                return Err(Failure::Other(format!(
                    "the tables there have format {format}, this release's is {FORMAT}; a later release published them, so use that one"
                )));
            }
            Some(_) => {}
        }
        // Where somebody has dropped the schema, nothing is published.
        let sql = "SELECT number, data_schema, identity, revision, updated \
                   FROM procurement_lookup.publication \
                   WHERE format = $1 AND to_regnamespace(data_schema) IS NOT NULL";
        let rows = session.rows(sql, &[&FORMAT], SILENCE)?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        Ok(Some(Self {
            number: row.try_get(0).map_err(Trouble::from)?,
            data_schema: row.try_get(1).map_err(Trouble::from)?,
            version: DataVersion {
                identity: row.try_get(2).map_err(Trouble::from)?,
                revision: row.try_get(3).map_err(Trouble::from)?,
                updated: row.try_get(4).map_err(Trouble::from)?,
            },
        }))
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
            SILENCE,
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
    let schemas = schemas(session)?;
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

/// The schemas with data, of whatever publication.
fn schemas(session: &mut Session) -> Result<Vec<String>, Failure> {
    let sql = format!(
        "SELECT nspname::text FROM pg_namespace WHERE nspname ~ '^{SCHEMA}[0-9]+$' ORDER BY 1"
    );
    let rows = session.rows(&sql, &[], SILENCE)?;
    let names = rows.iter().map(|row| row.try_get(0));
    Ok(names.collect::<Result<_, _>>().map_err(Trouble::from)?)
}

/// Drops the schemas with data but for that of `current`. Returns how many could not be
/// dropped, as somebody reads them: the next publication drops them.
///
/// # Errors
/// The server is lost or refuses.
pub fn drop_old_schemas(session: &mut Session, current: &PublicationRow) -> Result<usize, Failure> {
    let mut left = 0;
    for name in schemas(session)? {
        if name == current.data_schema {
            continue;
        }
        let sql = format!("SET lock_timeout = '{DROP_WAITS}'; DROP SCHEMA {name} CASCADE");
        match session.batch(&sql, SILENCE) {
            // It waited too long for a lock.
            Err(trouble) if trouble.is("55P03") => left += 1,
            dropped => dropped?,
        }
    }
    Ok(left)
}

/// The first value of the first row, if there is one.
pub fn first<T: for<'a> super::client::FromSql<'a>>(
    session: &mut Session,
    sql: &str,
) -> Result<Option<T>, Failure> {
    let rows = session.rows(sql, &[], SILENCE)?;
    let value = rows.first().map(|row| row.try_get(0)).transpose();
    Ok(value.map_err(Trouble::from)?)
}
