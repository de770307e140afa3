//! Reads the execution register (ЦРК, since schema 16.1; schema types in `IntegrationCETypes.xsd`).
//! Acceptances, payments, penalties and unilateral refusals are separate documents, and so are
//! their cancellations.
//!
//! All versions of a document have the same `regNumberExecution`. An acceptance may also be in a
//! `contractProcedure` with the same number and date; `derive` counts it once. As in
//! `contractProcedure`, some values are not read: refunds, penalties on the customer, and amounts
//! withheld or written off.

use super::kind::Kind;
use super::node::{KEY, Node, Result};
use super::procedure::{acceptance_document, ground, reg_num};
use crate::import::facts::{
    Acceptance, ContractEvent, Execution, Fact, Facts, PenaltyFacts, ProcedureCancelFacts,
    ProcedureFacts, ProcedurePart, TerminationFacts, TerminationGround,
};

/// The number that all versions of a document share.
const KEYS: &[&str] = &["regNumberExecution", "id"];

/// Reads a `cemContractExecutionDocAcceptance`.
pub fn acceptance(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let info = document.first_or_self(&["docAcceptanceInfo"]);
    let sum = info.roubles(
        "fulfilmentSum",
        "fulfilmentSumRUR",
        "fulfilmentSum",
        "currency/code",
    )?;
    let event = sum.map(|sum| {
        let document = acceptance_document(&info);
        ContractEvent::Acceptance(Acceptance { document, sum })
    });
    fact(kind, document, event)
}

/// Reads a `cemContractExecutionPayment`.
pub fn payment(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let info = document.first_or_self(&["payDocumentInfo"]);
    let paid = info.roubles("paid.total", "paidRUR", "paid", "currency/code")?;
    // Payments to the supplier, payments of the supplier's taxes, and payments under a writ of
    // execution. All other types are refunds and penalties.
    let is_payment = matches!(
        info.text("paid.total", &["payDocumentType"]),
        "" | "PC" | "PT" | "PE"
    ) && info.text("paid.total", &["refundType"]).is_empty();
    let event = is_payment.then(|| {
        ContractEvent::Execution(Execution {
            paid,
            ..Execution::default()
        })
    });
    fact(kind, document, event)
}

/// Reads a `cemContractExecutionPenaltyAccrual`.
pub fn penalty(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let info = document.first_or_self(&["penaltyAccrualInfo"]);
    let accrued = info.roubles("penaltiesTotal", "sumRUR", "sum", "currency/code")?;
    let is_of_supplier = info.text("penaltiesTotal", &["contractParty"]) != "C";
    let event = is_of_supplier.then_some(ContractEvent::Penalty(PenaltyFacts {
        accrued,
        paid: None,
    }));
    fact(kind, document, event)
}

/// Reads a `cemContractTerminationUnilateralRefusal`.
pub fn refusal(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let info = document.first(&["commonInfo"]);
    let event = ContractEvent::Termination(TerminationFacts {
        ground: info.map_or(TerminationGround::Unknown, |info| ground(&info)),
        paid: None,
    });
    fact(kind, document, Some(event))
}

/// Reads the cancellation of any document of the execution register.
pub fn cancellation(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = reg_num(kind, document)?;
    let key = document.required(KEY, &["regNumberExecution"])?;
    let facts = Facts::ProcedureCancel(ProcedureCancelFacts {
        day: document.day("updateDate", kind.published)?,
        ..ProcedureCancelFacts::default()
    });
    Ok(vec![kind.fact(document, number, key, facts)?])
}

/// Makes the fact of a document. A fact without an event is needed too, because it replaces older
/// versions of the document.
fn fact(kind: &Kind, document: &Node<'_>, event: Option<ContractEvent>) -> Result<Vec<Fact>> {
    let number = reg_num(kind, document)?;
    let key = document.required(KEY, KEYS)?;
    let about = format!("register {key}");
    let parts = event.map(|event| ProcedurePart { about, event });
    let facts = Facts::Procedure(ProcedureFacts {
        publish_date: document.day("updateDate", &["publishDate"])?,
        parts: parts.into_iter().collect(),
        ..ProcedureFacts::default()
    });
    Ok(vec![kind.fact(document, number, key, facts)?])
}
