//! A request that was taken in, with the connection that it came on.

use std::borrow::Cow;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;

use super::answer::Answer;
use super::connection::{After, Connection};
use super::head::{Head, Persistence};
use super::plain;
use super::server::Server;
use super::slots::Token;

/// A request. Dropped without an answer, it is answered 500.
pub struct Request<'a> {
    server: &'a Server,
    token: Token,
    /// None once it is answered.
    connection: Option<Box<Connection>>,
    head: Head,
}

impl<'a> Request<'a> {
    pub(super) fn new(
        server: &'a Server,
        token: Token,
        mut connection: Box<Connection>,
        head: Head,
    ) -> Self {
        connection.after = match head.persistence {
            // What the client sends after it is not read.
            Persistence::Closes if head.has_body || !connection.inbox.is_empty() => After::Lingers,
            Persistence::Closes => After::Closes,
            Persistence::Stays | Persistence::StaysAsAsked => After::GoesOn,
        };
        Self {
            server,
            token,
            connection: Some(connection),
            head,
        }
    }

    /// The method.
    pub fn method(&self) -> &str {
        let inbox = self.connection.as_ref().map(|connection| &connection.inbox);
        inbox.map_or("", |inbox| inbox.method(&self.head))
    }

    /// The target, in any of its forms.
    pub fn url(&self) -> &str {
        let inbox = self.connection.as_ref().map(|connection| &connection.inbox);
        inbox.map_or("", |inbox| inbox.target(&self.head))
    }

    /// Names and values of the headers; what is not UTF-8 in a value is U+FFFD.
    pub fn headers(&self) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        let inbox = self.connection.as_ref().map(|connection| &connection.inbox);
        inbox
            .into_iter()
            .flat_map(|inbox| inbox.headers(&self.head))
            .map(|(name, value)| (name, String::from_utf8_lossy(value)))
    }

    /// Who sent it.
    pub fn remote_addr(&self) -> Option<SocketAddr> {
        self.connection.as_ref().map(|connection| connection.peer)
    }

    /// What becomes of the connection after the answer, which must say so: what the
    /// client asked for, unless the server stops or the connection has had as many
    /// requests as it may have.
    pub fn persistence(&mut self) -> Persistence {
        let Some(connection) = &mut self.connection else {
            return Persistence::Closes;
        };
        let was_last = self.server.stopping.load(Ordering::SeqCst)
            && connection.inbox.is_blank()
            && connection.last() == 0;
        let had_all = self
            .server
            .bounds
            .requests
            .is_some_and(|requests| connection.requests >= requests);
        if connection.after == After::GoesOn && (was_last || had_all) {
            connection.after = After::Lingers;
        }
        match connection.after {
            After::GoesOn => self.head.persistence,
            After::Closes | After::Lingers => Persistence::Closes,
        }
    }

    /// Answers, head and body; they are sent as the client takes them.
    ///
    /// # Errors
    /// The client is gone.
    pub fn respond(mut self, answer: impl Into<Answer>) -> io::Result<()> {
        match self.connection.take() {
            Some(connection) => self.server.respond(self.token, connection, answer.into()),
            None => Ok(()),
        }
    }
}

impl Drop for Request<'_> {
    fn drop(&mut self) {
        if let Some(mut connection) = self.connection.take() {
            connection.after = After::Lingers;
            let with_body = connection.inbox.method(&self.head) != "HEAD";
            let answer = plain::answer("500 Internal Server Error", "server error", with_body);
            // Whoever dropped it has no use for an error.
            let _ = self.server.respond(self.token, connection, answer.into());
        }
    }
}
