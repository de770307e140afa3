//! A publication as a source of answers. The first row of most statements is about the publication;
//! each further row has one record.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use super::super::changes::{Revision, part_is};
use super::super::contract_id::supplier_of;
use super::super::data_file::{DataFile, DataVersion, RecordCounts};
use super::super::documents::NOTICE_OF_CONTRACT;
use super::super::entry_list::{EntryList, ListedEntry};
use super::super::error::{Error, Result};
use super::super::facet_columns::{FacetColumn, FacetValue};
use super::super::purchase_facets::{PurchaseFacets, purchase_facet_columns};
use super::super::query::{
    Candidates, Condition, ContentKind, EachAt, EachEntry, EachFacets, EachFound, EachItems,
    EachName, EachOf, EachPurchase, EachPurchaseFacets, EachRecord, EachWithItems, NameRow, Owner,
    Prefetch, Source,
};
use super::super::record::read_entry;
use super::super::reg_num::RegNum;
use super::super::server_bounds::{ALL_ATTEMPTS, SHORT_STATEMENT, STATEMENT};
use super::super::suppliers::SupplierRow;
use super::client::{Param, Row, Session, ToSql, may_pass_elsewhere};
use super::found_suppliers::RECORD;
use super::reader::{FIRST, NewestPage, ServerData, statement};
use super::server_row::{ServerRow, TEXT, saturated, sql_value};
use super::text::{original, restored, stored};
use crate::model::{
    ANYTHING, ContentTokens, Coverage, Date, DocumentSubject, Inn, LogPosition, LogSubject,
    LoggedChange, PurchaseNumber, Registries, UnreadEntries,
};

pub(super) const PURCHASE: &str = statement!(
    "found.record",
    "SELECT record FROM purchase WHERE number = $1"
);

const WON_COUNT: &str = statement!(
    "found.count",
    "SELECT count(*) FROM purchase_winner WHERE inn = $1"
);

/// Numbers of purchases that a supplier won, newest first.
const WON: &str = "SELECT number, identity, NULL::text AS won \
     FROM procurement_lookup.publication UNION ALL (SELECT NULL, NULL, purchase_winner.number \
     FROM purchase_winner WHERE inn = $1 ORDER BY day DESC, purchase_winner.number DESC \
     OFFSET $2 LIMIT $3)";

/// Ids of a contract, one per supplier.
const CONTRACT: &str = statement!("found.id", "SELECT id FROM contract WHERE reg_num = $1");

/// Numbers of the purchases under 223-FZ and PP-615 that led to a contract.
const PURCHASES_OF_CONTRACT: &str = statement!(
    "found.number",
    "SELECT DISTINCT number FROM document WHERE contract = $1 AND contract <> ''"
);

const ENTRY: &str = statement!(
    "found.*",
    "SELECT id, inn, name, contracts, stated, record FROM rnp_entry \
     JOIN supplier ON inn = supplier_inn WHERE number = $1"
);

const ALL_ENTRIES: &str = "SELECT number, identity, NULL::text AS inn, NULL::bytea AS record \
     FROM procurement_lookup.publication \
     UNION ALL (SELECT NULL, NULL, supplier_inn, record FROM rnp_entry)";

/// Supplier INNs and records of the RNP entries whose numbers are in `$1`, in the order of `$1`.
const ENTRIES: &str = "SELECT number, identity, NULL::text AS inn, NULL::bytea AS record \
     FROM procurement_lookup.publication \
     UNION ALL (SELECT NULL, NULL, found.supplier_inn, found.record \
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted (number, ordinal) \
     JOIN rnp_entry AS found ON found.number = wanted.number ORDER BY ordinal)";

/// Whether a contract, a purchase and an RNP entry with the number `$1` exist, and the documents
/// from which an answer about `$1` may be derived. These are the documents about this number, for a
/// contract also the notices and lot changes of its purchase, and for a purchase also the documents
/// about its contracts.
const CANDIDATES: &str = statement!(
    "EXISTS (SELECT FROM contract WHERE reg_num = $1), \
     EXISTS (SELECT FROM purchase WHERE number = $1), \
     EXISTS (SELECT FROM rnp_entry WHERE number = $1), found.*",
    "SELECT * FROM document WHERE number = $1 \
     UNION SELECT * FROM document WHERE kind = ANY ($2) AND number IN \
     (SELECT purchase FROM document WHERE number = $1 AND purchase <> '') \
     UNION SELECT * FROM document WHERE kind >= $3 AND kind < $4 AND number IN \
     (SELECT number FROM document WHERE purchase = $1 AND purchase <> '')"
);

