//! The queue from the reading thread to the writing one. As many rounds wait in it as fit
//! in a given amount of memory, so that neither thread waits for the other while there is
//! room and work.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A queue bounded by the total weight of its items; a heavier item passes when nothing
/// else waits.
#[derive(Debug)]
pub struct BoundedQueue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
    capacity: usize,
}

#[derive(Debug)]
struct QueueState<T> {
    waiting: VecDeque<(usize, T)>,
    weight: usize,
    closed: bool,
}

impl<T> BoundedQueue<T> {
    /// An open queue for items of up to `capacity` weight in total.
    pub fn new(capacity: usize) -> Self {
        Self {
            state: Mutex::new(QueueState {
                waiting: VecDeque::new(),
                weight: 0,
                closed: false,
            }),
            changed: Condvar::new(),
            capacity,
        }
    }

    /// Adds an item, waiting for room. False if the queue is closed.
    pub fn send(&self, weight: usize, item: T) -> bool {
        let mut state = self.lock();
        while !state.closed && state.weight > 0 && state.weight + weight > self.capacity {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return false;
        }
        state.weight += weight;
        state.waiting.push_back((weight, item));
        self.changed.notify_all();
        true
    }

    /// Removes the oldest item, waiting for one; none once the queue is closed and empty.
    pub fn receive(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some((weight, item)) = state.waiting.pop_front() {
                state.weight -= weight;
                self.changed.notify_all();
                return Some(item);
            }
            if state.closed {
                return None;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Closes the queue: nothing can be added, but waiting items can still be received.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// No panic can leave the state half changed.
    fn lock(&self) -> MutexGuard<'_, QueueState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes a queue at the end of a thread, even by a panic.
pub struct CloseOnDrop<'a, T>(pub &'a BoundedQueue<T>);

impl<T> Drop for CloseOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_out_in_their_order_and_no_more_wait_than_may() {
        let queue = BoundedQueue::new(10);
        let (sent, taken) = std::thread::scope(|scope| {
            let sender = scope.spawn(|| {
                let _close = CloseOnDrop(&queue);
                // The heavy one passes too.
                (0..100).all(|number| queue.send(if number == 50 { 99 } else { 4 }, number))
            });
            let mut taken = Vec::new();
            while let Some(number) = queue.receive() {
                assert!(queue.lock().waiting.len() <= 3);
                taken.push(number);
            }
            (sender.join().expect("the sender"), taken)
        });
        assert!(sent);
        assert_eq!(taken, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn closing_the_queue_releases_a_waiting_sender() {
        let queue = BoundedQueue::new(1);
        assert!(queue.send(1, 0));
        std::thread::scope(|scope| {
            let sender = scope.spawn(|| queue.send(1, 1));
            queue.close();
            assert!(!sender.join().expect("the sender"));
        });
        assert_eq!(queue.receive(), Some(0));
        assert_eq!(queue.receive(), None);
    }
}
