//! The body of a response.

use std::borrow::Cow;

use super::buffers;
use crate::api::FileBody;

/// The body of a response.
#[derive(Debug)]
pub enum Body {
    /// Bytes in memory.
    Bytes(Cow<'static, [u8]>),
    /// A long one, in a file.
    File(FileBody),
}

impl Body {
    /// Keeps its buffer for a later response.
    pub fn recycle(self) {
        if let Self::Bytes(Cow::Owned(bytes)) = self {
            buffers::reuse(bytes);
        }
    }
}

impl Default for Body {
    fn default() -> Self {
        Self::Bytes(Cow::Borrowed(&[]))
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl From<&'static [u8]> for Body {
    fn from(bytes: &'static [u8]) -> Self {
        Self::Bytes(bytes.into())
    }
}
