//! The card of a purchase under PP-615 (the manual, Fields): its notice,
//! its protocols and its contract.

use std::collections::BTreeSet;

use super::StoredFacts;
use crate::import::facts::{Contract615Facts, Facts, Protocol615Facts};
use crate::model::{CardSupplier, Purchase615, Winner615};

/// The card, if there is a notice.
pub fn derive(stored: &[StoredFacts]) -> Option<Purchase615> {
    let notice = stored.iter().find_map(|stored| match &*stored.facts {
        Facts::Notice615(notice) => Some(notice),
        _ => None,
    })?;
    let mut card = (**notice).clone();
    let contract = contract(stored);
    let signed = contract.map_or(&[][..], |facts| &facts.contract.suppliers);
    card.winner = match (contract, signed) {
        (Some(contract), [first, ..]) => by_protocol(stored, |winner| {
            signed.iter().any(|supplier| is_same(winner, supplier))
        })
        .unwrap_or_else(|| by_contract(contract, first)),
        _ => by_protocol(stored, |winner| !is_excluded(stored, winner)).unwrap_or_default(),
    };
    if let Some(facts) = contract {
        card.contract.clone_from(&facts.contract);
    }
    Some(card)
}

/// The contract signed last; of several signed on the same day the one with the greatest
/// number.
fn contract(stored: &[StoredFacts]) -> Option<&Contract615Facts> {
    let contracts = stored.iter().filter_map(|stored| match &*stored.facts {
        Facts::Contract615(facts) => Some(facts),
        _ => None,
    });
    contracts.max_by_key(|facts| (facts.sign_date, facts.contract.reg_num.as_str()))
}

/// The winner in the newest final protocol that names one, if it is one of those `counts`
/// accepts.
fn by_protocol(stored: &[StoredFacts], counts: impl Fn(&Winner615) -> bool) -> Option<Winner615> {
    let protocols = protocols_in_force(stored).into_iter();
    let mut final_ones = protocols.filter(|facts| facts.is_final);
    let named = final_ones.find(|facts| facts.winner != Winner615::default())?;
    Some(named.winner.clone()).filter(counts)
}

/// The protocols that were neither cancelled nor replaced by a later version, newest first. A
/// cancellation names the platform's number; versions share the number in EIS.
fn protocols_in_force(stored: &[StoredFacts]) -> Vec<&Protocol615Facts> {
    let is_cancelled = |protocol: &StoredFacts| {
        stored.iter().any(|one| {
            *one.facts == Facts::ProtocolCancel615
                && one.key == protocol.key
                && !(1..protocol.published).contains(&one.published)
        })
    };
    let protocols = stored.iter().filter_map(|one| match &*one.facts {
        Facts::Protocol615(facts) if !is_cancelled(one) => Some((one, facts)),
        _ => None,
    });
    let mut protocols: Vec<_> = protocols.collect();
    protocols
        .sort_by_key(|(one, _)| std::cmp::Reverse((one.published, one.version, one.key.as_str())));
    let mut seen = BTreeSet::new();
    protocols
        .retain(|(_, facts)| facts.doc_number.is_empty() || seen.insert(facts.doc_number.as_str()));
    protocols.into_iter().map(|(_, facts)| facts).collect()
}

/// Returns whether an act says that the winner does not get the contract.
fn is_excluded(stored: &[StoredFacts], winner: &Winner615) -> bool {
    stored.iter().any(|stored| match &*stored.facts {
        Facts::Excluded615(Some(participant)) => is_same(winner, participant),
        _ => false,
    })
}

fn is_same(winner: &Winner615, participant: &CardSupplier) -> bool {
    match (winner.inn.as_str(), participant.inn.as_str()) {
        ("", "") => !winner.name.is_empty() && winner.name == participant.name,
        (one, other) => one == other,
    }
}

/// A supplier of the contract, as a winner.
fn by_contract(facts: &Contract615Facts, supplier: &CardSupplier) -> Winner615 {
    Winner615 {
        name: supplier.name.clone(),
        inn: supplier.inn.clone(),
        kpp: supplier.kpp.clone(),
        price: facts.contract.price,
        ..Winner615::default()
    }
}
