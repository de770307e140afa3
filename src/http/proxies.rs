//! Finds the client of a request that came through proxies. `X-Forwarded-For` and `X-Request-Id`
//! are believed only if a trusted proxy sent them.

use std::net::{IpAddr, SocketAddr};

use ipnet::{IpNet, Ipv4Net};

use crate::api::Peer;

/// Upper bound on the entries of `X-Forwarded-For` that are read. Real chains of trusted proxies
/// are shorter.
const MAX_ENTRIES: usize = 32;

/// Upper bound on the length of an entry, in bytes. A bracketed IPv6 address with a port has up to
/// 47.
const MAX_ENTRY: usize = 64;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies(Vec<IpNet>);

impl Proxies {
    pub fn new(networks: Vec<IpNet>) -> Self {
        Self(networks)
    }

    /// Returns whether to believe the headers in which `peer` names its client.
    pub fn trusts(&self, peer: Peer) -> bool {
        match peer {
            Peer::Direct(_) | Peer::Proxied(_) if self.0.is_empty() => false,
            Peer::Direct(address) | Peer::Proxied(address) => {
                let address = address.to_canonical();
                self.0.iter().any(|network| network.contains(&address))
            }
            Peer::Local => true,
        }
    }

    /// Returns who sent a request that arrived from `peer`. `forwarded` contains the values of
    /// `X-Forwarded-For` in order. Each proxy appends the address of its own peer, so the client is
    /// the rightmost address that is not a trusted proxy; anything to the left of it may be forged.
    /// A malformed entry ends the search, and the last valid address counts. IPv4-mapped IPv6
    /// addresses become IPv4.
    pub fn client<'a>(
        &self,
        peer: Peer,
        forwarded: impl DoubleEndedIterator<Item = &'a str>,
    ) -> Peer {
        let mut entries = forwarded.rev().flat_map(|value| value.rsplit(','));
        let mut client = match peer {
            Peer::Direct(address) => Peer::Direct(address.to_canonical()),
            other => other,
        };
        for _ in 0..MAX_ENTRIES {
            if !self.trusts(client) {
                break;
            }
            match entries.next().and_then(address) {
                Some(address) => client = Peer::Proxied(address),
                None => break,
            }
        }
        client
    }
}

/// Parses an entry: an address, possibly with a port, and possibly with brackets around an IPv6
/// address.
fn address(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    if entry.len() > MAX_ENTRY {
        return None;
    }
    let in_brackets = || entry.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || entry.parse().ok().map(|address: SocketAddr| address.ip());
    let address = entry.parse().ok().or_else(in_brackets).or_else(with_port);
    address.map(|address: IpAddr| address.to_canonical())
}

/// Parses the network of a trusted proxy: an address, or `ADDRESS/BITS`.
///
/// # Errors
/// Returns a sentence with an example.
pub fn network(text: &str) -> Result<IpNet, String> {
    let text = text.trim();
    let network = match text.parse::<IpAddr>() {
        Ok(address) => Some(IpNet::from(address)),
        Err(_) => text.parse::<IpNet>().ok(),
    };
    let network = network.ok_or("give addresses or networks, such as 127.0.0.1 or 10.0.0.0/8")?;
    Ok(canonical(network).trunc())
}

