//! The access log: one line a request, nothing in it that a client could forge,
//! and no key. The target is not logged, as it may hold a key.

use std::net::SocketAddr;
use std::time::Duration;

use crate::api::Note;

/// What is known of a request when it has been answered.
pub struct Line<'a> {
    /// Who asked.
    pub client: Option<SocketAddr>,
    /// The method, as it came.
    pub method: &'a str,
    /// The HTTP status.
    pub status: u16,
    /// What the answerer says of it.
    pub note: &'a Note,
    /// Bytes of the body that was sent.
    pub bytes: usize,
    /// From the request's arrival at a worker to the end of writing.
    pub duration: Duration,
    /// The client went away before all was written.
    pub broken: bool,
}

/// Writes the line, in logfmt, at the level `info` under the target `access`.
pub fn log(line: &Line<'_>) {
    if !log::log_enabled!(target: "access", log::Level::Info) {
        return;
    }
    let client = line
        .client
        .map_or_else(|| "-".to_owned(), |client| client.to_string());
    let method = match line.method {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "PATCH" | "OPTIONS") => known,
        _ => "other",
    };
    log::info!(
        target: "access",
        "client={client} method={method} endpoint={} status={} error={} bytes={} us={} key={:?}{}",
        line.note.endpoint.unwrap_or("-"),
        line.status,
        line.note.error.as_deref().unwrap_or("-"),
        line.bytes,
        line.duration.as_micros(),
        line.note.key_name.as_deref().unwrap_or("-"),
        if line.broken { " broken=true" } else { "" },
    );
}
