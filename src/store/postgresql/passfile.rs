//! Passwords from a passfile, whose lines are `host:port:database:user:password`, as for libpq
//! (<https://www.postgresql.org/docs/current/libpq-pgpass.html>).

use std::fs;
use std::path::Path;

use super::super::server_bounds::MAX_PASSFILE;
use super::tls::read_bounded;

/// Reads a passfile.
///
/// # Errors
/// Returns a sentence that quotes nothing from the file if the file is unreadable, or if other
/// users can read it.
pub fn read_passfile(path: &Path) -> Result<String, String> {
    check_private(path)?;
    let bytes = read_bounded(path, MAX_PASSFILE)?;
    String::from_utf8(bytes).map_err(|_| format!("{}: the file is not UTF-8", path.display()))
}

/// Returns the password on the first line that matches this host, port, database and user. For a
/// Unix socket, the host is the socket's folder, and `localhost` matches as well. Like libpq, skips
/// malformed lines.
pub fn find_password(passfile: &str, login: &[&str; 4]) -> Option<String> {
    passfile.lines().find_map(|line| {
        let fields = fields(line);
        let (password, pattern) = fields.get(..5)?.split_last()?;
        let fits = pattern.iter().zip(login).all(|(field, value)| {
            let unescaped = unescaped(field);
            let is_socket = value.starts_with('/') && unescaped == "localhost";
            *field == "*" || unescaped == *value || is_socket
        });
        (fits && !line.starts_with('#')).then(|| unescaped(password))
    })
}

/// Splits a line at colons that are not escaped by a backslash.
fn fields(line: &str) -> Vec<&str> {
    let mut is_escaped = false;
    let fields = line.split(|character| {
        let ends = character == ':' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        ends
    });
    fields.collect()
}

fn unescaped(field: &str) -> String {
    let mut text = String::new();
    let mut characters = field.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            // A backslash at the end of a line escapes nothing.
            '\\' => characters.next().unwrap_or(character),
            _ => character,
        });
    }
    text
}

/// Returns whether only the owner may read a file with this mode. If root owns the file, its group
/// may read it too, because systemd passes credentials that way (`LoadCredential`).
#[cfg(unix)]
fn is_mode_private(mode: u32, owner: u32) -> bool {
    let others = if owner == 0 { 0o037 } else { 0o077 };
    mode & others == 0
}

#[cfg(unix)]
fn check_private(path: &Path) -> Result<(), String> {
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
fn check_private(path: &Path) -> Result<(), String> {
    let found = fs::metadata(path).map(drop);
    found.map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
#[path = "passfile/tests.rs"]
mod tests;
