//! Counts the archives and documents that only other releases have read. The readers of those
//! releases may have found fewer facts.

use std::path::Path;

use super::eis;
use super::summary::Counted;
use crate::store;

/// Archives, and the documents in them, that only other releases have read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadBefore {
    /// An archive that was imported several times counts once.
    pub archives: u64,
    pub documents: u64,
}

impl ReadBefore {
    /// Counts in the data file at `path`. After an import, what remains are archives that the
    /// import did not find, because it reads all others again.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
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
