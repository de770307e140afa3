//! `publish`: copies a file's data to PostgreSQL, for servers that answer from there.
//!
//! A publication is one transaction whose last statement makes it current (`publication.rs`).
//! Readers see either the previous publication or the new one, and if the command is killed,
//! nothing is left behind. If the current publication is an earlier state of the same file and the
//! file's log goes back that far, only the changes are sent (`publish_changes.rs`). Otherwise, all
//! rows are sent, to a new schema. All rows are also sent if, after sending the changes, the counts
//! and digests do not match those of the file (`totals.rs`).

use std::fmt;
use std::path::Path;
use std::time::Duration;

use super::super::changes::part_is;
use super::super::data_file::DataFile;
use super::super::error::{Error, Result};
use super::super::facet_columns::{FacetColumn, FacetType};
use super::super::query::Source;
use super::super::server_bounds::SERVER_SILENCE;
use super::address::ServerAddress;
use super::client::Session;
use super::publication::{PublicationRow, TABLES, drop_old_schemas, lock, next_number};
use super::publish_changes::publish_changes;
use super::sender::{RowSender, silence_for};
use super::totals::Totals;

/// The tables for the current publication and for the list of schemas.
const CONTROL: &str = include_str!("control.sql");

const CREATE_TABLES: &str = include_str!("tables.sql");
const CREATE_INDEXES: &str = include_str!("indexes.sql");

/// Statement that turns off the server's own time limits, because a publication takes long, and
/// this program limits each of its steps. Not every version of PostgreSQL has all of these
/// settings.
const SETTINGS: &str = "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN (\
                        'statement_timeout', 'lock_timeout', 'transaction_timeout', \
                        'idle_in_transaction_session_timeout')";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// Nothing was sent, because the file's data was already published. Contains the revision.
    Nothing(i64),
    /// All rows were sent. Contains their number.
    All(u64),
    /// Only changes were sent. Contains the revision of the previous publication, and the number of
    /// contracts sent.
    Changes(i64, u64),
}

impl fmt::Display for Published {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing(revision) => write!(
                f,
                "nothing to publish: revision {revision} of this data is published"
            ),
            Self::All(rows) => write!(f, "published in full: {rows} rows"),
            Self::Changes(since, contracts) => write!(
                f,
                "published what has changed since revision {since}: {contracts} contracts, and what belongs to them"
            ),
        }
    }
}

/// Publishes the data of the file at `path` to the primary of `address`. Opens the file only after
/// taking the publishers' lock, so that an older state of the file cannot replace a newer one. With
/// `in_full`, sends all rows even if a state of the file is already published. `report` receives
/// the number of rows sent and the total, which are equal while the server is finishing.
///
/// # Errors
/// Returns an error if the file is unreadable, if the primary is unreachable or refuses, or if
/// another publication is in progress. The previous publication then stays current. If the server
/// was lost during the commit, the error says that either publication may be current.
pub fn publish(
    path: &Path,
    address: &ServerAddress,
    in_full: bool,
    report: &mut dyn FnMut(u64, u64),
) -> Result<Published> {
    let mut session = address.primary()?;
    let published = publish_in(&mut session, path, address, in_full, report);
    if published.is_ok() {
        // Without this, the lock would be freed only when the server notices the end of the
        // session, which may be after the start of the next publication.
        let _ = session.batch("SELECT pg_advisory_unlock_all()", SERVER_SILENCE);
    }
    published
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
        let what = "another publication is in progress; run this again when it has ended";
        return Err(session.refused(what));
    }
    let sql = "SELECT current_setting('server_encoding')";
    let encoding: Option<String> = session.value(sql, &[], SERVER_SILENCE)?;
    if encoding.as_deref() != Some("UTF8") {
        let what = "the encoding of the database is not UTF8; create one with ENCODING 'UTF8'";
        return Err(session.refused(what));
    }
    let file = &DataFile::open(path, None)?;
    let last = PublicationRow::current(session)?.filter(|_| !in_full);
    let version = file.version;
    let mut base = None;
    if let Some(last) = last {
        if last.version == version {
            session.use_schema(&last.data_schema)?;
            if is_complete(session, file)? {
                clean_up(session, &last);
                return Ok(Published::Nothing(version.revision));
            }
        } else if can_send_changes(file, &last)? {
            base = Some(last);
        }
    }
    let (publication, what, within) = match send(session, file, base.as_ref(), report)? {
        Some(sent) => sent,
        None => {
            session.batch("ROLLBACK", SERVER_SILENCE)?;
            let sent = send(session, file, None, report)?;
            sent.ok_or_else(|| session.refused("the publication is incomplete"))?
        }
    };
    session.batch("COMMIT", within).map_err(|error| match error.is_unreachable() {
        true => Error::unreachable(
            address,
            format!(
                "{}; it was lost while it ended the publication, and whether it is published is not known: run this again, which sends what is missing",
                error.without_address()
            ),
        ),
        false => error,
    })?;
    clean_up(session, &publication);
    Ok(what)
}

