//! `unfairSupplier` (schema `zfcs_unfairSupplierType`), `unfairSupplier2022` and its
//! `…Exclude` (no published schema: several plausible names are tried for each field),
//! `pprf615UnfairContractor` (schema `unfairContractorType`).

use super::super::element::Element;
use super::super::value::{Result, day, instant, person_name, version};
use super::{EntryFacts, by_law, first_path, inclusion, supplier};
use crate::import::facts::{Fact, Facts};
use crate::model::{Date, RnpEntry, Supplier};

/// Paths of the number of the entry.
const NUMBERS: &[&str] = &[
    "registryNum",
    "commonInfo/registryNum",
    "commonInfo/regNumber",
    "commonInfo/registrationNumber",
    "commonInfo/regNum",
    "commonInfo/unfairSupplierRegNumber",
    "excludeInfo/regNumber",
    "regNumber",
];

/// When the document was published.
const PUBLISHED: &[&str] = &[
    "publishDate",
    "commonInfo/publishDate",
    "commonInfo/publishDT",
    "commonInfo/publishDTInEIS",
    "publishDT",
    "commonInfo/firstVersionPublishDT",
];

/// The day of inclusion.
const REGISTERED: &[&str] = &[
    "approveDate",
    "commonInfo/approveDate",
    "commonInfo/includeDate",
    "commonInfo/firstVersionPublishDT",
    "commonInfo/firstVersionPublishDate",
];

const REASONS: &[&str] = &[
    "createReason",
    "reason",
    "commonInfo/createReason",
    "createReasonInfo/createReason",
    "createReasonInfo/code",
    "commonInfo/createReasonInfo/createReason",
    "createReasonInfo/name",
];

const CONTRACTS: &[&str] = &[
    "contract/regNum",
    "contractInfo/regNum",
    "contractInfo/regNumber",
    "contractInfo/contractRegNum",
    "contractInfo/contractRegNumber",
    "createReasonInfo/contractInfo/regNum",
];

/// The day it was excluded.
const EXCLUDED: &[&str] = &[
    "exclude/excludeDate",
    "excludeInfo/excludeDate",
    "excludeInfo/date",
];

/// The day it is to be excluded.
const PLANNED: &[&str] = &[
    "autoExDateInfo/autoExDate",
    "commonInfo/autoExDateInfo/autoExDate",
    "commonInfo/autoExDate",
    "autoExDate",
];

/// The day of an `…Exclude` document.
const EXCLUSIONS: &[&str] = &[
    "exclude/excludeDate",
    "excludeInfo/excludeDate",
    "excludeInfo/excludeDT",
    "excludeInfo/date",
    "commonInfo/excludeDate",
    "commonInfo/excludeDT",
    "excludeDate",
    "excludeDT",
    "commonInfo/publishDT",
    "commonInfo/publishDate",
    "publishDate",
];

const CUSTOMER_NAMES: &[&str] = &[
    "customer/fullName",
    "customerInfo/fullName",
    "customerInfo/name",
    "customerInfo/customer/fullName",
    "purchaseInfo/customerInfo/fullName",
    "contractInfo/customerInfo/fullName",
];

const CUSTOMER_INNS: &[&str] = &[
    "customer/INN",
    "customer/inn",
    "customerInfo/INN",
    "customerInfo/inn",
    "customerInfo/customer/INN",
    "purchaseInfo/customerInfo/INN",
    "contractInfo/customerInfo/INN",
];

/// Reads the document.
pub fn read(document: &Element<'_>) -> Result<Vec<Fact>> {
    let name = document.name;
    let number = document.first_text(NUMBERS);
    if number.is_empty() {
        let place = match name {
            "unfairSupplier" => "registryNum",
            "pprf615UnfairContractor" => "commonInfo/registryNum",
            _ => "commonInfo/regNumber",
        };
        return Err(format!("{name}: {place}: is missing"));
    }
    reading(document, number)
        .map(|reading| vec![reading.into_fact(number)])
        .map_err(|problem| format!("{name} {number}: {problem}"))
}

fn reading(document: &Element<'_>, number: &str) -> Result<EntryFacts> {
    Ok(EntryFacts {
        version: version(document, &["commonInfo/versionNumber", "versionNumber"])?,
        published: instant(document, first_path(document, PUBLISHED))?,
        facts: if document.name.ends_with("Exclude") {
            Facts::RnpExclusion(first_day(document, EXCLUSIONS)?)
        } else {
            let refused = state(document) == "REVIEW_CANCELED";
            inclusion(unfair_supplier(document), entry(document, number)?, refused)?
        },
    })
}

