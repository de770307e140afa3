//! The step of data files from format 1 to 2: the tables of searches by content, and the column
//! `facts` of contracts. Both are left empty: the number of the tokens' version says so, and
//! [`super::content_rebuild::rebuild`] fills them. The views come with this format, too.

use rusqlite::params;

use super::error::Result;
use super::file::OpenFile;
use super::migration::{Migration, Rows};

/// The number of rows copied by one statement.
const AT_ONCE: u64 = 10_000;

pub(super) const OF_DATA: Migration = Migration {
    to: 2,
    growth: 50,
    run,
};

fn run(file: &OpenFile, rows: &mut Rows<'_>) -> Result<()> {
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

fn copy_facets(file: &OpenFile, rows: &mut Rows<'_>) -> Result<()> {
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
