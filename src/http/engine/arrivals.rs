//! Connections that come, and the end of a server.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::{SocketFlags, acceptfrom_with};

use super::bounds::Refusal;
use super::connection::{Connection, State};
use super::server::{BACKLOG, LAST_HEAD, LISTENER, Server};
use super::slots::{NEVER, Token};

/// Connections accepted at one turn, so that those that are there have theirs.
const BATCH: usize = 64;

/// How long nothing is accepted after an error that may last, such as that the process
/// is out of files.
const PAUSE: Duration = Duration::from_millis(100);

impl Server {
    /// Accepts what has come, for a turn.
    pub(super) fn accept(&self) {
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(listener) = listener.as_ref() else {
            return;
        };
        for _ in 0..BATCH {
            if !self.accept_one(listener) {
                break;
            }
        }
        if self.paused_until.load(Ordering::Relaxed) != NEVER {
            return;
        }
        let data = EventData::new_u64(LISTENER);
        let flags = EventFlags::IN | EventFlags::ONESHOT;
        if let Err(error) = epoll::modify(&self.epoll, listener, data, flags) {
            log::error!("connections cannot be waited for: {error}");
        }
    }

    /// Accepts one; might there be more?
    fn accept_one(&self, listener: &TcpListener) -> bool {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        match acceptfrom_with(listener, flags) {
            Ok((socket, address)) => {
                let address = address.and_then(|address| SocketAddr::try_from(address).ok());
                if let Some(address) = address {
                    self.admit(TcpStream::from(socket), address);
                }
                true
            }
            Err(Errno::AGAIN) => false,
            Err(error) if is_of_connection(error) => true,
            // Of the listener, the process or the system: it may last.
            Err(error) => {
                log::warn!("no connections are accepted for a moment: {error}");
                let until = self.after(PAUSE);
                self.paused_until.store(until, Ordering::Relaxed);
                self.look_by(until);
                false
            }
        }
    }

    /// Goes on accepting, if it was paused and the pause is over.
    pub(super) fn go_on_accepting(&self, now: u64) {
        let until = self.paused_until.load(Ordering::Relaxed);
        if now < until {
            return self.look_by(until);
        }
        self.paused_until.store(NEVER, Ordering::Relaxed);
        self.accept();
    }

    /// A connection has come: it is served, or told that there is no room.
    fn admit(&self, socket: TcpStream, peer: SocketAddr) {
        self.counts.accepted.fetch_add(1, Ordering::Relaxed);
        let Some(token) = self.slots.vacant() else {
            // Not even room to be told so.
            return self.counts.refuse(Refusal::Connections);
        };
        self.counts.open.fetch_add(1, Ordering::SeqCst);
        let mut connection = Box::new(Connection::new(socket, peer));
        let deadline = self.after(self.bounds.head_time);
        connection.head_deadline = Some(deadline);
        if self.counts.admitted.load(Ordering::Relaxed) >= self.bounds.connections {
            return self.refuse(token, connection, Refusal::Connections, None);
        }
        match self.addresses.admit(peer.ip(), &self.bounds) {
            Ok(counted_as) => connection.counted_as = counted_as,
            Err(_) => {
                return self.refuse(token, connection, Refusal::ConnectionsOfAddress, None);
            }
        }
        connection.is_admitted = true;
        self.counts.admitted.fetch_add(1, Ordering::Relaxed);
        self.rearm(token, connection, deadline);
    }

    /// The server stops: connections that have come already are taken, no more
    /// after them; each connection is looked at once more.
    pub(super) fn wind_down(&self) {
        let listener = {
            let mut listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
            listener.take()
        };
        if let Some(listener) = listener {
            // As many as can have waited, lest new ones keep the server from stopping.
            for _ in 0..BACKLOG {
                if !self.accept_one(&listener) {
                    break;
                }
            }
        }
        self.slots
            .take_all(|token, connection| self.hasten(token, connection));
        self.winding_down.store(true, Ordering::SeqCst);
        if self.counts.open.load(Ordering::SeqCst) == 0 {
            self.has_drained();
        }
    }

    /// The server stops: a connection that nothing has come in on is closed, another
    /// has its request answered.
    pub(super) fn hasten(&self, token: Token, mut connection: Box<Connection>) {
        let last = connection.last();
        let deadline = match connection.state {
            State::Reading if last == 0 && connection.inbox.is_blank() => {
                return self.close(token, connection);
            }
            State::Reading if last == 0 => {
                let last = self.after(LAST_HEAD);
                let deadline = connection.head_deadline.unwrap_or(last).min(last);
                *connection.head_deadline.insert(deadline)
            }
            State::Reading | State::Writing | State::Queued => self.after(self.bounds.write_time),
            State::Lingering { .. } => connection.head_deadline.unwrap_or(0),
        };
        self.rearm(token, connection, deadline);
    }
}

/// Is it an error of the connection that was to be accepted, which is gone with it?
/// Those of networks come up here, too (accept(2), "Error handling").
fn is_of_connection(error: Errno) -> bool {
    matches!(
        error,
        Errno::CONNABORTED
            | Errno::PROTO
            | Errno::INTR
            | Errno::PERM
            | Errno::NETDOWN
            | Errno::NETUNREACH
            | Errno::HOSTDOWN
            | Errno::HOSTUNREACH
            | Errno::NONET
            | Errno::NOPROTOOPT
            | Errno::OPNOTSUPP
    )
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn errors_of_one_connection_are_passed_over_and_no_others() {
        for (error, passed_over) in [
            (Errno::CONNABORTED, true),
            (Errno::PROTO, true),
            (Errno::INTR, true),
            (Errno::PERM, true),
            (Errno::NETDOWN, true),
            (Errno::NETUNREACH, true),
            (Errno::HOSTDOWN, true),
            (Errno::HOSTUNREACH, true),
            (Errno::NONET, true),
            (Errno::NOPROTOOPT, true),
            (Errno::OPNOTSUPP, true),
            (Errno::MFILE, false),
            (Errno::NFILE, false),
            (Errno::NOBUFS, false),
            (Errno::NOMEM, false),
            (Errno::INVAL, false),
            (Errno::BADF, false),
            (Errno::NOTSOCK, false),
            (Errno::IO, false),
        ] {
            assert_eq!(is_of_connection(error), passed_over, "{error:?}");
        }
    }

    #[test]
    fn an_error_that_lasts_pauses_accepting() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let same = listener.try_clone().expect("the same socket");
        let server = Server::from_listener(listener, None).expect("a server");
        // It does not listen any more: each try fails from here on.
        rustix::net::shutdown(&same, rustix::net::Shutdown::Both).expect("no listener");
        server.accept();
        let until = server.paused_until.load(Ordering::Relaxed);
        assert!(until <= server.after(PAUSE), "{until}");
        assert!(server.next_sweep.load(Ordering::Relaxed) <= until);
        // When it is over another try is made, and another pause.
        server.paused_until.store(0, Ordering::Relaxed);
        server.go_on_accepting(until);
        assert!((until..NEVER).contains(&server.paused_until.load(Ordering::Relaxed)));
    }
}
