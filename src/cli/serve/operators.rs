//! Options for operators: the log, the admin server, the audit trail and trusted proxies.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ipnet::IpNet;

use crate::cli::logging::LogFormat;
use crate::cli::output::folder_of;
use crate::cli::{server_address, values};
use crate::http::{self, Address, Audit, Listening};

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
    /// Append a line of JSON to this file for each lookup, with the time, the holder of the key, the
    /// request and the result. Without a value, or with the value file, the file is audit.jsonl in
    /// the log folder of the systemd unit, else beside the database [default: none]
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "file", value_parser = audit_path)]
    pub audit: Option<PathBuf>,
    /// Answer 503 to a lookup whose line cannot be written to the file of --audit within 5 seconds
    #[arg(long, requires = "audit")]
    pub audit_required: bool,
    /// Proxies whose X-Forwarded-For and X-Request-Id are trusted: addresses or networks,
    /// separated by commas [default: none]
    #[arg(long, value_name = "ADDR[/BITS],…", value_delimiter = ',', value_parser = http::network)]
    pub trust_proxy: Vec<IpNet>,
    /// The header in which a proxy in --trust-proxy names the user that it has authenticated. This
    /// user needs no key [default: none]
    #[arg(long, value_name = "HEADER", requires = "trust_proxy", value_parser = header_name)]
    pub user_header: Option<String>,
}

/// Parses the value of `--user-header`. Rejects headers that have another meaning.
fn header_name(text: &str) -> Result<String, String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_reserved = [
        "Authorization",
        "X-API-Key",
        "X-Forwarded-For",
        "X-Request-Id",
    ]
    .iter()
    .any(|reserved| reserved.eq_ignore_ascii_case(text));
    match !text.is_empty() && text.chars().all(is_part) && !is_reserved {
        true => Ok(text.to_owned()),
        false => Err(
            "give the name of a header that has no other meaning, such as X-Remote-User".to_owned(),
        ),
    }
}

const AUDIT_FILE: &str = "audit.jsonl";

impl OperatorArgs {
    /// Listens on the address of the admin server, if one is given.
    ///
    /// # Errors
    /// Returns a sentence that names the option if the address is not available.
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

    /// Opens the audit trail, if one is configured. By default, it is in the folder of `database`.
    ///
    /// # Errors
    /// Returns a sentence that names the option if the file cannot be written.
    pub fn audit(&self, database: Option<&Path>) -> Result<Option<Audit>, String> {
        let Some(given) = &self.audit else {
            return Ok(None);
        };
        let path = audit_file(given, database);
        let mut audit = Audit::to_file(&path).map_err(|error| unwritable(&path, &error))?;
        audit.is_required = self.audit_required;
        Ok(Some(audit))
    }

    /// Checks that an existing audit trail is writable. A missing one is not created, because the
    /// check may run as a user other than the server's.
    ///
    /// # Errors
    /// Returns a sentence that names the option if the file cannot be written.
    pub fn check_audit(&self, database: Option<&Path>) -> Result<(), String> {
        let Some(given) = &self.audit else {
            return Ok(());
        };
        let path = audit_file(given, database);
        if path.exists() {
            return self.audit(database).map(drop);
        }
        match folder_of(&path).is_dir() {
            true => Ok(()),
            false => Err(unwritable(&path, &io::ErrorKind::NotFound.into())),
        }
    }
}

fn audit_path(text: &str) -> Result<PathBuf, String> {
    match text {
        // In release 0.1.0, the value `log` wrote the audit trail to the log.
        "log" => Err("the audit trail is always a file; give its path".to_owned()),
        _ => Ok(text.into()),
    }
}

/// Returns the file of the audit trail for a value of `--audit`. By default, the file is in the log
/// folder that systemd provides for the unit, or if there is none, beside the database.
fn audit_file(given: &Path, database: Option<&Path>) -> PathBuf {
    if given != Path::new("file") {
        return given.to_owned();
    }
    if let Some(folder) = env::var_os("LOGS_DIRECTORY") {
        return Path::new(&folder).join(AUDIT_FILE);
    }
    let beside = database.filter(|path| server_address("database", path).is_none());
    let beside = beside.unwrap_or(Path::new(AUDIT_FILE));
    beside.with_file_name(AUDIT_FILE)
}

fn unwritable(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    format!("{path}: the audit trail cannot be written: {error}; give another file with --audit")
}
