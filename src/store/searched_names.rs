//! The tables `searched_name` and `name_index`: searchable forms of the names of known suppliers
//! and of customers, and a full-text index (SQLite FTS5) of all trigrams in them. The index does
//! not store text, only the row ids of each trigram.
//!
//! The rows are computed from other tables by versioned rules (`search_rules.rs`). At the end of an
//! import, the rows of names in the log of changes are updated. An import or upgrade by a program
//! with other rules rebuilds all of them.

use std::collections::HashSet;

use rusqlite::{Row, params};

use super::changes::ChangeLog;
#[cfg(feature = "postgresql")]
use super::changes::part_is;
use super::contract_id::SUPPLIER_SHIFT;
use super::error::{Error, Result};
use super::file::OpenFile;
use super::query::{EachName, NameRow, NewestName};
use super::record::{self, RowChecksum};
use super::search_rules::{self, Searched};
use super::suppliers::Suppliers;
use crate::model::{ANYTHING, Inn, LogSubject, searched_name};

/// Smallest id of a customer's row. The row of a supplier has the supplier's id, which is smaller.
const FIRST_CUSTOMER: i64 = 1 << 32;

/// SQL condition for rows of customers. The index `searched_name_of_customer` has the same
/// condition.
macro_rules! is_customer {
    () => {
        "id >= 4294967296"
    };
}

/// Number of suppliers and customers between two reports of progress.
const REPORTED: u64 = 5_000;

const TRIGRAM: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
struct StoredName {
    id: i64,
    inn: LogSubject,
    contracts: u64,
    name: String,
}

impl StoredName {
    /// Reads the columns `id, inn, contracts, name`.
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            inn: row.get(1)?,
            contracts: row.get(2)?,
            name: row.get(3)?,
        })
    }

    /// Returns what this row contributes to the digest of the index, computed from the trigrams and
    /// the row id. The digest of the index equals the sum over all rows if and only if the index
    /// has exactly their trigrams.
    fn index_digest(&self) -> u64 {
        let runs: HashSet<&str> = trigrams(&self.name).collect();
        let digests = runs.into_iter().map(|run| digest(run, self.id));
        digests.fold(0, u64::wrapping_add)
    }
}

fn digest(run: &str, id: i64) -> u64 {
    let sum = RowChecksum::default().text(run.as_bytes()).number(id);
    sum.finish().into()
}

fn pass(db: &OpenFile, row: &Row<'_>, each: EachName<'_>) -> Result<()> {
    let failed = |error| db.failed(error);
    let inn: LogSubject = row.get(1).map_err(failed)?;
    let name = row.get_ref(3).and_then(|name| Ok(name.as_str()?));
    each(&NameRow {
        inn: &inn,
        is_customer: row.get::<_, i64>(0).map_err(failed)? >= FIRST_CUSTOMER,
        contracts: row.get(2).map_err(failed)?,
        name: name.map_err(failed)?,
    })
}

/// Passes the names that changed after a revision to `each`; without a revision, all names of
/// suppliers and customers.
#[cfg(feature = "postgresql")]
pub(super) fn each_changed_name(
    db: &OpenFile,
    after: Option<i64>,
    each: EachName<'_>,
) -> Result<()> {
    let sql = match after {
        None => "SELECT id, inn, contracts, name FROM searched_name WHERE ?1 IS NULL",
        Some(_) => concat!(
            "SELECT id, inn, contracts, name FROM searched_name \
             WHERE id IN (SELECT subject FROM change WHERE revision > ?1 AND ",
            part_is!(of_supplier),
            ") UNION ALL SELECT id, inn, contracts, name FROM change JOIN searched_name \
             ON inn = subject AND ",
            is_customer!(),
            " WHERE revision > ?1 AND ",
            part_is!(customer_contracts)
        ),
    };
    db.each_row(sql, [after], |row| pass(db, row, each))
}

/// Passes to `each` all names that contain at least one text of each list in `parts`. May also pass
/// names that do not.
pub(super) fn each_name(db: &OpenFile, parts: &[Vec<String>], each: EachName<'_>) -> Result<()> {
    if parts.is_empty() {
        let sql = "SELECT id, inn, contracts, name FROM searched_name";
        return db.each_row(sql, (), |row| pass(db, row, each));
    }
    let sql = "SELECT id, inn, contracts, searched_name.name FROM name_index \
               JOIN searched_name ON id = name_index.rowid WHERE name_index MATCH ?1";
    db.each_row(sql, [index_query(parts)], |row| pass(db, row, each))
}

