//! The documents that an answer is based on (manual, "API", "Where it comes from").

use std::collections::BTreeMap;

use super::date::{Date, timestamp};
use super::{contract_page, purchase_page, rnp_search};

/// What a document is about. A contract and a purchase can have the same number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentSubject {
    /// A contract under 44-FZ, identified by registry number.
    #[default]
    Contract,
    /// A purchase under any law, identified by number.
    Purchase,
    /// An entry of the registry of unfair suppliers, identified by number.
    RnpEntry,
}

impl DocumentSubject {
    pub const ALL: [Self; 3] = [Self::Contract, Self::Purchase, Self::RnpEntry];
}

/// A document that an answer is based on. Ordered by time.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceDocument {
    /// Publication time in milliseconds since 1970. `None` for a JSON line, and for documents that
    /// state no time.
    pub published: Option<i64>,
    pub subject: DocumentSubject,
    /// Number of the contract, purchase or RNP entry.
    pub number: String,
    /// Name of the root element; [`SourceDocument::LINE`] for a JSON line.
    pub kind: String,
    /// Version that the document states, if any.
    pub version: Option<u64>,
    /// The subsystem of EIS that publishes the document; empty for a JSON line.
    pub subsystem: String,
}

/// One day in milliseconds.
const DAY: i64 = 86_400_000;

/// Offset of Moscow time in milliseconds.
const MOSCOW: i64 = 3 * 3_600_000;

impl SourceDocument {
    /// Kind of a record that was imported from JSON Lines.
    pub const LINE: &'static str = "line";

    /// Returns the publication time in UTC as `YYYY-MM-DDTHH:MM:SSZ`. Documents that state only a
    /// day are stored with the start of that day in Moscow; for such a time, returns only the day.
    /// Empty if the time is unknown.
    pub fn published_text(&self) -> String {
        match self.published {
            None => String::new(),
            Some(time) if (time + MOSCOW).rem_euclid(DAY) == 0 => {
                Date::from_days_since_1970((time + MOSCOW).div_euclid(DAY)).to_string()
            }
            Some(time) => timestamp(time.div_euclid(1000)),
        }
    }

    /// Returns the address of the official page, if it can be derived. `purchases` holds the pages
    /// of the purchases that the answer's documents are about.
    pub fn href(&self, purchases: &PurchasePages<'_>) -> Option<String> {
        match self.subject {
            DocumentSubject::Contract => contract_page(&self.number),
            DocumentSubject::Purchase => purchases.0.get(self.number.as_str()).cloned().flatten(),
            DocumentSubject::RnpEntry => rnp_search(&self.number),
        }
    }
}

/// Official pages of the purchases in a list of documents, by purchase number. The address of a
/// page depends on the names of all documents of the purchase, so it cannot be derived from a
/// single one.
#[derive(Clone, Debug, Default)]
pub struct PurchasePages<'a>(BTreeMap<&'a str, Option<String>>);

impl<'a> PurchasePages<'a> {
    pub fn of(documents: &'a [SourceDocument]) -> Self {
        let mut kinds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for one in documents {
            kinds.entry(&one.number).or_default().push(&one.kind);
        }
        let mut pages = BTreeMap::new();
        for one in documents {
            if one.subject == DocumentSubject::Purchase {
                let number = one.number.as_str();
                let kinds = kinds.remove(number).unwrap_or_default();
                let page = || purchase_page(number, kinds.into_iter());
                pages.entry(number).or_insert_with(page);
            }
        }
        Self(pages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_utc_and_days_stay_days() {
        let text = |published| {
            let document = SourceDocument {
                published,
                ..SourceDocument::default()
            };
            document.published_text()
        };
        // 2017-01-16T19:12:06.771+03:00
        assert_eq!(text(Some(1_484_583_126_771)), "2017-01-16T16:12:06Z");
        // 2017-01-16+03:00
        assert_eq!(text(Some(1_484_514_000_000)), "2017-01-16");
        assert_eq!(text(Some(1_484_514_001_000)), "2017-01-15T21:00:01Z");
        assert_eq!(text(Some(-MOSCOW)), "1970-01-01");
        assert_eq!(text(None), "");
    }
}
