//! The audit trail: one line per answered lookup by a key's holder, with request and result. It is
//! separate from the access log and off by default, because it contains INNs, including those of
//! individuals.
//!
//! A separate thread writes the file. Responses wait for their line only if the trail is required.

mod file;
mod line;
mod writer;

use std::io::{self, Write};
use std::net::IpAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::api::{Note, Status};
use file::TrailFile;
use line::AuditLine;
use writer::{LATE, Writer};

pub use writer::{LATE as AUDIT_LATE, MAX_WAITING as MAX_AUDIT_WAITING, TrailState};

/// How long to wait at shutdown for the last lines to be written.
const LAST_LINES: Duration = Duration::from_secs(1);

pub struct Audit {
    writer: Writer,
    /// Whether a lookup fails if its line cannot be written.
    pub is_required: bool,
}

impl Audit {
    /// Creates an audit trail in the file at `path`. A missing file is created; only its owner and,
    /// depending on the umask, its group can access it.
    ///
    /// # Errors
    /// Returns an error if the file is not writable, is not a regular file, or has content that is
    /// not an audit trail, or if the thread cannot be started.
    pub fn to_file(path: &Path) -> io::Result<Self> {
        Self::over(TrailFile::open(path)?)
    }

    /// Creates an audit trail that writes each line to `out` in a single call.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub(super) fn over(out: impl Write + Send + 'static) -> io::Result<Self> {
        Ok(Self {
            writer: Writer::start(out)?,
            is_required: false,
        })
    }

    /// Returns the number of lines that could not be written.
    pub fn failed(&self) -> u64 {
        self.writer.failed()
    }

    pub fn state(&self, now: Instant) -> TrailState {
        self.writer.state(now)
    }

    /// Writes the pending lines, waiting at most a second.
    pub fn end(&self) {
        let left = self.writer.end(LAST_LINES);
        if left > 0 {
            log::error!("{left} lines of the audit trail were not written");
        }
    }

    /// Records a request that will be answered with `status`. Returns whether the response may be
    /// sent: if the trail is required, only after its line is written.
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
        let line = AuditLine::new(id, client, note, lookup, status);
        // Serializing strings and numbers cannot fail.
        let mut text = serde_json::to_vec(&line).unwrap_or_default();
        text.push(b'\n');
        let now = Instant::now();
        if self.is_required {
            return self.writer.write(text, now, LATE);
        }
        self.writer.add(text, now);
        true
    }
}

#[cfg(test)]
mod tests;
