//! Deadlines of connections: when the next look at them is due, and what becomes of
//! those whose time is over.

use std::sync::atomic::Ordering;

use rustix::event::epoll::EventFlags;

use super::bounds::Refusal;
use super::connection::{Connection, State};
use super::request::Request;
use super::server::{LAST_HEAD, Server};
use super::slots::{NEVER, Token};

impl Server {
    /// Has the next look at the deadlines come at `deadline` or before. It is told
    /// after the deadline stands in its slot: a look that is under way forgets what
    /// it was told before it began, and sees what stood there by then.
    pub(super) fn look_by(&self, deadline: u64) {
        if deadline < self.next_sweep.load(Ordering::SeqCst) {
            self.next_sweep.fetch_min(deadline, Ordering::SeqCst);
        }
    }

    /// Ends the connections whose time is over; or there is a request of one.
    pub(super) fn sweep(&self, now: u64) -> Option<Request<'_>> {
        if self.sweeping.swap(true, Ordering::Acquire) {
            return None;
        }
        // First, so that a deadline set meanwhile is not lost.
        self.next_sweep.store(NEVER, Ordering::SeqCst);
        let mut request = None;
        let next = self.slots.take_due(now, |token, connection| {
            if connection.state != State::Queued {
                self.expire(token, connection);
            } else if request.is_none() {
                // The socket's event comes when a third of its buffer is free, which
                // may take a slow client longer: whether it takes some is seen when
                // its next answer is sent.
                request = self.read(token, connection);
            } else {
                self.rearm(token, connection, now, EventFlags::OUT);
            }
        });
        self.look_by(next);
        self.go_on_accepting(now);
        self.sweeping.store(false, Ordering::Release);
        request
    }

    fn expire(&self, token: Token, mut connection: Box<Connection>) {
        match connection.state {
            // What has come in and was not read yet waits for a worker, not the
            // worker for it. Once it is read, the time for a head is over still.
            State::Reading if connection.unread() > 0 => {
                let deadline = self.after(LAST_HEAD);
                self.rearm(token, connection, deadline, EventFlags::IN);
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
            // Their turn has come.
            State::Queued => {}
            State::Lingering { .. } => self.close(token, connection),
        }
    }

    /// Ends a connection whose client takes nothing.
    fn give_up(&self, token: Token, connection: Box<Connection>) {
        self.counts.refuse(Refusal::WriteTime);
        connection.cut();
        self.close(token, connection);
    }
}
