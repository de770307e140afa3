//! The documents that an answer is based on (manual, "API", "Where it comes from").

use std::collections::BTreeMap;

use super::date::{Date, timestamp};
use super::{contract_page, purchase_page, rnp_search};

/// What a document is about. A contract and a purchase may have the same number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentSubject {
    #[default]
    Contract,
    Purchase,
    RnpEntry,
}

impl DocumentSubject {
    pub const ALL: [Self; 3] = [Self::Contract, Self::Purchase, Self::RnpEntry];
}

/// Documents are ordered by time.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceDocument {
    /// Publication time in milliseconds since 1970. `None` for a JSON line, or if the document
    /// states no time.
    pub published: Option<i64>,
    pub subject: DocumentSubject,
    /// Number of the contract, purchase or RNP entry.
    pub number: String,
    /// Name of the root element; [`SourceDocument::LINE`] for a JSON line.
    pub kind: String,
    pub version: Option<u64>,
    /// Subsystem of EIS that publishes the document; empty for a JSON line.
    pub subsystem: String,
}

/// In milliseconds.
const DAY: i64 = 86_400_000;

/// Offset from UTC in milliseconds.
const MOSCOW: i64 = 3 * 3_600_000;

impl SourceDocument {
    /// `kind` of a record that was imported from JSON Lines.
    pub const LINE: &'static str = "line";

    /// Returns the publication time in UTC as `YYYY-MM-DDTHH:MM:SSZ`, or an empty text if unknown.
    /// If a document states only a day, the stored time is the start of that day in Moscow. Such a
    /// time gives only the day.
    pub fn published_text(&self) -> String {
        match self.published {
            None => String::new(),
            Some(time) if (time + MOSCOW).rem_euclid(DAY) == 0 => {
                Date::from_days_since_1970((time + MOSCOW).div_euclid(DAY)).to_string()
            }
            Some(time) => timestamp(time.div_euclid(1000)),
        }
    }

    /// Returns the address of the official page, if it can be derived. `purchases` has the pages of
    /// the purchases in the same list of documents.
    pub fn href(&self, purchases: &PurchasePages<'_>) -> Option<String> {
        match self.subject {
            DocumentSubject::Contract => contract_page(&self.number),
            DocumentSubject::Purchase => purchases.0.get(self.number.as_str()).cloned().flatten(),
            DocumentSubject::RnpEntry => rnp_search(&self.number),
        }
    }
}

/// Official pages of purchases, by purchase number. The address depends on the names of all
/// documents of a purchase, so a single document is not enough to derive it.
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
