//! Sends a file's rows to the published tables: all rows, or those that have changed since a
//! revision. Verifies the checksum of each row first.

use std::time::Duration;

use rusqlite::{Params, Row};

use super::super::changes::{changes_after, part_is, revision};
use super::super::content_index::contract_tokens;
use super::super::contract_id::{ids_of_supplier, supplier_of};
use super::super::data_file::DataFile;
use super::super::documents::Documents;
use super::super::error::Result;
use super::super::facet_columns::FacetColumn;
use super::super::facets::StoredFacets;
use super::super::purchase_facets::PurchaseFacets;
use super::super::query::Source;
use super::super::record::{self, RowChecksum, digest};
use super::super::reg_num::RegNum;
use super::super::rnp_index::{StoredEntry, select_entries, unsound};
use super::super::searched_names::each_changed_name;
use super::super::server_bounds::{ROWS_A_SECOND, SERVER_SILENCE};
use super::super::suppliers::{SupplierRow, select_suppliers, unsound_supplier};
use super::super::unread_entries::UnreadRow;
use super::client::{CopyIn, Param, Session, ToSql};
use super::server_row::{TEXT, saturated, sql_value};
use super::source::STEP;
use super::text::stored;
use crate::model::{ContentTokenizer, Date, EncodedContract, Inn, LogPosition, LogSubject};

/// Maximum number of changes of the log held in memory at a time.
const CHANGES_AT_ONCE: u64 = 10_000;

/// Rows between progress reports.
const REPORTED_AT_ONCE: u64 = 1000;

/// Returns how long the server may stay silent while it stores this many rows.
pub fn silence_for(rows: u64) -> Duration {
    SERVER_SILENCE + Duration::from_secs(rows / ROWS_A_SECOND)
}

pub struct RowSender<'a> {
    pub session: &'a mut Session,
    pub file: &'a DataFile,
    /// Sends only what has changed since this revision. `None` sends all rows, to new tables.
    pub after: Option<i64>,
    /// Rows sent so far.
    pub done: u64,
    /// A lower bound on the total number of rows.
    pub total: u64,
    pub report: &'a mut dyn FnMut(u64, u64),
}

struct TableSender<'a> {
    copy: CopyIn<'a>,
    file: &'a DataFile,
    done: &'a mut u64,
    total: u64,
    report: &'a mut dyn FnMut(u64, u64),
}

