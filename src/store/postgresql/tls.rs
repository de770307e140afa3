//! TLS with a server: its certificate and its host's name are always verified.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use super::super::server_bounds::MAX_CERTIFICATES;
use super::settings::read_bounded;

/// How TLS is spoken. Two are equal if their certificates come from the same place.
#[derive(Clone)]
pub struct Tls {
    roots: String,
    config: Arc<ClientConfig>,
}

/// The `sslrootcert` that stands for the certificates that the system trusts.
pub const SYSTEM: &str = "system";

impl Tls {
    /// TLS that trusts the certificates of a PEM file, or those of the [`SYSTEM`].
    ///
    /// # Errors
    /// A sentence: there are none to trust.
    pub fn trusting(roots: &str) -> Result<Self, String> {
        let store = match roots {
            SYSTEM => of_system()?,
            file => of_file(Path::new(file))?,
        };
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| format!("TLS cannot be spoken: {error}"))?
            .with_root_certificates(store)
            .with_no_client_auth();
        Ok(Self {
            roots: roots.to_owned(),
            config: Arc::new(config),
        })
    }

    /// The client's configuration.
    pub fn config(&self) -> &Arc<ClientConfig> {
        &self.config
    }
}

fn of_system() -> Result<RootCertStore, String> {
    let found = rustls_native_certs::load_native_certs();
    let mut store = RootCertStore::empty();
    // Of a system's many certificates some are beyond what is understood here.
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

fn of_file(path: &Path) -> Result<RootCertStore, String> {
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

impl PartialEq for Tls {
    fn eq(&self, other: &Self) -> bool {
        self.roots == other.roots
    }
}

impl Eq for Tls {}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tls").field(&self.roots).finish()
    }
}

#[cfg(test)]
#[path = "tls/tests.rs"]
mod tests;
