//! The facts of the registry of unfair suppliers.

use super::encoding::{Fault, Field, Reader, Value, Writer, facts};
use crate::model::{Date, Inn};

facts! {
    /// A version of an entry, alone.
    pub struct RnpFacts {
        /// The supplier's INN; `None` for a supplier of another country, and where none is stated.
        0 inn: Option<Inn>,
        /// The supplier's name.
        1 name: String,
        /// What the entry is from the day of this version on.
        2 state: RnpState,
        /// The number of the entry.
        3 registration_number: String,
        /// Day of inclusion.
        4 registration_date: Option<Date>,
        /// The reason for the inclusion, in the words of the source.
        5 reason: String,
        /// The contract in which the violation occurred.
        6 contract_number: String,
        /// The last day on which the entry is listed; `None`: until further notice.
        7 exclude_date: Option<Date>,
        /// The law: `44`, `223` or `615`.
        8 federal_law: String,
        /// Name of the customer.
        9 customer_name: String,
        /// INN of the customer, as it came.
        10 customer_inn: String,
    }
}

/// What an entry is from the day of a version on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(serde::Serialize, serde::Deserialize))]
pub enum RnpState {
    /// In the registry.
    #[default]
    InForce = 0,
    /// Archived, suspended or invalid: not in force, whatever its dates.
    Suspended = 1,
    /// The inclusion was refused.
    Refused = 2,
}

/// An unknown state is a fault: nothing says whether the entry is in force.
impl Value for RnpState {
    fn encode(&self, to: &mut Writer) -> Result<(), Fault> {
        to.cbor.u32(*self as u32)?;
        Ok(())
    }

    fn decode(from: &mut Reader<'_>) -> Result<Self, Fault> {
        match from.cbor.u32()? {
            0 => Ok(Self::InForce),
            1 => Ok(Self::Suspended),
            2 => Ok(Self::Refused),
            other => Err(Fault::new(format!("an unknown state: {other}"))),
        }
    }
}

impl Field for RnpState {
    fn missing() -> Self {
        Self::InForce
    }

    fn is_missing(&self) -> bool {
        *self == Self::InForce
    }
}
