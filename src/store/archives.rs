//! The archives that were imported in full, known by their metadata on the disk and by their bytes.
//! An import looks up one archive at a time, so its memory does not grow with their number.

use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

use rusqlite::params;

use super::error::Result;
use super::file::OpenFile;
use crate::model::Sha256;

/// The SHA-256 of an archive.
pub type ArchiveDigest = [u8; 32];

/// The longest counts of an archive that are read, in bytes. The importer's have up to 1000 names of
/// 160 characters; an archive with longer counts is unknown, and is read again.
const MAX_COUNTED: u32 = 1 << 20;

/// An archive as it is on the disk, unopened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveFile {
    /// The heads of the SHA-256 of its folder and of its file's name, 8 bytes each: the archives
    /// of a folder are neighbours in the table, which an import reads in its order.
    name: [u8; 16],
    size: u64,
    /// The time of modification, in nanoseconds since 1970; 0 where the file system has none.
    modified: i64,
}

impl ArchiveFile {
    /// The archive at `path`.
    pub fn new(path: &Path, metadata: &Metadata) -> Self {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let modified = metadata.modified().ok();
        let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.and_then(|since| since.as_nanos().try_into().ok());
        let [folder, file] = [path.parent().map(Path::as_os_str), path.file_name()]
            .map(|part| Sha256::of(part.unwrap_or_default().as_encoded_bytes()));
        let mut name = [0; 16];
        let heads = folder.iter().take(8).chain(file.iter().take(8));
        name.iter_mut()
            .zip(heads)
            .for_each(|(byte, head)| *byte = *head);
        Self {
            name,
            size: metadata.len(),
            modified: modified.unwrap_or_default(),
        }
    }
}

/// The table of archives. `read_by` is the version of the importer's readers; archives read by
/// another version count as unknown.
pub struct Archives<'a> {
    pub(super) db: &'a OpenFile,
    pub(super) read_by: i64,
}

impl Archives<'_> {
    /// Returns the counts of an archive with this name, size and time of modification.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn at(&self, file: &ArchiveFile) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT counted FROM archive WHERE name = ?1 AND size = ?2 AND modified = ?3 \
                   AND modified <> 0 AND read_by = ?4 AND length(counted) <= ?5";
        let params = params![
            file.name,
            size_of(file),
            file.modified,
            self.read_by,
            MAX_COUNTED
        ];
        self.db.one(sql, params, |row| row.get(0))
    }

    /// Stores that an archive was imported in full, its counts, and the number of its refused
    /// documents.
    pub(super) fn put(
        &self,
        file: &ArchiveFile,
        digest: &ArchiveDigest,
        counted: &[u8],
        refused: u64,
    ) -> Result<()> {
        // Counts by other readers are out of date.
        let sql = "DELETE FROM archive WHERE size = ?1 AND digest = ?2 AND counted <> ?3";
        self.db
            .execute(sql, params![size_of(file), digest, counted])?;
        let sql = "INSERT OR REPLACE INTO archive \
                   (name, size, modified, digest, read_by, counted, refused, sum) VALUES \
                   (?1, ?2, ?3, ?4, ?5, ?6, ?7, row_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7))";
        let refused = i64::try_from(refused).unwrap_or(i64::MAX);
        self.db.execute(
            sql,
            params![
                file.name,
                size_of(file),
                file.modified,
                digest,
                self.read_by,
                counted,
                refused
            ],
        )
    }
}

/// The archives of a data file as it was before an import. The reading thread looks up an archive's
/// bytes here while another thread writes.
#[derive(Debug)]
pub struct EarlierArchives {
    pub(super) db: OpenFile,
    pub(super) read_by: i64,
}

impl EarlierArchives {
    /// Returns the counts of an archive with this digest and the size of `file`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn with_bytes(
        &self,
        file: &ArchiveFile,
        digest: &ArchiveDigest,
    ) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT counted FROM archive WHERE size = ?1 AND digest = ?2 AND read_by = ?3 \
                   AND length(counted) <= ?4 LIMIT 1";
        let params = params![size_of(file), digest, self.read_by, MAX_COUNTED];
        self.db.one(sql, params, |row| row.get(0))
    }
}

/// Passes to `each` the counts of each archive that only readers of other versions than `read_by` have
/// read, once however often it was imported.
pub(super) fn each_of_other_readers(
    db: &OpenFile,
    read_by: i64,
    each: &mut dyn FnMut(&[u8]),
) -> Result<()> {
    let sql = "SELECT max(counted) FROM archive AS other WHERE read_by <> ?1 AND NOT EXISTS \
               (SELECT 1 FROM archive WHERE size = other.size AND digest = other.digest \
               AND read_by = ?1) GROUP BY size, digest";
    db.each_blob(sql, [read_by], |counted| {
        each(counted);
        Ok(())
    })
}

/// The number of refused documents in all archives, each archive counted once.
pub(super) fn refused(db: &OpenFile) -> Result<u64> {
    let sql =
        "SELECT coalesce(sum(refused), 0) FROM (SELECT DISTINCT digest, refused FROM archive)";
    db.value(sql, (), |row| row.get(0))
}

fn size_of(file: &ArchiveFile) -> i64 {
    i64::try_from(file.size).unwrap_or(i64::MAX)
}
