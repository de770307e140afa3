//! The main thread while the workers answer: it waits for signals, notifies the watchdog of
//! systemd, and ends the service in order.

use std::time::{Duration, Instant};

use signal_hook::consts::SIGHUP;

use super::signals::Signals;
use super::systemd::ServiceManager;
use crate::api::Api;
use crate::cli::BoxedError;
use crate::http::{Admin, Running};

/// The parts that the main thread needs while the service runs.
pub struct Supervisor<'a> {
    /// The state that the workers share.
    pub api: &'a Api,
    /// The admin server.
    pub admin: &'a Admin,
    /// The longest wait for requests under way at the end.
    pub grace: Duration,
    /// The service manager.
    pub manager: ServiceManager,
}

impl Supervisor<'_> {
    /// Runs until the service has ended: after SIGTERM or SIGINT, all requests under way are
    /// answered or the grace period is over. `status` is a line for people while the service is
    /// healthy.
    ///
    /// # Errors
    /// Signals can no longer be received, or the engine takes no more requests, so that another
    /// process must take over.
    pub fn run(
        mut self,
        signals: Signals,
        running: Running,
        status: &str,
    ) -> Result<(), BoxedError> {
        self.manager.ready(status);
        let failure = loop {
            if let Some(why) = running.failure() {
                break Some(why);
            }
            match signals.wait(self.manager.tick())? {
                None => {}
                Some(SIGHUP) => log::info!(
                    "SIGHUP is ignored: keys are read again by themselves, options and environment at a restart"
                ),
                Some(_) => break None,
            }
            self.api.notice_replacement();
            self.admin.log_refusals(Instant::now());
            self.manager.watch(Instant::now(), || running.is_alive());
        };
        if let Some(why) = &failure {
            log::error!("requests cannot be taken any more: {why}");
        }
        signals.kill_from_now_on();
        self.admin.set_stopping();
        let grace = humantime::format_duration(self.grace);
        log::info!(
            "ending: requests under way are answered first, for at most {grace}; another signal ends it at once"
        );
        self.manager.stopping(self.grace);
        if !running.stop(self.grace) {
            log::warn!("some requests were not answered within {grace}; --grace sets the time");
        }
        self.admin.end_records();
        match failure {
            Some(why) => Err(format!("requests could not be taken any more: {why}").into()),
            None => Ok(()),
        }
    }
}
