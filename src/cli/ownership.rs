//! Advice on a keys file that belongs to a user other than the server's, such as root.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::BoxedError;
use super::output::folder_of;
use crate::store::{self, KeyStore};

/// Returns the name of a user or group from `/etc/passwd` or `/etc/group`. If it has none, returns
/// the number as text.
fn named(table: &str, id: u32) -> String {
    // Larger files are not searched: the number is clear enough.
    const MOST: u64 = 1 << 20;
    let is_short = std::fs::metadata(table).is_ok_and(|metadata| metadata.len() <= MOST);
    let text = match is_short {
        true => std::fs::read_to_string(table).unwrap_or_default(),
        false => String::new(),
    };
    let named = text.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(id)).then(|| name.to_owned())
    });
    named.unwrap_or_else(|| id.to_string())
}

/// If a file and its folder have different owners, returns a sentence with the `chown` command that
/// gives the file to the folder's owner.
pub fn remedy(path: &Path) -> Option<String> {
    let (file, folder) = (path.metadata().ok()?, folder_of(path).metadata().ok()?);
    if file.uid() == folder.uid() {
        return None;
    }
    let owner = named("/etc/passwd", file.uid());
    let user = named("/etc/passwd", folder.uid());
    let group = named("/etc/group", folder.gid());
    let path = path.display();
    Some(format!(
        "{path} belongs to {owner}, and its folder to {user}; a server that runs as {user} can read it after `chown {user}:{group} {path}`"
    ))
}

/// Turns an error in reading the keys into a message. If the file belongs to another user, adds the
/// command that fixes this.
pub fn explained(keys: &KeyStore, error: store::Error) -> BoxedError {
    match keys {
        KeyStore::File(path) => match remedy(path) {
            Some(remedy) => format!("{error}; {remedy}").into(),
            None => error.into(),
        },
        KeyStore::Server(_) => error.into(),
    }
}
