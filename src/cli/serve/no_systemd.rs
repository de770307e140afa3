//! In place of `systemd.rs` on other systems: nobody hands over sockets or is notified.

use std::net::TcpListener;
use std::time::{Duration, Instant};

/// Sockets handed over: none.
#[derive(Debug, Default)]
pub struct Sockets {
    /// None.
    pub http: Option<TcpListener>,
    /// None.
    pub admin: Option<TcpListener>,
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

    /// Nobody is notified.
    pub fn ready(&self, _status: &str) {}

    /// Nobody is notified.
    pub fn stopping(&self, _grace: Duration) {}

    /// Nobody watches.
    pub fn watch(&mut self, _now: Instant, _is_alive: impl FnOnce() -> bool) {}
}
