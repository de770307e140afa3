//! The card of a purchase under PP-615 (the manual, Fields): its notice,
//! its protocols and its contract.

use super::StoredFacts;
use super::protocols::in_force;
use crate::import::facts::{Contract615Facts, Facts, Protocol615Facts};
use crate::model::{Purchase615, Winner615};

/// The card, if there is a notice.
pub fn derive(stored: &[StoredFacts]) -> Option<Purchase615> {
    let notice = stored.iter().find_map(|stored| match &*stored.facts {
        Facts::Notice615(notice) => Some(notice),
        _ => None,
    })?;
    let mut card = (**notice).clone();
    let contract = contract(stored);
    card.winner = winner(stored)
        .or_else(|| contract.and_then(supplier))
        .unwrap_or_default();
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

/// A protocol, and the number of the one that it replaces.
fn protocol(facts: &Facts) -> Option<(&Protocol615Facts, &str)> {
    match facts {
        Facts::Protocol615(facts) => Some((facts, &facts.replaces)),
        _ => None,
    }
}

/// The winner in the newest final protocol that is in force.
fn winner(stored: &[StoredFacts]) -> Option<Winner615> {
    let protocols = in_force(stored, &Facts::ProtocolCancel615, protocol);
    let names_one =
        |facts: &&&Protocol615Facts| facts.is_final && facts.winner != Winner615::default();
    protocols
        .iter()
        .find(names_one)
        .map(|facts| facts.winner.clone())
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
