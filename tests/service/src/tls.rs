//! TLS with a certificate authority of its own.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use time::{Duration, OffsetDateTime};

/// A certificate authority, a new one each time.
pub struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

/// The kind of a service's certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certificate {
    /// Valid, for the service's names.
    #[default]
    Good,
    /// Of the day before yesterday, for a day.
    Expired,
    /// From tomorrow on.
    NotYetValid,
    /// Valid, for `other.example` only.
    OtherName,
    /// Valid, but signed by another authority than the one that is shown.
    UnknownAuthority,
    /// One that signs others, in place of a server's.
    OfAuthority,
}

/// How a service does TLS.
#[derive(Clone)]
pub struct Tls {
    /// Who signs its certificate, or should have.
    pub authority: Arc<Authority>,
    /// The certificate.
    pub certificate: Certificate,
    /// Names the certificate is for, beside `localhost` and `127.0.0.1`.
    pub names: Vec<String>,
}

impl Authority {
    /// With a key of its own.
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

    /// Its certificate, as a client wants it in a file.
    pub fn pem(&self) -> &str {
        &self.pem
    }
}

/// A good certificate of an authority of its own.
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
    /// The same with another certificate.
    #[must_use]
    pub fn with(self, certificate: Certificate) -> Self {
        Self {
            certificate,
            ..self
        }
    }

    /// The same with a certificate that is for this name too.
    #[must_use]
    pub fn for_name(mut self, name: &str) -> Self {
        self.names.push(name.to_owned());
        self
    }

    /// The configuration of a server that speaks it.
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
            .expect("a certificate of its key");
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
