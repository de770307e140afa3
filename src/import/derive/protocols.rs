//! Selects the protocols of a purchase under 44-FZ that are in force, and the documents of evasion,
//! deviation and refusal.

use std::collections::{BTreeMap, BTreeSet};

use super::StoredFacts;
use crate::import::facts::{Facts, Protocol44Facts, Withdrawal44};

/// Returns the protocols that were neither cancelled nor replaced, newest first. A protocol
/// published after the cancellation of its number is in force.
///
/// The cancellation of a protocol refers to the protocol's key, the cancellation of a signing to
/// the number of the draft contract, and a replacement to the key or to the number in EIS.
pub fn in_force(stored: &[StoredFacts]) -> Vec<&Protocol44Facts> {
    let cancellations = Cancellations::of(stored, &Facts::ProtocolCancel44);
    let signings = Cancellations::of_signing(stored);
    let mut protocols: Vec<(&StoredFacts, &Protocol44Facts)> = Vec::new();
    let mut replaced = BTreeSet::new();
    for stored in stored {
        let Facts::Protocol44(protocol) = &*stored.facts else {
            continue;
        };
        let draft = stored.key.strip_prefix("contract ").unwrap_or_default();
        if cancellations.cancel(&stored.key, stored.published)
            || protocol.is_signed && signings.cancel(draft, stored.published)
        {
            continue;
        }
        protocols.push((stored, protocol));
        let replaces = protocol.replaces.as_str();
        if !replaces.is_empty() && replaces != stored.key && replaces != protocol.doc_number {
            replaced.insert(replaces);
        }
    }
    protocols.retain(|(stored, protocol)| {
        !replaced.contains(stored.key.as_str()) && !replaced.contains(protocol.doc_number.as_str())
    });
    protocols.sort_by_key(|(stored, _)| std::cmp::Reverse((stored.published, stored.key.as_str())));
    protocols
        .into_iter()
        .map(|(_, protocol)| protocol)
        .collect()
}

/// Returns the documents of evasion, deviation and refusal that were neither cancelled nor
/// replaced.
pub fn withdrawals(stored: &[StoredFacts]) -> Vec<&Withdrawal44> {
    let protocols = Cancellations::of(stored, &Facts::ProtocolCancel44);
    let cancellations = Cancellations::of(stored, &Facts::WithdrawalCancel44);
    let in_force = stored.iter().filter_map(|stored| match &*stored.facts {
        Facts::Withdrawal44(facts) => {
            let is_cancelled = protocols.cancel(&stored.key, stored.published)
                || cancellations.cancel(&stored.key, stored.published)
                || cancellations.cancel(&facts.external_number, stored.published);
            Some((stored.key.as_str(), facts)).filter(|_| !is_cancelled)
        }
        _ => None,
    });
    let in_force: Vec<_> = in_force.collect();
    let replaced: BTreeSet<&str> = in_force
        .iter()
        .filter(|(key, facts)| facts.replaces != *key)
        .map(|(_, facts)| facts.replaces.as_str())
        .collect();
    let left = in_force
        .into_iter()
        .filter(|(key, _)| key.is_empty() || !replaced.contains(key));
    left.map(|(_, facts)| facts).collect()
}

/// Publication times of cancellations, by the cancelled number.
struct Cancellations<'s>(BTreeMap<&'s str, i64>);

impl<'s> Cancellations<'s> {
    fn of(stored: &'s [StoredFacts], cancellation: &Facts) -> Self {
        let cancelling = stored.iter().filter(|one| *one.facts == *cancellation);
        Self(
            cancelling
                .map(|one| (one.key.as_str(), one.published))
                .collect(),
        )
    }

    /// Collects the cancellations of signings, by the number of the draft contract.
    fn of_signing(stored: &'s [StoredFacts]) -> Self {
        let mut newest = BTreeMap::new();
        for one in stored {
            let Facts::SigningCancel44(facts) = &*one.facts else {
                continue;
            };
            if !facts.revoked {
                let last = newest.entry(facts.draft.as_str()).or_insert(one.published);
                *last = (*last).max(one.published);
            }
        }
        Self(newest)
    }

    /// Returns whether a document with this number and publication time is cancelled. A
    /// cancellation without a time applies to every document with the number.
    fn cancel(&self, number: &str, published: i64) -> bool {
        let cancelled = self.0.get(number).filter(|_| !number.is_empty());
        cancelled.is_some_and(|cancelled| !(1..published).contains(cancelled))
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    fn protocol(number: &str, published: i64, replaces: &str) -> StoredFacts {
        StoredFacts {
            id: 0,
            key: number.to_owned(),
            version: 0,
            published,
            facts: Box::new(Facts::Protocol44(Protocol44Facts {
                replaces: replaces.to_owned(),
                is_final: published % 2 == 1,
                ..Protocol44Facts::default()
            })),
        }
    }

    fn cancellation(number: &str, published: i64) -> StoredFacts {
        StoredFacts {
            id: 0,
            key: number.to_owned(),
            version: 0,
            published,
            facts: Box::new(Facts::ProtocolCancel44),
        }
    }

    /// For each protocol in force, whether it is final. The tests use this to tell protocols apart.
    fn finals(stored: &[StoredFacts]) -> Vec<bool> {
        let protocols = in_force(stored);
        protocols.iter().map(|protocol| protocol.is_final).collect()
    }

    #[test]
    fn the_newest_protocol_comes_first() {
        let stored = [protocol("1", 10, ""), protocol("2", 21, "")];
        assert_eq!(finals(&stored), [true, false]);
    }

    #[test]
    fn a_replaced_or_cancelled_protocol_does_not_count() {
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
        // A cancellation without a time applies at any time.
        let stored = [protocol("1", 10, ""), cancellation("1", 0)];
        assert_eq!(finals(&stored), [false; 0]);
    }

    #[test]
    fn a_protocol_can_be_replaced_by_either_of_its_numbers() {
        let mut replaced = protocol("platform 1", 11, "");
        *replaced.facts = Facts::Protocol44(Protocol44Facts {
            doc_number: "EIS 1".to_owned(),
            is_final: true,
            ..Protocol44Facts::default()
        });
        for number in ["platform 1", "EIS 1"] {
            let stored = [replaced.clone(), protocol("2", 20, number)];
            assert_eq!(finals(&stored), [false], "{number}");
        }
    }

    #[test]
    fn a_protocol_published_after_its_cancellation_counts() {
        let stored = [protocol("1", 31, ""), cancellation("1", 30)];
        assert_eq!(finals(&stored), [true]);
        // A protocol that claims to replace itself is in force.
        assert_eq!(finals(&[protocol("1", 31, "1")]), [true]);
    }
}
