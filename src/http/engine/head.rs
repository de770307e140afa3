//! Bytes to heads of requests, without a socket: what has come in of a
//! connection, and the next request in it (RFC 9112, as a server of GET and HEAD
//! needs it).
//!
//! Lines end in CR LF and in nothing else, so that no one in front of this server
//! can see other requests in the same bytes than it does. httparse reads the
//! lines; what it lets pass that this server does not is looked at here.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::bounds::{Bounds, Refusal};

/// Room for a method in a line that is not complete, beside the target.
const MAX_METHOD: usize = 64;

/// Headers for which there is room without an allocation.
const FEW_HEADERS: usize = 32;

/// What has come in of a connection and was not answered yet.
#[derive(Debug, Default)]
pub struct Inbox {
    bytes: Vec<u8>,
    /// Where the head under way begins.
    start: usize,
    /// Where its first line begins that is not complete.
    line: usize,
    /// How many complete lines it has.
    lines: usize,
}

/// What is next in an inbox.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing, until more comes in.
    More,
    /// A request.
    Head(Head),
    /// Something that cannot be passed on; nothing after it can be read.
    Refused(Refusal, Option<Method>),
}

/// The methods that make a difference here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// GET.
    Get,
    /// HEAD: an answer has no body.
    Head,
    /// Any other.
    Other,
}

/// What a request asks of the connection after its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistence {
    /// It stays open, as HTTP/1.1 has it.
    Stays,
    /// It stays open, as a client of HTTP/1.0 asked.
    StaysAsAsked,
    /// It is closed.
    Closes,
}

/// A head: where its parts are in the inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    method: Range<usize>,
    target: Range<usize>,
    /// The headers' lines.
    fields: Range<usize>,
    /// What was asked of the connection.
    pub persistence: Persistence,
    /// A body comes after it, which is not read.
    pub has_body: bool,
}