/// Returns the FTS5 query for names that have all trigrams of at least one text of each list in
/// `parts`.
fn index_query(parts: &[Vec<String>]) -> String {
    let all_trigrams = |text: &String| {
        let trigrams = text.split(ANYTHING).flat_map(trigrams);
        let trigrams: Vec<String> = trigrams.map(|one| format!("\"{one}\"")).collect();
        format!("({})", trigrams.join(" AND "))
    };
    let one_of = |texts: &Vec<String>| {
        let texts: Vec<String> = texts.iter().map(all_trigrams).collect();
        format!("({})", texts.join(" OR "))
    };
    let parts: Vec<String> = parts.iter().map(one_of).collect();
    parts.join(" AND ")
}

fn trigrams(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.char_indices().map(|(at, _)| at);
    let ends = text
        .char_indices()
        .map(|(at, letter)| at + letter.len_utf8());
    let runs = starts.zip(ends.skip(TRIGRAM - 1));
    runs.filter_map(|(start, end)| text.get(start..end))
}

#[derive(Clone, Copy)]
pub(super) struct SearchedNames<'a>(pub &'a OpenFile);

impl SearchedNames<'_> {
    pub fn are_current(self) -> Result<bool> {
        search_rules::is_current(self.0, Searched::Names)
    }

    /// Rebuilds all rows and the index, within the open transaction. Passes the number of suppliers
    /// and customers done, and their total, to `on_progress`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, or the error of `on_progress`.
    pub fn rebuild(self, on_progress: &mut dyn FnMut(u64, u64) -> Result<()>) -> Result<()> {
        let db = self.0;
        db.batch(
            "DELETE FROM searched_name; INSERT INTO name_index (name_index) VALUES ('delete-all')",
        )?;
        let sql = "SELECT (SELECT count(*) FROM supplier) \
                   + (SELECT count(DISTINCT customer_inn) FROM contract_facet)";
        let total = db.value(sql, (), |row| row.get(0))?;
        let mut done = 0;
        on_progress(done, total)?;
        let mut written = || {
            done += 1;
            match done % REPORTED {
                0 => on_progress(done, total),
                _ => Ok(()),
            }
        };
        self.each_supplier(|id| {
            self.replace(None, self.of_supplier(id)?)?;
            written()
        })?;
        let mut id = FIRST_CUSTOMER;
        self.each_customer(|inn| {
            if let Some(name) = self.of_customer(inn)? {
                self.replace(None, Some(StoredName { id, ..name }))?;
                id += 1;
            }
            written()
        })?;
        search_rules::set_current(db, Searched::Names)
    }

    fn each_supplier(self, each: impl FnMut(i64) -> Result<()>) -> Result<()> {
        let sql = "SELECT id FROM supplier ORDER BY id";
        self.0.each(sql, (), |row| row.get(0), each)
    }

    fn each_customer(self, mut each: impl FnMut(&LogSubject) -> Result<()>) -> Result<()> {
        let sql = "SELECT DISTINCT CAST(customer_inn AS TEXT) FROM contract_facet";
        let read = |row: &Row<'_>| row.get(0);
        self.0.each(sql, (), read, |inn: String| {
            LogSubject::customer(&inn).map_or(Ok(()), |inn| each(&inn))
        })
    }

    /// Updates the rows of the suppliers and customers that this import has changed.
    pub fn write(self, log: ChangeLog<'_>) -> Result<()> {
        log.each_supplier(|id| {
            let before = self.stored(id)?;
            self.replace(before, self.of_supplier(id)?)
        })?;
        log.each_customer(|inn| {
            let before = self.stored_customer(inn)?;
            let name = self.of_customer(inn)?;
            let id = match &before {
                Some(before) => before.id,
                None => self.next_customer()?,
            };
            self.replace(before, name.map(|name| StoredName { id, ..name }))
        })
    }

    fn replace(self, before: Option<StoredName>, now: Option<StoredName>) -> Result<()> {
        if before == now {
            return Ok(());
        }
        let text = |row: &Option<StoredName>| row.as_ref().map(|row| row.name.clone());
        let is_renamed = text(&before) != text(&now);
        if let Some(before) = before {
            if is_renamed {
                let sql = "INSERT INTO name_index (name_index, rowid, name) \
                           VALUES ('delete', ?1, ?2)";
                self.0.execute(sql, (before.id, &before.name))?;
            }
            self.0
                .execute("DELETE FROM searched_name WHERE id = ?1", [before.id])?;
        }
        if let Some(now) = now {
            if is_renamed {
                let sql = "INSERT INTO name_index (rowid, name) VALUES (?1, ?2)";
                self.0.execute(sql, (now.id, &now.name))?;
            }
            let sql = "INSERT INTO searched_name (id, inn, contracts, name) \
                       VALUES (?1, ?2, ?3, ?4)";
            self.0
                .execute(sql, params![now.id, now.inn, now.contracts, now.name])?;
        }
        Ok(())
    }

    fn stored(self, id: i64) -> Result<Option<StoredName>> {
        let sql = "SELECT id, inn, contracts, name FROM searched_name WHERE id = ?1";
        self.0.one(sql, [id], StoredName::read)
    }

    fn stored_customer(self, inn: &LogSubject) -> Result<Option<StoredName>> {
        let sql = concat!(
            "SELECT id, inn, contracts, name FROM searched_name WHERE inn = ?1 AND ",
            is_customer!()
        );
        self.0.one(sql, [inn], StoredName::read)
    }

    fn next_customer(self) -> Result<i64> {
        let sql = "SELECT max(id) FROM searched_name";
        let last: Option<i64> = self.0.value(sql, (), |row| row.get(0))?;
        Ok(last.map_or(FIRST_CUSTOMER, |last| FIRST_CUSTOMER.max(last + 1)))
    }

    /// Computes the row of a supplier. Returns `None` if the supplier is unknown or has no name.
    fn of_supplier(self, id: i64) -> Result<Option<StoredName>> {
        let suppliers = Suppliers(self.0);
        let row = suppliers.row_of_id(id)?;
        // The supplier row without an INN stands for many suppliers, so it has no name.
        let is_named = !row.inn.is_none() && !row.name().is_empty();
        if !is_named || !row.is_known(suppliers.has_entries(&row.inn)?) {
            return Ok(None);
        }
        let inn = LogSubject::customer(row.inn.as_str());
        Ok(Some(StoredName {
            id,
            inn: inn.ok_or_else(|| self.0.damaged("an INN is malformed"))?,
            contracts: row.contracts,
            name: searched_name(row.name()),
        }))
    }

    /// Computes the row of a customer, with a provisional id. Returns `None` if no contract states
    /// the customer's name.
    fn of_customer(self, inn: &LogSubject) -> Result<Option<StoredName>> {
        let sql = "SELECT supplier.inn, record FROM contract_facet JOIN contract USING (id) \
                   JOIN supplier ON supplier.id = contract_facet.id >> ?2 \
                   WHERE customer_inn = ?1 AND is_customer_named AND sign_date = (\
                   SELECT sign_date FROM contract_facet WHERE customer_inn = ?1 \
                   AND is_customer_named ORDER BY sign_date DESC LIMIT 1) \
                   ORDER BY contract_facet.id";
        let mut newest = NewestName::default();
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        self.0.each(
            sql,
            params![inn, SUPPLIER_SHIFT],
            read,
            |(supplier, record): (String, Vec<u8>)| {
                let supplier = Inn::from_stored(&supplier);
                let supplier = supplier.ok_or_else(|| self.0.damaged("an INN is malformed"))?;
                newest.take(&record::contract(&self.0.path, &supplier, &record)?);
                Ok::<_, Error>(())
            },
        )?;
        if newest.name.is_empty() {
            return Ok(None);
        }
        let sql = "SELECT count(*) FROM contract_facet WHERE customer_inn = ?1";
        Ok(Some(StoredName {
            id: FIRST_CUSTOMER,
            inn: inn.clone(),
            contracts: self.0.value(sql, [inn], |row| row.get(0))?,
            name: searched_name(&newest.name),
        }))
    }

    /// Checks that the rows match the suppliers and contracts, and that the index matches the rows.
    /// Skips rows made by other rules.
    pub fn check(self) -> Result<()> {
        if !self.are_current()? {
            return Ok(());
        }
        let db = self.0;
        let mismatch =
            || db.damaged("the searchable names do not match those of suppliers and customers");
        let (mut rows, mut digest_of_rows) = (0_u64, 0_u64);
        let mut compare =
            |expected: Option<StoredName>, found: Option<StoredName>| match (expected, found) {
                (None, None) => Ok(()),
                (Some(expected), Some(found)) if expected == found => {
                    rows += 1;
                    digest_of_rows = digest_of_rows.wrapping_add(found.index_digest());
                    Ok(())
                }
                _ => Err(mismatch()),
            };
        self.each_supplier(|id| compare(self.of_supplier(id)?, self.stored(id)?))?;
        self.each_customer(|inn| {
            let stored = self.stored_customer(inn)?;
            let id = stored.as_ref().map_or(FIRST_CUSTOMER, |stored| stored.id);
            let expected = self.of_customer(inn)?;
            compare(expected.map(|name| StoredName { id, ..name }), stored)
        })?;
        let sql = "SELECT count(*) FROM searched_name";
        match db.value(sql, (), |row| row.get::<_, u64>(0))? == rows
            && self.digest_of_index()? == digest_of_rows
        {
            true => Ok(()),
            false => Err(mismatch()),
        }
    }

    fn digest_of_index(self) -> Result<u64> {
        let db = self.0;
        db.batch("CREATE VIRTUAL TABLE temp.name_run USING fts5vocab(main, name_index, instance)")?;
        let mut sum = 0_u64;
        db.each_row("SELECT term, doc FROM name_run", (), |row| {
            let columns = row
                .get_ref(0)
                .and_then(|run| Ok((run.as_str()?, row.get(1)?)));
            let (run, id) = columns.map_err(|error| db.failed(error))?;
            sum = sum.wrapping_add(digest(run, id));
            Ok(())
        })?;
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::check::check;
    use super::super::file::{DATA, open_to_write};
    use super::super::lines::PackedLine;
    use super::super::writer::Writer;
    use super::*;
    use crate::model::{Contract, Supplier};

    fn import(path: &Path, lines: Vec<PackedLine>) {
        let mut writer = Writer::open(path).expect("a writer");
        for line in lines {
            writer.line(line).expect("taken");
        }
        writer.write().expect("written");
        writer.finish().expect("the import ends");
    }

    /// Returns the rows, the digest of the index, and whether both follow this program's rules.
    fn names(path: &Path) -> (Vec<StoredName>, u64, bool) {
        let file = DATA.open_to_read(path).expect("the file");
        let sql = "SELECT id, inn, contracts, name FROM searched_name ORDER BY id";
        let rows = file.all(sql, (), StoredName::read).expect("the rows");
        let names = SearchedNames(&file);
        let digest = names.digest_of_index().expect("a digest");
        (rows, digest, names.are_current().expect("a version"))
    }

    #[test]
    fn names_of_other_rules_are_not_checked_and_the_next_import_writes_them_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.sqlite");
        let line = |number: u64| {
            let supplier = Supplier {
                inn: Inn::parse(&format!("960000000{number}")).expect("an INN"),
                name: format!("ООО \"Ёлка {number}\""),
            };
            let contract = Contract {
                reg_num: format!("{number:019}"),
                customer_inn: format!("77010000{:02}", number / 2),
                customer_name: format!("МКУ Причал {}", number / 2),
                ..Contract::default()
            };
            PackedLine::contract(supplier, &contract).expect("packed")
        };
        import(&path, (0..5).map(line).collect());
        let expected = names(&path);
        assert_eq!(expected.0.len(), 5 + 3);
        assert_eq!(expected.0[5].name, " причал 0 \t мку ");
        check(&path).expect("sound");

        let file = open_to_write(&path).expect("a connection");
        file.execute_batch(
            "UPDATE searched_name SET name = ' другое ' WHERE id < 3; \
             DELETE FROM searched_name WHERE id >= 4294967296; \
             INSERT INTO name_index (name_index) VALUES ('delete-all')",
        )
        .expect("as other rules left it");
        check(&path).expect_err("other names than these rules make");
        let sql = "UPDATE search_rules SET names = 7, sum = row_sum(words, 7)";
        file.execute(sql, ()).expect("other rules");
        drop(file);
        check(&path).expect("sound");
        import(&path, Vec::new());
        assert_eq!(names(&path), expected);
        check(&path).expect("sound");

        // This import also changes names.
        let file = open_to_write(&path).expect("a connection");
        file.execute(sql, ()).expect("other rules");
        drop(file);
        import(&path, vec![line(6)]);
        let (rows, _, are_current) = names(&path);
        assert!(are_current && rows.len() == 6 + 4, "{rows:?}");
        check(&path).expect("sound");
    }

    #[test]
    fn the_condition_for_customers_matches_the_index_and_the_first_id() {
        assert_eq!(is_customer!(), format!("id >= {FIRST_CUSTOMER}"));
        let index = concat!("ON searched_name (inn) WHERE ", is_customer!(), ";");
        assert!((DATA.schema)().contains(index));
    }
}
