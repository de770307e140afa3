//! Protocols under 44-FZ, their outcomes and cancellations: who won, and at what price (the
//! manual, Fields, "Winner"; schemas `IntegrationTypes.xsd` and
//! `IntegrationEPTypes.xsd`).
//!
//! A protocol that a platform published again under another number stands beside the old one;
//! the newest counts.

mod application;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::kind::Kind;
use super::node::{KEY, Node, PUBLISHED, Result};
use crate::import::facts::{Fact, Facts, LotOutcome44, Protocol44Facts};
use crate::model::Regime;

/// Paths of the number of the purchase.
pub const NUMBERS: &[&str] = &[
    "purchaseNumber",
    "commonInfo/purchaseNumber",
    "notificationNumber",
    "foundation/order/purchaseNumber",
];

/// The fact that a document states.
fn fact(kind: &Kind, document: &Node<'_>, key: String, facts: Facts) -> Result<Vec<Fact>> {
    let published = [
        "publishDate",
        "docPublishDate",
        "commonInfo/publishDTInEIS",
        "commonInfo/docPublishDate",
        "createDate",
        "commonInfo/publishDTInETP",
        "signDate",
    ];
    Ok(vec![Fact {
        number: document
            .purchase_number(kind.number, Regime::Fz44)?
            .to_string(),
        key,
        version: document.version(&["versionNumber"])?,
        published: document.instant(PUBLISHED, &published)?,
        facts,
    }])
}

/// Reads the cancellation of a protocol, whose number is the key.
///
/// # Errors
/// The element that is missing or malformed.
pub fn cancellation(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let paths = [
        "protocolNumber",
        "commonInfo/canceledProtocolNumber",
        "canceledProtocolNumber",
    ];
    let key = document.required(KEY, &paths)?.to_owned();
    fact(kind, document, key, Facts::ProtocolCancel44)
}

/// Reads a protocol. It ends the choice if its kind does, or if none of its lots has an
/// application left. Its key is its number; ep* protocols have the platform's
/// (`docNumberExternal`), as cancellations refer to that.
///
/// # Errors
/// As [`cancellation`].
pub fn protocol(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let key = document.text(
        KEY,
        &[
            "protocolNumber",
            "commonInfo/docNumberExternal",
            "commonInfo/docNumber",
            "docNumber",
            "id",
        ],
    );
    // A preliminary selection ends with a list of suppliers, not with a winner.
    let names_winner = kind.ends && document.name() != "fcsProtocolPO";
    let participants = participants(document);
    let lots = document.all(LOTS);
    let mut outcomes = Vec::with_capacity(lots.len());
    for lot in &lots {
        outcomes.push(outcome(lot, names_winner, &participants)?);
    }
    let of_all = abandoned(document);
    let reasons: Vec<&str> = lots
        .iter()
        .map(|lot| match abandoned(lot) {
            "" => of_all,
            reason => reason,
        })
        .collect();
    let none_left = !lots.is_empty() && reasons.iter().all(|reason| leaves_none(reason));
    // Even after an auction without an offer the second parts are examined.
    let no_offers = reasons.iter().any(|reason| reason.ends_with("NS"))
        && document.name().ends_with("EFInvalidation");
    let replaces = document.text(
        "winner",
        &[
            "parentProtocolNumber",
            "modificationInfo/parentProtocolNumber",
            "modification/parentProtocolNumber",
        ],
    );
    let facts = Protocol44Facts {
        replaces: replaces.to_owned(),
        is_final: (kind.ends && !no_offers) || none_left,
        lots: outcomes,
    };
    fact(kind, document, key.to_owned(), Facts::Protocol44(facts))
}

/// The reason why a lot, or all of them, failed (`abandonedReason`): its type, or the code that
/// ends with the type.
fn abandoned<'e>(source: &Node<'e>) -> &'e str {
    source.text("stage", &["abandonedReason/type", "abandonedReason/code"])
}

/// Returns whether no application was submitted (`NR`) or admitted (`NV`, `NV2`, …).
fn leaves_none(reason: &str) -> bool {
    let kind = reason.trim_end_matches(|letter: char| letter.is_ascii_digit());
    kind.ends_with("NR") || kind.ends_with("NV")
}

/// Paths of the lots; `protocolInfo` in schemas without lots.
const LOTS: &[&str] = &["protocolLot", "protocolLots/protocolLot", "protocolInfo"];

