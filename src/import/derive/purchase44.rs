//! Derives the card of a purchase under 44-FZ from its notice, changes of dates, cancellations,
//! protocols and contracts. The manual states the rules in the chapter "Fields".

use std::borrow::Cow;

use super::StoredFacts;
use super::concluded::{ConcludedContract, ConcludedContracts, ContractCustomer};
use super::protocols::{in_force, withdrawals};
use super::winner44::{LotPlace, Outcomes};
use crate::import::facts::{
    Change44, ContractFacts, Customer44Facts, Facts, Lot44Facts, Notice44Facts, OnCard,
    ResponsibleOrg44Facts,
};
use crate::model::{
    CustomerContract, Date, DocumentedStage, Lot44, Moment, Purchase44, PurchaseNumber,
    PurchaseStage,
};

/// Returns the newest notice, with lots as later documents changed them, and the publication time
/// of the notice.
pub fn notice(stored: &[StoredFacts]) -> Option<(Cow<'_, Notice44Facts>, i64)> {
    let (notice, published) = stored.iter().find_map(|stored| match &*stored.facts {
        Facts::Notice44(notice) => Some((&**notice, stored.published)),
        _ => None,
    })?;
    let mut notice = Cow::Borrowed(notice);
    for stored in stored.iter().filter(|stored| stored.published > published) {
        if let Facts::LotChange44(change) = &*stored.facts {
            change_lot(&mut notice, change);
        }
    }
    Some((notice, published))
}

/// Replaces the lot that has the same number as the changed one.
fn change_lot(notice: &mut Cow<'_, Notice44Facts>, change: &Notice44Facts) {
    let (Some(lot), Some(codes)) = (change.card.lots.first(), change.customer_codes.first()) else {
        return;
    };
    let same = |other: &Lot44Facts| other.number == lot.number;
    let Some(index) = notice.card.lots.iter().position(same) else {
        return;
    };
    let notice = notice.to_mut();
    if let Some(current) = notice.card.lots.get_mut(index) {
        current.clone_from(lot);
    }
    if let Some(current) = notice.customer_codes.get_mut(index) {
        current.clone_from(codes);
    }
    notice.card.sum_up_lots();
}

/// Derives the card from all facts about the purchase, and from its contracts except annulled ones.
pub fn derive(
    number: &PurchaseNumber,
    notice: &Notice44Facts,
    published: i64,
    stored: &[StoredFacts],
    contracts: &ConcludedContracts,
) -> Purchase44 {
    let mut card = notice.card.on_card(number);
    for stored in stored.iter().filter(|stored| stored.published > published) {
        match &*stored.facts {
            Facts::NoticeChange44(change) => add_change(&mut card, change),
            Facts::OrgChange44(org) => change_org(&mut card, org),
            _ => {}
        }
    }
    card.first_publish_date = stored.iter().find_map(|stored| match *stored.facts {
        // The day is enough: only `procedureInfo` has times of day (specification, "Purchase, 44
        // shape").
        Facts::FirstNotice44(date) => Some(Moment::from_day(date)),
        _ => None,
    });
    let outcomes = Outcomes {
        protocols: in_force(stored),
        withdrawals: withdrawals(stored),
    };
    let cancelled = cancelled(notice, stored);
    if let Some(Some(day)) = cancelled {
        card.cancelled = String::from_utf8_lossy(&day.dotted()).into_owned();
    }
    card.stage = PurchaseStage::Documented(DocumentedStage {
        cancelled: cancelled.is_some(),
        finished: !contracts.is_empty() || outcomes.protocols.iter().any(|one| one.is_final),
        suspended: contracts.is_empty() && !outcomes.is_signed() && is_suspended(stored),
        submission_end: card.procedure.end.map(Moment::date),
    });
    let lots = card.lots.len();
    for (index, lot) in card.lots.iter_mut().enumerate() {
        let of_lot = contracts.of_lot(index);
        add_contracts(lot, index, notice, &of_lot);
        let place = LotPlace {
            number: lot.number.filter(|_| lots > 1),
            customers: notice.customer_codes.get(index).map_or(&[], Vec::as_slice),
        };
        lot.winner = outcomes.winner(&place, &of_lot);
    }
    card
}

/// Returns the lot for which a contract was concluded: the only lot, or else the lot with the
/// number that the contract states.
pub fn lot_of<'a>(
    notice: &'a Notice44Facts,
    facts: &ContractFacts,
) -> Option<(usize, &'a Lot44Facts)> {
    match &notice.card.lots[..] {
        [lot] => Some((0, lot)),
        lots => {
            let number = facts.lot?;
            lots.iter()
                .enumerate()
                .find(|(_, lot)| lot.number == Some(number))
        }
    }
}

