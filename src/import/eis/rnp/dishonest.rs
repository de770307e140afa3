//! 223-FZ: `dishonestSupplier` and the documents of an inclusion, an exclusion and
//! a refusal (`dishonestSupplier.xsd`; data in `body/item/<name>Data`).

use super::{by_law, exclusion_fact, inclusion_fact, supplier};
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{Node, PUBLISHED, Result};
use crate::import::facts::Fact;
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
    let day = item.day("excludeDate", &days)?;
    let version = item.version(&["version"])?;
    Ok(exclusion_fact(number, version, published(item)?, day))
}

fn include(kind: &Kind, item: &Node<'_>, refused: bool) -> Result<Vec<Fact>> {
    let number = item.required("registrationNumber", kind.number)?;
    let path = "commonApplicationInfo/supplier/inn";
    let party = CardSupplier {
        inn: item.text("supplierINN", &[path]).to_owned(),
        name: item
            .verbatim("supplierName", &["commonApplicationInfo/supplier/name"])
            .to_owned(),
        kpp: String::new(),
    };
    // `AR` is the archive, `PR` refused; `status` `I` is invalid.
    let approval = item.text("excludeDate", &["approveStatus"]);
    let status = item.text("excludeDate", &["status"]);
    let entry = RnpEntry {
        withdrawn: approval == "AR" || status == "I",
        ..entry(item, number)?
    };
    inclusion_fact(
        item.version(&["version"])?,
        published(item)?,
        supplier(item, path, &party),
        entry,
        refused || approval == "PR",
    )
}

fn published(item: &Node<'_>) -> Result<i64> {
    item.instant(PUBLISHED, &["publicationDateTime", "createDateTime"])
}

fn entry(item: &Node<'_>, number: &str) -> Result<RnpEntry> {
    let registration_date =
        item.day("registrationDate", &["includeDate", "publicationDateTime"])?;
    let reasons = [
        "commonApplicationInfo/includeReason",
        "commonApplicationInfo/includeReasonText",
    ];
    let contract = ["commonApplicationInfo/contractInfo/contractNumber"];
    let [customer_name, customer_inn] = customer(item);
    Ok(RnpEntry {
        registration_number: number.to_owned(),
        registration_date,
        reason: item.verbatim("reason", &reasons).to_owned(),
        contract_number: item.text("contractNumber", &contract).to_owned(),
        exclude_date: item
            .day("excludeDate", &["excludeDate"])?
            .or(by_law(registration_date)),
        federal_law: "223".to_owned(),
        customer_name: customer_name.to_owned(),
        customer_inn: customer_inn.to_owned(),
        withdrawn: false,
        removed_by: None,
    })
}

/// The customer: named as such, else the organisation that made the record (`placer`),
/// unless that is the registry's authority (`controlAgency`).
fn customer<'e>(item: &Node<'e>) -> [&'e str; 2] {
    let keeper = item.text("customerINN", &["commonApplicationInfo/controlAgency/inn"]);
    let parties = ["customer/mainInfo", "customer", "placer/mainInfo", "placer"];
    let parties = parties.iter().filter_map(|path| item.first(&[path]));
    let named = parties.map(|party| {
        let name = party.verbatim("customerName", &["fullName", "name"]);
        [name, party.text("customerINN", &["inn"])]
    });
    let is_other = |[name, inn]: &[&str; 2]| match *inn {
        "" => !name.is_empty(),
        inn => inn != keeper,
    };
    named.into_iter().find(is_other).unwrap_or([""; 2])
}
