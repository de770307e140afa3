//! The documents that readers of another release read, whose facts may lack what this one's find.

use std::path::Path;

use super::eis;
use super::summary::Counted;
use crate::store;

/// The numbers of archives and of their documents that only readers of another release have read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadBefore {
    /// Archives, each counted once however often it was imported.
    pub archives: u64,
    /// Documents in these archives.
    pub documents: u64,
}

impl ReadBefore {
    /// Counts them in the database at `path`. An import of a folder reads its archives anew, so that
    /// afterwards those are left that are no longer there.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn of(path: &Path) -> store::Result<Self> {
        let mut found = Self::default();
        store::archives_of_other_readers(path, eis::read_by(), &mut |counted| {
            found.archives += 1;
            let counted = Counted::from_bytes(counted).unwrap_or_default();
            found.documents += counted.documents.values().sum::<u64>();
        })?;
        Ok(found)
    }
}
