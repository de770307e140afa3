//! The main thread while the workers answer: it waits for signals, reads keys and
//! settings again, gives signs of life, and ends the service in order.

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::Args;
use super::settings::{self, Written};
use super::signals::{Event, Signals};
use super::systemd::Manager;
use crate::api::Api;
use crate::cli::values;
use crate::http::{Admin, Running, Telemetry};

/// The longest grace period that can be asked for.
const MAX_GRACE: Duration = Duration::from_secs(3600);

/// Options of the service's life.
#[derive(Debug, clap::Args)]
pub struct LifeArgs {
    /// A file of settings, NAME=VALUE a line, with the names of the environment
    /// variables; read again on SIGHUP
    #[arg(
        long,
        value_name = "FILE",
        env = "PROCUREMENT_LOOKUP_SETTINGS",
        hide_env = true
    )]
    settings: Option<PathBuf>,
    /// How long requests under way may take to be answered when the server ends
    #[arg(long, value_name = "TIME", env = "PROCUREMENT_LOOKUP_GRACE", hide_env = true, default_value = "10s", value_parser = grace)]
    grace: Duration,
    /// All options of serve as they were written, to see what has changed.
    #[arg(skip)]
    pub(super) written: Written,
}

fn grace(text: &str) -> Result<Duration, String> {
    let grace = values::duration(text)?;
    if grace > MAX_GRACE {
        return Err("the grace period is an hour at most".to_owned());
    }
    Ok(grace)
}

/// The options, by their names, whose new value in the settings file counts from
/// SIGHUP on; all others count from the next start on. To add one: its name here, and
/// what makes it count in [`Life::apply`].
const AT_ONCE: &[&str] = &[
    "grace",
    "rate",
    "burst",
    "rnp-rate",
    "rnp-burst",
    "address-rate",
    "address-burst",
    "wrong-key-limit",
    "trust-proxy",
    "max-data-age",
    "max-registry-age",
];

/// What the main thread needs while the service lives.
pub struct Life<'a> {
    /// What the workers share.
    pub api: &'a Api,
    /// What tells who asks.
    pub telemetry: &'a Telemetry,
    /// What answers to operators.
    pub admin: &'a Admin,
    /// What counts now, save what counts from the next start on.
    pub args: Args,
    /// Who started the service.
    pub manager: Manager,
    /// A line for people, while all is well.
    pub status: String,
}

impl Life<'_> {
    /// Returns when the service has ended: told to by SIGTERM or SIGINT, and all
    /// that was under way is answered or the grace period over.
    ///
    /// # Errors
    /// Signals cannot be waited for.
    pub fn live(mut self, mut signals: Signals, running: Running) -> Result<(), Box<dyn Error>> {
        self.manager.ready(&self.status);
        loop {
            match signals.wait(self.manager.tick())? {
                Event::End => break,
                Event::ReadAgain => self.read_again(),
                Event::Tick => {}
            }
            self.api.notice_replacement();
            self.manager.watch(Instant::now(), || running.is_alive());
        }
        signals.kill_from_now_on()?;
        self.admin.set_stopping();
        let grace = self.args.life.grace;
        log::info!(
            "ending: requests under way are answered first, for at most {}; another signal ends it at once",
            humantime::format_duration(grace)
        );
        self.manager.stopping(grace);
        if !running.stop(grace) {
            log::warn!(
                "some requests were not answered within {}; --grace sets the time",
                humantime::format_duration(grace)
            );
        }
        Ok(())
    }

    /// Reads keys and settings again. Settings that cannot be read change nothing.
    fn read_again(&mut self) {
        self.manager.reloading();
        self.api.read_keys_again();
        let command_line: Vec<_> = std::env::args_os().collect();
        match settings::read(&command_line) {
            Ok(new) => self.change(new),
            Err(error) => log::error!("the settings stay as they were: {error}"),
        }
        self.manager.ready(&self.status);
    }

    fn change(&mut self, new: Args) {
        let differing = settings::differing(&self.args.life.written, &new.life.written);
        let (taken, left): (Vec<_>, Vec<_>) = differing
            .into_iter()
            .partition(|name| AT_ONCE.contains(&name.as_str()));
        let mut written = std::mem::take(&mut self.args.life.written);
        for name in &taken {
            written.remove(name);
            let value = new.life.written.get_key_value(name);
            written.extend(value.map(|(name, values)| (name.clone(), values.clone())));
        }
        self.args = new;
        // What waits for a restart is named the next time too.
        self.args.life.written = written;
        self.apply();
        if !taken.is_empty() {
            log::info!("settings read again; changed: {}", listed(&taken));
        } else if left.is_empty() {
            log::info!("settings read again: nothing changed");
        }
        if !left.is_empty() {
            log::warn!(
                "these settings count from the next start on: {}",
                listed(&left)
            );
        }
    }

    /// Makes the settings count that can change while the service lives; called after
    /// `args` has the new values. `--grace` is looked at when it ends.
    fn apply(&self) {
        self.api.set_limits(self.args.limits.rates());
        self.telemetry.set_proxies(self.args.operators.proxies());
        self.admin.set_max_ages(self.args.operators.max_ages());
        let demo = self.args.database.is_none();
        let registry_age = self.args.operators.page_registry_age(demo);
        self.api.set_max_registry_age(registry_age);
    }
}

/// `--a, --b`
fn listed(names: &[String]) -> String {
    let options: Vec<String> = names.iter().map(|name| format!("--{name}")).collect();
    options.join(", ")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn what_counts_at_once_is_an_option() {
        let program = crate::cli::Cli::command();
        let serve = program.find_subcommand("serve").expect("the command");
        for name in AT_ONCE {
            let mut options = serve.get_arguments().filter_map(clap::Arg::get_long);
            assert!(options.any(|option| option == *name), "{name}");
        }
    }

    #[test]
    fn a_grace_period_has_a_bound() {
        assert_eq!(grace("1h"), Ok(MAX_GRACE));
        assert!(grace("3601").is_err());
    }
}
