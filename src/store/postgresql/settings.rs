//! What an address or a service file says of servers, under PostgreSQL's own names.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::super::server_bounds::MAX_SETTINGS_FILE;

/// The value of an environment variable.
pub type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Settings by their names; what is not set is none.
#[derive(Default)]
pub struct Settings {
    /// The hosts, separated by commas.
    pub host: Option<String>,
    /// Their ports, separated by commas; or one for all.
    pub port: Option<String>,
    /// Who logs in.
    pub user: Option<String>,
    /// The database.
    pub dbname: Option<String>,
    /// The password: only of a service file.
    pub password: Option<String>,
    /// Whether TLS is spoken.
    pub sslmode: Option<String>,
    /// Which certificates are trusted.
    pub sslrootcert: Option<String>,
    /// The file with passwords.
    pub passfile: Option<String>,
}

/// Why a setting is not taken.
pub enum Unsettled {
    /// There is no such setting here.
    Unknown,
    /// It was given before.
    Twice,
}

impl Settings {
    /// Sets one.
    ///
    /// # Errors
    /// It is not one of these, or set already.
    pub fn set(&mut self, name: &str, value: String) -> Result<(), Unsettled> {
        let setting = match name {
            "host" => &mut self.host,
            "port" => &mut self.port,
            "user" => &mut self.user,
            "dbname" => &mut self.dbname,
            "password" => &mut self.password,
            "sslmode" => &mut self.sslmode,
            "sslrootcert" => &mut self.sslrootcert,
            "passfile" => &mut self.passfile,
            _ => return Err(Unsettled::Unknown),
        };
        match setting.replace(value) {
            None => Ok(()),
            Some(_) => Err(Unsettled::Twice),
        }
    }

    /// Takes from `other` what is not set here. Ports belong to the hosts beside them.
    pub fn or(self, other: Self) -> Self {
        let port = match self.host {
            Some(_) => self.port,
            None => self.port.or(other.port),
        };
        Self {
            host: self.host.or(other.host),
            port,
            user: self.user.or(other.user),
            dbname: self.dbname.or(other.dbname),
            password: self.password.or(other.password),
            sslmode: self.sslmode.or(other.sslmode),
            sslrootcert: self.sslrootcert.or(other.sslrootcert),
            passfile: self.passfile.or(other.passfile),
        }
    }

    /// What a service file says of a service.
    ///
    /// # Errors
    /// A sentence: no file has the service, or one cannot be read or is malformed.
    pub fn of_service(service: &str, variable: Variable<'_>) -> Result<Self, String> {
        let own = match variable("PGSERVICEFILE") {
            Some(named) => Some(PathBuf::from(named)),
            None => in_home(".pg_service.conf", variable).filter(|file| file.exists()),
        };
        let shared =
            variable("PGSYSCONFDIR").map(|folder| Path::new(&folder).join("pg_service.conf"));
        let mut looked_at = Vec::new();
        for file in own.into_iter().chain(shared) {
            if let Some(settings) = section(&file, service)? {
                return Ok(settings);
            }
            looked_at.push(file.display().to_string());
        }
        Err(match looked_at.is_empty() {
            true => "there is no service file: PGSERVICEFILE names one, else it is .pg_service.conf in the home folder".to_owned(),
            false => format!("{}: the service that is asked for is not in it", looked_at.join(", ")),
        })
    }
}

/// A file in the user's home folder.
pub fn in_home(name: &str, variable: Variable<'_>) -> Option<PathBuf> {
    variable("HOME").map(|home| Path::new(&home).join(name))
}

/// A file of settings as a text.
///
/// # Errors
/// A sentence: it cannot be read, is too long, or no UTF-8.
pub fn read_text(path: &Path) -> Result<String, String> {
    let bytes = read_bounded(path, MAX_SETTINGS_FILE)?;
    String::from_utf8(bytes).map_err(|_| format!("{}: the file is not UTF-8", path.display()))
}

/// A file of at most so many bytes.
///
/// # Errors
/// A sentence: it cannot be read, or is longer.
pub fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = File::open(path)?;
        // A pipe or a device might never end, or never begin.
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("this is not a file"));
        }
        file.take(most + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error| format!("{}: {error}", path.display()))?;
    match bytes.len() as u64 > most {
        true => Err(format!(
            "{}: the file has more than {most} bytes",
            path.display()
        )),
        false => Ok(bytes),
    }
}

/// The settings of a service in a file, if it is there.
fn section(path: &Path, service: &str) -> Result<Option<Settings>, String> {
    let text = read_text(path)?;
    let mut found: Option<Settings> = None;
    let mut is_within = false;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |what: &str| Err(format!("{}, line {}: {what}", path.display(), at + 1));
        if let Some(name) = line.strip_prefix('[') {
            // The first section of this name is it, as with libpq.
            is_within = found.is_none() && name.strip_suffix(']') == Some(service);
            if is_within {
                found = Some(Settings::default());
            }
            continue;
        }
        let Some(settings) = found.as_mut().filter(|_| is_within) else {
            continue;
        };
        let Some((name, value)) = line.split_once('=') else {
            return wrong("NAME=VALUE is expected");
        };
        match settings.set(name, value.to_owned()) {
            Ok(()) => {}
            Err(Unsettled::Twice) => return wrong("the setting is there twice"),
            Err(Unsettled::Unknown) => {
                return wrong(
                    "the setting is unknown; known are host, port, user, dbname, password, sslmode, sslrootcert and passfile",
                );
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
#[path = "settings/tests.rs"]
mod tests;
