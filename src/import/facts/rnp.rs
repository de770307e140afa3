//! Facts about entries in registries of unfair suppliers.

use super::encoding::{FactsError, FactsReader, FactsWriter, StoredField, StoredValue, facts};
use crate::model::{Date, Inn};

facts! {
    /// One version of an entry in a registry of unfair suppliers.
    pub struct RnpFacts {
        /// `None` if the supplier is foreign or the document states no INN.
        0 inn: Option<Inn>,
        1 name: String,
        2 state: RnpState,
        3 registration_number: String,
        /// Day of inclusion.
        4 registration_date: Option<Date>,
        /// As worded in the document.
        5 reason: String,
        /// Number of the breached contract.
        6 contract_number: String,
        /// Last day of the entry; `None` means until further notice.
        7 exclude_date: Option<Date>,
        /// `44`, `223` or `615`.
        8 federal_law: String,
        9 customer_name: String,
        /// As in the document, unchecked.
        10 customer_inn: String,
    }
}

/// The state of an entry from the day of a version on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(serde::Serialize, serde::Deserialize))]
pub enum RnpState {
    #[default]
    InForce = 0,
    /// Archived, suspended or invalid. The entry is not in force, whatever its dates.
    Suspended = 1,
    /// The inclusion was refused.
    Refused = 2,
}

/// An unknown state is an error, because it might mean that the entry is not in force.
impl StoredValue for RnpState {
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        to.cbor.u32(*self as u32)?;
        Ok(())
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        match from.cbor.u32()? {
            0 => Ok(Self::InForce),
            1 => Ok(Self::Suspended),
            2 => Ok(Self::Refused),
            other => Err(FactsError::new(format!("an unknown state: {other}"))),
        }
    }
}

impl StoredField for RnpState {
    fn missing() -> Self {
        Self::InForce
    }

    fn is_missing(&self) -> bool {
        *self == Self::InForce
    }
}