impl Inbox {
    /// The buffer to read into, with room for `room` bytes more. What was
    /// answered is gone from it.
    pub fn buffer(&mut self, room: usize) -> &mut Vec<u8> {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.line -= self.start;
            self.start = 0;
        }
        // Not the double, as there is one for each of thousands of slow clients.
        self.bytes.reserve_exact(room);
        &mut self.bytes
    }

    /// Is there nothing in it, save lines without a sign?
    pub fn is_blank(&self) -> bool {
        let rest = &self.bytes[self.start..];
        rest.iter().all(|byte| matches!(byte, b'\r' | b'\n'))
    }

    /// Is there nothing in it?
    pub fn is_empty(&self) -> bool {
        self.start == self.bytes.len()
    }

    /// The buffer, for another connection to use; all that was in it is gone.
    pub fn take_buffer(&mut self) -> Vec<u8> {
        let mut buffer = std::mem::take(self).bytes;
        buffer.clear();
        buffer
    }

    /// Has it a buffer?
    pub fn has_buffer(&self) -> bool {
        self.bytes.capacity() > 0
    }

    /// An empty inbox with a buffer that another used.
    pub fn of_buffer(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            ..Self::default()
        }
    }

    /// The next request, once it is complete; the inbox goes on behind it, but
    /// its bytes stay until more are read.
    pub fn next(&mut self, bounds: &Bounds) -> Next {
        match self.end_of_head(bounds) {
            Ok(None) => Next::More,
            Ok(Some(end)) => {
                let start = std::mem::replace(&mut self.start, end);
                (self.line, self.lines) = (end, 0);
                match Head::read(&self.bytes[..end], start, bounds) {
                    Ok(head) => Next::Head(head),
                    Err((refusal, method)) => {
                        let begun = || method_begun(&self.bytes[start..]);
                        Next::Refused(refusal, method.or_else(begun))
                    }
                }
            }
            Err(refusal) => Next::Refused(refusal, self.method_begun()),
        }
    }

    /// The method of the head under way, if it has come in so far.
    pub fn method_begun(&self) -> Option<Method> {
        method_begun(&self.bytes[self.start..])
    }

    /// Where the head under way ends, if it does: behind the empty line.
    fn end_of_head(&mut self, bounds: &Bounds) -> Result<Option<usize>, Refusal> {
        loop {
            let rest = &self.bytes[self.line..];
            if self.lines == 0 && matches!(rest, [first, ..] if !may_begin(*first)) {
                // No need to wait for the end of the line: TLS, for one, has none.
                return Err(Refusal::Malformed("the request line"));
            }
            let Some(length) = memchr(b'\n', rest) else {
                break;
            };
            let line = &self.bytes[self.line..self.line + length];
            let Some(line) = line.strip_suffix(b"\r") else {
                return Err(Refusal::Malformed("a line does not end in CR LF"));
            };
            if memchr(b'\r', line).is_some() {
                return Err(Refusal::Malformed("a line does not end in CR LF"));
            }
            let (empty, length_of_line) = (line.is_empty(), line.len());
            self.line += length + 1;
            // Empty lines before a request are passed over (RFC 9112, 2.2), but
            // they count as a part of the head.
            if !(empty && self.lines == 0) {
                if self.lines == 0 && length_of_line > bounds.url + MAX_METHOD {
                    return Err(Refusal::Url);
                }
                self.lines += 1;
            }
            if self.line - self.start > bounds.head {
                return Err(Refusal::Head);
            }
            if empty && self.lines > 0 {
                return Ok(Some(self.line));
            }
            // The request line is one of the lines.
            if self.lines > bounds.headers + 1 {
                return Err(Refusal::Headers);
            }
        }
        let rest = &self.bytes[self.line..];
        if memchr_iter(b'\r', rest).any(|at| at + 1 < rest.len()) {
            return Err(Refusal::Malformed("a line does not end in CR LF"));
        }
        // The end of the line is not of it, in whatever pieces it comes.
        let line = rest.strip_suffix(b"\r").unwrap_or(rest);
        if self.lines == 0 && line.len() > bounds.url + MAX_METHOD {
            return Err(Refusal::Url);
        }
        if self.bytes.len() - self.start > bounds.head {
            return Err(Refusal::Head);
        }
        Ok(None)
    }

    /// The method of a head that is the last one this inbox gave.
    pub fn method(&self, head: &Head) -> &str {
        self.text(&head.method)
    }

    /// The target of a head that is the last one this inbox gave.
    pub fn target(&self, head: &Head) -> &str {
        self.text(&head.target)
    }

    /// Names and values of the headers of a head that is the last one this inbox
    /// gave. Values are bytes, without the white space around them.
    pub fn headers(&self, head: &Head) -> impl Iterator<Item = (&str, &[u8])> {
        fields(self.bytes.get(head.fields.clone()).unwrap_or_default())
    }

    fn text(&self, range: &Range<usize>) -> &str {
        let bytes = self.bytes.get(range.clone()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

/// The method that a head begins with, whatever is wrong with the rest.
fn method_begun(head: &[u8]) -> Option<Method> {
    let blank = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    let blank = head.iter().take_while(blank).count();
    let head = &head[blank..];
    if head.starts_with(b"HEAD ") {
        return Some(Method::Head);
    }
    memchr(b' ', head).map(|_| Method::Other)
}

/// May a request line, or an empty line before it, begin with this byte?
fn may_begin(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte == b'\r'
}

/// Names and values of headers that httparse has read.
fn fields(lines: &[u8]) -> impl Iterator<Item = (&str, &[u8])> {
    let mut rest = lines;
    std::iter::from_fn(move || {
        let end = memchr(b'\n', rest)?;
        let (line, after) = rest.split_at(end + 1);
        rest = after;
        let colon = memchr(b':', line)?;
        let name = std::str::from_utf8(&line[..colon]).ok()?;
        Some((name, line[colon + 1..].trim_ascii()))
    })
}

/// What is wrong, and the method if that much could be read.
type Wrong = (Refusal, Option<Method>);

impl Head {
    /// Reads the head in `bytes`, from `start` to their end.
    fn read(bytes: &[u8], start: usize, bounds: &Bounds) -> Result<Self, Wrong> {
        let blank = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        let start = start + bytes[start..].iter().take_while(blank).count();
        let head = &bytes[start..];
        let lines = memchr_iter(b'\n', head).count();
        let mut few = [httparse::EMPTY_HEADER; FEW_HEADERS];
        let mut many = Vec::new();
        let headers = if lines <= FEW_HEADERS {
            &mut few[..]
        } else {
            many.resize(lines, httparse::EMPTY_HEADER);
            &mut many[..]
        };
        let mut request = httparse::Request::new(headers);
        match request.parse(head) {
            Ok(httparse::Status::Complete(end)) if end == head.len() => {}
            Ok(_) => return Err(malformed("the head does not end where it ends")),
            Err(error) => return Err((refusal_of(error, head), None)),
        }
        let (Some(method), Some(target), Some(minor)) =
            (request.method, request.path, request.version)
        else {
            return Err(malformed("no request line"));
        };
        let kind = match method {
            "GET" => Method::Get,
            "HEAD" => Method::Head,
            _ => Method::Other,
        };
        let said = Said::of(request.headers, minor).map_err(|refusal| (refusal, Some(kind)))?;
        let wrong = if target.len() > bounds.url {
            Some(Refusal::Url)
        } else if !is_target(target, method) {
            Some(Refusal::Malformed("the target is none"))
        } else if said.has_body && kind != Method::Other {
            Some(Refusal::Body)
        } else {
            said.refusal
        };
        if let Some(refusal) = wrong {
            return Err((refusal, Some(kind)));
        }
        let at = start + method.len() + 1;
        let line = memchr(b'\n', head).map_or(head.len(), |end| end + 1);
        Ok(Self {
            method: start..start + method.len(),
            target: at..at + target.len(),
            fields: start + line..bytes.len(),
            persistence: said.persistence(minor),
            has_body: said.has_body,
        })
    }
}

fn malformed(what: &'static str) -> Wrong {
    (Refusal::Malformed(what), None)
}

fn refusal_of(error: httparse::Error, head: &[u8]) -> Refusal {
    match error {
        httparse::Error::Version if names_a_version(head) => Refusal::Version,
        httparse::Error::Version => Refusal::Malformed("no version in the request line"),
        httparse::Error::TooManyHeaders => Refusal::Headers,
        httparse::Error::HeaderName => Refusal::Malformed("the name of a header"),
        httparse::Error::HeaderValue => Refusal::Malformed("the value of a header"),
        _ => Refusal::Malformed("the request line"),
    }
}

/// Has the first line three parts, of which the last is a version of HTTP?
fn names_a_version(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let mut parts = line.split(|byte| *byte == b' ');
    let version = parts.nth(2).unwrap_or_default();
    parts.next().is_none()
        && matches!(version, [b'H', b'T', b'T', b'P', b'/', major, b'.', minor]
        if major.is_ascii_digit() && minor.is_ascii_digit())
}

/// What the headers say of the message and of the connection.
#[derive(Default)]
struct Said {
    close: bool,
    keep_alive: bool,
    has_body: bool,
    /// What is not accepted, if the head is well formed otherwise.
    refusal: Option<Refusal>,
}

impl Said {
    fn of(headers: &[httparse::Header<'_>], minor: u8) -> Result<Self, Refusal> {
        let mut said = Self::default();
        let (mut hosts, mut length, mut coded) = (0, None, false);
        for header in headers {
            let value = header.value.trim_ascii();
            let is = |name: &str| header.name.eq_ignore_ascii_case(name);
            if is("Host") {
                hosts += 1;
                if !is_host(value) {
                    return Err(Refusal::Malformed("the value of Host"));
                }
            } else if is("Content-Length") {
                if length.is_some() {
                    return Err(Refusal::Malformed("two of Content-Length"));
                }
                length = Some(value);
            } else if is("Transfer-Encoding") {
                if coded || !value.eq_ignore_ascii_case(b"chunked") {
                    return Err(Refusal::Malformed("the value of Transfer-Encoding"));
                }
                coded = true;
            } else if is("Connection") {
                said.close |= has_token(value, b"close");
                said.keep_alive |= has_token(value, b"keep-alive");
            } else if is("Expect") && !value.eq_ignore_ascii_case(b"100-continue") {
                said.refusal = Some(Refusal::Expectation);
            }
        }
        match (hosts, minor) {
            (1, _) | (0, 0) => {}
            (0, _) => return Err(Refusal::Malformed("no Host")),
            _ => return Err(Refusal::Malformed("two of Host")),
        }
        if coded && (length.is_some() || minor == 0) {
            return Err(Refusal::Malformed(
                "Transfer-Encoding beside what excludes it",
            ));
        }
        let length = length.unwrap_or(b"0");
        if length.is_empty() || !length.iter().all(u8::is_ascii_digit) {
            return Err(Refusal::Malformed("the value of Content-Length"));
        }
        said.has_body = coded || length.iter().any(|digit| *digit != b'0');
        Ok(said)
    }

    fn persistence(&self, minor: u8) -> Persistence {
        match (self.close || self.has_body, minor) {
            (true, _) => Persistence::Closes,
            (false, 0) if self.keep_alive => Persistence::StaysAsAsked,
            (false, 0) => Persistence::Closes,
            (false, _) => Persistence::Stays,
        }
    }
}

fn has_token(list: &[u8], token: &[u8]) -> bool {
    list.split(|byte| *byte == b',')
        .any(|item| item.trim_ascii().eq_ignore_ascii_case(token))
}

/// Is it `host` or `host:port`, or empty (RFC 9110, 7.2)?
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
    let of_host = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(byte);
    port.iter().all(u8::is_ascii_digit)
        && match inner {
            Some(address) => address.iter().all(|byte| of_host(byte) || *byte == b':'),
            None => host.iter().all(of_host),
        }
}

/// Is it a target in one of the four forms (RFC 9112, 3.2)?
fn is_target(target: &str, method: &str) -> bool {
    let scheme = |scheme: &str| {
        let start = target.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && !matches!(target.as_bytes().get(scheme.len()), None | Some(b'/'))
    };
    target.bytes().all(|byte| byte.is_ascii_graphic())
        && (target.starts_with('/')
            || scheme("http://")
            || scheme("https://")
            || (target == "*" && method == "OPTIONS")
            || method == "CONNECT")
}

#[cfg(test)]
mod tests;
