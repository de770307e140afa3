//! Addresses.
use std::fmt;
use std::sync::Arc;

/// One server.
#[derive(Clone)]
pub struct Endpoint {
    /// The name or address of the host; with a slash at its beginning the folder of a Unix
    /// socket.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Who logs in.
    pub user: String,
    /// The database.
    pub database: String,
    /// The password, if there is one.
    pub password: Option<String>,
    /// How TLS is spoken; none: not at all.
    pub tls: Option<Arc<rustls::ClientConfig>>,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}
