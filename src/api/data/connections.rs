//! Connections to one state of the data, one for each answerer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::store::Database;

/// A connection that one answerer uses at a time.
pub type Connection = Arc<Mutex<Database>>;

/// The connections by the indexes of their answerers.
#[derive(Default)]
pub struct Connections(RwLock<Vec<Connection>>);

impl Connections {
    /// Adds a connection. Returns its index.
    pub fn add(&self, database: Database) -> usize {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.push(Arc::new(Mutex::new(database)));
        all.len() - 1
    }

    /// Returns the connection of an answerer, if there is one.
    pub fn get(&self, worker: usize) -> Option<Connection> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        all.get(worker).cloned()
    }

    /// Returns their number.
    pub fn count(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Locks a mutex, even one that was poisoned by a panicking handler: the handler leaves its
/// connection in a usable state.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