/// A refused inclusion (`REVIEW_CANCELED`) was never in the registry; one that is
/// `ARCHIVED` or `TEMP_EXCLUDED` is not in it now.
fn state<'e>(document: &'e Element<'_>) -> &'e str {
    document.first_text(&["state", "commonInfo/state", "commonInfo/status"])
}

fn first_day(document: &Element<'_>, paths: &[&str]) -> Result<Option<Date>> {
    day(document, first_path(document, paths))
}

fn entry(document: &Element<'_>, number: &str) -> Result<RnpEntry> {
    let registration_date = first_day(document, REGISTERED)?;
    let excluded = first_day(document, EXCLUDED)?;
    let planned = first_day(document, PLANNED)?;
    let federal_law = federal_law(document);
    // No known document or schema says how long an entry under PP-615 stays: it is listed
    // until it is excluded.
    let by_law = by_law(registration_date).filter(|_| federal_law != "615");
    Ok(RnpEntry {
        registration_number: number.to_owned(),
        registration_date,
        reason: document.first_words(REASONS).to_owned(),
        contract_number: document.first_text(CONTRACTS).to_owned(),
        exclude_date: excluded.or(planned).or(by_law),
        federal_law: federal_law.to_owned(),
        customer_name: document.first_words(CUSTOMER_NAMES).to_owned(),
        customer_inn: document.first_text(CUSTOMER_INNS).to_owned(),
        withdrawn: matches!(state(document), "ARCHIVED" | "TEMP_EXCLUDED"),
    })
}

/// PP-615 and the old registry have one law each; that of 2022 has 44-FZ and 223-FZ, and an
/// element with "law" in its name says which.
fn federal_law(document: &Element<'_>) -> &'static str {
    match document.name {
        "unfairSupplier" => "44",
        "pprf615UnfairContractor" => "615",
        _ => law_within(document).unwrap_or("44"),
    }
}

fn law_within(element: &Element<'_>) -> Option<&'static str> {
    element.children().iter().find_map(|child| {
        let name = child.name.to_ascii_lowercase();
        let speaks = name.contains("law") || name == "fz" || name.ends_with("fztype");
        law_of(child.text())
            .filter(|_| speaks)
            .or_else(|| {
                let codes = child.first_text(&["code", "shortName", "name"]);
                law_of(codes).filter(|_| speaks)
            })
            .or_else(|| law_within(child))
    })
}

/// `44`, `FZ223`, `223-ФЗ`, `PP615` and the like.
fn law_of(text: &str) -> Option<&'static str> {
    let digits: String = text.chars().filter(char::is_ascii_digit).take(4).collect();
    ["44", "223", "615"].into_iter().find(|law| *law == digits)
}

/// The supplier: directly in `unfairSupplier` or `unfairSupplierInfo`, or in an element of
/// its kind (`legalEntityRFInfo`, `IPInfo`, …) and its register extract. Founders are
/// natural persons, and are not imported.
fn unfair_supplier(document: &Element<'_>) -> Result<Supplier> {
    let place = match document.name {
        "unfairSupplier" => "unfairSupplier/inn",
        "pprf615UnfairContractor" => "unfairSupplierInfo/taxPayerCode",
        _ => "unfairSupplierInfo/…/INN",
    };
    let found = ["unfairSupplier", "unfairSupplierInfo"]
        .iter()
        .find_map(|path| document.at(path));
    let Some(found) = found else {
        return supplier(place, "", "");
    };
    let within = |element: &&Element<'_>| {
        element.name.ends_with("Info") && !element.name.starts_with("founder")
    };
    let kinds = found.children().iter().filter(within);
    let extracts = kinds
        .clone()
        .flat_map(|kind| kind.children().iter().filter(within));
    let places: Vec<&Element<'_>> = std::iter::once(found)
        .chain(kinds)
        .chain(extracts)
        .collect();
    let inn = places
        .iter()
        .map(|place| place.first_text(&["inn", "INN", "taxPayerCode"]))
        .find(|inn| !inn.is_empty())
        .unwrap_or_default();
    let names = ["fullName", "name", "firmName", "shortName"];
    let name = places
        .iter()
        .map(|place| place.first_words(&names).to_owned())
        .chain(
            places
                .iter()
                .map(|place| person_name(place.at("nameInfo").unwrap_or(place))),
        )
        .find(|name| !name.is_empty());
    supplier(place, inn, &name.unwrap_or_default())
}
