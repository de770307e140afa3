//! Entries of the registry of unfair suppliers (RNP).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Date;

/// An entry about one supplier (specification, "RNP check result").
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RnpEntry {
    pub registration_number: String,
    pub registration_date: Option<Date>,
    pub reason: String,
    /// Number of the breached contract.
    pub contract_number: String,
    /// Last day of the entry; `None` means until further notice.
    pub exclude_date: Option<Date>,
    /// `44`, `223` or `615` in official documents; any text in imported JSON Lines.
    pub federal_law: String,
    pub customer_name: String,
    /// As in the source, unchecked.
    pub customer_inn: String,
    /// Name of the supplier. Set only if the entry states no INN, because the data then has the
    /// name nowhere else.
    pub supplier_name: String,
    /// Periods in which the entry is not in force, in order and without overlap. All of them lie
    /// between inclusion and exclusion.
    pub suspensions: Vec<Suspension>,
    /// Day of the first complete copy of the registry without this entry. From that day on, the
    /// entry is not in force.
    pub removed_by: Option<Date>,
}

/// A period in which an entry is not in force although it is between inclusion and exclusion. It
/// begins when a document suspends, archives or excludes the entry, and ends when a later document
/// restores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspension {
    pub from: Date,
    /// Last day of the period; `None` means until further notice.
    pub to: Option<Date>,
}

/// The days on which an entry is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryDays {
    /// Day of inclusion; `None` if unknown.
    pub first: Option<Date>,
    /// Last day in force; `None` means until further notice.
    pub last: Option<Date>,
    /// Periods in between during which the entry is not in force.
    pub suspensions: Box<[Suspension]>,
}

impl EntryDays {
    pub fn has(&self, day: Date) -> bool {
        self.first.is_none_or(|first| first <= day)
            && self.last.is_none_or(|last| day <= last)
            && !self.suspensions.iter().any(|one| one.has(day))
    }
}

impl Suspension {
    pub fn has(&self, day: Date) -> bool {
        self.from <= day && self.to.is_none_or(|to| day <= to)
    }
}

impl RnpEntry {
    /// See [`RnpEntry::days`].
    pub fn is_in_force(&self, day: Date) -> bool {
        self.days().has(day)
    }

    /// Returns the days on which the entry is in force: all days from inclusion to exclusion
    /// (specification, "Registry rule"), except suspensions. If a complete copy of the registry
    /// lacks the entry, the day before that copy is the last.
    pub fn days(&self) -> EntryDays {
        EntryDays {
            first: self.registration_date,
            last: self.last_day(),
            suspensions: self.suspensions.as_slice().into(),
        }
    }

    /// Returns whether the entry was in force on any day before `day`.
    pub fn was_in_force_before(&self, day: Date) -> bool {
        // Without a day of inclusion, the entry counts as in force from the beginning.
        let Some(first) = self.registration_date else {
            return true;
        };
        self.next_in_force(first).is_some_and(|first| first < day)
    }

    /// Returns the first day on or after `day` on which the entry is in force.
    pub fn next_in_force(&self, day: Date) -> Option<Date> {
        let mut next = self.registration_date.map_or(day, |first| first.max(day));
        for suspension in &self.suspensions {
            if suspension.has(next) {
                next = suspension.to?.plus_days(1);
            }
        }
        (!self.is_over(next)).then_some(next)
    }

    /// Returns the last day in force; `None` means until further notice.
    pub fn last_day(&self) -> Option<Date> {
        let before_removal = self.removed_by.map(|day| day.minus_days(1));
        let last = self.suspensions.last().filter(|last| last.to.is_none());
        let before_suspension = last.map(|last| last.from.minus_days(1));
        let ends = [self.exclude_date, before_removal, before_suspension];
        ends.into_iter().flatten().min()
    }

    fn is_over(&self, day: Date) -> bool {
        self.last_day().is_some_and(|last| last < day)
    }

    /// Returns the day from which the entry counts as removed. `whole` has the days of complete
    /// copies of the registry; the day is the first of them that is later than both the
    /// registration and the day on which the entry was last `seen`. Returns `None` if there is no
    /// such day, or if the entry was not in force on it by its own dates.
    pub fn removal(&self, seen: Option<Date>, whole: &BTreeSet<Date>) -> Option<Date> {
        let last_seen = seen.max(self.registration_date);
        let mut later = whole.iter().filter(|day| Some(**day) > last_seen);
        let first = later.next().copied()?;
        let would_be = Self {
            removed_by: None,
            ..self.clone()
        };
        would_be.is_in_force(first).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_complete_registry_without_an_entry_ends_it() {
        let day = |text| Date::parse_iso(text).expect("a date");
        let whole: BTreeSet<Date> = ["2025-01-10", "2025-06-10"].map(day).into();
        let entry = |from, to| RnpEntry {
            registration_date: Some(day(from)),
            exclude_date: Some(day(to)),
            ..RnpEntry::default()
        };
        let two_years = entry("2024-03-01", "2026-03-01");
        for (entry, seen, expected) in [
            (&two_years, None, Some("2025-01-10")),
            (&two_years, Some("2025-01-10"), Some("2025-06-10")),
            (&two_years, Some("2025-06-10"), None),
            (&entry("2025-02-01", "2027-02-01"), None, Some("2025-06-10")),
            (&entry("2025-07-01", "2027-07-01"), None, None),
            (&entry("2023-01-01", "2025-01-01"), None, None),
        ] {
            let found = entry.removal(seen.map(day), &whole);
            assert_eq!(found, expected.map(day), "{entry:?} {seen:?}");
        }
        let removed = RnpEntry {
            removed_by: Some(day("2025-01-10")),
            ..two_years
        };
        assert!(removed.is_in_force(day("2025-01-09")));
        assert!(!removed.is_in_force(day("2025-01-10")));
        assert!(removed.was_in_force_before(day("2025-01-10")));
        assert!(!removed.was_in_force_before(day("2024-03-01")));
    }
}
