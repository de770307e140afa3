//! A connection: its socket, its input and its unsent output.

use std::cell::Cell;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::fd::OwnedFd;
use rustix::io::{self, Errno, ioctl_fionread, read};
use rustix::net::{RecvFlags, Shutdown, recv, shutdown, sockopt};

use super::head::Inbox;
use super::outbox::Outbox;
use super::state::{Cause, Input, State};
use crate::api::Peer;

/// The most bytes of one read.
const READ: usize = 4 << 10;

/// The most discarded bytes of input on a closing connection; beyond it the connection is closed at
/// once.
const MAX_DISCARDED: usize = 1 << 20;

thread_local! {
    /// A spare buffer. Idle connections have none.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The events of a socket that the epoll set reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// None; the set does not contain the socket yet.
    Nothing,
    /// Input: an event each time that more arrives (edge-triggered).
    Input,
    /// Room for output, one event.
    Output,
}

/// A connection. Only the worker that took it out of its slot uses it.
pub struct Connection {
    pub socket: OwnedFd,
    /// The other end: an address, or a process at a Unix socket.
    pub peer: Peer,
    pub state: State,
    /// Whether it is served; others are refused.
    pub is_admitted: bool,
    /// The peer that it is counted with, if it is counted.
    pub counted_as: Option<Peer>,
    /// Whether it has had no request yet.
    pub is_new: bool,
    pub watch: Watch,
    /// Whether the last read took all input, so that further input causes an event.
    pub is_drained: bool,
    /// The time of the event that its unread bytes caused; none for other events.
    pub noticed: Option<Instant>,
    /// Whether an event reported the end of the client's input. No other event does.
    pub has_ended: bool,
    pub inbox: Inbox,
    pub outbox: Outbox,
    /// Its share of the unread bytes of all clients.
    pub waiting: usize,
    /// The deadline of the current head, of lingering, or of the next
    /// [`Bounds::least_read`](crate::http::engine::Bounds::least_read) bytes of a response.
    pub deadline: Option<u64>,
    /// The bytes sent since that deadline of a response was set.
    pub sent_in_time: usize,
    /// The last time when the socket took a part of a response.
    pub took_at: u64,
    discarded: usize,
    /// The unread bytes that had arrived when the server stopped.
    unread_at_stop: Option<u64>,
}

impl Connection {
    /// Returns a connection that was just accepted.
    pub fn new(socket: OwnedFd, peer: Peer) -> Self {
        // Responses are written whole, so there is nothing to wait for. A Unix socket neither has
        // nor needs this option. If the client is gone, a read shows it.
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
            sent_in_time: 0,
            took_at: 0,
            discarded: 0,
            unread_at_stop: None,
        }
    }

    /// Reads received input, some kilobytes at most. Returns the number of bytes; 0 at the end.
    ///
    /// # Errors
    /// No input has arrived, or the client is gone.
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

    /// Notes the result of a read for up to `room` bytes. A short one has taken all input
    /// (epoll(7), "Questions and answers").
    fn note_read(&mut self, count: io::Result<usize>, room: usize) {
        let took_all = count.map_or_else(|error| error == Errno::AGAIN, |count| count < room);
        self.is_drained = took_all && !self.has_ended;
    }

    /// Returns the unanswered part of the client's input. While the server stops, only the bytes
    /// count that had arrived at the first call, so that no client keeps it from stopping.
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

    /// Takes the buffer of an empty inbox, which needs none.
    pub fn spare_buffer(&mut self) {
        if self.inbox.is_empty() {
            let buffer = self.inbox.take_buffer();
            if buffer.capacity() <= 4 * READ {
                SPARE.set(buffer);
            }
        }
    }

    /// Ends the output.
    pub fn linger(&mut self) {
        // If the client is gone, a read shows it.
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

    /// Makes its close a reset, so that the kernel discards unread output.
    pub fn cut(&self) {
        // If this fails, the kernel sends the rest for a while.
        let _ = sockopt::set_socket_linger(&self.socket, Some(Duration::ZERO));
    }
}
