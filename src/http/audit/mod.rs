//! The audit trail: a line for each answered lookup of a key's holder, with the request and the
//! result. It is separate from the access log and off by default, because it contains INNs,
//! including those of individuals.
//!
//! A thread of its own writes the file. Only where the trail is required does a response wait for
//! its line.

mod file;
mod line;
mod writer;

use std::io::{self, Write};
use std::net::IpAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::api::{Note, Status};
use file::TrailFile;
use line::Line;
use writer::{LATE, Writer};

pub use writer::{LATE as AUDIT_LATE, MAX_WAITING as MAX_AUDIT_WAITING, TrailState};

/// The longest wait for the last lines at the end of the service.
const LAST_LINES: Duration = Duration::from_secs(1);

/// The audit trail.
pub struct Audit {
    writer: Writer,
    /// Whether a lookup is answered only if its line is written.
    pub is_required: bool,
}

impl Audit {
    /// Returns an audit trail at the end of a file. A missing file is created with access for its
    /// owner and, depending on the umask, its group.
    ///
    /// # Errors
    /// The file cannot be written, is no regular file, or has other content; or the thread cannot
    /// be started.
    pub fn to_file(path: &Path) -> io::Result<Self> {
        Self::over(TrailFile::open(path)?)
    }

    /// Returns an audit trail that writes each line to `out` with one call.
    ///
    /// # Errors
    /// The thread cannot be started.
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

    /// Returns the state at `now`.
    pub fn state(&self, now: Instant) -> TrailState {
        self.writer.state(now)
    }

    /// Writes the lines that wait, within a second.
    pub fn end(&self) {
        let left = self.writer.end(LAST_LINES);
        if left > 0 {
            log::error!("{left} lines of the audit trail were not written");
        }
    }

    /// Records a request with this id and client that is answered with `status`. Returns whether it
    /// may be answered so.
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
        // Strings and numbers always serialise.
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
