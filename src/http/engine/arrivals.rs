//! Connections that come, and the end of a server.

use std::net::{SocketAddr, TcpStream};
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

/// How long nothing is accepted after the process or the system is out of files
/// or memory.
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
        if self.paused_until.load(Ordering::Relaxed) == NEVER {
            self.await_arrivals(listener);
        }
    }

    /// Accepts one; might there be more?
    fn accept_one(&self, listener: &std::net::TcpListener) -> bool {
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
            Err(error @ (Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM)) => {
                log::warn!("no connections are accepted for a moment: {error}");
                let until = self.after(PAUSE);
                self.paused_until.store(until, Ordering::Relaxed);
                self.look_by(until);
                false
            }
            // A connection that has failed before it was accepted.
            Err(_) => true,
        }
    }

    fn await_arrivals(&self, listener: &std::net::TcpListener) {
        let data = EventData::new_u64(LISTENER);
        let flags = EventFlags::IN | EventFlags::ONESHOT;
        if let Err(error) = epoll::modify(&self.epoll, listener, data, flags) {
            log::error!("connections cannot be waited for: {error}");
        }
    }

    /// Goes on accepting, if it was paused and the pause is over.
    pub(super) fn go_on_accepting(&self, now: u64) {
        let until = self.paused_until.load(Ordering::Relaxed);
        if until == NEVER {
            return;
        }
        if now < until {
            return self.look_by(until);
        }
        self.paused_until.store(NEVER, Ordering::Relaxed);
        let listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(listener) = listener.as_ref() {
            self.await_arrivals(listener);
        }
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
        self.rearm(token, connection, deadline, EventFlags::IN);
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
        let deadline = self.after(self.bounds.write_time);
        let last = connection.last();
        match connection.state {
            State::Reading if last > 0 => {
                self.rearm(token, connection, deadline, EventFlags::IN);
            }
            State::Reading if connection.inbox.is_blank() => self.close(token, connection),
            State::Reading => {
                let last = self.after(LAST_HEAD);
                let deadline = connection.head_deadline.unwrap_or(last).min(last);
                connection.head_deadline = Some(deadline);
                self.rearm(token, connection, deadline, EventFlags::IN);
            }
            State::Writing | State::Queued => {
                self.rearm(token, connection, deadline, EventFlags::OUT);
            }
            State::Lingering { .. } => {
                let deadline = connection.head_deadline.unwrap_or(0);
                self.rearm(token, connection, deadline, EventFlags::IN);
            }
        }
    }
}
