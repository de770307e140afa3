//! Where a limit keeps its counts: a state for each key, up to a bound.

use std::convert::Infallible;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use governor::nanos::Nanos;
use governor::state::keyed::{DashMapStateStore, ShrinkableKeyedStateStore};
use governor::state::{InMemoryState, NotKeyed, StateStore};

/// The states of a limit. Past the bound keys that have no state yet share one, until
/// the table has been cleaned.
pub struct Table<K: Eq + Hash> {
    states: DashMapStateStore<K>,
    /// The state of the keys for which there was no room.
    shared: InMemoryState,
    /// Threads that add a key at the same moment may exceed it by one each.
    bound: usize,
    /// A key found no room since the table was last cleaned.
    full: AtomicBool,
}

impl<K: Eq + Hash + Clone> Table<K> {
    /// A table of at most `bound` keys.
    pub fn new(bound: usize) -> Self {
        Self {
            states: DashMapStateStore::default(),
            shared: InMemoryState::default(),
            bound,
            full: AtomicBool::new(false),
        }
    }

    /// Did a key find no room since the table was last cleaned?
    pub fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// Takes one request, worth `interval`, back from the count of `key`. The shared
    /// state stays as it is: it is only used when there are too many keys anyway.
    pub fn give_back(&self, key: &K, interval: Nanos) {
        let less = |due: Option<Nanos>| {
            let due = due.unwrap_or_default().saturating_sub(interval);
            Ok::<_, Infallible>(((), due))
        };
        if let Some(state) = self.states.get(key) {
            let Ok(()) = state.measure_and_replace(&NotKeyed::NonKey, less);
        }
    }
}

/// A table, as governor's limiter takes one: the limit keeps a hand on it.
pub struct Store<K: Eq + Hash>(pub Arc<Table<K>>);

impl<K: Eq + Hash + Clone> StateStore for Store<K> {
    type Key = K;

    fn measure_and_replace<T, F, E>(&self, key: &K, decide: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let table = &*self.0;
        if let Some(state) = table.states.get(key) {
            return state.measure_and_replace(&NotKeyed::NonKey, decide);
        }
        if table.is_full() || table.states.len() >= table.bound {
            table.full.store(true, Ordering::Relaxed);
            return table.shared.measure_and_replace(&NotKeyed::NonKey, decide);
        }
        table.states.measure_and_replace(key, decide)
    }
}

impl<K: Eq + Hash + Clone> ShrinkableKeyedStateStore<K> for Store<K> {
    fn retain_recent(&self, drop_below: Nanos) {
        self.0.states.retain_recent(drop_below);
        let still_full = self.0.states.len() >= self.0.bound;
        self.0.full.store(still_full, Ordering::Relaxed);
    }

    fn shrink_to_fit(&self) {
        self.0.states.shrink_to_fit();
    }

    fn len(&self) -> usize {
        self.0.states.len()
    }

    fn is_empty(&self) -> bool {
        self.0.states.is_empty()
    }
}
