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
use super::server::{LISTENER, Server};
use super::slots::NEVER;

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
            while self.accept_one(&listener) {}
        }
        let is_done = |connection: &Connection| matches!(connection.state, State::Lingering { .. });
        self.slots
            .take_all(is_done, |token, connection| self.close(token, connection));
        self.winding_down.store(true, Ordering::SeqCst);
        if self.counts.open.load(Ordering::SeqCst) == 0 {
            self.has_drained();
        }
        self.ask_once_more();
    }

    /// While the server stops: each connection that awaits a head is looked at, and
    /// closed if there is none. Again and again, as a worker may have left one to
    /// wait that did not know yet.
    pub(super) fn ask_once_more(&self) {
        let awaits = |connection: &Connection| connection.state == State::Reading;
        // What can be written to has its event at once; then it is read.
        self.slots.take_all(awaits, |token, connection| {
            self.rearm(token, connection, NEVER, EventFlags::OUT);
        });
        self.look_by(self.after(PAUSE));
    }
}
