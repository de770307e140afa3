//! The protocols of a purchase that are in force.

use std::collections::{BTreeMap, BTreeSet};

use super::StoredFacts;
use crate::import::facts::Facts;

/// The protocols that were neither cancelled nor replaced, newest first. One that was
/// published again after the cancellation of its number is in force.
///
/// `protocol` returns the protocol in the facts, if they are of one, and the number of the one that
/// it replaces. The key of a `cancellation` is the number of the protocol.
pub fn in_force<'s, P>(
    stored: &'s [StoredFacts],
    cancellation: &Facts,
    protocol: impl Fn(&'s Facts) -> Option<(&'s P, &'s str)>,
) -> Vec<&'s P> {
    let cancelled: BTreeMap<&str, i64> = stored
        .iter()
        .filter(|stored| *stored.facts == *cancellation)
        .map(|stored| (stored.key.as_str(), stored.published))
        .collect();
    let is_cancelled = |stored: &StoredFacts| {
        let cancelled = cancelled.get(stored.key.as_str());
        cancelled.is_some_and(|cancelled| !(1..stored.published).contains(cancelled))
    };
    let mut protocols: Vec<(&StoredFacts, &P)> = Vec::new();
    let mut replaced = BTreeSet::new();
    for stored in stored.iter().filter(|stored| !is_cancelled(stored)) {
        let Some((protocol, replaces)) = protocol(&stored.facts) else {
            continue;
        };
        protocols.push((stored, protocol));
        if replaces != stored.key {
            replaced.insert(replaces);
        }
    }
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

    fn of_44(facts: &Facts) -> Option<(&Protocol44Facts, &str)> {
        match facts {
            Facts::Protocol44(facts) => Some((facts, &facts.replaces)),
            _ => None,
        }
    }

    /// For each protocol in force, whether it is final, which identifies it.
    fn finals(stored: &[StoredFacts]) -> Vec<bool> {
        let protocols = in_force(stored, &Facts::ProtocolCancel44, of_44);
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
