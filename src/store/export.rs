//! All that a file answers from, one after the other.

use super::error::{Error, Result};
use super::read::{Database, KnownSupplier};
use super::record;
use crate::model::{Inn, Purchase};

impl Database {
    /// Gives each supplier the file has a row of to `each`, in the order in which they
    /// came to it, until `each` says that it has enough.
    ///
    /// # Errors
    /// The file cannot be read, or what `each` returns.
    pub fn suppliers<E: From<Error>>(
        &self,
        mut each: impl FnMut(&Inn, &KnownSupplier) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        // By a row at a time, so that other statements may read in between.
        let mut after = i64::MIN;
        while let Some((inn, supplier)) = self.supplier_after(after)? {
            after = supplier.id();
            each(&inn, &supplier)?;
        }
        Ok(())
    }

    /// Gives each purchase to `each`, in the order in which they came to the file.
    ///
    /// # Errors
    /// The file cannot be read, or what `each` returns.
    pub fn purchases<E: From<Error>>(
        &self,
        mut each: impl FnMut(&Purchase) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = "SELECT number, record FROM purchase ORDER BY id";
        self.file.each(
            sql,
            (),
            |row| {
                let number: String = row.get(0)?;
                Ok((number, row.get::<_, Vec<u8>>(1)?))
            },
            |(number, bytes)| each(&record::purchase(&self.file.path, &number, &bytes)?),
        )
    }

    fn supplier_after(&self, id: i64) -> Result<Option<(Inn, KnownSupplier)>> {
        let sql = "SELECT inn FROM supplier WHERE id > ?1 ORDER BY id LIMIT 1";
        let Some(text) = self.file.one(sql, [id], |row| row.get::<_, String>(0))? else {
            return Ok(None);
        };
        let damaged = |what: &str| self.file.damaged(format!("supplier {text}: {what}"));
        let inn = Inn::parse(&text).ok_or_else(|| damaged("this is no INN"))?;
        let supplier = self.supplier(&inn)?;
        let supplier = supplier.ok_or_else(|| damaged("its row is not found by its INN"))?;
        Ok(Some((inn, supplier)))
    }
}
