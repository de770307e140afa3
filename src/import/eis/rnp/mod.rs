//! The registry of unfair suppliers (RNP), of every law (the mapping, section 5):
//! `unfairSupplier`, since 2022 `unfairSupplier2022`, under 44-FZ;
//! `dishonestSupplier…` under 223-FZ; `pprf615UnfairContractor` under PP-615; and
//! the exclusions.

mod dishonest;
mod unfair;

use super::element::Element;
use super::value::Result;
use crate::import::facts::{Fact, Facts, RnpFacts};
use crate::model::{Date, Inn, RnpEntry, Supplier};

/// The documents read here.
pub const NAMES: &[&str] = &[
    "unfairSupplier",
    "unfairSupplier2022",
    "unfairSupplier2022Exclude",
    "pprf615UnfairContractor",
    "dishonestSupplier",
    "dishonestSupplierInclude",
    "dishonestSupplierIncludeType",
    "dishonestSupplierExclude",
    "dishonestSupplierExcludeType",
    "dishonestSupplierReject",
    "dishonestSupplierRejectType",
];

/// How long an entry stays if the document names no end: by law, two years from the day of
/// inclusion.
const YEARS_LISTED: u16 = 2;

/// Reads the document.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(document: &Element<'_>) -> Result<Vec<Fact>> {
    if document.name.starts_with("dishonest") {
        dishonest::read(document)
    } else {
        unfair::read(document)
    }
}

/// The facts of one document about an entry.
struct EntryFacts {
    version: i64,
    published: i64,
    facts: Facts,
}

impl EntryFacts {
    fn into_fact(self, number: &str) -> Fact {
        Fact {
            number: number.to_owned(),
            key: String::new(),
            version: self.version,
            published: self.published,
            facts: self.facts,
        }
    }
}

/// The last day, by law, of an entry that was registered on that day.
fn by_law(registered: Option<Date>) -> Option<Date> {
    registered.and_then(|day| day.plus_years(YEARS_LISTED))
}

/// The first of `paths` with a text, else the first of all.
fn first_path<'p>(element: &Element<'_>, paths: &[&'p str]) -> &'p str {
    let there = |path: &&&str| !element.text_at(path).is_empty();
    paths
        .iter()
        .find(there)
        .or(paths.first())
        .copied()
        .unwrap_or_default()
}

/// The supplier, whose INN is at `place`. It must be valid: an entry without an INN could
/// not be found, and its supplier would pass for one that is not listed.
fn supplier(place: &str, inn: &str, name: &str) -> Result<Supplier> {
    if inn.is_empty() {
        return Err(format!("{place}: is missing"));
    }
    let valid = Inn::parse(inn).ok_or_else(|| {
        let shown: String = inn.chars().take(60).collect();
        format!("{place}: not an INN of 10 or 12 digits: {shown:?}")
    })?;
    Ok(Supplier {
        inn: valid,
        name: name.to_owned(),
    })
}

/// The facts of an inclusion; one that was `refused` need not name a supplier.
fn inclusion(supplier: Result<Supplier>, entry: RnpEntry, refused: bool) -> Result<Facts> {
    let supplier = match supplier {
        Err(_) if refused => None,
        found => Some(found?),
    };
    Ok(Facts::RnpEntry(RnpFacts {
        supplier,
        entry,
        refused,
    }))
}

#[cfg(test)]
mod tests;
