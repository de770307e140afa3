//! Merges staged contracts into the file. Keys come first, by registry number: they decide which
//! lines count. Rows follow, by supplier and position.

use std::io;
use std::sync::Arc;

use super::batch::Successive;
use super::changes::{ChangeLog, ChangedCustomers};
use super::contracts::{ContractEdit, ContractKeys, ContractPosition, Rows};
use super::documents::Documents;
use super::error::Result;
use super::facets::{begin_adding, index_customers};
use super::file::OpenFile;
use super::lines::{GONE, StagedKey, StagedRow, Staging, no_room, torn};
use super::suppliers::{StoredSupplier, Suppliers};
use super::tally::Tally;
use crate::model::{ChangedPart, DocumentSubject};

/// The size of the edits applied at once for a supplier that has contracts, in bytes. Each
/// application moves the later rows once.
const EDITS_AT_ONCE: usize = if cfg!(test) { 3000 } else { 32 << 20 };

/// The estimated memory of an edit beside its record, in bytes.
const OVERHEAD: usize = 200;

/// The set of lines that count, one bit each.
struct CountingLines(Vec<u64>);

impl CountingLines {
    fn none_of(lines: u64) -> Self {
        let words = usize::try_from(lines / 64 + 1).unwrap_or(usize::MAX);
        Self(vec![0; words])
    }

    fn add(&mut self, line: u64) {
        if let Some(word) = self.0.get_mut((line / 64) as usize) {
            *word |= 1 << (line % 64);
        }
    }

    fn has(&self, line: u64) -> bool {
        let word = self.0.get((line / 64) as usize);
        word.is_some_and(|word| word & (1 << (line % 64)) != 0)
    }
}

/// Merges the staged contracts into the file, within the current transaction. Returns the tally of
/// the lines.
pub(super) fn merge(db: &OpenFile, mut staging: Staging) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut counting = CountingLines::none_of(staging.contracts);
    merge_keys(db, &mut staging, &mut counting, &mut tally)?;
    let rebuilds_index = begin_adding(db, staging.contracts)?;
    let failed = |error: io::Error| no_room(&db.path, &error);
    let mut merge = RowMerge {
        db,
        log: ChangeLog::for_import(db)?,
        customers: ChangedCustomers::default(),
        supplier: None,
    };
    let mut rows = staging.rows.merge().map_err(failed)?;
    while let Some((key, body)) = rows.next().map_err(failed)? {
        let row = StagedRow::read(key, body).ok_or_else(|| torn(&db.path))?;
        if row.line == GONE || counting.has(row.line) {
            merge.row(row)?;
        }
    }
    let last = merge.supplier.take();
    merge.end(last)?;
    merge.log.customers(&mut merge.customers)?;
    if rebuilds_index {
        index_customers(db)?;
    }
    Ok(tally)
}

/// Writes the keys of the lines that count, and marks these lines.
fn merge_keys(
    db: &OpenFile,
    staging: &mut Staging,
    counting: &mut CountingLines,
    merged: &mut Tally,
) -> Result<()> {
    let failed = |error: io::Error| no_room(&db.path, &error);
    let stored = StoredContracts {
        db,
        any_documents: !Documents(db).is_empty()?,
        any_keys: !ContractKeys(db).is_empty()?,
    };
    let none = Staging::new(&db.path).keys;
    let keys = std::mem::replace(&mut staging.keys, none).merge();
    let mut keys = keys.map_err(failed)?;
    let mut contract: Option<LinesOfContract> = None;
    while let Some((key, body)) = keys.next().map_err(failed)? {
        let line = StagedKey::read(key, body).ok_or_else(|| torn(&db.path))?;
        let mut lines = match contract.take() {
            Some(contract) if contract.is_of(&line) => contract,
            last => {
                if let Some(last) = last {
                    stored.put(last, staging, counting, merged)?;
                }
                stored.contract(&line)?
            }
        };
        lines.digests.add(line.digest);
        lines.last = line;
        contract = Some(lines);
    }
    contract.map_or(Ok(()), |last| stored.put(last, staging, counting, merged))
}

/// The lines about one contract.
struct LinesOfContract {
    /// The sign date in the file.
    stored: Option<u32>,
    digests: Successive<i64>,
    last: StagedKey,
}

impl LinesOfContract {
    fn is_of(&self, line: &StagedKey) -> bool {
        (line.supplier, &line.reg_num) == (self.last.supplier, &self.last.reg_num)
    }
}

/// The contracts in the file.
struct StoredContracts<'a> {
    db: &'a OpenFile,
    any_documents: bool,
    any_keys: bool,
}

