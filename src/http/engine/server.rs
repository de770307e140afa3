//! The engine: one epoll set that all workers wait on, each connection with one
//! event at a time. Whoever gets the event has the connection, until it puts it
//! back and has the next event come.

use std::io;
use std::net::TcpListener;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::time::{TimerfdClockId, TimerfdFlags, timerfd_create};

use super::addresses::Addresses;
use super::answer::Answer;
use super::bounds::{Bounds, Refusal};
use super::connection::{After, Connection, Read, State};
use super::descriptors;
use super::figures::{Counts, Figures};
use super::head::{Method, Next};
use super::plain;
use super::request::Request;
use super::slots::{NEVER, Slots, Token};

/// Events that are not a connection's.
pub(super) const LISTENER: u64 = u64::MAX;
pub(super) const STOP: u64 = u64::MAX - 1;
pub(super) const DRAINED: u64 = u64::MAX - 2;
const TIMER: u64 = u64::MAX - 3;

/// Connections that may wait to be accepted; the system may have a lower bound.
pub(super) const BACKLOG: i32 = 4096;

/// How long what a client still sends is thrown away after an answer that closes
/// the connection.
const LINGER: Duration = Duration::from_secs(2);

/// How long, while the server stops, a head may take that has begun to come in.
pub(super) const LAST_HEAD: Duration = Duration::from_secs(1);

/// A server: any number of threads may call [`Server::recv`].
pub struct Server {
    pub(super) epoll: OwnedFd,
    /// None once the server stops.
    pub(super) listener: Mutex<Option<TcpListener>>,
    pub(super) stop: OwnedFd,
    drained: OwnedFd,
    pub(super) bounds: Bounds,
    pub(super) slots: Slots,
    pub(super) addresses: Addresses,
    pub(super) counts: Counts,
    start: Instant,
    /// When a deadline is over, at the earliest; in milliseconds since the start.
    pub(super) next_sweep: AtomicU64,
    /// Goes off at the next sweep and wakes a worker, should all of them wait.
    pub(super) timer: Mutex<OwnedFd>,
    /// When accepting goes on after it could not; NEVER while it goes on.
    pub(super) paused_until: AtomicU64,
    pub(super) stopping: AtomicBool,
    /// No more connections come; with the last one the server has stopped.
    pub(super) winding_down: AtomicBool,
}

