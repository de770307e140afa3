//! Notices under 44-FZ (the mapping, sections 2 and 7): the `ep*` of the 2020 family
//! and before it, the `fcs*`, print forms of both; their cancellations and new dates.
//!
//! Both generations are read by the same functions, which know the paths in either: under
//! `commonInfo` and `notificationInfo` (`ep*`), or at the top and in `lot` or `lots/lot`
//! (`fcs*`).

mod card;
mod change;
mod customer;
mod lot;
mod object;
mod procedure;
mod terms;
#[cfg(test)]
mod tests;

use super::element::Element;
use super::value::{Result, day, flag, instant, version};
use crate::import::facts::{Fact, Facts};
use crate::model::{PurchaseNumber, Regime};

/// The notices, cancellations and changes that are read here, by local name.
pub const NAMES: &[&str] = &[
    "epNotificationEF2020",
    "epNotificationEOK2020",
    "epNotificationEZK2020",
    "epNotificationEZT2020",
    "epNotificationEOK",
    "epNotificationEOKD",
    "epNotificationEOKOU",
    "epNotificationEZK",
    "epNotificationEZP",
    "epNotificationEZakA",
    "epNotificationEZakK",
    "epNotificationEZakKD",
    "epNotificationEZakKOU",
    "fcsNotification111",
    "fcsNotificationEF",
    "fcsNotificationEP",
    "fcsNotificationISM",
    "fcsNotificationISO",
    "fcsNotificationOK",
    "fcsNotificationOKD",
    "fcsNotificationOKOU",
    "fcsNotificationPO",
    "fcsNotificationZK",
    "fcsNotificationZP",
    "fcsNotificationZakA",
    "fcsNotificationZakK",
    "fcsNotificationZakKD",
    "fcsNotificationZakKOU",
    "epNotificationCancel",
    "epNotificationCancelFailure",
    "epClosedNotificationCancel",
    "epClosedNotificationCancelFailure",
    "fcsNotificationCancel",
    "fcsNotificationCancelFailure",
    "fcsNotificationLotCancel",
    "fcsNotificationLotChange",
    "fcsNotificationOrgChange",
    "epClosedNotificationOrgChange",
    "fcs_notificationEFDateChange",
    "fcsPurchaseProlongationOK",
    "fcsPurchaseProlongationZK",
    "epProlongationEOK",
    "epProlongationEOKD",
    "epProlongationEOKOU",
    "epProlongationEZK",
    "epProlongationCancelEOK",
    "epProlongationCancelEOKD",
    "epProlongationCancelEOKOU",
    "epProlongationCancelEZK",
];

/// The beginnings of the names of notices that are newer than the known schemas; they end
/// with a year.
pub const LATER: &[&str] = &["epNotification"];

/// Is this document read here? Notices of kinds that are newer than the known schemas have
/// the same form as older ones.
pub fn reads(document: &Element<'_>) -> bool {
    let name = document.name;
    let family = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_later = LATER.iter().any(|beginning| family.starts_with(beginning))
        && family.len() + 4 == name.len()
        && document.at("notificationInfo").is_some();
    is_later || NAMES.contains(&name)
}

/// Paths of the moment of publication: `ep*` notices, other `ep*` documents, `fcs*`, and
/// last the planned one.
const PUBLISHED: &[&str] = &[
    "publishDTInEIS",
    "docPublishDTInEIS",
    "docPublishDate",
    "plannedPublishDate",
];

/// Reads a document of any of [`NAMES`].
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(document: &Element<'_>) -> Result<Vec<Fact>> {
    let head = head(document);
    let text = number(document, head);
    if text.is_empty() {
        return Err(format!("{}: purchaseNumber: is missing", document.name));
    }
    let in_document = |problem: String| {
        let number: String = text.chars().take(40).collect();
        format!("{} {number}: {problem}", document.name)
    };
    let number = PurchaseNumber::parse(text)
        .filter(|number| number.regime() == Regime::Fz44)
        .ok_or_else(|| in_document("purchaseNumber: not a number of 44-FZ".to_owned()))?;
    let published = published(head).map_err(in_document)?;
    let of_change = |(key, facts): (String, Facts)| {
        vec![Fact {
            number: number.to_string(),
            key,
            version: 0,
            published,
            facts,
        }]
    };
    if document.name == "fcsNotificationLotChange" {
        return card::changed_lot(document, &number)
            .map(of_change)
            .map_err(in_document);
    }
    match change::read(document, head).map_err(in_document)? {
        Some(change) => Ok(of_change(change)),
        None => notice(document, head, &number, published).map_err(in_document),
    }
}

