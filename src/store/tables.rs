//! The tables, columns and indexes of a data file: has it those that this program
//! reads?

use std::fs;

use rusqlite::Connection;

use super::error::Result;
use super::file::DATA;
use super::open_file::OpenFile;
use super::row_sum;

/// The tables and indexes that a data file has, as `schema.sql` makes them.
const TABLES: &str = "SELECT m.name, group_concat('\"' || m.name || '\".\"' || c.name || '\"') \
                      FROM sqlite_schema AS m, pragma_table_info(m.name) AS c \
                      WHERE m.type = 'table' GROUP BY m.name";
const INDEXES: &str = "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name";

/// Has the file whole pages, all tables, columns and indexes, and can each table be read
/// at its beginning?
pub(super) fn check_tables(file: &OpenFile) -> Result<()> {
    let damaged = |error: rusqlite::Error| match error.sqlite_error_code() {
        // "no such table", "no such column"
        Some(rusqlite::ErrorCode::Unknown) => file.damaged(error.to_string()),
        _ => file.failed(error),
    };
    let connection = &file.connection;
    let page = connection.pragma_query_value(None, "page_size", |row| row.get::<_, u64>(0));
    let page = page.map_err(damaged)?;
    // What SQLite does not mind, as long as nothing of the last page is read.
    if fs::metadata(&file.path).is_ok_and(|file| page > 0 && file.len() % page != 0) {
        return Err(file.damaged("a part of the last page is missing"));
    }
    for (table, columns) in model_tables().map_err(|error| file.failed(error))? {
        let sql = format!("SELECT {columns} FROM \"{table}\" LIMIT 1");
        connection
            .prepare(&sql)
            .and_then(|mut statement| statement.query(())?.next().map(|_| ()))
            .map_err(damaged)?;
    }
    let indexes = names(connection).map_err(damaged)?;
    let wanted = model().and_then(|model| names(&model));
    for index in wanted.map_err(|error| file.failed(error))? {
        if !indexes.contains(&index) {
            return Err(file.damaged(format!("no such index: {index}")));
        }
    }
    Ok(())
}

/// Are the statements that made the tables and indexes those of a new file?
pub(super) fn check_statements(file: &OpenFile) -> Result<()> {
    let found = statements(&file.connection).map_err(|error| file.failed(error))?;
    let model = model().and_then(|model| statements(&model));
    match found == model.map_err(|error| file.failed(error))? {
        true => Ok(()),
        false => Err(file.damaged("its tables are not those of a new file")),
    }
}

fn statements(connection: &Connection) -> rusqlite::Result<Vec<(String, String, Option<String>)>> {
    let sql = "SELECT name, tbl_name, sql FROM sqlite_schema ORDER BY name";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}

/// An empty data file, in memory.
pub(super) fn model() -> rusqlite::Result<Connection> {
    let model = Connection::open_in_memory()?;
    row_sum::register(&model)?;
    model.execute_batch(DATA.schema)?;
    Ok(model)
}

/// The names of the tables, and their columns as a query names them.
fn model_tables() -> rusqlite::Result<Vec<(String, String)>> {
    let model = model()?;
    let mut statement = model.prepare(TABLES)?;
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

fn names(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(INDEXES)?;
    let rows = statement.query_map((), |row| row.get(0))?;
    rows.collect()
}
