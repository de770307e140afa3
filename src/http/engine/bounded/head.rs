//! Parses received bytes into request heads, without a socket. Covers the part of RFC 9112 that a
//! server of GET and HEAD needs; each rule names its section.
//!
//! httparse parses the lines. The checks here are stricter.

use std::mem::MaybeUninit;
use std::ops::Range;

use httparse::{Header, Status};
use memchr::memchr;

use super::refusal::Refusal;
use crate::http::engine::{Bounds, Persistence};

/// How much longer than the maximum length of a URL a request line may be, for the method.
const MAX_METHOD: usize = 64;

/// Bytes received on a connection but not yet answered.
#[derive(Debug, Default)]
pub struct Inbox {
    bytes: Vec<u8>,
    /// Start of the current head.
    start: usize,
    /// Start of the first incomplete line of the current head.
    line: usize,
    /// Number of complete lines of the current head.
    lines: usize,
}

/// A request head: the byte ranges of its parts in the inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedHead {
    method: Range<usize>,
    target: Range<usize>,
    fields: Range<usize>,
    /// Whether the client wants to keep the connection open.
    pub persistence: Persistence,
    /// Whether the head announces a body. Bodies are never read.
    pub has_body: bool,
}

impl Inbox {
    pub fn with_buffer(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            ..Self::default()
        }
    }

    /// Returns the buffer, with room for `room` more bytes. Removes answered requests from it.
    pub fn buffer(&mut self, room: usize) -> &mut Vec<u8> {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.line -= self.start;
            self.start = 0;
        }
        // Reserve exactly this much, because thousands of slow clients may each have a buffer.
        self.bytes.reserve_exact(room);
        &mut self.bytes
    }

    /// Takes the buffer and clears it, for use by another connection.
    pub fn take_buffer(&mut self) -> Vec<u8> {
        let mut buffer = std::mem::take(self).bytes;
        buffer.clear();
        buffer
    }

    pub fn has_buffer(&self) -> bool {
        self.bytes.capacity() > 0
    }

    pub fn is_empty(&self) -> bool {
        self.start == self.bytes.len()
    }

    /// Returns whether the inbox contains nothing but empty lines.
    pub fn is_blank(&self) -> bool {
        without_empty_lines(&self.bytes[self.start..]).is_empty()
    }

    /// Returns whether the current head, or the one just refused, is that of a HEAD request, whose
    /// response has no body.
    pub fn is_of_head(&self) -> bool {
        without_empty_lines(&self.bytes[self.start..]).starts_with(b"HEAD ")
    }

    /// Returns the next request and moves past it, or `None` if it is incomplete. The request's
    /// bytes stay in place until more are read.
    ///
    /// # Errors
    /// Returns the refusal if the request is unacceptable. The bytes after such a request cannot be
    /// parsed.
    pub fn next(&mut self, bounds: &Bounds) -> Result<Option<ReceivedHead>, Refusal> {
        let Some(end) = self.end_of_head(bounds)? else {
            return Ok(None);
        };
        let head = ReceivedHead::parse(&self.bytes[..end], self.start, bounds)?;
        (self.start, self.line, self.lines) = (end, end, 0);
        Ok(Some(head))
    }

    /// Returns where the current head ends, after the empty line, or `None` if it is incomplete.
    /// Lines end in CR LF only (RFC 9112, 2.2), so that this server and a proxy in front of it see
    /// the same requests.
    fn end_of_head(&mut self, bounds: &Bounds) -> Result<Option<usize>, Refusal> {
        const BARE: Refusal = Refusal::Malformed("a line does not end in CR LF");
        loop {
            let rest = &self.bytes[self.line..];
            if self.lines == 0 && rest.first().is_some_and(|first| !may_begin(*first)) {
                // Refuse such a line at once, because it may never end, for example if it is a TLS
                // handshake.
                return Err(Refusal::Malformed("the request line"));
            }
            let end = memchr(b'\n', rest);
            let line = &rest[..end.unwrap_or(rest.len())];
            let line = match line.strip_suffix(b"\r") {
                Some(line) => line,
                None if end.is_some() => return Err(BARE),
                None => line,
            };
            if memchr(b'\r', line).is_some() {
                return Err(BARE);
            }
            if self.lines == 0 && line.len() > bounds.url() + MAX_METHOD {
                return Err(Refusal::Url);
            }
            let is_empty = line.is_empty();
            let next = end.map_or(self.bytes.len(), |end| self.line + end + 1);
            if next - self.start > bounds.head {
                return Err(Refusal::Head);
            }
            if end.is_none() {
                return Ok(None);
            }
            self.line = next;
            if !is_empty {
                self.lines += 1;
                // The limit is on headers; one more line is the request line.
                if self.lines > Bounds::HEADERS + 1 {
                    return Err(Refusal::Headers);
                }
            } else if self.lines > 0 {
                return Ok(Some(next));
            }
        }
    }

    /// Returns the method of the head that was read last.
    pub fn method(&self, head: &ReceivedHead) -> &str {
        self.text(&head.method)
    }

    /// Returns the target of the head that was read last.
    pub fn target(&self, head: &ReceivedHead) -> &str {
        self.text(&head.target)
    }

    /// Returns names and values of the headers of the head that was read last. Values are bytes,
    /// without surrounding white space.
    pub fn headers(&self, head: &ReceivedHead) -> impl Iterator<Item = (&str, &[u8])> {
        let mut rest = self.bytes.get(head.fields.clone()).unwrap_or_default();
        std::iter::from_fn(move || {
            let (line, after) = rest.split_at(memchr(b'\n', rest)? + 1);
            rest = after;
            let colon = memchr(b':', line)?;
            let name = std::str::from_utf8(&line[..colon]).ok()?;
            Some((name, line[colon + 1..].trim_ascii()))
        })
    }

    fn text(&self, range: &Range<usize>) -> &str {
        let bytes = self.bytes.get(range.clone()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

/// Skips empty lines before a request (RFC 9112, 2.2). They count towards the size of the head.
fn without_empty_lines(bytes: &[u8]) -> &[u8] {
    let sign = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n'));
    &bytes[sign.unwrap_or(bytes.len())..]
}

/// Returns whether the byte may start a request line or an empty line before one.
fn may_begin(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte == b'\r'
}

impl ReceivedHead {
    /// Parses the last head in `bytes`, which starts at `start` and ends where `bytes` ends.
    fn parse(bytes: &[u8], start: usize, bounds: &Bounds) -> Result<Self, Refusal> {
        let head = without_empty_lines(&bytes[start..]);
        let start = bytes.len() - head.len();
        let mut headers = [const { MaybeUninit::uninit() }; Bounds::HEADERS];
        let mut request = httparse::Request::new(&mut []);
        match request.parse_with_uninit_headers(head, &mut headers) {
            Ok(Status::Complete(end)) if end == head.len() => {}
            Ok(_) => return Err(Refusal::Malformed("the head does not end where it ends")),
            Err(httparse::Error::Version) => {
                return match as_http11(bytes, start) {
                    Some(bytes) => Self::parse(&bytes, start, bounds),
                    None => Err(refusal_of(httparse::Error::Version, head)),
                };
            }
            Err(error) => return Err(refusal_of(error, head)),
        }
        let (Some(method), Some(target), Some(minor)) =
            (request.method, request.path, request.version)
        else {
            return Err(Refusal::Malformed("no request line"));
        };
        let fields = Fields(request.headers);
        fields.check_host(minor)?;
        let has_body = fields.announce_body(minor)?;
        if target.len() > bounds.url() {
            return Err(Refusal::Url);
        }
        if !is_target(target, method) {
            return Err(Refusal::Malformed(match target.is_ascii() {
                true => "the target of a GET begins with a slash",
                false => "percent-encode the request target, it has raw bytes",
            }));
        }
        // A body of a GET or HEAD request has no meaning (RFC 9110, 9.3.1) and is not read. Any
        // other method gets a 405 anyway.
        if has_body && matches!(method, "GET" | "HEAD") {
            return Err(Refusal::Body);
        }
        fields.check_expectation()?;
        let at = start + method.len() + 1;
        let line = memchr(b'\n', head).map_or(head.len(), |end| end + 1);
        Ok(Self {
            method: start..start + method.len(),
            target: at..at + target.len(),
            fields: start + line..bytes.len(),
            // Where an unread body ends is unknown, so no request can follow.
            persistence: match has_body {
                true => Persistence::Close,
                false => Persistence::requested(minor == 0, fields.values("Connection")),
            },
            has_body,
        })
    }
}

fn refusal_of(error: httparse::Error, head: &[u8]) -> Refusal {
    match error {
        httparse::Error::Version if has_http_version(head) => Refusal::Version,
        httparse::Error::Version => Refusal::Malformed("no version in the request line"),
        httparse::Error::TooManyHeaders => Refusal::Headers,
        httparse::Error::HeaderName => Refusal::Malformed("the name of a header"),
        httparse::Error::HeaderValue => Refusal::Malformed("the value of a header"),
        _ => Refusal::Malformed("the request line"),
    }
}

/// Returns whether the first line has three parts, the last of which is an HTTP version (RFC 9112,
/// 2.3 and 3).
fn has_http_version(head: &[u8]) -> bool {
    let mut parts = request_line(head).split(|byte| *byte == b' ');
    let version = parts.nth(2).unwrap_or_default();
    parts.next().is_none()
        && matches!(version, [b'H', b'T', b'T', b'P', b'/', major, b'.', minor]
        if major.is_ascii_digit() && minor.is_ascii_digit())
}

fn request_line(head: &[u8]) -> &[u8] {
    head.split(|byte| *byte == b'\r').next().unwrap_or_default()
}

/// Rewrites a later HTTP/1.x version as HTTP/1.1, because an unknown minor version counts as the
/// highest known one (RFC 9110, 2.5).
fn as_http11(bytes: &[u8], start: usize) -> Option<Vec<u8>> {
    let line = request_line(bytes.get(start..)?);
    let (b'2'..=b'9', before) = line.split_last()? else {
        return None;
    };
    if !before.ends_with(b" HTTP/1.") {
        return None;
    }
    let mut bytes = bytes.to_vec();
    *bytes.get_mut(start + before.len())? = b'1';
    Some(bytes)
}

/// Returns whether the target has one of the four allowed forms (RFC 9112, 3.2).
fn is_target(target: &str, method: &str) -> bool {
    let has_scheme = |scheme: &str| {
        let start = target.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && !matches!(target.as_bytes().get(scheme.len()), None | Some(b'/'))
    };
    // `fold` instead of `all` lets the compiler vectorize the loop.
    let is_graphic = target
        .bytes()
        .fold(true, |all, byte| all & byte.is_ascii_graphic());
    is_graphic
        && (target.starts_with('/')
            || has_scheme("http://")
            || has_scheme("https://")
            || (target == "*" && method == "OPTIONS")
            || method == "CONNECT")
}

struct Fields<'a>(&'a [Header<'a>]);

impl<'a> Fields<'a> {
    fn values(&self, name: &'static str) -> impl Iterator<Item = &'a [u8]> + Clone {
        let named = move |header: &&Header<'_>| header.name.eq_ignore_ascii_case(name);
        self.0
            .iter()
            .filter(named)
            .map(|header| header.value.trim_ascii())
    }

    /// Checks that there is exactly one `Host`, or none in HTTP/1.0 (RFC 9112, 3.2).
    fn check_host(&self, minor: u8) -> Result<(), Refusal> {
        let mut hosts = self.values("Host");
        match (hosts.next(), hosts.next()) {
            (_, Some(_)) => Err(Refusal::Malformed("two of Host")),
            (Some(host), None) if is_host(host) => Ok(()),
            (Some(_), None) => Err(Refusal::Malformed("the value of Host")),
            (None, None) if minor == 0 => Ok(()),
            (None, None) => Err(Refusal::Malformed("no Host")),
        }
    }

    /// Returns whether the headers announce a body (RFC 9112, 6). Refuses requests that two parsers
    /// could understand differently (6.1, 6.3, 11.2).
    fn announce_body(&self, minor: u8) -> Result<bool, Refusal> {
        let mut codings = self.values("Transfer-Encoding");
        let mut lengths = self.values("Content-Length");
        let (coding, length) = (codings.next(), lengths.next());
        if lengths.next().is_some() {
            return Err(Refusal::Malformed("two of Content-Length"));
        }
        let is_chunked = |coding: &[u8]| coding.eq_ignore_ascii_case(b"chunked");
        if codings.next().is_some() || coding.is_some_and(|coding| !is_chunked(coding)) {
            return Err(Refusal::Malformed("the value of Transfer-Encoding"));
        }
        if coding.is_some() && (length.is_some() || minor == 0) {
            return Err(Refusal::Malformed(
                "Transfer-Encoding beside what excludes it",
            ));
        }
        let length = length.unwrap_or(b"0");
        if length.is_empty() || !length.iter().all(u8::is_ascii_digit) {
            return Err(Refusal::Malformed("the value of Content-Length"));
        }
        Ok(coding.is_some() || length.iter().any(|digit| *digit != b'0'))
    }

    /// Accepts only `100-continue` (RFC 9110, 10.1.1). No interim response is needed, because
    /// bodies are not read.
    fn check_expectation(&self) -> Result<(), Refusal> {
        let is_known = |value: &[u8]| value.eq_ignore_ascii_case(b"100-continue");
        match self.values("Expect").all(is_known) {
            true => Ok(()),
            false => Err(Refusal::Expectation),
        }
    }
}

/// Returns whether the value is `host` or `host:port` (RFC 9110, 7.2). Refuses an empty host, as
/// other servers do: it is valid only for targets without a host, and proxies disagree about its
/// meaning.
fn is_host(value: &[u8]) -> bool {
    let port = value.iter().rposition(|byte| *byte == b':');
    let in_brackets = value.iter().rposition(|byte| *byte == b']');
    let (host, port) = match port {
        Some(port) if in_brackets.is_none_or(|bracket| bracket < port) => {
            (&value[..port], &value[port + 1..])
        }
        _ => (value, &b""[..]),
    };
    let inner = host
        .strip_prefix(b"[")
        .and_then(|host| host.strip_suffix(b"]"));
    let may_stand = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(byte);
    port.iter().all(u8::is_ascii_digit)
        && !inner.unwrap_or(host).is_empty()
        && match inner {
            Some(address) => address.iter().all(|byte| may_stand(byte) || *byte == b':'),
            None => host.iter().all(may_stand),
        }
}

#[cfg(test)]
mod tests;
