//! Protocols under 44-FZ, their outcomes and cancellations: who won, and at what price (the
//! mapping, section 2 last line, section 7 "Winner (44)"; schemas `IntegrationTypes.xsd`
//! and `IntegrationEPTypes.xsd`).

mod application;
mod kind;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::element::Element;
use super::value::{Result, first_amount, flag, instant, version};
use crate::import::facts::{Fact, Facts, LotOutcome44, Protocol44Facts};
use crate::model::{PurchaseNumber, Regime};
pub use kind::NAMES;
use kind::ProtocolKind;

/// Is a document of this name read here?
pub fn reads(name: &str) -> bool {
    ProtocolKind::from_name(name).is_some()
}

/// Reads the document.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(document: &Element<'_>) -> Result<Vec<Fact>> {
    let name = document.name;
    let Some(kind) = ProtocolKind::from_name(name) else {
        return Err(format!("{name}: not a protocol"));
    };
    let number = document.first_text(&[
        "purchaseNumber",
        "commonInfo/purchaseNumber",
        "notificationNumber",
        "foundation/order/purchaseNumber",
    ]);
    if number.is_empty() {
        return Err(format!("{name}: purchaseNumber: is missing"));
    }
    if PurchaseNumber::parse(number).is_none_or(|number| number.regime() != Regime::Fz44) {
        let shown: String = number.chars().take(60).collect();
        return Err(format!(
            "{name}: purchaseNumber: not a number of a purchase under 44-FZ: {shown:?}"
        ));
    }
    read_numbered(document, kind, number)
        .map(|fact| vec![fact])
        .map_err(|problem| format!("{name} {number}: {problem}"))
}

fn read_numbered(document: &Element<'_>, kind: ProtocolKind, number: &str) -> Result<Fact> {
    let (key, facts) = match kind {
        ProtocolKind::Cancel => (cancelled(document)?, Facts::ProtocolCancel44),
        ProtocolKind::Protocol { sums_up } => (key(document), protocol(document, sums_up)?),
        ProtocolKind::PlacementResult => (placement_key(document), placement_result(document)?),
        ProtocolKind::ContractSign => (contract_key(document), contract_sign(document)?),
    };
    Ok(Fact {
        number: number.to_owned(),
        key,
        version: version(document, &["versionNumber"])?,
        published: published(document)?,
        facts,
    })
}

/// The protocol's number. Those of ep* have one of the platform
/// (`docNumberExternal`), by which cancellations name them.
fn key(document: &Element<'_>) -> String {
    let paths = [
        "protocolNumber",
        "commonInfo/docNumberExternal",
        "commonInfo/docNumber",
        "docNumber",
        "id",
    ];
    document.first_text(&paths).to_owned()
}

/// The key of the outcome of a lot, a document beside the lot's protocol.
fn placement_key(document: &Element<'_>) -> String {
    let protocol = document.first_text(&["foundationProtocolNumber", "protocolNumber", "id"]);
    format!("{protocol} result {}", document.text_at("lotNumber"))
}

fn contract_key(document: &Element<'_>) -> String {
    format!("contract {}", document.first_text(&["id", "number"]))
}

/// The number of the protocol that is cancelled.
fn cancelled(document: &Element<'_>) -> Result<String> {
    let paths = [
        "protocolNumber",
        "commonInfo/canceledProtocolNumber",
        "canceledProtocolNumber",
    ];
    match document.first_text(&paths) {
        "" => Err("protocolNumber: is missing".to_owned()),
        number => Ok(number.to_owned()),
    }
}

/// When it was published, whatever the element's name.
fn published(document: &Element<'_>) -> Result<i64> {
    let paths = [
        "publishDate",
        "docPublishDate",
        "commonInfo/publishDTInEIS",
        "commonInfo/docPublishDate",
        "createDate",
        "commonInfo/publishDTInETP",
        "signDate",
    ];
    for path in paths {
        if !document.text_at(path).is_empty() {
            return instant(document, path);
        }
    }
    Ok(0)
}

/// A protocol ends the choice if its kind does, or if it finds for each of its
/// lots that no application is left.
fn protocol(document: &Element<'_>, sums_up: bool) -> Result<Facts> {
    // A preliminary selection ends with a list of suppliers, not with a winner.
    let names_winner = sums_up && document.name != "fcsProtocolPO";
    let participants = participants(document);
    let lots = lot_elements(document);
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
        && document.name.ends_with("EFInvalidation");
    Ok(Facts::Protocol44(Protocol44Facts {
        replaces: document
            .first_text(&[
                "parentProtocolNumber",
                "modificationInfo/parentProtocolNumber",
                "modification/parentProtocolNumber",
            ])
            .to_owned(),
        is_final: (sums_up && !no_offers) || none_left,
        lots: outcomes,
    }))
}

/// Why a lot, or all of them, failed (`abandonedReason`): its type, or the code
/// that ends with it.
fn abandoned<'e>(element: &'e Element<'_>) -> &'e str {
    element.first_text(&["abandonedReason/type", "abandonedReason/code"])
}

/// Was no application submitted (`NR`) or admitted (`NV`, `NV2`, …)?
fn leaves_none(reason: &str) -> bool {
    let kind = reason.trim_end_matches(|letter: char| letter.is_ascii_digit());
    kind.ends_with("NR") || kind.ends_with("NV")
}

