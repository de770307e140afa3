//! The server: one epoll set that all workers wait on. The worker that takes a connection out
//! of its slot has it, until it puts it back; an event that comes meanwhile is noted in the
//! slot.

use std::borrow::Cow;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;

use super::addresses::Addresses;
use super::connection::{Connection, Watch};
use super::counts::Counts;
use super::deadlines::{Deadlines, NEVER};
use super::descriptors;
use super::head::{Head, Next};
use super::outbox::Outbox;
use super::ready::{Ready, Received};
use super::refusal::Refusal;
use super::slots::{Slots, Token};
use super::state::{Action, After, Cause, Input, State, Until, step};
use crate::http::engine::{Bounds, Figures};

/// Events that are not a connection's.
pub(super) const LISTENER: u64 = u64::MAX;
const STOP: u64 = u64::MAX - 1;
const DRAINED: u64 = u64::MAX - 2;
const TIMER: u64 = u64::MAX - 3;
const WAKE: u64 = u64::MAX - 4;

/// The most events that a worker takes at once. Requests that it leaves wake another worker.
const BATCH: usize = 16;

/// Connections that may wait to be accepted; the system may have a lower bound.
pub(super) const BACKLOG: i32 = 4096;

/// How long what a client still sends is thrown away after a response that closes the
/// connection.
const LINGER: Duration = Duration::from_secs(2);

/// How long a head that has begun to come in may take while the server stops, and how
/// often the server checks whether a worker has read its input.
const LAST_HEAD: Duration = Duration::from_secs(1);

/// How long a client must have taken nothing of its response to make room for another's.
const STALLED: Duration = Duration::from_secs(1);

/// A server: any number of threads may call [`Server::recv`].
pub struct Server {
    pub(super) epoll: OwnedFd,
    /// None once the server stops.
    pub(super) listener: Mutex<Option<OwnedFd>>,
    ready: Ready,
    stop: OwnedFd,
    drained: OwnedFd,
    pub(super) bounds: Bounds,
    pub(super) slots: Slots,
    pub(super) addresses: Addresses,
    pub(super) counts: Counts,
    pub(super) deadlines: Deadlines,
    /// When accepting goes on after an error; NEVER while it goes on.
    pub(super) paused_until: AtomicU64,
    stopping: AtomicBool,
    /// No more connections come; with the last one the server has stopped.
    pub(super) is_closed: AtomicBool,
}

