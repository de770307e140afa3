//! Responses and how they are sent: whole, or with a fault of the connection.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use socket2::SockRef;

use crate::fault::DeliveryFault;
use crate::http::Stream;

/// A response.
pub(crate) struct Response {
    status: u16,
    content_type: &'static str,
    location: Option<String>,
    body: Vec<u8>,
}

impl Response {
    pub(crate) fn new(status: u16, content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
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

    fn head(&self, framing: &str) -> Vec<u8> {
        let location = match &self.location {
            Some(to) => format!("Location: {to}\r\n"),
            None => String::new(),
        };
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\n{location}{framing}\r\n",
            self.status,
            reason(self.status),
            self.content_type
        );
        head.into_bytes()
    }

    /// Sends it; `false` where the connection is not to be used again.
    pub(crate) fn send(
        &self,
        stream: &mut Stream,
        fault: Option<&DeliveryFault>,
    ) -> io::Result<bool> {
        use DeliveryFault as F;
        let (body, length) = (&self.body[..], self.body.len());
        let head = |length: usize| self.head(&format!("Content-Length: {length}\r\n"));
        match fault {
            None | Some(F::Status(_) | F::RedirectWithin | F::RedirectTo(_) | F::RedirectLoop) => {
                write(stream, &[&head(length), body])?;
                return Ok(true);
            }
            Some(F::Stall) => wait(stream)?,
            Some(F::ResetBeforeHead) => reset(stream)?,
            Some(F::ResetInHead) => {
                let head = head(length);
                write(stream, &[&head[..head.len() / 2]])?;
                reset(stream)?;
            }
            Some(F::ResetInBody) => {
                write(stream, &[&head(length), &body[..length / 2]])?;
                reset(stream)?;
            }
            Some(F::StallInBody) => {
                write(stream, &[&head(length), &body[..length / 2]])?;
                wait(stream)?;
            }
            Some(F::LongContentLength) => write(stream, &[&head(length + 1000), body])?,
            Some(F::NoContentLength) => {
                write(stream, &[&self.head("Connection: close\r\n"), body])?;
            }
            Some(F::Chunked | F::ChunkedCut) => {
                let head = self.head("Transfer-Encoding: chunked\r\n");
                let size = format!("{length:x}\r\n");
                write(stream, &[&head, size.as_bytes(), body, b"\r\n"])?;
                let is_whole = matches!(fault, Some(F::Chunked));
                if is_whole {
                    write(stream, &[b"0\r\n\r\n"])?;
                }
                return Ok(is_whole);
            }
            Some(F::Slow(bytes, pause)) => {
                write(stream, &[&head(length)])?;
                for some in body.chunks(*bytes) {
                    write(stream, &[some])?;
                    thread::sleep(*pause);
                }
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn write(stream: &mut Stream, parts: &[&[u8]]) -> io::Result<()> {
    stream.write_all(&parts.concat())?;
    stream.flush()
}

/// Has the connection closed by a reset.
fn reset(stream: &Stream) -> io::Result<()> {
    // What was sent last is to arrive before the reset.
    thread::sleep(Duration::from_millis(20));
    SockRef::from(stream.socket()).set_linger(Some(Duration::ZERO))
}

/// Until the client gives up.
fn wait(stream: &Stream) -> io::Result<()> {
    stream.socket().peek(&mut [0])?;
    Ok(())
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
