//! The bytes of an answer, and the buffers they are written in.

use std::borrow::Cow;
use std::cell::RefCell;

/// Buffers that a thread keeps for the next answers, and how large one may be to be
/// kept: 4 MiB a worker in all. The usual page has 0.4 MB; the system takes longer to
/// give that anew than it takes to fill it.
const SPARES: usize = 4;
const LARGEST_SPARE: usize = 1 << 20;

thread_local! {
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// An empty buffer to write an answer in: one that another was sent from, where this
/// thread has one.
pub fn buffer() -> Vec<u8> {
    SPARE.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Head and body of an answer, as far as they are not sent.
#[derive(Debug, Default)]
pub struct Answer {
    bytes: Cow<'static, [u8]>,
    sent: usize,
}

impl From<Vec<u8>> for Answer {
    fn from(bytes: Vec<u8>) -> Self {
        Self::starting_at(bytes, 0)
    }
}

impl From<&'static [u8]> for Answer {
    fn from(bytes: &'static [u8]) -> Self {
        Self {
            bytes: Cow::Borrowed(bytes),
            sent: 0,
        }
    }
}

#[cfg_attr(
    any(not(target_os = "linux"), feature = "upstream-tiny-http"),
    allow(dead_code, reason = "tiny_http keeps nothing that is not sent")
)]
impl Answer {
    /// The bytes of `buffer` from `start` on.
    pub fn starting_at(buffer: Vec<u8>, start: usize) -> Self {
        Self {
            sent: start.min(buffer.len()),
            bytes: Cow::Owned(buffer),
        }
    }

    /// What is to be sent.
    pub fn rest(&self) -> &[u8] {
        self.bytes.get(self.sent..).unwrap_or_default()
    }

    /// So many bytes more are sent.
    pub(super) fn advance(&mut self, sent: usize) {
        self.sent = self.sent.saturating_add(sent).min(self.bytes.len());
    }

    /// How much memory it takes while it waits, in bytes.
    pub(super) fn memory(&self) -> usize {
        match &self.bytes {
            Cow::Borrowed(bytes) => bytes.len(),
            Cow::Owned(bytes) => bytes.capacity(),
        }
    }

    /// It has to wait for its client: what is left moves where it takes no more memory
    /// than it needs, if that is much less.
    pub(super) fn wait(&mut self) {
        let left = self.rest().len();
        if left < self.memory() / 4 && matches!(self.bytes, Cow::Owned(_)) {
            let rest = self.rest().to_vec();
            std::mem::replace(self, Self::from(rest)).recycle();
        }
    }

    /// Gives its buffer to the next answer of this thread.
    pub fn recycle(self) {
        if let Cow::Owned(mut buffer) = self.bytes
            && (1..=LARGEST_SPARE).contains(&buffer.capacity())
        {
            buffer.clear();
            SPARE.with_borrow_mut(|spare| {
                if spare.len() < SPARES {
                    spare.push(buffer);
                }
            });
        }
    }
}
