//! Entries under 44-FZ and PP-615.
//!
//! - Until 31 March 2022 `unfairSupplier` (schema `zfcs_unfairSupplierType`; `reason` instead of
//!   `createReason` in version 5.0) and `pprf615UnfairContractor` (`unfairContractorType`). A new
//!   version has no number, and states what the entry has become (`state`).
//! - Since then `unfairSupplier2022`, under PP-615 `pprf615UnfairContractor2022`
//!   (`unfairSupplier2022Type`): numbered versions without a state, law, customer or contract.
//!   `unfairSupplierIKZ` (`unfairSupplierIKZType`) is the same entry with the codes of its purchases.
//!   An exclusion is a document of its own, `…2022Exclude` (`unfairSupplier2022ExcludeType`).

use super::{RnpSupplier, by_law, inclusion};
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{Node, Paths, Result};
use crate::import::facts::{Fact, Facts, RnpFacts, RnpState};
use crate::model::Regime;

/// The day of inclusion; of an entry of 2022 the day of its first version.
const REGISTERED: Paths<'_> = &[
    "approveDate",
    "commonInfo/approveDate",
    "commonInfo/firstVersionPublishDT",
];

const REASONS: Paths<'_> = &[
    "createReason",
    "reason",
    "commonInfo/createReason",
    "createReasonInfo/createReason",
];

/// An element of a supplier, its forms of the INN, and whether it is of another country, whose tax
/// code is no INN.
struct SupplierKind {
    path: &'static str,
    inn: Paths<'static>,
    is_foreign: bool,
}

/// The kinds of suppliers in entries of 2022.
const SUPPLIERS_2022: [SupplierKind; 4] = [
    russian("unfairSupplierInfo/legalEntityRFInfo"),
    russian("unfairSupplierInfo/individualPersonRFInfo"),
    foreign("unfairSupplierInfo/legalEntityForeignStateInfo"),
    foreign("unfairSupplierInfo/individualPersonForeignStateInfo"),
];

const fn russian(path: &'static str) -> SupplierKind {
    SupplierKind {
        path,
        inn: &["INN"],
        is_foreign: false,
    }
}

const fn foreign(path: &'static str) -> SupplierKind {
    SupplierKind {
        path,
        inn: &[],
        is_foreign: true,
    }
}

/// Reads an inclusion.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = document.required("registrationNumber", kind.number)?;
    let supplier = supplier(document);
    let state = match document.text("excludeDate", &["state", "commonInfo/state"]) {
        "ARCHIVED" | "TEMP_EXCLUDED" => RnpState::Suspended,
        "REVIEW_CANCELED" => RnpState::Refused,
        _ => RnpState::InForce,
    };
    let entry = entry(document, number)?;
    let fact = kind.fact(document, number, "", inclusion(supplier, entry, state)?)?;
    Ok(vec![fact.of_version()])
}

/// Reads an exclusion.
///
/// # Errors
/// As [`read`].
pub fn exclusion(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = document.required("registrationNumber", kind.number)?;
    let day = document.day("excludeDate", &["commonInfo/excludeDT"])?;
    let day = document.needed(day, "excludeDT")?;
    let fact = kind.fact(document, number, "", Facts::RnpExclusion(day))?;
    Ok(vec![fact.of_version()])
}

fn entry(document: &Node<'_>, number: &str) -> Result<RnpFacts> {
    let registration_date = document.day("registrationDate", REGISTERED)?;
    let excluded = document.day("excludeDate", &["exclude/excludeDate", "excludeInfo/date"])?;
    let planned = document.day("excludeDate", &["autoExDateInfo/autoExDate"])?;
    let law = law(document);
    // Nothing says how long an entry in the old form of PP-615 stays: it is listed until it is
    // excluded. Those of 2022 are excluded after two years (`excludeType` `AUTO`).
    let has_term = document.name() != "pprf615UnfairContractor";
    let by_law = by_law(registration_date).filter(|_| has_term);
    Ok(RnpFacts {
        registration_number: number.to_owned(),
        registration_date,
        reason: document.verbatim("reason", REASONS),
        contract_number: document.string(
            "contractNumber",
            &["contract/regNum", "contractInfo/regNum"],
        ),
        exclude_date: excluded.or(planned).or(by_law),
        federal_law: law.code().to_owned(),
        customer_name: document.verbatim(
            "customerName",
            &["customer/fullName", "customerInfo/fullName"],
        ),
        customer_inn: document.string("customerINN", &["customer/INN", "customerInfo/INN"]),
        ..RnpFacts::default()
    })
}

/// The law, by the name of the document. An entry of 2022 is also under PP-615 if it names the
/// supplier's number in the registry of contractors of that law
/// (`unfairContractor615RegistryNum`).
fn law(document: &Node<'_>) -> Regime {
    let contractor = |one: SupplierKind| {
        let supplier = document.first(&[one.path])?;
        let number = supplier.text("federalLaw", &["unfairContractor615RegistryNum"]);
        (!number.is_empty()).then_some(number)
    };
    match document.name().starts_with("pprf615") {
        true => Regime::Pp615,
        false if SUPPLIERS_2022.into_iter().find_map(contractor).is_some() => Regime::Pp615,
        false => Regime::Fz44,
    }
}

/// The supplier.
///
/// # Errors
/// As [`RnpSupplier::read`].
fn supplier(document: &Node<'_>) -> Result<RnpSupplier> {
    for one in SUPPLIERS_2022 {
        if let Some(supplier) = document.first(&[one.path]) {
            return RnpSupplier::read(&supplier, &["fullName"], one.inn, one.is_foreign);
        }
    }
    let flat = document.first(&["unfairSupplier", "unfairSupplierInfo"]);
    let supplier = document.needed(flat, "unfairSupplierInfo")?;
    // `UF` and `PF`: an organisation and a person of another country.
    let is_foreign = supplier.text("supplierINN", &["type"]).ends_with('F');
    RnpSupplier::read(
        &supplier,
        &["fullName"],
        &["inn", "taxPayerCode"],
        is_foreign,
    )
}
