//! A publication in full: all rows of the file into tables of a new schema.

use super::super::server_bounds::SERVER_SILENCE;
use super::copies::Copies;
use super::places;
use super::publication::PublicationRow;
use super::publish_failure::{Failure, silence_for};
use super::rows;

/// The tables, and their keys and indexes.
const TABLES: &str = include_str!("tables.sql");
const INDEXES: &str = include_str!("indexes.sql");

/// Copies all rows to the schema of `publication`, which it makes, in the transaction under
/// way.
pub fn publish_all(
    copies: &mut Copies<'_, '_>,
    publication: &PublicationRow,
) -> Result<(), Failure> {
    let schema = &publication.data_schema;
    let prepare = format!(
        "CREATE SCHEMA {schema}; INSERT INTO procurement_lookup.data_schema VALUES ('{schema}'); \
         SET LOCAL search_path TO {schema}; {TABLES}"
    );
    copies.session.batch(&prepare, SERVER_SILENCE)?;
    copies.suppliers()?;
    copies.contracts()?;
    copies.purchases()?;
    copies.rnp_entries()?;
    copies.documents(None)?;
    copies.registries_and_coverage()?;
    copies.log()?;
    copies.progress.finish();
    let within = silence_for(copies.progress.done);
    for statement in INDEXES.split_inclusive(";\n") {
        copies.session.batch(statement, within)?;
    }
    copies.session.batch("ANALYZE contract", within)?;
    copies.session.batch(places::FILL, within)?;
    for table in rows::TABLES {
        copies.session.batch(&format!("ANALYZE {table}"), within)?;
    }
    Ok(())
}
