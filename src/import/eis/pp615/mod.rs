//! Documents under Government Decree 615 (the mapping, section 4;
//! `Integration615Types.xsd`): auctions on capital repairs, `pprf615…`.
//!
//! The cancellation of a notice is not read, as a card under PP-615 has no stage. Nor are
//! changes to the execution of a contract, which the card does not show.

mod contract;
mod notice;
mod protocol;
#[cfg(test)]
mod tests;

use super::element::Element;
use super::value::{Result, instant, person_name, version};
use crate::import::facts::{Fact, Facts};
use crate::model::{CardSupplier, PurchaseNumber, Regime};

/// The names of the documents that are read here.
pub const NAMES: &[&str] = &[
    "pprf615NotificationEF",
    "pprf615ProtocolEF1",
    "pprf615ProtocolEF2",
    "pprf615ProtocolCancel",
    "pprf615Contract",
];

/// Reads the document.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(document: &Element<'_>) -> Result<Vec<Fact>> {
    let kind = document.name;
    let read = match kind {
        "pprf615NotificationEF" => notice::read(document),
        "pprf615ProtocolCancel" => protocol::cancellation(document),
        "pprf615Contract" => contract::read(document),
        _ => protocol::read(document),
    };
    read.map_err(|problem| {
        let number = document.first_text(&["commonInfo/purchaseNumber", "commonInfo/regNum"]);
        let number: String = number.chars().take(60).collect();
        if number.is_empty() {
            format!("{kind}: {problem}")
        } else {
            format!("{kind} {number}: {problem}")
        }
    })
}

/// `commonInfo/purchaseNumber`, which must be that of a purchase under PP-615.
fn purchase_number(document: &Element<'_>) -> Result<PurchaseNumber> {
    let path = "commonInfo/purchaseNumber";
    let text = document.text_at(path);
    if text.is_empty() {
        return Err(format!("{path}: is missing"));
    }
    number_of(text).ok_or_else(|| {
        let shown: String = text.chars().take(60).collect();
        format!("{path}: not 18 digits: {shown:?}")
    })
}

fn number_of(text: &str) -> Option<PurchaseNumber> {
    PurchaseNumber::parse(text).filter(|number| number.regime() == Regime::Pp615)
}

/// The fact, with `versionNumber` (0 without one) and `commonInfo/docPublishDate`.
fn fact(
    document: &Element<'_>,
    number: &PurchaseNumber,
    key: &str,
    facts: Facts,
) -> Result<Vec<Fact>> {
    let version = version(document, &["versionNumber"])?;
    Ok(vec![Fact {
        number: number.to_string(),
        key: key.to_owned(),
        version,
        published: instant(document, "commonInfo/docPublishDate")?,
        facts,
    }])
}

/// A participant or contractor: an organisation, Russian or foreign, or a sole trader.
fn party(element: &Element<'_>) -> CardSupplier {
    if let Some(person) = element.at("individualPersonInfo") {
        return CardSupplier {
            name: person.at("nameInfo").map(person_name).unwrap_or_default(),
            inn: person.text_at("INN").to_owned(),
            kpp: String::new(),
        };
    }
    let kinds = ["legalEntityRFInfo", "legalEntityForeignStateInfo"];
    let organization = kinds
        .iter()
        .find_map(|kind| element.at(kind))
        .unwrap_or(element);
    CardSupplier {
        name: organization.words_at("fullName").to_owned(),
        inn: organization.first_text(&["INN", "taxPayerCode"]).to_owned(),
        kpp: organization.text_at("KPP").to_owned(),
    }
}
