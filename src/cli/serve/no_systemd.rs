//! In place of `systemd.rs` on other systems: no sockets are handed over, and no service
//! manager is notified.

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
pub struct ServiceManager;

impl ServiceManager {
    /// None.
    pub fn from_env() -> Self {
        Self
    }

    /// How long the main thread may sleep.
    pub fn tick(&self) -> Duration {
        Duration::from_millis(500)
    }

    /// Does nothing.
    pub fn ready(&self, _status: &str) {}

    /// Does nothing.
    pub fn stopping(&self, _grace: Duration) {}

    /// Does nothing: there is no watchdog.
    pub fn watch(&mut self, _now: Instant, _is_alive: impl FnOnce() -> bool) {}
}
