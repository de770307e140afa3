//! What one key names: suppliers, their RNP entries, purchases; and what is found by names.

use super::super::documents::{DocumentHead, DocumentOrigin, NOTICE_OF_CONTRACT};
use super::super::error::Result;
use super::super::record::{read_entry, read_purchase};
use super::super::rnp_entries::sort_entries;
use super::super::sources::{Candidates, select};
use super::super::supplier_names::NameMatches;
use super::super::suppliers::KnownSupplier;
use super::client::{Param, Row};
use super::reader::{FIRST, FoundSupplier, ServerData, statement};
use super::text::{original, stored};
use crate::model::{
    DocumentSubject, Inn, LEGAL_FORMS, Purchase, PurchaseNumber, RnpEntry, SourceDocument,
};

/// The columns of a supplier, from [`FIRST`] on.
pub(super) const SUPPLIER_COLUMNS: usize = 5;

/// Suppliers with the records of their RNP entries.
pub(super) const SUPPLIERS: &str = statement!(
    "found.*",
    "SELECT id, inn, name, contracts, stated, \
     ARRAY(SELECT record FROM DATA.rnp_entry WHERE supplier_inn = supplier.inn) \
     FROM DATA.supplier WHERE inn = ANY ($1)"
);

/// The record of a purchase.
pub(super) const PURCHASE: &str = statement!(
    "found.record",
    "SELECT record FROM DATA.purchase WHERE number = $1"
);

/// The suppliers of a contract.
const OF_CONTRACT: &str = statement!(
    "found.*",
    "SELECT id, inn, name, supplier.contracts, stated FROM DATA.contract \
     JOIN DATA.supplier ON inn = supplier_inn WHERE reg_num = $1"
);

/// The RNP entry of a number, with its supplier.
const ENTRY: &str = statement!(
    "found.*",
    "SELECT id, inn, name, contracts, stated, record FROM DATA.rnp_entry \
     JOIN DATA.supplier ON inn = supplier_inn WHERE number = $1"
);

/// Whether there is a contract, a purchase or an RNP entry of a number, and the documents about
/// it; of the contracts among these the notices of their purchases, of the purchases the
/// documents about their contracts.
const SOURCES: &str = statement!(
    "EXISTS (SELECT FROM DATA.contract WHERE reg_num = $1), \
     EXISTS (SELECT FROM DATA.purchase WHERE number = $1), \
     EXISTS (SELECT FROM DATA.rnp_entry WHERE number = $1), found.*",
    "SELECT * FROM DATA.document WHERE number = $1 \
     UNION SELECT * FROM DATA.document WHERE kind = ANY ($2) AND number IN \
     (SELECT purchase FROM DATA.document WHERE number = $1 AND purchase <> '') \
     UNION SELECT * FROM DATA.document WHERE kind >= $3 AND kind < $4 AND number IN \
     (SELECT number FROM DATA.document WHERE purchase = $1 AND purchase <> '')"
);

/// The suppliers whose names have a text in them, with the records of their RNP entries: all
/// are counted, and the first are those whose names begin with it, or do after legal forms
/// ([`crate::model::is_legal_form`]), then those with most contracts.
///
/// Whether a name begins so is asked of each that has the text, so what is cheap comes first:
/// the regular expression of all forms takes 40 µs a name, and is left to the few that have
/// forms in full and the text in nothing but that part of the name.
const NAMED: &str = "WITH named AS MATERIALIZED (SELECT inn, contracts, \
     CASE WHEN rest = '' THEN true WHEN right(rest, 1) <> ' ' THEN false \
     WHEN rest = ANY ($3) THEN true \
     WHEN NOT is_full THEN string_to_array(rtrim(rest), ' ') <@ $2 \
     WHEN EXISTS (SELECT FROM unnest($3) AS form WHERE starts_with(rest, form)) THEN rest ~ $4 \
     ELSE false END AS begins FROM (\
     SELECT inn, contracts, substr(before, strpos(before, chr(9)) + 1) AS rest, \
     strpos(before, chr(9)) > 0 AS is_full FROM (\
     SELECT inn, contracts, left(searched_name, strpos(searched_name, $1) - 1) AS before \
     FROM DATA.supplier WHERE strpos(searched_name, $1) > 0 OFFSET 0) AS found \
     OFFSET 0) AS found), \
     first AS (SELECT * FROM named ORDER BY begins DESC, contracts DESC, inn LIMIT $5) \
     SELECT p.number, p.identity, found.*, (SELECT count(*) FROM named) \
     FROM procurement_lookup.publication AS p LEFT JOIN (\
     SELECT id, inn, name, supplier.contracts, stated, \
     ARRAY(SELECT record FROM DATA.rnp_entry WHERE supplier_inn = supplier.inn) AS entries, begins \
     FROM first JOIN DATA.supplier USING (inn)) AS found ON true \
     ORDER BY begins DESC, contracts DESC, inn";