/// Returns the customer of a lot that concluded a contract: the one with the contract's INN or
/// number in the register of organizations, or else the only one.
pub fn customer_of<'a>(
    notice: &'a Notice44Facts,
    lot: usize,
    customer: &ContractCustomer,
) -> Option<&'a Customer44Facts> {
    let index = customer_index(notice, lot, customer)?;
    notice.card.lots.get(lot)?.customers.get(index)
}

fn customer_index(
    notice: &Notice44Facts,
    lot: usize,
    customer: &ContractCustomer,
) -> Option<usize> {
    let customers = &notice.card.lots.get(lot)?.customers;
    let codes = notice.customer_codes.get(lot);
    let ContractCustomer { inn, code } = customer;
    let by_inn = || {
        let of_inn = |customer: &Customer44Facts| !inn.is_empty() && customer.inn == *inn;
        customers.iter().position(of_inn)
    };
    let by_code = || {
        codes?
            .iter()
            .position(|other| !code.is_empty() && other == code)
    };
    let only = || (customers.len() == 1).then_some(0);
    by_inn().or_else(by_code).or_else(only)
}

/// Applies a change of the responsible organization. If the INN stays the same, only the role
/// changes; otherwise, all fields are replaced. A change without a role keeps the role.
fn change_org(card: &mut Purchase44, org: &ResponsibleOrg44Facts) {
    let role = match org.role.as_str() {
        "" => std::mem::take(&mut card.responsible_org.role),
        role => role.to_owned(),
    };
    if card.responsible_org.inn != org.inn || org.inn.is_empty() {
        card.responsible_org = org.on_card();
    }
    card.responsible_org.role = role;
}

/// Applies dates that changed after the notice was published.
fn add_change(card: &mut Purchase44, change: &Change44) {
    let dates = &mut card.procedure;
    if change.scoring.is_some() && dates.first_parts.is_some() {
        dates.first_parts = change.scoring;
    }
    dates.end = change.end.or(dates.end);
    dates.opening = change.opening.or(dates.opening);
    dates.scoring = change.scoring.or(dates.scoring);
    dates.bidding = change.bidding.or(dates.bidding);
    dates.submission = change.submission.or(dates.submission);
    dates.second_parts = change.second_parts.or(dates.second_parts);
}

/// Returns `None` if the purchase is not cancelled, neither as a whole nor lot by lot. Otherwise,
/// returns the day of the cancellation, or of the last one if the lots were cancelled separately;
/// this is `Some(None)` if the day is unknown.
fn cancelled(notice: &Notice44Facts, stored: &[StoredFacts]) -> Option<Option<Date>> {
    let cancel = |key: &str| {
        stored.iter().find_map(|stored| match &*stored.facts {
            Facts::NoticeCancel44(cancel) if stored.key == key && !cancel.revoked => {
                Some(cancel.day)
            }
            _ => None,
        })
    };
    if let Some(day) = cancel("") {
        return Some(day);
    }
    let lots = &notice.card.lots;
    let mut last = None;
    for lot in lots {
        let number = lot.number.map(|number| number.to_string());
        last = last.max(number.as_deref().and_then(cancel)?);
    }
    (!lots.is_empty()).then_some(last)
}

/// Returns whether an authority suspended the purchase, and no later decision about the same
/// complaint or inspection lifts the suspension.
fn is_suspended(stored: &[StoredFacts]) -> bool {
    let decisions = stored.iter().filter_map(|stored| match &*stored.facts {
        Facts::Suspension44(decision) => Some((stored.published, decision)),
        _ => None,
    });
    let decisions: Vec<_> = decisions.collect();
    let is_lifted = |since: i64, numbers: &[String]| {
        decisions.iter().any(|(published, later)| {
            let is_about_it = later.numbers.iter().any(|one| numbers.contains(one));
            !later.suspended && *published >= since && is_about_it
        })
    };
    decisions.iter().any(|(published, decision)| {
        decision.suspended && !is_lifted(*published, &decision.numbers)
    })
}

/// Gives each customer of a lot the newest contract of that customer.
fn add_contracts(
    lot: &mut Lot44,
    index: usize,
    notice: &Notice44Facts,
    newest_first: &[&ConcludedContract],
) {
    for contract in newest_first.iter().rev() {
        let customer = customer_index(notice, index, &contract.customer)
            .and_then(|index| lot.customers.get_mut(index));
        if let Some(customer) = customer {
            customer.contract = CustomerContract {
                reg_num: contract.reg_num.clone(),
                price: contract.price,
                end_date: contract.end_date,
                suppliers: contract.suppliers.on_card(),
            };
        }
    }
}