/// Number of contracts between two positions whose keys are in the supplier's row (`step_days`,
/// `step_reg_nums`). Reading a page skips at most this many contracts.
pub(super) const STEP: u64 = 500;

/// A supplier, followed by records of the supplier's contracts, newest first. `top` is the position
/// of the page's first contract, counted from the oldest. Contracts are counted down from the next
/// stored position above it ([`STEP`]), or from the newest contract if there is none.
pub(super) static NEWEST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT p.number, p.identity, id, inn, name, contracts, stated, NULL::bytea AS record \
         FROM procurement_lookup.publication AS p LEFT JOIN supplier ON inn = $1 \
         UNION ALL (SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, page.record \
         FROM (SELECT least(step * {STEP}, contracts - 1) - top AS skipped, \
         coalesce(step_days[step], 99999999) AS day, coalesce(step_reg_nums[step], '') AS reg_num \
         FROM (SELECT *, top / {STEP} + 1 AS step FROM (\
         SELECT *, contracts - 1 - least($2, contracts) AS top \
         FROM supplier WHERE inn = $1) AS counted) AS stepped) AS start \
         CROSS JOIN LATERAL (SELECT record FROM contract WHERE supplier_inn = $1 \
         AND (sign_date, contract.reg_num) <= (start.day, start.reg_num) \
         ORDER BY sign_date DESC, contract.reg_num DESC OFFSET start.skipped LIMIT $3) AS page)"
    )
});

/// Among the contracts of a customer that state the customer's name, the ids of all that were
/// signed on the latest day, in ascending order.
const NEWEST_NAMED: &str = "SELECT number, identity, NULL::bigint AS id \
     FROM procurement_lookup.publication UNION ALL (SELECT NULL, NULL, newest.id FROM (\
     SELECT id FROM contract WHERE customer_inn = $1 AND is_customer_named = 1 \
     ORDER BY sign_date DESC FETCH FIRST ROW WITH TIES) AS newest ORDER BY newest.id)";

/// Statement that selects `$columns` of the rows of `$table` whose ids are in the parameter `$1`,
/// in the order of that parameter. In the first row, which is about the publication, `$nulls` take
/// the place of the columns.
macro_rules! by_ids {
    ($columns:expr, $nulls:literal, $table:literal) => {
        concat!(
            "SELECT number, identity, ",
            $nulls,
            " FROM procurement_lookup.publication UNION ALL (SELECT NULL, NULL, found.* \
             FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (id, ordinal) \
             CROSS JOIN LATERAL (SELECT ",
            $columns,
            " FROM ",
            $table,
            " AS it WHERE it.id = wanted.id OFFSET 0) AS found ORDER BY ordinal)"
        )
    };
}

const RECORDS: &str = by_ids!("record", "NULL::bytea AS record", "contract");
const REG_NUMS: &str = by_ids!("reg_num", "NULL::text AS reg_num", "contract_content");
/// Records and items of all contracts of a supplier, newest first.
const NEWEST_WITH_ITEMS: &str = "SELECT number, identity, NULL::bytea AS record, \
     NULL::bytea AS items FROM procurement_lookup.publication UNION ALL (SELECT NULL, NULL, record, \
     (SELECT items FROM contract_items AS it WHERE it.id = contract.id) \
     FROM contract WHERE supplier_inn = $1 ORDER BY sign_date DESC, reg_num DESC)";

/// Items of the contracts whose ids are in `$1`, in the order of `$1`; NULL for a contract without
/// items.
const ITEMS: &str = "SELECT number, identity, NULL::bytea AS items \
     FROM procurement_lookup.publication UNION ALL (SELECT NULL, NULL, \
     (SELECT items FROM contract_items AS it WHERE it.id = wanted.id) \
     FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (id, ordinal) ORDER BY ordinal)";

const PURCHASE_NUMBERS: &str = by_ids!("it.number", "NULL::text AS of", "purchase");
const PURCHASE_RECORDS: &str = by_ids!(
    "it.number, record",
    "NULL::text AS of, NULL::bytea AS record",
    "purchase"
);
const PURCHASE_FACETS: &str = by_ids!(
    purchase_facet_columns!(),
    "NULL, NULL, NULL, NULL, NULL, NULL",
    "purchase_facet"
);

/// Receives rows. Returns whether to continue.
type EachRow<'a> = &'a mut dyn FnMut(&Row) -> Result<ControlFlow<()>>;

/// Maximum number of ids per statement.
const IDS_AT_ONCE: usize = 20_000;

impl ServerData {
    fn ids_in(&self, rows: &[Row]) -> Result<Vec<i64>> {
        let ids = rows.iter().map(|row| self.get::<Option<i64>>(row, FIRST));
        ids.filter_map(Result::transpose).collect()
    }

