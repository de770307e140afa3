//! A batch compared with what the file has, and what is new in it written, within
//! the transaction that is under way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Params, Row, params};

use super::batch::{
    Batch, ContractLine, DocumentContent, DocumentKind, DocumentVersion, EntryLine, Pending, Tally,
};
use super::contract_rows::{Change, Place, Rows, contract_id};
use super::error::{Error, Result};
use super::record;
use super::suppliers::Suppliers;
use crate::model::{Contract, Inn, RnpEntry, Supplier};

/// How many contracts are held in memory when their supplier is named anew.
const NAMED_AT_ONCE: usize = 1000;

/// A batch that is being written.
pub(super) struct Writing<'a> {
    connection: &'a Connection,
    path: &'a Path,
    suppliers: Suppliers<'a>,
    /// What becomes of contracts, by supplier and registry number.
    changes: BTreeMap<(i64, String), Option<ContractLine>>,
    /// Suppliers whose name a document gave that no longer does.
    nameless: BTreeSet<Inn>,
    tallies: BTreeMap<&'static str, Tally>,
    changed: bool,
}

/// What came of one thing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    New,
    Newer,
    Unchanged,
}

impl<'a> Writing<'a> {
    pub fn new(connection: &'a Connection, path: &'a Path) -> Self {
        Self {
            connection,
            path,
            suppliers: Suppliers::new(connection, path),
            changes: BTreeMap::new(),
            nameless: BTreeSet::new(),
            tallies: BTreeMap::new(),
            changed: false,
        }
    }

    /// Takes a batch in.
    pub fn batch(&mut self, batch: Batch) -> Result<()> {
        for (inn, name) in batch.names {
            self.suppliers.row(&inn)?.given_name = name;
        }
        for (inn, pending) in batch.stated {
            self.stated(&inn, &pending)?;
        }
        // Documents first: whether a line is outranked is then in the file.
        for ((kind, key), pending) in batch.documents {
            self.document(kind, &key, pending)?;
        }
        for ((reg_num, inn), pending) in batch.contracts {
            self.contract_line(reg_num, &inn, pending)?;
        }
        for (number, pending) in batch.entries {
            self.entry_line(&number, pending)?;
        }
        for (number, pending) in batch.purchases {
            self.purchase_line(&number, &pending)?;
        }
        Ok(())
    }

    /// Writes what was gathered by supplier. What became of the lines and
    /// documents, and has anything changed?
    pub fn finish(mut self) -> Result<(BTreeMap<&'static str, Tally>, bool)> {
        let mut by_supplier: BTreeMap<i64, Vec<Change>> = BTreeMap::new();
        for ((supplier, reg_num), line) in std::mem::take(&mut self.changes) {
            if let Some(change) = self.change_of_key(supplier, reg_num, line)? {
                by_supplier.entry(supplier).or_default().push(change);
            }
        }
        for (supplier, changes) in by_supplier {
            let row = self.suppliers.row_of_id(supplier)?;
            let mut rows = Rows {
                connection: self.connection,
                path: self.path,
                supplier,
                count: row.contracts,
            };
            rows.apply(changes)?;
            row.contracts = rows.count;
            self.changed = true;
        }
        for inn in std::mem::take(&mut self.nameless) {
            self.name_anew(&inn)?;
        }
        self.changed |= self.suppliers.write()?;
        Ok((self.tallies, self.changed))
    }

    fn tally<T>(&mut self, pending: &Pending<T>, fate: Fate) {
        let tally = self.tallies.entry(pending.kind).or_default();
        match fate {
            Fate::New => {
                tally.new += 1;
                tally.newer += pending.lines - 1;
            }
            Fate::Newer => tally.newer += pending.lines,
            Fate::Unchanged => tally.unchanged += pending.lines,
        }
    }

    fn stated(&mut self, inn: &Inn, pending: &Pending<()>) -> Result<()> {
        let row = self.suppliers.row(inn)?;
        let fate = if row.stated {
            Fate::Unchanged
        } else {
            Fate::New
        };
        row.stated = true;
        self.tally(pending, fate);
        Ok(())
    }

