//! The main thread while the workers answer. It waits for signals, notifies the systemd watchdog
//! and shuts the service down.

use std::time::{Duration, Instant};

use signal_hook::consts::SIGHUP;

use super::signals::Signals;
use super::systemd::ServiceManager;
use crate::api::Api;
use crate::cli::BoxedError;
use crate::http::{Admin, Running};

pub struct Supervisor<'a> {
    pub api: &'a Api,
    pub admin: &'a Admin,
    /// How long to wait for requests under way when the service stops.
    pub grace: Duration,
    pub manager: ServiceManager,
}

impl Supervisor<'_> {
    /// Runs until the service has stopped. After SIGTERM or SIGINT, the service stops when all
    /// requests under way are answered or the grace period is over. `systemctl status` shows
    /// `status` while the service runs.
    ///
    /// # Errors
    /// Returns an error if signals can no longer be received, or if the engine can no longer accept
    /// connections. Another process must then take over.
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
                    "SIGHUP is ignored: changed keys are noticed without it, and options and environment variables are read only at a start"
                ),
                Some(_) => break None,
            }
            self.api.notice_replacement();
            self.admin.log_refusals(Instant::now());
            self.manager.watch(Instant::now(), || running.is_alive());
        };
        if let Some(why) = &failure {
            log::error!("requests can no longer be accepted: {why}");
        }
        signals.kill_from_now_on();
        self.admin.set_stopping();
        let grace = humantime::format_duration(self.grace);
        log::info!(
            "stopping: finishing requests under way, for at most {grace}; another signal ends the process immediately"
        );
        self.manager.stopping(self.grace);
        if !running.stop(self.grace) {
            log::warn!("some requests were not answered within {grace}; --grace sets the time");
        }
        self.admin.end_records();
        match failure {
            Some(why) => Err(format!("requests could no longer be accepted: {why}").into()),
            None => Ok(()),
        }
    }
}
