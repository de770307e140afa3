//! Replies: what the transport sends.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Headers, in the order they are sent.
pub type Headers = Vec<(&'static str, Cow<'static, str>)>;

/// A reply, save what the transport adds (length, connection).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The headers, in the order they are sent.
    pub headers: Headers,
    /// The body; of a HEAD request the one a GET would have.
    pub body: Body,
    /// What the access log says of it.
    pub note: Note,
}

/// What the log says of a request: nothing a client could forge, no key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The path, if it is one of the service's.
    pub endpoint: Option<&'static str>,
    /// The code of an error body; `error` for one without a code.
    pub error: Option<String>,
    /// The name of the key.
    pub key_name: Option<Arc<str>>,
    /// Why there is no answer, where the fault is here: for the log alone.
    pub failure: Option<String>,
}

/// The body of a reply, with room before it in the same buffer for what the transport
/// sends in front, so that nothing is moved.
#[derive(Clone, PartialEq, Eq)]
pub struct Body(Vec<u8>);

impl Body {
    /// How many bytes of room are before it. The transport's heads are shorter by far.
    pub const ROOM: usize = 1024;

    /// An empty body in `buffer`, whatever that held.
    pub fn new(mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        buffer.resize(Self::ROOM, 0);
        Self(buffer)
    }

    /// What appends to it.
    pub(super) fn out(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.0.truncate(Self::ROOM);
    }

    /// The buffer: [`Body::ROOM`] bytes, and the body.
    pub fn into_buffer(self) -> Vec<u8> {
        self.0
    }
}

impl Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.get(Self::ROOM..).unwrap_or_default()
    }
}

impl From<&[u8]> for Body {
    fn from(bytes: &[u8]) -> Self {
        let mut body = Self::new(Vec::with_capacity(Self::ROOM + bytes.len()));
        body.0.extend_from_slice(bytes);
        body
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(self))
    }
}