    fn document(
        &mut self,
        kind: DocumentKind,
        key: &str,
        pending: Pending<DocumentVersion>,
    ) -> Result<()> {
        let stored = self.one(
            "SELECT version, published, facts FROM document WHERE kind = ?1 AND key = ?2",
            params![kind as i64, key],
            |row| {
                Ok((
                    row.get::<_, i64>(0)?,
                    row.get::<_, i64>(1)?,
                    row.get::<_, Vec<u8>>(2)?,
                ))
            },
        )?;
        let new = &pending.value;
        let fate = match &stored {
            None => Fate::New,
            Some((version, published, facts))
                if (*version, *published, facts.as_slice()) < new.rank() =>
            {
                Fate::Newer
            }
            Some(_) => Fate::Unchanged,
        };
        self.tally(&pending, fate);
        if fate == Fate::Unchanged {
            return Ok(());
        }
        self.changed = true;
        let DocumentVersion {
            version,
            published,
            facts,
            content,
        } = pending.value;
        let forgotten = match stored {
            Some((_, _, earlier)) => self.forget_names(&earlier, key)?,
            None => Vec::new(),
        };
        self.execute(
            "INSERT INTO document (kind, key, version, published, facts) VALUES (?1, ?2, ?3, ?4, ?5) \
             ON CONFLICT DO UPDATE SET version = ?3, published = ?4, facts = ?5",
            params![kind as i64, key, version, published, facts],
        )?;
        match content {
            DocumentContent::Contract {
                contract,
                suppliers,
            } => self.contract_document(&contract, &suppliers, published)?,
            DocumentContent::RnpEntry(entry) => self.entry_document(key, entry, published)?,
        }
        // Most newer versions name the supplier again, and are newer than all that
        // the earlier one was newer than: there is nothing to look for.
        for (inn, since) in forgotten {
            if self.suppliers.row(&inn)?.is_named_by(key, since) {
                self.nameless.remove(&inn);
            }
        }
        Ok(())
    }

    /// A document about `key` no longer says what its facts said: the suppliers that
    /// have their names from it are to be named anew. Which are they, and since when
    /// did they have them?
    fn forget_names(&mut self, facts: &[u8], key: &str) -> Result<Vec<(Inn, i64)>> {
        let earlier: DocumentContent = record::decode(self.path, facts)?;
        let mut forgotten = Vec::new();
        for supplier in earlier.suppliers() {
            if let Some(since) = self.suppliers.row(&supplier.inn)?.forget_name_by(key)
                && self.nameless.insert(supplier.inn.clone())
            {
                forgotten.push((supplier.inn.clone(), since));
            }
        }
        Ok(forgotten)
    }

