//! Replaces `systemd.rs` on systems other than Linux: no socket activation and no service manager.

use std::time::{Duration, Instant};

use crate::http::engine::Listener;

#[derive(Default)]
pub struct Sockets {
    /// Always `None`.
    pub http: Option<Listener>,
    /// Always `None`.
    pub admin: Option<Listener>,
}

impl Sockets {
    /// Never fails.
    pub fn take() -> Result<Self, String> {
        Ok(Self::default())
    }
}

/// Stands in for the service manager, which other systems do not have.
#[derive(Debug, Default)]
pub struct ServiceManager;

impl ServiceManager {
    pub fn from_env() -> Self {
        Self
    }

    /// Returns how long the main thread may sleep.
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
