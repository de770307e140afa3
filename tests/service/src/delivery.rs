//! Responses and how they are sent: whole, or with a fault.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use socket2::SockRef;

use crate::answer::soap_fault;
use crate::fault::Fault;
use crate::http::{Connection, Request};

/// A response.
pub(crate) struct Response {
    status: u16,
    location: Option<String>,
    body: Vec<u8>,
}

impl Response {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            location: None,
            body: body.into(),
        }
    }

    /// The response that a fault puts in the place of the right one.
    pub(crate) fn instead(fault: &Fault, request: &Request) -> Option<Self> {
        let page = "<html><body>Скачивание архива по данной ссылке заблокировано</body></html>";
        Some(match fault {
            Fault::SoapFault => Self::new(500, soap_fault("a fault")),
            Fault::Blocked => Self::new(200, page),
            Fault::Page => Self::new(200, "<html><body>Ведутся работы</body></html>"),
            Fault::Status(status) => Self::new(*status, "as asked for"),
            Fault::Redirect(to) => Self {
                location: Some(to.as_ref().unwrap_or(&request.target).clone()),
                ..Self::new(302, "")
            },
            _ => return None,
        })
    }

    /// The same response, its body within gzip.
    pub(crate) fn gzipped(self) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&self.body).expect("bytes in memory");
        let body = encoder.finish().expect("bytes in memory");
        Self { body, ..self }
    }

    fn head(&self, framing: &str) -> Vec<u8> {
        let location = match &self.location {
            Some(to) => format!("Location: {to}\r\n"),
            None => String::new(),
        };
        let status = self.status;
        format!("HTTP/1.1 {status} Status\r\n{location}{framing}\r\n\r\n").into_bytes()
    }

    /// Sends it; `false` where the connection is not to be used again.
    pub(crate) fn send(&self, to: &mut Connection, fault: Option<&Fault>) -> io::Result<bool> {
        let (body, length) = (&self.body[..], self.body.len());
        let head = self.head(&format!("Content-Length: {length}"));
        match fault {
            Some(Fault::Stall) => wait(to)?,
            Some(Fault::StallInBody) => {
                write(to, &[&head, &body[..length / 2]])?;
                wait(to)?;
            }
            Some(Fault::ResetBeforeHead) => reset(to)?,
            Some(Fault::ResetInBody) => {
                write(to, &[&head, &body[..length / 2]])?;
                reset(to)?;
            }
            Some(Fault::Chunked) => {
                let chunk = |byte: &u8| [b"1\r\n", &[*byte][..], b"\r\n"].concat();
                let chunks: Vec<u8> = body.iter().flat_map(chunk).collect();
                let head = self.head("Transfer-Encoding: chunked");
                let (first, rest) = chunks.split_at(chunk(&0).len());
                write(to, &[&head, first])?;
                // So that the client reads it alone.
                thread::sleep(Duration::from_millis(20));
                write(to, &[rest, b"0\r\n\r\n"])?;
                return Ok(true);
            }
            _ => {
                write(to, &[&head, body])?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn write(to: &mut Connection, parts: &[&[u8]]) -> io::Result<()> {
    to.stream.write_all(&parts.concat())?;
    to.stream.flush()
}

/// Closes the connection by a reset.
fn reset(connection: &Connection) -> io::Result<()> {
    // The last bytes must arrive before the reset.
    thread::sleep(Duration::from_millis(20));
    SockRef::from(&connection.socket).set_linger(Some(Duration::ZERO))
}

/// Waits until the client gives up.
fn wait(connection: &Connection) -> io::Result<()> {
    connection.socket.peek(&mut [0])?;
    Ok(())
}
