//! Passwords, which no output ever has, and the passfile they come from.

use std::fmt;
use std::fs;
use std::path::Path;

use super::settings::read_text;

/// A password. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(pub String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

/// A passfile: its entries in their order, of which the first that fits counts.
pub struct Passfile {
    entries: Vec<Entry>,
}

/// A line: host, port, database and user, none where anything fits; and the password.
type Entry = ([Option<String>; 4], Password);

impl Passfile {
    /// Reads one, as libpq does: `host:port:database:user:password` on each line, where `*`
    /// fits anything and a backslash keeps the next character from meaning anything.
    ///
    /// # Errors
    /// A sentence, without anything of the file: it cannot be read, others may read it too,
    /// or a line is not so.
    pub fn read(path: &Path) -> Result<Self, String> {
        is_private(path)?;
        let text = read_text(path)?;
        let mut entries = Vec::new();
        for (at, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let Some(entry) = entry(line) else {
                return Err(format!(
                    "{}, line {}: host:port:database:user:password is expected",
                    path.display(),
                    at + 1
                ));
            };
            entries.push(entry);
        }
        Ok(Self { entries })
    }

    /// The password for who logs in so, if there is one. The host of a Unix socket is its
    /// folder, and `localhost` too.
    pub fn password(&self, host: &str, port: u16, database: &str, user: &str) -> Option<Password> {
        let port = port.to_string();
        let values = [host, &port, database, user];
        let entry = self.entries.iter().find(|(fields, _)| {
            fields.iter().zip(values).all(|(field, value)| {
                let is_folder = value == host && host.starts_with('/');
                field
                    .as_deref()
                    .is_none_or(|field| field == value || (is_folder && field == "localhost"))
            })
        });
        entry.map(|(_, password)| password.clone())
    }
}

/// What a line says, if it has all fields. The password goes up to the next colon, if there
/// is one.
fn entry(line: &str) -> Option<Entry> {
    let mut rest = line;
    let mut fields: [Option<String>; 4] = Default::default();
    for field in &mut fields {
        let (raw, after) = rest.split_at(end(rest));
        *field = (raw != "*").then(|| without_backslashes(raw));
        rest = after.strip_prefix(':')?;
    }
    Some((fields, Password(without_backslashes(&rest[..end(rest)]))))
}

/// Where the first field of a line ends.
fn end(line: &str) -> usize {
    let mut is_escaped = false;
    let colon = line.find(|character| {
        let ends = character == ':' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        ends
    });
    colon.unwrap_or(line.len())
}

fn without_backslashes(field: &str) -> String {
    let mut out = String::new();
    let mut characters = field.chars();
    while let Some(character) = characters.next() {
        out.push(match character {
            // The last one of a line is itself.
            '\\' => characters.next().unwrap_or(character),
            _ => character,
        });
    }
    out
}

/// Are the rights on a file such that no stranger reads it? One that belongs to root may be read
/// by its group, as systemd hands credentials over (`LoadCredential`), and as libpq has it of
/// files of keys.
#[cfg(unix)]
fn is_mode_private(mode: u32, owner: u32) -> bool {
    let others = if owner == 0 { 0o037 } else { 0o077 };
    mode & others == 0
}

/// May only its owner read it?
#[cfg(unix)]
fn is_private(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    match is_mode_private(metadata.mode(), metadata.uid()) {
        true => Ok(()),
        false => Err(format!(
            "{path}: others than its owner have rights on the passfile; take them away with `chmod 600 {path}`",
            path = path.display()
        )),
    }
}

#[cfg(not(unix))]
fn is_private(path: &Path) -> Result<(), String> {
    let found = fs::metadata(path).map(drop);
    found.map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
#[path = "passfile/tests.rs"]
mod tests;