impl TableSender<'_> {
    fn row(&mut self, values: &[Param<'_>]) -> Result<()> {
        *self.done += 1;
        if self.done.is_multiple_of(REPORTED_AT_ONCE) && *self.done < self.total {
            (self.report)(*self.done, self.total);
        }
        self.copy.row(values)
    }

    fn contract(&mut self, sent: &SentContract<'_>) -> Result<()> {
        let facets = self.facets(sent)?;
        let facets = sql_values(&facets);
        let reg_num = sent.contract.reg_num.text();
        let (inn, reg_num, digest) = (sent.inn.key(), stored(&reg_num), sent.digest());
        let mut values: Vec<Param<'_>> = vec![&inn, &reg_num, &sent.id];
        values.extend(facets.iter().map(|value| &**value as Param<'_>));
        values.extend([&digest as Param<'_>, &sent.record]);
        self.row(&values)
    }

    fn content(&mut self, sent: &SentContract<'_>, tokens: &str) -> Result<()> {
        let facets = self.facets(sent)?;
        let facets = sql_values(&facets);
        let reg_num = sent.contract.reg_num.text();
        let (reg_num, tokens) = (stored(&reg_num), split(tokens));
        let mut values: Vec<Param<'_>> = vec![&sent.id];
        values.extend(facets.iter().map(|value| &**value as Param<'_>));
        values.extend([&reg_num as Param<'_>, &tokens]);
        self.row(&values)
    }

    fn facets<'f>(&self, sent: &'f SentContract<'_>) -> Result<StoredFacets<'f>> {
        let damaged = || record::not_a_contract(&self.file.file.path);
        StoredFacets::new(&sent.contract).ok_or_else(damaged)
    }

    fn items(&mut self, sent: &SentContract<'_>) -> Result<()> {
        if sent.items.is_empty() {
            return Ok(());
        }
        if record::unpack_items(sent.inn, sent.items).is_none() {
            return Err(record::not_items(&self.file.file.path));
        }
        self.row(&[&sent.id, &record::items_sum(sent.items), &sent.items])
    }

    fn tokens(&mut self, id: i64, tokens: &str) -> Result<()> {
        self.row(&[&id, &split(tokens)])
    }

    fn finish(self) -> Result<()> {
        self.copy.finish()
    }
}

fn sql_values<'a>(facets: &'a StoredFacets<'_>) -> Vec<Box<dyn ToSql + Sync + 'a>> {
    let facets = FacetColumn::ALL.iter().zip(&facets.values);
    facets
        .map(|(column, value)| sql_value(*column, value))
        .collect()
}

fn split(tokens: &str) -> Vec<&str> {
    let tokens = tokens.split(' ');
    tokens.filter(|token| !token.is_empty()).collect()
}

pub fn each_supplier(
    file: &DataFile,
    sql: &'static str,
    params: impl Params,
    mut each: impl FnMut(&SupplierRow) -> Result<()>,
) -> Result<()> {
    file.file.each(sql, params, SupplierRow::read, |supplier| {
        each(&supplier.ok_or_else(|| unsound_supplier(&file.file))?)
    })
}

struct SentContract<'a> {
    id: i64,
    inn: &'a Inn,
    contract: EncodedContract<'a>,
    record: &'a [u8],
    /// Sealed items; empty if the record contains everything about them.
    items: &'a [u8],
}

impl SentContract<'_> {
    /// Returns a digest that changes with the record or the items.
    fn digest(&self) -> i64 {
        digest(&[self.record, self.items].concat())
    }

    fn tokens(&self, file: &DataFile, tokenizer: &mut ContentTokenizer) -> Result<String> {
        let path = &file.file.path;
        contract_tokens(path, tokenizer, self.inn, &self.contract, self.items)
    }
}

/// Passes the contracts of a supplier to `each`, ordered by id. Reports damage if there are not as
/// many as the supplier's row says.
fn each_contract(
    file: &DataFile,
    supplier: &SupplierRow,
    mut each: impl FnMut(&SentContract<'_>) -> Result<()>,
) -> Result<()> {
    let sql = "SELECT contract.id, record, coalesce(items, x'') FROM contract \
               LEFT JOIN contract_items USING (id) WHERE contract.id >= ?1 AND contract.id < ?2 ORDER BY contract.id";
    let ids = ids_of_supplier(supplier.id);
    let mut count = 0;
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let contract = |(id, record, items): (i64, Vec<u8>, Vec<u8>)| {
        count += 1;
        each(&SentContract {
            id,
            inn: &supplier.inn,
            contract: record::contract(&file.file.path, &supplier.inn, &record)?,
            record: &record,
            items: &items,
        })
    };
    file.file.each(sql, [ids.start, ids.end], read, contract)?;
    match count == supplier.contracts {
        true => Ok(()),
        false => Err(file
            .file
            .damaged("a supplier does not have as many contracts as its row says")),
    }
}

fn each_contract_with_id(
    file: &DataFile,
    ids: &[i64],
    mut each: impl FnMut(&SentContract<'_>) -> Result<()>,
) -> Result<()> {
    let sql = "SELECT inn, record, coalesce(items, x'') FROM contract JOIN supplier ON supplier.id = ?2 \
               LEFT JOIN contract_items ON contract_items.id = contract.id WHERE contract.id = ?1";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    for id in ids {
        let params = [*id, supplier_of(*id)];
        let row: (String, Vec<u8>, Vec<u8>) = file.file.value(sql, params, read)?;
        let (inn, record, items) = row;
        let inn = Inn::from_stored(&inn);
        let inn = inn.ok_or_else(|| file.file.damaged("an INN that is none"))?;
        each(&SentContract {
            id: *id,
            inn: &inn,
            contract: record::contract(&file.file.path, &inn, &record)?,
            record: &record,
            items: &items,
        })?;
    }
    Ok(())
}

/// Returns the sign dates and the registry numbers of a supplier's contracts at positions [`STEP`],
/// 2 × [`STEP`] and so on, where the oldest contract is at position 0.
fn steps(file: &DataFile, supplier: &SupplierRow) -> Result<(Vec<i64>, Vec<String>)> {
    if supplier.contracts <= STEP {
        return Ok((Vec::new(), Vec::new()));
    }
    let sql = "SELECT sign_date, reg_num FROM contract_facet WHERE id >= ?1 AND id < ?2";
    let ids = ids_of_supplier(supplier.id);
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let mut contracts: Vec<(i64, RegNum)> = file.file.all(sql, [ids.start, ids.end], read)?;
    contracts.sort_unstable();
    let step = usize::try_from(STEP).unwrap_or(usize::MAX);
    let steps = contracts.into_iter().skip(step).step_by(step);
    let steps = steps.map(|(day, reg_num)| (day, stored(&reg_num.to_string()).into_owned()));
    Ok(steps.unzip())
}

impl RowSender<'_> {
    /// Starts sending rows to a table. Rows of new tables are sent frozen, so that readers need not
    /// look up the transaction that wrote them.
    fn begin(&mut self, table: &str) -> Result<TableSender<'_>> {
        let options = if self.after.is_none() { ", FREEZE" } else { "" };
        Ok(TableSender {
            copy: self.session.copy_in(table, options, SERVER_SILENCE)?,
            file: self.file,
            done: &mut self.done,
            total: self.total,
            report: &mut *self.report,
        })
    }

    /// Sends the suppliers that have changed, and those with ids above `last`: the log does not
    /// mention new suppliers that are not known yet ([`SupplierRow::is_known`]).
    pub fn suppliers(&mut self, last: i64) -> Result<()> {
        let (file, after) = (self.file, self.after);
        let mut table = self.begin("supplier")?;
        let sql = match after {
            None => select_suppliers!("WHERE ?1 IS NULL AND id > ?2 ORDER BY inn"),
            Some(_) => select_suppliers!(
                "WHERE id > ?2 OR id IN (SELECT subject FROM change WHERE revision > ?1 AND ",
                part_is!(of_supplier),
                ") ORDER BY inn"
            ),
        };
        each_supplier(file, sql, (after, last), |supplier| {
            let contracts = saturated(supplier.contracts);
            let (step_days, step_reg_nums) = steps(file, supplier)?;
            table.row(&[
                &supplier.inn.key(),
                &supplier.id,
                &stored(supplier.name()),
                &contracts,
                &supplier.stated,
                &step_days,
                &step_reg_nums,
                &supplier_sum(supplier),
            ])
        })?;
        table.finish()
    }

    pub fn names(&mut self) -> Result<()> {
        let (file, after) = (self.file, self.after);
        let mut table = self.begin("searched_name")?;
        each_changed_name(&file.file, after, &mut |row| {
            let (inn, contracts) = (row.inn.to_string(), saturated(row.contracts));
            table.row(&[&inn, &row.is_customer, &contracts, &row.name])
        })?;
        table.finish()
    }

    pub fn contracts(&mut self) -> Result<()> {
        let file = self.file;
        let mut table = self.begin("contract")?;
        each_supplier(file, select_suppliers!("ORDER BY inn"), (), |supplier| {
            each_contract(file, supplier, |sent| table.contract(sent))
        })?;
        table.finish()?;
        let mut table = self.begin("contract_items")?;
        each_supplier(file, select_suppliers!("ORDER BY id"), (), |supplier| {
            each_contract(file, supplier, |sent| table.items(sent))
        })?;
        table.finish()?;
        let mut table = self.begin("contract_content")?;
        let mut tokenizer = ContentTokenizer::default();
        each_supplier(file, select_suppliers!("ORDER BY id"), (), |supplier| {
            each_contract(file, supplier, |sent| {
                table.content(sent, &sent.tokens(file, &mut tokenizer)?)
            })
        })?;
        table.finish()
    }

    /// Sends the ids and digests of all contracts of suppliers whose contracts have changed, to the
    /// table `contract_key`.
    pub fn contract_keys(&mut self) -> Result<()> {
        let (file, after) = (self.file, self.after);
        let mut table = self.begin("contract_key")?;
        let sql = select_suppliers!(
            "WHERE id IN (SELECT subject FROM change WHERE revision > ?1 AND ",
            part_is!(contracts),
            ") ORDER BY inn"
        );
        each_supplier(file, sql, [after], |supplier| {
            each_contract(file, supplier, |sent| {
                table.row(&[&sent.id, &sent.digest()])
            })
        })?;
        table.finish()
    }

    pub fn contracts_with_ids(&mut self, ids: &[i64]) -> Result<()> {
        let file = self.file;
        let mut table = self.begin("contract")?;
        each_contract_with_id(file, ids, |sent| table.contract(sent))?;
        table.finish()?;
        let mut table = self.begin("contract_items")?;
        each_contract_with_id(file, ids, |sent| table.items(sent))?;
        table.finish()?;
        let mut table = self.begin("contract_content")?;
        let mut tokenizer = ContentTokenizer::default();
        each_contract_with_id(file, ids, |sent| {
            table.content(sent, &sent.tokens(file, &mut tokenizer)?)
        })?;
        table.finish()
    }

    pub fn contents_of_purchases(&mut self) -> Result<()> {
        let (file, after) = (self.file, self.after);
        let sql = match after {
            None => "SELECT id, number, record FROM purchase WHERE ?1 IS NULL ORDER BY id",
            Some(_) => concat!(
                "SELECT id, number, record FROM purchase WHERE id IN \
                 (SELECT subject FROM change WHERE revision > ?1 AND ",
                part_is!(card),
                ") ORDER BY id"
            ),
        };
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let mut tokenizer = ContentTokenizer::default();
        let mut table = self.begin("purchase_content")?;
        let purchase = |(id, number, bytes): (i64, String, Vec<u8>)| {
            let purchase = record::purchase(&file.file.path, &number, &bytes)?;
            table.tokens(id, &tokenizer.purchase(&purchase))
        };
        file.file.each(sql, [after], read, purchase)?;
        table.finish()?;
        let mut table = self.begin("purchase_facet")?;
        let facets = |(id, _, _): (i64, String, Vec<u8>)| {
            let facets = PurchaseFacets::stored(&file.file, id)?;
            let missing = || file.file.damaged("a purchase without facets");
            let facets = facets.ok_or_else(missing)?;
            let published = i64::from(facets.published);
            table.row(&[
                &id,
                &facets.law,
                &published,
                &facets.price,
                &facets.price_text,
                &facets.closes,
            ])
        };
        file.file.each(sql, [after], read, facets)?;
        table.finish()
    }

    pub fn purchases(&mut self) -> Result<()> {
        let (file, after) = (self.file, self.after);
        let mut table = self.begin("purchase")?;
        let sql = match after {
            None => "SELECT number, id, record FROM purchase WHERE ?1 IS NULL ORDER BY number",
            Some(_) => concat!(
                "SELECT number, id, record FROM purchase WHERE id IN \
                 (SELECT subject FROM change WHERE revision > ?1 AND ",
                part_is!(card),
                ") ORDER BY number"
            ),
        };
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let purchase = |(number, id, bytes): (String, i64, Vec<u8>)| {
            record::check_purchase(&file.file.path, &number, &bytes)?;
            table.row(&[&number, &id, &bytes])
        };
        file.file.each(sql, [after], read, purchase)?;
        table.finish()
    }

    pub fn winners(&mut self) -> Result<()> {
        let (file, after) = (self.file, self.after);
        let mut table = self.begin("purchase_winner")?;
        let sql = match after {
            None => {
                "SELECT inn, day, number FROM purchase_winner WHERE ?1 IS NULL \
                 ORDER BY inn, day, number"
            }
            Some(_) => concat!(
                "SELECT inn, day, number FROM purchase_winner WHERE number IN \
                 (SELECT purchase.number FROM change JOIN purchase ON purchase.id = subject \
                 WHERE revision > ?1 AND ",
                part_is!(card),
                ") ORDER BY inn, day, number"
            ),
        };
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let winner = |(inn, day, number): (String, i64, String)| table.row(&[&inn, &day, &number]);
        file.file.each(sql, [after], read, winner)?;
        table.finish()
    }

    /// Sends all RNP entries of each supplier with a changed entry, ordered by INN and number.
    pub fn rnp_entries(&mut self) -> Result<()> {
        let (file, after) = (self.file, self.after);
        let mut table = self.begin("rnp_entry")?;
        let sql = match after {
            None => select_entries!("WHERE ?1 IS NULL ORDER BY inn, number"),
            Some(_) => select_entries!(
                "WHERE inn IN (SELECT supplier.inn FROM change JOIN supplier \
                 ON supplier.id = subject WHERE revision > ?1 AND ",
                part_is!(rnp_check),
                ") ORDER BY inn, number"
            ),
        };
        file.file.each(sql, [after], StoredEntry::read, |row| {
            let row = row.ok_or_else(|| unsound(&file.file))?;
            let entry = row.entry(&file.file)?;
            table.row(&[
                &row.inn.as_str(),
                &stored(&row.number),
                &stored(&entry.federal_law),
                &sql_day(entry.registration_date),
                &sql_day(entry.last_day()),
                &row.record,
                &entry_sum(&row),
            ])
        })?;
        table.finish()
    }

    /// Sends the documents stored after the one with id `last`, and all others about the same
    /// numbers; all documents if `last` is `None`.
    pub fn documents(&mut self, last: Option<i64>) -> Result<()> {
        let documents = Documents(&self.file.file);
        let mut table = self.begin("document")?;
        documents.each_since(last, |found| {
            let document = &found.head;
            table.row(&[
                &document.id,
                &stored(&document.number),
                &i16::from(document.kind),
                &document.version,
                &document.published,
                &stored(&document.purchase),
                &document.annuls,
                &stored(&document.origin.name),
                &stored(&document.origin.subsystem),
                &stored(found.contract_of_purchase()),
            ])
        })?;
        table.finish()
    }

    /// Sends all registries, the unparsed RNP inclusions, the whole coverage, and the number of
    /// contracts whose items are known only by code and sum.
    pub fn registries_and_coverage(&mut self) -> Result<()> {
        let file = self.file;
        let mut table = self.begin("contract_items_total")?;
        table.row(&[&saturated(file.contracts_without_items)])?;
        table.finish()?;
        let mut table = self.begin("registry")?;
        for registry in file.registries.all {
            let complete = registry.complete;
            table.row(&[
                &registry.law.code(),
                &sql_day(complete.map(|days| days.since)),
                &sql_day(complete.map(|days| days.as_of)),
                &complete.map_or("", |days| days.basis.code()),
                &saturated(registry.entries),
            ])?;
        }
        table.finish()?;
        let mut table = self.begin("unread_entry")?;
        for unread in file.unread.all.iter().map(UnreadRow::new) {
            table.row(&[
                &unread.law,
                &stored(&unread.number),
                &unread.version,
                &unread.published,
                &unread.about,
                &stored(&unread.archive),
                &stored(&unread.entry),
            ])?;
        }
        table.finish()?;
        let mut table = self.begin("coverage")?;
        for run in &*file.coverage()? {
            table.row(&[
                &stored(&run.subsystem),
                &stored(&run.documents),
                &stored(&run.region),
                &sql_day(Some(run.from)),
                &sql_day(Some(run.to)),
            ])?;
        }
        table.finish()
    }

    pub fn revisions(&mut self) -> Result<()> {
        let (file, after) = (&self.file.file, self.after.unwrap_or(i64::MIN));
        let mut table = self.begin("revision")?;
        let sql = "SELECT number FROM revision WHERE number > ?1 ORDER BY number";
        for number in file.all(sql, [after], |row| row.get::<_, i64>(0))? {
            if let Some(revision) = revision(file, number.unsigned_abs())? {
                table.row(&[&number, &revision.time, &revision.identity])?;
            }
        }
        table.finish()
    }

    /// Sends the changes of the log, in order, to a table with the columns of `change`.
    pub fn changes(&mut self, table: &str) -> Result<()> {
        let file = &self.file.file;
        let revision = self.after.and_then(|after| u64::try_from(after).ok());
        let mut position = LogPosition::after_revision(revision.unwrap_or_default());
        let mut table = self.begin(table)?;
        loop {
            let changes = changes_after(file, &position, CHANGES_AT_ONCE)?;
            for change in &changes {
                let subject = match &change.id {
                    LogSubject::Number(number) => *number,
                    LogSubject::Text(_) => TEXT,
                };
                let key = change.subject.stored_key();
                let (part, revision) = (change.part as i16, saturated(change.revision));
                table.row(&[&stored(key), &part, &subject, &revision])?;
            }
            let Some(last) = changes.last() else {
                return table.finish();
            };
            position = LogPosition {
                revision: last.revision,
                row: Some((last.part as u8, last.id.clone())),
            };
        }
    }

    pub fn stated_suppliers(&mut self) -> Result<()> {
        let file = &self.file.file;
        let mut table = self.begin("stated_supplier")?;
        let sql = "SELECT inn FROM supplier WHERE stated ORDER BY inn";
        file.each(sql, (), |row| row.get(0), |inn: String| table.row(&[&inn]))?;
        table.finish()
    }
}

/// Returns the checksum of a supplier's published row. It does not cover `stated`, which is set
/// later.
pub fn supplier_sum(supplier: &SupplierRow) -> i64 {
    let sum = RowChecksum::default()
        .text(supplier.inn.key().as_bytes())
        .number(supplier.id)
        .text(supplier.name().as_bytes())
        .number(supplier.contracts as i64);
    sum.finish().into()
}

pub fn entry_sum(entry: &StoredEntry) -> i64 {
    let sum = RowChecksum::default()
        .text(entry.inn.as_str().as_bytes())
        .text(entry.number.as_bytes())
        .text(&entry.record);
    sum.finish().into()
}

fn sql_day(day: Option<Date>) -> Option<time::Date> {
    /// The Julian day of 1 January 1970.
    const EPOCH: i64 = 2_440_588;
    let julian = day.map(|day| day.days_since_1970() + EPOCH);
    time::Date::from_julian_day(i32::try_from(julian?).ok()?).ok()
}
