//! Facts about changes in the execution of a contract under 44-FZ, and about cancellations of those
//! changes.

use super::contract::StageKey;
use super::encoding::{FactsError, FactsReader, FactsWriter, StoredField, StoredValue, facts};
use crate::model::{Amount, ContractStage, Date};

facts! {
    /// A `contractProcedure`, or a document of the execution register.
    pub struct ProcedureFacts {
        /// Id of this version, to which cancellations refer.
        0 id: String,
        1 publish_date: Option<Date>,
        /// Stage of the contract after the change; `None` if not stated.
        2 stage: Option<ContractStage>,
        3 parts: Vec<ProcedurePart>,
    }

    #[derive(Copy)]
    pub struct ProcedureCancelFacts {
        0 day: Option<Date>,
        /// Stage of the contract after the cancellation; `None` if not stated.
        1 stage: Option<ContractStage>,
        /// Whether this revokes the decision that the contract is void.
        2 revokes_invalidation: bool,
    }

    /// An event of a procedure. If several documents have parts about the same thing, the newest
    /// document counts.
    pub struct ProcedurePart {
        /// Identifies within the contract what the event is about (manual, Fields, "Key of a
        /// procedure"): `execution STAGE ORDINAL`, `termination`, `invalidation`, `penalty NUMBER
        /// DATE` or `guarantee NUMBER DATE`. If all words after the first would be empty, the id of
        /// the document follows instead. For a document of the execution register, the text is
        /// `register KEY`.
        0 about: String,
        1 event: ContractEvent,
    }

    /// The execution of a stage or of a part of it.
    pub struct Execution {
        0 stage: StageKey,
        /// Number of the execution within the stage.
        1 ordinal: String,
        2 paid: Option<Amount>,
        3 accepted: Vec<Acceptance>,
        4 final_of_stage: bool,
    }

    pub struct Acceptance {
        /// Number and date of the document of acceptance; may be empty.
        0 document: String,
        /// Value of the accepted work.
        1 sum: Amount,
    }

    pub struct TerminationFacts {
        0 ground: TerminationGround,
        /// Total paid under the contract.
        1 paid: Option<Amount>,
    }

    /// A court's decision that the contract is void.
    pub struct InvalidationFacts {
        /// Total paid under the contract.
        0 paid: Option<Amount>,
    }

    pub struct PenaltyFacts {
        0 accrued: Option<Amount>,
        1 paid: Option<Amount>,
    }

    pub struct GuaranteeClaimFacts {
        0 amount: Option<Amount>,
        1 publish_date: Option<Date>,
        2 claim_date: Option<Date>,
        3 grounds: String,
    }
}

/// An event in the life of a contract. Amounts are in roubles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(serde::Serialize, serde::Deserialize))]
pub enum ContractEvent {
    /// An event of a kind that only later releases know. It is ignored.
    #[default]
    #[cfg_attr(test, serde(skip))]
    Unknown,
    /// A stage or a part of it was executed and paid for.
    Execution(Execution),
    /// Work was accepted, according to the execution register.
    Acceptance(Acceptance),
    Termination(TerminationFacts),
    /// A court declared the contract void.
    Invalidation(InvalidationFacts),
    Penalty(PenaltyFacts),
    GuaranteeClaim(GuaranteeClaimFacts),
}

/// Stored as a list: the number of the kind, then the event.
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

/// The ground on which a contract was terminated (manual, Fields, "Termination flags").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(serde::Serialize, serde::Deserialize))]
pub enum TerminationGround {
    Agreement = 1,
    Court = 2,
    /// Unilateral refusal by the customer.
    Customer = 3,
    /// Unilateral refusal by the supplier.
    Supplier = 4,
    /// Another ground, or none stated.
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
