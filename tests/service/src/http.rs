//! HTTP connections and requests.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

#[derive(Clone, Debug, Default)]
pub struct Request {
    pub(crate) method: String,
    pub target: String,
    /// Names, in lower case, and values.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// The key of the requested selection or link, if the request is valid.
    pub key: Option<String>,
    /// Token in the header. For a request for documents, `None` unless the envelope contains the
    /// same token.
    pub token: Option<String>,
}

impl Request {
    /// Returns the value of a header; `name` must be in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| &**value)
    }

    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// Returns the value of a query parameter, without decoding it.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        let (_, query) = self.target.split_once('?')?;
        let mut parameters = query.split('&').filter_map(|part| part.split_once('='));
        parameters
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
    }
}

/// A TCP connection, with or without TLS.
pub(crate) trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

pub(crate) struct Connection {
    pub(crate) stream: Box<dyn Stream>,
    pub(crate) socket: TcpStream,
    /// Bytes that were received but are not part of a parsed request yet.
    buffered: Vec<u8>,
}

impl Connection {
    pub(crate) fn new(socket: TcpStream, tls: Option<&Arc<ServerConfig>>) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        let plain = socket.try_clone()?;
        let stream: Box<dyn Stream> = match tls {
            None => Box::new(plain),
            Some(config) => {
                let tls = ServerConnection::new(Arc::clone(config)).map_err(io::Error::other)?;
                Box::new(StreamOwned::new(tls, plain))
            }
        };
        Ok(Self {
            stream,
            socket,
            buffered: Vec::new(),
        })
    }

    /// Reads the next request. Returns `None` if the client has closed the connection.
    pub(crate) fn next_request(&mut self) -> io::Result<Option<Request>> {
        loop {
            if let Some((mut request, length)) = parse_head(&self.buffered)? {
                self.buffered.drain(..length);
                request.body = self.read_body(&request)?;
                return Ok(Some(request));
            }
            if !self.read_more()? {
                return Ok(None);
            }
        }
    }

    fn read_body(&mut self, request: &Request) -> io::Result<Vec<u8>> {
        let length = request.header("content-length").unwrap_or("0");
        let length: usize = length.parse().map_err(io::Error::other)?;
        while self.buffered.len() < length {
            if !self.read_more()? {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(self.buffered.drain(..length).collect())
    }

    fn read_more(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 16 << 10];
        let count = self.stream.read(&mut buffer)?;
        self.buffered.extend(&buffer[..count]);
        Ok(count > 0)
    }
}

/// Parses a request head. Returns the request without its body and the length of the head, or `None`
/// if the head is incomplete.
fn parse_head(bytes: &[u8]) -> io::Result<Option<(Request, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 100];
    let mut head = httparse::Request::new(&mut headers);
    let status = head.parse(bytes).map_err(io::Error::other)?;
    let httparse::Status::Complete(length) = status else {
        return Ok(None);
    };
    let header = |header: &httparse::Header| {
        let value = String::from_utf8_lossy(header.value).into_owned();
        (header.name.to_ascii_lowercase(), value)
    };
    let request = Request {
        method: head.method.unwrap_or_default().to_owned(),
        target: head.path.unwrap_or_default().to_owned(),
        headers: head.headers.iter().map(header).collect(),
        ..Request::default()
    };
    Ok(Some((request, length)))
}
