//! A publication of what has changed since the one before, as the file's log of changes has
//! it: first into temporary tables, then from there into those that are read.

use super::super::changes::MAX_CHANGES;
use super::super::documents::Documents;
use super::super::error::Result;
use super::super::query::Source;
use super::super::server_bounds::SERVER_SILENCE;
use super::super::suppliers::KnownSupplier;
use super::client::Param;
use super::compare::ContractComparison;
use super::copies::Copies;
use super::copy::TableCopy;
use super::publication::PublicationRow;
use super::publish_progress::silence_for;
use super::rows;
use super::text::original;
use crate::model::{ChangedPart, DocumentSubject};

/// The temporary tables, of what is to be there, and of the contracts that are not.
const STAGE: &str = "
    CREATE TEMP TABLE new_supplier (LIKE supplier) ON COMMIT DROP;
    CREATE TEMP TABLE new_contract (LIKE contract) ON COMMIT DROP;
    CREATE TEMP TABLE gone_contract ON COMMIT DROP AS
        SELECT reg_num, supplier_inn FROM contract WITH NO DATA;
    CREATE TEMP TABLE new_purchase (LIKE purchase) ON COMMIT DROP;
    CREATE TEMP TABLE new_rnp_entry (LIKE rnp_entry) ON COMMIT DROP;
    CREATE TEMP TABLE new_document (LIKE document) ON COMMIT DROP;
    CREATE TEMP TABLE new_registry (LIKE registry) ON COMMIT DROP;
    CREATE TEMP TABLE new_coverage (LIKE coverage) ON COMMIT DROP;
    CREATE TEMP TABLE new_revision (LIKE revision) ON COMMIT DROP;
    CREATE TEMP TABLE new_change (LIKE change) ON COMMIT DROP;
    CREATE TEMP TABLE stated_supplier (inn text COLLATE \"C\" NOT NULL) ON COMMIT DROP;
";

/// What the server knows of the temporary tables, so that it does not read whole tables for a
/// few rows.
const ANALYZE: &str = "ANALYZE new_supplier, new_contract, gone_contract, new_purchase, \
                       new_rnp_entry, new_document, new_change";

/// From the temporary tables to those that are read. A contract that changed is gone and new.
const MERGE: [&str; 14] = [
    "INSERT INTO supplier SELECT * FROM new_supplier ON CONFLICT (inn) DO UPDATE SET \
     id = excluded.id, name = excluded.name, searched_name = excluded.searched_name, \
     contracts = excluded.contracts, stated = excluded.stated \
     WHERE (supplier.*) IS DISTINCT FROM (excluded.*)",
    "DELETE FROM contract USING gone_contract AS gone \
     WHERE contract.reg_num = gone.reg_num AND contract.supplier_inn = gone.supplier_inn",
    "INSERT INTO contract SELECT * FROM new_contract",
    "INSERT INTO purchase SELECT * FROM new_purchase ON CONFLICT (number) DO UPDATE SET \
     id = excluded.id, record = excluded.record",
    "DELETE FROM rnp_entry USING new_change \
     WHERE new_change.part = 2 AND rnp_entry.supplier_inn = new_change.key",
    "INSERT INTO rnp_entry SELECT * FROM new_rnp_entry",
    "DELETE FROM document WHERE number IN (SELECT number FROM new_document)",
    "INSERT INTO document SELECT * FROM new_document",
    "DELETE FROM registry",
    "INSERT INTO registry SELECT * FROM new_registry",
    "DELETE FROM coverage WHERE (subsystem, documents, region, first_day, last_day) IN \
     (SELECT * FROM coverage EXCEPT SELECT * FROM new_coverage)",
    "INSERT INTO coverage SELECT * FROM new_coverage EXCEPT SELECT * FROM coverage",
    "INSERT INTO revision SELECT * FROM new_revision",
    "INSERT INTO change SELECT * FROM new_change ON CONFLICT (key, part) DO UPDATE SET \
     subject = excluded.subject, revision = excluded.revision",
];

/// How many suppliers' contracts are compared at once.
const COMPARED_AT_ONCE: usize = 1000;

/// How many entries' documents are deleted in one statement.
const FORGOTTEN_AT_ONCE: usize = 1000;

/// What was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentChanges {
    /// Suppliers of which something changed.
    pub suppliers: u64,
    /// Contracts that are new or have changed.
    pub contracts: u64,
    /// Contracts that are gone.
    pub removed: u64,
    /// Cards of purchases.
    pub purchases: u64,
    /// RNP entries of suppliers of whose entries any changed.
    pub rnp_entries: u64,
}

/// Writes what has changed in the file since the publication `last` to that one's tables, in
/// the transaction under way.
pub fn publish_changes(copies: &mut Copies<'_, '_>, last: &PublicationRow) -> Result<SentChanges> {
    let schema = &last.data_schema;
    let stage = format!("SET LOCAL search_path TO {schema}; {STAGE}");
    copies.session.batch(&stage, SERVER_SILENCE)?;
    let mut sent = SentChanges {
        suppliers: stage_suppliers(copies, last.version.revision)?,
        ..SentChanges::default()
    };
    (sent.contracts, sent.removed) = stage_contracts(copies, last.version.revision)?;
    sent.purchases = copies.purchases()?;
    sent.rnp_entries = copies.rnp_entries()?;
    let sql = "SELECT max(id) FROM document";
    let last: Option<Option<i64>> = copies.session.value(sql, &[], SERVER_SILENCE)?;
    copies.documents(Some(last.flatten().unwrap_or_default()))?;
    copies.registries_and_coverage()?;
    copies.log()?;
    let within = silence_for(copies.progress.done + sent.contracts + sent.removed);
    copies.progress.finish();
    copies.session.batch(ANALYZE, within)?;
    forget_documents(copies)?;
    for statement in MERGE {
        copies.session.batch(statement, within)?;
    }
    state_suppliers(copies)?;
    trim_log(copies)?;
    Ok(sent)
}

