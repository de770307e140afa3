//! Deadlines of connections: when the next look at them is due, and what becomes of
//! those whose time is over.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::event::Timespec;
use rustix::fd::OwnedFd;
use rustix::io::{self, Errno};
use rustix::time::{Itimerspec, TimerfdTimerFlags, timerfd_settime};

use super::bounds::Refusal;
use super::connection::{Connection, State};
use super::request::Request;
use super::server::{LAST_HEAD, Server};
use super::slots::{NEVER, Token};

/// A look at the deadlines. At its end, also where it ends by a panic, the next one
/// is set.
struct Sweep<'a> {
    server: &'a Server,
    next: u64,
}

impl Drop for Sweep<'_> {
    fn drop(&mut self) {
        self.server.look_by(self.next);
    }
}

impl Server {
    /// Has the next sweep come at `deadline` or before, by whichever worker is free
    /// then. It is told after the deadline stands in its slot: a sweep that is under
    /// way forgets what was told before it began, and sees what stood there by then.
    pub(super) fn look_by(&self, deadline: u64) {
        if deadline >= self.next_sweep.load(Ordering::SeqCst) {
            return;
        }
        // Held until the timer is set, so that nobody sets it to a later deadline
        // after this.
        let timer = self.timer.lock().unwrap_or_else(PoisonError::into_inner);
        if deadline < self.next_sweep.fetch_min(deadline, Ordering::SeqCst) {
            let left = Duration::from_millis(deadline.saturating_sub(self.now()));
            if let Err(error) = set(&timer, left) {
                log::error!("deadlines cannot be waited for: {error}");
            }
        }
    }

    /// If a deadline is over: ends the connections whose time it was; or there is a
    /// request of one.
    pub(super) fn sweep(&self) -> Option<Request<'_>> {
        let now = self.now();
        // Forgotten before it begins, so that a deadline that is set meanwhile is not;
        // whoever does that has the sweep.
        let forget = |due| (due <= now).then_some(NEVER);
        let (order, next) = (Ordering::SeqCst, &self.next_sweep);
        next.fetch_update(order, order, forget).ok()?;
        let mut sweep = Sweep {
            server: self,
            next: now,
        };
        let mut request = None;
        sweep.next = self.slots.take_due(now, |token, connection| {
            if request.is_some() && connection.state == State::Queued {
                // The next sweep is at once.
                self.rearm(token, connection, now);
            } else if let Some(read) = self.expire(token, connection) {
                request = Some(read);
            }
        });
        self.go_on_accepting(now);
        request
    }

    /// A connection's time is over.
    fn expire(&self, token: Token, mut connection: Box<Connection>) -> Option<Request<'_>> {
        match connection.state {
            // What has come in and was not read yet waits for a worker, not the
            // worker for it. Once it is read, the time for a head is over still.
            State::Reading if connection.unread() > 0 => {
                let deadline = self.after(LAST_HEAD);
                self.rearm(token, connection, deadline);
            }
            State::Reading if connection.inbox.is_blank() => self.close(token, connection),
            State::Reading => {
                let method = connection.inbox.method_begun();
                self.refuse(token, connection, Refusal::HeadTime, method);
            }
            State::Writing => {
                // Likewise: what counts is that it takes some.
                match self.send_some(&mut connection) {
                    Ok(1..) => {
                        // That the client is gone is of no concern any more.
                        let _ = self.settle(token, connection);
                    }
                    _ => self.give_up(token, connection),
                }
            }
            // The socket's event comes when a third of its buffer is free, which may
            // take a slow client longer: whether it takes some is seen when its next
            // answer is sent.
            State::Queued => return self.read(token, connection),
            State::Lingering { .. } => self.close(token, connection),
        }
        None
    }

    /// Ends a connection whose client takes nothing.
    fn give_up(&self, token: Token, connection: Box<Connection>) {
        self.counts.refuse(Refusal::WriteTime);
        connection.cut();
        self.close(token, connection);
    }
}

/// Has a timer go off once, after `left`.
fn set(timer: &OwnedFd, left: Duration) -> io::Result<()> {
    // None at all would switch it off.
    let left = left.max(Duration::from_nanos(1));
    let once = Itimerspec {
        it_interval: Timespec::default(),
        it_value: left.try_into().map_err(|_| Errno::OVERFLOW)?,
    };
    timerfd_settime(timer, TimerfdTimerFlags::empty(), &once).map(drop)
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::net::{Ipv4Addr, TcpListener, TcpStream};
    use std::thread;

    use super::*;
    use crate::http::engine::Bounds;

    #[test]
    fn a_deadline_that_another_sets_is_seen_by_a_worker_that_sleeps() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let bounds = Bounds {
            head_time: Duration::from_secs(3600),
            ..Bounds::default()
        };
        let server = Server::from_listener(listener, Some(bounds)).expect("a server");
        let read = thread::scope(|scope| {
            scope.spawn(|| while server.recv().is_ok() {});
            let mut client = TcpStream::connect(address).expect("a connection");
            let patience = Some(Duration::from_secs(30));
            client.set_read_timeout(patience).expect("a limit");
            let mut set = false;
            while !set {
                // The worker has accepted it, and sleeps for an hour.
                thread::yield_now();
                let soon = server.after(Duration::from_millis(50));
                server.slots.take_all(|token, connection| {
                    set = true;
                    server.rearm(token, connection, soon);
                });
            }
            let read = client.read(&mut [0]);
            server.unblock();
            read
        });
        assert_eq!(read.expect("an end in time"), 0);
    }
}