impl ServerData {
    /// As [`super::super::Database::supplier`].
    pub fn supplier(&self, inn: &Inn) -> Result<Option<KnownSupplier>> {
        Ok(self.found_supplier(inn)?.map(|found| found.supplier))
    }

    /// As [`super::super::Database::rnp_entries`].
    pub fn rnp_entries(&self, inn: &Inn) -> Result<Vec<RnpEntry>> {
        let found = self.found_supplier(inn)?;
        let records = match found.map(|found| found.entries) {
            Some(Some(records)) => records,
            // Its page was read ahead, without them.
            Some(None) => {
                self.found.borrow_mut().suppliers.remove(inn);
                let found = self.found_supplier(inn)?;
                found.and_then(|found| found.entries).unwrap_or_default()
            }
            None => Vec::new(),
        };
        let inn = inn.as_str();
        let entries = records.iter().map(|record| read_entry(inn, record));
        let entries: std::result::Result<Vec<_>, String> = entries.collect();
        let mut entries = entries.map_err(|what| self.damaged(&what))?;
        sort_entries(&mut entries);
        Ok(entries)
    }

    /// A supplier as the answer has found it, or finds it now.
    fn found_supplier(&self, inn: &Inn) -> Result<Option<FoundSupplier>> {
        if let Some(found) = self.found.borrow().suppliers.get(inn) {
            return Ok(found.clone());
        }
        let inns = vec![inn.as_str()];
        let rows = self.rows(SUPPLIERS, &[&inns])?;
        self.keep_suppliers(&inns, &rows)?;
        Ok(self.found.borrow().suppliers.get(inn).cloned().flatten())
    }

    /// Keeps the suppliers in rows of [`SUPPLIERS`] for the rest of the answer.
    pub(super) fn keep_suppliers(&self, inns: &[&str], rows: &[Row]) -> Result<()> {
        let suppliers = &mut self.found.borrow_mut().suppliers;
        suppliers.extend(inns.iter().filter_map(|inn| Some((Inn::parse(inn)?, None))));
        for row in rows {
            if let Some(supplier) = self.supplier_in(row)? {
                let entries = self.get(row, FIRST + SUPPLIER_COLUMNS)?;
                let found = FoundSupplier { supplier, entries };
                suppliers.insert(found.supplier.inn.clone(), Some(found));
            }
        }
        Ok(())
    }

    /// The supplier in the first columns of a row, if there is one.
    pub(super) fn supplier_in(&self, row: &Row) -> Result<Option<KnownSupplier>> {
        let Some(id) = self.get(row, FIRST)? else {
            return Ok(None);
        };
        let inn = Inn::parse(self.get(row, FIRST + 1)?);
        Ok(Some(KnownSupplier {
            id,
            inn: inn.ok_or_else(|| self.damaged("an INN that is none"))?,
            name: original(self.get(row, FIRST + 2)?),
            contracts: self.count(row, FIRST + 3)?,
            stated: self.get(row, FIRST + 4)?,
        }))
    }

    /// As [`super::super::Database::rnp_entry`].
    pub fn rnp_entry(&self, number: &str) -> Result<Option<(KnownSupplier, RnpEntry)>> {
        let rows = self.rows(ENTRY, &[&stored(number)])?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        let Some(supplier) = self.supplier_in(row)? else {
            return Ok(None);
        };
        let entry = read_entry(
            supplier.inn.as_str(),
            self.get(row, FIRST + SUPPLIER_COLUMNS)?,
        );
        Ok(Some((supplier, entry.map_err(|what| self.damaged(&what))?)))
    }

