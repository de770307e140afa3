//! The last day of use of each key, beside a keys file: `FILE-used/days`, a line with hash and day
//! for each key. It has its own folder, so that a server that may not change the keys can write it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::building::{beside, write_whole};
use super::error::{Error, Result};
use super::key_rows::KeyHash;
use crate::model::Date;

/// The largest size read, in bytes: 100,000 keys take 8 MB.
const MAX_SIZE: u64 = 16 << 20;

/// Reads the days beside a keys file; empty if there are none, or they cannot be read.
pub fn days(keys: &Path) -> HashMap<KeyHash, Date> {
    let mut text = String::new();
    let read = File::open(folder(keys).join("days"))
        .and_then(|file| file.take(MAX_SIZE).read_to_string(&mut text));
    match read {
        Ok(_) => text.lines().filter_map(parse).collect(),
        Err(_) => HashMap::new(),
    }
}

/// Stores days beside a keys file. A later stored day stays.
///
/// # Errors
/// The days cannot be written.
pub fn note(keys: &Path, used: &HashMap<KeyHash, Date>) -> Result<()> {
    let folder = folder(keys);
    let mut all = days(keys);
    for (hash, day) in used {
        let last = all.entry(*hash).or_insert(*day);
        *last = (*last).max(*day);
    }
    replace(&folder, &all).map_err(|error| Error::io(&folder, &error))
}

fn replace(folder: &Path, days: &HashMap<KeyHash, Date>) -> io::Result<()> {
    let mut text = String::with_capacity(days.len() * 76);
    for (hash, day) in days {
        for byte in hash {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        let _ = writeln!(text, " {day}");
    }
    fs::create_dir_all(folder)?;
    write_whole(&folder.join("days"), text.as_bytes())
}

/// Parses the hash and the day of a line.
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
