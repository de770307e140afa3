//! How much of the registry of unfair suppliers was imported: "not listed" is only true of
//! a registry that was (the manual, API, "Registries").

use super::{Date, Regime};

/// The state of the registry of one law in the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registry {
    /// The law.
    pub law: Regime,
    /// The day as of which it is declared complete, if it is.
    pub complete_as_of: Option<Date>,
    /// How many entries of it there are, of any date.
    pub entries: u64,
}

/// How much of a registry was imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistryState {
    /// No entry, and nothing declared.
    None,
    /// Entries, but not declared complete.
    Partial,
    /// Declared complete.
    Complete,
}

/// The registries of all laws, in the order of [`Regime::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registries(pub [Registry; 3]);

impl Registry {
    /// How much of it was imported.
    pub fn state(&self) -> RegistryState {
        match (self.complete_as_of, self.entries) {
            (Some(_), _) => RegistryState::Complete,
            (None, 0) => RegistryState::None,
            (None, _) => RegistryState::Partial,
        }
    }

    /// What it is good for on `day`, where one that was complete more than `max_age` days
    /// before is old; without it none is.
    pub fn standing(&self, day: Date, max_age: Option<u64>) -> RegistryStanding {
        let age = |complete: Date| day.days_since_1970() - complete.days_since_1970();
        match (self.state(), self.complete_as_of) {
            (RegistryState::None, _) => RegistryStanding::None,
            (_, None) => RegistryStanding::Partial,
            (_, Some(complete)) => {
                let most = max_age.map_or(i64::MAX, |days| i64::try_from(days).unwrap_or(i64::MAX));
                match age(complete) <= most {
                    true => RegistryStanding::Fresh,
                    false => RegistryStanding::Old,
                }
            }
        }
    }
}

/// What a registry is good for on a day: whether "not listed" may be said by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistryStanding {
    /// Complete, and not too long ago.
    Fresh,
    /// Complete, but too long ago.
    Old,
    /// Entries, and nobody has said that they are all.
    Partial,
    /// Nothing of it.
    None,
}

impl RegistryStanding {
    /// Its word in the keys of the page's texts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Old => "old",
            Self::Partial => "partial",
            Self::None => "none",
        }
    }
}

impl RegistryState {
    /// The codes of all of them, in their order.
    pub const CODES: &'static [&'static str] = &["none", "partial", "complete"];

    /// The code, as the contract has it.
    pub fn code(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Partial => "partial",
            Self::Complete => "complete",
        }
    }
}

impl Registries {
    /// Are all of them absent, with not a single entry?
    pub fn are_absent(&self) -> bool {
        let is_absent = |registry: &Registry| registry.state() == RegistryState::None;
        self.0.iter().all(is_absent)
    }

    /// The earliest day as of which any is declared complete.
    pub fn oldest_declared(&self) -> Option<Date> {
        self.0.iter().filter_map(|one| one.complete_as_of).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry(complete_as_of: Option<&str>, entries: u64) -> Registry {
        Registry {
            law: Regime::Fz44,
            complete_as_of: complete_as_of.and_then(Date::parse_iso),
            entries,
        }
    }

    #[test]
    fn a_registry_is_complete_only_where_that_is_declared_with_or_without_entries() {
        for (declared, entries, expected) in [
            (None, 0, RegistryState::None),
            (None, 1, RegistryState::Partial),
            (Some("2026-11-20"), 0, RegistryState::Complete),
            (Some("2026-11-20"), 5, RegistryState::Complete),
        ] {
            assert_eq!(registry(declared, entries).state(), expected);
        }
    }

    #[test]
    fn a_complete_registry_is_fresh_up_to_the_age_that_is_allowed() {
        let day = Date::parse_iso("2026-11-30").expect("a day");
        for (declared, entries, max_age, expected) in [
            (Some("2026-10-31"), 1, Some(30), RegistryStanding::Fresh),
            (Some("2026-10-30"), 1, Some(30), RegistryStanding::Old),
            (Some("2020-01-01"), 1, None, RegistryStanding::Fresh),
            (Some("2026-12-31"), 1, Some(0), RegistryStanding::Fresh),
            (None, 1, Some(30), RegistryStanding::Partial),
            (None, 0, Some(30), RegistryStanding::None),
        ] {
            assert_eq!(registry(declared, entries).standing(day, max_age), expected);
        }
    }

    #[test]
    fn registries_are_absent_where_each_is() {
        let (none, partial) = (registry(None, 0), registry(None, 1));
        let empty = registry(Some("2026-11-20"), 0);
        assert!(Registries([none; 3]).are_absent());
        assert!(!Registries([none, none, partial]).are_absent());
        assert!(!Registries([none, empty, none]).are_absent());
    }

    #[test]
    fn the_oldest_is_that_of_the_declared_ones() {
        let (none, old, new) = (
            registry(None, 3),
            registry(Some("2026-01-31"), 1),
            registry(Some("2026-11-20"), 1),
        );
        assert_eq!(Registries([none; 3]).oldest_declared(), None);
        assert_eq!(
            Registries([new, none, old]).oldest_declared(),
            old.complete_as_of
        );
    }
}
