//! The registry of unfair suppliers (RNP).

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
    /// Why the supplier was included, as the source words it.
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
    /// The registry's keeper has taken the entry out, whatever its dates say
    /// (a document's `state` `ARCHIVED` or `TEMP_EXCLUDED`).
    pub withdrawn: bool,
}

impl RnpEntry {
    /// Is the entry listed on `day`? From its registration date on, up to and
    /// including its exclusion date (the specification, "Registry rule").
    pub fn listed_on(&self, day: Date) -> bool {
        !self.withdrawn
            && self.registration_date.is_none_or(|from| from <= day)
            && self.exclude_date.is_none_or(|until| day <= until)
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
