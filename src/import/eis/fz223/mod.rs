//! Documents under 223-FZ (the mapping, sections 3 and 7): notices, rejections, protocols
//! and contracts of purchases. Their contents are in `body/item/…Data`; a document may have
//! many items.

mod contract;
mod dates;
mod lots;
mod notice;
mod organization;
mod outcome;
#[cfg(test)]
mod tests;

use super::element::Element;
use super::value::{Result, instant, version};
use crate::import::facts::{Fact, Facts};
use crate::model::{PurchaseNumber, Regime};

/// The kinds that are not recognised by the beginning of their names.
pub const NAMES: &[&str] = &[
    "purchaseRejection",
    "purchaseLotCancellation",
    "protocolCancellation",
    "contract",
    "contractCutted",
    "performanceContract",
    "contractCompleting",
    "contractCancellation",
    "purchaseContract",
    "purchaseContractAccount",
];

/// The beginnings of the names of notices and protocols.
pub const BEGINNINGS: &[&str] = &[NOTICE, PROTOCOL];
const NOTICE: &str = "purchaseNotice";
const PROTOCOL: &str = "purchaseProtocol";

/// Is a document of this name read here? A `contract` is only if it
/// [is one under 223-FZ](is_contract).
pub fn reads(name: &str) -> bool {
    BEGINNINGS
        .iter()
        .any(|beginning| name.starts_with(beginning))
        || NAMES.contains(&name)
}

/// Is this `contract` one under 223-FZ? It has a `header` and a `body`, unlike the document
/// of the same name under 44-FZ.
pub fn is_contract(document: &Element<'_>) -> bool {
    document.at("body").is_some()
}

/// Reads the document: the facts of each of its items, or the element that is missing or
/// malformed in it.
pub fn read<'e>(document: &'e Element<'_>) -> impl Iterator<Item = Result<Vec<Fact>>> + 'e {
    let kind = document.name;
    items(document).into_iter().map(move |data| {
        let read = match kind {
            "purchaseRejection" => outcome::rejection(data),
            "purchaseLotCancellation" => outcome::lot_cancellation(data),
            "protocolCancellation" => outcome::protocol_cancellation(data),
            _ if kind.starts_with(NOTICE) => notice::read(data),
            _ if kind.starts_with(PROTOCOL) => outcome::protocol(kind, data),
            _ => contract::read(kind, data),
        };
        read.map_err(|problem| named(kind, data, &problem))
    })
}

/// The problem, prefixed by the document's name and number.
fn named(kind: &str, data: &Element<'_>, problem: &str) -> String {
    let number = data.first_text(&[
        "registrationNumber",
        "cancelNoticeRegistrationNumber",
        "contractRegNumber",
        "purchaseInfo/purchaseNoticeNumber",
        "guid",
    ]);
    let number: String = number.chars().take(60).collect();
    if number.is_empty() {
        format!("{kind}: {problem}")
    } else {
        format!("{kind} {number}: {problem}")
    }
}

/// The elements with the contents: `body/item/…Data`, or `…Data` in the root, or the root
/// itself.
fn items<'e, 'd>(document: &'e Element<'d>) -> Vec<&'e Element<'d>> {
    let within = |element: &'e Element<'d>| {
        element
            .children()
            .iter()
            .filter(|child| child.name.ends_with("Data"))
    };
    let mut found: Vec<_> = document
        .all("body")
        .flat_map(|body| body.all("item"))
        .flat_map(within)
        .collect();
    if found.is_empty() {
        found = document.all("body").flat_map(within).collect();
    }
    if found.is_empty() {
        found = within(document).collect();
    }
    if found.is_empty() {
        found.push(document);
    }
    found
}

/// The number at `path`, which must be that of a purchase under 223-FZ.
fn purchase_number(data: &Element<'_>, path: &str) -> Result<PurchaseNumber> {
    let text = data.text_at(path);
    if text.is_empty() {
        return Err(format!("{path}: is missing"));
    }
    number_of(text).ok_or_else(|| {
        let shown: String = text.chars().take(60).collect();
        format!("{path}: not 11 digits, the first a 3: {shown:?}")
    })
}

fn number_of(text: &str) -> Option<PurchaseNumber> {
    PurchaseNumber::parse(text).filter(|number| number.regime() == Regime::Fz223)
}

/// The fact, published at `publicationDateTime` (contracts: `publicationDate`).
fn fact(data: &Element<'_>, number: &PurchaseNumber, key: &str, facts: Facts) -> Result<Fact> {
    let published = match instant(data, "publicationDateTime")? {
        0 => instant(data, "publicationDate")?,
        published => published,
    };
    Ok(Fact {
        number: number.to_string(),
        key: key.to_owned(),
        version: version(data, &["version"])?,
        published,
        facts,
    })
}
