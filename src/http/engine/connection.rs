//! One connection: its socket, what came in, what waits to go out.

use std::cell::Cell;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::epoll::EventFlags;
use rustix::net::{Shutdown, shutdown, sockopt};

use super::answer::Answer;
use super::head::Inbox;

/// How much is read at once.
const READ: usize = 4 << 10;

/// How much is thrown away of what a client still sends to a connection that is
/// being closed; past it the connection is cut.
const MAX_DISCARDED: usize = 1 << 20;

/// A connection. Who holds it may use it; in a slot, nobody does.
pub struct Connection {
    pub socket: TcpStream,
    pub peer: SocketAddr,
    /// Does it count among the connections that are served? Others are only told
    /// that there is no room.
    pub is_admitted: bool,
    /// Whom it is counted with, if it is counted by address.
    pub counted_as: Option<IpAddr>,
    /// Has the epoll set seen it?
    pub is_registered: bool,
    pub inbox: Inbox,
    pub state: State,
    pub after: After,
    /// Requests that were passed on.
    pub requests: u64,
    /// When the head under way must be complete, in milliseconds of the server.
    pub head_deadline: Option<u64>,
    /// Its part of the bytes that wait in all.
    pub waiting: usize,
    outbox: Answer,
    /// Bytes that had come in when the server stopped, and are not read yet.
    last: Option<u64>,
}

/// What a connection is at, where no worker holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A head is awaited, or is in the inbox already.
    Reading,
    /// An answer is not wholly sent.
    Writing,
    /// All answers are sent, and something of the client's is in the inbox: its turn
    /// comes when the socket can be written to.
    Queued,
    /// It is closed from here; what the client still sends is thrown away for a
    /// while, as a socket closed before would make the client lose the answer.
    Lingering { discarded: usize },
}

impl State {
    /// The event that has it go on; that the client has reset the connection is one in
    /// any case, and that it sends no more is something to be read.
    pub fn awaits(self) -> EventFlags {
        match self {
            Self::Reading | Self::Lingering { .. } => EventFlags::IN,
            Self::Writing | Self::Queued => EventFlags::OUT,
        }
    }
}

/// What becomes of it when the answer is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The next request.
    GoesOn,
    /// The client asked to have it closed.
    Closes,
    /// It is closed though the client may still send.
    Lingers,
}

/// What reading gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// There is more in the inbox.
    Some,
    /// Nothing has come.
    Nothing,
    /// The client sends no more, or is gone.
    End,
}

thread_local! {
    /// A buffer that no connection needs at the moment: a connection that is idle
    /// has none.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

impl Connection {
    /// A connection that was just accepted.
    pub fn new(socket: TcpStream, peer: SocketAddr) -> Self {
        // Answers are written whole, so that there is nothing to wait for. That
        // it fails says that the client is gone, which reading will tell.
        let _ = socket.set_nodelay(true);
        Self {
            socket,
            peer,
            is_admitted: false,
            counted_as: None,
            is_registered: false,
            inbox: Inbox::default(),
            state: State::Reading,
            after: After::GoesOn,
            requests: 0,
            head_deadline: None,
            waiting: 0,
            outbox: Answer::default(),
            last: None,
        }
    }

    /// Reads what has come, some kilobytes of it at most.
    pub fn read(&mut self) -> Read {
        if !self.inbox.has_buffer() {
            self.inbox = Inbox::of_buffer(SPARE.take());
        }
        let buffer = self.inbox.buffer(READ);
        match rustix::io::read(&self.socket, spare_capacity(buffer)) {
            Ok(0) => Read::End,
            Ok(read) => {
                if let Some(last) = &mut self.last {
                    *last = last.saturating_sub(read as u64);
                }
                Read::Some
            }
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Read::Nothing,
            Err(_) => Read::End,
        }
    }

    /// How many bytes have come in that are not read yet.
    pub fn unread(&self) -> u64 {
        rustix::io::ioctl_fionread(&self.socket).unwrap_or(0)
    }

    /// While the server stops: how many bytes are not read yet of those that had
    /// come in when this was first asked. Only they are read, so that no client can
    /// keep the server from stopping.
    pub fn last(&mut self) -> u64 {
        let unread = self.last.unwrap_or_else(|| self.unread());
        *self.last.insert(unread)
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

    /// Takes an answer to be sent.
    pub fn answer(&mut self, answer: Answer) {
        self.state = State::Writing;
        self.outbox = answer;
    }

    /// How many bytes an answer that is not wholly sent keeps in memory.
    pub fn kept(&self) -> usize {
        if self.outbox.rest().is_empty() {
            0
        } else {
            self.outbox.memory()
        }
    }

    /// Sends what the socket takes: how many bytes of the answer.
    ///
    /// # Errors
    /// The client is gone.
    pub fn flush(&mut self) -> io::Result<usize> {
        let before = self.outbox.rest().len();
        while !self.outbox.rest().is_empty() {
            match (&self.socket).write(self.outbox.rest()) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(sent) => self.outbox.advance(sent),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let left = self.outbox.rest().len();
        if left == 0 {
            std::mem::take(&mut self.outbox).recycle();
        } else {
            self.outbox.wait();
        }
        Ok(before - left)
    }

    /// Tells the client that no more comes, and begins to throw away what it sends.
    pub fn linger(&mut self) {
        // If the client is gone, reading will tell.
        let _ = shutdown(&self.socket, Shutdown::Write);
        self.inbox.take_buffer();
        self.state = State::Lingering { discarded: 0 };
    }

    /// Throws away what has come; is there any use in going on?
    pub fn discard(&mut self) -> bool {
        let State::Lingering { discarded } = &mut self.state else {
            return false;
        };
        let mut buffer = SPARE.take();
        buffer.clear();
        buffer.reserve(4 * READ);
        let outcome = rustix::io::read(&self.socket, spare_capacity(&mut buffer));
        buffer.clear();
        SPARE.set(buffer);
        match outcome {
            Ok(0) => false,
            Ok(read) => {
                *discarded += read;
                *discarded < MAX_DISCARDED
            }
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => true,
            Err(_) => false,
        }
    }

    /// Has it closed with a reset: the kernel forgets what the client has not
    /// taken.
    pub fn cut(&self) {
        // Where it fails the kernel goes on for a while with what it has.
        let _ = sockopt::set_socket_linger(&self.socket, Some(Duration::ZERO));
    }
}
