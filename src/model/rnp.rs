//! The registry of unfair suppliers (RNP).

use serde::{Deserialize, Serialize};

use super::Date;

/// Calls `$with!` with the given tokens, in brackets, and the fields of an entry on the wire,
/// as for a contract ([`super::contract_fields`]).
macro_rules! rnp_entry_fields {
    ($with:ident $($given:tt)*) => {
        $with! { [$($given)*]
            registration_number "registrationNumber": key,
            registration_date "registrationDate": date,
            reason "reason": text,
            contract_number "contractNumber": text,
            exclude_date "excludeDate": date,
            federal_law "federalLaw": text,
            customer_name "customerName": text,
            customer_inn "customerINN": text,
        }
    };
}
pub(crate) use rnp_entry_fields;

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
    /// Withdrawn by the registry's authority, whatever its dates say (a document's `state`
    /// `ARCHIVED` or `TEMP_EXCLUDED`).
    pub withdrawn: bool,
}

impl RnpEntry {
    /// Has the entry begun by `day`: on its registration date or before?
    pub fn begun_on(&self, day: Date) -> bool {
        self.registration_date.is_none_or(|from| from <= day)
    }

    /// Is the entry listed on `day`? From its registration date on, up to and
    /// including its exclusion date (the specification, "Registry rule").
    pub fn listed_on(&self, day: Date) -> bool {
        !self.withdrawn && self.begun_on(day) && self.exclude_date.is_none_or(|until| day <= until)
    }
}

/// The registry's verdict on a supplier on a day (the manual, API, "Verdicts").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// An entry is listed.
    Listed,
    /// At least one entry has begun, and all that have begun are over.
    PreviouslyListed,
    /// The supplier is known, and no entry has begun.
    NotListed,
    /// The same, but no registry was imported that could have an entry.
    NoRegistry,
    /// The supplier is unknown.
    Unknown,
    /// Not an INN: not 10 or 12 digits, or unknown and with wrong control digits.
    Invalid,
}

impl Verdict {
    /// The codes of all of them, in their order.
    pub const CODES: &'static [&'static str] = &[
        "listed",
        "previously-listed",
        "not-listed",
        "no-registry",
        "unknown",
        "invalid",
    ];

    /// The code, as the contract has it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::PreviouslyListed => "previously-listed",
            Self::NotListed => "not-listed",
            Self::NoRegistry => "no-registry",
            Self::Unknown => "unknown",
            Self::Invalid => "invalid",
        }
    }

    /// Is the supplier listed, where that is known?
    pub fn is_listed(self) -> Option<bool> {
        match self {
            Self::Listed => Some(true),
            Self::PreviouslyListed | Self::NotListed => Some(false),
            Self::NoRegistry | Self::Unknown | Self::Invalid => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_listed_from_its_registration_to_its_exclusion_date_both_included() {
        let day = |text| Date::parse_iso(text).expect("a date");
        let entry = RnpEntry {
            registration_date: Some(day("2024-03-01")),
            exclude_date: Some(day("2026-03-01")),
            ..RnpEntry::default()
        };
        assert!(!entry.listed_on(day("2024-02-29")));
        assert!(entry.listed_on(day("2024-03-01")));
        assert!(entry.listed_on(day("2026-03-01")));
        assert!(!entry.listed_on(day("2026-03-02")));
        let open = RnpEntry {
            exclude_date: None,
            ..entry.clone()
        };
        assert!(open.listed_on(day("2099-01-01")));
        let withdrawn = RnpEntry {
            withdrawn: true,
            ..open
        };
        assert!(!withdrawn.listed_on(day("2025-01-01")));
    }
}
