//! Options of `fetch` and `update`: which cells to request, and how.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime};

use super::documents::{Part, types_of};
use crate::cli::input::{OTHERS_OR_GROUP_WRITING, named, read, read_secret};
use crate::cli::{BoxedError, today, values, wrong_use};
use crate::fetch::{
    AccessToken, CellSelection, ClientOptions, MAX_NUMBER_LENGTH, Proxy, ServiceAddress,
    StopSignal, roots_of_pem,
};
use crate::model::{Date, Region};

/// Default address of the EIS document service.
const ENDPOINT: &str = "https://int.zakupki.gov.ru/eis-integration/services/getDocsIP";

pub const TOKEN_VARIABLE: &str = "PROCUREMENT_LOOKUP_TOKEN";

/// Maximum size of token and certificate files, in bytes.
pub const MAX_SMALL_FILE: u64 = 1 << 20;

/// Allowed values of `--for`.
const SPANS: RangeInclusive<Duration> =
    Duration::from_secs(1)..=Duration::from_secs(30 * 24 * 3600);

/// Maximum value of `--pause`.
const MAX_PAUSE: Duration = Duration::from_secs(600);

/// The first year for which EIS has documents.
const FIRST_YEAR: u16 = 2011;

/// Maximum value of `--last`.
const MAX_DAYS: u64 = 3_660;

/// The cells to request and the folder for the archives.
#[derive(Debug, clap::Args)]
pub struct CellArgs {
    /// The folder for archives; created if it does not exist
    #[arg(long, value_name = "DIR")]
    pub into: PathBuf,
    /// The customers' regions: codes such as 77,50, or all
    #[arg(long, value_name = "CODES", value_parser = regions)]
    regions: Option<Regions>,
    /// The first day [default: two days before the last]
    #[arg(long, value_name = "DATE", value_parser = past_day)]
    from: Option<Date>,
    /// The last day [default: yesterday in Moscow]
    #[arg(long, value_name = "DATE", value_parser = past_day)]
    to: Option<Date>,
    /// The number of days up to the last one, instead of --from
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u64).range(1..=MAX_DAYS), conflicts_with = "from")]
    last: Option<u64>,
    /// The documents to fetch
    #[arg(long, value_delimiter = ',', default_value = "contracts,purchases")]
    what: Vec<Part>,
}

#[derive(Debug, clap::Args)]
pub struct ServiceArgs {
    /// A file with the token, which other users must not be able to read
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The address of the service
    #[arg(long, value_name = "URL", default_value = ENDPOINT, value_parser = endpoint)]
    endpoint: String,
    /// CA certificates in PEM; the certificate of the service must be signed by one of them
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// A tunnel to the service, such as http://127.0.0.1:8080, through which all requests go
    #[arg(long, value_name = "URL", value_parser = tunnel)]
    tunnel: Option<String>,
    /// An HTTP proxy, such as http://127.0.0.1:3128; proxy settings in the environment are not used
    #[arg(long, value_name = "URL", value_parser = proxy, conflicts_with = "tunnel")]
    proxy: Option<Proxy>,
    /// Maximum requests per minute, downloads included; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = 80)]
    pub per_minute: u32,
    /// The wait before a retry after a failure; each further wait is twice as long
    #[arg(long, value_name = "SPAN", default_value = "6s",
        value_parser = values::duration_in(Duration::ZERO..=MAX_PAUSE))]
    pause: Duration,
    /// Time limit for fetching; the next run fetches the rest [default: no limit; for update, 6h]
    #[arg(long = "for", value_name = "SPAN", value_parser = values::duration_in(SPANS))]
    span: Option<Duration>,
}

#[derive(Clone, Debug)]
struct Regions(Vec<&'static Region>);

fn regions(text: &str) -> Result<Regions, String> {
    if text.trim() == "all" {
        return Ok(Regions(Region::all().iter().collect()));
    }
    let mut regions: Vec<&'static Region> = Vec::new();
    for code in text
        .split(',')
        .map(str::trim)
        .filter(|code| !code.is_empty())
    {
        let region = Region::from_code(code).ok_or_else(|| {
            let codes: Vec<&str> = Region::all().iter().map(|region| region.code).collect();
            format!(
                "unknown region {code}: give all, or some of {}",
                codes.join(",")
            )
        })?;
        if !regions.contains(&region) {
            regions.push(region);
        }
    }
    match regions.is_empty() {
        true => Err("give codes of regions, such as 77,50, or all".to_owned()),
        false => Ok(Regions(regions)),
    }
}

fn past_day(text: &str) -> Result<Date, String> {
    let day = Date::parse_iso(text).ok_or("give a date YYYY-MM-DD")?;
    match day {
        _ if day > today() => Err("the date is in the future".to_owned()),
        _ if day.parts().0 < FIRST_YEAR => Err(format!("EIS has nothing before {FIRST_YEAR}")),
        _ => Ok(day),
    }
}

pub fn number(text: &str) -> Result<String, String> {
    let is_number = !text.is_empty()
        && text.chars().count() <= MAX_NUMBER_LENGTH
        && !text.chars().any(|c| c.is_control() || c.is_whitespace());
    match is_number {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "give a number of 1 to {MAX_NUMBER_LENGTH} characters"
        )),
    }
}

