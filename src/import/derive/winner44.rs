//! Finds the winner of a lot under 44-FZ. This is the supplier of the contract; if no contract is
//! published, the participant who signed one; if none is signed, the best application in the newest
//! final protocol. Applications excluded by an evasion, a deviation or a refusal do not count.
//! Protocols since 2022 hide the participants, so the price may be known although the winner is
//! not. The manual states the rules in the chapter "Fields", "Winner".

use std::collections::BTreeSet;

use super::concluded::ConcludedContract;
use super::sum::sum;
use crate::import::facts::{
    LotOutcome44, Protocol44Facts, RankedApplication44, SupplierFacts, Withdrawal44,
};
use crate::model::{Amount, Winner};

pub struct Outcomes<'s> {
    /// The protocols in force, newest first.
    pub protocols: Vec<&'s Protocol44Facts>,
    pub withdrawals: Vec<&'s Withdrawal44>,
}

/// How protocols refer to a lot.
pub struct LotPlace<'a> {
    /// Number of the lot; `None` for the only lot of a purchase.
    pub number: Option<u64>,
    /// The lot's customers, by their numbers in the register of organizations.
    pub customers: &'a [String],
}

impl LotPlace<'_> {
    /// Returns whether a document that states the lot number `lot` means this lot.
    fn is(&self, lot: Option<u64>) -> bool {
        self.number.is_none() || self.number == lot
    }

    fn is_joint(&self) -> bool {
        self.customers.len() > 1
    }
}

impl<'s> Outcomes<'s> {
    pub fn is_signed(&self) -> bool {
        self.protocols.iter().any(|protocol| protocol.is_signed)
    }

    /// Returns the winner of a lot, with empty fields if no winner is known. `newest_first` has the
    /// newest contract of each customer of the lot.
    pub fn winner(&self, lot: &LotPlace<'_>, newest_first: &[&ConcludedContract]) -> Winner {
        let best = self.best(lot);
        let signed = self.signed(lot);
        if let Some(newest) = newest_first.first() {
            let price = match lot.is_joint() {
                true => joint_price(lot, newest_first, best.as_ref()),
                false => newest.price,
            };
            return winner(newest.suppliers.first(), price);
        }
        match (signed, best) {
            // In a joint purchase, one signed contract covers only a part of the price, so the
            // price comes from the protocol.
            (Some(signed), Some(best)) if lot.is_joint() => {
                winner(signed.participant.as_ref(), best.price)
            }
            (Some(signed), best) => {
                let same = best.filter(|best| best.number == signed.number);
                let price = signed.price.or(same.and_then(|best| best.price));
                winner(signed.participant.as_ref(), price)
            }
            (None, Some(best)) => winner(best.participant.as_ref(), best.price),
            (None, None) => Winner::default(),
        }
    }

