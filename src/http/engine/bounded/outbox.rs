//! The unsent part of a response.

use std::borrow::Cow;
use std::io::IoSlice;

use rustix::fd::AsFd;
use rustix::fs::sendfile;
use rustix::io::{self, Errno, writev};
use rustix::net::{SendFlags, send};

use crate::api::FileBody;
use crate::http::engine::{Body, buffers};

/// The longest body that is copied behind its head. The system sends one piece faster than two.
const SHORT: usize = 4096;

/// The unsent parts of a response's head and body.
#[derive(Debug, Default)]
pub struct Outbox {
    head: Vec<u8>,
    body: Body,
    /// The number of sent bytes of both.
    sent: usize,
}

impl Outbox {
    /// Returns an unsent response.
    pub fn new(mut head: Vec<u8>, body: Body) -> Self {
        let body = match body {
            Body::Bytes(bytes) if bytes.len() <= SHORT => {
                head.extend_from_slice(&bytes);
                Body::Bytes(bytes).recycle();
                Body::default()
            }
            body => body,
        };
        let sent = 0;
        Self { head, body, sent }
    }

    /// Returns the unsent part of the head.
    fn rest_of_head(&self) -> &[u8] {
        self.head.get(self.sent..).unwrap_or_default()
    }

    /// Returns the number of sent bytes of the body.
    fn sent_of_body(&self) -> usize {
        self.sent.saturating_sub(self.head.len())
    }

    fn length(&self) -> usize {
        let body = match &self.body {
            Body::Bytes(bytes) => bytes.len(),
            Body::File(file) => usize::try_from(file.length()).unwrap_or(usize::MAX),
        };
        self.head.len().saturating_add(body)
    }

    /// Returns whether all of it was sent.
    pub fn is_empty(&self) -> bool {
        self.sent == self.length()
    }

    /// Sends as much as the socket takes. Returns the number of bytes. Sent buffers serve later
    /// responses.
    ///
    /// # Errors
    /// The client is gone.
    pub fn send(&mut self, socket: impl AsFd) -> io::Result<usize> {
        let before = self.sent;
        while !self.is_empty() {
            let head = self.rest_of_head();
            let from = self.sent_of_body();
            let sent = match &self.body {
                Body::File(file) if head.is_empty() => send_file(&socket, file, from),
                Body::Bytes(bytes) if from < bytes.len() => {
                    let rest = bytes.get(from..).unwrap_or_default();
                    writev(&socket, &[head, rest].map(IoSlice::new))
                }
                _ => send(&socket, head, SendFlags::NOSIGNAL),
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

    /// Returns the used memory in bytes. A file takes none.
    pub fn memory(&self) -> usize {
        let body = match &self.body {
            Body::Bytes(Cow::Borrowed(bytes)) => bytes.len(),
            Body::Bytes(Cow::Owned(bytes)) => bytes.capacity(),
            Body::File(_) => 0,
        };
        self.head.capacity() + body
    }

    /// Moves the rest to a smaller buffer if it uses much more memory than it needs.
    fn shrink(&mut self) {
        if let Body::Bytes(Cow::Owned(bytes)) = &self.body {
            let head = self.rest_of_head();
            let body = bytes.get(self.sent_of_body()..).unwrap_or_default();
            if head.len() + body.len() < self.memory() / 4 {
                let rest = Self::new([head, body].concat(), Body::default());
                std::mem::replace(self, rest).recycle();
            }
        }
    }

    fn recycle(self) {
        buffers::reuse(self.head);
        self.body.recycle();
    }
}

/// Sends as much of a file as the socket takes, after the first `from` bytes. The system copies it.
fn send_file(socket: impl AsFd, file: &FileBody, from: usize) -> io::Result<usize> {
    let mut offset = from as u64;
    let rest = file.length().saturating_sub(offset);
    let rest = usize::try_from(rest).unwrap_or(usize::MAX);
    sendfile(socket, file.file(), Some(&mut offset), rest)
}
