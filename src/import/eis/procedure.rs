//! `contractProcedure`: a change to the execution of a contract under 44-FZ
//! (executions, termination, penalties, claims on the guarantee), and the
//! cancellations `contractCancel` and `contractProcedureCancel` (schema types
//! `zfcs_contractProcedure2015Type` and, before 2015, `zfcs_contractProcedureType`).
//!
//! Amounts that one document has twice for the same subject are summed up. Money counts for all
//! executions alike, as no document seen has the same payment under `payDoc` and under
//! `docExecution`; penalties that were returned or written off change neither of their sums.

use std::collections::HashMap;

use super::contract::stage;
use super::kind::Kind;
use super::node::{KEY, NUMBER, Node, Result};
use crate::import::facts::{
    ContractEvent, Fact, Facts, ProcedureFacts, ProcedurePart, TerminationGround,
};
use crate::model::{Amount, ContractStage, Date, GuaranteeClaim};

/// Reads a `contractProcedure`.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = reg_num(kind, document)?;
    let key = document.text(KEY, &["id", "externalId", "printForm/docRegNumber"]);
    let publish_date = document.day("updateDate", &["publishDate"])?;
    let mut parts = Parts {
        id: key,
        ..Parts::default()
    };
    executions(document, &mut parts)?;
    termination(document, &mut parts)?;
    penalties(document, &mut parts)?;
    guarantee_claims(document, publish_date, &mut parts)?;
    let facts = Facts::Procedure(ProcedureFacts {
        publish_date,
        stage: stage_after(document)?,
        parts: parts.parts,
    });
    Ok(vec![kind.fact(document, number, key, facts)?])
}

/// Reads a `contractCancel`: the registry entry is annulled.
///
/// # Errors
/// As [`read`].
pub fn contract_cancel(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = reg_num(kind, document)?;
    let annulled = document.day("updateDate", kind.published)?;
    let facts = Facts::ContractCancel(annulled);
    Ok(vec![kind.fact(document, number, "", facts)?])
}

/// Reads a `contractProcedureCancel`.
///
/// # Errors
/// As [`read`].
pub fn procedure_cancel(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = reg_num(kind, document)?;
    let key = document.required(KEY, &["cancelledProcedureId"])?;
    let facts = Facts::ProcedureCancel(document.day("updateDate", &["cancelDate"])?);
    Ok(vec![kind.fact(document, number, key, facts)?])
}

/// The contract's number, of 19 digits.
fn reg_num<'e>(kind: &Kind, document: &Node<'e>) -> Result<&'e str> {
    let number = document.value(NUMBER, kind.number, |text| {
        let digits = text.len() == 19 && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then_some(text).ok_or("19 digits")
    })?;
    document.needed(number, "regNum")
}

/// Returns the stated stage. Without one, a contract declared void (`contractInvalidation`) is
/// annulled.
fn stage_after(document: &Node<'_>) -> Result<Option<ContractStage>> {
    let is_void = document.has("contractStage", "contractInvalidation");
    Ok(stage(document)?.or_else(|| is_void.then_some(ContractStage::Annulled)))
}

/// The parts of a document found so far.
#[derive(Default)]
struct Parts<'e> {
    /// The document's id: the key of a part that has no other.
    id: &'e str,
    parts: Vec<ProcedurePart>,
    /// The index of the first part about a thing, and how many there are about it.
    places: HashMap<String, (usize, usize)>,
}