    /// Newest first.
    fn of_lot<'l>(
        &'l self,
        lot: &'l LotPlace<'_>,
    ) -> impl Iterator<Item = (&'s Protocol44Facts, &'s LotOutcome44)> + 'l {
        self.protocols.iter().filter_map(|protocol| {
            let mut outcomes = protocol.lots.iter();
            Some((*protocol, outcomes.find(|outcome| lot.is(outcome.lot))?))
        })
    }

    /// Returns the application behind the newest signed contract whose participant was not
    /// excluded.
    fn signed(&self, lot: &LotPlace<'_>) -> Option<&'s RankedApplication44> {
        let mut signed = self
            .of_lot(lot)
            .filter(|(protocol, _)| protocol.is_signed)
            .filter_map(|(_, outcome)| outcome.ranked.first());
        signed.find(|application| !self.is_excluded(application, lot))
    }

    /// Returns the best application that was not excluded. It comes from the newest final protocol
    /// that either ranks applications or says that nobody won. Its participant and price may come
    /// from other protocols.
    fn best(&self, lot: &LotPlace<'_>) -> Option<RankedApplication44> {
        let protocols = || self.of_lot(lot).filter(|(protocol, _)| !protocol.is_signed);
        let mut ranking = protocols().filter(|(protocol, _)| protocol.is_final);
        let is_decisive =
            |(_, outcome): &(_, &LotOutcome44)| outcome.nobody || !outcome.ranked.is_empty();
        let (_, newest) = ranking.find(is_decisive)?;
        let mut left = newest.ranked.iter();
        let best = left.find(|application| !self.is_excluded(application, lot))?;
        let participant = || {
            let ranked = || protocols().flat_map(|(_, outcome)| &outcome.ranked);
            ranked()
                .filter(|other| !best.number.is_empty() && other.number == best.number)
                .find_map(|other| other.participant.clone())
        };
        let offered = || protocols().find_map(|(_, outcome)| offer(outcome, &best.number));
        Some(RankedApplication44 {
            number: best.number.clone(),
            participant: best.participant.clone().or_else(participant),
            price: best.price.or_else(offered),
        })
    }

    /// Returns whether an application is excluded for every customer of the lot.
    fn is_excluded(&self, application: &RankedApplication44, lot: &LotPlace<'_>) -> bool {
        let refuses = |(_, outcome): (_, &LotOutcome44)| {
            !application.number.is_empty() && outcome.refused.contains(&application.number)
        };
        if self.of_lot(lot).any(refuses) {
            return true;
        }
        let about_it = self
            .withdrawals
            .iter()
            .filter(|withdrawal| lot.is(withdrawal.lot) && is_of(withdrawal, application));
        let about_it: Vec<_> = about_it.collect();
        match lot.customers {
            [] | [_] => !about_it.is_empty(),
            several => {
                let is_covered = |code: &String| about_it.iter().any(|one| one.customer == *code);
                let drafts = about_it.iter().map(|one| one.draft.as_str());
                let drafts: BTreeSet<&str> = drafts.filter(|draft| !draft.is_empty()).collect();
                // A draft contract does not name the customer, but each customer has exactly one.
                several.iter().all(is_covered) || drafts.len() >= several.len()
            }
        }
    }
}

/// Returns whether a document is about this application. Compares application numbers, or
/// participants if there is no number.
fn is_of(withdrawal: &Withdrawal44, application: &RankedApplication44) -> bool {
    if !withdrawal.application.is_empty() && !application.number.is_empty() {
        return withdrawal.application == application.number;
    }
    let (Some(one), Some(other)) = (&withdrawal.participant, &application.participant) else {
        return false;
    };
    match (one.inn.as_str(), other.inn.as_str()) {
        ("", "") => one.name == other.name,
        (one, other) => one == other,
    }
}

/// Returns the price of an application in a protocol: as stated in the ranking, or else the last
/// offer.
fn offer(outcome: &LotOutcome44, number: &str) -> Option<Amount> {
    if number.is_empty() {
        return None;
    }
    let mut ranked = outcome.ranked.iter();
    let won = ranked.find(|one| one.number == number);
    let mut offers = outcome.offers.iter();
    won.and_then(|one| one.price).or_else(|| {
        let last = offers.find(|offer| offer.application == number)?;
        Some(last.price)
    })
}

/// Returns the price of a joint purchase, in which each customer concludes a contract of its own.
/// This is the price in the protocol, unless the protocol names another supplier. Otherwise, it is
/// the sum of the contracts, once every customer has one with the same supplier.
fn joint_price(
    lot: &LotPlace<'_>,
    newest_first: &[&ConcludedContract],
    best: Option<&RankedApplication44>,
) -> Option<Amount> {
    let supplier = |one: &ConcludedContract| one.suppliers.first().map(|one| one.inn.clone());
    let first = supplier(newest_first.first()?);
    let is_theirs = |best: &&RankedApplication44| {
        let inn = best.participant.as_ref().map(|one| &one.inn);
        inn.is_none() || inn == first.as_ref()
    };
    if let Some(price) = best.filter(is_theirs).and_then(|best| best.price) {
        return Some(price);
    }
    let is_all = newest_first.len() == lot.customers.len()
        && newest_first
            .iter()
            .all(|one| supplier(one) == first && one.price.is_some());
    if !is_all {
        return None;
    }
    sum(newest_first.iter().map(|one| one.price))
}

fn winner(supplier: Option<&SupplierFacts>, price: Option<Amount>) -> Winner {
    let supplier = supplier.cloned().unwrap_or_default();
    Winner {
        name: supplier.name,
        inn: supplier.inn,
        kpp: supplier.kpp,
        price,
    }
}
