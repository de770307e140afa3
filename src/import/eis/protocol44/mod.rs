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
use super::node::{KEY, Node, Result};
use crate::import::facts::{Fact, Facts, LotOutcome44, Protocol44Facts};
use application::Application;

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
    let key = document.required(KEY, &paths)?;
    kind.purchase_fact(document, key, Facts::ProtocolCancel44)
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
    let outcome = |lot| protocol_outcome(lot, names_winner, &participants);
    let outcomes: Result<Vec<_>> = lots.iter().map(outcome).collect();
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
    let replaces = document.string(
        "winner",
        &[
            "parentProtocolNumber",
            "modificationInfo/parentProtocolNumber",
            "modification/parentProtocolNumber",
        ],
    );
    let facts = Protocol44Facts {
        replaces,
        is_final: (kind.ends && !no_offers) || none_left,
        lots: outcomes?,
    };
    kind.purchase_fact(document, key, Facts::Protocol44(facts))
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
fn protocol_outcome(
    lot: &Node<'_>,
    names_winner: bool,
    participants: &HashMap<&str, Node<'_>>,
) -> Result<LotOutcome44> {
    let applications = lot.read_all(APPLICATIONS, Application::read)?;
    let mut admitted = Vec::new();
    for application in &applications {
        if application.is_admitted()? {
            admitted.push(application);
        }
    }
    let best = applications.iter().find(|one| one.is_best);
    let winner = best.or(sole(&admitted)).filter(|_| names_winner);
    let card = winner.and_then(|winner| {
        let apart = participants.get(winner.number);
        let named = winner.participant();
        named.or_else(|| apart.and_then(application::card))
    });
    Ok(LotOutcome44 {
        winner: card,
        ..outcome(lot, &applications, winner)?
    })
}

/// The only one of several.
fn sole<'a, T>(all: &[&'a T]) -> Option<&'a T> {
    match all {
        [one] => Some(one),
        _ => None,
    }
}

/// The outcome of a lot, without the winner's name.
fn outcome(
    lot: &Node<'_>,
    applications: &[Application<'_>],
    winner: Option<&Application<'_>>,
) -> Result<LotOutcome44> {
    let offered = |one: &Application<'_>| {
        let price = one.price.filter(|_| !one.number.is_empty())?;
        Some((one.number.to_owned(), price))
    };
    Ok(LotOutcome44 {
        lot: lot_number(lot)?,
        winner: None,
        winning_application: winner.map_or("", |winner| winner.number).to_owned(),
        price: winner.and_then(|winner| winner.price),
        offers: applications.iter().filter_map(offered).collect(),
    })
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
    let applications = document.read_all(APPLICATIONS, Application::read)?;
    let concluding = applications.iter().filter(|one| one.concludes());
    let concluding: Vec<&Application<'_>> = concluding.collect();
    let best = concluding.iter().copied().find(|one| one.is_best);
    let winner = best.or(sole(&concluding));
    let outcome = outcome(document, &applications, winner)?;
    let facts = Protocol44Facts {
        replaces: String::new(),
        is_final: true,
        lots: vec![outcome],
    };
    kind.purchase_fact(document, &key, Facts::Protocol44(facts))
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
            price: document.roubles("winner.price", "priceRUR", "price", "currency/code")?,
            ..LotOutcome44::default()
        }],
    };
    kind.purchase_fact(document, &key, Facts::Protocol44(facts))
}
