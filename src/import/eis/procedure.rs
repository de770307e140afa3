//! Reads a `contractProcedure`, which changes the execution of a contract under 44-FZ (executions,
//! termination, penalties, guarantee claims). Also reads the cancellations `contractCancel` and
//! `contractProcedureCancel` (schema types `zfcs_contractProcedure2015Type` and, before 2015,
//! `zfcs_contractProcedureType`).
//!
//! Refunds (`refundOverpaymentsInfo`) do not reduce payments. EIS does the same: its totals
//! (`termination/paid`, `contractInvalidation/paid`) add up every `executions/execution/paid`,
//! refunded or not (album of formats 16.2, part 14).
//!
//! If a document states several amounts for the same thing, they are added up. This includes
//! payments under both `payDoc` and `docExecution`, because no document seen so far has the same
//! payment under both. Penalties that were returned or written off are not subtracted, neither from
//! the accrued nor from the paid total.

use std::collections::HashMap;

use super::contract::{stage, stage_key};
use super::kind::Kind;
use super::node::{FieldName, KEY, NUMBER, Node, Result};
use crate::import::facts::{
    Acceptance, ContractEvent, Execution, Fact, Facts, GuaranteeClaimFacts, InvalidationFacts,
    PenaltyFacts, ProcedureCancelFacts, ProcedureFacts, ProcedurePart, StageKey, TerminationFacts,
    TerminationGround,
};
use crate::model::{Amount, ContractStage, Date, is_rouble};

/// Reads a `contractProcedure`.
pub fn read(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = reg_num(kind, document)?;
    let id = document.text(KEY, &["id", "externalId", "printForm/docRegNumber"]);
    // `id` identifies one version of a procedure; `sid` is the same in all its versions (schema
    // 14.1).
    let key = match document.text(KEY, &["sid"]) {
        "" => id,
        sid => sid,
    };
    let publish_date = document.day("updateDate", &["publishDate"])?;
    let mut parts = Parts {
        id,
        ..Parts::default()
    };
    executions(document, &mut parts)?;
    termination(document, &mut parts)?;
    penalties(document, &mut parts)?;
    guarantee_claims(document, publish_date, &mut parts)?;
    let facts = Facts::Procedure(ProcedureFacts {
        id: id.to_owned(),
        publish_date,
        stage: stage_after(document)?,
        parts: parts.parts,
    });
    Ok(vec![kind.fact(document, number, key, facts)?])
}

/// Reads a `contractCancel`, which annuls the registry entry.
pub fn contract_cancel(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = reg_num(kind, document)?;
    let annulled = document.day("updateDate", kind.published)?;
    let facts = Facts::ContractCancel(annulled);
    Ok(vec![kind.fact(document, number, "", facts)?])
}

/// Reads a `contractProcedureCancel`.
pub fn procedure_cancel(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = reg_num(kind, document)?;
    let key = document.required(KEY, &["cancelledProcedureId"])?;
    let facts = Facts::ProcedureCancel(ProcedureCancelFacts {
        day: document.day("updateDate", &["cancelDate"])?,
        stage: stage(document)?,
        revokes_invalidation: document.has("contractStage", "contractInvalidationCancel"),
    });
    Ok(vec![kind.fact(document, number, key, facts)?])
}

/// Returns the registry number of the contract, which must have 19 digits.
pub fn reg_num<'e>(kind: &Kind, document: &Node<'e>) -> Result<&'e str> {
    let number = document.value(NUMBER, kind.number, |text| {
        let digits = text.len() == 19 && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then_some(text).ok_or("19 digits")
    })?;
    document.needed(number, "regNum")
}

/// Returns the stage that the document states. A contract that was declared void
/// (`contractInvalidation`) is annulled if no stage is stated.
fn stage_after(document: &Node<'_>) -> Result<Option<ContractStage>> {
    let is_void = document.has("contractStage", "contractInvalidation");
    Ok(stage(document)?.or_else(|| is_void.then_some(ContractStage::Annulled)))
}

#[derive(Default)]
struct Parts<'e> {
    /// Id of the document, which serves as the key of parts without identifying words.
    id: &'e str,
    parts: Vec<ProcedurePart>,
    /// By subject: the index of the first part about it, and the number of such parts.
    places: HashMap<String, (usize, usize)>,
}

