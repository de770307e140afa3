//! Reads entries under 44-FZ and PP-615.
//!
//! - Until 31 March 2022: `unfairSupplier` (schema `zfcs_unfairSupplierType`; version 5.0 has
//!   `reason` instead of `createReason`) and `pprf615UnfairContractor` (`unfairContractorType`).
//!   Versions are not numbered; each states the current state of the entry (`state`).
//! - Since then: `unfairSupplier2022` and, under PP-615, `pprf615UnfairContractor2022` (both of
//!   type `unfairSupplier2022Type`). Versions are numbered, but lack state, law, customer and
//!   contract. `unfairSupplierIKZ` (`unfairSupplierIKZType`) is the same entry with the codes of
//!   its purchases. An exclusion is a separate document, `…2022Exclude`
//!   (`unfairSupplier2022ExcludeType`).

use super::{RnpSupplier, by_law, inclusion};
use crate::import::eis::kind::{Kind, Rule};
use crate::import::eis::node::{Node, Paths, Result};
use crate::import::facts::{Fact, Facts, RnpFacts, RnpState};
use crate::model::{Date, Regime};

/// An element of a supplier: its path, the paths of the INN, and whether the supplier is foreign.
/// The tax code of a foreign supplier is not an INN.
struct SupplierKind {
    path: &'static str,
    inn: Paths<'static>,
    is_foreign: bool,
}

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

/// Reads an inclusion in the format used until 2022.
pub fn read(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let supplier = old_supplier(document);
    let state = match document.text("excludeDate", &["state", "commonInfo/state"]) {
        "ARCHIVED" | "TEMP_EXCLUDED" => RnpState::Suspended,
        "REVIEW_CANCELED" => RnpState::Refused,
        _ => RnpState::InForce,
    };
    let number = document.required("registrationNumber", kind.number)?;
    let registration_date = document.day(
        "registrationDate",
        &["approveDate", "commonInfo/approveDate"],
    )?;
    let excluded = document.day("excludeDate", &["exclude/excludeDate", "excludeInfo/date"])?;
    let has_term = kind.rule != Rule::Contractor615WithoutTerm;
    let by_law = by_law(registration_date).filter(|_| has_term);
    let law = match kind.rule {
        Rule::Contractor615WithoutTerm => Regime::Pp615,
        _ => Regime::Fz44,
    };
    let planned = planned_exclusion(document)?;
    let entry = RnpFacts {
        registration_number: number.to_owned(),
        registration_date,
        reason: document.verbatim(
            "reason",
            &["createReason", "reason", "commonInfo/createReason"],
        ),
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
    };
    let fact = kind.fact(document, number, "", inclusion(supplier, entry, state)?)?;
    Ok(vec![fact.of_version()])
}

/// Reads an inclusion in the format used since 2022.
pub fn read_2022(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let supplier = supplier_2022(document);
    let number = document.required("registrationNumber", kind.number)?;
    let first = ["commonInfo/firstVersionPublishDT"];
    let registration_date = document.day("registrationDate", &first)?;
    let planned = planned_exclusion(document)?;
    let entry = RnpFacts {
        registration_number: number.to_owned(),
        registration_date,
        reason: document.verbatim("reason", &["createReasonInfo/createReason"]),
        exclude_date: planned.or(by_law(registration_date)),
        federal_law: law_of_2022(kind, document).code().to_owned(),
        ..RnpFacts::default()
    };
    let facts = inclusion(supplier, entry, RnpState::InForce)?;
    let fact = kind.fact(document, number, "", facts)?;
    Ok(vec![fact.of_version()])
}

fn planned_exclusion(document: &Node<'_>) -> Result<Option<Date>> {
    document.day("excludeDate", &["autoExDateInfo/autoExDate"])
}

pub fn exclusion(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = document.required("registrationNumber", kind.number)?;
    let day = document.day("excludeDate", &["commonInfo/excludeDT"])?;
    let day = document.needed(day, "excludeDT")?;
    let fact = kind.fact(document, number, "", Facts::RnpExclusion(day))?;
    Ok(vec![fact.of_version()])
}

/// Returns the law of an entry in the format used since 2022. It is PP-615 if the kind says so, or
/// if the supplier has a number in the registry of contractors under PP-615
/// (`unfairContractor615RegistryNum`).
fn law_of_2022(kind: &Kind, document: &Node<'_>) -> Regime {
    let contractor = |one: SupplierKind| {
        let supplier = document.first(&[one.path])?;
        let number = supplier.text("federalLaw", &["unfairContractor615RegistryNum"]);
        (!number.is_empty()).then_some(number)
    };
    let is_contractor = SUPPLIERS_2022.into_iter().find_map(contractor).is_some();
    if kind.rule == Rule::Contractor615 || is_contractor {
        Regime::Pp615
    } else {
        Regime::Fz44
    }
}

fn supplier_2022(document: &Node<'_>) -> Result<RnpSupplier> {
    for one in SUPPLIERS_2022 {
        if let Some(supplier) = document.first(&[one.path]) {
            return RnpSupplier::read(&supplier, &["fullName"], one.inn, one.is_foreign);
        }
    }
    let unknown = document.first(&["unfairSupplierInfo"]);
    let unknown = document.needed(unknown, "unfairSupplierInfo")?;
    RnpSupplier::read(&unknown, &[], &[], false)
}

fn old_supplier(document: &Node<'_>) -> Result<RnpSupplier> {
    let (supplier, inn) = match document.first(&["unfairSupplier"]) {
        Some(supplier) => (Some(supplier), "inn"),
        None => (document.first(&["unfairSupplierInfo"]), "taxPayerCode"),
    };
    let supplier = document.needed(supplier, "unfairSupplierInfo")?;
    // Types `UF` and `PF` are foreign organizations and foreign persons.
    let is_foreign = supplier.text("supplierINN", &["type"]).ends_with('F');
    RnpSupplier::read(&supplier, &["fullName"], &[inn], is_foreign)
}
