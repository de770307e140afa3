//! Accepts connections until the server stops.

use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, acceptfrom_with};

use super::connection::Connection;
use super::deadlines::NEVER;
use super::refusal::Refusal;
use super::server::{BACKLOG, BoundedServer, LISTENER};
use super::state::Cause;
use crate::api::Peer;
use crate::http::lock::locked;

/// Maximum number of connections accepted per turn, so that open connections are served in between.
const BATCH: usize = 64;

/// How long accepting pauses after an error that may last, such as running out of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

impl BoundedServer {
    pub(super) fn accept(&self) {
        let listener = locked(&self.listener);
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
            log::error!("cannot wait for connections: {error}");
        }
    }

    /// Accepts one connection. Returns whether there may be more.
    fn accept_one(&self, listener: &OwnedFd) -> bool {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        match acceptfrom_with(listener, flags) {
            Ok((socket, Some(address))) => {
                match SocketAddr::try_from(address.clone()) {
                    Ok(address) => self.admit(socket, Peer::Direct(address.ip())),
                    Err(_) if address.address_family() == AddressFamily::UNIX => {
                        self.admit(socket, Peer::Local);
                    }
                    // The server never listens on sockets of other address families.
                    Err(_) => {}
                }
                true
            }
            Ok((_, None)) => true,
            Err(Errno::AGAIN) => false,
            Err(error) if is_of_one_connection(error) => true,
            Err(error) => {
                log::warn!("accepting no connections for a moment: {error}");
                let until = self.deadlines.after(PAUSE);
                self.paused_until.store(until, Ordering::Relaxed);
                self.deadlines.check_by(until);
                false
            }
        }
    }

    /// Resumes accepting once the pause is over.
    pub(super) fn resume_accepting(&self, now: u64) {
        let until = self.paused_until.load(Ordering::Relaxed);
        if now < until {
            return self.deadlines.check_by(until);
        }
        self.paused_until.store(NEVER, Ordering::Relaxed);
        self.accept();
    }

    /// Starts serving or refusing a new connection.
    fn admit(&self, socket: OwnedFd, peer: Peer) {
        self.counts.accepted.fetch_add(1, Ordering::Relaxed);
        let Some(token) = self.slots.take_vacant() else {
            // No slot is left, not even for a refusal response.
            return self.counts.refuse(Refusal::Connections);
        };
        self.counts.open.fetch_add(1, Ordering::SeqCst);
        let mut connection = Box::new(Connection::new(socket, peer));
        connection.deadline = Some(self.deadlines.after(self.bounds.head_time));
        if self.counts.admitted.load(Ordering::Relaxed) >= self.bounds.connections {
            // If the client is already gone, nobody needs the refusal.
            let _ = self.advance(token, connection, Cause::Refused(Refusal::Connections));
            return;
        }
        let cause = match self.addresses.admit(peer, &self.bounds) {
            Err(refusal) => Cause::Refused(refusal),
            Ok(counted_as) => {
                connection.counted_as = counted_as;
                connection.is_admitted = true;
                self.counts.admitted.fetch_add(1, Ordering::Relaxed);
                Cause::Incomplete
            }
        };
        let _ = self.advance(token, connection, cause);
    }

    /// Accepts the pending connections, closes the listener, and tells every connection that the
    /// server is stopping.
    pub(super) fn close(&self) {
        let listener = locked(&self.listener).take();
        if let Some(listener) = listener {
            // Accept at most a full backlog, so that a stream of new connections cannot delay the
            // shutdown.
            for _ in 0..BACKLOG {
                if !self.accept_one(&listener) {
                    break;
                }
            }
        }
        for index in 0..self.slots.len() {
            if let Ok((token, mut connection)) = self.slots.take_due(index, NEVER) {
                let cause = Cause::Stop(connection.input(true));
                let _ = self.advance(token, connection, cause);
            }
        }
        self.is_closed.store(true, Ordering::SeqCst);
        if self.counts.open.load(Ordering::SeqCst) == 0 {
            self.has_drained();
        }
    }
}

/// Returns whether an error concerns only the connection being accepted, as network errors do
/// (accept(2), "Error handling"). All other errors concern the listener, the process or the system
/// and may last, so accepting pauses instead of retrying in a loop.
fn is_of_one_connection(error: Errno) -> bool {
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
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;
    use crate::http::engine::Bounds;

    #[test]
    fn errors_of_one_connection_are_skipped_and_others_pause() {
        for error in [
            Errno::CONNABORTED,
            Errno::PROTO,
            Errno::INTR,
            Errno::PERM,
            Errno::NETDOWN,
            Errno::NETUNREACH,
            Errno::HOSTDOWN,
            Errno::HOSTUNREACH,
            Errno::NONET,
            Errno::NOPROTOOPT,
            Errno::OPNOTSUPP,
        ] {
            assert!(is_of_one_connection(error), "{error:?}");
        }
        for error in [
            Errno::MFILE,
            Errno::NFILE,
            Errno::NOBUFS,
            Errno::NOMEM,
            Errno::INVAL,
            Errno::BADF,
            Errno::NOTSOCK,
            Errno::IO,
        ] {
            assert!(!is_of_one_connection(error), "{error:?}");
        }
    }

    #[test]
    fn a_lasting_error_pauses_accepting() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let same = listener.try_clone().expect("the same socket");
        let server = BoundedServer::new(listener, Bounds::default()).expect("a server");
        // The socket no longer listens, so every further attempt to accept fails.
        rustix::net::shutdown(&same, rustix::net::Shutdown::Both).expect("no listener");
        server.accept();
        let until = server.paused_until.load(Ordering::Relaxed);
        assert!(until <= server.deadlines.after(PAUSE), "{until}");
        assert!(server.deadlines.next.load(Ordering::SeqCst) <= until);
        // Once the pause is over, the server tries again and pauses again.
        server.paused_until.store(0, Ordering::Relaxed);
        server.resume_accepting(until);
        assert!((until..NEVER).contains(&server.paused_until.load(Ordering::Relaxed)));
    }
}
