//! A request that was taken in, with the connection that it came on.

use std::borrow::Cow;
use std::io;
use std::net::IpAddr;

use super::connection::Connection;
use super::head::Head;
use super::outbox::Outbox;
use super::refusal;
use super::server::Server;
use super::slots::Token;
use super::state::{After, Cause, Input};
use crate::http::engine::Persistence;

/// A request. Dropped without a response, it is answered 500.
pub struct Request<'a> {
    server: &'a Server,
    token: Token,
    /// None once it is answered.
    connection: Option<Box<Connection>>,
    head: Head,
    after: After,
}

impl<'a> Request<'a> {
    pub(super) fn new(
        server: &'a Server,
        token: Token,
        connection: Box<Connection>,
        head: Head,
    ) -> Self {
        let after = match head.persistence {
            // A body is not read.
            _ if head.has_body => After::Linger,
            Persistence::Close => After::Close,
            Persistence::KeepAlive | Persistence::KeepAliveHttp10 => After::Continue,
        };
        Self {
            server,
            token,
            connection: Some(connection),
            head,
            after,
        }
    }

    /// The method.
    pub fn method(&self) -> &str {
        let connection = self.connection.as_ref();
        connection.map_or("", |connection| connection.inbox.method(&self.head))
    }

    /// The target, in any of its forms.
    pub fn url(&self) -> &str {
        let connection = self.connection.as_ref();
        connection.map_or("", |connection| connection.inbox.target(&self.head))
    }

    /// Names and values of the headers; what is not UTF-8 in a value is U+FFFD.
    pub fn headers(&self) -> Vec<(&str, Cow<'_, str>)> {
        let connection = self.connection.iter();
        connection
            .flat_map(|connection| connection.inbox.headers(&self.head))
            .map(|(name, value)| (name, String::from_utf8_lossy(value)))
            .collect()
    }

    /// The client's address; none over a Unix socket.
    pub fn peer(&self) -> Option<IpAddr> {
        self.connection.as_ref()?.peer
    }

    /// What becomes of the connection after the response, which must say so: what the
    /// client asked for, unless the server stops and this is the last request.
    pub fn persistence(&mut self) -> Persistence {
        if self.after == After::Continue
            && self.server.is_stopping()
            && let Some(connection) = &mut self.connection
            && connection.input(true) == Input::Nothing
        {
            self.after = After::Linger;
        }
        match self.after {
            After::Continue => self.head.persistence,
            After::Close | After::Linger => Persistence::Close,
        }
    }

    /// Answers; head and body are sent as the client takes them.
    ///
    /// # Errors
    /// The client is gone.
    pub fn respond(mut self, head: Vec<u8>, body: Cow<'static, [u8]>) -> io::Result<()> {
        match self.connection.take() {
            Some(connection) => self.send(connection, Outbox::new(head, body), self.after),
            None => Ok(()),
        }
    }

    fn send(
        &self,
        mut connection: Box<Connection>,
        outbox: Outbox,
        after: After,
    ) -> io::Result<()> {
        connection.outbox = outbox;
        let cause = Cause::Response(after);
        self.server.advance(self.token, connection, cause).map(drop)
    }
}

impl Drop for Request<'_> {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            let with_body = connection.inbox.method(&self.head) != "HEAD";
            let status = "500 Internal Server Error";
            let head = refusal::response(status, "server error", with_body);
            // The client may be gone.
            let _ = self.send(
                connection,
                Outbox::new(head, [].as_slice().into()),
                After::Linger,
            );
        }
    }
}
