//! Documents that an answer follows from (the manual, API, "Where it comes from").

use std::collections::BTreeMap;

use super::date::{Date, timestamp};
use super::{contract_page, purchase_page, rnp_search};

/// The subject of documents. A contract and a purchase may have the same number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentSubject {
    /// A contract under 44-FZ, by its registry number.
    #[default]
    Contract,
    /// A purchase of any law, by its number.
    Purchase,
    /// An entry of the registry of unfair suppliers, by its number.
    RnpEntry,
}

impl DocumentSubject {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Contract, Self::Purchase, Self::RnpEntry];
}

/// A document that an answer follows from, in the order of time.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceDocument {
    /// When it was published, in milliseconds since 1970; none of a line, or where it does not
    /// say so.
    pub published: Option<i64>,
    /// Its subject.
    pub subject: DocumentSubject,
    /// The number of the contract, purchase or RNP entry that it is about.
    pub number: String,
    /// The name of its element, `line` of a line.
    pub kind: String,
    /// The version that it states; none for a line, or where it states none.
    pub version: Option<u64>,
    /// The part of EIS that gives it out; empty of a line.
    pub subsystem: String,
}

/// A day in milliseconds.
const DAY: i64 = 86_400_000;

/// Moscow's offset in milliseconds.
const MOSCOW: i64 = 3 * 3_600_000;

impl SourceDocument {
    /// The kind of a record that came as a JSON line.
    pub const LINE: &'static str = "line";

    /// The time of publication in UTC, `YYYY-MM-DDTHH:MM:SSZ`, or the day alone where that is
    /// the beginning of a day in Moscow: so are days read that have no time. Empty where it is
    /// not known.
    pub fn published_text(&self) -> String {
        match self.published {
            None => String::new(),
            Some(time) if (time + MOSCOW).rem_euclid(DAY) == 0 => {
                Date::from_days_since_1970((time + MOSCOW).div_euclid(DAY)).to_string()
            }
            Some(time) => timestamp(time.div_euclid(1000)),
        }
    }

    /// The official page, if its address follows from the number. `purchases` are the pages of the
    /// purchases among the documents of the answer.
    pub fn href(&self, purchases: &PurchasePages<'_>) -> Option<String> {
        match self.subject {
            DocumentSubject::Contract => contract_page(&self.number),
            DocumentSubject::Purchase => purchases.0.get(self.number.as_str()).cloned().flatten(),
            DocumentSubject::RnpEntry => rnp_search(&self.number),
        }
    }
}

/// The official pages of the purchases in a list of documents, by number. The page of a purchase
/// depends on the names of all its documents.
#[derive(Clone, Debug, Default)]
pub struct PurchasePages<'a>(BTreeMap<&'a str, Option<String>>);

impl<'a> PurchasePages<'a> {
    /// Returns the pages of the purchases in a list.
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
    fn a_time_is_in_utc_and_a_day_stays_one() {
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
