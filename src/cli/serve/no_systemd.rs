//! Replaces `systemd.rs` on other systems: without socket activation and without a service
//! manager.

use std::time::{Duration, Instant};

use crate::http::engine::Listener;

/// The sockets from the service manager: none.
#[derive(Default)]
pub struct Sockets {
    /// Always none.
    pub http: Option<Listener>,
    /// Always none.
    pub admin: Option<Listener>,
}

impl Sockets {
    /// Returns no sockets.
    ///
    /// # Errors
    /// Never.
    pub fn take() -> Result<Self, String> {
        Ok(Self::default())
    }
}

/// The absent service manager.
#[derive(Debug, Default)]
pub struct ServiceManager;

impl ServiceManager {
    /// Returns the absent service manager.
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
