//! The last day on which each key was used. It is stored beside the keys file: `FILE-used/days` has
//! a line with hash and day for each key. The folder is separate so that a server can write there
//! without permission to change the keys.
//!
//! Several servers may share a keys file. Each server merges its days into the file while it holds
//! a lock on `FILE-used/lock`. Lines that cannot be parsed are kept.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::building::write_whole;
use super::error::{Error, Result};
use super::key_rows::KeyHash;
use super::paths::beside;
use crate::model::Date;

/// Maximum size of the file in bytes. 100,000 keys take 8 MB.
const MAX_SIZE: u64 = 16 << 20;

/// Maximum wait for another server, which holds the lock for a few milliseconds. Longer in tests,
/// whose disk may be busy.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 60 } else { 1 });

/// Pause between attempts to take the lock.
const RETRY: Duration = Duration::from_millis(10);

#[derive(Debug, Default)]
struct Days {
    by_key: HashMap<KeyHash, Date>,
    /// Lines that cannot be parsed.
    unread: Vec<Vec<u8>>,
}

/// Reads the days of use for a keys file; empty if none are stored yet. Logs the number of lines
/// that cannot be parsed.
///
/// # Errors
/// Returns an error if the file exists and cannot be read.
pub fn days(keys: &Path) -> Result<HashMap<KeyHash, Date>> {
    let path = folder(keys).join("days");
    let days = read(&path).map_err(|error| Error::io(&path, &error))?;
    if !days.unread.is_empty() {
        log::warn!(
            "{}: lines that cannot be parsed, so the last use of their keys is unknown: {}",
            path.display(),
            days.unread.len()
        );
    }
    Ok(days.by_key)
}

/// Stores days of use for a keys file. A later day that is already stored is kept.
///
/// # Errors
/// Returns an error if the stored days cannot be read, in which case they are not overwritten, or
/// if the new ones cannot be written.
pub fn note(keys: &Path, used: &HashMap<KeyHash, Date>) -> Result<()> {
    let folder = folder(keys);
    merge(&folder, used).map_err(|error| Error::io(&folder, &error))
}

fn merge(folder: &Path, used: &HashMap<KeyHash, Date>) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let _lock = locked(&folder.join("lock"))?;
    let path = folder.join("days");
    let mut all = read(&path)?;
    for (hash, day) in used {
        let last = all.by_key.entry(*hash).or_insert(*day);
        *last = (*last).max(*day);
    }
    write_whole(&path, &all.to_bytes())
}

fn locked(path: &Path) -> io::Result<File> {
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    let until = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(RETRY),
            Err(error) => return Err(error.into()),
        }
    }
}

fn read(path: &Path) -> io::Result<Days> {
    let mut bytes = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(MAX_SIZE + 1).read_to_end(&mut bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Days::default()),
        Err(error) => return Err(error),
    };
    if bytes.len() as u64 > MAX_SIZE {
        return Err(io::Error::other("too large for a file of days of use"));
    }
    let mut days = Days::default();
    for line in bytes.split(|byte| *byte == b'\n') {
        match std::str::from_utf8(line).ok().and_then(parse) {
            Some((hash, day)) => {
                let last = days.by_key.entry(hash).or_insert(day);
                *last = (*last).max(day);
            }
            None if line.is_empty() => {}
            None => days.unread.push(line.to_owned()),
        }
    }
    Ok(days)
}

impl Days {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.by_key.len() * 76);
        for (hash, day) in &self.by_key {
            let digits = hash.iter().map(|byte| format!("{byte:02x}"));
            let line = format!("{} {day}\n", digits.collect::<String>());
            bytes.extend_from_slice(line.as_bytes());
        }
        for line in &self.unread {
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
        }
        bytes
    }
}

fn parse(line: &str) -> Option<(KeyHash, Date)> {
    let (digits, day) = line.split_once(' ')?;
    let mut hash = KeyHash::default();
    if digits.len() != 2 * hash.len() {
        return None;
    }
    for (at, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some((hash, Date::parse_iso(day)?))
}

fn folder(keys: &Path) -> PathBuf {
    beside(keys, "-used")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: u8) -> Date {
        Date::new(2026, 11, day).expect("a day")
    }

    fn used(key: u8, on: u8) -> HashMap<KeyHash, Date> {
        [([key; 32], day(on))].into()
    }

    #[test]
    fn malformed_lines_are_kept() {
        let home = tempfile::tempdir().expect("a folder");
        let keys = home.path().join("keys.sqlite");
        note(&keys, &used(1, 20)).expect("noted");
        let path = folder(&keys).join("days");
        let mut bytes = fs::read(&path).expect("days");
        let damaged = b"aa\xff 2026-11-01\n0101 2026-11-01";
        bytes.extend_from_slice(damaged);
        fs::write(&path, &bytes).expect("written");
        note(&keys, &used(2, 21)).expect("noted");
        let all: HashMap<_, _> = used(1, 20).into_iter().chain(used(2, 21)).collect();
        assert_eq!(days(&keys).expect("days"), all);
        let bytes = fs::read(&path).expect("days");
        assert!(memchr::memmem::find(&bytes, damaged).is_some());
    }

    #[test]
    fn unreadable_days_are_not_overwritten() {
        let home = tempfile::tempdir().expect("a folder");
        let keys = home.path().join("keys.sqlite");
        note(&keys, &used(1, 20)).expect("noted");
        let path = folder(&keys).join("days");
        let aside = home.path().join("aside");
        fs::rename(&path, &aside).expect("moved");
        // Reading a folder fails for every user.
        fs::create_dir(&path).expect("a folder");
        days(&keys).expect_err("they are not known");
        note(&keys, &used(2, 21)).expect_err("they would be lost");
        fs::remove_dir(&path).expect("still the folder");
        let large = File::create(&path).expect("a file");
        large.set_len(MAX_SIZE + 1).expect("a large file");
        note(&keys, &used(2, 21)).expect_err("they would be lost");
        assert_eq!(large.metadata().expect("a file").len(), MAX_SIZE + 1);
        fs::rename(&aside, &path).expect("moved back");
        note(&keys, &used(2, 21)).expect("noted");
        assert_eq!(days(&keys).expect("days").len(), 2);
    }

    #[test]
    fn servers_that_share_keys_lose_no_days() {
        let home = tempfile::tempdir().expect("a folder");
        let keys = home.path().join("keys.sqlite");
        thread::scope(|scope| {
            for server in 0..4 {
                let keys = &keys;
                scope.spawn(move || {
                    for key in 0..20 {
                        note(keys, &used(server * 20 + key, 20)).expect("noted");
                    }
                });
            }
        });
        assert_eq!(days(&keys).expect("days").len(), 80);
    }
}
