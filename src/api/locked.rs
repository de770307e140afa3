//! Locks that a panic does not poison.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a mutex holds. That a handler panicked with it is no harm: what it read from was
/// given back on its way out.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
