//! The file with the key that signs receipts.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::input::{GROUP_OR_OTHERS, named, read_secret};
use super::output::part_of;
use super::{BoxedError, key_store};
use crate::api::response::signing_key::SigningKey;
use crate::store::{self, KeyStore};

/// Default name of the file of the signing key, which is looked for beside the file of the API keys.
const NAME: &str = "signing.pem";

const MAX_FILE: u64 = 64 << 10;

#[derive(Clone, Debug, clap::Args)]
pub struct SigningKeyArgs {
    /// The file with the key that signs receipts [default: signing.pem beside the file with
    /// the API keys, else beside the database, else in the current folder]
    #[arg(long, value_name = "FILE")]
    signing_key: Option<PathBuf>,
}

impl SigningKeyArgs {
    /// Reads the signing key. Returns `None` if no file is given and the default file does not
    /// exist.
    ///
    /// # Errors
    /// Returns a sentence that names the file if the file cannot be read, is accessible to other
    /// users, or contains no key.
    pub fn read(
        &self,
        keys: Option<&Path>,
        database: Option<&Path>,
    ) -> Result<Option<SigningKey>, BoxedError> {
        let path = self.path(keys, database);
        match read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound && self.signing_key.is_none() => {
                Ok(None)
            }
            read => Ok(Some(parsed(&path, read)?)),
        }
    }

    /// Reads the signing key, or creates a file with a new one.
    ///
    /// # Errors
    /// See [`SigningKeyArgs::read`]. Also returns an error if the file cannot be created.
    pub fn read_or_create(
        &self,
        keys: Option<&Path>,
        database: Option<&Path>,
    ) -> Result<(PathBuf, SigningKey), BoxedError> {
        let path = self.path(keys, database);
        let mut found = read(&path);
        if matches!(&found, Err(error) if error.kind() == ErrorKind::NotFound) {
            create(&path, &SigningKey::generate()?).map_err(|error| named(&path, &error))?;
            found = read(&path);
        }
        let key = parsed(&path, found)?;
        Ok((path, key))
    }

    fn path(&self, keys: Option<&Path>, database: Option<&Path>) -> PathBuf {
        let beside_keys = |keys| match key_store(keys, database) {
            KeyStore::File(keys) => Some(keys.with_file_name(NAME)),
            // Keys in PostgreSQL have no folder on this machine.
            KeyStore::Server(_) => None,
        };
        let beside = || beside_keys(keys).or_else(|| beside_keys(None));
        self.signing_key
            .clone()
            .or_else(beside)
            .unwrap_or_else(|| NAME.into())
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_secret(path, MAX_FILE, GROUP_OR_OTHERS)
}

fn parsed(path: &Path, read: io::Result<Vec<u8>>) -> Result<SigningKey, String> {
    let pem = read.map_err(|error| match error.kind() {
        // This message says whether access to the file or to one of its folders is denied.
        ErrorKind::PermissionDenied => store::Error::io(path, &error).to_string(),
        _ => named(path, &error),
    })?;
    SigningKey::parse(&String::from_utf8_lossy(&pem)).map_err(|error| named(path, &error))
}

/// Creates a file that only its owner can read. It appears under its name only once it is complete.
/// If another process has created the file in the meantime, that file stays.
fn create(path: &Path, pem: &str) -> io::Result<()> {
    let mut file = part_of(path, 0o600)?;
    file.write_all(pem.as_bytes())?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() != ErrorKind::AlreadyExists => Err(error.error),
        _ => store::sync_folder_of(path),
    }
}
