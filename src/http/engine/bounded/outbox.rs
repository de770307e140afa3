use std::io::IoSlice;

use rustix::fd::AsFd;
use rustix::fs::sendfile;
use rustix::io::{self, Errno, writev};
use rustix::net::{SendFlags, send};

use crate::api::{FileBody, LargeBody, Response};
use crate::http::engine::{buffers, has_body};

/// Bodies up to this length are copied after the head, because sending one buffer is faster than
/// sending two.
const SHORT: usize = 4096;

/// The unsent rest of a response.
#[derive(Debug, Default)]
pub struct Outbox {
    head: Vec<u8>,
    body: Vec<u8>,
    /// A long body, instead of `body`.
    file: Option<FileBody>,
    /// Bytes sent so far, of head and body together.
    sent: usize,
}

impl Outbox {
    pub fn new(mut head: Vec<u8>, response: Response, method: &str) -> Self {
        let mut body = response.body;
        let mut file = match response.large {
            Some(LargeBody::File(file)) => Some(file),
            Some(LargeBody::Unwritten | LargeBody::Abandoned) | None => None,
        };
        if !has_body(method, response.status) {
            body.clear();
            file = None;
        }
        if body.len() <= SHORT {
            head.extend_from_slice(&body);
            buffers::reuse(std::mem::take(&mut body));
        }
        Self {
            head,
            body,
            file,
            sent: 0,
        }
    }

    pub fn from_bytes(head: Vec<u8>) -> Self {
        Self {
            head,
            ..Self::default()
        }
    }

    fn rest_of_head(&self) -> &[u8] {
        self.head.get(self.sent..).unwrap_or_default()
    }

    fn sent_of_body(&self) -> usize {
        self.sent.saturating_sub(self.head.len())
    }

    fn length(&self) -> usize {
        let body = match &self.file {
            None => self.body.len(),
            Some(file) => usize::try_from(file.length()).unwrap_or(usize::MAX),
        };
        self.head.len().saturating_add(body)
    }

    pub fn is_empty(&self) -> bool {
        self.sent == self.length()
    }

    /// Sends as much as the socket accepts. Returns the number of bytes. Buffers that have been
    /// sent are reused.
    ///
    /// # Errors
    /// Returns an error if the client is gone.
    pub fn send(&mut self, socket: impl AsFd) -> io::Result<usize> {
        let before = self.sent;
        while !self.is_empty() {
            let head = self.rest_of_head();
            let from = self.sent_of_body();
            let sent = match &self.file {
                Some(file) if head.is_empty() => send_file(&socket, file, from),
                None if from < self.body.len() => {
                    let rest = self.body.get(from..).unwrap_or_default();
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

    /// Returns the size of the buffers in bytes, including what has been sent. Files count as 0.
    pub fn memory(&self) -> usize {
        self.head.capacity() + self.body.capacity()
    }

    /// Moves the unsent bytes to a smaller buffer if most of the current one has been sent.
    fn shrink(&mut self) {
        let head = self.rest_of_head();
        let body = self.body.get(self.sent_of_body()..).unwrap_or_default();
        if self.file.is_none() && head.len() + body.len() < self.memory() / 4 {
            let rest = Self::from_bytes([head, body].concat());
            std::mem::replace(self, rest).recycle();
        }
    }

    fn recycle(self) {
        buffers::reuse(self.head);
        buffers::reuse(self.body);
    }
}

/// Sends as much of a file as the socket accepts, starting at offset `from`. The kernel copies the
/// bytes.
fn send_file(socket: impl AsFd, file: &FileBody, from: usize) -> io::Result<usize> {
    let mut offset = from as u64;
    let rest = file.length().saturating_sub(offset);
    let rest = usize::try_from(rest).unwrap_or(usize::MAX);
    sendfile(socket, file.file(), Some(&mut offset), rest)
}
