//! TLS connections to servers. The certificate and the host name are always verified.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use super::super::server_bounds::MAX_CERTIFICATES;

/// Value of `sslrootcert` that stands for the certificates that the system trusts.
pub const SYSTEM: &str = "system";

/// Returns a configuration that trusts the certificates in a PEM file, or those of the [`SYSTEM`].
///
/// # Errors
/// Returns a sentence if there are no certificates to trust.
pub fn tls_config(roots: &str) -> Result<Arc<ClientConfig>, String> {
    let store = match roots {
        SYSTEM => system_roots()?,
        file => roots_in(Path::new(file))?,
    };
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be spoken: {error}"))?
        .with_root_certificates(store)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

fn system_roots() -> Result<RootCertStore, String> {
    let found = rustls_native_certs::load_native_certs();
    let mut store = RootCertStore::empty();
    // Some of a system's many certificates may be unparsable.
    let (added, _) = store.add_parsable_certificates(found.certs);
    match (added, found.errors.first()) {
        (0, Some(error)) => Err(format!("the certificates that the system trusts: {error}")),
        (0, None) => Err(
            "the system has no certificates to trust; sslrootcert=FILE names a file of them"
                .to_owned(),
        ),
        _ => Ok(store),
    }
}

fn roots_in(path: &Path) -> Result<RootCertStore, String> {
    let wrong = |what: String| format!("{}: {what}", path.display());
    let bytes = read_bounded(path, MAX_CERTIFICATES)?;
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&bytes) {
        let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
        let added = store.add(certificate);
        added.map_err(|error| wrong(error.to_string()))?;
    }
    match store.is_empty() {
        true => Err(wrong("there is no certificate in PEM in it".to_owned())),
        false => Ok(store),
    }
}

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// Returns a sentence if the file is unreadable or too long.
pub fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = File::open(path)?;
        // Reading from a pipe or device might wait forever or never end.
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("this is not a file"));
        }
        file.take(most + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 > most {
            true => Err(io::Error::other(format!(
                "the file has more than {most} bytes"
            ))),
            false => Ok(bytes),
        }
    };
    read().map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
#[path = "tls/tests.rs"]
mod tests;