impl Server {
    /// A server on a socket that listens, TCP or Unix. The bounds are lowered to what the
    /// limit of open files allows, which is raised if it can be.
    ///
    /// # Errors
    /// The socket or the process cannot have what a server needs.
    pub fn new(listener: impl Into<OwnedFd>, mut bounds: Bounds) -> io::Result<Self> {
        let listener = listener.into();
        rustix::io::ioctl_fionbio(&listener, true)?;
        // What std asks for, 128, is soon full in a burst.
        rustix::net::listen(&listener, BACKLOG)?;
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let event = || eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK);
        let (stop, drained) = (event()?, event()?);
        let room = descriptors::room(&bounds);
        bounds.connections = usize::try_from(room.connections).unwrap_or(usize::MAX);
        let slots = u32::try_from(room.connections + room.spare).unwrap_or(u32::MAX / 2);
        let add = |file: &OwnedFd, data, flags| {
            let data = EventData::new_u64(data);
            epoll::add(&epoll, file, data, EventFlags::IN | flags)
        };
        add(&listener, LISTENER, EventFlags::ONESHOT)?;
        add(&stop, STOP, EventFlags::ONESHOT)?;
        // Each worker has this one.
        add(&drained, DRAINED, EventFlags::empty())?;
        // One worker has it each time it goes off, and does not need to read it.
        let deadlines = Deadlines::new(|timer| add(timer, TIMER, EventFlags::ET))?;
        let ready = Ready::new(|wake| add(wake, WAKE, EventFlags::ET))?;
        Ok(Self {
            epoll,
            listener: Mutex::new(Some(listener)),
            ready,
            stop,
            drained,
            bounds,
            slots: Slots::new(slots),
            addresses: Addresses::default(),
            counts: Counts::default(),
            deadlines,
            paused_until: AtomicU64::new(NEVER),
            stopping: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
        })
    }

    /// The next request. Between requests this serves all connections: it accepts, reads,
    /// sends what waits, and ends those that are past a bound.
    ///
    /// # Errors
    /// As [`Server::recv`].
    pub(super) fn next(&self) -> io::Result<Received> {
        loop {
            if let Some(request) = self.check_deadlines() {
                return Ok(request);
            }
            if let Some(request) = self.ready.take() {
                return Ok(request);
            }
            self.wait()?;
        }
    }

    /// Waits for events and handles each; the requests that they bring are ready then.
    fn wait(&self) -> io::Result<()> {
        let mut events = [epoll::Event {
            flags: EventFlags::empty(),
            data: EventData::new_u64(0),
        }; BATCH];
        let count = {
            let sleep = self.ready.sleep();
            if sleep.has_requests() {
                return Ok(());
            }
            match epoll::wait(&self.epoll, &mut events[..], None) {
                Ok(count) => count,
                Err(Errno::INTR) => 0,
                Err(error) => return Err(error.into()),
            }
        };
        let noticed = Instant::now();
        for event in &events[..count] {
            match event.data.u64() {
                // The caller takes the check and the request on its next turn.
                TIMER | WAKE => {}
                LISTENER => self.accept(),
                STOP => self.close(),
                DRAINED => return Err(io::Error::other("the server has stopped")),
                token => self.handle_event(Token::from_u64(token), event.flags, noticed),
            }
        }
        Ok(())
    }

    /// Handles an event of a connection, which was reported at `noticed`.
    fn handle_event(&self, token: Token, flags: EventFlags, noticed: Instant) {
        let Some(mut connection) = self.slots.take(token) else {
            return;
        };
        connection.is_drained = false;
        connection.noticed = flags.contains(EventFlags::IN).then_some(noticed);
        connection.has_ended |= flags.contains(EventFlags::RDHUP);
        let is_gone = flags.intersects(EventFlags::ERR | EventFlags::HUP);
        let cause = if is_gone { Cause::Reset } else { Cause::Ready };
        // That a client is gone is of no concern here.
        if let Ok(Some(request)) = self.advance(token, connection, cause) {
            self.ready.put(request);
        }
    }

    /// Stops: no more connections are accepted, what has come in is answered, then every
    /// [`Server::recv`] ends.
    pub fn unblock(&self) {
        if !self.stopping.swap(true, Ordering::SeqCst) {
            // An event counter that is not full takes one more.
            let _ = rustix::io::write(&self.stop, &1_u64.to_ne_bytes());
        }
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Returns its counts.
    pub fn figures(&self) -> Figures {
        self.counts.figures()
    }

    /// Handles all connections past their deadlines, if a check is due. Returns a request that
    /// results from it.
    fn check_deadlines(&self) -> Option<Received> {
        let mut check = self.deadlines.check()?;
        let mut next = NEVER;
        for index in 0..self.slots.len() {
            match self.slots.take_due(index, check.now) {
                Ok((token, mut connection)) => {
                    connection.noticed = None;
                    let cause = Cause::Timeout(connection.input(self.is_stopping()));
                    if let Ok(Some(request)) = self.advance(token, connection, cause) {
                        // The next check, which is due at once, handles the others.
                        return Some(request);
                    }
                }
                Err(deadline) => next = next.min(deadline),
            }
        }
        check.next = next;
        self.resume_accepting(check.now);
        None
    }

    /// Carries a connection on after `cause`, until it waits again or is closed, or there is
    /// a request.
    ///
    /// # Errors
    /// The connection is closed, and the client has not had all of a response.
    pub(super) fn advance(
        &self,
        token: Token,
        mut connection: Box<Connection>,
        mut cause: Cause,
    ) -> io::Result<Option<Received>> {
        let mut head = None;
        loop {
            let (state, action) = step(connection.state, cause);
            connection.state = state;
            cause = match action {
                Action::Read => self.read(&mut connection, &mut head),
                Action::Handle => {
                    connection.deadline = None;
                    connection.is_new = false;
                    let at = connection.noticed.take().unwrap_or_else(Instant::now);
                    return Ok(head.map(|head| Received {
                        token,
                        connection,
                        head,
                        at,
                    }));
                }
                Action::Refuse(refusal) => self.refuse(&mut connection, refusal),
                Action::Send => self.send(&mut connection, false),
                Action::SendOverdue => self.send(&mut connection, true),
                Action::Discard => connection.discard(),
                Action::Linger => {
                    connection.linger();
                    connection.deadline = Some(self.deadlines.after(LINGER));
                    Cause::Incomplete
                }
                Action::Wait(until) => {
                    let deadline = self.deadline(&mut connection, until);
                    self.put(token, connection, deadline);
                    // The server may have begun to stop before the connection was in its
                    // slot, and have passed it.
                    if !self.is_stopping() || matches!(cause, Cause::Stop(_)) {
                        return Ok(None);
                    }
                    match self.slots.take(token) {
                        Some(taken) => connection = taken,
                        None => return Ok(None),
                    }
                    Cause::Stop(connection.input(true))
                }
                Action::Close => return self.drop_connection(token, connection),
                Action::Cut(refusal) => {
                    self.counts.refuse(refusal);
                    connection.cut();
                    return self.drop_connection(token, connection);
                }
            };
        }
    }

    /// Looks for a head: first in what was read before, then in what it reads.
    fn read(&self, connection: &mut Connection, head: &mut Option<Head>) -> Cause {
        let mut next = connection.inbox.next(&self.bounds);
        if next == Next::Incomplete {
            match connection.read() {
                Ok(0) => return Cause::End,
                Ok(_) => next = connection.inbox.next(&self.bounds),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(_) => return Cause::End,
            }
        }
        match next {
            Next::Incomplete => Cause::Incomplete,
            Next::Refused(refusal) => Cause::Refused(refusal),
            Next::Request(found) => {
                *head = Some(found);
                Cause::Request
            }
        }
    }

    /// Writes the response that says why a client is not served.
    fn refuse(&self, connection: &mut Connection, refusal: Refusal) -> Cause {
        self.counts.refuse(refusal);
        match connection.peer {
            Some(peer) => log::debug!("{peer}: refused: {refusal:?}"),
            None => log::debug!("refused: {refusal:?}"),
        }
        let response = refusal.response(&self.bounds, !connection.inbox.is_of_head());
        connection.outbox = Outbox::new(response, Cow::Borrowed(&[]));
        Cause::Response(After::Linger)
    }

    /// Sends what the socket takes. The rest counts among the bytes that wait for all
    /// clients.
    fn send(&self, connection: &mut Connection, overdue: bool) -> Cause {
        let Ok(sent) = connection.outbox.send(&connection.socket) else {
            return Cause::End;
        };
        self.counts.sent.fetch_add(sent as u64, Ordering::Relaxed);
        if connection.outbox.is_empty() {
            self.set_waiting(connection, 0);
            return self.sent(connection);
        }
        if overdue && sent == 0 {
            return Cause::Stalled;
        }
        let memory = connection.outbox.memory();
        if !self.make_room(memory.saturating_sub(connection.waiting)) {
            return Cause::NoRoom;
        }
        self.set_waiting(connection, memory);
        Cause::Blocked
    }

    /// Returns the cause that follows a response that was sent.
    fn sent(&self, connection: &mut Connection) -> Cause {
        let stopping = self.is_stopping();
        let input = match connection.state {
            // Unread bytes have an event of their own: no need to look for them.
            State::Writing(After::Continue) if !stopping && connection.inbox.is_blank() => {
                Input::Nothing
            }
            State::Writing(After::Continue) if !stopping => Input::Begun,
            _ => connection.input(stopping),
        };
        match input {
            Input::Nothing if stopping => Cause::SentLast,
            input => Cause::Sent(input),
        }
    }

    /// Sets how many bytes wait for this connection's client.
    fn set_waiting(&self, connection: &mut Connection, waiting: usize) {
        let before = std::mem::replace(&mut connection.waiting, waiting);
        let total = &self.counts.waiting;
        if waiting > before {
            total.fetch_add(waiting - before, Ordering::Relaxed);
        } else if waiting < before {
            total.fetch_sub(before - waiting, Ordering::Relaxed);
        }
    }

    /// Makes room for so many more bytes to wait: cuts off the clients that have taken nothing
    /// for the longest. Returns whether there is room.
    fn make_room(&self, more: usize) -> bool {
        let fits = || {
            let waiting = self.counts.waiting.load(Ordering::Relaxed);
            // A response that is larger than the bound may wait alone.
            more == 0 || waiting == 0 || waiting.saturating_add(more) <= self.bounds.pending
        };
        while !fits() {
            let stalled = self.bounds.write_time.saturating_sub(STALLED);
            let before = self.deadlines.after(stalled);
            let Some((token, connection)) = self.slots.take_most_stalled(before) else {
                return false;
            };
            let _ = self.advance(token, connection, Cause::NoRoom);
        }
        true
    }

    /// The deadline of a connection that waits.
    fn deadline(&self, connection: &mut Connection, until: Until) -> u64 {
        let after = |span| self.deadlines.after(span);
        match until {
            Until::Head if connection.inbox.is_empty() => {
                connection.spare_buffer();
                connection
                    .deadline
                    .unwrap_or_else(|| after(self.bounds.idle_time))
            }
            Until::Head => {
                let deadline = || after(self.bounds.head_time);
                *connection.deadline.get_or_insert_with(deadline)
            }
            Until::LastHead => {
                let last = after(LAST_HEAD);
                let deadline = connection
                    .deadline
                    .map_or(last, |deadline| deadline.min(last));
                *connection.deadline.insert(deadline)
            }
            Until::Worker => {
                // Whether its event still comes is not known here.
                connection.is_drained = false;
                after(LAST_HEAD)
            }
            Until::Write => after(self.bounds.write_time),
            Until::Linger => connection.deadline.unwrap_or(0),
        }
    }

    /// Leaves a connection in its slot until it can be read from or written to, as its
    /// state has it, or the deadline is over. Where it can be already its event is there
    /// at once, behind those of all others.
    pub(super) fn put(&self, token: Token, connection: Box<Connection>, deadline: u64) {
        let arm = |connection: &mut Connection, has_missed: bool| {
            let watch = match connection.state {
                State::Writing(_) | State::Queued => Watch::Output,
                State::Reading | State::Handling | State::Lingering => Watch::Input,
            };
            let before = std::mem::replace(&mut connection.watch, watch);
            let goes_on = watch == Watch::Input && before == watch;
            if goes_on && connection.is_drained && !has_missed {
                return Ok(());
            }
            let flags = match watch {
                Watch::Output => EventFlags::OUT | EventFlags::ONESHOT,
                _ => EventFlags::IN | EventFlags::RDHUP | EventFlags::ET,
            };
            let (socket, data) = (
                connection.socket.as_fd(),
                EventData::new_u64(token.to_u64()),
            );
            match before {
                Watch::Nothing => epoll::add(&self.epoll, socket, data, flags),
                _ => epoll::modify(&self.epoll, socket, data, flags),
            }
        };
        if let Err((error, connection)) = self.slots.put(token, connection, deadline, arm) {
            log::error!("a connection cannot be waited for: {error}");
            let _ = self.drop_connection(token, connection);
        }
        self.deadlines.check_by(deadline);
    }

    /// Closes a connection.
    ///
    /// # Errors
    /// The client has not had all of a response.
    fn drop_connection(
        &self,
        token: Token,
        mut connection: Box<Connection>,
    ) -> io::Result<Option<Received>> {
        let is_sent = connection.outbox.is_empty();
        self.set_waiting(&mut connection, 0);
        connection.spare_buffer();
        if connection.is_admitted {
            self.counts.admitted.fetch_sub(1, Ordering::Relaxed);
        }
        if let Some(address) = connection.counted_as {
            self.addresses.leave(address);
        }
        // The socket before the slot, so that there are never more files than slots.
        drop(connection);
        self.slots.vacate(token);
        let before = self.counts.open.fetch_sub(1, Ordering::SeqCst);
        if before == 1 && self.is_closed.load(Ordering::SeqCst) {
            self.has_drained();
        }
        if is_sent {
            Ok(None)
        } else {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }

    /// Wakes every worker: the last connection is closed, and no more come.
    pub(super) fn has_drained(&self) {
        // An event counter that is not full takes one more.
        let _ = rustix::io::write(&self.drained, &1_u64.to_ne_bytes());
    }
}

#[cfg(test)]
#[path = "server/tests.rs"]
mod tests;
