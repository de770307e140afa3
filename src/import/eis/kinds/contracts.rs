//! Contracts under 44-FZ, and documents about their execution.

use super::{NEUTRAL, purchases223};
use crate::import::eis::kind::{Kind, Subject};
use crate::import::eis::{contract, execution_register, procedure};

const CANCELLATION: [&str; 2] = [
    "отмена сведений об исполнении",
    "cancellation of a record of execution or termination",
];

const EXECUTION: [&str; 2] = [
    "исполнение, расторжение контракта",
    "execution, termination of a contract",
];

/// The registry of contracts.
const RGK: Kind = Kind {
    subsystem: "RGK",
    is_current: true,
    about: Subject::Contract,
    number: &["regNum"],
    ..NEUTRAL
};

/// The execution register (schema 16.2).
const RPEC: Kind = Kind {
    subsystem: "RPEC",
    about: Subject::Contract,
    number: &["regNumber"],
    version: &["versionNumber"],
    published: &["publishDate"],
    what: EXECUTION,
    ..NEUTRAL
};

const RPEC_CANCEL: Kind = Kind {
    subsystem: "RPEC",
    about: Subject::Contract,
    number: &["regNumber"],
    published: &["commonInfo/cancelDate"],
    what: CANCELLATION,
    reader: execution_register::cancellation,
    ..NEUTRAL
};

pub const KINDS: &[Kind] = &[
    // Must precede contracts under 44-FZ, which have the same name but no `body`.
    purchases223::CONTRACT,
    Kind {
        name: "contract",
        ends: true,
        version: &["versionNumber"],
        published: &["publishDate"],
        what: ["сведения о контракте", "the record of a contract"],
        reader: contract::read,
        ..RGK
    },
    Kind {
        name: "contractProcedure",
        version: &["versionNumber"],
        published: &["publishDate"],
        what: EXECUTION,
        reader: procedure::read,
        ..RGK
    },
    Kind {
        name: "contractProcedureCancel",
        published: &["cancelDate"],
        what: CANCELLATION,
        reader: procedure::procedure_cancel,
        ..RGK
    },
    Kind {
        name: "contractCancel",
        published: &["publishDate", "cancelDate"],
        what: ["аннулирование контракта", "annulment of a contract"],
        reader: procedure::contract_cancel,
        ..RGK
    },
    Kind {
        name: "cemContractExecutionDocAcceptance",
        is_current: true,
        reader: execution_register::acceptance,
        ..RPEC
    },
    Kind {
        name: "cemContractExecutionPayment",
        reader: execution_register::payment,
        ..RPEC
    },
    Kind {
        name: "cemContractExecutionPenaltyAccrual",
        reader: execution_register::penalty,
        ..RPEC
    },
    Kind {
        name: "cemContractTerminationUnilateralRefusal",
        reader: execution_register::refusal,
        ..RPEC
    },
    RPEC_CANCEL
        .named("cemContractExecutionDocAcceptanceCancel")
        .current(),
    RPEC_CANCEL.named("cemContractExecutionCancel"),
    RPEC_CANCEL.named("cemContractTerminationUnilateralRefusalCancel"),
];
