//! The queue of large answers. The number of large answers made at a time is one less than the
//! number of workers, so that one worker is always free for short requests. Each key gets one at a
//! time, and keys take turns.
//!
//! A waiting request does not occupy a worker: the worker that finishes a large answer makes the
//! next one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use super::lock::locked;

/// Keys whose large answers are being made, and the requests that wait.
pub struct Line<T> {
    /// Maximum number of concurrent turns.
    most: usize,
    turns: Mutex<Turns<T>>,
}

struct Turns<T> {
    /// Keys that have a turn.
    current: Vec<Arc<str>>,
    /// Waiting requests by key. The first key without a current turn is next.
    waiting: VecDeque<(Arc<str>, VecDeque<T>)>,
}

/// Permission to make a large answer. Call [`Line::next`] once the answer is done.
#[must_use]
pub struct Turn<T> {
    pub key: Arc<str>,
    pub item: T,
}

impl<T> Line<T> {
    /// Creates the queue of a service with this many workers.
    pub fn of(workers: usize) -> Self {
        let turns = Turns {
            current: Vec::new(),
            waiting: VecDeque::new(),
        };
        Self {
            most: workers.saturating_sub(1).max(1),
            turns: Mutex::new(turns),
        }
    }

    /// Returns a turn for this key if one is free. If none is free, `item` waits.
    pub fn enter(&self, key: Arc<str>, item: T) -> Option<Turn<T>> {
        let mut turns = self.locked();
        // No waiting request could take this turn, so none is overtaken.
        if turns.current.len() < self.most && !turns.current.contains(&key) {
            turns.current.push(Arc::clone(&key));
            return Some(Turn { key, item });
        }
        match turns.waiting.iter_mut().find(|(of, _)| *of == key) {
            Some((_, items)) => items.push_back(item),
            None => turns.waiting.push_back((key, [item].into())),
        }
        None
    }

    /// Ends the turn of a key, which goes to the end of the queue. Returns the next turn.
    pub fn next(&self, ended: &Arc<str>) -> Option<Turn<T>> {
        let turns = &mut *self.locked();
        turns.current.retain(|key| key != ended);
        let waiting = &mut turns.waiting;
        if let Some(at) = waiting.iter().position(|(key, _)| key == ended) {
            let last = waiting.remove(at);
            waiting.extend(last);
        }
        let is_free = |(key, _): &(Arc<str>, _)| !turns.current.contains(key);
        let next = waiting.iter().position(is_free)?;
        let (key, mut items) = waiting.remove(next)?;
        let item = items.pop_front()?;
        if !items.is_empty() {
            waiting.push_back((Arc::clone(&key), items));
        }
        turns.current.push(Arc::clone(&key));
        Some(Turn { key, item })
    }

    /// Returns the number of waiting requests and the number of current turns.
    pub fn lengths(&self) -> (usize, usize) {
        let turns = self.locked();
        let waiting = turns.waiting.iter().map(|(_, items)| items.len());
        (waiting.sum(), turns.current.len())
    }

    fn locked(&self) -> MutexGuard<'_, Turns<T>> {
        locked(&self.turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Arc<str> {
        name.into()
    }

    /// Returns the order of turns if each name enters once and the oldest turn is ended again and
    /// again.
    fn order(workers: usize, names: &str) -> String {
        let line = Line::of(workers);
        let mut current = VecDeque::new();
        for name in names.split(' ') {
            let of_key = name.get(..1).expect("a key");
            current.extend(line.enter(key(of_key), name.to_owned()));
        }
        let mut order = Vec::new();
        while let Some(turn) = current.pop_front() {
            current.extend(line.next(&turn.key));
            order.push(turn.item);
        }
        assert_eq!(line.lengths(), (0, 0));
        order.join(" ")
    }

    #[test]
    fn keys_take_turns() {
        assert_eq!(order(2, "a1 a2 a3 b1 b2 c1"), "a1 b1 c1 a2 b2 a3");
        assert_eq!(order(1, "a1 a2 b1"), "a1 b1 a2");
    }

    #[test]
    fn one_worker_stays_free_and_a_key_has_one_turn() {
        let line = Line::of(4);
        for (name, has_turn, lengths) in [
            ("a", true, (0, 1)),
            ("a", false, (1, 1)),
            ("b", true, (1, 2)),
            ("c", true, (1, 3)),
            ("d", false, (2, 3)),
        ] {
            assert_eq!(line.enter(key(name), ()).is_some(), has_turn, "{name}");
            assert_eq!(line.lengths(), lengths, "{name}");
        }
        // The second `a` has to wait for the first.
        let next = |ended| line.next(&key(ended)).map(|turn| turn.key.to_string());
        assert_eq!(next("b").as_deref(), Some("d"));
        assert_eq!(next("c"), None);
        assert_eq!(next("a").as_deref(), Some("a"));
    }
}
