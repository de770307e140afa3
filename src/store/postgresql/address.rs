//! The address of one or several servers with the same data:
//! `postgresql://[user@]host[:port][,host[:port]…]/database[?name=value&…]`, and what it takes
//! from the environment, a service file and a passfile, as libpq has them.
//!
//! No sentence of this file quotes the address but for what is known not to be a password's part:
//! one that is written where it does not belong would be in a log.

use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::super::server_bounds::{MAX_ADDRESS, MAX_HOSTS};
use super::passfile::{Passfile, Password};
use super::settings::{Settings, Unsettled, Variable, in_home};
use super::tls::{SYSTEM, Tls};

/// The port where none is given.
const PORT: u16 = 5432;

/// The address of servers with the same data, ready to connect to. Its `Display` is an
/// address that stands for the same, and never has a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress {
    /// At least one.
    endpoints: Vec<Endpoint>,
    /// What `Display` shows behind the database.
    parameters: String,
}

/// One of the servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Its place in the address, from 0.
    pub place: usize,
    /// The name or address of the host; with a slash at its beginning the folder of a Unix
    /// socket.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Who logs in.
    pub user: String,
    /// The database.
    pub database: String,
    /// The password, if there is one.
    pub password: Option<Password>,
    /// How TLS is spoken; none: not at all.
    pub tls: Option<Tls>,
}

impl ServerAddress {
    /// Reads an address, and the files that it or the environment names. `variable` gives the
    /// environment: `PGUSER`, `PGDATABASE`, `PGPASSWORD`, `PGPASSFILE`, `PGSERVICE`,
    /// `PGSERVICEFILE` and `PGSYSCONFDIR`, as libpq reads them, `HOME` and `USER`.
    ///
    /// # Errors
    /// A sentence with the remedy, without anything secret.
    pub fn parse(text: &str, variable: Variable<'_>) -> Result<Self, String> {
        // Set to nothing is not set.
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let Given { settings, service } = given(text)?;
        let given_service = service.clone();
        let settings = match service.or_else(|| variable("PGSERVICE")) {
            Some(service) => settings.or(Settings::of_service(&service, &variable)?),
            None => settings,
        };
        let user = settings.user.clone().or_else(|| variable("PGUSER"));
        let user = user.or_else(|| variable("USER")).ok_or(
            "the address does not say who logs in: give postgresql://USER@HOST/DATABASE, or set PGUSER",
        )?;
        let database = settings.dbname.clone().or_else(|| variable("PGDATABASE"));
        let database = database.unwrap_or_else(|| user.clone());
        let hosts = hosts(&settings)?;
        let mode = TlsMode::parse(settings.sslmode.as_deref())?;
        let is_verified = |host: &str| mode.is_verified(host);
        let tls = match hosts.iter().any(|(host, _)| is_verified(host)) {
            true => Some(Tls::trusting(
                settings.sslrootcert.as_deref().unwrap_or(SYSTEM),
            )?),
            false => None,
        };
        let passwords = Passwords::of(&settings, &variable)?;
        let parameters = parameters(&settings, given_service.as_deref());
        let endpoint = |(place, (host, port)): (usize, (String, u16))| Endpoint {
            place,
            password: passwords.of_endpoint(&host, port, &database, &user),
            tls: tls.clone().filter(|_| is_verified(&host)),
            user: user.clone(),
            database: database.clone(),
            host,
            port,
        };
        Ok(Self {
            endpoints: hosts.into_iter().enumerate().map(endpoint).collect(),
            parameters,
        })
    }

    /// The servers, in the order of the address.
    pub fn endpoints(&self) -> &[Endpoint] {
        &self.endpoints
    }
}

/// What an address itself says.
struct Given {
    settings: Settings,
    service: Option<String>,
}

fn without_scheme(text: &str) -> Option<&str> {
    let schemes = ["postgresql://", "postgres://"];
    schemes.iter().find_map(|scheme| text.strip_prefix(scheme))
}

/// What to do with a password instead.
const NO_PASSWORD: &str = "a password does not belong in an address, where process lists and logs show it: give it in PGPASSWORD, in a passfile (passfile=FILE, PGPASSFILE, else .pgpass in the home folder) or in a service file";