/// Converts a network of IPv4-mapped IPv6 addresses to IPv4, because client addresses are converted
/// before the comparison.
fn canonical(network: IpNet) -> IpNet {
    let IpNet::V6(mapped) = network else {
        return network;
    };
    let bits = mapped.prefix_len().checked_sub(96);
    let inner = mapped.addr().to_ipv4_mapped().zip(bits);
    inner
        .and_then(|(address, bits)| Ipv4Net::new(address, bits).ok())
        .map_or(network, IpNet::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(networks: &str) -> Proxies {
        let networks = networks.split(',').map(|text| network(text).expect(text));
        Proxies::new(networks.collect())
    }

    #[track_caller]
    fn check(peer: &str, forwarded: &[&str], client: &str) {
        let proxies = proxies("10.0.0.0/8,192.0.2.1,2001:db8::/32");
        let peer = peer.parse().map_or(Peer::Local, Peer::Direct);
        let found = proxies.client(peer, forwarded.iter().copied()).address();
        let found = found.map_or_else(|| "-".to_owned(), |found| found.to_string());
        assert_eq!(found, client, "{peer:?} {forwarded:?}");
    }

    #[test]
    fn the_header_counts_only_from_a_trusted_peer() {
        check("198.51.100.1", &["203.0.113.7"], "198.51.100.1");
        check("10.1.2.3", &["203.0.113.7"], "203.0.113.7");
        check("10.1.2.3", &[], "10.1.2.3");
        let none = Proxies::default();
        let peer = Peer::Direct("127.0.0.1".parse().expect("an address"));
        assert_eq!(none.client(peer, ["1.2.3.4"].into_iter()), peer);
    }

    #[test]
    fn the_rightmost_untrusted_address_is_the_client() {
        check(
            "10.0.0.1",
            &["6.6.6.6, 203.0.113.7, 10.0.0.2"],
            "203.0.113.7",
        );
        check(
            "10.0.0.1",
            &["6.6.6.6", "203.0.113.7,192.0.2.1"],
            "203.0.113.7",
        );
        check(
            "10.0.0.1",
            &["203.0.113.7", "10.0.0.3", "10.0.0.2"],
            "203.0.113.7",
        );
        check("10.0.0.1", &["10.0.0.3, 10.0.0.2"], "10.0.0.3");
    }

    #[test]
    fn clients_of_a_unix_socket_are_trusted_proxies() {
        check("-", &[], "-");
        check("-", &["6.6.6.6, 203.0.113.7, 10.0.0.2"], "203.0.113.7");
        check("-", &["unknown"], "-");
    }

    #[test]
    fn an_unreadable_address_ends_the_walk_before_it() {
        check("10.0.0.1", &["203.0.113.7, unknown, 10.0.0.2"], "10.0.0.2");
        check("10.0.0.1", &["203.0.113.7,"], "10.0.0.1");
        for bad in [
            "",
            "x",
            "999.1.1.1",
            "1.2.3",
            "010.0.0.1",
            "[::1",
            "::1]:80",
            "1.2.3.4:",
            "1.2.3.4:99999",
            "fe80::1%eth0",
            "\"1.2.3.4\"",
            "1.2.3.4 5.6.7.8",
            "1.2.3.4\nx",
        ] {
            check("10.0.0.1", &[bad], "10.0.0.1");
        }
        check("10.0.0.1", &[&"1".repeat(1 << 20)], "10.0.0.1");
    }

    #[test]
    fn ports_brackets_and_ipv4_in_ipv6_form_are_understood() {
        check("10.0.0.1", &["203.0.113.7:8080"], "203.0.113.7");
        check("10.0.0.1", &["[2001:db9::1]:443"], "2001:db9::1");
        check("10.0.0.1", &["[2001:db9::1]"], "2001:db9::1");
        check("10.0.0.1", &["2001:db9::1"], "2001:db9::1");
        check("::ffff:10.0.0.1", &["::ffff:203.0.113.7"], "203.0.113.7");
        check(
            "2001:db8::5",
            &["203.0.113.7, [::ffff:10.0.0.9]:1"],
            "203.0.113.7",
        );
        check("::ffff:198.51.100.1", &["1.2.3.4"], "198.51.100.1");
    }

    #[test]
    fn long_headers_are_not_walked_completely() {
        let endless = vec!["10.0.0.2"; 10_000].join(",");
        check("10.0.0.1", &[&format!("203.0.113.7,{endless}")], "10.0.0.2");
    }

    #[test]
    fn networks_are_addresses_with_or_without_bits() {
        let written = |text| network(text).map(|network| network.to_string());
        assert_eq!(written("10.1.2.3/8"), Ok("10.0.0.0/8".to_owned()));
        assert_eq!(written(" 127.0.0.1 "), Ok("127.0.0.1/32".to_owned()));
        assert_eq!(written("::1"), Ok("::1/128".to_owned()));
        assert_eq!(written("::ffff:10.0.0.0/104"), Ok("10.0.0.0/8".to_owned()));
        assert_eq!(written("::/0"), Ok("::/0".to_owned()));
        for bad in [
            "",
            "localhost",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0/8",
            "1.2.3.4:80",
        ] {
            assert!(network(bad).is_err(), "{bad}");
        }
    }
}