/// Drops the schemas of earlier publications. If that fails, this publication stays current, and
/// the next one drops them.
fn clean_up(session: &mut Session, publication: &PublicationRow) {
    if let Err(error) = drop_old_schemas(session, publication) {
        log::warn!(
            "tables of earlier publications were not dropped ({error}); the next publication drops them"
        );
    }
}

/// Returns whether the tables in the session's search path have the same counts and digests as the
/// file. If they do not, logs the difference.
fn is_complete(session: &mut Session, file: &DataFile) -> Result<bool> {
    let expected = Totals::of_file(file)?;
    let Some(what) = expected.difference(&expected.published(session)?) else {
        return Ok(true);
    };
    log::warn!("the published {what} are not those of the file; all data is published again");
    Ok(false)
}

/// A publication whose transaction has not been committed yet, what was sent for it, and the time
/// limit for the commit. The limit leaves time for a synchronous standby, which has to write
/// everything as well.
type Sent = (PublicationRow, Published, Duration);

/// Starts a transaction and writes a publication into it: the changes since `base`, or all rows.
/// Returns `None` if, after the changes, the publication does not match the file.
fn send(
    session: &mut Session,
    file: &DataFile,
    base: Option<&PublicationRow>,
    report: &mut dyn FnMut(u64, u64),
) -> Result<Option<Sent>> {
    let number = next_number(session)?;
    session.batch("BEGIN", SERVER_SILENCE)?;
    let (after, total) = match base {
        Some(base) => (Some(base.version.revision), count_changes(file, base)?),
        None => {
            let counts = file.counts()?;
            let records = counts.suppliers + counts.contracts + counts.purchases;
            (None, records + counts.rnp_entries)
        }
    };
    report(0, total);
    let mut sender = RowSender {
        session,
        file,
        after,
        done: 0,
        total,
        report,
    };
    let (data_schema, what) = match base {
        Some(base) => {
            let contracts = publish_changes(&mut sender, base)?;
            if !is_complete(sender.session, file)? {
                return Ok(None);
            }
            let what = Published::Changes(base.version.revision, contracts);
            (base.data_schema.clone(), what)
        }
        None => {
            let schema = PublicationRow::schema(number);
            let rows = publish_all(&mut sender, &schema)?;
            (schema, Published::All(rows))
        }
    };
    let within = silence_for(sender.done);
    let publication = PublicationRow {
        number,
        data_schema,
        version: file.version,
    };
    publication.put(session)?;
    Ok(Some((publication, what, within)))
}

/// Sends all rows to the tables of a new schema, then creates the indexes and gathers statistics,
/// all within the open transaction. Returns the number of rows.
fn publish_all(sender: &mut RowSender<'_>, schema: &str) -> Result<u64> {
    let contracts = contract_tables();
    let prepare = format!(
        "{CONTROL} CREATE SCHEMA {schema}; \
         INSERT INTO procurement_lookup.data_schema VALUES ('{schema}'); \
         SET LOCAL search_path TO {schema}; {CREATE_TABLES} {contracts}"
    );
    sender.session.batch(&prepare, SERVER_SILENCE)?;
    sender.suppliers(i64::MIN)?;
    sender.names()?;
    sender.contracts()?;
    sender.purchases()?;
    sender.contents_of_purchases()?;
    sender.winners()?;
    sender.rnp_entries()?;
    sender.documents(None)?;
    sender.registries_and_coverage()?;
    sender.revisions()?;
    sender.changes("change")?;
    (sender.report)(sender.total, sender.total);
    let within = silence_for(sender.done);
    for statement in CREATE_INDEXES.split_inclusive(";\n") {
        sender.session.batch(statement, within)?;
    }
    for statement in contract_indexes() {
        sender.session.batch(&statement, within)?;
    }
    index_names(sender.session, within)?;
    for table in TABLES {
        sender.session.batch(&format!("ANALYZE {table}"), within)?;
    }
    Ok(sender.done)
}