impl StoredContracts<'_> {
    /// Returns the stored contract that a line is about.
    fn contract(&self, line: &StagedKey) -> Result<LinesOfContract> {
        let outranked = self.any_documents
            && Documents(self.db).has_founding(DocumentSubject::Contract, &line.reg_num)?;
        let stored = match self.any_keys {
            true => ContractKeys(self.db).get(line.supplier, &line.reg_num)?,
            false => None,
        };
        Ok(LinesOfContract {
            stored: stored.map(|(sign_date, _)| sign_date),
            digests: Successive::new(stored.map(|(_, digest)| digest), outranked),
            last: line.clone(),
        })
    }

    /// Writes the key of a contract if its lines changed it.
    fn put(
        &self,
        contract: LinesOfContract,
        staging: &mut Staging,
        counting: &mut CountingLines,
        merged: &mut Tally,
    ) -> Result<()> {
        let (digest, tally) = contract.digests.end();
        merged.add(tally);
        let (Some(digest), last) = (digest, contract.last) else {
            return Ok(());
        };
        if let Some(sign_date) = contract.stored {
            let position = ContractPosition {
                sign_date,
                reg_num: last.reg_num.clone(),
            };
            staging.remove(last.supplier, &position)?;
        }
        counting.add(last.line);
        ContractKeys(self.db).put(last.supplier, &last.reg_num, last.sign_date, digest)
    }
}

/// Merges rows, supplier by supplier.
struct RowMerge<'a> {
    db: &'a OpenFile,
    log: ChangeLog<'a>,
    customers: ChangedCustomers,
    supplier: Option<SupplierMerge<'a>>,
}

struct SupplierMerge<'a> {
    row: StoredSupplier,
    rows: Rows<'a>,
    /// Whether the supplier had no contracts. If so, rows are appended in the order of arrival.
    is_new: bool,
    edits: Vec<ContractEdit>,
    bytes: usize,
}

impl<'a> RowMerge<'a> {
    fn supplier_of(&self, id: i64) -> Result<SupplierMerge<'a>> {
        let row = Suppliers(self.db).row_of_id(id)?;
        Ok(SupplierMerge {
            rows: Rows {
                db: self.db,
                supplier: id,
                inn: row.inn.clone(),
                count: row.contracts,
            },
            is_new: row.contracts == 0,
            row,
            edits: Vec::new(),
            bytes: 0,
        })
    }

    /// Adds a row: a contract at a position, or its removal.
    fn row(&mut self, row: StagedRow<'_>) -> Result<()> {
        let StagedRow {
            position, record, ..
        } = row;
        let supplier = match self.supplier.take() {
            Some(supplier) if supplier.rows.supplier == row.supplier => supplier,
            last => {
                self.end(last)?;
                self.supplier_of(row.supplier)?
            }
        };
        let supplier = self.supplier.insert(supplier);
        if row.line == GONE {
            // A removal comes after a new contract at the same position.
            let same =
                |last: &&mut ContractEdit| matches!(&last.new, Some((new, _)) if *new == position);
            match supplier.edits.last_mut().filter(same) {
                Some(last) => last.old = Some(position),
                None => supplier.edits.push(ContractEdit {
                    old: Some(position),
                    new: None,
                }),
            }
            return Ok(());
        }
        if supplier.is_new {
            supplier.rows.append(record, &mut self.customers)?;
            return match self.customers.is_full() {
                true => self.log.customers(&mut self.customers),
                false => Ok(()),
            };
        }
        if supplier.bytes >= EDITS_AT_ONCE {
            supplier.apply(&mut self.customers)?;
        }
        supplier.bytes += record.len() + OVERHEAD;
        supplier.edits.push(ContractEdit {
            old: None,
            new: Some((position, Arc::from(record))),
        });
        Ok(())
    }

    fn end(&mut self, supplier: Option<SupplierMerge<'a>>) -> Result<()> {
        let Some(mut supplier) = supplier else {
            return Ok(());
        };
        supplier.apply(&mut self.customers)?;
        if self.customers.is_full() {
            self.log.customers(&mut self.customers)?;
        }
        let was_known = supplier.row.is_known_without_entries();
        supplier.row.contracts = supplier.rows.count;
        let suppliers = Suppliers(self.db);
        suppliers.update(&supplier.row)?;
        let id = supplier.row.id;
        self.log.add(ChangedPart::Contracts, id)?;
        if !was_known && !suppliers.has_entries(&supplier.row.inn)? {
            self.log.add(ChangedPart::Rnp, id)?;
        }
        Ok(())
    }
}

