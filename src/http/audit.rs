//! The audit trail: a line for each answered lookup of a key's holder, with the request and the
//! result. It is separate from the access log and off by default, because it contains INNs,
//! including those of individuals.
//!
//! A line to a file is written before the response is sent. The file is opened for each line, so a
//! renamed or removed file is created again.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::net::IpAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use log::Level;
use percent_encoding::{CONTROLS, utf8_percent_encode};
use serde::Serialize;

use super::lock::locked;
use super::request_id::could_hold_a_key;
use crate::api::{AuditedLookup, LookupResult, Note, Status};

/// The target of its lines in the log and in `RUST_LOG`.
const TARGET: &str = "audit";

/// The replacement of a word that could be a key.
const MASK: &str = "***";

/// The audit trail.
pub struct Audit {
    destination: Destination,
    /// Whether a lookup is answered only if its line is written.
    pub is_required: bool,
    state: Mutex<State>,
}

/// The destination of lines.
enum Destination {
    File(PathBuf),
    /// The log, with a function that counts its dropped lines of the current thread.
    Log(fn() -> u64),
}

/// The state of writing.
#[derive(Default)]
struct State {
    /// The number of lines that could not be written.
    failed: u64,
    /// Whether the last line could not be written.
    is_failing: bool,
    /// Whether the file may end within a line.
    is_torn: bool,
}

impl Audit {
    /// Returns an audit trail in the log, with the target `audit`. `dropped` returns the number of
    /// lines of the current thread that the log has dropped because they were not read.
    pub fn to_log(dropped: fn() -> u64) -> Self {
        Self::new(Destination::Log(dropped))
    }

    fn new(destination: Destination) -> Self {
        Self {
            destination,
            is_required: false,
            state: Mutex::default(),
        }
    }

    /// Returns an audit trail at the end of a file. A missing file is created with access for its
    /// owner and, depending on the umask, its group.
    ///
    /// # Errors
    /// The file cannot be written, or is a pipe or a device.
    pub fn to_file(path: &Path) -> io::Result<Self> {
        if path.exists() && !path.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        let mut first = [0];
        opened(path)?;
        if File::open(path)?.read(&mut first)? == 1 && first != *b"{" {
            return Err(io::Error::other("the file is there, and is no audit trail"));
        }
        Ok(Self::new(Destination::File(path.to_owned())))
    }

    /// Returns the number of lines that could not be written.
    pub fn failed(&self) -> u64 {
        locked(&self.state).failed
    }

    /// Writes the line of a request with this id and client that is answered with `status`.
    /// Returns whether it may be answered so. Counts a line that cannot be written, and logs the
    /// first failure of a series.
    pub(super) fn record(
        &self,
        id: &str,
        client: Option<IpAddr>,
        note: &Note,
        status: Status,
    ) -> bool {
        let Some(lookup) = &note.lookup else {
            return true;
        };
        let line = Line::new(id, client, note, lookup, status);
        let is_written = match &self.destination {
            Destination::Log(dropped) => self.log(&line, *dropped),
            Destination::File(path) => self.append(path, &line),
        };
        is_written || !self.is_required
    }

    fn log(&self, line: &Line<'_>, dropped: fn() -> u64) -> bool {
        let before = dropped();
        let is_on = log::log_enabled!(target: TARGET, Level::Info);
        line.log();
        let is_written = is_on && dropped() == before;
        if !is_written {
            locked(&self.state).failed += 1;
        }
        is_written
    }

    fn append(&self, path: &Path, line: &Line<'_>) -> bool {
        // Strings and numbers always serialise.
        let text = serde_json::to_string(line).unwrap_or_default() + "\n";
        let mut state = locked(&self.state);
        let begin = if state.is_torn { "\n" } else { "" };
        let bytes = [begin, &text].concat();
        let written = opened(path).and_then(|mut file| {
            // A part of it may be written.
            state.is_torn = true;
            file.write_all(bytes.as_bytes())
        });
        match &written {
            Ok(()) => {
                state.is_torn = false;
                if std::mem::take(&mut state.is_failing) {
                    let failed = state.failed;
                    log::info!(failed; "the audit trail is written again");
                }
            }
            Err(error) => {
                state.failed += 1;
                if !std::mem::replace(&mut state.is_failing, true) {
                    let path = path.display();
                    log::error!("{path}: the audit trail cannot be written: {error}");
                }
            }
        }
        written.is_ok()
    }
}