fn endpoint(text: &str) -> Result<String, String> {
    ServiceAddress::new(text, None).map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}

fn tunnel(text: &str) -> Result<String, String> {
    ServiceAddress::new(ENDPOINT, Some(text)).map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}

fn proxy(text: &str) -> Result<Proxy, String> {
    let is_http = text.starts_with("http://") || text.starts_with("https://");
    let proxy = Proxy::new(text).ok().filter(|_| is_http);
    proxy.ok_or_else(|| "give a URL such as http://127.0.0.1:3128".to_owned())
}

impl CellArgs {
    /// Returns the requested cells. If the days are in the wrong order, ends the process with
    /// status 2.
    pub fn selection(&self) -> CellSelection {
        let to = self.to.unwrap_or_else(|| today().minus_days(1));
        let from = match (self.from, self.last) {
            (Some(from), _) => from,
            (None, last) => to.minus_days(last.unwrap_or(3) - 1),
        };
        if from > to {
            wrong_use(&format!("--from {from} is after the last day, {to}"));
        }
        let regions = self.regions.as_ref();
        CellSelection {
            from,
            to,
            regions: regions.map(|regions| regions.0.clone()).unwrap_or_default(),
            documents: types_of(&self.what),
        }
    }
}

impl ServiceArgs {
    /// Returns the client's options. The time limit starts now: `--for`, or `span` if it is not
    /// given. A token is required unless there is a tunnel.
    ///
    /// # Errors
    /// Returns an error if the token is missing or a file cannot be used.
    pub fn options(
        &self,
        flag: Arc<AtomicBool>,
        span: Option<Duration>,
    ) -> Result<ClientOptions, BoxedError> {
        let span = self.span.or(span);
        let token = self.token()?;
        if token.is_none() && self.tunnel.is_none() {
            return Err(format!(
                "there is no token: give a file with --token-file, or the variable \
                 {TOKEN_VARIABLE}; `procurement-lookup manual fetch` explains how to get one"
            )
            .into());
        }
        let roots = self.ca_file.as_deref().map(|path| {
            let pem = read(path, MAX_SMALL_FILE).map_err(|error| named(path, &error))?;
            let missing =
                "there is no certificate in this file: give a file in PEM, with BEGIN CERTIFICATE";
            roots_of_pem(&pem).ok_or_else(|| named(path, &missing))
        });
        Ok(ClientOptions {
            address: ServiceAddress::new(&self.endpoint, self.tunnel.as_deref())?,
            token,
            roots: roots.transpose()?,
            proxy: self.proxy.clone(),
            per_minute: self.per_minute,
            pause: self.pause,
            clock: SystemTime::now,
            stop: StopSignal {
                flag,
                until: span.map(|span| Instant::now() + span),
            },
        })
    }

    /// Returns the token from `--token-file`, or from the environment variable if the option is not
    /// given.
    fn token(&self) -> Result<Option<AccessToken>, BoxedError> {
        if let Some(path) = &self.token_file {
            let name = path.to_string_lossy();
            if !path.exists() && !name.contains(['/', '.']) && AccessToken::parse(&name).is_ok() {
                // The value may be a token given by mistake, so the message must not contain it.
                let what = "--token-file: there is no such file; give the path of a file with the \
                            token, not the token itself";
                return Err(what.into());
            }
            let text = read_secret(path, MAX_SMALL_FILE, OTHERS_OR_GROUP_WRITING)
                .map_err(|error| named(path, &error))?;
            let text = String::from_utf8_lossy(&text);
            let token = AccessToken::parse(&text).map_err(|error| named(path, &error))?;
            return Ok(Some(token));
        }
        match std::env::var(TOKEN_VARIABLE) {
            Ok(text) if text.trim().is_empty() => Ok(None),
            Ok(text) => AccessToken::parse(&text)
                .map(Some)
                .map_err(|error| format!("{TOKEN_VARIABLE}: {error}").into()),
            Err(std::env::VarError::NotPresent) => Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => {
                Err(format!("{TOKEN_VARIABLE}: it is not a token").into())
            }
        }
    }
}
