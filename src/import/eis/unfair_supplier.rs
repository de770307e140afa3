//! `unfairSupplier`: an entry of the registry of unfair suppliers under 44-FZ,
//! as it was published until 2022 (the mapping, section 5).

use super::element::Element;
use super::value::{Problem, Result, day, instant};
use crate::import::facts::{Fact, Facts, RnpFacts};
use crate::model::{Date, Inn, RnpEntry, Supplier};

/// For how long an entry stays where the document names no end: the law's two
/// years from the day of inclusion.
const YEARS_LISTED: u16 = 2;

/// Reads the document.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(document: &Element<'_>) -> Result<Vec<Fact>> {
    let number = document.text_at("registryNum");
    if number.is_empty() {
        return Err("registryNum: is missing".to_owned());
    }
    let in_entry = |problem: Problem| format!("unfairSupplier {number}: {problem}");
    let facts = RnpFacts {
        supplier: supplier(document),
        entry: entry(document, number).map_err(in_entry)?,
        refused: !entry_is_in_registry(document),
    };
    Ok(vec![Fact {
        number: number.to_owned(),
        key: String::new(),
        version: 0,
        published: instant(document, "publishDate").map_err(in_entry)?,
        facts: Facts::RnpEntry(facts),
    }])
}

/// An inclusion that was refused never was in the registry.
fn entry_is_in_registry(document: &Element<'_>) -> bool {
    document.text_at("state") != "REVIEW_CANCELED"
}

fn entry(document: &Element<'_>, number: &str) -> Result<RnpEntry> {
    let registration_date = day(document, "approveDate")?;
    Ok(RnpEntry {
        registration_number: number.to_owned(),
        registration_date,
        reason: document.first_words(&["createReason", "reason"]).to_owned(),
        contract_number: document.text_at("contract/regNum").to_owned(),
        exclude_date: exclude_date(document, registration_date)?,
        federal_law: "44".to_owned(),
        customer_name: document.words_at("customer/fullName").to_owned(),
        customer_inn: document.text_at("customer/INN").to_owned(),
        withdrawn: matches!(document.text_at("state"), "ARCHIVED" | "TEMP_EXCLUDED"),
    })
}

/// When it was excluded, else when it is to be, else when the law has it.
fn exclude_date(document: &Element<'_>, registration_date: Option<Date>) -> Result<Option<Date>> {
    let excluded = day(document, "exclude/excludeDate")?;
    let planned = day(document, "autoExDateInfo/autoExDate")?;
    let by_law = registration_date.and_then(|date| date.plus_years(YEARS_LISTED));
    Ok(excluded.or(planned).or(by_law))
}

/// The supplier, if it has an INN of ours; founders are natural persons and are
/// not taken in.
fn supplier(document: &Element<'_>) -> Option<Supplier> {
    let inn = Inn::parse(document.first_text(&["unfairSupplier/inn", "unfairSupplier/INN"]))?;
    Some(Supplier {
        inn,
        name: document.words_at("unfairSupplier/fullName").to_owned(),
    })
}