fn opened(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    options.mode(0o640).open(path)
}

/// A line, as JSON in a file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    time: String,
    id: &'a str,
    key: Option<&'a str>,
    client: Option<IpAddr>,
    endpoint: &'static str,
    query: Option<Cow<'a, str>>,
    as_of: Option<String>,
    results: Option<u64>,
    verdicts: Option<Vec<SupplierVerdict>>,
    status: u16,
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct SupplierVerdict {
    #[serde(rename = "supplierINN")]
    supplier: String,
    verdict: &'static str,
}

impl<'a> Line<'a> {
    fn new(
        id: &'a str,
        client: Option<IpAddr>,
        note: &'a Note,
        lookup: &'a AuditedLookup,
        status: Status,
    ) -> Self {
        let (mut results, mut verdicts) = (None, None);
        match &lookup.result {
            Some(LookupResult::Count(count)) => results = Some(*count),
            Some(LookupResult::Rows(count)) => results = Some(count.total),
            Some(LookupResult::Verdicts(found)) => verdicts = Some(found),
            None => {}
        }
        Self {
            time: humantime::format_rfc3339_millis(SystemTime::now()).to_string(),
            id,
            key: note.key_name.as_deref(),
            client,
            endpoint: lookup.endpoint,
            query: lookup.query.as_deref().map(masked),
            as_of: lookup.day.map(|day| day.to_string()),
            results,
            verdicts: verdicts.map(|verdicts| {
                let pairs = lookup.suppliers.iter().zip(verdicts.iter());
                let paired = pairs.map(|(supplier, verdict)| SupplierVerdict {
                    supplier: encoded(supplier),
                    verdict: verdict.code(),
                });
                paired.collect()
            }),
            status: status.number(),
            error: note.error.as_deref(),
        }
    }

    /// Writes the line to the log, which adds the time.
    fn log(&self) {
        let client = self.client.map(|client| client.to_string());
        let verdicts = self.verdicts.as_ref().map(|verdicts| {
            let pairs = verdicts.iter();
            let pairs = pairs.map(|one| format!("{}={}", one.supplier, one.verdict));
            pairs.collect::<Vec<_>>().join(",")
        });
        log::info!(
            target: TARGET,
            id = self.id,
            key = self.key,
            client,
            endpoint = self.endpoint,
            query = self.query.as_deref(),
            "asOf" = self.as_of,
            results = self.results,
            verdicts,
            status = self.status,
            error = self.error;
            "lookup"
        );
    }
}

/// Encodes a value given as an INN in the characters of a query.
fn encoded(text: &str) -> String {
    masked(&utf8_percent_encode(text, CONTROLS).to_string()).into_owned()
}

/// Masks the words that could be a key in a client's text, percent-encoded or not. People paste
/// keys in wrong places.
fn masked(text: &str) -> Cow<'_, str> {
    let Some((before, encoded)) = text.split_once('%') else {
        return masked_words(text);
    };
    // The digits of an encoded byte are no part of the next word.
    let (byte, after) = encoded.split_at_checked(2).unwrap_or((encoded, ""));
    [&masked_words(before), "%", byte, &masked(after)]
        .concat()
        .into()
}

fn masked_words(text: &str) -> Cow<'_, str> {
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if !text.split(is_end).any(could_hold_a_key) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(is_end) {
        let word = part.trim_end_matches(is_end);
        let shown = if could_hold_a_key(word) { MASK } else { word };
        out.push_str(shown);
        out.push_str(part.get(word.len()..).unwrap_or_default());
    }
    out.into()
}

#[cfg(test)]
#[path = "audit/tests.rs"]
mod tests;
