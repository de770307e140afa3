//! The ids of suppliers, kept at hand during an import.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use rusqlite::params;

use super::super::error::Result;
use super::super::open_file::OpenFile;
use super::super::suppliers::INSERT_SUPPLIER;
use crate::model::{Inn, Supplier};

/// How many suppliers are kept at hand, at some 50 bytes each; at more, all are forgotten.
const MOST: usize = 500_000;

/// Suppliers that lines were about.
#[derive(Debug, Default)]
pub(in crate::store) struct SupplierIds {
    known: HashMap<u64, Known>,
    /// With a key of this process, so that no input can be made to collide.
    names: RandomState,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    id: i64,
    /// The hash of the last name given, 0 if none was.
    name: u64,
}

impl SupplierIds {
    /// The id of a supplier, whose row is made if there is none; is the name given, and
    /// another than that of the last line about it?
    pub fn find(&mut self, db: &OpenFile, supplier: &Supplier) -> Result<(i64, bool)> {
        let number = number_of(&supplier.inn);
        let name = match supplier.name.as_str() {
            "" => 0,
            name => self.names.hash_one(name) | 1,
        };
        if let Some(known) = self.known.get_mut(&number) {
            let is_renamed = name != 0 && known.name != name;
            if is_renamed {
                known.name = name;
            }
            return Ok((known.id, is_renamed));
        }
        let id = id_of(db, &supplier.inn)?;
        if self.known.len() >= MOST {
            self.known.clear();
        }
        self.known.insert(number, Known { id, name });
        Ok((id, name != 0))
    }
}

/// An INN as a number: 10 digits, or 12.
fn number_of(inn: &Inn) -> u64 {
    let digits = inn.as_str();
    let number = digits.parse::<u64>().unwrap_or_default();
    2 * number + u64::from(digits.len() == 12)
}

fn id_of(db: &OpenFile, inn: &Inn) -> Result<i64> {
    let sql = "SELECT id FROM supplier WHERE inn = ?1";
    if let Some(id) = db.one(sql, [inn.as_str()], |row| row.get(0))? {
        return Ok(id);
    }
    db.execute(INSERT_SUPPLIER, params![inn.as_str()])?;
    Ok(db.connection.last_insert_rowid())
}