/// The notice and, if it is the first, when it was published.
fn notice(
    document: &Element<'_>,
    head: &Element<'_>,
    number: &PurchaseNumber,
    published: i64,
) -> Result<Vec<Fact>> {
    let version = version(document, &["versionNumber"])?;
    let mut facts = vec![Fact {
        number: number.to_string(),
        key: String::new(),
        version,
        published,
        facts: Facts::Notice44(Box::new(card::read(document, number)?)),
    }];
    if is_first(document, version)
        && let Some(path) = published_path(head)
        && let Some(date) = day(head, path)?
    {
        facts.push(Fact {
            number: number.to_string(),
            key: String::new(),
            version: -published,
            published,
            facts: Facts::FirstNotice44(date),
        });
    }
    Ok(facts)
}

/// Is it the first version? Version 1, or none, is (schema, `versionNumber`); a notice with
/// a reason for a change is not. The `fcs*` have only the latter.
fn is_first(document: &Element<'_>, version: i64) -> bool {
    let changed = ["modificationInfo", "modification"]
        .iter()
        .any(|name| document.at(name).is_some());
    version <= 1 && !changed
}

/// The element with number, publication and subject: `commonInfo`, or the document.
fn head<'e, 'd>(document: &'e Element<'d>) -> &'e Element<'d> {
    document.at("commonInfo").unwrap_or(document)
}

/// The number of the purchase; a change of organisation names it in `purchase`.
fn number<'e>(document: &'e Element<'_>, head: &'e Element<'_>) -> &'e str {
    match head.text_at("purchaseNumber") {
        "" => document.text_at("purchase/purchaseNumber"),
        number => number,
    }
}

fn published_path(head: &Element<'_>) -> Option<&'static str> {
    let mut paths = PUBLISHED.iter().copied();
    paths.find(|path| !head.text_at(path).is_empty())
}

fn published(head: &Element<'_>) -> Result<i64> {
    published_path(head).map_or(Ok(0), |path| instant(head, path))
}

/// The elements named by the last part of any of `paths`, in the first elements named by
/// the parts before it; each with its path, for error messages.
fn all_at<'e, 'd>(
    element: &'e Element<'d>,
    paths: &'static [&'static str],
) -> impl Iterator<Item = (&'static str, &'e Element<'d>)> {
    paths.iter().copied().flat_map(move |path| {
        let (parent, name) = match path.rsplit_once('/') {
            Some((parent, name)) => (element.at(parent), name),
            None => (Some(element), path),
        };
        let found = parent.into_iter().flat_map(move |parent| parent.all(name));
        found.map(move |child| (path, child))
    })
}

/// Reads each of the elements at `paths`; errors name the element.
fn read_all<T>(
    element: &Element<'_>,
    paths: &'static [&'static str],
    read: impl Fn(&Element<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    all_at(element, paths)
        .enumerate()
        .map(|(index, (path, child))| {
            read(child).map_err(|problem| format!("{path}[{index}]/{problem}"))
        })
        .collect()
}

/// The flag at the first of `paths` that has one.
fn stated_flag(element: &Element<'_>, paths: &[&str]) -> Result<Option<bool>> {
    let mut stated = paths
        .iter()
        .filter(|path| !element.text_at(path).is_empty());
    stated
        .next()
        .map_or(Ok(None), |path| flag(element, path).map(Some))
}

/// The first existing element of `paths`.
fn first_at<'e, 'd>(element: &'e Element<'d>, paths: &[&str]) -> Option<&'e Element<'d>> {
    paths.iter().find_map(|path| element.at(path))
}
