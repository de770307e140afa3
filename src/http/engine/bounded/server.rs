//! The server: one epoll set for all workers. A worker takes a connection out of its slot, handles
//! it, and puts it back. Events that arrive in the meantime are noted in the slot.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;

use super::addresses::Addresses;
use super::connection::{Connection, Watched};
use super::counts::Counts;
use super::deadlines::{Deadlines, NEVER};
use super::descriptors;
use super::head::ReceivedHead;
use super::outbox::Outbox;
use super::ready::{Ready, Received};
use super::refusal::Refusal;
use super::slots::{Slots, Token};
use super::state::{Action, After, Cause, Input, State, Until, step};
use crate::api::Peer;
use crate::http::engine::response::ConnectionLines;
use crate::http::engine::{Bounds, Figures};

/// Tokens of events that do not belong to a connection.
pub(super) const LISTENER: u64 = u64::MAX;
const STOP: u64 = u64::MAX - 1;
const DRAINED: u64 = u64::MAX - 2;
const TIMER: u64 = u64::MAX - 3;
const WAKE: u64 = u64::MAX - 4;

/// Events that a worker takes at once while all other workers are busy.
const BATCH: usize = 16;

/// Maximum number of connections that wait to be accepted. The system may set a lower limit.
pub(super) const BACKLOG: i32 = 4096;

/// How long to discard input after a response that closes the connection.
const LINGER: Duration = Duration::from_secs(2);

/// How long the server waits at shutdown for the first head on a connection, or for the rest of any
/// head. Also how often to check whether a worker has read received bytes.
const LAST_HEAD: Duration = Duration::from_secs(1);

/// Clients that have not read for this long may be cut off to make room for others.
const STALLED: Duration = Duration::from_secs(1);

/// The server. Any number of threads may call [`BoundedServer::recv`].
pub struct BoundedServer {
    pub(super) epoll: OwnedFd,
    /// `None` once the server is stopping.
    pub(super) listener: Mutex<Option<OwnedFd>>,
    ready: Ready,
    stop: OwnedFd,
    drained: OwnedFd,
    pub(super) bounds: Bounds,
    pub(super) lines: ConnectionLines,
    pub(super) slots: Slots,
    pub(super) addresses: Addresses,
    pub(super) counts: Counts,
    pub(super) deadlines: Deadlines,
    /// When accepting resumes after an error; [`NEVER`] unless accepting is paused.
    pub(super) paused_until: AtomicU64,
    stopping: AtomicBool,
    /// Set once no more connections are accepted. The server has stopped when the last connection
    /// closes.
    pub(super) is_closed: AtomicBool,
}

