//! In place of `systemd.rs` on other systems: nobody hands over sockets, nobody is told.

use std::time::{Duration, Instant};

use crate::http::engine::Listener;

/// Sockets handed over: none.
#[derive(Default)]
pub struct Sockets {
    /// None.
    pub http: Option<Listener>,
    /// None.
    pub admin: Option<Listener>,
}

impl Sockets {
    /// None.
    ///
    /// # Errors
    /// Never.
    pub fn take() -> Result<Self, String> {
        Ok(Self::default())
    }
}

/// No service manager.
#[derive(Debug)]
pub struct Manager;

impl Manager {
    /// None.
    pub fn of_environment() -> Self {
        Self
    }

    /// How long the main thread may sleep.
    pub fn tick(&self) -> Duration {
        Duration::from_millis(500)
    }

    /// Nobody is told.
    pub fn ready(&self, _status: &str) {}

    /// Nobody is told.
    pub fn reloading(&self) {}

    /// Nobody is told.
    pub fn stopping(&self, _grace: Duration) {}

    /// Nobody watches.
    pub fn watch(&mut self, _now: Instant, _is_alive: impl FnOnce() -> bool) {}
}
