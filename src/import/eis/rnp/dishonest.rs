//! Reads entries under 223-FZ: `dishonestSupplier`, and the documents of an inclusion, an exclusion
//! and a refusal (`dishonestSupplier.xsd`; the data is in `body/item/<name>Data`). `…Cutted` (since
//! 16.2) has the same type.

use super::{RnpSupplier, by_law, inclusion};
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{Node, Result};
use crate::import::facts::{Fact, Facts, RnpFacts, RnpState};

/// Reads an inclusion, or a later version of the entry. Returns no facts for a draft (`status` `F`,
/// `M`).
pub fn read(kind: &Kind, item: &Node<'_>) -> Result<Vec<Fact>> {
    // `approveStatus` `AR` is an archived entry and `PR` a refusal; `status` `I` means invalid.
    let approval = item.text("excludeDate", &["approveStatus"]);
    let status = item.text("excludeDate", &["status"]);
    let state = match (approval, status) {
        (_, "F" | "M") => return Ok(Vec::new()),
        ("PR", _) => RnpState::Refused,
        ("AR", _) | (_, "I") => RnpState::Suspended,
        _ => RnpState::InForce,
    };
    let included = item.day("registrationDate", &["includeDate"])?;
    let excluded = item.day("excludeDate", &["excludeDate"])?;
    let entry = entry(item)?;
    let registration_date = included.or(entry.registration_date);
    let entry = RnpFacts {
        registration_date,
        exclude_date: excluded.or(by_law(registration_date)),
        ..entry
    };
    include(kind, item, entry, state)
}

/// Reads a refused inclusion. Returns no facts if the document states no number of an entry.
pub fn refusal(kind: &Kind, item: &Node<'_>) -> Result<Vec<Fact>> {
    match item.text("registrationNumber", kind.number) {
        "" => Ok(Vec::new()),
        _ => include(kind, item, entry(item)?, RnpState::Refused),
    }
}

/// Reads an exclusion. The last day of the entry is the day of the decision, or if that is missing,
/// of publication.
pub fn exclusion(kind: &Kind, item: &Node<'_>) -> Result<Vec<Fact>> {
    let number = item.required("registrationNumber", kind.number)?;
    let days = [
        "decisionExcludeDate",
        "publicationDateTime",
        "createDateTime",
    ];
    let day = item.needed(item.day("excludeDate", &days)?, "decisionExcludeDate")?;
    let fact = kind.fact(item, number, "", Facts::RnpExclusion(day))?;
    Ok(vec![fact.of_version()])
}

fn include(kind: &Kind, item: &Node<'_>, entry: RnpFacts, state: RnpState) -> Result<Vec<Fact>> {
    let number = item.required("registrationNumber", kind.number)?;
    let entry = RnpFacts {
        registration_number: number.to_owned(),
        ..entry
    };
    let supplier = item.first(&["commonApplicationInfo/supplier"]);
    let supplier = item
        .needed(supplier, "supplier")
        .and_then(|supplier| RnpSupplier::read(&supplier, &["name"], &["inn"], false));
    let facts = inclusion(supplier, entry, state)?;
    Ok(vec![kind.fact(item, number, "", facts)?.of_version()])
}

/// Reads an RNP entry without its number. The registration date is that of publication; callers
/// replace it if the document states a date of inclusion.
fn entry(item: &Node<'_>) -> Result<RnpFacts> {
    let days = ["publicationDateTime", "createDateTime"];
    let registration_date = item.day("registrationDate", &days)?;
    let reason = ["commonApplicationInfo/includeReason"];
    let contract = ["commonApplicationInfo/contractInfo/contractNumber"];
    let (customer_name, customer_inn) = customer(item);
    Ok(RnpFacts {
        registration_date,
        reason: item.verbatim("reason", &reason),
        contract_number: item.string("contractNumber", &contract),
        exclude_date: by_law(registration_date),
        federal_law: "223".to_owned(),
        customer_name,
        customer_inn,
        ..RnpFacts::default()
    })
}

/// Returns the customer: the organization that made the record (`placer`), unless that is the
/// authority in charge of the registry (`controlAgency`).
fn customer(item: &Node<'_>) -> (String, String) {
    let keeper = item.text("customerINN", &["commonApplicationInfo/controlAgency/inn"]);
    let Some(placer) = item.first(&["placer/mainInfo"]) else {
        return Default::default();
    };
    let name = placer.verbatim("customerName", &["fullName"]);
    let inn = placer.string("customerINN", &["inn"]);
    match inn.is_empty() || inn != keeper {
        true => (name, inn),
        false => Default::default(),
    }
}
