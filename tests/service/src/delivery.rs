//! Responses and how they are sent: whole, or with a fault of the connection.

use std::io::ErrorKind::{TimedOut, WouldBlock};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use socket2::SockRef;

use crate::Body;
use crate::fault::DeliveryFault;
use crate::http::Stream;

/// A response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) location: Option<String>,
    pub(crate) body: Body,
}

impl Response {
    pub(crate) fn new(status: u16, content_type: &'static str, body: impl Into<Body>) -> Self {
        Self {
            status,
            content_type,
            location: None,
            body: body.into(),
        }
    }

    pub(crate) fn redirect(to: String) -> Self {
        Self {
            location: Some(to),
            ..Self::new(302, "text/plain", "")
        }
    }

    fn head(&self, framing: &str) -> String {
        let location = match &self.location {
            Some(to) => format!("Location: {to}\r\n"),
            None => String::new(),
        };
        format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\n{location}{framing}\r\n",
            self.status,
            reason(self.status),
            self.content_type
        )
    }
}

/// How much is written at a time.
const BLOCK: usize = 64 << 10;

/// A response on its way.
pub(crate) struct Sending<'a> {
    pub(crate) stream: &'a mut Stream,
    /// Says, when it is dropped, that the request is no longer at work: before the client
    /// can know that.
    pub(crate) at_work: Option<AtWork<'a>>,
    pub(crate) stopped: &'a AtomicBool,
}

impl Sending<'_> {
    /// Sends a response; `false` where the connection is not to be used again.
    pub(crate) fn send(
        mut self,
        mut response: Response,
        fault: Option<&DeliveryFault>,
    ) -> io::Result<bool> {
        use DeliveryFault as F;
        let length = response.body.remaining();
        let with_length = |length: u64| format!("Content-Length: {length}\r\n");
        let head = response.head(&with_length(length));
        let body = &mut response.body;
        match fault {
            None | Some(F::Status(_) | F::RedirectWithin | F::RedirectTo(_) | F::RedirectLoop) => {
                self.write(&head, body, length)?;
                return Ok(true);
            }
            Some(F::Stall) => self.wait()?,
            Some(F::ResetBeforeHead) => self.reset()?,
            Some(F::ResetInHead) => {
                self.stream.write_all(&head.as_bytes()[..head.len() / 2])?;
                self.reset()?;
            }
            Some(F::ResetInBody) => {
                self.write(&head, body, length / 2)?;
                self.reset()?;
            }
            Some(F::StallInBody) => {
                self.write(&head, body, length / 2)?;
                self.wait()?;
            }
            Some(F::LongContentLength) => {
                let head = response.head(&with_length(length + 1000));
                self.write(&head, &mut response.body, length)?;
            }
            Some(F::NoContentLength) => {
                let head = response.head("Connection: close\r\n");
                self.write(&head, &mut response.body, length)?;
            }
            Some(F::Chunked | F::ChunkedCut) => {
                let is_whole = matches!(fault, Some(F::Chunked));
                let head = response.head("Transfer-Encoding: chunked\r\n");
                self.write_chunked(&head, &mut response.body, is_whole)?;
                return Ok(is_whole);
            }
            Some(F::Slow(bytes, pause)) => {
                self.stream.write_all(head.as_bytes())?;
                self.write_slowly(body, *bytes, *pause)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes the head and so many bytes of the body.
    fn write(&mut self, head: &str, body: &mut Body, mut length: u64) -> io::Result<()> {
        let mut block = head.as_bytes().to_vec();
        loop {
            let count = length.min(BLOCK as u64);
            length -= body.take(count).read_to_end(&mut block)? as u64;
            if length == 0 {
                self.at_work = None;
            }
            self.stream.write_all(&block)?;
            if length == 0 {
                return self.stream.flush();
            }
            block.clear();
        }
    }

    fn write_chunked(&mut self, head: &str, body: &mut Body, is_whole: bool) -> io::Result<()> {
        let mut block = head.as_bytes().to_vec();
        let mut chunk = vec![0; BLOCK];
        while body.remaining() > 0 {
            let count = body.read(&mut chunk)?;
            block.extend(format!("{count:x}\r\n").bytes());
            block.extend(&chunk[..count]);
            block.extend(b"\r\n");
            if body.remaining() > 0 {
                self.stream.write_all(&block)?;
                block.clear();
            }
        }
        if is_whole {
            block.extend(b"0\r\n\r\n");
        }
        self.at_work = None;
        self.stream.write_all(&block)?;
        self.stream.flush()
    }

    fn write_slowly(&mut self, body: &mut Body, bytes: usize, pause: Duration) -> io::Result<()> {
        let mut some = vec![0; bytes.max(1)];
        while body.remaining() > 0 && !self.stopped.load(Ordering::Relaxed) {
            let count = body.read(&mut some)?;
            if body.remaining() == 0 {
                self.at_work = None;
            }
            self.stream.write_all(&some[..count])?;
            self.stream.flush()?;
            thread::sleep(pause);
        }
        Ok(())
    }

    /// Has the connection closed by a reset.
    fn reset(&mut self) -> io::Result<()> {
        self.stream.flush()?;
        self.at_work = None;
        // What was sent last is to arrive before the reset.
        thread::sleep(Duration::from_millis(20));
        SockRef::from(self.stream.socket()).set_linger(Some(Duration::ZERO))
    }

    /// Until the client gives up, or the service stops.
    fn wait(&mut self) -> io::Result<()> {
        self.at_work = None;
        let socket = self.stream.socket();
        socket.set_read_timeout(Some(Duration::from_millis(20)))?;
        while !self.stopped.load(Ordering::Relaxed) {
            match socket.peek(&mut [0]) {
                Err(error) if matches!(error.kind(), WouldBlock | TimedOut) => {}
                _ => break,
            }
        }
        Ok(())
    }
}

/// How many requests are at work, and the most there have been.
#[derive(Debug, Default)]
pub(crate) struct Load {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Load {
    pub(crate) fn begin(&self) -> AtWork<'_> {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        AtWork(self)
    }

    pub(crate) fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }
}

/// A request at work, until this is dropped.
pub(crate) struct AtWork<'a>(&'a Load);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        302 => "Found",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        415 => "Unsupported Media Type",
        424 => "Failed Dependency",
        425 => "Too Early",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
