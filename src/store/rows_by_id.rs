//! Reads the rows with given ids from a table that is ordered by id.

use std::cmp::Ordering;

use rusqlite::Row;

use super::error::Result;
use super::file::OpenFile;

/// Maximum number of unwanted rows read before the next wanted row is sought.
const MAX_STEPS: u32 = 16;

/// Passes the rows with the given ids to `each`, in the order of `ids`. `sql` selects the rows with
/// ids from a bound on, in ascending order, with the id in column `id_at`. `missing` describes the
/// damage if an id has no row.
///
/// Seeking a row takes five times as long as reading the next one. So after each row, this reads a
/// few more if the ids so far were close together. Facets of contracts with a common word, in the
/// order of their ids, are then read twice as fast.
///
/// # Errors
/// Returns an error if the file cannot be read or an id has no row, or the first error of `each`.
pub(super) fn each_row_of(
    db: &OpenFile,
    sql: &str,
    id_at: usize,
    ids: &[i64],
    missing: &str,
    mut each: impl FnMut(&Row<'_>) -> Result<()>,
) -> Result<()> {
    let sqlite = |error| db.failed(error);
    let mut statement = db.connection.prepare_cached(sql).map_err(sqlite)?;
    let (mut rest, mut steps) = (ids, 1);
    while let [wanted, others @ ..] = rest {
        let mut rows = statement.query([wanted]).map_err(sqlite)?;
        let row = rows.next().map_err(sqlite)?;
        let row = row.filter(|row| row.get(id_at) == Ok(*wanted));
        each(row.ok_or_else(|| db.damaged(missing))?)?;
        rest = others;
        let mut unwanted = 0;
        while let Some(next) = rest.first().filter(|_| unwanted < steps) {
            let Some(row) = rows.next().map_err(sqlite)? else {
                break;
            };
            match row.get::<_, i64>(id_at).map_err(sqlite)?.cmp(next) {
                Ordering::Less => unwanted += 1,
                Ordering::Equal => {
                    each(row)?;
                    rest = &rest[1..];
                    (unwanted, steps) = (0, (2 * steps).min(MAX_STEPS));
                }
                // The wanted row stands before this one, or is missing.
                Ordering::Greater => break,
            }
        }
        if unwanted == steps {
            steps = (steps / 2).max(1);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;
    use rusqlite::Connection;

    use super::*;

    const SQL: &str = "SELECT 2 * id, id FROM kept WHERE id >= ?1 ORDER BY id";

    /// Reads the rows of `ids` from a table with the rows `kept`.
    fn rows_of(kept: &[i64], ids: &[i64]) -> Result<Vec<i64>> {
        let db = Connection::open_in_memory().expect("a database");
        let db = OpenFile::new(db, Path::new("data.sqlite"));
        db.batch("CREATE TABLE kept (id INTEGER PRIMARY KEY)")?;
        for id in kept {
            db.execute("INSERT OR IGNORE INTO kept VALUES (?1)", [id])?;
        }
        let mut found = Vec::new();
        each_row_of(&db, SQL, 1, ids, "no row", |row| {
            found.push(row.get(0).map_err(|error| db.failed(error))?);
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn an_id_without_a_row_is_damage() {
        let kept: Vec<i64> = (0..100).filter(|id| *id != 50).collect();
        for ids in [&[50][..], &[10, 50, 60], &[48, 49, 50], &[99, 100]] {
            let error = rows_of(&kept, ids).expect_err("damage").to_string();
            assert!(error.contains("no row"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn rows_come_in_the_order_of_the_ids(
            kept in proptest::collection::vec(0..200_i64, 1..100),
            places in proptest::collection::vec(any::<proptest::sample::Index>(), 0..100),
            is_sorted: bool,
        ) {
            let mut ids: Vec<i64> = places.iter().map(|place| *place.get(&kept)).collect();
            if is_sorted {
                ids.sort_unstable();
            }
            let expected: Vec<i64> = ids.iter().map(|id| 2 * id).collect();
            prop_assert_eq!(rows_of(&kept, &ids).expect("the rows"), expected);
        }
    }
}
