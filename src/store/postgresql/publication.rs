//! The table `publication` with the current publication, the publishers' lock, and the schemas of
//! earlier publications.

use super::super::data_file::DataVersion;
use super::super::error::Result;
use super::super::file::DATA;
use super::super::server_bounds::SERVER_SILENCE;
use super::client::{Row, Session, is_missing_table};
use crate::model::{NAMES_VERSION, WORDS_VERSION};

/// Version of the tables. Raise it if their columns, the tokens or the searched names change.
const VERSION: i32 = 4;
const _: () = assert!(WORDS_VERSION == 1 && NAMES_VERSION == 1, "raise VERSION");

/// Format of a publication: the version of the tables combined with the format of the file, from
/// which records are copied.
pub const FORMAT: i32 = VERSION * 1000 + DATA.format as i32;

/// The tables that contain the data.
pub const TABLES: [&str; 17] = [
    "supplier",
    "searched_name",
    "contract",
    "contract_items",
    "contract_items_total",
    "contract_content",
    "purchase",
    "purchase_content",
    "purchase_facet",
    "purchase_winner",
    "rnp_entry",
    "document",
    "registry",
    "unread_entry",
    "coverage",
    "revision",
    "change",
];

/// Advisory lock of publishers: "procurem" as a number.
const LOCK: i64 = 0x7072_6f63_7572_656d;

/// Prefix of the names of schemas with data, followed by the number of the publication that created
/// the schema.
const SCHEMA: &str = "procurement_lookup_";

/// How long dropping an old schema waits for its readers. Shorter than the deadline of an answer,
/// because new readers have to wait behind the drop.
const DROP_WAITS: &str = "500ms";

/// SQLSTATE of a statement that waited too long for a lock.
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// SQLSTATE if a schema is not dropped because other objects depend on it.
const DEPENDENT_OBJECTS: &str = "2BP01";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicationRow {
    /// Increases with each publication.
    pub number: i64,
    /// The schema that contains the tables.
    pub data_schema: String,
    pub version: DataVersion,
}

impl PublicationRow {
    pub fn schema(number: i64) -> String {
        format!("{SCHEMA}{number}")
    }

