//! The facts of changes to the execution of a contract under 44-FZ, and of their cancellations.

use super::contract::StageKey;
use super::encoding::{FactsError, FactsReader, FactsWriter, StoredField, StoredValue, facts};
use crate::model::{Amount, ContractStage, Date};

facts! {
    /// A `contractProcedure`, or a document of the execution register.
    pub struct ProcedureFacts {
        /// The id of this version, to which cancellations refer.
        0 id: String,
        /// Day of publication.
        1 publish_date: Option<Date>,
        /// The resulting stage of the contract, if stated.
        2 stage: Option<ContractStage>,
        /// The events.
        3 parts: Vec<ProcedurePart>,
    }

    /// The cancellation of a procedure.
    #[derive(Copy)]
    pub struct ProcedureCancelFacts {
        /// The day of the cancellation.
        0 day: Option<Date>,
        /// The resulting stage of the contract, if stated.
        1 stage: Option<ContractStage>,
        /// Whether this revokes a decision that the contract is void.
        2 revokes_invalidation: bool,
    }

    /// An event of a procedure. Among parts about the same subject, the one in the newest document
    /// counts.
    pub struct ProcedurePart {
        /// The subject within the contract (see "Key of a procedure" in the manual's chapter on
        /// fields): `execution STAGE ORDINAL`, `termination`, `penalty NUMBER DATE`, `guarantee
        /// NUMBER DATE`, or the document's id.
        0 about: String,
        /// The event.
        1 event: ContractEvent,
    }

    /// An execution within a stage.
    pub struct Execution {
        /// The stage.
        0 stage: StageKey,
        /// The number of the execution within the stage.
        1 ordinal: String,
        /// The payments.
        2 paid: Option<Amount>,
        /// What was fulfilled.
        3 accepted: Vec<Acceptance>,
        /// Whether this is the last execution of the stage.
        4 final_of_stage: bool,
    }

    /// A fulfilled part of a contract.
    pub struct Acceptance {
        /// Number and date of the document of acceptance; may be empty.
        0 document: String,
        /// The cost.
        1 sum: Amount,
    }

    /// The early end of a contract.
    pub struct TerminationFacts {
        /// The ground.
        0 ground: TerminationGround,
        /// All payments under the contract.
        1 paid: Option<Amount>,
    }

    /// The decision of a court that a contract is void.
    pub struct InvalidationFacts {
        /// All payments under the contract.
        0 paid: Option<Amount>,
    }

    /// A penalty on the supplier.
    pub struct PenaltyFacts {
        /// The penalty.
        0 accrued: Option<Amount>,
        /// The payments of the penalty.
        1 paid: Option<Amount>,
    }

    /// A claim on the guarantee of a contract.
    pub struct GuaranteeClaimFacts {
        /// Amount claimed.
        0 amount: Option<Amount>,
        /// Day the claim was published.
        1 publish_date: Option<Date>,
        /// Day of the claim.
        2 claim_date: Option<Date>,
        /// The basis of the claim.
        3 grounds: String,
    }
}

/// An event in a contract's life. Amounts are roubles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(serde::Serialize, serde::Deserialize))]
pub enum ContractEvent {
    /// An event of a kind that this release does not know. It is ignored.
    #[default]
    #[cfg_attr(test, serde(skip))]
    Unknown,
    /// Something was executed and paid.
    Execution(Execution),
    /// Something was accepted, according to the execution register.
    Acceptance(Acceptance),
    /// The contract was terminated.
    Termination(TerminationFacts),
    /// A court declared the contract void.
    Invalidation(InvalidationFacts),
    /// A penalty on the supplier.
    Penalty(PenaltyFacts),
    /// A claim on the guarantee.
    GuaranteeClaim(GuaranteeClaimFacts),
}

/// Stored as a list of the kind's number and the event.
impl StoredValue for ContractEvent {
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        to.cbor.array(2)?;
        match self {
            Self::Unknown => encode_event(0, &false, to),
            Self::Execution(facts) => encode_event(1, facts, to),
            Self::Acceptance(facts) => encode_event(2, facts, to),
            Self::Termination(facts) => encode_event(3, facts, to),
            Self::Invalidation(facts) => encode_event(4, facts, to),
            Self::Penalty(facts) => encode_event(5, facts, to),
            Self::GuaranteeClaim(facts) => encode_event(6, facts, to),
        }
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        if from.cbor.array()? != Some(2) {
            return Err(FactsError::new("an event does not have two parts"));
        }
        Ok(match from.cbor.u32()? {
            1 => Self::Execution(StoredValue::decode(from)?),
            2 => Self::Acceptance(StoredValue::decode(from)?),
            3 => Self::Termination(StoredValue::decode(from)?),
            4 => Self::Invalidation(StoredValue::decode(from)?),
            5 => Self::Penalty(StoredValue::decode(from)?),
            6 => Self::GuaranteeClaim(StoredValue::decode(from)?),
            _ => {
                from.cbor.skip()?;
                Self::Unknown
            }
        })
    }
}

fn encode_event<T: StoredValue>(
    kind: u32,
    facts: &T,
    to: &mut FactsWriter,
) -> Result<(), FactsError> {
    to.cbor.u32(kind)?;
    facts.encode(to)
}

impl StoredField for ContractEvent {
    fn missing() -> Self {
        Self::Unknown
    }

    fn is_missing(&self) -> bool {
        *self == Self::Unknown
    }
}

/// The ground of a contract's termination (see "Termination flags" in the manual's chapter on
/// fields).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(serde::Serialize, serde::Deserialize))]
pub enum TerminationGround {
    /// By agreement.
    Agreement = 1,
    /// By a court.
    Court = 2,
    /// By the customer.
    Customer = 3,
    /// By the supplier.
    Supplier = 4,
    /// None of these, or not stated.
    #[default]
    Unknown = 0,
}

impl StoredValue for TerminationGround {
    fn encode(&self, to: &mut FactsWriter) -> Result<(), FactsError> {
        to.cbor.u32(*self as u32)?;
        Ok(())
    }

    fn decode(from: &mut FactsReader<'_>) -> Result<Self, FactsError> {
        Ok(match from.cbor.u32()? {
            1 => Self::Agreement,
            2 => Self::Court,
            3 => Self::Customer,
            4 => Self::Supplier,
            _ => Self::Unknown,
        })
    }
}

impl StoredField for TerminationGround {
    fn missing() -> Self {
        Self::Unknown
    }

    fn is_missing(&self) -> bool {
        *self == Self::Unknown
    }
}