impl SupplierMerge<'_> {
    /// Applies the gathered edits.
    fn apply(&mut self, customers: &mut ChangedCustomers) -> Result<()> {
        self.bytes = 0;
        let edits = std::mem::take(&mut self.edits);
        self.rows.apply(edits, customers)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::file::model;
    use super::super::lines::{LineContent, PackedContract, PackedLine};
    use super::*;
    use crate::model::{Contract, Date, Inn, Supplier as Named};

    struct File(OpenFile);

    impl File {
        fn new() -> Self {
            let connection = model().expect("an empty file");
            let suppliers = "INSERT INTO supplier (id, inn, sum) \
                 SELECT column1, column2, row_sum(column2, 0, 0, '', '', 0, '') \
                 FROM (VALUES (1, '9600000002'), (2, '9600000003'), (3, '9600000004'))";
            connection.execute_batch(suppliers).expect("suppliers");
            let file = OpenFile::new(connection, Path::new("data.sqlite"));
            Self(file)
        }

        /// Merges staged lines, with memory for only a few.
        fn merge(&self, lines: &[(i64, PackedContract)]) -> Tally {
            let folder = tempfile::tempdir().expect("a folder");
            let mut staging = Staging::in_memory_of(&folder.path().join("data.sqlite"), 700);
            for (supplier, contract) in lines {
                staging
                    .add_contract(*supplier, contract)
                    .expect("it is staged");
            }
            merge(&self.0, staging).expect("it is merged")
        }

        /// Returns the rows, the keys, and the suppliers' numbers of contracts.
        fn content(&self) -> Vec<String> {
            let rows = |sql| {
                let mut statement = self.0.connection.prepare(sql).expect("a statement");
                let rows = statement.query_map((), |row| row.get::<_, String>(0));
                rows.expect("rows")
                    .collect::<rusqlite::Result<Vec<_>>>()
                    .expect("texts")
            };
            [
                "SELECT concat(id, ' ', hex(record)) FROM contract ORDER BY id",
                "SELECT concat_ws(' ', reg_num, supplier, sign_date, digest) FROM contract_key \
                 ORDER BY supplier, reg_num",
                "SELECT concat(id, ' ', contracts) FROM supplier ORDER BY id",
                "SELECT concat_ws(' ', id, sign_date, update_date, stage, customer_inn, price) \
                 FROM contract_facet ORDER BY id",
                "SELECT concat_ws(' ', customer_inn, sign_date, id) FROM contract_facet \
                 INDEXED BY contract_facet_of_customer ORDER BY customer_inn, sign_date, id",
            ]
            .map(rows)
            .concat()
        }
    }

    fn line(supplier: i64, number: u64, day: u64, subject: &str) -> (i64, PackedContract) {
        let date = (day > 0).then(|| format!("2025-{:02}-{:02}", day / 28 % 12 + 1, day % 28 + 1));
        let contract = Contract {
            // Some are no numbers, some exceed 2^63, one is a prefix of others.
            reg_num: match number % 5 {
                0 => format!("a\0{}", "b".repeat(number as usize % 7)) + &number.to_string(),
                1 => format!("98{number:017}"),
                _ => format!("10{number:017}"),
            },
            sign_date: date.and_then(|date| Date::parse_iso(&date)),
            subject: subject.to_owned(),
            ..Contract::default()
        };
        let named = Named {
            inn: Inn::parse(&(9_600_000_001 + supplier).to_string()).expect("an INN"),
            name: String::new(),
        };
        match PackedLine::contract(named, &contract).0 {
            LineContent::Contract(_, contract) => (supplier, contract),
            other => panic!("{other:?}"),
        }
    }

    /// Contracts of one supplier with most of them, and of two others.
    fn lines() -> Vec<(i64, PackedContract)> {
        let supplier = |number| match number % 10 {
            3 => 2,
            7 => 3,
            _ => 1,
        };
        (0..400_u64)
            .map(|number| line(supplier(number), number, number * number % 200, "x"))
            .collect()
    }

    #[test]
    fn however_lines_come_the_file_is_the_same() {
        let expected = File::new();
        let mut ordered = lines();
        ordered.sort_by(|(a, left), (b, right)| (a, &left.position).cmp(&(b, &right.position)));
        let tally = expected.merge(&ordered);
        assert_eq!((tally.new, tally.newer, tally.unchanged), (400, 0, 0));
        let orders: [fn(usize) -> usize; 3] = [|i| i, |i| 399 - i, |i| i * 151 % 400];
        for order in orders {
            for at_once in [400, 170, 40, 1] {
                let file = File::new();
                let mut lines: Vec<_> = lines().into_iter().map(Some).collect();
                let shuffled: Vec<_> = (0..400)
                    .map(|index| lines[order(index)].take().expect("each once"))
                    .collect();
                for part in shuffled.chunks(at_once) {
                    file.merge(part);
                }
                assert!(file.content() == expected.content(), "{at_once} at once");
            }
        }
    }

    #[test]
    fn the_last_line_counts_and_a_contract_moves_to_its_new_place() {
        let changed = || {
            let mut lines = lines();
            for number in (0..400).step_by(3) {
                let (supplier, _) = lines[number];
                // Some keep their position, some move.
                let day = (number * number % 200) as u64 + 9 * (number as u64 % 2);
                lines[number] = line(supplier, number as u64, day, "changed");
            }
            lines
        };
        let expected = File::new();
        expected.merge(&changed());
        // In one merge, then in two.
        let file = File::new();
        let mut both = lines();
        both.extend(changed());
        let tally = file.merge(&both);
        assert_eq!((tally.new, tally.newer, tally.unchanged), (400, 134, 266));
        assert!(file.content() == expected.content());
        let file = File::new();
        file.merge(&lines());
        let tally = file.merge(&changed());
        assert_eq!((tally.new, tally.newer, tally.unchanged), (0, 134, 266));
        assert!(file.content() == expected.content());
        // Moving a contract and moving it back within one merge is no change.
        let tally = file.merge(&both);
        assert_eq!((tally.new, tally.newer, tally.unchanged), (0, 0, 800));
        assert!(file.content() == expected.content());
    }
}
