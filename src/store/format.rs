//! Upgrades of files of older formats, in the copy that an import makes.

use rusqlite::{Connection, OptionalExtension, params};

use super::contracts::put_facets;
use super::documents::seal_facts;
use super::error::Result;
use super::facets::index_customers;
use super::file::DATA;
use super::file::{OpenFile, created};
use super::lz4;
use super::record::{RowChecksum, seal};
use super::supplier_names::SupplierNames;

/// Upgrades a copy of a data file from the format `found`, within one transaction.
///
/// Data of format 4 gets a new identity; that of later ones keeps its own, as its answers
/// stay the same. So does the time of its last change.
///
/// # Errors
/// The copy cannot be written, or is damaged.
pub(super) fn bring_up_to_date(file: &OpenFile, found: i64) -> Result<()> {
    file.batch("BEGIN IMMEDIATE")?;
    if found < 5 {
        from_4_to_5(&file.connection).map_err(|error| file.failed(error))?;
    }
    if found < 6 {
        let facets = created("contract_facet").map_err(|error| file.failed(error))?;
        file.batch(&format!("DROP TABLE contract_facets; {facets}"))?;
        put_all_facets(file)?;
        repack_purchases(file)?;
    }
    if found < 7 {
        // Which documents were obtained is said, and of older files nothing is known.
        let coverage = created("coverage").map_err(|error| file.failed(error))?;
        file.batch(&coverage)?;
    }
    if found < 8 {
        // Contracts are found by their customers.
        index_customers(file)?;
        index_names(file)?;
        begin_log(file).map_err(|error| file.failed(error))?;
    }
    if found == 8 {
        identify_revisions(file).map_err(|error| file.failed(error))?;
    }
    file.batch(&format!("PRAGMA user_version = {}; COMMIT", DATA.format))
}

/// From 7 to 8: suppliers are found by their names.
fn index_names(db: &OpenFile) -> Result<()> {
    let table = created("supplier_name").map_err(|error| db.failed(error))?;
    db.batch(&table)?;
    SupplierNames(db).write()
}

/// From 7 to 8: the log of changes. It begins with the revision of the file, of which the
/// list of the last import's changes remains.
fn begin_log(file: &OpenFile) -> rusqlite::Result<()> {
    let connection = &file.connection;
    for name in ["revision", "change", "change_in_order"] {
        connection.execute_batch(&created(name)?)?;
    }
    connection.execute_batch(
        "INSERT INTO revision \
         SELECT revision, updated, identity, row_sum(revision, updated, identity) FROM meta; \
         INSERT INTO change \
         SELECT answer, id, revision, row_sum(answer, id, revision) FROM meta, \
         (SELECT answer, supplier.id FROM changed JOIN supplier ON inn = subject \
          WHERE answer < 3 \
          UNION ALL \
          SELECT answer, purchase.id FROM changed JOIN purchase ON number = subject \
          WHERE answer = 3); \
         DROP TABLE changed;",
    )
}

/// From 8 to 9: the log has the identities of revisions. Only that of the last is known.
fn identify_revisions(file: &OpenFile) -> rusqlite::Result<()> {
    file.connection.execute_batch(&format!(
        "ALTER TABLE revision RENAME TO older; {}; \
         INSERT INTO revision \
         SELECT number, time, identity, row_sum(number, time, identity) FROM \
         (SELECT number, time, iif(number = meta.revision, meta.identity, 0) AS identity \
          FROM older, meta); \
         DROP TABLE older;",
        created("revision")?
    ))
}

/// From 5 to 6: facets of contracts are columns of a table.
fn put_all_facets(db: &OpenFile) -> Result<()> {
    let sql = "SELECT id, record FROM contract ORDER BY id";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    db.each(sql, (), read, |(id, record): (i64, Vec<u8>)| {
        put_facets(db, id, &record)
    })
}

/// From 5 to 6: records of purchases are packed by zstd.
fn repack_purchases(db: &OpenFile) -> Result<()> {
    let sql = "SELECT id, number, record FROM purchase ORDER BY id";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let purchases = |(id, number, record): (i64, String, Vec<u8>)| {
        let record = lz4::repacked(&number, &record);
        let record = record.ok_or_else(|| db.damaged(format!("the record of {number}")))?;
        let sql = "UPDATE purchase SET record = ?2 WHERE id = ?1";
        db.execute(sql, params![id, record])
    };
    db.each(sql, (), read, purchases)
}

/// Checksums: a column of the rows that have none, and behind records and facts.
fn from_4_to_5(connection: &Connection) -> rusqlite::Result<()> {
    // SQLite's statistics for query plans, which do without them.
    connection
        .execute_batch("DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4;")?;
    for (table, columns, values) in [
        (
            "meta",
            "one, identity, revision, updated, sum",
            "one, new.identity, revision, updated, row_sum(new.identity, revision, updated) \
             FROM older, (SELECT random() AS identity) AS new",
        ),
        (
            "supplier",
            "id, inn, contracts, stated, given_name, official_name, official_since, \
             official_by, sum",
            "*, row_sum(inn, contracts, stated, given_name, official_name, official_since, \
             official_by) FROM older",
        ),
        (
            "archive",
            "digest, read_with, counted, sum",
            // Archives are read again: it is not known which readers had read them.
            "digest, 0, counted, row_sum(digest, 0, counted) FROM older",
        ),
    ] {
        connection.execute_batch(&format!(
            "ALTER TABLE {table} RENAME TO older; {}; \
             INSERT INTO {table} ({columns}) SELECT {values}; DROP TABLE older;",
            created(table)?
        ))?;
    }
    connection.execute_batch(&format!(
        "{}; INSERT INTO registry SELECT law, '', entries, row_sum(law, '', entries) FROM \
         (SELECT column1 AS law, (SELECT count(*) FROM rnp_entry WHERE federal_law = column1) \
          AS entries FROM (VALUES ('44'), ('223'), ('615')))",
        created("registry")?
    ))?;
    each_blob(connection, "purchase", "record", "number", |row, record| {
        let number: String = row.get(2)?;
        seal(record, RowChecksum::default().text(number.as_bytes()));
        Ok(())
    })?;
    let owner = "(SELECT inn FROM supplier WHERE supplier.id = rnp_entry.supplier)";
    each_blob(connection, "rnp_entry", "record", owner, |row, record| {
        let inn: String = row.get(2)?;
        seal(record, RowChecksum::default().text(inn.as_bytes()));
        Ok(())
    })?;
    let columns = "number, kind, key, version, published, purchase";
    each_blob(connection, "document", "facts", columns, |row, facts| {
        seal_facts(row, facts)
    })
}

/// Applies `change` to the bytes in a column of each row of a table; the row has its id,
/// the bytes, then `others`.
fn each_blob(
    connection: &Connection,
    table: &str,
    column: &str,
    others: &str,
    change: impl Fn(&rusqlite::Row<'_>, &mut Vec<u8>) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut next = connection.prepare(&format!(
        "SELECT id, {column}, {others} FROM {table} WHERE id > ?1 ORDER BY id LIMIT 1"
    ))?;
    let mut put = connection.prepare(&format!("UPDATE {table} SET {column} = ?2 WHERE id = ?1"))?;
    let mut after = i64::MIN;
    loop {
        let changed = next
            .query_row([after], |row| {
                let mut bytes = row.get(1)?;
                change(row, &mut bytes)?;
                Ok((row.get(0)?, bytes))
            })
            .optional()?;
        let Some((id, bytes)) = changed else {
            return Ok(());
        };
        put.execute(params![id, bytes])?;
        after = id;
    }
}