/// Returns the statements that create the two tables of contracts. Both have one row per contract
/// and supplier, and the facets as columns with the same names and values as in the file, except
/// that texts are never stored as numbers.
///
/// The table `contract` has the records, each with a digest that shows whether the record or the
/// items have changed. The table `contract_content` serves searches by content: it has the tokens,
/// as in the file's index (`model/content_tokens.rs`), and short rows.
fn contract_tables() -> String {
    let columns = FacetColumn::ALL.iter().map(|column| {
        let kind = match column.kind() {
            FacetType::Number => "bigint",
            FacetType::Text | FacetType::Inn => "text COLLATE \"C\"",
        };
        format!("{} {kind}, ", column.name())
    });
    let columns: String = columns.collect();
    format!(
        "CREATE TABLE contract (supplier_inn text COLLATE \"C\" NOT NULL, \
         reg_num text COLLATE \"C\" NOT NULL, id bigint NOT NULL, {columns}\
         digest bigint NOT NULL, record bytea NOT NULL); \
         CREATE TABLE contract_content (id bigint NOT NULL, {columns}\
         reg_num text COLLATE \"C\" NOT NULL, tokens text[] COLLATE \"C\" NOT NULL);"
    )
}

/// Returns the statements that create the primary key of the table of contracts and three indexes:
/// by id, by supplier and by customer. All three include all facets, so that filters and orders do
/// not read the records. The one by supplier also includes the digest, so that comparing digests
/// does not read them either.
fn contract_indexes() -> [String; 4] {
    let others = |keys: &[FacetColumn]| {
        let columns = FacetColumn::ALL.iter().copied();
        let others: Vec<FacetColumn> = columns.filter(|column| !keys.contains(column)).collect();
        FacetColumn::names(&others)
    };
    [
        "ALTER TABLE contract ADD PRIMARY KEY (reg_num, supplier_inn)".to_owned(),
        "CREATE UNIQUE INDEX contract_by_id ON contract (id)".to_owned(),
        format!(
            "CREATE INDEX contract_of_supplier ON contract \
             (supplier_inn, sign_date, reg_num) INCLUDE (digest, id, {})",
            others(&[FacetColumn::SignDate])
        ),
        format!(
            "CREATE INDEX contract_of_customer ON contract \
             (customer_inn, sign_date, reg_num) INCLUDE (id, {})",
            others(&[FacetColumn::SignDate, FacetColumn::CustomerInn])
        ),
    ]
}

/// Creates a trigram index of names, if the database has the extension for it.
fn index_names(session: &mut Session, within: Duration) -> Result<()> {
    let sql = "SELECT quote_ident(nspname) FROM pg_extension \
               JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm'";
    let Some(schema) = session.value::<String>(sql, &[], within)? else {
        return Ok(());
    };
    let index = "CREATE INDEX searched_name_parts ON searched_name USING gin";
    session.batch(&format!("{index} (name {schema}.gin_trgm_ops)"), within)
}

fn count_changes(file: &DataFile, last: &PublicationRow) -> Result<u64> {
    let sql = concat!(
        "SELECT count(*) FROM change WHERE revision > ?1 AND (",
        part_is!(of_supplier),
        " OR ",
        part_is!(card),
        ")"
    );
    file.file
        .value(sql, [last.version.revision], |row| row.get(0))
}

/// Returns whether it is possible and worthwhile to send only the changes: the current publication
/// is an earlier state of this very file, the log has all changes since then, and they concern at
/// most a quarter of all suppliers and purchases. A changed contract costs the server about eight
/// times as much as a new one: with a quarter of a million contracts changed, sending the changes
/// took 27 s and sending all rows 14 s.
fn can_send_changes(file: &DataFile, last: &PublicationRow) -> Result<bool> {
    let version = last.version;
    let earlier = file.revision(version.revision.unsigned_abs())?;
    if earlier.is_none_or(|earlier| earlier.identity != version.identity) {
        return Ok(false);
    }
    let changes = count_changes(file, last)?;
    let counts = file.counts()?;
    Ok(changes <= (counts.suppliers + counts.purchases) / 4 + FEW_CHANGES)
}

/// Up to this many changes are always sent as changes, even if the file is small.
const FEW_CHANGES: u64 = 1000;
