//! The connections to one generation of the data, one per answerer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::store::Database;

/// A connection that one answerer uses. The lock is needed because further connections are opened
/// through this one.
pub type DataConnection = Arc<Mutex<Database>>;

#[derive(Default)]
pub struct Connections(RwLock<Vec<DataConnection>>);

impl Connections {
    /// Adds a connection and returns its index.
    pub fn add(&self, database: Database) -> usize {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.push(Arc::new(Mutex::new(database)));
        all.len() - 1
    }

    pub fn get(&self, worker: usize) -> Option<DataConnection> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.get(worker).cloned()
    }

    pub fn count(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Locks a mutex even if a handler panicked while holding it. A panic leaves the connection usable.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
