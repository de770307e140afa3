//! `pprf615ProtocolEF1` (examination), `pprf615ProtocolEF2` (the auction), and the
//! cancellation of either.

use super::{fact, party, purchase_number};
use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, amount, day, flag};
use crate::import::facts::{Fact, Facts, Protocol615Facts};
use crate::model::{Date, Winner615};

/// Paths of a protocol's own numbers. The cancellation names it by the platform's number,
/// so that is its key.
const NUMBERS: &[&str] = &["commonInfo/docNumberExternal", "commonInfo/docNumber"];

/// Reads a protocol.
pub fn read(document: &Element<'_>) -> Result<Vec<Fact>> {
    let number = purchase_number(document)?;
    let key = document.first_text(NUMBERS);
    if key.is_empty() {
        return Err("commonInfo/docNumber: is missing".to_owned());
    }
    let (is_final, winner) = if document.name == "pprf615ProtocolEF1" {
        examination(document)?
    } else {
        (true, auction(document)?)
    };
    let replaces =
        document.first_text(&["commonInfo/parentProtocolNumber", "parentProtocolNumber"]);
    let facts = Protocol615Facts {
        replaces: replaces.to_owned(),
        is_final,
        winner: winner.unwrap_or_default(),
    };
    fact(document, &number, key, Facts::Protocol615(facts))
}

/// `pprf615ProtocolCancel`.
pub fn cancellation(document: &Element<'_>) -> Result<Vec<Fact>> {
    let number = purchase_number(document)?;
    let path = "commonInfo/canceledProtocolNumber";
    let key = document.text_at(path);
    if key.is_empty() {
        return Err(format!("{path}: is missing"));
    }
    fact(document, &number, key, Facts::ProtocolCancel615)
}

fn applications<'e, 'd>(document: &'e Element<'d>) -> impl Iterator<Item = &'e Element<'d>> {
    let list = document.at("protocolInfo/applications");
    list.into_iter().flat_map(|list| list.all("application"))
}

/// A single admitted participant gets the contract, and without one there is no contract:
/// in both cases no auction follows.
fn examination(document: &Element<'_>) -> Result<(bool, Option<Winner615>)> {
    let mut admitted = Vec::new();
    for (index, application) in applications(document).enumerate() {
        if is_admitted(application).map_err(|problem| {
            format!("protocolInfo/applications/application[{index}]/{problem}")
        })? {
            admitted.push(application);
        }
    }
    match admitted[..] {
        [] => Ok((true, None)),
        [single] => Ok((true, Some(winner(document, single)?))),
        _ => Ok((false, None)),
    }
}

fn is_admitted(application: &Element<'_>) -> Result<bool> {
    let Some(result) = application.at("admittedInfo") else {
        return Ok(true);
    };
    let is_stated = !result.text_at("admitted").is_empty();
    let rejected = result.at("appRejectedReason").is_some();
    let admitted = flag(result, "admitted").map_err(|problem| format!("admittedInfo/{problem}"))?;
    Ok(!rejected && (admitted || !is_stated))
}

/// The application with rating 1.
fn auction(document: &Element<'_>) -> Result<Option<Winner615>> {
    let first = applications(document).find(|application| application.text_at("appRating") == "1");
    first
        .map(|application| winner(document, application))
        .transpose()
}

fn winner(document: &Element<'_>, application: &Element<'_>) -> Result<Winner615> {
    let participant = application.at("appParticipantInfo");
    let participant = participant.map(party).unwrap_or_default();
    let price = amount(application, "lastOffer/price")
        .map_err(|problem| format!("protocolInfo/applications/application/{problem}"))?;
    Ok(Winner615 {
        protocol_date: protocol_date(document)?,
        protocol_number: document
            .first_text(&["commonInfo/docNumber", "commonInfo/docNumberExternal"])
            .to_owned(),
        name: participant.name,
        inn: participant.inn,
        kpp: participant.kpp,
        price,
    })
}

/// The day of signing, else that of publication.
fn protocol_date(document: &Element<'_>) -> Result<Option<Date>> {
    let signed = day(document, "commonInfo/signDate")?;
    Ok(signed.or(day(document, "commonInfo/docPublishDate")?))
}
