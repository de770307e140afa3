//! Which protocols of a purchase count.

use std::collections::{BTreeMap, BTreeSet};

use super::StoredFacts;
use crate::import::facts::Facts;

/// A protocol, as far as it tells whether another one counts.
pub trait Protocol {
    /// What facts say of such a protocol, if they are of one.
    fn from_facts(facts: &Facts) -> Option<&Self>;

    /// The facts of its cancellation, whose key is the number of the protocol.
    const CANCELLATION: Facts;

    /// The number of the protocol that it replaces; empty if it replaces none.
    fn replaces(&self) -> &str;
}

/// The protocols that were neither cancelled nor replaced, the newest first. One that
/// was published anew after the cancellation of its number counts.
pub fn that_count<P: Protocol>(known: &[StoredFacts]) -> Vec<&P> {
    let cancelled: BTreeMap<&str, i64> = known
        .iter()
        .filter(|known| known.facts == P::CANCELLATION)
        .map(|known| (known.key.as_str(), known.published))
        .collect();
    let is_cancelled = |known: &StoredFacts| {
        let cancelled = cancelled.get(known.key.as_str());
        cancelled.is_some_and(|cancelled| !(1..known.published).contains(cancelled))
    };
    let mut protocols: Vec<(&StoredFacts, &P)> = known
        .iter()
        .filter(|known| !is_cancelled(known))
        .filter_map(|known| P::from_facts(&known.facts).map(|protocol| (known, protocol)))
        .collect();
    let replaced: BTreeSet<&str> = protocols
        .iter()
        .map(|(known, protocol)| (known.key.as_str(), protocol.replaces()))
        .filter(|(number, replaces)| number != replaces)
        .map(|(_, replaces)| replaces)
        .collect();
    protocols.retain(|(known, _)| !replaced.contains(known.key.as_str()));
    protocols.sort_by_key(|(known, _)| std::cmp::Reverse((known.published, known.key.as_str())));
    protocols
        .into_iter()
        .map(|(_, protocol)| protocol)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::facts::Protocol44Facts;

    fn protocol(number: &str, published: i64, replaces: &str) -> StoredFacts {
        StoredFacts {
            key: number.to_owned(),
            version: 0,
            published,
            facts: Facts::Protocol44(Protocol44Facts {
                replaces: replaces.to_owned(),
                is_final: published % 2 == 1,
                ..Protocol44Facts::default()
            }),
        }
    }

    fn cancellation(number: &str, published: i64) -> StoredFacts {
        StoredFacts {
            key: number.to_owned(),
            version: 0,
            published,
            facts: Facts::ProtocolCancel44,
        }
    }

    /// Whether those that count are final, which tells them apart.
    fn finals(known: &[StoredFacts]) -> Vec<bool> {
        let protocols: Vec<&Protocol44Facts> = that_count(known);
        protocols.iter().map(|protocol| protocol.is_final).collect()
    }

    #[test]
    fn the_newest_stands_first() {
        let known = [protocol("1", 10, ""), protocol("2", 21, "")];
        assert_eq!(finals(&known), [true, false]);
    }

    #[test]
    fn one_that_was_replaced_or_cancelled_does_not_count() {
        let known = [protocol("1", 10, ""), protocol("2", 21, "1")];
        assert_eq!(finals(&known), [true]);
        let known = [
            protocol("1", 10, ""),
            protocol("2", 21, ""),
            cancellation("2", 30),
        ];
        assert_eq!(finals(&known), [false]);
        // What was cancelled replaces nothing.
        let known = [
            protocol("1", 10, ""),
            protocol("2", 21, "1"),
            cancellation("2", 30),
        ];
        assert_eq!(finals(&known), [false]);
        // A cancellation that does not tell when it came counts.
        let known = [protocol("1", 10, ""), cancellation("1", 0)];
        assert_eq!(finals(&known), [false; 0]);
    }

    #[test]
    fn one_that_was_published_after_its_cancellation_counts() {
        let known = [protocol("1", 31, ""), cancellation("1", 30)];
        assert_eq!(finals(&known), [true]);
        // One that says that it replaces itself is itself.
        assert_eq!(finals(&[protocol("1", 31, "1")]), [true]);
    }
}
