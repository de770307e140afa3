use std::net::IpAddr;

/// Who sent a request. Rate limits are counted per peer, and logs name the peer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Peer {
    /// A client that connects directly, from this address.
    Direct(IpAddr),
    /// A client behind a trusted proxy, at the address that the proxy names.
    Proxied(IpAddr),
    /// A process on a Unix socket that names no client.
    #[default]
    Local,
}

impl Peer {
    /// Returns the client's address. Processes on a Unix socket have none.
    pub fn address(self) -> Option<IpAddr> {
        match self {
            Self::Direct(address) | Self::Proxied(address) => Some(address),
            Self::Local => None,
        }
    }
}
