//! HTTP responses, and how they are sent: correctly or with a fault.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use socket2::SockRef;

use crate::answer::soap_fault;
use crate::fault::Fault;
use crate::http::{Connection, Request};

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

    /// Returns the response to send instead of the correct one, if the fault requires that.
    pub(crate) fn replacement(fault: &Fault, request: &Request) -> Option<Self> {
        let page = "<html><body>Скачивание архива по данной ссылке заблокировано</body></html>";
        Some(match fault {
            Fault::SoapFault => Self::new(500, soap_fault("a fault")),
            Fault::Blocked => Self::new(200, page),
            Fault::Page => Self::new(200, "<html><body>Ведутся работы</body></html>"),
            Fault::Status(status) => Self::new(*status, "simulated status"),
            Fault::Redirect(to) => Self {
                location: Some(to.as_ref().unwrap_or(&request.target).clone()),
                ..Self::new(302, "")
            },
            _ => return None,
        })
    }

    /// Compresses the body with gzip, without a `Content-Encoding` header.
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

    /// Sends the response. Returns `false` if the connection must be closed.
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
                // Give the client time to read the first chunk separately.
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

/// Makes the socket send a TCP reset when it is closed.
fn reset(connection: &Connection) -> io::Result<()> {
    // The last bytes must arrive before the reset does.
    thread::sleep(Duration::from_millis(20));
    SockRef::from(&connection.socket).set_linger(Some(Duration::ZERO))
}

/// Waits until the client closes the connection.
fn wait(connection: &Connection) -> io::Result<()> {
    connection.socket.peek(&mut [0])?;
    Ok(())
}