    /// Returns whether the text is the name of a schema with data. This is checked because the name
    /// is inserted into statements.
    fn is_schema(name: &str) -> bool {
        let number = name.strip_prefix(SCHEMA).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Returns the current publication, if there is one that can be updated with changes.
    ///
    /// # Errors
    /// Returns an error if the server is lost or refuses, or if the tables are those of a later
    /// release.
    pub fn current(session: &mut Session) -> Result<Option<Self>> {
        let rows = match session.rows(Self::SELECT, &[], SERVER_SILENCE) {
            Err(error) if is_missing_table(&error) => return Ok(None),
            rows => rows?,
        };
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        let found = match Self::from_row(session, row) {
            Err(error) if session.get::<i32>(row, 0)? > FORMAT => return Err(error),
            found => found.ok(),
        };
        // If a user has dropped one of the tables, there is no current publication.
        let sql = "SELECT count(*) FROM pg_tables WHERE tablename = ANY ($1) \
                   AND schemaname = (SELECT data_schema FROM procurement_lookup.publication)";
        let tables = session.value(sql, &[&TABLES.as_slice()], SERVER_SILENCE)?;
        Ok(found.filter(|_| tables == Some(TABLES.len() as i64)))
    }

    /// Statement that selects the row for [`PublicationRow::from_row`].
    pub const SELECT: &str = "SELECT format, number, data_schema, identity, revision, updated \
                              FROM procurement_lookup.publication";

    /// Reads the current publication from a row of [`PublicationRow::SELECT`].
    ///
    /// # Errors
    /// Returns an error if it is damaged, or has another release's format, which counts as an
    /// outage.
    pub fn from_row(session: &Session, row: &Row) -> Result<Self> {
        let format: i32 = session.get(row, 0)?;
        if format != FORMAT {
            let remedy = match format > FORMAT {
                true => "a later release published it, so use that one",
                false => "publish it again with this release's `publish --full`",
            };
            return Err(session.other_release(format!(
                "what was published has format {format}, this release's is {FORMAT}; {remedy}"
            )));
        }
        let data_schema: String = session.get(row, 2)?;
        if !Self::is_schema(&data_schema) {
            return Err(session.refused(
                "what was published is damaged (the row that says what it is); publish the file again with `publish --full`",
            ));
        }
        Ok(Self {
            number: session.get(row, 1)?,
            data_schema,
            version: DataVersion {
                identity: session.get(row, 3)?,
                revision: session.get(row, 4)?,
                updated: session.get(row, 5)?,
            },
        })
    }

    /// Makes this the current publication, within the open transaction.
    ///
    /// # Errors
    /// Returns an error if the server is lost or refuses.
    pub fn put(&self, session: &mut Session) -> Result<()> {
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
        session.rows(
            sql,
            &[&FORMAT, &self.number, schema, identity, revision, updated],
            SERVER_SILENCE,
        )?;
        Ok(())
    }
}

/// Takes the publishers' lock until the end of the session. Returns `false` if another publisher
/// holds the lock.
pub fn lock(session: &mut Session) -> Result<bool> {
    let sql = format!("SELECT pg_try_advisory_lock({LOCK})");
    Ok(session
        .value(&sql, &[], SERVER_SILENCE)?
        .unwrap_or_default())
}

/// Returns a number for the next publication, greater than all previous ones.
pub fn next_number(session: &mut Session) -> Result<i64> {
    // This must work even if the table is gone or has another format. With a number that was
    // already used, the name of the new schema might be taken, and readers that have seen a greater
    // number would wait for that one.
    let sql = format!(
        "SELECT max(substr(nspname, {})::bigint) FROM pg_namespace \
         WHERE nspname ~ '^{SCHEMA}[0-9]+$'",
        SCHEMA.len() + 1
    );
    let newest: Option<Option<i64>> = session.value(&sql, &[], SERVER_SILENCE)?;
    let sql = "SELECT number FROM procurement_lookup.publication";
    let published: Option<i64> = match session.value(sql, &[], SERVER_SILENCE) {
        Err(error) if is_missing_table(&error) => None,
        published => published?,
    };
    Ok(newest.flatten().max(published).unwrap_or_default() + 1)
}

/// Drops the schemas of earlier publications. If a schema still has readers, or if a user's own
/// objects depend on it, logs a message and leaves the schema to the next publication. Never drops
/// a schema that is not in the table `data_schema`, whatever its name: it belongs to someone else.
///
/// # Errors
/// Returns an error if the server is lost or refuses.
pub fn drop_old_schemas(session: &mut Session, current: &PublicationRow) -> Result<()> {
    let sql = "SELECT name FROM procurement_lookup.data_schema ORDER BY name";
    let rows = session.rows(sql, &[], SERVER_SILENCE)?;
    for row in &rows {
        let name: &str = session.get(row, 0)?;
        if name == current.data_schema || !PublicationRow::is_schema(name) {
            continue;
        }
        let tables = TABLES.map(|table| format!("{name}.{table}")).join(", ");
        let sql = format!(
            "SET lock_timeout = '{DROP_WAITS}'; DROP TABLE IF EXISTS {tables}; \
             DROP SCHEMA IF EXISTS {name}; \
             DELETE FROM procurement_lookup.data_schema WHERE name = '{name}'"
        );
        match session.batch(&sql, SERVER_SILENCE) {
            Err(error) if error.sqlstate() == Some(LOCK_NOT_AVAILABLE) => log::warn!(
                "the schema {name} of an earlier publication is still read; the next publication drops it"
            ),
            Err(error) if error.sqlstate() == Some(DEPENDENT_OBJECTS) => log::warn!(
                "the schema {name} of an earlier publication is kept, because it contains foreign objects, or foreign objects such as views depend on its tables; drop them, and the next publication drops the schema"
            ),
            dropped => dropped?,
        }
    }
    Ok(())
}