/// Takes an address apart.
fn given(text: &str) -> Result<Given, String> {
    let address = without_scheme(text).ok_or("an address begins with postgresql://")?;
    if text.len() > MAX_ADDRESS {
        return Err(format!("the address has more than {MAX_ADDRESS} bytes"));
    }
    let (address, query) = address.split_once('?').unwrap_or((address, ""));
    let (authority, database) = address.split_once('/').unwrap_or((address, ""));
    let (user, hosts) = authority.rsplit_once('@').unwrap_or(("", authority));
    if user.contains(':') {
        return Err(NO_PASSWORD.to_owned());
    }
    if database.contains(['/', '@', ':']) {
        return Err("the name of the database has a /, @ or : in it; write them as %2F, %40 and %3A, and likewise in the name of the user".to_owned());
    }
    let mut settings = Settings {
        user: non_empty(decoded(user)?),
        dbname: non_empty(decoded(database)?),
        ..Settings::default()
    };
    let (mut names, mut ports) = (Vec::new(), Vec::new());
    for host in hosts.split(',').filter(|_| !hosts.is_empty()) {
        let (name, port) = host_and_port(host)?;
        names.push(decoded(name)?);
        ports.push(port);
    }
    if !names.is_empty() {
        settings.host = Some(names.join(","));
        settings.port = Some(ports.join(","));
    }
    let mut service = None;
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let value = decoded(value)?;
        match name {
            "password" => return Err(NO_PASSWORD.to_owned()),
            "service" if service.is_none() => service = Some(value),
            "service" => return Err(twice(name)),
            _ => match settings.set(name, value) {
                Ok(()) => {}
                Err(Unsettled::Twice) => return Err(twice(name)),
                Err(Unsettled::Unknown) => return Err(UNKNOWN.to_owned()),
            },
        }
    }
    Ok(Given { settings, service })
}

fn twice(name: &str) -> String {
    format!("the address gives {name} twice")
}

/// The refusal of a parameter, whatever its name: that may be part of a password.
const UNKNOWN: &str = "the address has a parameter that is not known here; known are host, port, user, dbname, service, passfile, sslmode and sslrootcert";

/// The parameters that say how to connect and where a password is, percent-encoded behind a
/// question mark; nothing where there are none.
fn parameters(settings: &Settings, service: Option<&str>) -> String {
    let given = [
        ("service", service),
        ("passfile", settings.passfile.as_deref()),
        ("sslmode", settings.sslmode.as_deref()),
        ("sslrootcert", settings.sslrootcert.as_deref()),
    ];
    let mut text = String::new();
    for (name, value) in given {
        if let Some(value) = value {
            let mark = if text.is_empty() { '?' } else { '&' };
            text.extend([mark.to_string(), format!("{name}=")]);
            text.extend(utf8_percent_encode(value, IN_QUERY));
        }
    }
    text
}

/// A host and the text of its port, which may be empty.
fn host_and_port(text: &str) -> Result<(&str, &str), String> {
    let wrong = || {
        Err("a host is NAME, NAME:PORT or [IPv6 ADDRESS]:PORT; the folder of a Unix socket has %2F for each /".to_owned())
    };
    if let Some(bracketed) = text.strip_prefix('[') {
        return match bracketed.split_once(']') {
            Some((host, "")) => Ok((host, "")),
            Some((host, port)) if port.starts_with(':') => Ok((host, &port[1..])),
            _ => wrong(),
        };
    }
    match text.split_once(':') {
        Some((_, port)) if port.contains(':') => wrong(),
        Some(split) => Ok(split),
        None => Ok((text, "")),
    }
}

fn decoded(text: &str) -> Result<String, String> {
    let decoded = percent_decode_str(text).decode_utf8();
    let decoded = decoded.map(String::from).ok();
    // A zero byte ends a text in the protocol.
    let decoded = decoded.filter(|text| !text.contains('\0'));
    decoded.ok_or_else(|| "the address is not percent-encoded UTF-8".to_owned())
}

