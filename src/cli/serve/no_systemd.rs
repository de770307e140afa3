//! Replaces `systemd.rs` on systems other than Linux: no socket activation and no service manager.

use std::time::{Duration, Instant};

use crate::http::engine::Listener;

#[derive(Default)]
pub struct Sockets {
    /// Always `None`, because there is no systemd.
    pub http: Option<Listener>,
    /// Always `None`, because there is no systemd.
    pub admin: Option<Listener>,
}

impl Sockets {
    pub fn take() -> Result<Self, String> {
        Ok(Self::default())
    }
}

/// Stands in for systemd.
#[derive(Debug, Default)]
pub struct ServiceManager;

impl ServiceManager {
    pub fn from_env() -> Self {
        Self
    }

    pub fn tick(&self) -> Duration {
        Duration::from_millis(500)
    }

    pub fn ready(&self, _status: &str) {}

    pub fn stopping(&self, _grace: Duration) {}

    /// Does nothing, because there is no watchdog.
    pub fn watch(&mut self, _now: Instant, _is_alive: impl FnOnce() -> bool) {}
}
