//! The head of a response.

use std::io::Write;
use std::time::SystemTime;

use crate::api::{Reply, Request};

/// What becomes of the connection after a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// It stays open, as HTTP/1.1 has it.
    Stays,
    /// It stays open, as a client of HTTP/1.0 asked.
    StaysAsAsked,
    /// It is closed.
    Closes,
}

impl Connection {
    /// What a request asks for; `old` is HTTP/1.0 or older.
    pub fn of(old: bool, request: &Request) -> Self {
        let says = |option: &str| {
            request
                .headers
                .iter()
                .filter(|(name, _)| name.eq_ignore_ascii_case("Connection"))
                .flat_map(|(_, value)| value.split(','))
                .any(|value| value.trim().eq_ignore_ascii_case(option))
        };
        match (says("close"), old) {
            (true, _) => Self::Closes,
            (false, false) => Self::Stays,
            (false, true) if says("keep-alive") => Self::StaysAsAsked,
            (false, true) => Self::Closes,
        }
    }
}

/// Status line and headers, with the empty line after them; room for the body
/// behind.
pub fn head(reply: &Reply, connection: Connection, now: SystemTime) -> Vec<u8> {
    let mut out = Vec::with_capacity(512 + reply.body.len());
    let reason = reason(reply.status);
    let date = http_date(now);
    let mut line = |text: std::fmt::Arguments<'_>| {
        // Writing to memory does not fail.
        let _ = out.write_fmt(text).and_then(|()| out.write_all(b"\r\n"));
    };
    line(format_args!("HTTP/1.1 {} {reason}", reply.status));
    line(format_args!("Date: {date}"));
    for (name, value) in &reply.headers {
        line(format_args!("{name}: {value}"));
    }
    if reply.status != 304 {
        line(format_args!("Content-Length: {}", reply.body.len()));
    }
    line(format_args!("X-Content-Type-Options: nosniff"));
    match connection {
        Connection::Stays => {}
        Connection::StaysAsAsked => line(format_args!("Connection: keep-alive")),
        Connection::Closes => line(format_args!("Connection: close")),
    }
    line(format_args!(""));
    out
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        304 => "Not Modified",
        400 => "Bad Request",
        401 => "Unauthorized",
        404 => "Not Found",
        405 => "Method Not Allowed",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

/// An instant as `Date` has it (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
fn http_date(instant: SystemTime) -> String {
    let instant = time::OffsetDateTime::from(instant);
    let (hour, minute, second) = instant.to_hms();
    let (weekday, month) = (instant.weekday().to_string(), instant.month().to_string());
    format!(
        "{weekday:.3}, {:02} {month:.3} {:04} {hour:02}:{minute:02}:{second:02} GMT",
        instant.day(),
        instant.year()
    )
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn dates_have_the_fixed_form() {
        let date = http_date(UNIX_EPOCH + Duration::from_secs(784_111_777));
        assert_eq!(date, "Sun, 06 Nov 1994 08:49:37 GMT");
    }

    #[test]
    fn the_connection_is_what_version_and_header_say() {
        let check = |old, value: &str| {
            let headers = vec![("connection".to_owned(), value.to_owned())];
            Connection::of(
                old,
                &Request {
                    headers,
                    ..Request::default()
                },
            )
        };
        assert_eq!(check(false, ""), Connection::Stays);
        assert_eq!(check(false, "Close"), Connection::Closes);
        assert_eq!(check(false, "foo, close"), Connection::Closes);
        assert_eq!(check(true, ""), Connection::Closes);
        assert_eq!(check(true, "Keep-Alive"), Connection::StaysAsAsked);
    }
}
