//! The main thread while the workers answer: it waits for signals, gives systemd signs of
//! life, and ends the service in order.

use std::time::{Duration, Instant};

use super::signals::{Signals, Wake};
use super::systemd::ServiceManager;
use crate::api::Api;
use crate::cli::BoxedError;
use crate::http::{Admin, Running};

/// What the main thread needs while the service runs.
pub struct Supervisor<'a> {
    /// What the workers share.
    pub api: &'a Api,
    /// What answers to operators.
    pub admin: &'a Admin,
    /// How long requests under way may take to be answered at the end.
    pub grace: Duration,
    /// What started the service.
    pub manager: ServiceManager,
}

impl Supervisor<'_> {
    /// Returns when the service has ended: SIGTERM or SIGINT came, and all that was under
    /// way is answered or the grace period over. `status` is a line for people, while all
    /// is well.
    ///
    /// # Errors
    /// Signals cannot be waited for, or requests are not taken any more, so that another
    /// process has to serve.
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
                Wake::End => break None,
                Wake::Hangup => log::info!(
                    "SIGHUP is ignored: keys are read again by themselves, options and environment at a restart"
                ),
                Wake::Tick => {}
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
        self.admin.log_last_refusals();
        match failure {
            Some(why) => Err(format!("requests could not be taken any more: {why}").into()),
            None => Ok(()),
        }
    }
}