    /// Names a supplier by the documents that are about it now.
    fn name_anew(&mut self, inn: &Inn) -> Result<()> {
        let row = self.suppliers.row(inn)?;
        let (id, count) = (row.id, row.contracts);
        let mut documents = Vec::new();
        for start in (0..count).step_by(NAMED_AT_ONCE) {
            let end = count.min(start + NAMED_AT_ONCE as u64);
            let records: Vec<Vec<u8>> = self.all(
                "SELECT record FROM contract WHERE id >= ?1 AND id < ?2",
                [contract_id(id, start), contract_id(id, end)],
                |row| row.get(0),
            )?;
            for bytes in records {
                let contract: Contract = record::decode(self.path, &bytes)?;
                documents.push((DocumentKind::Contract, contract.reg_num));
            }
        }
        let sql = "SELECT number FROM rnp_entry WHERE supplier = ?1";
        let numbers: Vec<String> = self.all(sql, [id], |row| row.get(0))?;
        documents.extend(
            numbers
                .into_iter()
                .map(|number| (DocumentKind::RnpEntry, number)),
        );
        for (kind, key) in documents {
            let stored = self.one(
                "SELECT published, facts FROM document WHERE kind = ?1 AND key = ?2",
                params![kind as i64, key],
                |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?)),
            )?;
            let Some((published, facts)) = stored else {
                continue;
            };
            let content: DocumentContent = record::decode(self.path, &facts)?;
            for supplier in content
                .suppliers()
                .iter()
                .filter(|supplier| supplier.inn == *inn)
            {
                self.suppliers.official_name(supplier, published, &key)?;
            }
        }
        Ok(())
    }

    /// The contract is listed under exactly the suppliers that the document names.
    fn contract_document(
        &mut self,
        contract: &Contract,
        suppliers: &[Supplier],
        published: i64,
    ) -> Result<()> {
        let listed: Vec<i64> = self.all(
            "SELECT supplier FROM contract_key WHERE reg_num = ?1",
            [&contract.reg_num],
            |row| row.get(0),
        )?;
        for supplier in listed {
            self.changes
                .insert((supplier, contract.reg_num.clone()), None);
        }
        let record = record::encode(self.path, contract)?;
        for supplier in suppliers {
            self.suppliers
                .official_name(supplier, published, &contract.reg_num)?;
            let id = self.suppliers.row(&supplier.inn)?.id;
            let line = ContractLine {
                place: Place::of(contract),
                record: record.clone(),
            };
            self.changes
                .insert((id, contract.reg_num.clone()), Some(line));
        }
        Ok(())
    }

    fn entry_document(
        &mut self,
        key: &str,
        entry: Option<(Supplier, RnpEntry)>,
        published: i64,
    ) -> Result<()> {
        let Some((supplier, entry)) = entry else {
            return self.execute("DELETE FROM rnp_entry WHERE number = ?1", [key]);
        };
        self.suppliers.official_name(&supplier, published, key)?;
        let line = EntryLine {
            inn: supplier.inn,
            federal_law: entry.federal_law.clone(),
            record: record::encode(self.path, &entry)?,
        };
        self.put_entry(key, &line).map(drop)
    }

    fn contract_line(
        &mut self,
        reg_num: String,
        inn: &Inn,
        pending: Pending<ContractLine>,
    ) -> Result<()> {
        if self.has_document(DocumentKind::Contract, &reg_num)? {
            self.tally(&pending, Fate::Unchanged);
            return Ok(());
        }
        let supplier = self.suppliers.row(inn)?.id;
        let digest = record::digest(&pending.value.record);
        let fate = match self.stored_key(supplier, &reg_num)? {
            None => Fate::New,
            Some((_, stored)) if stored == digest => Fate::Unchanged,
            Some(_) => Fate::Newer,
        };
        self.tally(&pending, fate);
        if fate != Fate::Unchanged {
            self.changes
                .insert((supplier, reg_num), Some(pending.value));
        }
        Ok(())
    }

    fn entry_line(&mut self, number: &str, pending: Pending<EntryLine>) -> Result<()> {
        let fate = if self.has_document(DocumentKind::RnpEntry, number)? {
            Fate::Unchanged
        } else {
            self.put_entry(number, &pending.value)?
        };
        self.tally(&pending, fate);
        Ok(())
    }

    fn put_entry(&mut self, number: &str, line: &EntryLine) -> Result<Fate> {
        let supplier = self.suppliers.row(&line.inn)?.id;
        let stored = self.one(
            "SELECT supplier, record FROM rnp_entry WHERE number = ?1",
            [number],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?)),
        )?;
        let fate = match stored {
            None => Fate::New,
            Some(stored) if stored == (supplier, line.record.clone()) => {
                return Ok(Fate::Unchanged);
            }
            Some(_) => Fate::Newer,
        };
        self.changed = true;
        self.execute(
            "INSERT INTO rnp_entry (number, supplier, federal_law, record) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT DO UPDATE SET supplier = ?2, federal_law = ?3, record = ?4",
            params![number, supplier, line.federal_law, line.record],
        )?;
        Ok(fate)
    }

    fn purchase_line(&mut self, number: &str, pending: &Pending<Vec<u8>>) -> Result<()> {
        let stored = self.one(
            "SELECT record FROM purchase WHERE number = ?1",
            [number],
            |row| row.get::<_, Vec<u8>>(0),
        )?;
        let fate = match stored {
            None => Fate::New,
            Some(stored) if stored == pending.value => Fate::Unchanged,
            Some(_) => Fate::Newer,
        };
        self.tally(pending, fate);
        if fate != Fate::Unchanged {
            self.changed = true;
            self.execute(
                "INSERT INTO purchase (number, record) VALUES (?1, ?2) \
                 ON CONFLICT DO UPDATE SET record = ?2",
                params![number, pending.value],
            )?;
        }
        Ok(())
    }

    /// Removes the entries of `laws` that are not among `numbers`, and the
    /// documents they came from; how many entries?
    pub fn remove_entries_not_in(
        &mut self,
        laws: &BTreeSet<String>,
        numbers: &BTreeSet<String>,
    ) -> Result<u64> {
        let mut gone = 0;
        for law in laws {
            let sql = "SELECT number FROM rnp_entry WHERE federal_law = ?1";
            let stored: Vec<String> = self.all(sql, [law], |row| row.get(0))?;
            for number in stored.iter().filter(|number| !numbers.contains(*number)) {
                self.execute("DELETE FROM rnp_entry WHERE number = ?1", [number])?;
                let of_document = params![DocumentKind::RnpEntry as i64, number];
                let facts: Option<Vec<u8>> = self.one(
                    "DELETE FROM document WHERE kind = ?1 AND key = ?2 RETURNING facts",
                    of_document,
                    |row| row.get(0),
                )?;
                if let Some(facts) = facts {
                    self.forget_names(&facts, number)?;
                }
                gone += 1;
            }
        }
        self.changed |= gone > 0;
        Ok(gone)
    }

    /// Writes the key of a contract; what becomes of its row, if anything?
    fn change_of_key(
        &self,
        supplier: i64,
        reg_num: String,
        line: Option<ContractLine>,
    ) -> Result<Option<Change>> {
        let stored = self.stored_key(supplier, &reg_num)?;
        let old = stored.map(|(sign_date, _)| Place {
            sign_date,
            reg_num: reg_num.clone(),
        });
        let Some(ContractLine { place, record }) = line else {
            let sql = "DELETE FROM contract_key WHERE reg_num = ?1 AND supplier = ?2";
            self.execute(sql, params![reg_num, supplier])?;
            return Ok(old.map(|old| Change {
                old: Some(old),
                new: None,
            }));
        };
        let digest = record::digest(&record);
        if stored.is_some_and(|(_, stored)| stored == digest) {
            return Ok(None);
        }
        self.execute(
            "INSERT INTO contract_key (reg_num, supplier, sign_date, digest) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT DO UPDATE SET sign_date = ?3, digest = ?4",
            params![reg_num, supplier, place.sign_date, digest],
        )?;
        Ok(Some(Change {
            old,
            new: Some((place, record)),
        }))
    }

    /// Sign date and digest of a contract that is there.
    fn stored_key(&self, supplier: i64, reg_num: &str) -> Result<Option<(u32, i64)>> {
        self.one(
            "SELECT sign_date, digest FROM contract_key WHERE reg_num = ?1 AND supplier = ?2",
            params![reg_num, supplier],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }

    fn has_document(&self, kind: DocumentKind, key: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM document WHERE kind = ?1 AND key = ?2";
        Ok(self
            .one(sql, params![kind as i64, key], |_| Ok(()))?
            .is_some())
    }

    fn one<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(params, read).optional())
            .map_err(|error| Error::sqlite(self.path, error))
    }

    fn all<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_map(params, read)?.collect())
            .map_err(|error| Error::sqlite(self.path, error))
    }

    fn execute(&self, sql: &'static str, params: impl Params) -> Result<()> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params))
            .map(drop)
            .map_err(|error| Error::sqlite(self.path, error))
    }
}
