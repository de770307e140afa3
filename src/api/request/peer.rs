//! Who sends a request.

use std::net::IpAddr;

/// The sender of a request, by which limits count it and records name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Peer {
    /// A client that connects itself, from this address.
    Direct(IpAddr),
    /// A client behind a trusted proxy, at the address that the proxy names.
    Proxied(IpAddr),
    /// Any process that connects over a Unix socket and names no client.
    #[default]
    Local,
}

impl Peer {
    /// Returns the client's address. The processes at a Unix socket have none.
    pub fn address(self) -> Option<IpAddr> {
        match self {
            Self::Direct(address) | Self::Proxied(address) => Some(address),
            Self::Local => None,
        }
    }
}
