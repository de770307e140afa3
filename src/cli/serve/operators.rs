//! What operators see and set: the log, the admin server, trusted proxies.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ipnet::IpNet;

use crate::api::{Api, DataState};
use crate::cli::logging::LogFormat;
use crate::cli::{today, values};
use crate::http::{
    self, Address, Admin, DataFigures, Listening, MaxAges, Proxies, Running, Sources, Telemetry,
};
use crate::model::Date;

/// The seconds of a day.
const DAY: u64 = 86_400;

/// How many days ago a registry may have been complete for the page, unless another age is
/// given.
const PAGE_REGISTRY_AGE: u64 = 30;

/// What operators see of the service.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Operators")]
pub struct OperatorArgs {
    /// How the lines of the log are written
    #[arg(
        long,
        value_name = "FORMAT",
        env = "PROCUREMENT_LOOKUP_LOG_FORMAT",
        hide_env = true,
        default_value = "logfmt"
    )]
    pub log_format: LogFormat,
    /// Where /healthz, /readyz and /metrics are, without a key; port 0 takes a free
    /// one, `none` switches them off
    #[arg(long, value_name = "ADDR:PORT", env = "PROCUREMENT_LOOKUP_ADMIN_LISTEN", hide_env = true, default_value = "127.0.0.1:8045", value_parser = admin_listen)]
    pub admin_listen: AdminListen,
    /// /readyz answers 503 when no import has changed anything for longer than this,
    /// such as 2days [default: any age will do]
    #[arg(long, value_name = "SPAN", env = "PROCUREMENT_LOOKUP_MAX_DATA_AGE", hide_env = true, value_parser = values::duration)]
    pub max_data_age: Option<Duration>,
    /// A registry of unfair suppliers that was complete longer ago than this is out of
    /// date: the page says so, and where this is given /readyz answers 503 [default: 30
    /// days, for the page alone; any age will do with the demonstration data]
    #[arg(long, value_name = "SPAN", env = "PROCUREMENT_LOOKUP_MAX_REGISTRY_AGE", hide_env = true, value_parser = values::duration)]
    pub max_registry_age: Option<Duration>,
    /// Proxies whose X-Forwarded-For and X-Request-Id count: addresses or networks,
    /// with commas between [default: none]
    #[arg(long, value_name = "ADDR[/BITS],…", env = "PROCUREMENT_LOOKUP_TRUST_PROXY", hide_env = true, value_delimiter = ',', value_parser = http::network)]
    pub trust_proxy: Vec<IpNet>,
}

/// Where the admin server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdminListen {
    /// There is none.
    Nowhere,
    /// At an address.
    At(Address),
}

fn admin_listen(text: &str) -> Result<AdminListen, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(AdminListen::Nowhere);
    }
    let address = Address::parse(text).map(AdminListen::At);
    address.map_err(|error| format!("{error}, or none"))
}

impl OperatorArgs {
    /// Listens where the admin server is to be, if there is to be one.
    ///
    /// # Errors
    /// The address cannot be had: a sentence that names the option.
    pub fn listen(&self) -> Result<Option<Listening>, String> {
        let AdminListen::At(address) = &self.admin_listen else {
            return Ok(None);
        };
        http::listen(address).map(Some).map_err(|error| {
            format!(
                "cannot listen on {address} for /healthz, /readyz and /metrics: {error}; \
                 choose another with --admin-listen, or none with --admin-listen none"
            )
        })
    }

    /// How old data may be for the service to be ready.
    pub fn max_ages(&self) -> MaxAges {
        MaxAges {
            data: self.max_data_age,
            registry: self.max_registry_age,
        }
    }

    /// How many days ago a registry may have been complete for the page not to call it out
    /// of date. The demonstration data's stands still in an invented world.
    pub fn page_registry_age(&self, demo: bool) -> Option<u64> {
        let given = self.max_registry_age.map(|age| age.as_secs() / DAY);
        given.or((!demo).then_some(PAGE_REGISTRY_AGE))
    }

    /// The proxies that are trusted.
    pub fn proxies(&self) -> Proxies {
        Proxies::new(self.trust_proxy.clone())
    }
}