/// `protocolLot`, `protocolLots/protocolLot`, or `protocolInfo` in schemas without lots.
fn lot_elements<'e, 'd>(document: &'e Element<'d>) -> Vec<&'e Element<'d>> {
    let listed = document
        .all("protocolLots")
        .flat_map(|lots| lots.all("protocolLot"));
    document
        .all("protocolLot")
        .chain(listed)
        .chain(document.all("protocolInfo"))
        .collect()
}

/// Applications of a lot: `applications/application`, `application`, and their names in
/// ep*.
fn applications<'e, 'd>(lot: &'e Element<'d>) -> impl Iterator<Item = &'e Element<'d>> {
    lot.children().iter().flat_map(|child| {
        let (one, many) = match child.name {
            "application" | "applicationInfo" => (Some(child), &[][..]),
            "applications" | "applicationsInfo" => (None, child.children()),
            _ => (None, &[][..]),
        };
        let named =
            |element: &&'e Element<'d>| matches!(element.name, "application" | "applicationInfo");
        one.into_iter().chain(many.iter().filter(named))
    })
}

/// The participants that protocols whose names end in `Part` list separately, by
/// application (`appParticipantsInfo/appParticipantInfo/{appNumber,participantInfo}`).
fn participants<'e, 'd>(document: &'e Element<'d>) -> HashMap<&'e str, &'e Element<'d>> {
    document
        .all("appParticipantsInfo")
        .flat_map(|list| list.all("appParticipantInfo"))
        .filter_map(|entry| Some((entry.text_at("appNumber"), entry.at("participantInfo")?)))
        .collect()
}

/// The outcome of a lot. Only a protocol that sums up names a winner: the one rated first,
/// or the only one admitted.
fn outcome(
    lot: &Element<'_>,
    names_winner: bool,
    participants: &HashMap<&str, &Element<'_>>,
) -> Result<LotOutcome44> {
    let mut outcome = LotOutcome44 {
        lot: lot_number(lot)?,
        ..LotOutcome44::default()
    };
    let (mut best, mut sole, mut admitted) = (None, None, 0);
    for (index, element) in applications(lot).enumerate() {
        let in_place = |problem| format!("{}/{}[{index}]/{problem}", lot.name, element.name);
        let number = application::number(element);
        let price = application::price(element).map_err(in_place)?;
        if let Some(price) = price.filter(|_| !number.is_empty()) {
            outcome.offers.push((number.to_owned(), price));
        }
        if best.is_none() && application::is_best(element).map_err(in_place)? {
            best = Some((element, price));
        }
        if application::admitted(element).map_err(in_place)? {
            admitted += 1;
            sole = Some((element, price));
        }
    }
    let winner = best.or(sole.filter(|_| admitted == 1));
    if let Some((element, price)) = winner.filter(|_| names_winner) {
        let number = application::number(element);
        let apart = participants.get(number);
        outcome.winner = application::participant(element)
            .or_else(|| apart.and_then(|participant| application::card(participant)));
        outcome.winning_application = number.to_owned();
        outcome.price = price;
    }
    Ok(outcome)
}

fn lot_number(lot: &Element<'_>) -> Result<Option<u64>> {
    match lot.text_at("lotNumber") {
        "" => Ok(None),
        text => text
            .parse()
            .map(Some)
            .map_err(|_| "lotNumber: not a whole number".to_owned()),
    }
}

/// `fcsPlacementResult`: the outcome of one lot, without names. A participant rated first
/// that does not conclude the contract (`result` `RC`) has not won; if only one concludes
/// it, that one has.
fn placement_result(document: &Element<'_>) -> Result<Facts> {
    let mut outcome = LotOutcome44 {
        lot: lot_number(document)?,
        ..LotOutcome44::default()
    };
    let mut winners = Vec::new();
    for (index, element) in applications(document).enumerate() {
        let in_place = |problem| format!("applications/application[{index}]/{problem}");
        let number = application::number(element).to_owned();
        let price = application::price(element).map_err(in_place)?;
        if let Some(price) = price.filter(|_| !number.is_empty()) {
            outcome.offers.push((number.clone(), price));
        }
        let is_best = application::is_best(element).map_err(in_place)?;
        if element.text_at("result") == "CC" {
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
    flag(document, "procedurelFailed")?;
    Ok(Facts::Protocol44(Protocol44Facts {
        replaces: String::new(),
        is_final: true,
        lots: vec![outcome],
    }))
}

/// `fcsContractSign`: with whom a contract was signed, and at what price.
fn contract_sign(document: &Element<'_>) -> Result<Facts> {
    let supplier = document
        .at("suppliers/supplier")
        .or_else(|| document.at("supplier"));
    let in_roubles = matches!(
        document.text_at("currency/code"),
        "" | "RUB" | "RUR" | "643"
    );
    let paths: &[&str] = if in_roubles {
        &["priceRUR", "price"]
    } else {
        &["priceRUR"]
    };
    let lot = document
        .at("foundation/order")
        .map_or(Ok(None), lot_number)?;
    Ok(Facts::Protocol44(Protocol44Facts {
        replaces: String::new(),
        is_final: true,
        lots: vec![LotOutcome44 {
            lot,
            winner: supplier.and_then(application::card),
            price: first_amount(document, paths)?,
            ..LotOutcome44::default()
        }],
    }))
}
