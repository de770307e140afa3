//! Publishes the changes since the previous publication, according to the file's log: deletes the
//! rows that have changed, then sends their new versions.

use super::super::changes::{MAX_CHANGES, part_is};
use super::super::documents::Documents;
use super::super::error::Result;
use super::super::query::Source;
use super::super::server_bounds::SERVER_SILENCE;
use super::client::Param;
use super::publication::PublicationRow;
use super::sender::{RowSender, silence_for};
use super::text::{original, stored};
use crate::model::DocumentSubject;

/// Temporary tables for the log since the previous publication, for the ids and digests of all
/// contracts of suppliers whose contracts have changed, and for the INNs of suppliers for which a
/// supplier line was imported.
const STAGE: &str = "
    CREATE TEMP TABLE new_change (LIKE change) ON COMMIT DROP;
    CREATE TEMP TABLE contract_key (id bigint, digest bigint) ON COMMIT DROP;
    CREATE TEMP TABLE stated_supplier (inn text COLLATE \"C\") ON COMMIT DROP;
";

/// Statements that find the contracts that differ between file and server: `id` if the server lacks
/// the contract or has another version of it, and `gone` if the file lacks it or has another
/// version. Without ANALYZE, the server would read whole tables for a few rows.
const COMPARE: &str = concat!(
    "
    ANALYZE new_change, contract_key;
    CREATE TEMP TABLE difference ON COMMIT DROP AS
        SELECT k.id, c.id AS gone FROM contract_key AS k FULL JOIN
            (SELECT id, digest FROM contract JOIN new_change
            ON ",
    part_is!(contracts),
    " AND supplier_inn = key) AS c
        ON k.id = c.id AND k.digest = c.digest
        WHERE k.digest IS NULL OR c.digest IS NULL;
    ANALYZE difference;
"
);

const NEW_CONTRACTS: &str = "SELECT id FROM difference WHERE id IS NOT NULL ORDER BY id";

/// Numbers of the RNP entries of suppliers with changed entries.
const OLD_ENTRIES: &str = concat!(
    "SELECT number FROM rnp_entry JOIN new_change ON ",
    part_is!(rnp_check),
    " AND supplier_inn = key"
);

const DELETE: [&str; 15] = [
    concat!(
        "DELETE FROM supplier USING new_change WHERE ",
        part_is!(of_supplier),
        " AND inn = key"
    ),
    concat!(
        "DELETE FROM searched_name USING new_change WHERE inn = key AND (",
        part_is!(of_supplier),
        " AND NOT is_customer OR ",
        part_is!(customer_contracts),
        " AND is_customer)"
    ),
    "DELETE FROM contract USING difference WHERE contract.id = gone",
    "DELETE FROM contract_items USING difference WHERE contract_items.id = gone",
    "DELETE FROM contract_items_total",
    "DELETE FROM contract_content USING difference WHERE contract_content.id = gone",
    concat!(
        "DELETE FROM purchase_content USING purchase, new_change WHERE ",
        part_is!(card),
        " AND number = key AND purchase_content.id = purchase.id"
    ),
    concat!(
        "DELETE FROM purchase_facet USING purchase, new_change WHERE ",
        part_is!(card),
        " AND number = key AND purchase_facet.id = purchase.id"
    ),
    concat!(
        "DELETE FROM purchase USING new_change WHERE ",
        part_is!(card),
        " AND number = key"
    ),
    concat!(
        "DELETE FROM purchase_winner USING new_change WHERE ",
        part_is!(card),
        " AND number = key"
    ),
    concat!(
        "DELETE FROM rnp_entry USING new_change WHERE ",
        part_is!(rnp_check),
        " AND supplier_inn = key"
    ),
    "DELETE FROM registry",
    "DELETE FROM unread_entry",
    "DELETE FROM coverage",
    "DELETE FROM change USING new_change \
     WHERE change.key = new_change.key AND change.part = new_change.part",
];

/// Number of subjects per statement that deletes documents.
const NUMBERS_AT_ONCE: usize = 1000;

/// Writes the file's changes since the publication `last` to the tables of that publication, within
/// the open transaction. Returns the number of contracts sent.
pub fn publish_changes(sender: &mut RowSender<'_>, last: &PublicationRow) -> Result<u64> {
    let stage = format!("SET LOCAL search_path TO {}; {STAGE}", last.data_schema);
    sender.session.batch(&stage, SERVER_SILENCE)?;
    sender.changes("new_change")?;
    sender.contract_keys()?;
    let within = silence_for(sender.done);
    sender.session.batch(COMPARE, within)?;
    let mut contracts: Vec<i64> = Vec::new();
    for row in &sender.session.rows(NEW_CONTRACTS, &[], within)? {
        contracts.push(sender.session.get(row, 0)?);
    }
    let supplier = largest_id(sender, "SELECT id FROM supplier ORDER BY id DESC LIMIT 1")?;
    let document = largest_id(sender, "SELECT max(id) FROM document")?;
    delete_documents(sender, document)?;
    for statement in DELETE {
        sender.session.batch(statement, within)?;
    }
    sender.suppliers(supplier)?;
    sender.names()?;
    sender.contracts_with_ids(&contracts)?;
    sender.purchases()?;
    sender.contents_of_purchases()?;
    sender.winners()?;
    sender.rnp_entries()?;
    sender.documents(Some(document))?;
    sender.registries_and_coverage()?;
    sender.revisions()?;
    let sql = "INSERT INTO change SELECT * FROM new_change";
    sender.session.batch(sql, within)?;
    (sender.report)(sender.total, sender.total);
    state_suppliers(sender)?;
    trim_log(sender)?;
    Ok(contracts.len() as u64)
}

fn largest_id(sender: &mut RowSender<'_>, sql: &str) -> Result<i64> {
    let id: Option<Option<i64>> = sender.session.value(sql, &[], SERVER_SILENCE)?;
    Ok(id.flatten().unwrap_or_default())
}

/// Deletes the documents that will be sent again: all documents about numbers with new documents.
/// Also deletes the documents about entries for which the file has no documents left because
/// `import --forget-before` has deleted them.
fn delete_documents(sender: &mut RowSender<'_>, last: i64) -> Result<()> {
    let file = &sender.file.file;
    let sql = "SELECT DISTINCT number FROM document WHERE id > ?1";
    let changed = file.all(sql, [last], |row| {
        Ok(stored(row.get_ref(0)?.as_str()?).into_owned())
    })?;
    let mut forgotten: Vec<String> = Vec::new();
    for row in &sender.session.rows(OLD_ENTRIES, &[], SERVER_SILENCE)? {
        let number: String = sender.session.get(row, 0)?;
        if Documents(file)
            .last_published(&original(&number))?
            .is_none()
        {
            forgotten.push(number);
        }
    }
    let all = [i16::MIN, i16::MAX];
    let about_entries = DocumentSubject::RnpEntry.kinds().map(i16::from);
    let sql = "DELETE FROM document WHERE number = ANY ($1) AND kind >= $2 AND kind < $3";
    for (numbers, [from, to]) in [(changed, all), (forgotten, about_entries)] {
        for numbers in numbers.chunks(NUMBERS_AT_ONCE) {
            let params: [Param<'_>; 3] = [&numbers, &from, &to];
            sender.session.rows(sql, &params, SERVER_SILENCE)?;
        }
    }
    Ok(())
}

/// Marks the suppliers for which supplier lines were imported. For a supplier with contracts or
/// entries, the mark only affects exports, so the log does not show it. Marks are never removed.
fn state_suppliers(sender: &mut RowSender<'_>) -> Result<()> {
    let file = &sender.file.file;
    let sql = "SELECT count(*) FROM supplier WHERE stated";
    let stated: i64 = file.value(sql, (), |row| row.get(0))?;
    if sender.session.value(sql, &[], SERVER_SILENCE)? == Some(stated) {
        return Ok(());
    }
    sender.stated_suppliers()?;
    let sql = "UPDATE supplier SET stated = true FROM stated_supplier \
               WHERE supplier.inn = stated_supplier.inn AND NOT stated";
    sender
        .session
        .batch(sql, silence_for(stated.unsigned_abs()))
}

/// Deletes the revisions and changes that are no longer in the file's log.
fn trim_log(sender: &mut RowSender<'_>) -> Result<()> {
    let sql = "SELECT min(revision) FROM change";
    let oldest_change: Option<Option<i64>> = sender.file.file.one(sql, (), |row| row.get(0))?;
    let oldest = sender.file.oldest_revision()?.unwrap_or_default();
    for (sql, oldest) in [
        (
            "DELETE FROM change WHERE revision < $1",
            oldest_change.flatten().unwrap_or(i64::MAX),
        ),
        (
            "DELETE FROM revision WHERE number < $1",
            i64::try_from(oldest).unwrap_or(i64::MAX),
        ),
    ] {
        let within = silence_for(MAX_CHANGES);
        sender.session.rows(sql, &[&oldest], within)?;
    }
    Ok(())
}