impl Parts<'_> {
    /// Returns a key for the subject of a part: `kind`, followed by the identifying words, or by
    /// the id of the document if all words are empty.
    fn about(&self, kind: &str, words: &[&str]) -> String {
        if words.iter().all(|word| word.is_empty()) {
            return format!("{kind} {}", self.id);
        }
        std::iter::once(kind)
            .chain(words.iter().copied())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Adds the part at `place`. Amounts that concern the same thing, such as a fine and default
    /// interest in one demand, are added up. Guarantee claims stay separate; from the second on,
    /// they are numbered.
    fn add(&mut self, place: &Node<'_>, about: String, mut event: ContractEvent) -> Result<()> {
        let (first, count) = self
            .places
            .entry(about.clone())
            .or_insert((self.parts.len(), 0));
        *count += 1;
        let Some(same) = self.parts.get_mut(*first) else {
            self.parts.push(ProcedurePart { about, event });
            return Ok(());
        };
        if !sum_up(place, &mut same.event, &mut event)? {
            let about = format!("{about} {count}");
            self.parts.push(ProcedurePart { about, event });
        }
        Ok(())
    }
}

/// Merges `another` into `event` by adding up amounts and appending acceptances. Returns `false` if
/// events of this type are not merged.
fn sum_up(
    place: &Node<'_>,
    event: &mut ContractEvent,
    another: &mut ContractEvent,
) -> Result<bool> {
    match (event, another) {
        (ContractEvent::Execution(own), ContractEvent::Execution(more)) => {
            own.final_of_stage |= more.final_of_stage;
            own.paid = sum(place, own.paid, more.paid)?;
            own.accepted.append(&mut more.accepted);
        }
        (ContractEvent::Penalty(own), ContractEvent::Penalty(more)) => {
            own.accrued = sum(place, own.accrued, more.accrued)?;
            own.paid = sum(place, own.paid, more.paid)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Adds two amounts, of which one or both may be missing.
fn sum(place: &Node<'_>, one: Option<Amount>, another: Option<Amount>) -> Result<Option<Amount>> {
    let (Some(first), Some(second)) = (one, another) else {
        return Ok(one.or(another));
    };
    let sum = first.checked_add(second);
    let sum = sum.ok_or_else(|| place.error("a sum of amounts has too many digits"))?;
    Ok(Some(sum))
}

/// Reads the `executions` elements, each of which is about one stage.
fn executions(document: &Node<'_>, parts: &mut Parts<'_>) -> Result<()> {
    for executions in document.all(&["executions"]) {
        let stage = executed_stage(&executions);
        let ordinal = executions.string(KEY, &["ordinalNumber"]);
        let about = parts.about("execution", &[stage.name(), &ordinal]);
        let mut event = Execution {
            stage,
            ordinal,
            final_of_stage: executions.flag("contractStage", &["finalStageExecution"])?,
            ..Execution::default()
        };
        for row in executions.all(&["execution"]) {
            let paid = row.roubles("paid.total", "paidRUR", "paid", "currency/code")?;
            event.paid = sum(&row, event.paid, paid)?;
            event.accepted.extend(acceptance(&row)?);
        }
        parts.add(&executions, about, ContractEvent::Execution(event))?;
    }
    Ok(())
}

/// Returns the key of the executed stage. Documents before 2015 state only its month, in `oldStage`
/// or, in the oldest schema, directly in `stage`.
fn executed_stage(executions: &Node<'_>) -> StageKey {
    let text = |path| executions.text(KEY, &[path]);
    let mut key = executions
        .first(&["stage"])
        .map_or_else(StageKey::default, |stage| stage_key(&stage));
    if key != StageKey::default() {
        return key;
    }
    for [year, month] in [
        ["stage/oldStage/year", "stage/oldStage/month"],
        ["stage/year", "stage/month"],
    ] {
        let (year, month) = (text(year), text(month));
        if !year.is_empty() || !month.is_empty() {
            key.end = format!("{year}-{month:0>2}");
            return key;
        }
    }
    key
}

/// Reads the acceptance of an execution: `docAcceptance` since schema 11, `docExecution` before.
fn acceptance(execution: &Node<'_>) -> Result<Option<Acceptance>> {
    for path in ["docAcceptance", "docExecution"] {
        let Some(document) = execution.first(&[path]) else {
            continue;
        };
        let currency = execution.text("fulfilmentSum", &["currency/code"]);
        let converted = document.amount("fulfilmentSum", &["fulfilmentSumRUR"])?;
        let original = document.amount("fulfilmentSum", &["fulfilmentSum"])?;
        let sum = converted.or(original.filter(|_| is_rouble(currency)));
        if let Some(sum) = sum {
            let document = acceptance_document(&document);
            return Ok(Some(Acceptance { document, sum }));
        }
    }
    Ok(None)
}

/// Returns the number and date of an acceptance, which identify it within a contract. Returns an
/// empty text if there is no number.
pub fn acceptance_document(document: &Node<'_>) -> String {
    let number = document.text(KEY, &["documentNum"]);
    let date = document.text(KEY, &["documentDate"]);
    match number {
        "" => String::new(),
        number => format!("{number} {}", date.get(..10).unwrap_or(date)),
    }
}

/// Reads `contractInvalidation`, `obligationsTermination`, and `termination` (before 2015,
/// `terminations/termination`). The grounds in `obligationsTermination` (since 16.0: the term
/// ended, the supplier was liquidated or died) match none of the flags.
fn termination(document: &Node<'_>, parts: &mut Parts<'_>) -> Result<()> {
    if let Some(invalidation) = document.first(&["contractInvalidation"]) {
        let paid = invalidation.amount("paid.total", &["paid"])?;
        let event = ContractEvent::Invalidation(InvalidationFacts { paid });
        parts.add(&invalidation, "invalidation".to_owned(), event)?;
    }
    if let Some(ended) = document.first(&["obligationsTermination"]) {
        let event = ContractEvent::Termination(TerminationFacts::default());
        parts.add(&ended, "termination".to_owned(), event)?;
    }
    if let Some(termination) = document.first(&["termination"]) {
        return add_termination(&termination, ground(&termination), parts);
    }
    if let Some(termination) = document.first(&["terminations/termination"]) {
        return add_termination(&termination, ground_before_2015(&termination), parts);
    }
    Ok(())
}

fn add_termination(
    termination: &Node<'_>,
    ground: TerminationGround,
    parts: &mut Parts<'_>,
) -> Result<()> {
    let paid = termination.amount("paid.total", &["paid"])?;
    let event = ContractEvent::Termination(TerminationFacts { ground, paid });
    parts.add(termination, "termination".to_owned(), event)
}

/// Stands for the wire fields of all grounds of termination.
const GROUNDS: FieldName = "termination*";

/// Returns the ground of a termination by its code, or if the code is unknown, by its wording
/// (manual, Fields, "Termination flags").
pub fn ground(termination: &Node<'_>) -> TerminationGround {
    let code = termination.text(GROUNDS, &["reason/code"]);
    let words = termination.text(GROUNDS, &["reason/name"]);
    ground_of(code, words)
}

/// Documents before 2015 have ids instead of codes.
fn ground_before_2015(termination: &Node<'_>) -> TerminationGround {
    let code = termination.text(GROUNDS, &["terminationReason/id"]);
    let words = termination.text(GROUNDS, &["terminationReason/name", "reason"]);
    ground_of(code, words)
}

fn ground_of(code: &str, words: &str) -> TerminationGround {
    match code.trim_start_matches('0') {
        "1" => TerminationGround::Agreement,
        "2" => TerminationGround::Court,
        "3" => TerminationGround::Customer,
        "4" | "8326975" | "8361023" | "8724083" => TerminationGround::Supplier,
        _ => ground_in_words(words),
    }
}

/// Returns the ground of termination that a text states: agreement, court decision or refusal. A
/// refusal is attributed to the party that is mentioned first.
fn ground_in_words(text: &str) -> TerminationGround {
    let text = text.to_lowercase();
    let courts = ["судебн", "решению суда", "решение суда", "решением суда"];
    if text.contains("соглашени") {
        return TerminationGround::Agreement;
    }
    if courts.iter().any(|court| text.contains(court)) {
        return TerminationGround::Court;
    }
    let parties = [
        ("заказчик", TerminationGround::Customer),
        ("поставщик", TerminationGround::Supplier),
        ("подрядчик", TerminationGround::Supplier),
        ("исполнител", TerminationGround::Supplier),
    ];
    let named = parties.map(|(word, ground)| text.find(word).map(|at| (at, ground)));
    let first = named.into_iter().flatten().min_by_key(|(at, _)| *at);
    first.map_or(TerminationGround::Unknown, |(_, ground)| ground)
}

/// Reads `penalties/penaltyAccrual`, or `penalties/penalty` before 2015.
fn penalties(document: &Node<'_>, parts: &mut Parts<'_>) -> Result<()> {
    for accrual in document.all(&["penalties/penaltyAccrual"]) {
        if is_on_supplier(&accrual) {
            penalty(&accrual, parts)?;
        }
    }
    for penalty in document.all(&["penalties/penalty"]) {
        if is_on_supplier(&penalty) {
            penalty_before_2015(&penalty, parts)?;
        }
    }
    Ok(())
}

/// Responses do not include penalties on the customer.
fn is_on_supplier(penalty: &Node<'_>) -> bool {
    matches!(penalty.text("penaltiesTotal", &["contractParty"]), "" | "S")
}

fn penalty(accrual: &Node<'_>, parts: &mut Parts<'_>) -> Result<()> {
    let number = accrual.text(KEY, &["penaltyDocument/documentNum"]);
    let date = accrual.text(KEY, &["penaltyDocument/documentDate"]);
    let about = parts.about("penalty", &[number, date.get(..10).unwrap_or(date)]);
    let event = ContractEvent::Penalty(PenaltyFacts {
        accrued: accrual.roubles(
            "penaltiesTotal",
            "accrualAmountRUR",
            "accrualAmount",
            "currency/code",
        )?,
        paid: accrual.roubles(
            "penaltiesPayments",
            "payments/totalAmountRUR",
            "payments/totalAmount",
            "currency/code",
        )?,
    });
    parts.add(accrual, about, event)
}

/// Reads a penalty in a document before 2015. If the penalty was cancelled later, nothing is due.
fn penalty_before_2015(penalty: &Node<'_>, parts: &mut Parts<'_>) -> Result<()> {
    let change = penalty.text("penaltiesTotal", &["penaltyChange/penaltyChangeType"]);
    // The letter is Latin, or Cyrillic as in the documentation of the schema.
    let is_cancelled = matches!(change, "C" | "С");
    let Some(accrual) = penalty.first(&["penaltyAccrual"]) else {
        return Ok(());
    };
    let number = accrual.text(KEY, &["documentInfoList/documentInfo/documentName"]);
    let date = accrual.text(KEY, &["documentInfoList/documentInfo/documentDate"]);
    let about = parts.about("penalty", &[number, date.get(..10).unwrap_or(date)]);
    let accrued = accrual.amount("penaltiesTotal", &["accrualAmount"])?;
    let event = ContractEvent::Penalty(PenaltyFacts {
        accrued: accrued.filter(|_| !is_cancelled),
        paid: accrual.amount("penaltiesPayments", &["penaltyFact/collectedAmount"])?,
    });
    parts.add(&accrual, about, event)
}

/// Elements of guarantee claims: for the execution of the contract, and for quality. They kept
/// their names when bank guarantees became independent guarantees (schema 14.1).
const GUARANTEE_PAYMENTS: &[&str] = &[
    "bankGuaranteePayment",
    "executionObligationGuarantee/bankGuaranteePayment",
];

fn guarantee_claims(
    document: &Node<'_>,
    publish_date: Option<Date>,
    parts: &mut Parts<'_>,
) -> Result<()> {
    for payment in document.all(GUARANTEE_PAYMENTS) {
        let number = payment.text(KEY, &["docNumber", "regNumber"]);
        let date = payment.text(KEY, &["requirements/requirementsDate"]);
        let about = parts.about("guarantee", &[number, date.get(..10).unwrap_or(date)]);
        let fields = payment.filling("bankGuaranteePayments");
        let claim = GuaranteeClaimFacts {
            amount: fields.roubles(
                "paymentAmountRUR",
                "requirements/paymentAmountRUR",
                "requirements/paymentAmount",
                "requirements/currency/code",
            )?,
            publish_date,
            claim_date: fields.day("requirementsDate", &["requirements/requirementsDate"])?,
            grounds: fields.verbatim("improperExecInfo", &["improperExecInfo"]),
        };
        parts.add(&payment, about, ContractEvent::GuaranteeClaim(claim))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
