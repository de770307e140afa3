//! The registry of unfair suppliers (RNP).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Date;

/// An entry of the registry about one supplier (the specification, "RNP check
/// result").
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RnpEntry {
    /// The number of the entry.
    pub registration_number: String,
    /// Day of inclusion.
    pub registration_date: Option<Date>,
    /// The reason for the inclusion, in the words of the source.
    pub reason: String,
    /// The contract in which the violation occurred.
    pub contract_number: String,
    /// The last day on which the entry is listed; none: until further notice.
    pub exclude_date: Option<Date>,
    /// The law: `44`, `223` or `615` in official documents.
    pub federal_law: String,
    /// Name of the customer.
    pub customer_name: String,
    /// INN of the customer, as it came.
    pub customer_inn: String,
    /// The supplier's name where the entry states no INN, so that no supplier has the name; else
    /// empty.
    pub supplier_name: String,
    /// The days between registration and exclusion on which the entry is not in force, in order
    /// and without overlap.
    pub suspensions: Vec<Suspension>,
    /// The day of the whole registry that no longer has it, if there is one: from that day on
    /// it is not in force. It follows from all that was imported.
    pub removed_by: Option<Date>,
}

/// Days on which an entry is not in force although its dates include them: its newest document by
/// then suspends, archives or excludes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspension {
    /// The first day.
    pub from: Date,
    /// The last day; `None`: until further notice.
    pub to: Option<Date>,
}

/// The days on which an entry is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryDays {
    /// The day of inclusion.
    pub first: Option<Date>,
    /// The last day; `None`: until further notice.
    pub last: Option<Date>,
    /// The days between these on which the entry is not in force.
    pub suspensions: Box<[Suspension]>,
}

impl EntryDays {
    /// Returns whether `day` is one of the days.
    pub fn has(&self, day: Date) -> bool {
        self.first.is_none_or(|first| first <= day)
            && self.last.is_none_or(|last| day <= last)
            && !self.suspensions.iter().any(|one| one.has(day))
    }
}

impl Suspension {
    /// Returns whether `day` is one of the days.
    pub fn has(&self, day: Date) -> bool {
        self.from <= day && self.to.is_none_or(|to| day <= to)
    }
}

impl RnpEntry {
    /// Whether it is in force on `day`: see [`RnpEntry::days`].
    pub fn is_in_force(&self, day: Date) -> bool {
        self.days().has(day)
    }

    /// The days on which it is in force: from its registration date up to and including its
    /// exclusion date (the specification, "Registry rule"), on no day of a suspension, and before
    /// the day of the whole registry that no longer has it.
    pub fn days(&self) -> EntryDays {
        EntryDays {
            first: self.registration_date,
            last: self.last_day(),
            suspensions: self.suspensions.as_slice().into(),
        }
    }

    /// Whether it was in force on any day before `day`.
    pub fn was_in_force_before(&self, day: Date) -> bool {
        // Without a registration date there is no first day.
        let Some(first) = self.registration_date else {
            return true;
        };
        self.next_in_force(first).is_some_and(|first| first < day)
    }

    /// Returns the first day from `day` on, on which it is in force.
    pub fn next_in_force(&self, day: Date) -> Option<Date> {
        let mut next = self.registration_date.map_or(day, |first| first.max(day));
        for suspension in &self.suspensions {
            if suspension.has(next) {
                next = suspension.to?.plus_days(1);
            }
        }
        (!self.is_over(next)).then_some(next)
    }

    /// The last day on which it is in force; none: until further notice.
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

    /// Returns the first day on which a whole registry shows that the entry is no longer in force:
    /// the first of the `whole` registries of its law after the day when it was last `seen`, if
    /// it is in force on that day by its own dates.
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
    fn the_first_whole_registry_after_it_was_seen_ends_it_unless_it_is_over_by_then() {
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
