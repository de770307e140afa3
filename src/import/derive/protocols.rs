//! The protocols of a purchase that are in force.

use std::collections::{BTreeMap, BTreeSet};

use super::StoredFacts;
use crate::import::facts::Facts;

/// A protocol, as far as it affects whether another is in force.
pub trait Protocol {
    /// The protocol in the facts, if they are of one.
    fn from_facts(facts: &Facts) -> Option<&Self>;

    /// The facts of its cancellation, whose key is the number of the protocol.
    const CANCELLATION: Facts;

    /// The number of the protocol that it replaces; empty if it replaces none.
    fn replaces(&self) -> &str;
}

/// The protocols that were neither cancelled nor replaced, newest first. One that was
/// published again after the cancellation of its number is in force.
pub fn in_force<P: Protocol>(stored: &[StoredFacts]) -> Vec<&P> {
    let cancelled: BTreeMap<&str, i64> = stored
        .iter()
        .filter(|stored| *stored.facts == P::CANCELLATION)
        .map(|stored| (stored.key.as_str(), stored.published))
        .collect();
    let is_cancelled = |stored: &StoredFacts| {
        let cancelled = cancelled.get(stored.key.as_str());
        cancelled.is_some_and(|cancelled| !(1..stored.published).contains(cancelled))
    };
    let mut protocols: Vec<(&StoredFacts, &P)> = stored
        .iter()
        .filter(|stored| !is_cancelled(stored))
        .filter_map(|stored| P::from_facts(&stored.facts).map(|protocol| (stored, protocol)))
        .collect();
    let replaced: BTreeSet<&str> = protocols
        .iter()
        .map(|(stored, protocol)| (stored.key.as_str(), protocol.replaces()))
        .filter(|(number, replaces)| number != replaces)
        .map(|(_, replaces)| replaces)
        .collect();
    protocols.retain(|(stored, _)| !replaced.contains(stored.key.as_str()));
    protocols.sort_by_key(|(stored, _)| std::cmp::Reverse((stored.published, stored.key.as_str())));
    protocols
        .into_iter()
        .map(|(_, protocol)| protocol)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::import::facts::Protocol44Facts;

    fn protocol(number: &str, published: i64, replaces: &str) -> StoredFacts {
        StoredFacts {
            key: number.to_owned(),
            version: 0,
            published,
            facts: Arc::new(Facts::Protocol44(Protocol44Facts {
                replaces: replaces.to_owned(),
                is_final: published % 2 == 1,
                ..Protocol44Facts::default()
            })),
        }
    }

    fn cancellation(number: &str, published: i64) -> StoredFacts {
        StoredFacts {
            key: number.to_owned(),
            version: 0,
            published,
            facts: Arc::new(Facts::ProtocolCancel44),
        }
    }

    /// For each protocol in force, whether it is final, which identifies it.
    fn finals(stored: &[StoredFacts]) -> Vec<bool> {
        let protocols: Vec<&Protocol44Facts> = in_force(stored);
        protocols.iter().map(|protocol| protocol.is_final).collect()
    }

    #[test]
    fn the_newest_stands_first() {
        let stored = [protocol("1", 10, ""), protocol("2", 21, "")];
        assert_eq!(finals(&stored), [true, false]);
    }

    #[test]
    fn one_that_was_replaced_or_cancelled_does_not_count() {
        let stored = [protocol("1", 10, ""), protocol("2", 21, "1")];
        assert_eq!(finals(&stored), [true]);
        let stored = [
            protocol("1", 10, ""),
            protocol("2", 21, ""),
            cancellation("2", 30),
        ];
        assert_eq!(finals(&stored), [false]);
        // A cancelled protocol replaces nothing.
        let stored = [
            protocol("1", 10, ""),
            protocol("2", 21, "1"),
            cancellation("2", 30),
        ];
        assert_eq!(finals(&stored), [false]);
        // A cancellation without a time counts.
        let stored = [protocol("1", 10, ""), cancellation("1", 0)];
        assert_eq!(finals(&stored), [false; 0]);
    }

    #[test]
    fn one_that_was_published_after_its_cancellation_counts() {
        let stored = [protocol("1", 31, ""), cancellation("1", 30)];
        assert_eq!(finals(&stored), [true]);
        // One that names itself as replaced is in force.
        assert_eq!(finals(&[protocol("1", 31, "1")]), [true]);
    }
}