/// What the admin server answers with.
pub fn admin(
    api: &Arc<Api>,
    telemetry: &Arc<Telemetry>,
    running: &Running,
    max_ages: MaxAges,
) -> Arc<Admin> {
    let (asked, limits, answers) = (Arc::clone(api), Arc::clone(api), Arc::clone(api));
    let data = move || {
        asked
            .data_state()
            .map(figures)
            .map_err(|error| error.to_string())
    };
    let limits = move || {
        let refused = limits.refused();
        vec![
            ("rnp", refused.rnp),
            ("key", refused.key),
            ("address", refused.address),
            ("wrong_key", refused.wrong_key),
            ("open", refused.open),
        ]
    };
    let sources = Sources {
        data: Box::new(data),
        alive: Box::new(running.alive()),
        engine: Box::new(running.figures()),
        limits: Box::new(limits),
        answers: Box::new(move || answers.cache_figures()),
    };
    Arc::new(Admin::new(Arc::clone(telemetry), sources, max_ages))
}

fn figures(state: DataState) -> DataFigures {
    let updated = Duration::from_secs(u64::try_from(state.updated).unwrap_or(0));
    let oldest = state.registries.oldest_declared();
    DataFigures {
        version: state.version(),
        updated: SystemTime::UNIX_EPOCH
            .checked_add(updated)
            .unwrap_or(SystemTime::UNIX_EPOCH),
        registry_age: oldest.map(|day| age_in_days(day, today())),
        revision: state.revision,
        switched: state.switched,
        refused: state.refused,
    }
}

/// How long ago `day` is on the day `today`, in whole days.
fn age_in_days(day: Date, today: Date) -> Duration {
    let days = today.days_since_1970() - day.days_since_1970();
    Duration::from_secs(u64::try_from(days).unwrap_or(0) * DAY)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Alone {
        #[command(flatten)]
        operators: OperatorArgs,
    }

    fn parse(arguments: &[&str]) -> Result<OperatorArgs, clap::Error> {
        let arguments = [&["serve"], arguments].concat();
        Alone::try_parse_from(arguments).map(|alone| alone.operators)
    }

    #[test]
    fn by_default_operators_are_answered_on_this_machine_and_no_proxy_is_trusted() {
        let given = parse(&[]).expect("no option is needed");
        assert_eq!(given.log_format, LogFormat::Logfmt);
        let address = Address::parse("127.0.0.1:8045").expect("an address");
        assert_eq!(given.admin_listen, AdminListen::At(address));
        assert_eq!(given.max_ages(), MaxAges::default());
        assert_eq!(given.page_registry_age(false), Some(30));
        assert_eq!(given.page_registry_age(true), None);
        assert_eq!(given.proxies(), Proxies::default());
    }

    #[test]
    fn each_option_is_read() {
        let given = parse(&[
            "--log-format=json",
            "--admin-listen=none",
            "--max-data-age=2days",
            "--max-registry-age=36h",
            "--trust-proxy=127.0.0.1, 10.1.0.0/8",
            "--trust-proxy=::1",
        ]);
        let given = given.expect("options");
        assert_eq!(given.log_format, LogFormat::Json);
        assert_eq!(given.admin_listen, AdminListen::Nowhere);
        let ages = MaxAges {
            data: Some(Duration::from_secs(172_800)),
            registry: Some(Duration::from_secs(129_600)),
        };
        assert_eq!(given.max_ages(), ages);
        assert_eq!(given.page_registry_age(true), Some(1), "whole days");
        let networks: Vec<String> = given.trust_proxy.iter().map(IpNet::to_string).collect();
        assert_eq!(networks, ["127.0.0.1/32", "10.0.0.0/8", "::1/128"]);
    }

    #[test]
    fn values_that_make_no_sense_are_refused() {
        for argument in [
            "--log-format=xml",
            "--admin-listen=nowhere",
            "--max-data-age=old",
            "--max-registry-age=old",
            "--trust-proxy=localhost",
            "--trust-proxy=10.0.0.0/8,",
        ] {
            assert!(parse(&[argument]).is_err(), "{argument}");
        }
    }

    #[test]
    fn a_registry_is_as_old_as_the_days_since_it_was_complete() {
        let day = |text| Date::parse_iso(text).expect("a day");
        let today = day("2026-03-01");
        for (complete, days) in [("2026-03-01", 0), ("2026-02-28", 1), ("2026-03-02", 0)] {
            let age = age_in_days(day(complete), today);
            assert_eq!(age, Duration::from_secs(days * DAY), "{complete}");
        }
    }
}
