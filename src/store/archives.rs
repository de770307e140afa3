//! The archives that were imported completely, identified by file metadata and by content digest.
//! An import looks up one archive at a time, so memory does not grow with the number of archives.

use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

use rusqlite::params;

use super::error::Result;
use super::file::OpenFile;
use crate::model::Sha256;

/// The SHA-256 of an archive.
pub type ArchiveDigest = [u8; 32];

/// Upper bound on the size of an archive's stored counts, in bytes. The importer stores up to 1,000
/// names of 160 characters. An archive with longer counts is treated as unknown and read again.
const MAX_COUNTED: u32 = 1 << 20;

/// An archive identified by its path and file metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveFile {
    /// The first 8 bytes of the SHA-256 of the folder, followed by those of the file name, so that
    /// the archives of a folder are adjacent in the table. An import reads them in that order.
    name: [u8; 16],
    size: u64,
    /// Modification time in nanoseconds since 1970; 0 if the file system has none.
    modified: i64,
}

impl ArchiveFile {
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
/// another version are treated as unknown.
pub struct Archives<'a> {
    pub(super) db: &'a OpenFile,
    pub(super) read_by: i64,
}

impl Archives<'_> {
    /// Looks up an archive by name, size and modification time. Returns its counts as the importer
    /// encoded them.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
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

    pub(super) fn put(
        &self,
        file: &ArchiveFile,
        digest: &ArchiveDigest,
        counted: &[u8],
        refused: u64,
    ) -> Result<()> {
        // Rows of the same archive with other counts were written by other versions of the readers.
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

/// The archives that were known when the import started. The reading thread looks up digests in
/// them while another thread writes.
#[derive(Debug)]
pub struct EarlierArchives {
    pub(super) db: OpenFile,
    pub(super) read_by: i64,
}

impl EarlierArchives {
    /// Looks up an archive by digest and size. Returns its counts as the importer encoded them.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
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

/// Calls `each` with the stored counts of each archive that was not read by this version of the
/// readers (`read_by`). An archive imported under several names is passed only once.
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

/// Returns the number of refused documents in all archives, counting each archive once.
pub(super) fn refused(db: &OpenFile) -> Result<u64> {
    let sql =
        "SELECT coalesce(sum(refused), 0) FROM (SELECT DISTINCT digest, refused FROM archive)";
    db.value(sql, (), |row| row.get(0))
}

fn size_of(file: &ArchiveFile) -> i64 {
    i64::try_from(file.size).unwrap_or(i64::MAX)
}