impl BoundedServer {
    /// Creates a server on a listening socket, TCP or Unix. Raises the limit on open files if
    /// possible; otherwise lowers the bounds to fit.
    ///
    /// # Errors
    /// Returns an error if the system denies a resource.
    pub fn new(listener: impl Into<OwnedFd>, mut bounds: Bounds) -> io::Result<Self> {
        let listener = listener.into();
        rustix::io::ioctl_fionbio(&listener, true)?;
        // The standard library's backlog of 128 is quickly filled by a burst of connections.
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
        // This event is level-triggered and not one-shot, so every worker gets it.
        add(&drained, DRAINED, EventFlags::empty())?;
        // The timer is edge-triggered: each expiry wakes one worker, which need not read the timer.
        let deadlines = Deadlines::new(|timer| add(timer, TIMER, EventFlags::ET))?;
        let ready = Ready::new(|wake| add(wake, WAKE, EventFlags::ET))?;
        Ok(Self {
            epoll,
            listener: Mutex::new(Some(listener)),
            ready,
            stop,
            drained,
            lines: ConnectionLines::new(Some(bounds.idle_time)),
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

    /// Returns the next request. Until one arrives, accepts connections, reads, sends, and closes
    /// connections that exceed a bound.
    ///
    /// # Errors
    /// See [`BoundedServer::recv`].
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

    /// Waits for events and handles them. Adds the resulting requests to `ready`.
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
            // Leaving the other events to sleeping workers is cheaper than waking those workers
            // afterwards.
            let most = if sleep.is_only_one() { BATCH } else { 1 };
            match epoll::wait(&self.epoll, &mut events[..most], None) {
                Ok(count) => count,
                Err(Errno::INTR) => 0,
                Err(error) => return Err(error.into()),
            }
        };
        let noticed = Instant::now();
        for event in &events[..count] {
            match event.data.u64() {
                // The caller handles the deadline check and the queued request in its next round.
                TIMER | WAKE => {}
                LISTENER => self.accept(),
                STOP => self.close(),
                DRAINED => return Err(io::Error::other("the server has stopped")),
                token => self.handle_event(Token::from_u64(token), event.flags, noticed),
            }
        }
        Ok(())
    }

    /// Handles an event of a connection; `noticed` is when it was reported.
    fn handle_event(&self, token: Token, flags: EventFlags, noticed: Instant) {
        let Some(mut connection) = self.slots.take(token) else {
            return;
        };
        connection.is_drained = false;
        connection.noticed = flags.contains(EventFlags::IN).then_some(noticed);
        connection.has_ended |= flags.contains(EventFlags::RDHUP);
        let is_gone = flags.intersects(EventFlags::ERR | EventFlags::HUP);
        let cause = if is_gone { Cause::Reset } else { Cause::Ready };
        // The client may be gone.
        if let Ok(Some(request)) = self.advance(token, connection, cause) {
            self.ready.put(request);
        }
    }

    /// Stops the server: it accepts no new connections and answers the requests received so far,
    /// then every [`BoundedServer::recv`] returns an error.
    pub fn unblock(&self) {
        if !self.stopping.swap(true, Ordering::SeqCst) {
            // The write fails only if the counter is full, and then the event is pending anyway.
            let _ = rustix::io::write(&self.stop, &1_u64.to_ne_bytes());
        }
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    pub fn figures(&self) -> Figures {
        self.counts.figures()
    }

    /// If a check is due, handles all connections past their deadlines. Returns the first request
    /// found on the way.
    fn check_deadlines(&self) -> Option<Received> {
        let mut check = self.deadlines.check()?;
        let mut next = NEVER;
        for index in 0..self.slots.len() {
            match self.slots.take_due(index, check.now) {
                Ok((token, mut connection)) => {
                    connection.noticed = None;
                    let cause = Cause::Timeout(connection.input(self.is_stopping()));
                    if let Ok(Some(request)) = self.advance(token, connection, cause) {
                        // The next check, due immediately, handles the remaining slots.
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

    /// Runs the steps of a connection, starting with `cause`, until the connection waits again, is
    /// closed, or has a request.
    ///
    /// # Errors
    /// Returns an error if the connection is closed before its response is sent completely.
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
                    // The server may have begun to stop and checked this slot before the connection
                    // was put back into it.
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

    /// Looks for a head in the bytes received so far. If they contain none, reads more and looks
    /// again. Stores what it finds in `head`.
    fn read(&self, connection: &mut Connection, head: &mut Option<ReceivedHead>) -> Cause {
        let mut next = connection.inbox.next(&self.bounds);
        if next == Ok(None) {
            match connection.read() {
                Ok(0) => return Cause::End,
                Ok(_) => next = connection.inbox.next(&self.bounds),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(_) => return Cause::End,
            }
        }
        match next {
            Ok(None) => Cause::Incomplete,
            Err(refusal) => Cause::Refused(refusal),
            Ok(found) => {
                if let Some(found) = &found {
                    self.stop_counting_proxy(connection, found);
                }
                *head = found;
                Cause::Request
            }
        }
    }

    /// Stops counting a connection over a Unix socket once a request names the client: the
    /// connection comes from a proxy, which may need one connection per client.
    fn stop_counting_proxy(&self, connection: &mut Connection, head: &ReceivedHead) {
        if connection.counted_as == Some(Peer::Local) {
            let mut headers = connection.inbox.headers(head);
            if headers.any(|(name, _)| name.eq_ignore_ascii_case("X-Forwarded-For")) {
                connection.counted_as = None;
                self.addresses.leave(Peer::Local);
            }
        }
    }

    fn refuse(&self, connection: &mut Connection, refusal: Refusal) -> Cause {
        self.counts.refuse(refusal);
        log::debug!("{:?}: refused: {refusal:?}", connection.peer);
        let response = refusal.response(&self.bounds, !connection.inbox.is_of_head());
        connection.outbox = Outbox::from_bytes(response);
        connection.deadline = None;
        Cause::Response(After::Linger)
    }

    /// Sends as much of the response as the socket accepts. The rest counts towards the total of
    /// unread bytes.
    fn send(&self, connection: &mut Connection, overdue: bool) -> Cause {
        let Ok(sent) = connection.outbox.send(&connection.socket) else {
            return Cause::End;
        };
        self.counts.sent.fetch_add(sent as u64, Ordering::Relaxed);
        if connection.outbox.is_empty() {
            self.set_waiting(connection, 0);
            connection.deadline = None;
            return self.sent(connection);
        }
        if sent > 0 || connection.deadline.is_none() {
            connection.took_at = self.deadlines.now();
        }
        connection.sent_in_time += sent;
        if overdue {
            if connection.sent_in_time < self.bounds.least_read() {
                return Cause::Stalled;
            }
            connection.deadline = None;
        }
        let memory = connection.outbox.memory();
        if !self.make_room(memory.saturating_sub(connection.waiting)) {
            return Cause::NoRoom;
        }
        self.set_waiting(connection, memory);
        Cause::Blocked
    }

    fn sent(&self, connection: &mut Connection) -> Cause {
        let stopping = self.is_stopping();
        let input = match connection.state {
            // Bytes that are still in the socket will trigger another event.
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

    fn set_waiting(&self, connection: &mut Connection, waiting: usize) {
        let before = std::mem::replace(&mut connection.waiting, waiting);
        let total = &self.counts.waiting;
        if waiting > before {
            total.fetch_add(waiting - before, Ordering::Relaxed);
        } else if waiting < before {
            total.fetch_sub(before - waiting, Ordering::Relaxed);
        }
    }

    /// Makes room for more unread bytes by cutting off the clients that have gone longest without
    /// reading. Returns whether there is room.
    fn make_room(&self, more: usize) -> bool {
        let fits = || {
            let waiting = self.counts.waiting.load(Ordering::Relaxed);
            // A single response may exceed the limit on its own.
            more == 0 || waiting == 0 || waiting.saturating_add(more) <= self.bounds.pending
        };
        while !fits() {
            let stalled = u64::try_from(STALLED.as_millis()).unwrap_or(NEVER);
            let before = self.deadlines.now().saturating_sub(stalled);
            let Some((token, connection)) = self.slots.take_most_stalled(before) else {
                return false;
            };
            let _ = self.advance(token, connection, Cause::NoRoom);
        }
        true
    }

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
                // The event for these bytes may already have been consumed.
                connection.is_drained = false;
                after(LAST_HEAD)
            }
            Until::Write if connection.outbox.is_empty() => after(self.bounds.write_time),
            Until::Write => {
                if connection.deadline.is_none() {
                    connection.sent_in_time = 0;
                }
                let deadline = || after(self.bounds.write_time);
                *connection.deadline.get_or_insert_with(deadline)
            }
            Until::Linger => connection.deadline.unwrap_or(0),
        }
    }

    /// Puts a connection into its slot until its socket is ready or the deadline passes. If the
    /// socket is already ready, the event is queued behind all others.
    pub(super) fn put(&self, token: Token, connection: Box<Connection>, deadline: u64) {
        let arm = |connection: &mut Connection, has_missed: bool| {
            let watch = match connection.state {
                State::Writing(_) | State::Queued => Watched::Output,
                State::Reading | State::Handling | State::Lingering => Watched::Input,
            };
            let before = std::mem::replace(&mut connection.watch, watch);
            let goes_on = watch == Watched::Input && before == watch;
            if goes_on && connection.is_drained && !has_missed {
                return Ok(());
            }
            let flags = match watch {
                Watched::Output => EventFlags::OUT | EventFlags::ONESHOT,
                _ => EventFlags::IN | EventFlags::RDHUP | EventFlags::ET,
            };
            let (socket, data) = (
                connection.socket.as_fd(),
                EventData::new_u64(token.to_u64()),
            );
            match before {
                Watched::Nothing => epoll::add(&self.epoll, socket, data, flags),
                _ => epoll::modify(&self.epoll, socket, data, flags),
            }
        };
        if let Err((error, connection)) = self.slots.put(token, connection, deadline, arm) {
            log::error!("cannot wait for events of a connection: {error}");
            let _ = self.drop_connection(token, connection);
        }
        self.deadlines.check_by(deadline);
    }

    /// # Errors
    /// Fails if part of a response has not been sent.
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
        // Close the socket before the slot is freed, so that there are never more open sockets than
        // slots.
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

    /// Wakes every worker once the last connection has closed.
    pub(super) fn has_drained(&self) {
        // The write fails only if the counter is full, and then the event is pending anyway.
        let _ = rustix::io::write(&self.drained, &1_u64.to_ne_bytes());
    }
}

#[cfg(test)]
#[path = "server/tests.rs"]
mod tests;