impl Parts<'_> {
    /// The subject of a part: its kind and the words that identify it, or the document's id if
    /// all of them are empty.
    fn about(&self, kind: &str, words: &[&str]) -> String {
        if words.iter().all(|word| word.is_empty()) {
            return format!("{kind} {}", self.id);
        }
        std::iter::once(kind)
            .chain(words.iter().copied())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Adds the part at `place`. Parts of one document about the same thing are summed up (a fine and
    /// default interest in one demand); two claims on a guarantee stay separate, the second
    /// one numbered.
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

/// Adds the amounts of `another` to those of `event`, if such events are summed up.
fn sum_up(
    place: &Node<'_>,
    event: &mut ContractEvent,
    another: &mut ContractEvent,
) -> Result<bool> {
    use ContractEvent::Execution;
    let is_last = matches!(
        another,
        Execution {
            final_of_stage: true,
            ..
        }
    );
    if let Execution { final_of_stage, .. } = event {
        *final_of_stage |= is_last;
    }
    let (Some(own), Some(more)) = (amounts(event), amounts(another)) else {
        return Ok(false);
    };
    for (own, more) in own.into_iter().zip(more) {
        *own = sum(place, *own, *more)?;
    }
    Ok(true)
}

/// The two amounts of an event that is summed up.
fn amounts(event: &mut ContractEvent) -> Option<[&mut Option<Amount>; 2]> {
    match event {
        ContractEvent::Execution {
            paid, fulfilled, ..
        } => Some([paid, fulfilled]),
        ContractEvent::Penalty { accrued, paid } => Some([accrued, paid]),
        _ => None,
    }
}

/// Returns the sum of two amounts at `place`; a missing one counts as 0.
fn sum(place: &Node<'_>, one: Option<Amount>, another: Option<Amount>) -> Result<Option<Amount>> {
    let (Some(first), Some(second)) = (one, another) else {
        return Ok(one.or(another));
    };
    let sum = first.checked_add(second);
    let sum = sum.ok_or_else(|| place.error("a sum of amounts has too many digits"))?;
    Ok(Some(sum))
}

/// `executions`: each is an execution within a stage.
fn executions(document: &Node<'_>, parts: &mut Parts<'_>) -> Result<()> {
    for executions in document.all(&["executions"]) {
        let stage = stage_key(&executions);
        let ordinal = executions.text(KEY, &["ordinalNumber"]);
        let about = parts.about("execution", &[&stage, ordinal]);
        let (mut paid, mut fulfilled) = (None, None);
        for row in executions.all(&["execution"]) {
            let row_paid = row.roubles("paid.total", "paidRUR", "paid", "currency/code")?;
            paid = sum(&row, paid, row_paid)?;
            fulfilled = sum(&row, fulfilled, fulfilment(&row)?)?;
        }
        let final_of_stage = executions.flag("contractStage", &["finalStageExecution"])?;
        let event = ContractEvent::Execution {
            stage,
            final_of_stage,
            paid,
            fulfilled,
        };
        parts.add(&executions, about, event)?;
    }
    Ok(())
}

/// The key of a stage: its last day, before 2015 its month (`oldStage` or, in the oldest
/// schema, the stage itself), or its identifier.
fn stage_key(executions: &Node<'_>) -> String {
    let text = |path| executions.text(KEY, &[path]);
    let end = text("stage/endDate");
    if !end.is_empty() {
        return end.get(..10).unwrap_or(end).to_owned();
    }
    for [year, month] in [
        ["stage/oldStage/year", "stage/oldStage/month"],
        ["stage/year", "stage/month"],
    ] {
        let (year, month) = (text(year), text(month));
        if !year.is_empty() || !month.is_empty() {
            return format!("{year}-{month:0>2}");
        }
    }
    executions.string(KEY, &["stage/sid", "stage/externalSid"])
}

/// Returns the cost of the fulfilled part: `docAcceptance` since schema 11, `docExecution` before.
fn fulfilment(execution: &Node<'_>) -> Result<Option<Amount>> {
    let of = |converted: &str, original: &str| {
        execution.roubles("fulfilmentSum", converted, original, "currency/code")
    };
    let accepted = of(
        "docAcceptance/fulfilmentSumRUR",
        "docAcceptance/fulfilmentSum",
    )?;
    match accepted {
        Some(accepted) => Ok(Some(accepted)),
        None => of(
            "docExecution/fulfilmentSumRUR",
            "docExecution/fulfilmentSum",
        ),
    }
}

/// `termination`, before 2015 `terminations/termination`.
fn termination(document: &Node<'_>, parts: &mut Parts<'_>) -> Result<()> {
    let found = document.first(&["termination", "terminations/termination"]);
    let Some(termination) = found else {
        return Ok(());
    };
    let event = ContractEvent::Termination {
        ground: ground(&termination),
        paid: termination.amount("paid.total", &["paid"])?,
    };
    parts.add(&termination, "termination".to_owned(), event)
}

/// By the code, or the id that codes had before 2015; by the words if neither is known (the
/// manual, Fields, "Termination flags").
fn ground(termination: &Node<'_>) -> TerminationGround {
    let field = "termination*";
    let codes = [
        "reason/code",
        "terminationReason/id",
        "terminationReason/code",
    ];
    let code = termination.text(field, &codes);
    let names = ["reason/name", "terminationReason/name", "reason"];
    let words = termination.text(field, &names);
    match code.trim_start_matches('0') {
        "1" => TerminationGround::Agreement,
        "2" => TerminationGround::Court,
        "3" => TerminationGround::Customer,
        "4" | "8326975" | "8361023" | "8724083" => TerminationGround::Supplier,
        _ => ground_in_words(words),
    }
}

/// The ground that a text names: an agreement, a court, or the party that it names first, which
/// refused.
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

/// `penalties`, each with its `penaltyAccrual`; before 2015 `penalties/penalty`.
/// Only those on the supplier.
fn penalties(document: &Node<'_>, parts: &mut Parts<'_>) -> Result<()> {
    for penalties in document.all(&["penalties"]) {
        for accrual in penalties.all(&["penaltyAccrual"]) {
            add_penalty(&accrual, &accrual, false, parts)?;
        }
        for penalty in penalties.all(&["penalty"]) {
            let change = penalty.text("penaltiesTotal", &["penaltyChange/penaltyChangeType"]);
            // Latin or, as the schema's words have it, Cyrillic.
            let is_cancelled = matches!(change, "C" | "С");
            if let Some(accrual) = penalty.first(&["penaltyAccrual"]) {
                add_penalty(&penalty, &accrual, is_cancelled, parts)?;
            }
        }
    }
    Ok(())
}

/// Adds a penalty that was accrued. `terms` names the party to pay: before 2015 beside the
/// accrual, since then within it. Of one that was cancelled later (before 2015) nothing is
/// due.
fn add_penalty(
    terms: &Node<'_>,
    accrual: &Node<'_>,
    is_cancelled: bool,
    parts: &mut Parts<'_>,
) -> Result<()> {
    let party = terms.text(
        "penaltiesTotal",
        &["contractParty", "penaltyAccrual/contractParty"],
    );
    if !matches!(party, "" | "S") {
        return Ok(());
    }
    let number = accrual.text(
        KEY,
        &[
            "penaltyDocument/documentNum",
            "documentInfoList/documentInfo/documentName",
        ],
    );
    let date = accrual.text(
        KEY,
        &[
            "penaltyDocument/documentDate",
            "documentInfoList/documentInfo/documentDate",
            "accrualDecisionDate",
        ],
    );
    let about = parts.about("penalty", &[number, date.get(..10).unwrap_or(date)]);
    let accrued = accrual.roubles(
        "penaltiesTotal",
        "accrualAmountRUR",
        "accrualAmount",
        "currency/code",
    )?;
    let event = ContractEvent::Penalty {
        accrued: accrued.filter(|_| !is_cancelled),
        paid: penalty_paid(accrual)?,
    };
    parts.add(accrual, about, event)
}

/// The stated total; before 2015 that of `penaltyFact`.
fn penalty_paid(accrual: &Node<'_>) -> Result<Option<Amount>> {
    let field = "penaltiesPayments";
    let paid = accrual.roubles(
        field,
        "payments/totalAmountRUR",
        "payments/totalAmount",
        "currency/code",
    )?;
    match paid {
        Some(paid) => Ok(Some(paid)),
        None => accrual.amount(field, &["penaltyFact/collectedAmount"]),
    }
}

/// Elements of claims on a guarantee, of the contract's execution or of its quality; bank
/// guarantees were renamed independent ones in 2022.
const GUARANTEE_PAYMENTS: &[&str] = &[
    "bankGuaranteePayment",
    "independentGuaranteePayment",
    "executionObligationGuarantee/bankGuaranteePayment",
    "executionObligationGuarantee/independentGuaranteePayment",
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
        let claim = GuaranteeClaim {
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