/// Paths of the applications of a lot: of fcs*, and of ep*.
const APPLICATIONS: &[&str] = &[
    "application",
    "applicationInfo",
    "applications/application",
    "applications/applicationInfo",
    "applicationsInfo/applicationInfo",
    "applicationsInfo/application",
];

/// The participants that protocols whose names end in `Part` list separately, by
/// application.
fn participants<'e>(document: &Node<'e>) -> HashMap<&'e str, Node<'e>> {
    let entries = document.all(&["appParticipantsInfo/appParticipantInfo"]);
    let participant = |entry: Node<'e>| {
        let number = entry.text("winner", &["appNumber"]);
        Some((number, entry.first(&["participantInfo"])?))
    };
    entries.into_iter().filter_map(participant).collect()
}

/// The outcome of a lot. Only a protocol that sums up names a winner: the one rated first,
/// or the only one admitted.
fn outcome(
    lot: &Node<'_>,
    names_winner: bool,
    participants: &HashMap<&str, Node<'_>>,
) -> Result<LotOutcome44> {
    let mut outcome = LotOutcome44 {
        lot: lot_number(lot)?,
        ..LotOutcome44::default()
    };
    let (mut best, mut sole, mut admitted) = (None, None, 0);
    for application in lot.all(APPLICATIONS) {
        let number = application::number(&application);
        let price = application::price(&application)?;
        if let Some(price) = price.filter(|_| !number.is_empty()) {
            outcome.offers.push((number.to_owned(), price));
        }
        let is_best = application::is_best(&application)?;
        if application::is_admitted(&application)? {
            admitted += 1;
            sole = Some((application.clone(), price));
        }
        if best.is_none() && is_best {
            best = Some((application, price));
        }
    }
    let winner = best.or(sole.filter(|_| admitted == 1));
    if let Some((application, price)) = winner.filter(|_| names_winner) {
        let number = application::number(&application);
        let apart = participants.get(number);
        let named = application::participant(&application);
        outcome.winner = named.or_else(|| apart.and_then(application::card));
        outcome.winning_application = number.to_owned();
        outcome.price = price;
    }
    Ok(outcome)
}

fn lot_number(lot: &Node<'_>) -> Result<Option<u64>> {
    lot.count("lotNumber", &["lotNumber"])
}

/// Reads a `fcsPlacementResult`, a document beside the lot's protocol: the outcome of one
/// lot, without names. A participant rated first that does not conclude the contract
/// (`result` `RC`) has not won; if only one concludes it, that one has.
///
/// # Errors
/// As [`cancellation`].
pub fn placement_result(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let protocol = document.text(KEY, &["foundationProtocolNumber", "protocolNumber", "id"]);
    let key = format!("{protocol} result {}", document.text(KEY, &["lotNumber"]));
    let mut outcome = LotOutcome44 {
        lot: lot_number(document)?,
        ..LotOutcome44::default()
    };
    let mut winners = Vec::new();
    for application in document.all(APPLICATIONS) {
        let number = application::number(&application).to_owned();
        let price = application::price(&application)?;
        if let Some(price) = price.filter(|_| !number.is_empty()) {
            outcome.offers.push((number.clone(), price));
        }
        let is_best = application::is_best(&application)?;
        if application.text("winner", &["result"]) == "CC" {
            winners.push((!is_best, number, price));
        }
    }
    let best = winners.iter().position(|(later, ..)| !later);
    let sole = (winners.len() == 1).then_some(0);
    if let Some(at) = best.or(sole) {
        let (_, number, price) = winners.swap_remove(at);
        outcome.winning_application = number;
        outcome.price = price;
    }
    let facts = Protocol44Facts {
        replaces: String::new(),
        is_final: true,
        lots: vec![outcome],
    };
    fact(kind, document, key, Facts::Protocol44(facts))
}

/// Reads a `fcsContractSign`: the supplier and the price of the signed contract.
///
/// # Errors
/// As [`cancellation`].
pub fn contract_sign(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let key = format!("contract {}", document.text(KEY, &["id", "number"]));
    let supplier = document.first(&["suppliers/supplier", "supplier"]);
    let order = document.first(&["foundation/order"]);
    let facts = Protocol44Facts {
        replaces: String::new(),
        is_final: true,
        lots: vec![LotOutcome44 {
            lot: order.map_or(Ok(None), |order| lot_number(&order))?,
            winner: supplier.as_ref().and_then(application::card),
            price: document.roubles("winner.price", &["priceRUR"], &["price"], "currency/code")?,
            ..LotOutcome44::default()
        }],
    };
    fact(kind, document, key, Facts::Protocol44(facts))
}
