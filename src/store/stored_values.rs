//! Stored values in the form that lines have, so that lines can be compared with the file.

use rusqlite::Row;

use super::batch::BatchWriter;
use super::contracts::Contracts;
use super::error::Result;
use super::file::OpenFile;
use super::lines::LineSubject;
use super::record;

pub(super) struct StoredValue {
    pub value: Vec<u8>,
    /// Id of the contract, if the subject is one.
    pub contract: Option<i64>,
}

pub(super) fn stored(db: &OpenFile, about: &LineSubject) -> Result<Option<StoredValue>> {
    let value = match about {
        LineSubject::Contract(supplier, reg_num) => {
            let Some(stored) = Contracts(db).find(*supplier, reg_num)? else {
                return Ok(None);
            };
            return Ok(Some(StoredValue {
                value: record::encode(&db.path, &stored.bytes)?,
                contract: Some(stored.id),
            }));
        }
        LineSubject::Name(inn) => {
            let sql = "SELECT given_name FROM supplier WHERE inn = ?1 AND given_name <> ''";
            let read = |row: &Row<'_>| row.get::<_, String>(0);
            db.one(sql, [inn.key()], read)?.map(String::into_bytes)
        }
        LineSubject::Supplier(inn) => {
            let sql = "SELECT 1 FROM supplier WHERE inn = ?1 AND stated";
            db.one(sql, [inn.key()], |_| Ok(Vec::new()))?
        }
        LineSubject::RnpEntry(number) => {
            let writing = BatchWriter::new(db);
            let entry = writing.stored_entry(number)?;
            let entry = entry.map(|entry| record::encode(&db.path, &entry));
            entry.transpose()?
        }
        LineSubject::Purchase(number) => BatchWriter::new(db).stored_purchase(number)?,
    };
    Ok(value.map(|value| StoredValue {
        value,
        contract: None,
    }))
}
