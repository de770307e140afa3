//! The user that a keys file belongs to: the server's, not root.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::BoxedError;
use super::output::folder_of;
use crate::store::{self, KeyStore};

/// A user or a group by its name in `/etc/passwd` or `/etc/group`, else by its number.
fn named(table: &str, id: u32) -> String {
    // A table of more than 1 MB is not searched: the number serves as well.
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

/// Returns how to give a file to the user of its folder, if another user owns it.
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

/// An error in reading the keys, with the remedy where the file is another user's.
pub fn explained(keys: &KeyStore, error: store::Error) -> BoxedError {
    match keys {
        KeyStore::File(path) => match remedy(path) {
            Some(remedy) => format!("{error}; {remedy}").into(),
            None => error.into(),
        },
        KeyStore::Server(_) => error.into(),
    }
}
