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
