//! Inclusions in the registries of unfair suppliers that the import could not parse. As long as
//! such an inclusion may be about a supplier, the data does not prove that the supplier is not
//! listed (manual, "API", "Registries").

use std::sync::Arc;

use super::{Date, Inn, Regime};

/// An inclusion that the import could not parse, and what could still be read of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnreadEntry {
    pub law: Regime,
    /// Number of the entry; empty if unreadable.
    pub number: String,
    pub version: Option<i64>,
    /// Publication time in milliseconds since 1970.
    pub published: Option<i64>,
    pub about: UnreadAbout,
    /// Archive, or file outside of archives.
    pub archive: String,
    /// File within the archive; empty if there is no archive.
    pub entry: String,
}

/// Whom an unparsed inclusion may be about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnreadAbout {
    /// A supplier with one of these INNs.
    Inns(Vec<Inn>),
    /// A supplier without a Russian INN.
    NoInn,
    Anybody,
}

impl UnreadEntry {
    /// Returns the first day for which the registry may lack the entry: the day of publication, or
    /// the first day of the calendar if that is unknown.
    pub fn since(&self) -> Date {
        self.published.map_or(Date::FIRST, Date::in_moscow_at)
    }
}

/// All inclusions that the import could not parse and that no later document has settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadEntries {
    pub all: Arc<[UnreadEntry]>,
    /// INNs that an inclusion may be about, each with the law and the first day for which that
    /// law's registry may lack an entry. Sorted.
    meant: Arc<[(Inn, Regime, Date)]>,
}

impl UnreadEntries {
    /// Accepts the entries in any order.
    pub fn new(mut all: Vec<UnreadEntry>) -> Self {
        all.sort_unstable();
        let mut meant = Vec::new();
        for one in &all {
            if let UnreadAbout::Inns(inns) = &one.about {
                meant.extend(inns.iter().map(|inn| (inn.clone(), one.law, one.since())));
            }
        }
        meant.sort_unstable();
        meant.dedup();
        Self {
            all: all.into(),
            meant: meant.into(),
        }
    }

    /// Returns the laws whose registries may lack an entry about `inn` on `day`.
    pub fn laws(&self, inn: &Inn, day: Date) -> impl Iterator<Item = Regime> {
        let first = self.meant.partition_point(|(meant, ..)| meant < inn);
        let found = self.meant.get(first..).unwrap_or_default().iter();
        let of_inn = found.take_while(move |(meant, ..)| meant == inn);
        of_inn
            .filter(move |(.., since)| *since <= day)
            .map(|(_, law, _)| *law)
    }

    /// Counts the entries under a law. Several documents about an entry count once.
    pub fn count(&self, law: Regime) -> u64 {
        let of_law = || self.all.iter().filter(|one| one.law == law);
        let without = of_law().filter(|one| one.number.is_empty()).count();
        let mut numbers: Vec<_> = of_law().map(|one| one.number.as_str()).collect();
        numbers.retain(|number| !number.is_empty());
        numbers.sort_unstable();
        numbers.dedup();
        (without + numbers.len()) as u64
    }

    /// Returns the first day from which a law's registry cannot count as complete, because an
    /// inclusion published then may be about anybody.
    pub fn uncovered_from(&self, law: Regime) -> Option<Date> {
        let of_law = self.all.iter().filter(|one| one.law == law);
        let of_anybody = of_law.filter(|one| one.about == UnreadAbout::Anybody);
        of_anybody.map(UnreadEntry::since).min()
    }
}
