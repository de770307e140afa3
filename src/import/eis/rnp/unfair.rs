//! `unfairSupplier` (schema `zfcs_unfairSupplierType`), `unfairSupplier2022` and its
//! `…Exclude` (no published schema: as other readers have them),
//! `pprf615UnfairContractor` (schema `unfairContractorType`).

use super::{by_law, inclusion, supplier};
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{Node, Result};
use crate::import::eis::party;
use crate::import::facts::{Fact, Facts};
use crate::model::{CardSupplier, RnpEntry};
use crate::xml::Element;

/// The day of inclusion.
const REGISTERED: &[&str] = &[
    "approveDate",
    "commonInfo/approveDate",
    "commonInfo/firstVersionPublishDT",
];

const REASONS: &[&str] = &[
    "createReason",
    "reason",
    "commonInfo/createReason",
    "createReasonInfo/createReason",
];

const CUSTOMER_NAMES: &[&str] = &["customer/fullName", "customerInfo/fullName"];

const CUSTOMER_INNS: &[&str] = &["customer/INN", "customerInfo/INN"];

/// Reads an inclusion.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = document.required("registrationNumber", kind.number)?;
    // A refused inclusion was never in the registry; one that is archived or suspended is
    // not in it now.
    let state = document.text("excludeDate", &["state", "commonInfo/state"]);
    let entry = RnpEntry {
        withdrawn: matches!(state, "ARCHIVED" | "TEMP_EXCLUDED"),
        ..entry(document, number)?
    };
    let party = unfair_supplier(document);
    let supplier = supplier(document, "unfairSupplierInfo/…/INN", &party);
    let facts = inclusion(supplier, entry, state == "REVIEW_CANCELED")?;
    Ok(vec![kind.fact(document, number, "", facts)?])
}

/// Reads an exclusion.
///
/// # Errors
/// As [`read`].
pub fn exclusion(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = document.required("registrationNumber", kind.number)?;
    let days = ["excludeInfo/excludeDate", "commonInfo/publishDT"];
    let facts = Facts::RnpExclusion(document.day("excludeDate", &days)?);
    Ok(vec![kind.fact(document, number, "", facts)?])
}

fn entry(document: &Node<'_>, number: &str) -> Result<RnpEntry> {
    let registration_date = document.day("registrationDate", REGISTERED)?;
    let excluded = document.day("excludeDate", &["exclude/excludeDate", "excludeInfo/date"])?;
    let planned = document.day("excludeDate", &["autoExDateInfo/autoExDate"])?;
    let federal_law = federal_law(document);
    // No known document or schema says how long an entry under PP-615 stays: it is listed
    // until it is excluded.
    let by_law = by_law(registration_date).filter(|_| federal_law != "615");
    Ok(RnpEntry {
        registration_number: number.to_owned(),
        registration_date,
        reason: document.verbatim("reason", REASONS),
        contract_number: document.string(
            "contractNumber",
            &["contract/regNum", "contractInfo/regNum"],
        ),
        exclude_date: excluded.or(planned).or(by_law),
        federal_law: federal_law.to_owned(),
        customer_name: document.verbatim("customerName", CUSTOMER_NAMES),
        customer_inn: document.string("customerINN", CUSTOMER_INNS),
        ..RnpEntry::default()
    })
}

/// PP-615 and the old registry have one law each; that of 2022 has 44-FZ and 223-FZ, and an
/// element with "law" in its name says which.
fn federal_law(document: &Node<'_>) -> &'static str {
    match document.name() {
        "unfairSupplier" => "44",
        "pprf615UnfairContractor" => "615",
        _ => document
            .find("federalLaw", "//*law*", law_in)
            .unwrap_or("44"),
    }
}

fn law_in(element: &Element<'_>) -> Option<&'static str> {
    let name = element.name.to_ascii_lowercase();
    let speaks = name.contains("law") || name == "fz" || name.ends_with("fztype");
    let codes = element.first_text(&["code", "shortName", "name"]);
    let law = law_of(element.text()).or_else(|| law_of(codes));
    law.filter(|_| speaks)
}

/// `44`, `FZ223`, `223-ФЗ`, `PP615` and the like.
fn law_of(text: &str) -> Option<&'static str> {
    let digits: String = text.chars().filter(char::is_ascii_digit).take(4).collect();
    ["44", "223", "615"].into_iter().find(|law| *law == digits)
}

fn unfair_supplier(document: &Node<'_>) -> CardSupplier {
    let fields = ["supplierName", "supplierINN", "supplierINN"];
    let found = document.first(&["unfairSupplier", "unfairSupplierInfo"]);
    found.map_or_else(CardSupplier::default, |found| party::read(&found, fields))
}
