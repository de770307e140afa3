//! The address of one or more servers with the same data:
//! `postgresql://[user@]host[:port][,host[:port]…]/database[?name=value&…]`.
//!
//! Messages never quote a rejected address: any part of it may belong to a misplaced password.

use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use rustls::ClientConfig;

use super::super::remote_servers::RemoteServers;
use super::super::server_bounds::{MAX_ADDRESS, MAX_HOSTS};
use super::client::{Config, Host, ServerHost};
use super::passfile::{find_password, read_passfile};
use super::tls::{SYSTEM, tls_config};

const PORT: u16 = 5432;

type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The address of servers with the same data, ready to connect.
#[derive(Clone, Debug)]
pub struct ServerAddress {
    /// The address as text, without a password.
    text: Arc<str>,
    /// Never empty.
    hosts: Vec<ServerHost>,
}

const NO_PASSWORD: &str = "a password does not belong in an address, where process lists and logs show it: give it in PGPASSWORD or in a passfile (PGPASSFILE, else .pgpass in the home folder)";

const MALFORMED: &str = "an address is postgresql://USER@HOST:PORT,HOST:PORT/DATABASE, with ports from 1 to 65535, [IPv6 ADDRESS] in brackets, and %2F for each / in a name";

const NO_HOST: &str = "the address names no host: give postgresql://HOST/DATABASE, and for a Unix socket postgresql:///DATABASE?host=FOLDER";

const UNKNOWN: &str =
    "the address has a parameter that is not known here; known are host, sslmode and sslrootcert";

const NO_USER: &str =
    "the address does not say who logs in: give postgresql://USER@HOST/DATABASE, or set PGUSER";

impl ServerAddress {
    /// Parses an address and reads the files that it or the environment names. `variable` looks up
    /// environment variables: `PGUSER`, `PGPASSWORD` and `PGPASSFILE`, with the same meaning as in
    /// libpq, and `HOME` and `USER`.
    ///
    /// # Errors
    /// Returns a sentence that says what to do and contains nothing secret.
    pub fn parse(text: &str, variable: Variable<'_>) -> Result<Self, String> {
        // An empty variable counts as unset.
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        if text.len() > MAX_ADDRESS {
            return Err(format!("the address has more than {MAX_ADDRESS} bytes"));
        }
        let (url, query) = text.split_once('?').unwrap_or((text, ""));
        let parameters = AddressParameters::parse(query)?;
        let is_url = RemoteServers::is_address(url);
        let parsed = url.parse().ok().filter(|_| is_url);
        let mut parsed: Config = parsed.ok_or(MALFORMED)?;
        if parsed.get_password().is_some() {
            return Err(NO_PASSWORD.to_owned());
        }
        if let Some(folder) = &parameters.host {
            parsed.host(folder);
        }
        let user = parsed.get_user().filter(|user| !user.is_empty());
        let user = user.map(str::to_owned).or_else(|| variable("PGUSER"));
        let user = user.or_else(|| variable("USER")).ok_or(NO_USER)?;
        let database = parsed.get_dbname().unwrap_or(&user);
        let passwords = Passwords::read(&variable)?;
        let text: Arc<str> = text.into();
        let mut hosts = Vec::new();
        for (index, (name, port)) in named_hosts(&parsed)?.into_iter().enumerate() {
            let mut login = Config::new();
            login.user(&user).dbname(database);
            if let Some(password) = passwords.find(&[&name, &port.to_string(), database, &user]) {
                login.password(password);
            }
            hosts.push(ServerHost {
                address: Arc::clone(&text),
                index,
                tls: parameters.tls(&name)?,
                name,
                port,
                login,
            });
        }
        Ok(Self { text, hosts })
    }

    /// Returns the hosts in the order of the address.
    pub fn hosts(&self) -> &[ServerHost] {
        &self.hosts
    }
}

fn named_hosts(parsed: &Config) -> Result<Vec<(String, u16)>, String> {
    let ports = parsed.get_ports().iter().copied();
    let hosts = parsed.get_hosts().iter().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(folder) => folder.display().to_string(),
    });
    let hosts: Vec<_> = hosts.zip(ports.chain(std::iter::repeat(PORT))).collect();
    match hosts.len() {
        0 => Err(NO_HOST.to_owned()),
        1..=MAX_HOSTS
            if hosts
                .iter()
                .any(|(host, port)| host.is_empty() || *port == 0) =>
        {
            Err(MALFORMED.to_owned())
        }
        1..=MAX_HOSTS => Ok(hosts),
        _ => Err(format!("the address names more than {MAX_HOSTS} hosts")),
    }
}

#[derive(Default)]
struct AddressParameters {
    /// Folder of the Unix socket, if the connection uses one.
    host: Option<String>,
    sslmode: Option<String>,
    sslrootcert: Option<String>,
}

impl AddressParameters {
    fn parse(query: &str) -> Result<Self, String> {
        let mut parameters = Self::default();
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let value = percent_decode_str(value).decode_utf8();
            let value = value.map_err(|_| MALFORMED)?.into_owned();
            match name {
                "host" => parameters.host = Some(value),
                "sslmode" => parameters.sslmode = Some(value),
                "sslrootcert" => parameters.sslrootcert = Some(value),
                "password" => return Err(NO_PASSWORD.to_owned()),
                _ => return Err(UNKNOWN.to_owned()),
            }
        }
        Ok(parameters)
    }

    fn tls(&self, host: &str) -> Result<Option<Arc<ClientConfig>>, String> {
        match is_verified(self.sslmode.as_deref(), host)? {
            true => tls_config(self.sslrootcert.as_deref().unwrap_or(SYSTEM)).map(Some),
            false => Ok(None),
        }
    }
}

/// Returns whether connections to a host use TLS and verify its certificate.
fn is_verified(sslmode: Option<&str>, host: &str) -> Result<bool, String> {
    let is_socket = host.starts_with('/');
    let is_loopback = || {
        host.parse()
            .is_ok_and(|address: IpAddr| address.is_loopback())
    };
    match sslmode {
        None => Ok(!is_socket && host != "localhost" && !is_loopback()),
        Some("verify-full") => Ok(!is_socket),
        Some("disable") => Ok(false),
        Some(_) => Err("sslmode is verify-full, which proves who the server is, or disable: other modes prove nothing".to_owned()),
    }
}

enum Passwords {
    Variable(String),
    Passfile(String),
    None,
}

impl Passwords {
    fn read(variable: Variable<'_>) -> Result<Self, String> {
        if let Some(password) = variable("PGPASSWORD") {
            return Ok(Self::Variable(password));
        }
        let in_home = || variable("HOME").map(|home| Path::new(&home).join(".pgpass"));
        let file = match variable("PGPASSFILE") {
            Some(named) => Some(PathBuf::from(named)),
            None => in_home().filter(|file| file.exists()),
        };
        file.map_or(Ok(Self::None), |file| {
            read_passfile(&file).map(Self::Passfile)
        })
    }

    fn find(&self, login: &[&str; 4]) -> Option<String> {
        match self {
            Self::Variable(password) => Some(password.clone()),
            Self::Passfile(text) => find_password(text, login),
            Self::None => None,
        }
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
#[path = "address/tests.rs"]
mod tests;
