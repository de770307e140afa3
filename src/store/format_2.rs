//! Migrates data files from format 1 to 2: adds the tables for searches by content, the table
//! `rnp_seen`, the column `facts` of contracts, and the views. The new tables and the column start
//! out empty, with version 0 of the rules for searches. The upgrade then fills them and rebuilds
//! the searched names, because both are out of date ([`super::content_rebuild::rebuild`]).
//! `rnp_seen` stays empty, because format 1 does not record what belongs there.

use rusqlite::params;

use super::error::Result;
use super::file::OpenFile;
use super::migration::{Migration, StepRows};

/// Rows copied per statement.
const AT_ONCE: u64 = 10_000;

pub(super) const OF_DATA: Migration = Migration {
    to: 2,
    growth: 50,
    run,
};

fn run(file: &OpenFile, rows: &mut StepRows<'_>) -> Result<()> {
    let count = "SELECT count(*) FROM contract_facet";
    let contracts = file.value(count, (), |row| row.get(0))?;
    file.batch(include_str!("format_2.sql"))?;
    rows.expect(contracts)?;
    copy_facets(file, rows)?;
    file.batch(
        "DROP TABLE contract_facet_1; \
         CREATE INDEX contract_facet_of_number ON contract_facet (reg_num); \
         CREATE INDEX contract_facet_of_customer ON contract_facet (customer_inn, sign_date);",
    )?;
    file.batch(include_str!("views.sql"))
}

fn copy_facets(file: &OpenFile, rows: &mut StepRows<'_>) -> Result<()> {
    let copy = "INSERT INTO contract_facet \
                SELECT id, sign_date, update_date, stage, customer_inn, is_customer_named, price, \
                price_text, has_subcontractors, not_overdue_to, 0, reg_num \
                FROM contract_facet_1 WHERE id > ?1 ORDER BY id LIMIT ?2";
    let mut last = i64::MIN;
    loop {
        let copied = file.change(copy, params![last, AT_ONCE])? as u64;
        rows.changed(copied)?;
        if copied < AT_ONCE {
            return Ok(());
        }
        last = file.value("SELECT max(id) FROM contract_facet", (), |row| row.get(0))?;
    }
}
