//! The card of a purchase under PP-615 (the mapping, sections 4 and 7): its notice,
//! its protocols and its contract.

use std::collections::{BTreeMap, BTreeSet};

use super::Known;
use crate::import::facts::{Contract615Facts, Facts, Protocol615Facts};
use crate::model::{Purchase615, Winner615};

/// The card, if there is a notice.
pub fn derive(known: &[Known]) -> Option<Purchase615> {
    let notice = known.iter().find_map(|known| match &known.facts {
        Facts::Notice615(notice) => Some(notice),
        _ => None,
    })?;
    let mut card = (**notice).clone();
    let contract = contract(known);
    card.winner = winner(known)
        .or_else(|| contract.and_then(supplier))
        .unwrap_or_default();
    if let Some(facts) = contract {
        card.contract.clone_from(&facts.contract);
    }
    Some(card)
}

/// The contract signed last; of several signed on a day that of the greatest number.
fn contract(known: &[Known]) -> Option<&Contract615Facts> {
    let contracts = known.iter().filter_map(|known| match &known.facts {
        Facts::Contract615(facts) => Some(facts),
        _ => None,
    });
    contracts.max_by_key(|facts| (facts.sign_date, facts.contract.reg_num.as_str()))
}

/// The winner that the newest final protocol names, of those neither cancelled nor
/// replaced.
fn winner(known: &[Known]) -> Option<Winner615> {
    let cancelled: BTreeMap<&str, i64> = known
        .iter()
        .filter(|known| known.facts == Facts::ProtocolCancel615)
        .map(|known| (known.key.as_str(), known.published))
        .collect();
    let counts = |known: &&Known| {
        let cancelled = cancelled.get(known.key.as_str());
        cancelled.is_none_or(|cancelled| (1..known.published).contains(cancelled))
    };
    let protocols: Vec<(&Known, &Protocol615Facts)> = known
        .iter()
        .filter(counts)
        .filter_map(|known| match &known.facts {
            Facts::Protocol615(facts) => Some((known, facts)),
            _ => None,
        })
        .collect();
    let replaced: BTreeSet<&str> = protocols
        .iter()
        .filter(|(known, facts)| facts.replaces != known.key)
        .map(|(_, facts)| facts.replaces.as_str())
        .collect();
    protocols
        .iter()
        .filter(|(known, facts)| {
            let names_one = facts.is_final && facts.winner != Winner615::default();
            names_one && !replaced.contains(known.key.as_str())
        })
        .max_by_key(|(known, _)| (known.published, known.key.as_str()))
        .map(|(_, facts)| facts.winner.clone())
}

/// The first supplier of the contract, as a winner.
fn supplier(facts: &Contract615Facts) -> Option<Winner615> {
    let supplier = facts.contract.suppliers.first()?;
    Some(Winner615 {
        name: supplier.name.clone(),
        inn: supplier.inn.clone(),
        kpp: supplier.kpp.clone(),
        price: facts.contract.price,
        ..Winner615::default()
    })
}
