//! What systemd and the service send each other: sockets handed over, readiness, the end,
//! the watchdog. Without systemd nothing of it does anything.
//!
//! The variables it comes in cannot be taken out of the environment without `unsafe`
//! (save those of sockets, which `listenfd` takes out); the service starts no other
//! program that could inherit them.

use std::io;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use listenfd::ListenFd;
use rustix::net::sockopt::socket_acceptconn;
use sd_notify::NotifyState;

use crate::http::engine::Listener;

/// More than can be meant: one for clients, one for the operator.
const MAX_SOCKETS: usize = 2;

/// How often the main thread looks around where the watchdog needs no more.
const TICK: Duration = Duration::from_millis(500);

/// What is left of the time to stop when the grace period is over.
const LEEWAY: Duration = Duration::from_secs(2);

/// The sockets that systemd has opened; they take the place of the options.
#[derive(Default)]
pub struct Sockets {
    /// For clients, instead of `--listen`.
    pub http: Option<Listener>,
    /// For the operator, instead of `--admin-listen`.
    pub admin: Option<Listener>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Http,
    Admin,
}

impl Sockets {
    /// Those handed over to this process: by their names `http` and `admin`; one of
    /// another name is for clients; of two without names the first is.
    ///
    /// # Errors
    /// A sentence: they are too many, ambiguous, or do not listen.
    pub fn take() -> Result<Self, String> {
        let variable = |name| std::env::var(name).ok();
        let announced = variable("LISTEN_FDS").and_then(|count| count.parse().ok());
        // Before the crate sets aside room for as many as it says.
        if announced.unwrap_or(0_u64) > MAX_SOCKETS as u64 {
            return Err(too_many());
        }
        let mut handed = ListenFd::from_env();
        let names = variable("LISTEN_FDNAMES").filter(|names| !names.is_empty());
        let mut sockets = Self::default();
        for (index, role) in (0..).zip(roles(handed.len(), names.as_deref())?) {
            let listener = listener(&mut handed, index)
                .map_err(|error| format!("a socket handed over: {error}"))?;
            let listener = listener.ok_or(
                "a socket handed over does not listen; in its unit, give Accept=no (the default)",
            )?;
            match role {
                Role::Http => sockets.http = Some(listener),
                Role::Admin => sockets.admin = Some(listener),
            }
        }
        Ok(sockets)
    }
}

/// The socket of that index, TCP or Unix, if it listens.
fn listener(handed: &mut ListenFd, index: usize) -> io::Result<Option<Listener>> {
    // One of another kind is left where it is.
    if let Ok(listener) = handed.take_tcp_listener(index) {
        let listens = |listener: &TcpListener| socket_acceptconn(listener).unwrap_or(false);
        return Ok(listener.filter(listens).map(Listener::from));
    }
    let listens = |listener: &UnixListener| socket_acceptconn(listener).unwrap_or(false);
    let listener = handed.take_unix_listener(index)?;
    Ok(listener.filter(listens).map(Listener::from))
}

fn too_many() -> String {
    format!("at most {MAX_SOCKETS} sockets can be handed over: http and admin")
}

fn roles(count: usize, names: Option<&str>) -> Result<Vec<Role>, String> {
    let names: Option<Vec<&str>> = names.map(|names| names.split(':').collect());
    match (count, names.as_deref()) {
        (0, _) => Ok(Vec::new()),
        (1, Some(["admin"])) => Ok(vec![Role::Admin]),
        (1, _) => Ok(vec![Role::Http]),
        (2, None | Some(["http", "admin"])) => Ok(vec![Role::Http, Role::Admin]),
        (2, Some(["admin", "http"])) => Ok(vec![Role::Admin, Role::Http]),
        // Guessing could put what is the operator's on a port that all can reach.
        (2, Some(_)) => Err(
            "of two sockets handed over one has to be named http and one admin \
                             (FileDescriptorName= in the socket's unit)"
                .to_owned(),
        ),
        _ => Err(too_many()),
    }
}

/// The service manager, if there is one.
#[derive(Debug)]
pub struct ServiceManager {
    watchdog: Option<Watchdog>,
}

#[derive(Debug)]
struct Watchdog {
    /// Without a sign of life for so long, the service is killed.
    interval: Duration,
    last: Instant,
}

impl ServiceManager {
    /// The one that the environment variables name.
    pub fn from_env() -> Self {
        let interval = sd_notify::watchdog_enabled().filter(|interval| !interval.is_zero());
        let last = Instant::now();
        Self {
            watchdog: interval.map(|interval| Watchdog { interval, last }),
        }
    }

    /// How long the main thread may sleep.
    pub fn tick(&self) -> Duration {
        let watchdog = self.watchdog.as_ref();
        watchdog.map_or(TICK, |watchdog| TICK.min(watchdog.interval / 4))
    }

    /// Requests are answered; `status` is a line for people.
    pub fn ready(&self, status: &str) {
        notify(&[NotifyState::Ready, NotifyState::Status(status)]);
    }

    /// The service ends, within `grace`.
    pub fn stopping(&self, grace: Duration) {
        let most = u32::try_from((grace + LEEWAY).as_micros()).unwrap_or(u32::MAX);
        let mut states = vec![
            NotifyState::Stopping,
            NotifyState::Status("ending: requests under way are answered"),
            NotifyState::ExtendTimeoutUsec(most),
        ];
        if self.watchdog.is_some() {
            // The main thread has no more time for signs of life.
            states.extend([NotifyState::WatchdogUsec(most), NotifyState::Watchdog]);
        }
        notify(&states);
    }

    /// Gives a sign of life when it is time for one, and there is life.
    pub fn watch(&mut self, now: Instant, is_alive: impl FnOnce() -> bool) {
        let Some(watchdog) = &mut self.watchdog else {
            return;
        };
        if now.saturating_duration_since(watchdog.last) < watchdog.interval / 2 {
            return;
        }
        // Not before the next time either: a service in trouble is not checked more often.
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
    use super::Role::{Admin, Http};
    use super::*;

    #[test]
    fn sockets_are_known_by_their_names_and_without_names_by_their_order() {
        assert_eq!(roles(0, Some("http")), Ok(vec![]));
        assert_eq!(roles(1, None), Ok(vec![Http]));
        assert_eq!(roles(1, Some("procurement-lookup.socket")), Ok(vec![Http]));
        assert_eq!(roles(1, Some("admin")), Ok(vec![Admin]));
        assert_eq!(roles(2, None), Ok(vec![Http, Admin]));
        assert_eq!(roles(2, Some("admin:http")), Ok(vec![Admin, Http]));
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
            assert!(roles(2, Some(names)).is_err(), "{names}");
        }
        assert!(roles(3, None).is_err());
    }
}
