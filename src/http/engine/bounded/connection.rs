//! A connection: its socket, its input, and its unsent output.

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

/// Upper bound on the bytes of a single read.
const READ: usize = 4 << 10;

/// Upper bound on the input discarded on a closing connection. Beyond this, the connection is
/// closed immediately.
const MAX_DISCARDED: usize = 1 << 20;

thread_local! {
    /// One spare input buffer per thread, so that idle connections need none.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The events that the epoll set reports for a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// The socket is not in the epoll set.
    Nothing,
    /// Input, whenever more arrives (edge-triggered).
    Input,
    /// Room for output, reported once.
    Output,
}

/// A connection. Only the worker that has taken it out of its slot may access it.
pub struct Connection {
    pub socket: OwnedFd,
    pub peer: Peer,
    pub state: State,
    /// Whether the connection is being served rather than refused.
    pub is_admitted: bool,
    /// The peer under which the connection is counted, if it counts towards a limit.
    pub counted_as: Option<Peer>,
    /// Whether no request has arrived yet.
    pub is_new: bool,
    pub watch: Watched,
    /// Whether the last read emptied the socket, so that further input triggers an event.
    pub is_drained: bool,
    /// Arrival time of the event that reported the unread bytes; `None` if the latest event
    /// reported no input.
    pub noticed: Option<Instant>,
    /// Whether an event reported the end of the client's input. No further input event follows.
    pub has_ended: bool,
    pub inbox: Inbox,
    pub outbox: Outbox,
    /// How much this connection contributes to `Counts::waiting`.
    pub waiting: usize,
    /// Deadline of the current head, of lingering, or of reading the next
    /// [`Bounds::least_read`](crate::http::engine::Bounds::least_read) bytes of a response.
    pub deadline: Option<u64>,
    /// Bytes of the response sent since the deadline was set.
    pub sent_in_time: usize,
    /// When the socket last accepted part of a response.
    pub took_at: u64,
    discarded: usize,
    /// Number of bytes that had arrived but were unread when the server stopped.
    unread_at_stop: Option<u64>,
}

impl Connection {
    pub fn new(socket: OwnedFd, peer: Peer) -> Self {
        // Responses are written whole, so Nagle's algorithm would only delay them. Errors are
        // ignored: Unix sockets lack this option, and if the client is gone, a later read reports
        // it.
        let _ = sockopt::set_tcp_nodelay(&socket, true);
        Self {
            socket,
            peer,
            state: State::Reading,
            is_admitted: false,
            counted_as: None,
            is_new: true,
            watch: Watched::Nothing,
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

    /// Reads up to a few kilobytes of input. Returns the number of bytes; 0 at the end of input.
    ///
    /// # Errors
    /// Returns `AGAIN` if no input has arrived; other errors if the client is gone.
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

    /// Records the result of a read for up to `room` bytes. A read of fewer bytes has emptied the
    /// socket (epoll(7), "Questions and answers").
    fn note_read(&mut self, count: io::Result<usize>, room: usize) {
        let took_all = count.map_or_else(|error| error == Errno::AGAIN, |count| count < room);
        self.is_drained = took_all && !self.has_ended;
    }

    /// Returns what is left of the client's input. While the server is stopping, considers only the
    /// bytes that had arrived by the first call, so that clients cannot delay the shutdown.
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

    /// Makes an empty input buffer the thread's spare, unless the buffer has grown too large.
    pub fn spare_buffer(&mut self) {
        if self.inbox.is_empty() {
            let buffer = self.inbox.take_buffer();
            if buffer.capacity() <= 4 * READ {
                SPARE.set(buffer);
            }
        }
    }

    /// Shuts down the sending side, and drops the input received so far.
    pub fn linger(&mut self) {
        // If the client is gone, a later read reports it.
        let _ = shutdown(&self.socket, Shutdown::Write);
        self.inbox.take_buffer();
    }

    /// Reads and discards input. Returns [`Cause::End`] if the input has ended, reading fails, or
    /// too much has been discarded; otherwise [`Cause::Incomplete`].
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

    /// Makes closing the socket reset the connection, so that the kernel discards unread output.
    pub fn cut(&self) {
        // If setting this option fails, the kernel merely keeps sending for a while.
        let _ = sockopt::set_socket_linger(&self.socket, Some(Duration::ZERO));
    }
}
