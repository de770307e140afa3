//! tiny_http behind the same interface: without the bounds, and with the faults
//! that the README's "Known limits" names.

use std::borrow::Cow;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Answer, Bounds, Figures, Persistence};

/// A server of tiny_http.
pub struct Server {
    server: tiny_http::Server,
    stopping: AtomicBool,
}

impl Server {
    /// A server on a socket that listens; it knows no bounds.
    ///
    /// # Errors
    /// The socket cannot be used.
    pub fn from_listener(listener: TcpListener, _bounds: Option<Bounds>) -> io::Result<Self> {
        let server = tiny_http::Server::from_listener(listener, None).map_err(io::Error::other)?;
        Ok(Self {
            server,
            stopping: AtomicBool::new(false),
        })
    }

    /// The next request.
    ///
    /// # Errors
    /// The server has stopped.
    pub fn recv(&self) -> io::Result<Request<'_>> {
        let request = if self.stopping.load(Ordering::SeqCst) {
            self.server.try_recv()?
        } else {
            match self.server.recv() {
                Ok(request) => Some(request),
                Err(_) if self.stopping.load(Ordering::SeqCst) => self.server.try_recv()?,
                Err(error) => return Err(error),
            }
        };
        match request {
            Some(request) => Ok(Request {
                persistence: persistence(&request),
                request,
                server: self,
            }),
            None => {
                // Wakes one more, which wakes the next.
                self.server.unblock();
                Err(io::Error::other("the server has stopped"))
            }
        }
    }

    /// Stops: every [`Server::recv`] ends.
    pub fn unblock(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.server.unblock();
    }

    /// Nothing is counted.
    pub fn figures(&self) -> Figures {
        Figures::default()
    }
}

/// A request that tiny_http has read.
pub struct Request<'a> {
    request: tiny_http::Request,
    persistence: Persistence,
    server: &'a Server,
}

impl Request<'_> {
    /// The method.
    pub fn method(&self) -> &str {
        self.request.method().as_str()
    }

    /// The target.
    pub fn url(&self) -> &str {
        self.request.url()
    }

    /// Names and values of the headers.
    pub fn headers(&self) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        self.request.headers().iter().map(|header| {
            let name = header.field.as_str().as_str();
            (name, Cow::Borrowed(header.value.as_str()))
        })
    }

    /// Who sent it.
    pub fn remote_addr(&self) -> Option<SocketAddr> {
        self.request.remote_addr().copied()
    }

    /// What becomes of the connection after the answer.
    pub fn persistence(&mut self) -> Persistence {
        if self.server.stopping.load(Ordering::SeqCst) {
            self.persistence = Persistence::Closes;
        }
        self.persistence
    }

    /// Answers, head and body.
    ///
    /// # Errors
    /// The client is gone.
    pub fn respond(self, answer: impl Into<Answer>) -> io::Result<()> {
        let answer = answer.into();
        let mut writer = self.request.into_writer();
        writer.write_all(answer.rest())?;
        writer.flush()?;
        answer.recycle();
        Ok(())
    }
}

/// What the client asks of the connection.
fn persistence(request: &tiny_http::Request) -> Persistence {
    let says = |option: &str| {
        let headers = request.headers().iter();
        headers
            .filter(|header| header.field.equiv("Connection"))
            .flat_map(|header| header.value.as_str().split(','))
            .any(|value| value.trim().eq_ignore_ascii_case(option))
    };
    let old = *request.http_version() <= tiny_http::HTTPVersion(1, 0);
    match (says("close"), old) {
        (true, _) => Persistence::Closes,
        (false, false) => Persistence::Stays,
        (false, true) if says("keep-alive") => Persistence::StaysAsAsked,
        (false, true) => Persistence::Closes,
    }
}
