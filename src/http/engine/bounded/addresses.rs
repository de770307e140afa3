//! Counts connections by address.

use std::collections::HashMap;
use std::sync::Mutex;

use super::refusal::Refusal;
use crate::api::{Peer, client_network};
use crate::http::engine::Bounds;
use crate::http::lock::locked;

/// Number of connections per peer. A peer without connections has no entry.
#[derive(Debug, Default)]
pub struct Addresses(Mutex<HashMap<Peer, usize>>);

impl Addresses {
    /// Counts a new connection. Returns the peer under which the connection is counted, or `None`
    /// if it is not counted. IPv6 addresses count by network, and all processes on a Unix socket
    /// count as one peer.
    ///
    /// # Errors
    /// Returns an error if the peer already has the maximum number of connections.
    pub fn admit(&self, peer: Peer, bounds: &Bounds) -> Result<Option<Peer>, Refusal> {
        let peer = match peer {
            Peer::Direct(address) | Peer::Proxied(address) => {
                let address = address.to_canonical();
                if bounds.uncounted.iter().any(|net| net.contains(&address)) {
                    return Ok(None);
                }
                Peer::Direct(client_network(address))
            }
            Peer::Local => Peer::Local,
        };
        let mut counts = locked(&self.0);
        let count = counts.entry(peer).or_default();
        if *count >= bounds.connections_of_address {
            return Err(Refusal::ConnectionsOfAddress);
        }
        *count += 1;
        Ok(Some(peer))
    }

    pub fn leave(&self, peer: Peer) {
        let mut counts = locked(&self.0);
        if let Some(count) = counts.get_mut(&peer) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&peer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Peer {
        Peer::Direct(text.parse().expect("an address"))
    }

    #[test]
    fn connections_per_address_are_bounded() {
        let bounds = Bounds {
            connections_of_address: 2,
            uncounted: vec!["10.0.0.0/8".parse().expect("a net")],
            ..Bounds::default()
        };
        let addresses = Addresses::default();
        let admit = |text: &str| addresses.admit(address(text), &bounds);
        assert!(admit("192.0.2.1").is_ok());
        assert!(admit("192.0.2.1").is_ok());
        let refused = Err(Refusal::ConnectionsOfAddress);
        assert_eq!(admit("192.0.2.1"), refused);
        assert_eq!(admit("::ffff:192.0.2.1"), refused);
        assert!(admit("192.0.2.2").is_ok());
        for _ in 0..5 {
            assert_eq!(admit("10.1.2.3"), Ok(None));
        }
        addresses.leave(address("192.0.2.1"));
        assert!(addresses.admit(address("192.0.2.1"), &bounds).is_ok());
        // All processes on a Unix socket count as one peer.
        assert_eq!(addresses.admit(Peer::Local, &bounds), Ok(Some(Peer::Local)));
        assert!(addresses.admit(Peer::Local, &bounds).is_ok());
        assert_eq!(addresses.admit(Peer::Local, &bounds), refused);
    }

    #[test]
    fn disconnected_addresses_are_forgotten() {
        let addresses = Addresses::default();
        let bounds = Bounds::default();
        let counted = addresses.admit(address("192.0.2.1"), &bounds);
        addresses.leave(counted.expect("room").expect("counted"));
        assert!(addresses.0.into_inner().expect("no panic").is_empty());
    }
}