    /// Passes the rows that a statement selects by id to `each`. Skips the first row, which
    /// identifies the publication. Returns an error unless there is exactly one row for each id.
    fn each_by_id(
        &self,
        sql: &str,
        ids: &[i64],
        mut each: impl FnMut(&Row) -> Result<()>,
    ) -> Result<()> {
        for ids in ids.chunks(IDS_AT_ONCE) {
            let rows = self.rows(sql, &[&ids], STATEMENT)?;
            let rows = rows.get(1..).unwrap_or_default();
            if rows.len() != ids.len() {
                return Err(self.damaged("a contract or a purchase without its row"));
            }
            rows.iter().try_for_each(&mut each)?;
        }
        Ok(())
    }
}

impl Source for ServerData {
    fn begin(&mut self, prefetch: Prefetch<'_>) -> Result<()> {
        self.begin(prefetch)
    }

    fn hold(&mut self) -> Result<()> {
        self.hold()
    }

    fn has_moved(&self) -> bool {
        self.has_moved.get()
    }

    fn as_file(&self) -> Option<&DataFile> {
        None
    }

    fn damaged(&self, what: &str) -> Error {
        self.damaged(what)
    }

    fn version(&self) -> DataVersion {
        self.version()
    }

    fn registries(&self) -> Registries {
        self.registries
    }

    fn unread_entries(&self) -> UnreadEntries {
        self.unread.clone()
    }

    fn contracts_without_items(&self) -> u64 {
        self.contracts_without_items
    }

    fn contracts_changed(&self) -> Result<Option<i64>> {
        // Without ORDER BY and LIMIT in the inner query, PostgreSQL reads the whole table `change`,
        // which has millions of rows after a first publication.
        let sql = statement!(
            "found.*",
            concat!(
                "SELECT max(time) FROM (SELECT time FROM revision CROSS JOIN LATERAL \
                 (SELECT FROM change WHERE change.revision = revision.number AND ",
                part_is!(of_contract_or_purchase),
                " ORDER BY part LIMIT 1) AS one_change ORDER BY number DESC LIMIT 1) AS newest"
            )
        );
        self.get(&self.row(sql, &[], SHORT_STATEMENT)?, FIRST)
    }

    fn coverage(&self) -> Result<Arc<[Coverage]>> {
        let identity = self.version().identity;
        if let Some(known) = self.cluster.coverage_of(identity) {
            return Ok(known);
        }
        let mut runs = self.read_coverage()?;
        runs.sort();
        let runs: Arc<[Coverage]> = runs.into();
        self.cluster.cache_coverage(identity, Arc::clone(&runs));
        Ok(runs)
    }

    fn counts(&self) -> Result<RecordCounts> {
        let sql = statement!(
            "found.*",
            "SELECT count(*) FILTER (WHERE inn >= '0'), coalesce(sum(contracts), 0)::bigint, \
             (SELECT count(*) FROM purchase), (SELECT count(*) FROM rnp_entry) \
             FROM supplier"
        );
        let row = &self.row(sql, &[], STATEMENT)?;
        Ok(RecordCounts {
            suppliers: self.count(row, FIRST)?,
            contracts: self.count(row, FIRST + 1)?,
            purchases: self.count(row, FIRST + 2)?,
            rnp_entries: self.count(row, FIRST + 3)?,
        })
    }

    fn supplier(&self, inn: &Inn) -> Result<Option<SupplierRow>> {
        self.find_suppliers(std::slice::from_ref(inn))?;
        Ok(self.cache.borrow().suppliers.get(inn).cloned().flatten())
    }

    fn suppliers_with_inns(&self, inns: &[Inn]) -> Result<Vec<SupplierRow>> {
        self.find_suppliers(inns)?;
        let found = self.cache.borrow();
        let suppliers = inns.iter().map(|inn| found.suppliers.get(inn)?.as_ref());
        let suppliers = suppliers.map(|found| found.cloned());
        let missing = || self.damaged("a name or a contract without a supplier");
        suppliers.collect::<Option<_>>().ok_or_else(missing)
    }

    fn supplier_ids(&self, inns: &[Inn], each: EachAt<'_>) -> Result<()> {
        let sql = "SELECT number, identity, NULL::bigint, NULL::bigint \
                   FROM procurement_lookup.publication UNION ALL (\
                   SELECT NULL, NULL, ordinal - 1, supplier.id \
                   FROM unnest($1::text[]) WITH ORDINALITY AS wanted (inn, ordinal) \
                   JOIN supplier ON supplier.inn = wanted.inn)";
        let inns: Vec<&str> = inns.iter().map(Inn::key).collect();
        self.each_row(sql, &[&inns], |row| {
            let at: i64 = self.get(row, FIRST)?;
            each(
                usize::try_from(at).unwrap_or(usize::MAX),
                self.get(row, FIRST + 1)?,
            )
        })
    }

