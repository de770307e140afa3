//! Communication with systemd: socket activation, readiness, stopping and the watchdog. Without
//! systemd, nothing here has an effect.
//!
//! `listenfd` removes the environment variables about sockets. systemd's other variables stay set,
//! because removing them needs `unsafe`; the service starts no other program that could inherit
//! them.

use std::time::{Duration, Instant};

use listenfd::ListenFd;
use rustix::net::sockopt::socket_acceptconn;
use sd_notify::NotifyState;

use crate::http::engine::Listener;

const MAX_SOCKETS: usize = 2;

/// Maximum sleep of the main thread. The watchdog may require shorter ones.
const TICK: Duration = Duration::from_millis(500);

/// How long stopping may take after the grace period.
const LEEWAY: Duration = Duration::from_secs(2);

/// Sockets opened by systemd, which replace the options.
#[derive(Default)]
pub struct Sockets {
    /// Socket for clients, used instead of `--listen`.
    pub http: Option<Listener>,
    /// Socket for operators, used instead of `--admin-listen`.
    pub admin: Option<Listener>,
}

impl Sockets {
    /// Takes the sockets passed to this process, by the names `http` and `admin`. A single socket
    /// with any other name is for clients. Of two sockets without names, the first is for clients.
    ///
    /// # Errors
    /// Returns a sentence if there are too many sockets, their use is ambiguous, or one of them
    /// does not listen.
    pub fn take() -> Result<Self, String> {
        let variable = |name| std::env::var(name).ok();
        let announced = variable("LISTEN_FDS").and_then(|count| count.parse().ok());
        // Check this first, because `listenfd` allocates memory for the announced number.
        if announced.unwrap_or(0_u64) > MAX_SOCKETS as u64 {
            return Err(too_many());
        }
        let mut handed = ListenFd::from_env();
        let names = variable("LISTEN_FDNAMES").filter(|names| !names.is_empty());
        let (http, admin) = positions(handed.len(), names.as_deref())?;
        let mut taken = |index| listener(&mut handed, index);
        Ok(Self {
            http: http.map(&mut taken).transpose()?,
            admin: admin.map(taken).transpose()?,
        })
    }
}

/// Returns the TCP or Unix socket with this index.
///
/// # Errors
/// Returns a sentence if this is another kind of socket or does not listen.
fn listener(handed: &mut ListenFd, index: usize) -> Result<Listener, String> {
    // If the socket is not a TCP socket, it stays available for the second attempt.
    let taken = match handed.take_tcp_listener(index) {
        Ok(listener) => Ok(listener.map(Listener::from)),
        Err(_) => handed
            .take_unix_listener(index)
            .map(|listener| listener.map(Listener::from)),
    };
    let taken = taken.map_err(|error| format!("inherited socket: {error}"))?;
    let listens = |listener: &Listener| match listener {
        Listener::Tcp(listener) => socket_acceptconn(listener).unwrap_or(false),
        Listener::Unix(listener) => socket_acceptconn(listener).unwrap_or(false),
    };
    taken.filter(listens).ok_or_else(|| {
        "an inherited socket does not listen; set Accept=no (the default) in the socket's unit"
            .to_owned()
    })
}

fn too_many() -> String {
    format!("at most {MAX_SOCKETS} sockets can be inherited: http and admin")
}

/// Returns the indexes of the sockets for clients and for operators.
fn positions(count: usize, names: Option<&str>) -> Result<(Option<usize>, Option<usize>), String> {
    let names: Option<Vec<&str>> = names.map(|names| names.split(':').collect());
    match (count, names.as_deref()) {
        (0, _) => Ok((None, None)),
        (1, Some(["admin"])) => Ok((None, Some(0))),
        (1, _) => Ok((Some(0), None)),
        (2, None | Some(["http", "admin"])) => Ok((Some(0), Some(1))),
        (2, Some(["admin", "http"])) => Ok((Some(1), Some(0))),
        // A guess could expose the operators' server on a public port.
        (2, Some(_)) => Err(
            "of two inherited sockets, one must be named http and the other admin \
                             (FileDescriptorName= in the socket's unit)"
                .to_owned(),
        ),
        _ => Err(too_many()),
    }
}