fn non_empty(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

/// The hosts and their ports.
fn hosts(settings: &Settings) -> Result<Vec<(String, u16)>, String> {
    let Some(hosts) = settings.host.as_deref().filter(|hosts| !hosts.is_empty()) else {
        return Err("the address names no host: give postgresql://HOST/DATABASE, and for a Unix socket postgresql:///DATABASE?host=FOLDER".to_owned());
    };
    let hosts: Vec<&str> = hosts.split(',').collect();
    let ports: Vec<&str> = settings.port.as_deref().unwrap_or("").split(',').collect();
    if hosts.len() > MAX_HOSTS {
        return Err(format!("the address names more than {MAX_HOSTS} hosts"));
    }
    if ports.len() != 1 && ports.len() != hosts.len() {
        return Err("give as many ports as hosts, or one for all".to_owned());
    }
    let endpoint = |(at, host): (usize, &&str)| {
        if host.is_empty() {
            return Err("the address has an empty host".to_owned());
        }
        let port = match ports[at % ports.len()] {
            "" => Some(PORT),
            text => text.parse().ok().filter(|port| *port > 0),
        };
        let port = port.ok_or("a port is a number from 1 to 65535")?;
        Ok(((*host).to_owned(), port))
    };
    hosts.iter().enumerate().map(endpoint).collect()
}

/// With which hosts TLS is spoken.
enum TlsMode {
    /// With those that are not this machine.
    OnNetworks,
    /// With all but Unix sockets, where there is none.
    Always,
    Never,
}

impl TlsMode {
    fn parse(text: Option<&str>) -> Result<Self, String> {
        match text {
            None => Ok(Self::OnNetworks),
            Some("verify-full") => Ok(Self::Always),
            Some("disable") => Ok(Self::Never),
            Some("allow" | "prefer" | "require" | "verify-ca") => Err(
                "sslmode is verify-full, which proves who the server is, or disable: what is between them proves nothing".to_owned(),
            ),
            Some(_) => Err("sslmode is verify-full or disable".to_owned()),
        }
    }

    /// Is TLS spoken with this host, and its certificate verified?
    fn is_verified(&self, host: &str) -> bool {
        let is_this_machine = || {
            let address = host.parse::<IpAddr>();
            host == "localhost" || address.is_ok_and(|address| address.is_loopback())
        };
        match self {
            Self::Never => false,
            _ if host.starts_with('/') => false,
            Self::Always => true,
            Self::OnNetworks => !is_this_machine(),
        }
    }
}

/// Where the password comes from.
enum Passwords {
    Given(Password),
    File(Passfile),
    None,
}

impl Passwords {
    fn of(settings: &Settings, variable: Variable<'_>) -> Result<Self, String> {
        let given = variable("PGPASSWORD").or_else(|| settings.password.clone());
        if let Some(password) = given {
            return Ok(Self::Given(Password(password)));
        }
        let named = settings.passfile.clone().or_else(|| variable("PGPASSFILE"));
        let file = match named {
            Some(named) => Some(PathBuf::from(named)),
            None => in_home(".pgpass", variable).filter(|file| file.exists()),
        };
        file.map_or(Ok(Self::None), |file| {
            Passfile::read(Path::new(&file)).map(Self::File)
        })
    }

    fn of_endpoint(&self, host: &str, port: u16, database: &str, user: &str) -> Option<Password> {
        match self {
            Self::Given(password) => Some(password.clone()),
            Self::File(file) => file.password(host, port, database, user),
            Self::None => None,
        }
    }
}

/// What an address has as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// What a parameter has as it is.
const IN_QUERY: &AsciiSet = &PLAIN.remove(b'/');

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |text| utf8_percent_encode(text, PLAIN);
        f.write_str("postgresql://")?;
        for (at, endpoint) in self.endpoints.iter().enumerate() {
            match at {
                0 => write!(f, "{}@", plain(&endpoint.user))?,
                _ => f.write_str(",")?,
            }
            match endpoint.host.contains(':') {
                true => write!(f, "{endpoint}")?,
                false => write!(f, "{}:{}", plain(&endpoint.host), endpoint.port)?,
            }
        }
        let database = self
            .endpoints
            .first()
            .map(|endpoint| plain(&endpoint.database));
        database.map_or(Ok(()), |database| {
            write!(f, "/{database}{}", self.parameters)
        })
    }
}

#[cfg(test)]
#[path = "address/tests.rs"]
mod tests;
