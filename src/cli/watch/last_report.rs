//! The file of `--since @FILE`: the cursor of the last report, and the state of each supplier then.
//!
//! ```text
//! CURSOR
//! {"inn":"9602003012","state":{…}}
//! {"inn":"9602003012","state":{…},"reported":"CURSOR"}
//! ```
//!
//! The cursor in the first line applies to every supplier for which no later line has a cursor of
//! its own. A line with a cursor is appended whenever an event has been delivered. If there are
//! several lines about a supplier, the last one counts. A line that cannot be parsed, such as one
//! that was being written when the process was killed, is ignored, and the event is delivered
//! again. A completed report rewrites the file. Files of release 0.1.0 consist of the first line
//! only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::state::SupplierState;
use crate::cli::BoxedError;
use crate::cli::input::named;
use crate::cli::output::write_to;
use crate::model::{ChangeCursor, Inn, LogPosition, MAX_CURSOR};
use crate::store::Database;

/// Maximum length of a line, in bytes. Each RNP entry of a supplier takes about 150 bytes.
const MAX_LINE: u64 = 4 << 20;

/// Maximum size of the file, in bytes.
const MAX_FILE: u64 = 2 << 30;

#[derive(Debug)]
pub struct LastReport {
    cursor: ChangeCursor,
    suppliers: BTreeMap<Inn, ReportedSupplier>,
}

#[derive(Debug)]
struct ReportedSupplier {
    state: SupplierState,
    /// Cursor of an event that was delivered after the last completed report.
    reported: Option<ChangeCursor>,
}

/// A line of the file after the first.
#[derive(Serialize, Deserialize)]
struct StateLine<'a> {
    inn: Inn,
    state: std::borrow::Cow<'a, SupplierState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reported: Option<String>,
}

impl LastReport {
    /// Reads the file. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is too large, or does not begin with a cursor.
    pub fn read(path: &Path) -> Result<Option<Self>, BoxedError> {
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(|error| named(path, &error))?,
        };
        let mut lines = BufReader::new(file.take(MAX_FILE));
        let first = next_line(&mut lines).map_err(|error| named(path, &error))?;
        let first = first.unwrap_or_default();
        let first = String::from_utf8_lossy(&first);
        let cursor = Some(first.trim_end())
            .filter(|text| text.len() <= MAX_CURSOR)
            .and_then(ChangeCursor::parse)
            .ok_or_else(|| named(path, &"not a cursor; give another file"))?;
        let mut suppliers = BTreeMap::new();
        while let Some(line) = next_line(&mut lines).map_err(|error| named(path, &error))? {
            let Ok(line) = serde_json::from_slice::<StateLine<'_>>(&line) else {
                continue;
            };
            let reported = line.reported.as_deref().and_then(ChangeCursor::parse);
            let state = line.state.into_owned();
            suppliers.insert(line.inn, ReportedSupplier { state, reported });
        }
        if lines.into_inner().limit() == 0 {
            return Err(named(
                path,
                &"the file is larger than any that this program writes",
            )
            .into());
        }
        Ok(Some(Self { cursor, suppliers }))
    }

    /// Returns whether the log of the data still reaches back to every cursor in the file.
    pub fn is_followed_by(&self, database: &Database) -> Result<bool, BoxedError> {
        let of_suppliers = self
            .suppliers
            .values()
            .filter_map(|one| one.reported.as_ref());
        let mut known = BTreeSet::new();
        for cursor in of_suppliers.chain([&self.cursor]) {
            if known.insert(cursor.to_string()) && !database.has_changes_since(cursor)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn position(&self) -> &LogPosition {
        &self.cursor.position
    }

    /// Returns the position after which changes of this supplier are reported.
    pub fn position_of(&self, inn: &Inn) -> &LogPosition {
        let reported = self
            .suppliers
            .get(inn)
            .and_then(|one| one.reported.as_ref());
        &reported.unwrap_or(&self.cursor).position
    }

    pub fn state_of(&self, inn: &Inn) -> Option<&SupplierState> {
        self.suppliers.get(inn).map(|one| &one.state)
    }
}

/// Returns the next line, including the line feed, or `None` at the end. Returns a line of more
/// than [`MAX_LINE`] bytes in pieces.
fn next_line(lines: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    lines.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    Ok((!line.is_empty()).then_some(line))
}

pub fn write<'a>(
    path: &Path,
    cursor: &ChangeCursor,
    suppliers: impl Iterator<Item = Result<(&'a Inn, SupplierState), BoxedError>>,
) -> Result<(), BoxedError> {
    write_to(path, |out| {
        writeln!(out, "{cursor}")?;
        for supplier in suppliers {
            let (inn, state) = supplier?;
            out.write_all(&line(inn, &state, None)?)?;
        }
        Ok(())
    })?;
    Ok(())
}

fn line(
    inn: &Inn,
    state: &SupplierState,
    reported: Option<&ChangeCursor>,
) -> Result<Vec<u8>, BoxedError> {
    let mut line = serde_json::to_vec(&StateLine {
        inn: inn.clone(),
        state: std::borrow::Cow::Borrowed(state),
        reported: reported.map(ToString::to_string),
    })?;
    line.push(b'\n');
    Ok(line)
}

/// The file, locked for appending delivered events.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens and locks an existing file, and begins a new line in it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, or if another process has locked it.
    pub fn open(path: &Path) -> Result<Self, BoxedError> {
        let failed = |error: &dyn std::fmt::Display| named(path, error);
        let mut options = OpenOptions::new();
        let opened = options.read(true).append(true).open(path);
        let mut file = opened.map_err(|error| failed(&error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(failed(&"another `watch` is delivering events with this file").into());
            }
            Err(TryLockError::Error(error)) => return Err(failed(&error).into()),
        }
        // The last line may be incomplete. End it, so that it does not corrupt the next one.
        file.write_all(b"\n").map_err(|error| failed(&error))?;
        let path = path.to_owned();
        Ok(Self { path, file })
    }

    /// Appends the state of a supplier whose event was delivered, and syncs the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn add(
        &mut self,
        inn: &Inn,
        state: &SupplierState,
        reported: &ChangeCursor,
    ) -> Result<(), BoxedError> {
        let line = line(inn, state, Some(reported))?;
        let written = self
            .file
            .write_all(&line)
            .and_then(|()| self.file.sync_data());
        written.map_err(|error| named(&self.path, &error).into())
    }
}
