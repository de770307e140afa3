//! Formats the heads of all responses, including refusals.

use std::time::{Duration, SystemTime};

use super::{Persistence, buffers, date};
use crate::api::{Response, Status};

/// Returns whether a response with this status to this method has a body.
pub fn has_body(method: &str, status: Status) -> bool {
    method != "HEAD" && status.has_body()
}

/// The `Connection` headers of a server's responses.
#[derive(Debug)]
pub struct ConnectionLines {
    /// The headers of a connection that stays open.
    keep_alive: String,
}

impl ConnectionLines {
    /// `idle_time` is the time after which idle connections are closed, if there is one. Clients
    /// are told a second less, so that none reuses a connection that is just being closed.
    pub fn new(idle_time: Option<Duration>) -> Self {
        let mut keep_alive = "Connection: keep-alive\r\n".to_owned();
        let told = idle_time.and_then(|time| time.as_secs().checked_sub(1));
        if let Some(seconds) = told.filter(|seconds| *seconds > 0) {
            keep_alive += &format!("Keep-Alive: timeout={seconds}\r\n");
        }
        Self { keep_alive }
    }

    fn of(&self, persistence: Persistence) -> &str {
        match persistence {
            Persistence::KeepAlive => &self.keep_alive,
            Persistence::Close => "Connection: close\r\n",
        }
    }
}

/// Returns the head of a response that carries this request id. Leaves out `Content-Length` if the
/// status allows no body, or if the length is unknown because a large body was not generated.
pub fn head(
    response: &Response,
    id: Option<&str>,
    persistence: Persistence,
    lines: &ConnectionLines,
) -> Vec<u8> {
    let mut head = HeadBytes::begin(response.status.digits(), response.status.reason());
    for (name, value) in &response.headers {
        head.put(&[name, ": ", value, "\r\n"]);
    }
    if let Some(id) = id {
        head.put(&["X-Request-Id: ", id, "\r\n"]);
    }
    let length = response.length().filter(|_| response.status.has_body());
    head.end(length, lines.of(persistence))
}

/// Returns a complete response from the engine itself: one line of plain text, after which the
/// connection is closed. Responses to HEAD have no body.
pub fn plain(status: (&str, &str), sentence: &str, with_body: bool) -> Vec<u8> {
    let mut head = HeadBytes::begin(status.0, status.1);
    if status.0 == "503" {
        head.put(&["Retry-After: 1\r\n"]);
    }
    head.put(&["Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n"]);
    let length = sentence.len() as u64 + 1;
    let mut bytes = head.end(Some(length), "Connection: close\r\n");
    if with_body {
        bytes.extend_from_slice(sentence.as_bytes());
        bytes.push(b'\n');
    }
    bytes
}

struct HeadBytes(Vec<u8>);

impl HeadBytes {
    /// Writes the status line and the headers that come first in every response.
    fn begin(digits: &str, reason: &str) -> Self {
        let mut head = Self(buffers::take());
        head.put(&["HTTP/1.1 ", digits, " ", reason, "\r\nDate: "]);
        date::with(SystemTime::now(), |date| head.put(&[date, "\r\n"]));
        head
    }

    fn put(&mut self, parts: &[&str]) {
        for part in parts {
            self.0.extend_from_slice(part.as_bytes());
        }
    }

    /// Writes the headers that come last in every response, and the empty line.
    fn end(mut self, length: Option<u64>, connection: &str) -> Vec<u8> {
        if let Some(length) = length {
            let mut digits = itoa::Buffer::new();
            self.put(&["Content-Length: ", digits.format(length), "\r\n"]);
        }
        self.put(&["X-Content-Type-Options: nosniff\r\n", connection, "\r\n"]);
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_told_one_second_less_than_the_idle_time() {
        let lines = |idle| {
            let lines = ConnectionLines::new(idle);
            lines.of(Persistence::KeepAlive).to_owned()
        };
        let with = |seconds| lines(Some(Duration::from_secs(seconds)));
        let keep_alive = "Connection: keep-alive\r\n";
        assert_eq!(with(30), format!("{keep_alive}Keep-Alive: timeout=29\r\n"));
        assert_eq!(with(2), format!("{keep_alive}Keep-Alive: timeout=1\r\n"));
        assert_eq!([with(1), with(0), lines(None)], [keep_alive; 3]);
    }
}
