//! One connection: its socket, what came in, what waits to go out.

use std::cell::Cell;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::fd::OwnedFd;
use rustix::io::{self, Errno, ioctl_fionread, read};
use rustix::net::{RecvFlags, Shutdown, recv, shutdown, sockopt};

use super::head::Inbox;
use super::outbox::Outbox;
use super::state::{Cause, Input, State};

/// Bytes that are read at once.
const READ: usize = 4 << 10;

/// Bytes that are discarded of what a client still sends on a connection that is being
/// closed; past it the connection is closed at once.
const MAX_DISCARDED: usize = 1 << 20;

thread_local! {
    /// A buffer that no connection needs at the moment: a connection that is idle has none.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// What the epoll set watches a socket for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Nothing: it does not know the socket yet.
    Nothing,
    /// Input, for as long as it comes: an event each time that more has come (edge-triggered).
    Input,
    /// Room for output, once.
    Output,
}

/// A connection. The worker that took it out of its slot uses it; no one else does.
pub struct Connection {
    pub socket: OwnedFd,
    /// The client's address; none over a Unix socket.
    pub peer: Option<IpAddr>,
    pub state: State,
    /// Whether it counts among the connections that are served; others are refused.
    pub is_admitted: bool,
    /// The address that it is counted with, if any.
    pub counted_as: Option<IpAddr>,
    /// Whether no request has come on it yet.
    pub is_new: bool,
    pub watch: Watch,
    /// Whether the last read took all there was, so that what comes next has an event of its
    /// own.
    pub is_drained: bool,
    /// When the event was reported that its unread bytes caused; none for other events.
    pub noticed: Option<Instant>,
    /// Whether an event said that the client sends no more: no other event will.
    pub has_ended: bool,
    pub inbox: Inbox,
    pub outbox: Outbox,
    /// Its share of the bytes that wait for clients.
    pub waiting: usize,
    /// When the head under way must be complete, or lingering ends.
    pub deadline: Option<u64>,
    discarded: usize,
    /// Once the server stops: bytes that had come in by then and are not read yet.
    unread_at_stop: Option<u64>,
}

impl Connection {
    /// A connection that was just accepted.
    pub fn new(socket: OwnedFd, peer: Option<IpAddr>) -> Self {
        // Responses are written whole, so that there is nothing to wait for. A Unix socket
        // has no such option, and needs none; that a client is gone is seen by reading.
        let _ = sockopt::set_tcp_nodelay(&socket, true);
        Self {
            socket,
            peer,
            state: State::Reading,
            is_admitted: false,
            counted_as: None,
            is_new: true,
            watch: Watch::Nothing,
            is_drained: false,
            noticed: None,
            has_ended: false,
            inbox: Inbox::default(),
            outbox: Outbox::default(),
            waiting: 0,
            deadline: None,
            discarded: 0,
            unread_at_stop: None,
        }
    }

    /// Reads received input, some kilobytes at most. Returns the number of bytes; 0 at the end.
    ///
    /// # Errors
    /// Nothing has come, or the client is gone.
    pub fn read(&mut self) -> io::Result<usize> {
        if !self.inbox.has_buffer() {
            self.inbox = Inbox::with_buffer(SPARE.take());
        }
        let buffer = self.inbox.buffer(READ);
        let room = buffer.capacity() - buffer.len();
        let count =
            recv(&self.socket, spare_capacity(buffer), RecvFlags::empty()).map(|(count, _)| count);
        self.note_read(count, room);
        let count = count?;
        if let Some(unread) = &mut self.unread_at_stop {
            *unread = unread.saturating_sub(count as u64);
        }
        Ok(count)
    }

    /// Notes what a read for up to `room` bytes returned. A short one has taken all there was
    /// (epoll(7), "Questions and answers").
    fn note_read(&mut self, count: io::Result<usize>, room: usize) {
        let took_all = count.map_or_else(|error| error == Errno::AGAIN, |count| count < room);
        self.is_drained = took_all && !self.has_ended;
    }

    /// What the client has sent that is not answered. While the server stops only the
    /// bytes count that had come in when this was first called, so that no client keeps it
    /// from stopping.
    pub fn input(&mut self, stopping: bool) -> Input {
        let in_socket = || ioctl_fionread(&self.socket).unwrap_or(0);
        let unread = if stopping {
            *self.unread_at_stop.get_or_insert_with(in_socket)
        } else {
            in_socket()
        };
        match unread {
            0 if self.inbox.is_blank() && self.is_new => Input::Awaited,
            0 if self.inbox.is_blank() => Input::Nothing,
            0 => Input::Begun,
            _ => Input::Unread,
        }
    }

    /// An inbox with nothing in it needs no buffer.
    pub fn spare_buffer(&mut self) {
        if self.inbox.is_empty() {
            let buffer = self.inbox.take_buffer();
            if buffer.capacity() <= 4 * READ {
                SPARE.set(buffer);
            }
        }
    }

    /// Sends the client the end.
    pub fn linger(&mut self) {
        // If the client is gone, reading shows it.
        let _ = shutdown(&self.socket, Shutdown::Write);
        self.inbox.take_buffer();
    }

    /// Discards all received input.
    pub fn discard(&mut self) -> Cause {
        let mut buffer = SPARE.take();
        buffer.clear();
        buffer.reserve(4 * READ);
        let room = buffer.capacity();
        let count = read(&self.socket, spare_capacity(&mut buffer));
        self.note_read(count, room);
        buffer.clear();
        SPARE.set(buffer);
        match count {
            Ok(0) => return Cause::End,
            Ok(count) => self.discarded += count,
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => return Cause::End,
        }
        if self.discarded < MAX_DISCARDED {
            Cause::Incomplete
        } else {
            Cause::End
        }
    }

    /// Closes it with a reset: the kernel drops what the client has not taken.
    pub fn cut(&self) {
        // Where it fails the kernel goes on for a while with what it has.
        let _ = sockopt::set_socket_linger(&self.socket, Some(Duration::ZERO));
    }
}
