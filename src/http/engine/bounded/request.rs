use std::io;

use rustix::fd::{AsFd, BorrowedFd};

use super::outbox::Outbox;
use super::ready::Received;
use super::server::BoundedServer;
use super::state::{After, Cause, Input};
use crate::api::{self, Response};
use crate::http::engine::Persistence;
use crate::http::engine::response::{head, plain};

/// A request to answer. If it is dropped without a response, the client gets a 500.
pub struct BoundedRequest<'a> {
    server: &'a BoundedServer,
    /// `None` once answered.
    received: Option<Received>,
    after: After,
}

/// A request that has been detached from the server to wait for its turn. It must be resumed.
pub struct BoundedSuspended {
    received: Received,
    after: After,
}

impl BoundedServer {
    pub fn resume(&self, suspended: BoundedSuspended) -> BoundedRequest<'_> {
        BoundedRequest {
            server: self,
            received: Some(suspended.received),
            after: suspended.after,
        }
    }

    /// Returns the next request. While waiting, the calling worker serves connections.
    ///
    /// # Errors
    /// Returns an error once the server has stopped and every connection is closed, or if
    /// `epoll_wait` fails.
    pub fn recv(&self) -> io::Result<BoundedRequest<'_>> {
        let received = self.next()?;
        let after = match received.head.persistence {
            // Closing at once, with an unread body, could lose the response.
            _ if received.head.has_body => After::Linger,
            Persistence::Close => After::Close,
            Persistence::KeepAlive => After::Continue,
        };
        Ok(BoundedRequest {
            server: self,
            received: Some(received),
            after,
        })
    }
}

impl BoundedRequest<'_> {
    /// Returns the request in the form that the API takes.
    pub fn parts(&self) -> api::Request<'_> {
        let Some(received) = &self.received else {
            return api::Request::default();
        };
        let (inbox, head) = (&received.connection.inbox, &received.head);
        let headers = inbox.headers(head);
        api::Request {
            method: inbox.method(head),
            target: inbox.target(head),
            headers: headers
                .map(|(name, value)| (name, String::from_utf8_lossy(value)))
                .collect(),
            peer: received.connection.peer,
            received: Some(received.at),
            user_header: None,
        }
    }

    /// Detaches the request from the server, so that it can wait for its turn. Returns `None` if
    /// the request was already answered.
    pub fn suspend(mut self) -> Option<BoundedSuspended> {
        Some(BoundedSuspended {
            received: self.received.take()?,
            after: self.after,
        })
    }

    pub fn socket(&self) -> Option<BorrowedFd<'_>> {
        let received = self.received.as_ref()?;
        Some(received.connection.socket.as_fd())
    }

    /// Sends a response as fast as the client reads it.
    ///
    /// # Errors
    /// Returns an error if the client is gone.
    pub fn respond(mut self, response: Response, id: Option<&str>) -> io::Result<()> {
        if response.is_cut(self.method()) {
            return self.close();
        }
        let persistence = self.persistence();
        let head = head(&response, id, persistence, &self.server.lines);
        let outbox = Outbox::new(head, response, self.method());
        let after = self.after;
        self.send(outbox, after)
    }

    /// The connection stays open if the client asked for that, unless the server is stopping and no
    /// request follows.
    fn persistence(&mut self) -> Persistence {
        let Some(received) = &mut self.received else {
            return Persistence::Close;
        };
        if self.after == After::Continue
            && self.server.is_stopping()
            && received.connection.input(true) == Input::Nothing
        {
            self.after = After::Linger;
        }
        match self.after {
            After::Continue => received.head.persistence,
            After::Close | After::Linger => Persistence::Close,
        }
    }

    fn method(&self) -> &str {
        let received = self.received.as_ref();
        received.map_or("", |received| {
            received.connection.inbox.method(&received.head)
        })
    }

    /// Closes a connection instead of responding.
    ///
    /// # Errors
    /// Always returns an error.
    fn close(&mut self) -> io::Result<()> {
        if let Some(received) = self.received.take() {
            let (token, connection) = (received.token, received.connection);
            let closed = self.server.advance(token, connection, Cause::Reset);
            closed.map(drop)?;
        }
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn send(&mut self, outbox: Outbox, after: After) -> io::Result<()> {
        let Some(received) = self.received.take() else {
            return Ok(());
        };
        let (token, mut connection) = (received.token, received.connection);
        connection.outbox = outbox;
        let cause = Cause::Response(after);
        self.server.advance(token, connection, cause).map(drop)
    }
}

impl Drop for BoundedRequest<'_> {
    fn drop(&mut self) {
        if self.received.is_some() {
            let with_body = self.method() != "HEAD";
            let head = plain(("500", "Internal Server Error"), "server error", with_body);
            // The client may be gone.
            let _ = self.send(Outbox::from_bytes(head), After::Linger);
        }
    }
}
