//! What operators see and set: the log, the admin server, trusted proxies.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ipnet::IpNet;

use crate::cli::log_writer;
use crate::cli::logging::LogFormat;
use crate::cli::values;
use crate::http::{self, Address, Audit, Listening, MaxAges, Proxies};

/// What operators see of the service.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Operators")]
pub struct OperatorArgs {
    /// The format of the log
    #[arg(long, value_name = "FORMAT", default_value = "logfmt")]
    pub log_format: LogFormat,
    /// The address of /healthz, /readyz and /metrics, which need no key; port 0 picks a
    /// free one [default: none]
    #[arg(long, value_name = "ADDR:PORT", value_parser = Address::parse)]
    pub admin_listen: Option<Address>,
    /// /readyz answers 503 when no import has changed anything for longer than this, such
    /// as 36h or 2days [default: no limit]
    #[arg(long, value_name = "SPAN", value_parser = values::duration)]
    pub max_data_age: Option<Duration>,
    /// Append a line of JSON for each lookup to this file: when, whose key, what was asked,
    /// what was found; log writes them to the log [default: none]
    #[arg(long, value_name = "FILE|log")]
    pub audit: Option<PathBuf>,
    /// Answer 503 to a lookup whose line could not be written with --audit
    #[arg(long, requires = "audit")]
    pub audit_required: bool,
    /// Proxies whose X-Forwarded-For and X-Request-Id are trusted: addresses or networks,
    /// separated by commas [default: none]
    #[arg(long, value_name = "ADDR[/BITS],…", value_delimiter = ',', value_parser = http::network)]
    pub trust_proxy: Vec<IpNet>,
}

impl OperatorArgs {
    /// Listens where the admin server is to be, if there is to be one.
    ///
    /// # Errors
    /// The address cannot be had: a sentence that names the option.
    pub fn listen(&self) -> Result<Option<Listening>, String> {
        let Some(address) = &self.admin_listen else {
            return Ok(None);
        };
        http::listen(address).map(Some).map_err(|error| {
            format!(
                "cannot listen on {address} for /healthz, /readyz and /metrics: {error}; \
                 choose another with --admin-listen"
            )
        })
    }

    /// The audit trail, if there is to be one.
    ///
    /// # Errors
    /// Its file cannot be written: a sentence that names the option.
    pub fn audit(&self) -> Result<Option<Audit>, String> {
        let open = |path: &PathBuf| match path.to_str() {
            Some("log") => Ok(Audit::to_log(log_writer::dropped_here)),
            _ => Audit::to_file(path).map_err(|error| unwritable(path, &error)),
        };
        let audit = self.audit.as_ref().map(open).transpose()?;
        Ok(audit.map(|audit| audit.required(self.audit_required)))
    }

    /// Checks an audit trail that exists already. A missing one is not made, as whoever checks
    /// may be another user than the server's.
    ///
    /// # Errors
    /// Its file cannot be written: a sentence that names the option.
    pub fn check_audit(&self) -> Result<(), String> {
        match &self.audit {
            Some(path) if path.exists() => self.audit().map(drop),
            Some(path) if path.as_os_str() != "log" => match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                    Err(unwritable(path, &io::ErrorKind::NotFound.into()))
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// How old the data and a registry may be for the service to be ready.
    pub fn max_ages(&self, registry: Option<Duration>) -> MaxAges {
        MaxAges {
            data: self.max_data_age,
            registry,
        }
    }

    /// The proxies that are trusted.
    pub fn proxies(&self) -> Proxies {
        Proxies::new(self.trust_proxy.clone())
    }
}

fn unwritable(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    format!("{path}: the audit trail cannot be written: {error}; name another file with --audit")
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
    fn by_default_there_is_no_operators_port_and_no_proxy_is_trusted() {
        let given = parse(&[]).expect("no option is needed");
        assert_eq!(given.log_format, LogFormat::Logfmt);
        assert_eq!(given.admin_listen, None);
        assert_eq!(given.max_ages(None), MaxAges::default());
        assert_eq!(given.proxies(), Proxies::default());
    }

    #[test]
    fn each_option_is_read() {
        let given = parse(&[
            "--log-format=json",
            "--admin-listen=127.0.0.1:8045",
            "--max-data-age=2days",
            "--trust-proxy=127.0.0.1, 10.1.0.0/8",
            "--trust-proxy=::1",
        ]);
        let given = given.expect("options");
        assert_eq!(given.log_format, LogFormat::Json);
        let address = Address::parse("127.0.0.1:8045").expect("an address");
        assert_eq!(given.admin_listen, Some(address));
        let ages = MaxAges {
            data: Some(Duration::from_secs(172_800)),
            registry: Some(Duration::from_secs(129_600)),
        };
        assert_eq!(given.max_ages(ages.registry), ages);
        let networks: Vec<String> = given.trust_proxy.iter().map(IpNet::to_string).collect();
        assert_eq!(networks, ["127.0.0.1/32", "10.0.0.0/8", "::1/128"]);
    }

    #[test]
    fn values_that_make_no_sense_are_refused() {
        for argument in [
            "--log-format=xml",
            "--admin-listen=nowhere",
            "--max-data-age=old",
            "--trust-proxy=localhost",
            "--trust-proxy=10.0.0.0/8,",
        ] {
            assert!(parse(&[argument]).is_err(), "{argument}");
        }
    }
}
