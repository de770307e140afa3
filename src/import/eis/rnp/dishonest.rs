//! 223-FZ: `dishonestSupplier` and the documents of an inclusion, an exclusion and
//! a refusal (`dishonestSupplier.xsd`; data in `body/item/<name>Data`).

use super::{by_law, inclusion, supplier};
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{Node, Result};
use crate::import::facts::{Fact, Facts};
use crate::model::{CardSupplier, RnpEntry};

/// Reads an inclusion, or the entry as it is.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(kind: &Kind, item: &Node<'_>) -> Result<Vec<Fact>> {
    include(kind, item, false)
}

/// Reads a refused inclusion.
///
/// # Errors
/// As [`read`].
pub fn refusal(kind: &Kind, item: &Node<'_>) -> Result<Vec<Fact>> {
    include(kind, item, true)
}

/// Reads an exclusion: its day is that of the decision.
///
/// # Errors
/// As [`read`].
pub fn exclusion(kind: &Kind, item: &Node<'_>) -> Result<Vec<Fact>> {
    let number = item.required("registrationNumber", kind.number)?;
    let days = ["decisionExcludeDate", "excludeDate", "publicationDateTime"];
    let facts = Facts::RnpExclusion(item.day("excludeDate", &days)?);
    Ok(vec![kind.fact(item, number, "", facts)?])
}

fn include(kind: &Kind, item: &Node<'_>, refused: bool) -> Result<Vec<Fact>> {
    let number = item.required("registrationNumber", kind.number)?;
    let path = "commonApplicationInfo/supplier/inn";
    let party = CardSupplier {
        inn: item.string("supplierINN", &[path]),
        name: item.verbatim("supplierName", &["commonApplicationInfo/supplier/name"]),
        kpp: String::new(),
    };
    // `AR` is the archive, `PR` refused; `status` `I` is invalid.
    let approval = item.text("excludeDate", &["approveStatus"]);
    let status = item.text("excludeDate", &["status"]);
    let entry = RnpEntry {
        withdrawn: approval == "AR" || status == "I",
        ..entry(item, number)?
    };
    let refused = refused || approval == "PR";
    let facts = inclusion(supplier(item, path, &party), entry, refused)?;
    Ok(vec![kind.fact(item, number, "", facts)?])
}

fn entry(item: &Node<'_>, number: &str) -> Result<RnpEntry> {
    let registration_date =
        item.day("registrationDate", &["includeDate", "publicationDateTime"])?;
    let reasons = [
        "commonApplicationInfo/includeReason",
        "commonApplicationInfo/includeReasonText",
    ];
    let contract = ["commonApplicationInfo/contractInfo/contractNumber"];
    let (customer_name, customer_inn) = customer(item);
    Ok(RnpEntry {
        registration_number: number.to_owned(),
        registration_date,
        reason: item.verbatim("reason", &reasons),
        contract_number: item.string("contractNumber", &contract),
        exclude_date: item
            .day("excludeDate", &["excludeDate"])?
            .or(by_law(registration_date)),
        federal_law: "223".to_owned(),
        customer_name,
        customer_inn,
        ..RnpEntry::default()
    })
}

/// The customer: named as such, else the organisation that made the record (`placer`),
/// unless that is the registry's authority (`controlAgency`).
fn customer(item: &Node<'_>) -> (String, String) {
    let keeper = item.text("customerINN", &["commonApplicationInfo/controlAgency/inn"]);
    let parties = ["customer/mainInfo", "customer", "placer/mainInfo", "placer"];
    let parties = parties.iter().filter_map(|path| item.first(&[path]));
    let mut named = parties.map(|party| {
        let name = party.verbatim("customerName", &["fullName", "name"]);
        (name, party.string("customerINN", &["inn"]))
    });
    let is_other = |(name, inn): &(String, String)| match inn.as_str() {
        "" => !name.is_empty(),
        inn => inn != keeper,
    };
    named.find(is_other).unwrap_or_default()
}
