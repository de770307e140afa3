//! Derives the card of a purchase under PP-615 from its notice, protocols and contract. The manual
//! states the rules in the chapter "Fields".

use std::collections::BTreeSet;

use super::StoredFacts;
use crate::import::facts::{
    Contract615Facts, Facts, OnCard, Protocol615Facts, SupplierFacts, Winner615Facts,
};
use crate::model::{Purchase615, PurchaseContract, PurchaseNumber, Winner615};

/// Returns `None` if there is no notice.
pub fn derive(number: &PurchaseNumber, stored: &[StoredFacts]) -> Option<Purchase615> {
    let notice = stored.iter().find_map(|stored| match &*stored.facts {
        Facts::Notice615(notice) => Some(notice),
        _ => None,
    })?;
    let mut card = notice.on_card(number);
    let contract = contract(stored);
    let signed = contract.map_or(&[][..], |facts| &facts.suppliers[..]);
    card.winner = match (contract, signed) {
        (Some(contract), [first, ..]) => by_protocol(stored, |winner| {
            signed.iter().any(|supplier| is_same(winner, supplier))
        })
        .unwrap_or_else(|| by_contract(contract, first)),
        _ => by_protocol(stored, |winner| !is_excluded(stored, winner)).unwrap_or_default(),
    };
    if let Some(facts) = contract {
        card.contract = PurchaseContract {
            reg_num: facts.reg_num.clone(),
            price: facts.price,
            end_date: facts.end_date,
            suppliers: facts.suppliers.on_card(),
        };
    }
    Some(card)
}

/// Returns the contract that was signed last. Of several signed on that day, takes the one with the
/// greatest number.
fn contract(stored: &[StoredFacts]) -> Option<&Contract615Facts> {
    let contracts = stored.iter().filter_map(|stored| match &*stored.facts {
        Facts::Contract615(facts) => Some(facts),
        _ => None,
    });
    contracts.max_by_key(|facts| (facts.sign_date, facts.reg_num.as_str()))
}

/// Returns the winner in the newest final protocol that names one. Returns `None` if `counts`
/// rejects that winner.
fn by_protocol(stored: &[StoredFacts], counts: impl Fn(&Winner615) -> bool) -> Option<Winner615> {
    let protocols = protocols_in_force(stored).into_iter();
    let mut final_ones = protocols.filter(|facts| facts.is_final);
    let named = final_ones.find(|facts| facts.winner != Winner615Facts::default())?;
    let Winner615Facts {
        protocol_date,
        protocol_number,
        participant,
        price,
    } = named.winner.clone();
    let winner = Winner615 {
        protocol_date,
        protocol_number,
        name: participant.name,
        inn: participant.inn,
        kpp: participant.kpp,
        price,
    };
    Some(winner).filter(counts)
}

/// Returns the protocols that were neither cancelled nor replaced by a later version, newest first.
/// A cancellation refers to the platform's number; the number in EIS is the same for all versions.
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

fn is_excluded(stored: &[StoredFacts], winner: &Winner615) -> bool {
    stored.iter().any(|stored| match &*stored.facts {
        Facts::Excluded615(act) => {
            let participant = act.participant.as_ref();
            participant.is_some_and(|participant| is_same(winner, participant))
        }
        _ => false,
    })
}

fn is_same(winner: &Winner615, participant: &SupplierFacts) -> bool {
    match (winner.inn.as_str(), participant.inn.as_str()) {
        ("", "") => !winner.name.is_empty() && winner.name == participant.name,
        (one, other) => one == other,
    }
}

fn by_contract(facts: &Contract615Facts, supplier: &SupplierFacts) -> Winner615 {
    Winner615 {
        name: supplier.name.clone(),
        inn: supplier.inn.clone(),
        kpp: supplier.kpp.clone(),
        price: facts.price,
        ..Winner615::default()
    }
}