    fn entries(&self, inn: &Inn, each: EachRecord<'_>) -> Result<()> {
        // For a page of contracts, the supplier was read without the entries.
        if !self.cache.borrow().entries.contains_key(inn) {
            self.read_suppliers(&[inn.key()])?;
        }
        let records = self.cache.borrow().entries.get(inn).cloned();
        let mut records = records.unwrap_or_default().into_iter();
        records.try_for_each(|record| each(&record))
    }

    fn entry(&self, number: &str) -> Result<Option<(SupplierRow, Vec<u8>)>> {
        let row = self.row(ENTRY, &[&stored(number)], SHORT_STATEMENT)?;
        let supplier = self.supplier_in(&row)?;
        supplier
            .map(|supplier| Ok((supplier, self.get(&row, RECORD)?)))
            .transpose()
    }

    fn entry_list(&self) -> Result<Arc<EntryList>> {
        let identity = self.version().identity;
        if let Some(known) = self.cluster.entries_of(identity) {
            return Ok(known);
        }
        let mut entries = Vec::new();
        self.each_row(ALL_ENTRIES, &[], |row| {
            let (inn, record) = self.entry_in(row)?;
            let entry = read_entry(inn.as_str(), record);
            let entry = entry.map_err(|what| self.damaged(&what))?;
            entries.push(ListedEntry::new(inn, &entry));
            Ok(())
        })?;
        let list = Arc::new(EntryList::new(entries));
        self.cluster.cache_entries(identity, Arc::clone(&list));
        Ok(list)
    }

    fn entries_with_numbers(&self, numbers: &[Box<str>], each: EachEntry<'_>) -> Result<()> {
        let numbers: Vec<_> = numbers.iter().map(|number| stored(number)).collect();
        let rows = self.rows(ENTRIES, &[&numbers], STATEMENT)?;
        rows.iter().skip(1).try_for_each(|row| {
            let (inn, record) = self.entry_in(row)?;
            each(&inn, record)
        })
    }

    fn card(&self, number: &PurchaseNumber, each: EachRecord<'_>) -> Result<()> {
        let found = self.cache.borrow_mut().purchase.take();
        let rows = match found.filter(|(found, _)| found == number) {
            Some((_, rows)) => rows,
            None => self.rows(PURCHASE, &[&number.as_str()], SHORT_STATEMENT)?,
        };
        let record = rows.first().map(|row| self.get(row, FIRST));
        let record: Option<&[u8]> = record.transpose()?.flatten();
        record.map_or(Ok(()), each)
    }

