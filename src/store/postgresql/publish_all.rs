//! A publication in full: all rows of the file into tables of a new schema.

use super::super::error::Result;
use super::super::query::columns::{FacetColumn, FacetType};
use super::super::server_bounds::SERVER_SILENCE;
use super::copies::Copies;
use super::publication::PublicationRow;
use super::publish_progress::silence_for;
use super::rows;

/// The tables, and their keys and indexes.
const TABLES: &str = include_str!("tables.sql");
const INDEXES: &str = include_str!("indexes.sql");

/// Stands in these for the columns of facets.
const FACETS: &str = "FACETS";

/// The columns of facets, for the table.
fn facet_definitions() -> String {
    let columns = FacetColumn::ALL.iter().map(|column| {
        let (name, kind) = column.definition();
        let kind = match kind {
            FacetType::Number => "bigint",
            FacetType::Text => "text COLLATE \"C\"",
        };
        format!("{name} {kind}")
    });
    columns.collect::<Vec<_>>().join(", ")
}

/// The statement of an index with those facets that it does not begin with.
fn with_facets(statement: &str) -> String {
    let columns = FacetColumn::ALL.iter().copied();
    let others = columns.filter(|column| !statement.contains(column.name()));
    let others: Vec<FacetColumn> = others.collect();
    statement.replace(FACETS, &FacetColumn::names(&others))
}

/// Copies all rows to the schema of `publication`, which it makes, in the transaction under
/// way.
pub fn publish_all(copies: &mut Copies<'_, '_>, publication: &PublicationRow) -> Result<()> {
    let schema = &publication.data_schema;
    let tables = TABLES.replace(FACETS, &facet_definitions());
    let prepare = format!(
        "CREATE SCHEMA {schema}; INSERT INTO procurement_lookup.data_schema VALUES ('{schema}'); \
         SET LOCAL search_path TO {schema}; {tables}"
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
        copies.session.batch(&with_facets(statement), within)?;
    }
    for table in rows::TABLES {
        copies.session.batch(&format!("ANALYZE {table}"), within)?;
    }
    Ok(())
}
