//! The unsent part of a response.

use std::borrow::Cow;
use std::io::IoSlice;

use rustix::fd::AsFd;
use rustix::io::{self, Errno, writev};
use rustix::net::{SendFlags, send};

use crate::http::engine::buffers;

/// The longest body that is copied behind its head. The system sends one piece faster than two.
const SHORT: usize = 4096;

/// The unsent parts of a response's head and body.
#[derive(Debug, Default)]
pub struct Outbox {
    head: Vec<u8>,
    body: Cow<'static, [u8]>,
    /// The number of sent bytes of both.
    sent: usize,
}

impl Outbox {
    /// Returns an unsent response.
    pub fn new(mut head: Vec<u8>, body: Cow<'static, [u8]>) -> Self {
        let body = match body.len() {
            0..=SHORT => {
                head.extend_from_slice(&body);
                recycle(body);
                Cow::Borrowed(&[][..])
            }
            _ => body,
        };
        let sent = 0;
        Self { head, body, sent }
    }

    /// Returns the unsent parts of head and body.
    fn rest(&self) -> [&[u8]; 2] {
        let head = self.head.get(self.sent..).unwrap_or_default();
        let sent_of_body = self.sent.saturating_sub(self.head.len());
        [head, self.body.get(sent_of_body..).unwrap_or_default()]
    }

    /// Returns whether all of it was sent.
    pub fn is_empty(&self) -> bool {
        self.sent == self.head.len() + self.body.len()
    }

    /// Sends as much as the socket takes. Returns the number of bytes. Sent buffers serve later
    /// responses.
    ///
    /// # Errors
    /// The client is gone.
    pub fn send(&mut self, socket: impl AsFd) -> io::Result<usize> {
        let before = self.sent;
        while !self.is_empty() {
            let sent = match self.rest() {
                [head, []] => send(&socket, head, SendFlags::NOSIGNAL),
                parts => writev(&socket, &parts.map(IoSlice::new)),
            };
            match sent {
                Ok(0) => return Err(Errno::PIPE),
                Ok(sent) => self.sent += sent,
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
        let sent = self.sent - before;
        if self.is_empty() {
            std::mem::take(self).recycle();
        } else {
            self.shrink();
        }
        Ok(sent)
    }

    /// Returns the used memory in bytes.
    pub fn memory(&self) -> usize {
        let body = match &self.body {
            Cow::Borrowed(body) => body.len(),
            Cow::Owned(body) => body.capacity(),
        };
        self.head.capacity() + body
    }

    /// Moves the rest to a smaller buffer if it uses much more memory than it needs.
    fn shrink(&mut self) {
        let [head, body] = self.rest();
        if matches!(self.body, Cow::Owned(_)) && head.len() + body.len() < self.memory() / 4 {
            let rest = Self::new([head, body].concat(), Cow::Borrowed(&[]));
            std::mem::replace(self, rest).recycle();
        }
    }

    fn recycle(self) {
        buffers::reuse(self.head);
        recycle(self.body);
    }
}

fn recycle(body: Cow<'static, [u8]>) {
    if let Cow::Owned(body) = body {
        buffers::reuse(body);
    }
}