/// Deletes the documents about entries that the file no longer has any document about:
/// `import --forget-before` has deleted them there.
fn forget_documents(copies: &mut Copies<'_, '_>) -> Result<()> {
    let sql = "SELECT number FROM rnp_entry JOIN new_change ON part = 2 AND supplier_inn = key \
               WHERE number NOT IN (SELECT number FROM new_rnp_entry)";
    let rows = copies.session.rows(sql, &[], SERVER_SILENCE)?;
    let mut forgotten = Vec::new();
    for row in &rows {
        let number: &str = copies.session.get(row, 0)?;
        let documents = Documents(&copies.file.file);
        if documents.last_published(&original(number))?.is_none() {
            forgotten.push(number);
        }
    }
    let [from, to] = DocumentSubject::RnpEntry.kinds().map(i16::from);
    let sql = "DELETE FROM document WHERE kind >= $1 AND kind < $2 AND number = ANY ($3)";
    for numbers in forgotten.chunks(FORGOTTEN_AT_ONCE) {
        let params: [Param<'_>; 3] = [&from, &to, &numbers];
        copies.session.execute(sql, &params, SERVER_SILENCE)?;
    }
    Ok(())
}

/// The rows of suppliers of which something has changed, and those that came to the file
/// since. Returns how many have changed.
fn stage_suppliers(copies: &mut Copies<'_, '_>, since: i64) -> Result<u64> {
    let last: Option<i64> = copies.session.value(
        "SELECT id FROM supplier ORDER BY id DESC LIMIT 1",
        &[],
        SERVER_SILENCE,
    )?;
    let last = last.unwrap_or_default();
    let mut copy = TableCopy::begin(copies.session, "new_", "supplier", "")?;
    let mut changed = 0;
    let parts = [ChangedPart::Contracts, ChangedPart::Rnp, ChangedPart::Name];
    let file = copies.file;
    file.changed_suppliers(since, &parts, |supplier, is_known| {
        changed += 1;
        match supplier.id > last {
            true => Ok(()),
            false => copy.row(|row| rows::supplier(row, supplier, is_known)),
        }
    })?;
    // Also those of which the log has nothing, as no answer has them.
    file.suppliers_after(last, |supplier, is_known| {
        copy.row(|row| rows::supplier(row, supplier, is_known))
    })?;
    copy.finish().map(|()| changed)
}

/// Contracts that differ. Returns how many are new, and how many are gone; those that have
/// changed are both.
fn stage_contracts(copies: &mut Copies<'_, '_>, since: i64) -> Result<(u64, u64)> {
    let file = copies.file;
    let mut comparison = ContractComparison::new(copies.session);
    let mut suppliers: Vec<KnownSupplier> = Vec::new();
    file.changed_suppliers(since, &[ChangedPart::Contracts], |supplier, _| {
        copies.progress.row();
        suppliers.push(supplier.clone());
        if suppliers.len() < COMPARED_AT_ONCE {
            return Ok(());
        }
        comparison.suppliers(file, &std::mem::take(&mut suppliers))
    })?;
    comparison.suppliers(file, &suppliers)?;
    comparison.finish()
}

/// Which suppliers were imported as records of their own: no answer but an export shows that
/// of one that has contracts or entries as well, so the log does not have it. It never ends.
fn state_suppliers(copies: &mut Copies<'_, '_>) -> Result<()> {
    let (_, stated) = copies.file.count_suppliers()?;
    let sql = "SELECT count(*) FROM supplier WHERE stated";
    if copies.session.value(sql, &[], SERVER_SILENCE)? == Some(stated) {
        return Ok(());
    }
    let mut copy = TableCopy::begin(copies.session, "stated_", "supplier", "")?;
    copies.file.stated_suppliers(|inn| {
        copy.row(|row| {
            row.begin(1).text(&inn);
        })
    })?;
    copy.finish()?;
    let sql = "UPDATE supplier SET stated = true FROM stated_supplier \
               WHERE supplier.inn = stated_supplier.inn AND NOT stated";
    copies
        .session
        .batch(sql, silence_for(stated.unsigned_abs()))?;
    Ok(())
}

/// Drops what the file has dropped of its log.
fn trim_log(copies: &mut Copies<'_, '_>) -> Result<()> {
    let oldest_change = copies.file.oldest_change()?.unwrap_or(i64::MAX);
    let oldest = copies.file.oldest_revision()?.unwrap_or_default();
    let oldest = i64::try_from(oldest).unwrap_or(i64::MAX);
    for (sql, oldest) in [
        ("DELETE FROM change WHERE revision < $1", oldest_change),
        ("DELETE FROM revision WHERE number < $1", oldest),
    ] {
        let within = silence_for(MAX_CHANGES);
        copies.session.execute(sql, &[&oldest], within)?;
    }
    Ok(())
}
