//! Queue of received requests that wait for a worker, and the number of sleeping workers.
//!
//! A worker may read several requests before handling the first. The next free workers take the
//! others; no request waits while a worker is asleep.

use std::collections::VecDeque;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::OwnedFd;

use super::connection::Connection;
use super::head::ReceivedHead;
use super::slots::Token;
use crate::http::lock::locked;

pub(super) struct Received {
    pub token: Token,
    pub connection: Box<Connection>,
    pub head: ReceivedHead,
    /// Arrival time of the event that reported the request's bytes, or else the time when they were
    /// read.
    pub at: Instant,
}

pub(super) struct Ready {
    requests: Mutex<VecDeque<Received>>,
    /// Number of workers that wait for events or are about to.
    asleep: AtomicUsize,
    /// An eventfd. Each write wakes one worker.
    wake: OwnedFd,
}

impl Ready {
    /// `add` puts the eventfd into the epoll set.
    ///
    /// # Errors
    /// Returns an error if the system cannot create an eventfd.
    pub fn new(add: impl FnOnce(&OwnedFd) -> rustix::io::Result<()>) -> io::Result<Self> {
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        add(&wake)?;
        Ok(Self {
            requests: Mutex::default(),
            asleep: AtomicUsize::new(0),
            wake,
        })
    }

    /// Adds a request. The caller must then call [`Ready::take`].
    pub fn put(&self, request: Received) {
        locked(&self.requests).push_back(request);
    }

    /// Takes the first request. If there are more, wakes a sleeping worker.
    pub fn take(&self) -> Option<Received> {
        let mut requests = locked(&self.requests);
        let request = requests.pop_front()?;
        let is_last = requests.is_empty();
        drop(requests);
        if !is_last && self.asleep.load(Ordering::SeqCst) > 0 {
            // The eventfd's counter never overflows, so the write succeeds.
            let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
        }
        Some(request)
    }

    /// Counts the worker as asleep until the returned guard is dropped.
    pub fn sleep(&self) -> Sleep<'_> {
        Sleep {
            others: self.asleep.fetch_add(1, Ordering::SeqCst),
            ready: self,
        }
    }
}

pub(super) struct Sleep<'a> {
    ready: &'a Ready,
    others: usize,
}

impl Sleep<'_> {
    /// Returns whether a request is waiting: another worker may have queued one before this worker
    /// counted as asleep.
    pub fn has_requests(&self) -> bool {
        !locked(&self.ready.requests).is_empty()
    }

    /// Returns whether all other workers were busy when the sleep began.
    pub fn is_only_one(&self) -> bool {
        self.others == 0
    }
}

impl Drop for Sleep<'_> {
    fn drop(&mut self) {
        self.ready.asleep.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;

    use super::super::head::Inbox;
    use super::super::slots::Slots;
    use super::*;
    use crate::api::Peer;
    use crate::http::engine::Bounds;

    fn request() -> Received {
        let mut inbox = Inbox::with_buffer(b"GET / HTTP/1.0\r\n\r\n".to_vec());
        let head = inbox.next(&Bounds::default()).expect("no refusal");
        let head = head.expect("a request");
        let (socket, _) = UnixStream::pair().expect("a socket");
        Received {
            token: Slots::new(1).take_vacant().expect("a slot"),
            connection: Box::new(Connection::new(socket.into(), Peer::Local)),
            head,
            at: Instant::now(),
        }
    }

    #[test]
    fn requests_left_by_a_worker_wake_a_sleeping_one() {
        let ready = Ready::new(|_| Ok(())).expect("an event counter");
        let is_woken = || rustix::io::read(&ready.wake, &mut [0; 8]).is_ok();
        let put = |count: usize| (0..count).for_each(|_| ready.put(request()));

        put(2);
        assert!(ready.take().is_some() && !is_woken(), "no worker sleeps");
        let sleep = ready.sleep();
        assert!(sleep.is_only_one() && sleep.has_requests());
        assert!(ready.take().is_some() && !is_woken(), "no request is left");
        assert!(!sleep.has_requests());
        assert!(!ready.sleep().is_only_one());
        put(2);
        assert!(ready.take().is_some() && is_woken());
        drop(sleep);
        put(1);
        assert!(ready.take().is_some() && !is_woken(), "it is up");
    }
}
