//! `unfairSupplier` (schema `zfcs_unfairSupplierType`), `unfairSupplier2022` and its
//! `…Exclude` (no published schema: as other readers have them),
//! `pprf615UnfairContractor` (schema `unfairContractorType`).

use super::{by_law, exclusion_fact, inclusion_fact, supplier};
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{Node, PUBLISHED, Result};
use crate::import::eis::party::{self, PartyFields};
use crate::import::facts::Fact;
use crate::model::{CardSupplier, RnpEntry};
use crate::xml::Element;

/// Paths of the number of the entry.
pub const NUMBERS: &[&str] = &[
    "registryNum",
    "commonInfo/registryNum",
    "commonInfo/regNumber",
];

/// The time of publication.
const DAYS_PUBLISHED: &[&str] = &[
    "publishDate",
    "commonInfo/publishDate",
    "commonInfo/publishDT",
];

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

const CONTRACTS: &[&str] = &["contract/regNum", "contractInfo/regNum"];

/// The day it was excluded.
const EXCLUDED: &[&str] = &["exclude/excludeDate", "excludeInfo/date"];

/// The planned day of exclusion.
const PLANNED: &[&str] = &["autoExDateInfo/autoExDate"];

/// The day of an `…Exclude` document.
const EXCLUSIONS: &[&str] = &["excludeInfo/excludeDate", "commonInfo/publishDT"];

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
    let published = document.instant(PUBLISHED, DAYS_PUBLISHED)?;
    inclusion_fact(
        version(document)?,
        published,
        supplier,
        entry,
        state == "REVIEW_CANCELED",
    )
}

/// Reads an exclusion.
///
/// # Errors
/// As [`read`].
pub fn exclusion(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = document.required("registrationNumber", kind.number)?;
    let published = document.instant(PUBLISHED, DAYS_PUBLISHED)?;
    let day = document.day("excludeDate", EXCLUSIONS)?;
    Ok(exclusion_fact(number, version(document)?, published, day))
}

fn version(document: &Node<'_>) -> Result<i64> {
    document.version(&["commonInfo/versionNumber"])
}

fn entry(document: &Node<'_>, number: &str) -> Result<RnpEntry> {
    let registration_date = document.day("registrationDate", REGISTERED)?;
    let excluded = document.day("excludeDate", EXCLUDED)?;
    let planned = document.day("excludeDate", PLANNED)?;
    let federal_law = federal_law(document);
    // No known document or schema says how long an entry under PP-615 stays: it is listed
    // until it is excluded.
    let by_law = by_law(registration_date).filter(|_| federal_law != "615");
    let words = |field, paths| document.verbatim(field, paths).to_owned();
    let text = |field, paths| document.text(field, paths).to_owned();
    Ok(RnpEntry {
        registration_number: number.to_owned(),
        registration_date,
        reason: words("reason", REASONS),
        contract_number: text("contractNumber", CONTRACTS),
        exclude_date: excluded.or(planned).or(by_law),
        federal_law: federal_law.to_owned(),
        customer_name: words("customerName", CUSTOMER_NAMES),
        customer_inn: text("customerINN", CUSTOMER_INNS),
        withdrawn: false,
        removed_by: None,
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
    let fields = PartyFields {
        name: "supplierName",
        inn: "supplierINN",
        kpp: "supplierINN",
    };
    let found = document.first(&["unfairSupplier", "unfairSupplierInfo"]);
    found.map_or_else(CardSupplier::default, |found| party::read(&found, fields))
}
