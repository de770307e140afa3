//! How many connections each address has.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

use crate::http::engine::Bounds;

/// A connection for each address that has any; as many entries as connections
/// at most.
#[derive(Debug, Default)]
pub struct Addresses(Mutex<HashMap<IpAddr, usize>>);

/// The address that a connection is counted with. With IPv6 it is the network of 64 bits,
/// which one client is given as a whole.
pub fn counted_as(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address @ IpAddr::V4(_) => address,
    }
}

impl Addresses {
    /// Counts one more connection of an address. Returns the address that it is counted with;
    /// none if it is not counted.
    ///
    /// # Errors
    /// The address has as many as it may have.
    pub fn admit(&self, address: IpAddr, bounds: &Bounds) -> Result<Option<IpAddr>, Refused> {
        let address = address.to_canonical();
        if bounds.uncounted.iter().any(|net| net.contains(&address)) {
            return Ok(None);
        }
        let address = counted_as(address);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(address).or_default();
        if *count >= bounds.connections_of_address {
            return Err(Refused);
        }
        *count += 1;
        Ok(Some(address))
    }

    /// One less of an address.
    pub fn leave(&self, address: IpAddr) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&address);
            }
        }
    }
}

/// The address has as many connections as it may have.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused;

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn an_address_has_so_many_connections_and_no_more() {
        let bounds = Bounds {
            connections_of_address: 2,
            uncounted: vec!["10.0.0.0/8".parse().expect("a net")],
            ..Bounds::default()
        };
        let addresses = Addresses::default();
        let admit = |text: &str| addresses.admit(address(text), &bounds);
        assert!(admit("192.0.2.1").is_ok());
        assert!(admit("192.0.2.1").is_ok());
        assert_eq!(admit("192.0.2.1"), Err(Refused));
        assert_eq!(admit("::ffff:192.0.2.1"), Err(Refused));
        assert!(admit("192.0.2.2").is_ok());
        for _ in 0..5 {
            assert_eq!(admit("10.1.2.3"), Ok(None));
        }
        addresses.leave(address("192.0.2.1"));
        assert!(addresses.admit(address("192.0.2.1"), &bounds).is_ok());
    }

    #[test]
    fn a_network_of_64_bits_counts_as_one() {
        assert_eq!(
            counted_as(address("2001:db8:1:2:3:4:5:6")),
            address("2001:db8:1:2::")
        );
        assert_eq!(counted_as(address("192.0.2.1")), address("192.0.2.1"));
    }

    #[test]
    fn nothing_is_kept_of_an_address_that_has_left() {
        let addresses = Addresses::default();
        let bounds = Bounds::default();
        let counted = addresses.admit(address("192.0.2.1"), &bounds);
        addresses.leave(counted.expect("room").expect("counted"));
        assert!(addresses.0.into_inner().expect("no panic").is_empty());
    }
}
