//! Inclusions in the registries of unfair suppliers that could not be read. An absence is not
//! proved while one may be about the supplier (the manual, API, "Registries").

use std::sync::Arc;

use super::{Date, Inn, Regime};

/// An inclusion that could not be read, and what could be made out in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnreadEntry {
    /// The law of its registry.
    pub law: Regime,
    /// The number of the entry; empty if it could not be made out.
    pub number: String,
    /// The version that it states.
    pub version: Option<i64>,
    /// The time of its publication, in milliseconds since 1970.
    pub published: Option<i64>,
    /// Whom it may be about.
    pub about: UnreadAbout,
    /// The name of the archive, or of the file.
    pub archive: String,
    /// The name of the file within the archive; empty without one.
    pub entry: String,
}

/// Whom an unread inclusion may be about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnreadAbout {
    /// One of the suppliers with these INNs.
    Inns(Vec<Inn>),
    /// A supplier without a Russian INN.
    NoInn,
    /// Any supplier.
    Anybody,
}

impl UnreadEntry {
    /// The first day for which the registry may lack this entry: that of publication, any day if
    /// that is not known.
    pub fn since(&self) -> Date {
        self.published.map_or(Date::FIRST, Date::in_moscow_at)
    }
}

/// All unread inclusions that nothing has settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadEntries {
    /// In ascending order.
    pub all: Arc<[UnreadEntry]>,
    /// The INNs that they may mean, with the laws of their registries and the first days for which
    /// these may lack an entry, in ascending order.
    meant: Arc<[(Inn, Regime, Date)]>,
}

impl UnreadEntries {
    /// All of them, in any order.
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

    /// The laws whose registries may lack an entry of the supplier with this INN on `day`.
    pub fn laws(&self, inn: &Inn, day: Date) -> impl Iterator<Item = Regime> {
        let first = self.meant.partition_point(|(meant, ..)| meant < inn);
        let found = self.meant.get(first..).unwrap_or_default().iter();
        let of_inn = found.take_while(move |(meant, ..)| meant == inn);
        of_inn
            .filter(move |(.., since)| *since <= day)
            .map(|(_, law, _)| *law)
    }

    /// The number of unread entries of a law.
    pub fn count(&self, law: Regime) -> u64 {
        let of_law = || self.all.iter().filter(|one| one.law == law);
        let without = of_law().filter(|one| one.number.is_empty()).count();
        let mut numbers: Vec<_> = of_law().map(|one| one.number.as_str()).collect();
        numbers.retain(|number| !number.is_empty());
        numbers.sort_unstable();
        numbers.dedup();
        (without + numbers.len()) as u64
    }

    /// The first day that the registry of a law does not cover, as an entry of it could not be read
    /// and may be about anybody.
    pub fn uncovered_from(&self, law: Regime) -> Option<Date> {
        let of_law = self.all.iter().filter(|one| one.law == law);
        let of_anybody = of_law.filter(|one| one.about == UnreadAbout::Anybody);
        of_anybody.map(UnreadEntry::since).min()
    }
}
