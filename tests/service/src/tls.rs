//! TLS with certificates that are signed by a newly created authority.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use time::{Duration, OffsetDateTime};

/// A certificate authority with a new key.
pub struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certificate {
    /// Valid, for all names of the service.
    #[default]
    Good,
    /// Expired yesterday.
    Expired,
    /// Valid from tomorrow.
    NotYetValid,
    /// Valid only for `other.example`.
    OtherName,
    /// Signed by an authority other than [`Tls::authority`].
    UnknownAuthority,
    /// A CA certificate.
    OfAuthority,
}

/// TLS settings of a service.
#[derive(Clone)]
pub struct Tls {
    /// The authority that clients trust. It signs the certificate, except with
    /// [`Certificate::UnknownAuthority`].
    pub authority: Arc<Authority>,
    pub certificate: Certificate,
    /// Names in the certificate, in addition to `localhost` and `127.0.0.1`.
    pub names: Vec<String>,
}

impl Authority {
    fn named(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = new_key();
        let certificate = params.self_signed(&key).expect("a signature");
        Self {
            pem: certificate.pem(),
            issuer: Issuer::new(params, key),
        }
    }

    /// Returns the CA certificate in PEM format.
    pub fn pem(&self) -> &str {
        &self.pem
    }
}

/// A valid certificate, signed by a new authority.
impl Default for Tls {
    fn default() -> Self {
        Self {
            authority: Arc::new(Authority::named("Simulated certificate authority")),
            certificate: Certificate::Good,
            names: Vec::new(),
        }
    }
}

impl Tls {
    #[must_use]
    pub fn with(self, certificate: Certificate) -> Self {
        Self {
            certificate,
            ..self
        }
    }

    #[must_use]
    pub fn for_name(mut self, name: &str) -> Self {
        self.names.push(name.to_owned());
        self
    }

    /// Creates a key and a certificate, and returns the configuration of a server with them.
    pub fn server_config(&self) -> Arc<ServerConfig> {
        let key = new_key();
        let params = self.params();
        let is_unknown = self.certificate == Certificate::UnknownAuthority;
        let other = is_unknown.then(|| Authority::named("Another certificate authority"));
        let authority = other.as_ref().unwrap_or(&self.authority);
        let certificate = params
            .signed_by(&key, &authority.issuer)
            .expect("a signature");
        let private = PrivateKeyDer::try_from(key.serialize_der()).expect("a key just made");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions that ring has")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], private)
            .expect("a certificate for this key");
        Arc::new(config)
    }

    fn params(&self) -> CertificateParams {
        let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
        names.extend(self.names.iter().cloned());
        if self.certificate == Certificate::OtherName {
            names = vec!["other.example".to_owned()];
        }
        let mut params = CertificateParams::new(names).expect("names of hosts");
        if self.certificate == Certificate::OfAuthority {
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        }
        let (first, last) = match self.certificate {
            Certificate::Expired => (-2, -1),
            Certificate::NotYetValid => (1, 2),
            _ => (-1, 30),
        };
        let now = OffsetDateTime::now_utc();
        params.not_before = now + Duration::days(first);
        params.not_after = now + Duration::days(last);
        params
    }
}

fn new_key() -> KeyPair {
    KeyPair::generate().expect("randomness")
}