    /// As [`super::super::Database::purchase`].
    pub fn purchase(&self, number: &PurchaseNumber) -> Result<Option<Purchase>> {
        let found = self.found.borrow_mut().purchase.take();
        if let Some((_, found)) = found.filter(|(found, _)| found == number) {
            return Ok(found);
        }
        let rows = self.rows(PURCHASE, &[&number.as_str()])?;
        self.purchase_in(number, &rows)
    }

    /// The purchase in a row of [`PURCHASE`].
    pub(super) fn purchase_in(
        &self,
        number: &PurchaseNumber,
        rows: &[Row],
    ) -> Result<Option<Purchase>> {
        let record = rows.first().map(|row| self.get(row, FIRST));
        let record: Option<&[u8]> = record.transpose()?.flatten();
        record
            .map(|record| self.purchase_of(number, record))
            .transpose()
    }

    /// The purchase of a record.
    pub(super) fn purchase_of(&self, number: &PurchaseNumber, record: &[u8]) -> Result<Purchase> {
        read_purchase(number.as_str(), record).map_err(|what| self.damaged(&what))
    }

    /// As [`super::super::Database::suppliers_of_contract`].
    pub fn suppliers_of_contract(&self, reg_num: &str) -> Result<Vec<KnownSupplier>> {
        let rows = self.rows(OF_CONTRACT, &[&stored(reg_num)])?;
        let mut suppliers = Vec::new();
        for row in &rows {
            suppliers.extend(self.supplier_in(row)?);
        }
        suppliers.sort_by(|a, b| a.inn.cmp(&b.inn));
        Ok(suppliers)
    }

    /// As [`super::super::Database::sources`].
    pub fn sources(&self, number: &str) -> Result<Vec<SourceDocument>> {
        let notice = NOTICE_OF_CONTRACT.map(|kind| kind as i16);
        let [from, to] = DocumentSubject::Contract.kinds().map(i16::from);
        let text = stored(number);
        let params: [Param<'_>; 4] = [&text, &notice.as_slice(), &from, &to];
        let mut candidates = Candidates::default();
        for row in &self.many_rows(SOURCES, &params)? {
            for (at, has) in candidates.has_record.iter_mut().enumerate() {
                *has = self.get(row, FIRST + at)?;
            }
            candidates
                .documents
                .extend(self.document_in(row, FIRST + 3)?);
        }
        Ok(select(number, &candidates))
    }

    /// The document in the columns of a row from `at` on, if there is one.
    fn document_in(&self, row: &Row, at: usize) -> Result<Option<DocumentHead>> {
        let Some(id) = self.get(row, at)? else {
            return Ok(None);
        };
        let text = |at| self.get(row, at).map(original);
        let kind: i16 = self.get(row, at + 2)?;
        let kind = u8::try_from(kind).map_err(|_| self.damaged("a kind of documents"))?;
        Ok(Some(DocumentHead {
            id,
            number: text(at + 1)?,
            kind,
            version: self.get(row, at + 3)?,
            published: self.get(row, at + 4)?,
            purchase: text(at + 5)?,
            annuls: self.get(row, at + 6)?,
            origin: DocumentOrigin {
                name: text(at + 7)?.into(),
                subsystem: text(at + 8)?.into(),
            },
        }))
    }

    /// As [`super::super::Database::find_names`].
    pub fn find_names(&self, text: &str, limit: usize) -> Result<NameMatches> {
        let (short, full): (Vec<&str>, Vec<&str>) = LEGAL_FORMS.iter().copied().unzip();
        let forms = short.iter().chain(&full);
        let forms: Vec<String> = forms.map(|form| format!("{form} ")).collect();
        let pattern = format!(
            "^({})*$",
            forms.join("|").replace('(', "\\(").replace(')', "\\)")
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let text = stored(text);
        let params: [Param<'_>; 5] = [&text, &short, &forms, &pattern, &limit];
        let rows = self.many_rows(NAMED, &params)?;
        self.keep_suppliers(&[], &rows)?;
        let mut matches = NameMatches::default();
        for row in &rows {
            matches.count = self.count(row, FIRST + SUPPLIER_COLUMNS + 2)?;
            matches.suppliers.extend(self.supplier_in(row)?);
        }
        Ok(matches)
    }
}
