//! The messages between systemd and the service: socket activation, readiness, the end and the
//! watchdog. Without systemd they have no effect.
//!
//! Their environment variables cannot be removed without `unsafe`, except for those of sockets,
//! which `listenfd` removes. The service starts no other program that could inherit them.

use std::time::{Duration, Instant};

use listenfd::ListenFd;
use rustix::net::sockopt::socket_acceptconn;
use sd_notify::NotifyState;

use crate::http::engine::Listener;

/// The most sockets: one for clients and one for operators.
const MAX_SOCKETS: usize = 2;

/// The longest sleep of the main thread, unless the watchdog needs a shorter one.
const TICK: Duration = Duration::from_millis(500);

/// The time to stop that remains after the grace period.
const LEEWAY: Duration = Duration::from_secs(2);

/// The sockets opened by systemd, which replace the options.
#[derive(Default)]
pub struct Sockets {
    /// For clients, instead of `--listen`.
    pub http: Option<Listener>,
    /// For operators, instead of `--admin-listen`.
    pub admin: Option<Listener>,
}

impl Sockets {
    /// Takes the sockets passed to this process, by their names `http` and `admin`. A single
    /// socket of any name is for clients. Of two without names, the first is for clients.
    ///
    /// # Errors
    /// A sentence: there are too many, they are ambiguous, or they do not listen.
    pub fn take() -> Result<Self, String> {
        let variable = |name| std::env::var(name).ok();
        let announced = variable("LISTEN_FDS").and_then(|count| count.parse().ok());
        // Before `listenfd` allocates memory for the announced number.
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

/// Returns the socket of that index, TCP or Unix.
///
/// # Errors
/// A sentence: it is no such socket, or does not listen.
fn listener(handed: &mut ListenFd, index: usize) -> Result<Listener, String> {
    // A socket of another kind stays where it is.
    let taken = match handed.take_tcp_listener(index) {
        Ok(listener) => Ok(listener.map(Listener::from)),
        Err(_) => handed
            .take_unix_listener(index)
            .map(|listener| listener.map(Listener::from)),
    };
    let taken = taken.map_err(|error| format!("a socket handed over: {error}"))?;
    let listens = |listener: &Listener| match listener {
        Listener::Tcp(listener) => socket_acceptconn(listener).unwrap_or(false),
        Listener::Unix(listener) => socket_acceptconn(listener).unwrap_or(false),
    };
    taken.filter(listens).ok_or_else(|| {
        "a socket handed over does not listen; in its unit, give Accept=no (the default)".to_owned()
    })
}

fn too_many() -> String {
    format!("at most {MAX_SOCKETS} sockets can be handed over: http and admin")
}

/// Returns the positions of the sockets for clients and for operators.
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
            "of two sockets handed over one has to be named http and one admin \
                             (FileDescriptorName= in the socket's unit)"
                .to_owned(),
        ),
        _ => Err(too_many()),
    }
}

/// The service manager, if the service has one.
#[derive(Debug, Default)]
pub struct ServiceManager {
    watchdog: Option<Watchdog>,
}

#[derive(Debug)]
struct Watchdog {
    /// The time without a notification after which systemd kills the service.
    interval: Duration,
    last: Instant,
}

impl ServiceManager {
    /// Returns the service manager from the environment variables.
    pub fn from_env() -> Self {
        let interval = sd_notify::watchdog_enabled().filter(|interval| !interval.is_zero());
        let last = Instant::now();
        Self {
            watchdog: interval.map(|interval| Watchdog { interval, last }),
        }
    }

    /// Returns how long the main thread may sleep.
    pub fn tick(&self) -> Duration {
        let watchdog = self.watchdog.as_ref();
        watchdog.map_or(TICK, |watchdog| TICK.min(watchdog.interval / 4))
    }

    /// Reports readiness; `status` is a line for people.
    pub fn ready(&self, status: &str) {
        notify(&[NotifyState::Ready, NotifyState::Status(status)]);
    }

    /// Reports the end of the service within `grace`.
    pub fn stopping(&self, grace: Duration) {
        let most = u32::try_from((grace + LEEWAY).as_micros()).unwrap_or(u32::MAX);
        let mut states = vec![
            NotifyState::Stopping,
            NotifyState::Status("ending: requests under way are answered"),
            NotifyState::ExtendTimeoutUsec(most),
        ];
        if self.watchdog.is_some() {
            // The main thread sends no more notifications.
            states.extend([NotifyState::WatchdogUsec(most), NotifyState::Watchdog]);
        }
        notify(&states);
    }

    /// Notifies the watchdog when it is due and the service is alive.
    pub fn watch(&mut self, now: Instant, is_alive: impl FnOnce() -> bool) {
        let Some(watchdog) = &mut self.watchdog else {
            return;
        };
        if now.saturating_duration_since(watchdog.last) < watchdog.interval / 2 {
            return;
        }
        // An unhealthy service also waits for the next interval, so it is not checked more often.
        watchdog.last = now;
        if is_alive() {
            notify(&[NotifyState::Watchdog]);
        } else {
            log::error!("no worker gives a sign of life; the watchdog is not answered");
        }
    }
}

fn notify(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        log::warn!("the service manager cannot be notified: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_are_known_by_their_names_and_without_names_by_their_order() {
        let for_clients = Ok((Some(0), None));
        assert_eq!(positions(0, Some("http")), Ok((None, None)));
        assert_eq!(positions(1, None), for_clients);
        assert_eq!(positions(1, Some("procurement-lookup.socket")), for_clients);
        assert_eq!(positions(1, Some("admin")), Ok((None, Some(0))));
        assert_eq!(positions(2, None), Ok((Some(0), Some(1))));
        assert_eq!(positions(2, Some("admin:http")), Ok((Some(1), Some(0))));
    }

    #[test]
    fn life_is_checked_at_half_the_interval_and_not_before() {
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
    fn the_operators_socket_is_never_guessed_among_names() {
        for names in ["a.socket:a.socket", "http:http", "http:other", "http", ""] {
            assert!(positions(2, Some(names)).is_err(), "{names}");
        }
        assert!(positions(3, None).is_err());
    }
}