/// The connection to systemd, if systemd started the service.
#[derive(Debug, Default)]
pub struct ServiceManager {
    watchdog: Option<Watchdog>,
}

#[derive(Debug)]
struct Watchdog {
    /// Time without a notification after which systemd kills the service.
    interval: Duration,
    last: Instant,
}

impl ServiceManager {
    /// Detects from environment variables whether there is a watchdog.
    pub fn from_env() -> Self {
        let interval = sd_notify::watchdog_enabled().filter(|interval| !interval.is_zero());
        let last = Instant::now();
        Self {
            watchdog: interval.map(|interval| Watchdog { interval, last }),
        }
    }

    pub fn tick(&self) -> Duration {
        let watchdog = self.watchdog.as_ref();
        watchdog.map_or(TICK, |watchdog| TICK.min(watchdog.interval / 4))
    }

    /// Reports readiness. `systemctl status` shows `status`.
    pub fn ready(&self, status: &str) {
        notify(&[NotifyState::Ready, NotifyState::Status(status)]);
    }

    /// Reports that the service is stopping and may need up to `grace`.
    pub fn stopping(&self, grace: Duration) {
        let most = u32::try_from((grace + LEEWAY).as_micros()).unwrap_or(u32::MAX);
        let mut states = vec![
            NotifyState::Stopping,
            NotifyState::Status("stopping: finishing requests under way"),
            NotifyState::ExtendTimeoutUsec(most),
        ];
        if self.watchdog.is_some() {
            // Extend the watchdog's timeout, because the main thread sends no more notifications.
            states.extend([NotifyState::WatchdogUsec(most), NotifyState::Watchdog]);
        }
        notify(&states);
    }

    /// Notifies the watchdog if half its interval has passed and the service is alive.
    pub fn watch(&mut self, now: Instant, is_alive: impl FnOnce() -> bool) {
        let Some(watchdog) = &mut self.watchdog else {
            return;
        };
        if now.saturating_duration_since(watchdog.last) < watchdog.interval / 2 {
            return;
        }
        // Set this even if the service is not alive, so that it is not checked on every tick.
        watchdog.last = now;
        if is_alive() {
            notify(&[NotifyState::Watchdog]);
        } else {
            log::error!("no worker responds; the watchdog of systemd is not notified");
        }
    }
}

fn notify(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        log::warn!("cannot notify the service manager: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_are_identified_by_name_and_without_names_by_order() {
        let for_clients = Ok((Some(0), None));
        assert_eq!(positions(0, Some("http")), Ok((None, None)));
        assert_eq!(positions(1, None), for_clients);
        assert_eq!(positions(1, Some("procurement-lookup.socket")), for_clients);
        assert_eq!(positions(1, Some("admin")), Ok((None, Some(0))));
        assert_eq!(positions(2, None), Ok((Some(0), Some(1))));
        assert_eq!(positions(2, Some("admin:http")), Ok((Some(1), Some(0))));
    }

    #[test]
    fn the_watchdog_is_notified_at_half_the_interval_and_not_before() {
        let start = Instant::now();
        let interval = Duration::from_secs(4);
        let watchdog = Watchdog {
            interval,
            last: start,
        };
        let mut manager = ServiceManager {
            watchdog: Some(watchdog),
        };
        assert_eq!(manager.tick(), TICK);
        let mut checked = Vec::new();
        for half_seconds in 0..=9 {
            let now = start + TICK * half_seconds;
            manager.watch(now, || {
                checked.push(half_seconds);
                false
            });
        }
        assert_eq!(checked, [4, 8]);
        let mut unwatched = ServiceManager { watchdog: None };
        unwatched.watch(start + interval, || panic!("there is no watchdog"));
    }

    #[test]
    fn unknown_names_of_two_sockets_are_an_error() {
        for names in ["a.socket:a.socket", "http:http", "http:other", "http", ""] {
            assert!(positions(2, Some(names)).is_err(), "{names}");
        }
        assert!(positions(3, None).is_err());
    }
}