    fn won(&self, inn: &Inn, skip: u64, limit: u64) -> Result<(u64, Vec<String>)> {
        let count = self.row(WON_COUNT, &[&inn.as_str()], SHORT_STATEMENT)?;
        let [skip, limit] = [skip, limit].map(saturated);
        let params: [Param<'_>; 3] = [&inn.as_str(), &skip, &limit];
        let rows = self.rows(WON, &params, STATEMENT)?;
        let numbers = rows.iter().skip(1).map(|row| self.get(row, FIRST));
        Ok((self.count(&count, FIRST)?, numbers.collect::<Result<_>>()?))
    }

    fn contract(&self, reg_num: &str) -> Result<Vec<i64>> {
        let rows = self.rows(CONTRACT, &[&stored(reg_num)], SHORT_STATEMENT)?;
        self.ids_in(&rows)
    }

    fn purchases_of_contract(&self, number: &str) -> Result<Vec<String>> {
        let rows = self.rows(PURCHASES_OF_CONTRACT, &[&stored(number)], SHORT_STATEMENT)?;
        let numbers = rows
            .iter()
            .map(|row| self.get::<Option<String>>(row, FIRST));
        numbers.filter_map(Result::transpose).collect()
    }

    fn candidates(&self, number: &str) -> Result<Candidates> {
        let notice = NOTICE_OF_CONTRACT.map(|kind| kind as i16);
        let [from, to] = DocumentSubject::Contract.kinds().map(i16::from);
        let text = stored(number);
        let params: [Param<'_>; 4] = [&text, &notice.as_slice(), &from, &to];
        let mut candidates = Candidates::default();
        for row in &self.rows(CANDIDATES, &params, STATEMENT)? {
            for (at, has) in candidates.has_record.iter_mut().enumerate() {
                *has = self.get(row, FIRST + at)?;
            }
            candidates
                .documents
                .extend(self.document_in(row, FIRST + 3)?);
        }
        Ok(candidates)
    }

    fn names(&self, parts: &[Vec<String>], each: EachName<'_>) -> Result<()> {
        let patterns = parts
            .iter()
            .flatten()
            .map(|text| format!("%{}%", text.replace(ANYTHING, "%")));
        let patterns: Vec<String> = patterns.collect();
        let mut number = 0;
        let mut like = |_: &String| {
            number += 1;
            format!("name LIKE ${number}")
        };
        let conditions = parts.iter().map(|texts| {
            let texts: Vec<String> = texts.iter().map(&mut like).collect();
            format!(" AND ({})", texts.join(" OR "))
        });
        let sql = format!(
            "SELECT number, identity, NULL, NULL, NULL, NULL FROM procurement_lookup.publication \
             UNION ALL (SELECT NULL, NULL, inn, is_customer, contracts, name \
             FROM searched_name WHERE true{})",
            conditions.collect::<String>()
        );
        let params: Vec<Param<'_>> = patterns.iter().map(|text| text as Param<'_>).collect();
        self.each_row(&sql, &params, |row| {
            each(&NameRow {
                inn: &self.get::<&str>(row, FIRST)?,
                is_customer: self.get(row, FIRST + 1)?,
                contracts: self.count(row, FIRST + 2)?,
                name: self.get(row, FIRST + 3)?,
            })
        })
    }

    fn newest(
        &self,
        supplier: &SupplierRow,
        skip: u64,
        limit: u64,
        each: EachRecord<'_>,
    ) -> Result<()> {
        let (inn, range) = (supplier.inn.key(), [skip, limit].map(saturated));
        let params: [Param<'_>; 3] = [&inn, &range[0], &range[1]];
        // During a scan, the contracts of a supplier may be too many to hold in memory.
        if self.is_scanning.get() {
            return self.each_row(&NEWEST, &params, |row| each(self.get(row, RECORD)?));
        }
        let is_page = |page: &NewestPage| {
            page.inn == supplier.inn && page.skip == skip && limit <= page.limit
        };
        if !self.cache.borrow().newest.as_ref().is_some_and(is_page) {
            let rows = self.rows(&NEWEST, &params, SHORT_STATEMENT)?;
            self.cache_newest(&supplier.inn, skip, limit, rows)?;
        }
        let found = self.cache.borrow();
        let page = found.newest.as_ref().map(|page| page.rows.as_slice());
        let records = page.and_then(|rows| rows.get(1..)).unwrap_or_default();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut records = records.iter().take(limit);
        records.try_for_each(|row| each(self.get(row, RECORD)?))
    }

    fn newest_with_items(&self, supplier: &SupplierRow, each: EachWithItems<'_>) -> Result<()> {
        self.each_row(NEWEST_WITH_ITEMS, &[&supplier.inn.key()], |row| {
            let items: Option<&[u8]> = self.get(row, FIRST + 1)?;
            each(self.get(row, FIRST)?, items.unwrap_or_default())
        })
    }

    fn facets(
        &self,
        owner: Owner<'_>,
        condition: &Condition<'_>,
        columns: &[FacetColumn],
        each: EachFacets<'_>,
    ) -> Result<()> {
        let (column, inn) = match owner {
            Owner::Supplier(supplier) => ("supplier_inn", supplier.inn.key()),
            Owner::Customer(inn) => ("customer_inn", inn),
        };
        let (meeting, values) = meeting(condition, 2);
        let sql = format!(
            "SELECT number, identity, NULL{nulls} FROM procurement_lookup.publication \
             UNION ALL (SELECT NULL, NULL, id, {names} FROM contract \
             WHERE {column} = $1{meeting})",
            nulls = ", NULL".repeat(columns.len()),
            names = FacetColumn::names(columns),
        );
        let inn = stored(inn);
        let mut params: Vec<Param<'_>> = vec![&inn];
        params.extend(values.iter().map(|value| &**value as Param<'_>));
        self.each_row(&sql, &params, |row| {
            each(&ServerRow {
                data: self,
                row,
                columns,
            })
        })
    }

    fn newest_named(&self, customer: &str) -> Result<Vec<i64>> {
        let rows = self.rows(NEWEST_NAMED, &[&stored(customer)], STATEMENT)?;
        self.ids_in(&rows)
    }

    fn records(&self, ids: &[i64], each: EachRecord<'_>) -> Result<()> {
        self.each_by_id(RECORDS, ids, |row| each(self.get(row, FIRST)?))
    }

    fn reg_nums(&self, ids: &[i64]) -> Result<Vec<RegNum>> {
        let mut reg_nums = Vec::with_capacity(ids.len());
        self.each_by_id(REG_NUMS, ids, |row| {
            reg_nums.push(RegNum::new(&restored(self.get(row, FIRST)?)));
            Ok(())
        })?;
        Ok(reg_nums)
    }

    fn suppliers_of(&self, contracts: &[i64]) -> Result<Vec<SupplierRow>> {
        let ids = contracts.iter().map(|id| supplier_of(*id));
        let ids: Vec<i64> = ids.collect();
        self.read_suppliers_with_ids(&ids)?;
        let found = self.cache.borrow();
        let supplier = |id| found.suppliers.get(found.inns.get(id)?)?.clone();
        let suppliers: Option<_> = ids.iter().map(supplier).collect();
        suppliers.ok_or_else(|| self.damaged("a contract without a supplier"))
    }

    fn content_ids(
        &self,
        tokens: &ContentTokens,
        kind: ContentKind,
        ids: RangeInclusive<i64>,
        at_most: usize,
    ) -> Result<Vec<i64>> {
        let table = match kind {
            ContentKind::Contracts => "contract_content",
            ContentKind::Purchases => "purchase_content",
        };
        let bounds = [*ids.start(), *ids.end()];
        let (condition, mut params) = found_within(tokens, &bounds);
        let at_most = saturated(at_most as u64);
        params.push(&at_most);
        // `id + 0` keeps the server from reading all rows by key in order to find the lowest ids.
        let order = if tokens.is_everything() {
            "id"
        } else {
            "id + 0"
        };
        // An array of ids is sent and decoded much faster than a row for each id.
        let sql = format!(
            "SELECT number, identity, ARRAY(SELECT id FROM {table} WHERE true{condition} \
             ORDER BY {order} LIMIT ${}) FROM procurement_lookup.publication",
            params.len()
        );
        self.get(&self.row(&sql, &params, STATEMENT)?, FIRST)
    }

    fn contract_ids(&self, ranges: &[RangeInclusive<i64>], each: EachAt<'_>) -> Result<()> {
        let sql = "SELECT number, identity, NULL::bigint, NULL::bigint \
                   FROM procurement_lookup.publication UNION ALL (\
                   SELECT NULL, NULL, ordinal - 1, found.id \
                   FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY \
                   AS wanted (first, last, ordinal) \
                   CROSS JOIN LATERAL (SELECT id FROM contract \
                   WHERE contract.id BETWEEN wanted.first AND wanted.last OFFSET 0) AS found)";
        let first: Vec<i64> = ranges.iter().map(|range| *range.start()).collect();
        let last: Vec<i64> = ranges.iter().map(|range| *range.end()).collect();
        self.each_row(sql, &[&first, &last], |row| {
            let at: i64 = self.get(row, FIRST)?;
            each(
                usize::try_from(at).unwrap_or(usize::MAX),
                self.get(row, FIRST + 1)?,
            )
        })
    }

    fn found_facets(
        &self,
        tokens: &ContentTokens,
        ids: RangeInclusive<i64>,
        condition: &Condition<'_>,
        columns: &[FacetColumn],
        each: EachFound<'_>,
    ) -> Result<bool> {
        // The statement below needs a transaction of its own, and a scan already has one open.
        if self.is_scanning.get() {
            return Ok(false);
        }
        let bounds = [*ids.start(), *ids.end()];
        let (found, mut params) = found_within(tokens, &bounds);
        let (meeting, values) = meeting(condition, params.len() + 1);
        params.extend(values.iter().map(|value| &**value as Param<'_>));
        let sql = format!(
            "SELECT number, identity, NULL{nulls}, NULL FROM procurement_lookup.publication \
             UNION ALL (SELECT NULL, NULL, id, {names}, reg_num FROM contract_content \
             WHERE true{found}{meeting})",
            nulls = ", NULL".repeat(columns.len()),
            names = FacetColumn::names(columns),
        );
        let each = |row: &Row| {
            each(&ServerRow {
                data: self,
                row,
                columns,
            })
        };
        self.stream(each, |session, each| {
            session.each_row_while(&sql, &params, STATEMENT, each)
        })?;
        Ok(true)
    }

    fn facets_of(&self, ids: &[i64], columns: &[FacetColumn], each: EachFacets<'_>) -> Result<()> {
        let sql = format!(
            "SELECT number, identity, NULL{nulls}, NULL FROM procurement_lookup.publication \
             UNION ALL (SELECT NULL, NULL, found.* \
             FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (id, ordinal) \
             CROSS JOIN LATERAL (SELECT id, {names}, reg_num FROM contract_content AS it \
             WHERE it.id = wanted.id OFFSET 0) AS found ORDER BY ordinal)",
            nulls = ", NULL".repeat(columns.len()),
            names = FacetColumn::names(columns),
        );
        self.each_by_id(&sql, ids, |row| {
            each(&ServerRow {
                data: self,
                row,
                columns,
            })
        })
    }

    fn items(&self, ids: &[i64], each: EachItems<'_>) -> Result<()> {
        self.each_by_id(ITEMS, ids, |row| each(self.get(row, FIRST)?))
    }

    fn purchase_facets_of(&self, ids: &[i64], each: EachPurchaseFacets<'_>) -> Result<()> {
        self.each_by_id(PURCHASE_FACETS, ids, |row| {
            let published: i64 = self.get(row, FIRST + 2)?;
            let published = u32::try_from(published);
            each(&PurchaseFacets {
                id: self.get(row, FIRST)?,
                law: self.get(row, FIRST + 1)?,
                published: published.map_err(|_| self.damaged("the day of a purchase"))?,
                price: self.get(row, FIRST + 3)?,
                price_text: self.get(row, FIRST + 4)?,
                closes: self.get(row, FIRST + 5)?,
            })
        })
    }

    fn purchase_numbers(&self, ids: &[i64]) -> Result<Vec<String>> {
        let mut numbers = Vec::with_capacity(ids.len());
        self.each_by_id(PURCHASE_NUMBERS, ids, |row| {
            numbers.push(self.get(row, FIRST)?);
            Ok(())
        })?;
        Ok(numbers)
    }

    fn purchase_records(&self, ids: &[i64], each: EachPurchase<'_>) -> Result<()> {
        self.each_by_id(PURCHASE_RECORDS, ids, |row| {
            each(self.get(row, FIRST)?, self.get(row, FIRST + 1)?)
        })
    }

    fn oldest_revision(&self) -> Result<Option<u64>> {
        let sql = statement!("found.min", "SELECT min(number) FROM revision");
        self.number(&self.row(sql, &[], SHORT_STATEMENT)?)
    }

    fn revision(&self, revision: u64) -> Result<Option<Revision>> {
        let sql = statement!(
            "found.*",
            "SELECT time, identity FROM revision WHERE number = $1"
        );
        let row = self.row(sql, &[&saturated(revision)], SHORT_STATEMENT)?;
        let [time, identity] = [FIRST, FIRST + 1].map(|at| self.get::<Option<i64>>(&row, at));
        let revision = time?.zip(identity?);
        Ok(revision.map(|(time, identity)| Revision { time, identity }))
    }

    fn revision_before(&self, time: i64) -> Result<Option<u64>> {
        let sql = statement!(
            "found.max",
            "SELECT max(number) FROM revision WHERE time < $1"
        );
        self.number(&self.row(sql, &[&time], SHORT_STATEMENT)?)
    }

    fn changes_after(&self, position: &LogPosition, limit: u64) -> Result<Vec<LoggedChange>> {
        let sql = concat!(
            statement!(
                "found.*",
                "SELECT part, key, revision, subject FROM change \
                 WHERE (revision, part, subject, key) > ($1, $2, $3, $4) \
                 ORDER BY revision, part, subject, key LIMIT $5"
            ),
            " ORDER BY found.revision, found.part, found.subject, found.key",
        );
        let (revision, part, (subject, key)) = bounds(position);
        let limit = saturated(limit);
        self.changes(&self.rows(sql, &[&revision, &part, &subject, &key, &limit], STATEMENT)?)
    }

    fn changes_of(
        &self,
        supplier: &SupplierRow,
        position: &LogPosition,
    ) -> Result<Vec<LoggedChange>> {
        let sql = concat!(
            statement!(
                "found.*",
                concat!(
                    "SELECT part, key, revision, subject FROM change WHERE key = $1 AND ",
                    part_is!(of_supplier),
                    " AND (revision, part, subject) > ($2, $3, $4)"
                )
            ),
            " ORDER BY found.part",
        );
        let inn = supplier.inn.key();
        let (revision, part, (subject, _)) = bounds(position);
        self.changes(&self.rows(sql, &[&inn, &revision, &part, &subject], SHORT_STATEMENT)?)
    }

    fn suppliers(&self, each: EachOf<'_, SupplierRow>) -> Result<()> {
        self.scan_suppliers(each)
    }

    fn purchases(&self, each: EachOf<'_, (String, Vec<u8>)>) -> Result<()> {
        self.scan_purchases(each)
    }
}

impl ServerData {
    /// Passes the rows of a statement to `each` as they arrive, except for the first row, which is
    /// about the publication.
    fn each_row(
        &self,
        sql: &str,
        params: &[Param<'_>],
        mut each: impl FnMut(&Row) -> Result<()>,
    ) -> Result<()> {
        let each = |row: &Row| each(row).map(ControlFlow::Continue);
        self.stream(each, |session, each| {
            session.each_row(sql, params, STATEMENT, |row| each(row).map(drop))
        })
    }

    /// Passes rows to `each` as they arrive, except for the first row, which is about the
    /// publication. `ask` runs a statement on a session and passes on its rows.
    fn stream(
        &self,
        mut each: impl FnMut(&Row) -> Result<ControlFlow<()>>,
        ask: impl Fn(&mut Session, EachRow<'_>) -> Result<()>,
    ) -> Result<()> {
        let deadline = Instant::now() + ALL_ATTEMPTS;
        let (mut taken, mut is_refused) = (0, false);
        let ended = self.on_session(deadline, |session| {
            let ended = ask(session, &mut |row| {
                taken += 1;
                let passed = match taken {
                    1 => self.check_row(row).map(ControlFlow::Continue),
                    _ => each(row),
                };
                is_refused = passed.is_err();
                passed
            });
            match ended {
                // No row was passed on yet, so the statement can be repeated on another session.
                Err(error) if taken == 0 => Err(error),
                ended => Ok(ended),
            }
        });
        match ended.and_then(|ended| ended) {
            Ok(()) if taken == 0 => Err(self.moved()),
            // Rows were already passed on, so the whole answer must start again, on another
            // session.
            Err(error)
                if taken > 0
                    && !is_refused
                    && !self.is_scanning.get()
                    && may_pass_elsewhere(&error) =>
            {
                Err(self.moved())
            }
            Err(error) if !is_refused => Err(self.moved_if_missing(error)),
            ended => ended,
        }
    }

    fn read_coverage(&self) -> Result<Vec<Coverage>> {
        let sql = statement!(
            "found.*",
            "SELECT subsystem, documents, region, first_day::text, last_day::text \
             FROM coverage"
        );
        let mut runs = Vec::new();
        for row in &self.rows(sql, &[], STATEMENT)? {
            let Some(subsystem) = self.get::<Option<&str>>(row, FIRST)? else {
                continue;
            };
            let day = |at| {
                let day = Date::parse_iso(self.get(row, at)?);
                day.ok_or_else(|| self.damaged("a day of coverage"))
            };
            runs.push(Coverage {
                subsystem: original(subsystem),
                documents: original(self.get(row, FIRST + 1)?),
                region: original(self.get(row, FIRST + 2)?),
                from: day(FIRST + 3)?,
                to: day(FIRST + 4)?,
            });
        }
        Ok(runs)
    }
}

/// Returns a condition on tokens and ids as SQL that starts with `AND`, and its parameters.
fn found_within<'a>(tokens: &'a ContentTokens, ids: &'a [i64; 2]) -> (String, Vec<Param<'a>>) {
    let lists = tokens.alternatives();
    let overlaps = (1..=lists.len()).map(|at| format!(" AND tokens && ${at}::text[]"));
    let mut condition: String = overlaps.collect();
    let mut params: Vec<Param<'_>> = lists.iter().map(|list| list as Param<'_>).collect();
    // Add only bounds that exclude something: with a condition on all ids, the server would read
    // the rows by key.
    let [first, last] = ids;
    for (bound, comparison, excludes) in [(first, ">=", *first > 1), (last, "<=", *last < i64::MAX)]
    {
        if excludes {
            params.push(bound);
            condition.push_str(&format!(" AND id {comparison} ${}", params.len()));
        }
    }
    (condition, params)
}

/// Returns a condition on facets as SQL, and its parameters, which are numbered from `first` on.
fn meeting<'a>(
    condition: &'a Condition<'_>,
    first: usize,
) -> (String, Vec<Box<dyn ToSql + Sync + 'a>>) {
    let sql = condition.sql(|at, value| match value {
        FacetValue::Text(_) => format!("${}", at + first),
        _ => format!("${}::bigint", at + first),
    });
    let values = condition.columns_and_values();
    let values = values.map(|(column, value)| sql_value(column, value));
    (sql, values.collect())
}

/// Converts a position to a key of the log: revision, part, subject and key. The rows after the
/// position are those with a greater key.
fn bounds(position: &LogPosition) -> (i64, i16, (i64, &str)) {
    let (part, subject) = match &position.row {
        // The keys of subjects with a number consist of digits; `~` sorts after them.
        Some((part, LogSubject::Number(number))) => (i16::from(*part), (*number, "~")),
        Some((part, LogSubject::Text(text))) => (i16::from(*part), (TEXT, text.as_str())),
        // Greater than the part of any row.
        None => (i16::MAX, (0, "")),
    };
    (saturated(position.revision), part, subject)
}
