//! Has anything been committed since? Told by a read of 96 bytes, without SQL or a lock.
//!
//! A commit counts from the moment at which it stands in the head of the log's index
//! (`FILE-shm`): 48 bytes that SQLite writes twice, the first copy last
//! (<https://sqlite.org/walformat.html>, "The WAL-Index Header"). They have a counter of
//! commits, the length of the log, its salts and the checksum of all of it. SQLite itself
//! keeps the pages that it has in memory where the head is the one it saw before; what is
//! here does the same, no more: a head that is equal to the byte, both copies, is the same
//! data. So
//!
//! - a commit, of whatever process, is another head, and so is a rollback of what had been
//!   committed by a process that died;
//! - a checkpoint leaves the head as it is, and the data too; the next commit after it
//!   begins the log anew, with other salts;
//! - pages that are in the log and not committed yet, or never, make no difference;
//! - no clock has a part in it. The time and the length of `FILE-wal` would not do: its
//!   last bytes are written *before* the commit counts, by however long the writer is kept
//!   from going on, and who looked in between would take the old data for the new.
//!
//! The head that goes with a version is read **before** the version is: if a commit comes
//! between the two, the next look finds another head, and the version is read again. A
//! head that is being written is equal to none that was complete.
//!
//! It is used on Linux alone, where a read of a file sees what any process has written to
//! it as memory; and where the log is in use and its index can be read. Elsewhere every
//! version is read by SQL.

use std::fs::File;
use std::path::Path;

/// The head of the index, both copies.
pub(super) type Head = [u8; 96];

/// The version of the index's form that this was written for; its first four bytes.
const FORM: u32 = 3_007_000;

/// The index of a database's log, open to be read.
///
/// Closing it drops this process's locks on the file, those of SQLite's connections too:
/// that is how POSIX has it. So each connection has a share in it, and whoever goes last
/// closes it, after its connection.
#[derive(Debug)]
pub(super) struct WalIndex(File);

impl WalIndex {
    /// Opens the one at `path`, which a connection of this process has open, and keeps
    /// open for at least as long.
    pub fn open(path: &Path) -> Option<Self> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        File::open(path).ok().map(Self)
    }

    /// Its head now; none where it is not as expected, so that nothing can be told.
    pub fn head(&self) -> Option<Head> {
        let mut head: Head = [0; 96];
        if self.read(&mut head)? < head.len() {
            return None;
        }
        let form = head.first_chunk::<4>().copied().map(u32::from_ne_bytes);
        let (first, second) = head.split_at(head.len() / 2);
        (form == Some(FORM) && first == second).then_some(head)
    }

    #[cfg(unix)]
    fn read(&self, head: &mut Head) -> Option<usize> {
        std::os::unix::fs::FileExt::read_at(&self.0, head, 0).ok()
    }

    #[cfg(not(unix))]
    fn read(&self, _: &mut Head) -> Option<usize> {
        None
    }
}
