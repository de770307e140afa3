//! Counts the documents that were last read by another release, whose readers may have found fewer
//! facts.

use std::path::Path;

use super::eis;
use super::summary::Counted;
use crate::store;

/// Numbers of archives, and of documents in them, that only another release has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadBefore {
    /// Archives. Several imports of an archive count once.
    pub archives: u64,
    /// Documents in these archives.
    pub documents: u64,
}

impl ReadBefore {
    /// Counts these archives and documents in the database at `path`. An import reads all archives
    /// in its folder again, so afterwards only archives that no longer exist are counted.
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