impl Server {
    /// A server on a socket that listens. The bounds are lowered to what the
    /// limit of open files allows, which is raised if it can be.
    ///
    /// # Errors
    /// The socket or the process cannot have what a server needs.
    pub fn from_listener(listener: TcpListener, bounds: Option<Bounds>) -> io::Result<Self> {
        let mut bounds = bounds.unwrap_or_default();
        listener.set_nonblocking(true)?;
        // What std asks for, 128, is soon full in a burst.
        rustix::net::listen(&listener, BACKLOG)?;
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let event = || eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK);
        let (stop, drained) = (event()?, event()?);
        let timer_flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        let timer = timerfd_create(TimerfdClockId::Monotonic, timer_flags)?;
        let room = descriptors::room(&bounds);
        bounds.connections = usize::try_from(room.connections).unwrap_or(usize::MAX);
        let slots = u32::try_from(room.connections + room.spare).unwrap_or(u32::MAX / 2);
        let add = |file: BorrowedFd<'_>, data, flags| {
            let data = EventData::new_u64(data);
            epoll::add(&epoll, file, data, EventFlags::IN | flags)
        };
        add(listener.as_fd(), LISTENER, EventFlags::ONESHOT)?;
        add(stop.as_fd(), STOP, EventFlags::ONESHOT)?;
        // Each worker has this one.
        add(drained.as_fd(), DRAINED, EventFlags::empty())?;
        // One worker has it each time it goes off, and does not need to read it.
        add(timer.as_fd(), TIMER, EventFlags::ET)?;
        Ok(Self {
            epoll,
            listener: Mutex::new(Some(listener)),
            stop,
            drained,
            bounds,
            slots: Slots::new(slots),
            addresses: Addresses::default(),
            counts: Counts::default(),
            start: Instant::now(),
            next_sweep: AtomicU64::new(NEVER),
            timer: Mutex::new(timer),
            paused_until: AtomicU64::new(NEVER),
            stopping: AtomicBool::new(false),
            winding_down: AtomicBool::new(false),
        })
    }

    /// The next request. Between requests this serves all connections: it accepts,
    /// reads, sends what waits, and ends those that are past a bound.
    ///
    /// # Errors
    /// The server has stopped and every connection is closed, or the system does
    /// not say what happens on the connections.
    pub fn recv(&self) -> io::Result<Request<'_>> {
        loop {
            if let Some(request) = self.sweep() {
                return Ok(request);
            }
            match self.wait()? {
                // A sweep is due, and has been seen to when the loop comes round.
                None | Some((TIMER, _)) => {}
                Some((LISTENER, _)) => self.accept(),
                Some((STOP, _)) => self.wind_down(),
                Some((DRAINED, _)) => return Err(io::Error::other("the server has stopped")),
                Some((connection, ready)) => {
                    if let Some(request) = self.turn(Token::of_u64(connection), ready) {
                        return Ok(request);
                    }
                }
            }
        }
    }

    /// Stops: no more connections are accepted, what has come in is answered,
    /// then every [`Server::recv`] ends.
    pub fn unblock(&self) {
        if !self.stopping.swap(true, Ordering::SeqCst) {
            // An event counter that is not full takes one more.
            let _ = rustix::io::write(&self.stop, &1_u64.to_ne_bytes());
        }
    }

    /// What it has counted.
    pub fn figures(&self) -> Figures {
        self.counts.figures()
    }

    /// Milliseconds since the start.
    pub(super) fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(NEVER / 2)
    }

    /// The instant that is `span` from now.
    pub(super) fn after(&self, span: Duration) -> u64 {
        let span = u64::try_from(span.as_millis()).unwrap_or(NEVER / 4);
        self.now().saturating_add(span.min(NEVER / 4))
    }

    /// What happens next: whose event it is and what it says, none where a signal came
    /// instead.
    fn wait(&self) -> io::Result<Option<(u64, EventFlags)>> {
        let mut events = [epoll::Event {
            flags: EventFlags::empty(),
            data: EventData::new_u64(0),
        }];
        match epoll::wait(&self.epoll, &mut events, None) {
            Ok(0) | Err(rustix::io::Errno::INTR) => Ok(None),
            Ok(_) => {
                let [event] = events;
                Ok(Some((event.data.u64(), event.flags)))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// A connection's event.
    fn turn(&self, token: Token, ready: EventFlags) -> Option<Request<'_>> {
        let mut connection = self.slots.take(token)?;
        let is_gone = ready.intersects(EventFlags::ERR | EventFlags::HUP);
        match connection.state {
            // It has reset the connection: an answer would be for nobody.
            State::Reading | State::Queued if is_gone => self.close(token, connection),
            State::Reading | State::Queued => return self.read(token, connection),
            State::Writing => {
                // That the client is gone is of no concern any more.
                let _ = self.send(token, connection);
            }
            State::Lingering { .. } => {
                if connection.discard() {
                    let deadline = connection.head_deadline.unwrap_or(0);
                    self.rearm(token, connection, deadline);
                } else {
                    self.close(token, connection);
                }
            }
        }
        None
    }

    pub(super) fn read(
        &self,
        token: Token,
        mut connection: Box<Connection>,
    ) -> Option<Request<'_>> {
        connection.state = State::Reading;
        let mut next = connection.inbox.next(&self.bounds);
        if next == Next::More {
            match connection.read() {
                Read::Some => next = connection.inbox.next(&self.bounds),
                Read::Nothing => {}
                Read::End => {
                    self.close(token, connection);
                    return None;
                }
            }
        }
        match next {
            Next::More => self.await_head(token, connection),
            Next::Refused(refusal, method) => self.refuse(token, connection, refusal, method),
            Next::Head(head) => {
                connection.requests += 1;
                connection.head_deadline = None;
                return Some(Request::new(self, token, connection, head));
            }
        }
        None
    }

    /// Leaves a connection until more of a head comes, or the time for it is over.
    fn await_head(&self, token: Token, mut connection: Box<Connection>) {
        if self.stopping.load(Ordering::SeqCst) {
            return self.hasten(token, connection);
        }
        let deadline = match connection.head_deadline {
            Some(deadline) => deadline,
            None if connection.inbox.is_empty() => {
                connection.spare_buffer();
                self.after(self.bounds.idle_time)
            }
            None => {
                let deadline = self.after(self.bounds.head_time);
                connection.head_deadline = Some(deadline);
                deadline
            }
        };
        self.rearm(token, connection, deadline);
        // The server may have begun to stop in between, and have looked at the slot
        // before the connection was in it.
        if self.stopping.load(Ordering::SeqCst)
            && let Some(connection) = self.slots.take(token)
        {
            self.hasten(token, connection);
        }
    }

    /// Tells the client why it is not served, and closes the connection.
    pub(super) fn refuse(
        &self,
        token: Token,
        mut connection: Box<Connection>,
        refusal: Refusal,
        method: Option<Method>,
    ) {
        self.counts.refuse(refusal);
        log::debug!("{}: refused: {refusal:?}", connection.peer.ip());
        let Some((status, sentence)) = refusal.answer(&self.bounds) else {
            connection.cut();
            return self.close(token, connection);
        };
        let with_body = method != Some(Method::Head);
        let bytes = plain::answer(status, &sentence, with_body);
        connection.after = After::Lingers;
        // Where it cannot be told, it is closed all the same.
        let _ = self.respond(token, connection, bytes.into());
    }

    /// Sends an answer, as far as the socket takes it; the rest goes when the
    /// client takes it.
    ///
    /// # Errors
    /// The client is gone.
    pub(super) fn respond(
        &self,
        token: Token,
        mut connection: Box<Connection>,
        answer: Answer,
    ) -> io::Result<()> {
        connection.answer(answer);
        self.send(token, connection)
    }

    fn send(&self, token: Token, mut connection: Box<Connection>) -> io::Result<()> {
        if let Err(error) = self.send_some(&mut connection) {
            self.close(token, connection);
            return Err(error);
        }
        self.settle(token, connection)
    }

    /// Sends what the socket takes: how many bytes.
    pub(super) fn send_some(&self, connection: &mut Connection) -> io::Result<usize> {
        let sent = connection.flush()?;
        self.counts.sent.fetch_add(sent as u64, Ordering::Relaxed);
        Ok(sent)
    }

    /// Sees to what is left of an answer, or to what comes after it.
    pub(super) fn settle(&self, token: Token, mut connection: Box<Connection>) -> io::Result<()> {
        let kept = connection.kept();
        if kept == 0 {
            self.account(&mut connection, 0);
            self.answered(token, connection);
            return Ok(());
        }
        if !self.make_room(kept.saturating_sub(connection.waiting)) {
            self.counts.refuse(Refusal::Pending);
            connection.cut();
            self.close(token, connection);
            return Err(io::Error::other("too many bytes wait for clients"));
        }
        self.account(&mut connection, kept);
        let deadline = self.after(self.bounds.write_time);
        self.rearm(token, connection, deadline);
        Ok(())
    }

    /// An answer is sent.
    fn answered(&self, token: Token, mut connection: Box<Connection>) {
        connection.state = State::Reading;
        let stopping = self.stopping.load(Ordering::SeqCst);
        let has_more = !connection.inbox.is_empty() || (stopping && connection.last() > 0);
        match connection.after {
            // To close it with something unread would take the answer back.
            After::Closes if connection.unread() == 0 => self.close(token, connection),
            After::GoesOn if has_more => {
                // A request may be there already. It waits its turn; where the client
                // has not taken the answers before, it waits for that.
                connection.state = State::Queued;
                let deadline = self.after(self.bounds.write_time);
                self.rearm(token, connection, deadline);
            }
            After::GoesOn if !stopping => self.await_head(token, connection),
            After::GoesOn | After::Closes | After::Lingers => {
                connection.linger();
                let deadline = self.after(LINGER);
                connection.head_deadline = Some(deadline);
                self.rearm(token, connection, deadline);
            }
        }
    }

    /// Leaves a connection in its slot until it can be read from or written to, as its
    /// state has it, or the deadline is over. Where it can be already its event is there
    /// at once, behind those of all others.
    pub(super) fn rearm(&self, token: Token, connection: Box<Connection>, deadline: u64) {
        let arm = |connection: &mut Connection| {
            let data = EventData::new_u64(token.to_u64());
            let flags = connection.state.awaits() | EventFlags::ONESHOT;
            if std::mem::replace(&mut connection.is_registered, true) {
                epoll::modify(&self.epoll, &connection.socket, data, flags)
            } else {
                epoll::add(&self.epoll, &connection.socket, data, flags)
            }
        };
        if let Err((error, connection)) = self.slots.put(token, connection, deadline, arm) {
            log::error!("a connection cannot be waited for: {error}");
            self.close(token, connection);
        }
        self.look_by(deadline);
    }

    /// Ends a connection.
    pub(super) fn close(&self, token: Token, mut connection: Box<Connection>) {
        self.account(&mut connection, 0);
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
        if before == 1 && self.winding_down.load(Ordering::SeqCst) {
            self.has_drained();
        }
    }

    /// The last connection is closed, and no more come: every worker is told.
    pub(super) fn has_drained(&self) {
        // An event counter that is not full takes one more.
        let _ = rustix::io::write(&self.drained, &1_u64.to_ne_bytes());
    }
}
