//! Connections, and the requests that come over them.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A request that came, as it is remembered.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Such as `POST`.
    pub(crate) method: String,
    /// The path and the query.
    pub target: String,
    /// Names in lower case, values.
    pub(crate) headers: Vec<(String, String)>,
    /// The body.
    pub(crate) body: Vec<u8>,
    /// What it asked for, if that is known: the key of a selection or of a link.
    pub key: Option<String>,
    /// The token that came with it: as a header and, with a request for documents, in the
    /// envelope too.
    pub token: Option<String>,
}

impl Request {
    /// The value of a header, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| &**value)
    }

    /// The path, without the query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The value of a parameter of the query, as it stands there.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        let (_, query) = self.target.split_once('?')?;
        let mut parameters = query.split('&').filter_map(|part| part.split_once('='));
        parameters
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
    }
}

/// A socket, or TLS over one.
pub(crate) trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

/// A connection, with what was read of it and not used yet.
pub(crate) struct Connection {
    pub(crate) stream: Box<dyn Stream>,
    pub(crate) socket: TcpStream,
    unread: Vec<u8>,
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
            unread: Vec::new(),
        })
    }

    /// The next request; `None` where the client has closed the connection.
    pub(crate) fn next_request(&mut self) -> io::Result<Option<Request>> {
        loop {
            if let Some((mut request, length)) = parse_head(&self.unread)? {
                self.unread.drain(..length);
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
        while self.unread.len() < length {
            if !self.read_more()? {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(self.unread.drain(..length).collect())
    }

    fn read_more(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 16 << 10];
        let count = self.stream.read(&mut buffer)?;
        self.unread.extend(&buffer[..count]);
        Ok(count > 0)
    }
}

/// The request of a whole head, and the head's length.
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
