//! `contractProcedure`: a change to the execution of a contract under 44-FZ
//! (executions, termination, penalties, claims on the guarantee), and the
//! cancellations `contractCancel` and `contractProcedureCancel` (the mapping,
//! sections 0, 1 and 7; schema types `zfcs_contractProcedure2015Type` and, before
//! 2015, `zfcs_contractProcedureType`).

use std::collections::HashMap;

use super::element::Element;
use super::value::{Result, amount, day, flag, instant, stage, version};
use crate::import::facts::{
    ContractEvent, Fact, Facts, ProcedureFacts, ProcedurePart, TerminationGround,
};
use crate::model::{Amount, ContractStage, Date, GuaranteeClaim};

/// The documents read here.
pub const NAMES: &[&str] = &[
    "contractProcedure",
    "contractCancel",
    "contractProcedureCancel",
];

/// Reads the document.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(document: &Element<'_>) -> Result<Vec<Fact>> {
    let name = document.name;
    let number = document.text_at("regNum");
    let well_formed = number.len() == 19 && number.bytes().all(|byte| byte.is_ascii_digit());
    if number.is_empty() {
        return Err(format!("{name}: regNum: is missing"));
    } else if !well_formed {
        let shown: String = number.chars().take(60).collect();
        return Err(format!("{name}: regNum: not 19 digits: {shown:?}"));
    }
    let fact = match name {
        "contractCancel" => contract_cancel(document),
        "contractProcedureCancel" => procedure_cancel(document),
        _ => procedure(document),
    };
    let fact = fact.map_err(|problem| format!("{name} {number}: {problem}"))?;
    Ok(vec![Fact {
        number: number.to_owned(),
        ..fact
    }])
}

/// `contractCancel`: the registry entry is annulled.
fn contract_cancel(document: &Element<'_>) -> Result<Fact> {
    Ok(Fact {
        number: String::new(),
        key: String::new(),
        version: 0,
        published: published(document, "cancelDate")?,
        facts: Facts::ContractCancel(match day(document, "publishDate")? {
            Some(published) => Some(published),
            None => day(document, "cancelDate")?,
        }),
    })
}

/// `contractProcedureCancel`: the procedure `cancelledProcedureId` no longer counts.
fn procedure_cancel(document: &Element<'_>) -> Result<Fact> {
    let key = document.text_at("cancelledProcedureId");
    if key.is_empty() {
        return Err("cancelledProcedureId: is missing".to_owned());
    }
    Ok(Fact {
        number: String::new(),
        key: key.to_owned(),
        version: 0,
        published: published(document, "cancelDate")?,
        facts: Facts::ProcedureCancel(day(document, "cancelDate")?),
    })
}

/// When it was published; if that is missing, the instant at `otherwise`.
fn published(document: &Element<'_>, otherwise: &str) -> Result<i64> {
    match document.text_at("publishDate") {
        "" => instant(document, otherwise),
        _ => instant(document, "publishDate"),
    }
}

/// `contractProcedure`: its number is set by the caller.
fn procedure(document: &Element<'_>) -> Result<Fact> {
    let version = version(document, &["versionNumber"])?;
    let key = document.first_text(&["id", "externalId", "printForm/docRegNumber"]);
    let publish_date = day(document, "publishDate")?;
    let mut parts = Parts::new(key);
    executions(document, &mut parts)?;
    termination(document, &mut parts)?;
    penalties(document, &mut parts)?;
    guarantee_claims(document, publish_date, &mut parts)?;
    Ok(Fact {
        number: String::new(),
        key: key.to_owned(),
        version,
        published: instant(document, "publishDate")?,
        facts: Facts::Procedure(ProcedureFacts {
            publish_date,
            stage: stage_after(document)?,
            parts: parts.parts,
        }),
    })
}

/// The stated stage; if there is none, a contract declared void (`contractInvalidation`) is
/// annulled.
fn stage_after(document: &Element<'_>) -> Result<Option<ContractStage>> {
    let is_void = document.at("contractInvalidation").is_some();
    Ok(stage(document)?.or_else(|| is_void.then_some(ContractStage::Annulled)))
}

/// The parts of a document found so far.
struct Parts<'e> {
    /// The document's id: the key of a part that has no other.
    id: &'e str,
    parts: Vec<ProcedurePart>,
    /// The index of the first part about a thing, and how many there are about it.
    places: HashMap<String, (usize, usize)>,
}

impl<'e> Parts<'e> {
    fn new(id: &'e str) -> Self {
        Self {
            id,
            parts: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// What a part is about: its kind and the words that identify it, or the document's id
    /// if all of them are empty.
    fn about(&self, kind: &str, words: &[&str]) -> String {
        if words.iter().all(|word| word.is_empty()) {
            return format!("{kind} {}", self.id);
        }
        std::iter::once(kind)
            .chain(words.iter().copied())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Adds a part. Parts of one document about the same thing are summed up (a fine and
    /// default interest in one demand); two claims on a guarantee stay separate, the second
    /// one numbered.
    fn add(&mut self, about: String, event: ContractEvent) -> Result<()> {
        let (place, count) = self
            .places
            .entry(about.clone())
            .or_insert((self.parts.len(), 0));
        *count += 1;
        let Some(same) = self.parts.get_mut(*place) else {
            self.parts.push(ProcedurePart { about, event });
            return Ok(());
        };
        if !sum_up(&mut same.event, &event)? {
            let about = format!("{about} {count}");
            self.parts.push(ProcedurePart { about, event });
        }
        Ok(())
    }
}

/// Adds the amounts of `another` to those of `event`, if such events are summed up.
fn sum_up(event: &mut ContractEvent, another: &ContractEvent) -> Result<bool> {
    match (event, another) {
        (
            ContractEvent::Execution {
                final_of_stage,
                paid,
                fulfilled,
                ..
            },
            ContractEvent::Execution {
                final_of_stage: another_final,
                paid: another_paid,
                fulfilled: another_fulfilled,
                ..
            },
        ) => {
            *final_of_stage |= another_final;
            *paid = sum(*paid, *another_paid)?;
            *fulfilled = sum(*fulfilled, *another_fulfilled)?;
        }
        (
            ContractEvent::Penalty { accrued, paid },
            ContractEvent::Penalty {
                accrued: another_accrued,
                paid: another_paid,
            },
        ) => {
            *accrued = sum(*accrued, *another_accrued)?;
            *paid = sum(*paid, *another_paid)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// The sum of two amounts of which either may be missing.
fn sum(one: Option<Amount>, another: Option<Amount>) -> Result<Option<Amount>> {
    match (one, another) {
        (Some(one), Some(another)) => one
            .checked_add(another)
            .map(Some)
            .ok_or_else(|| "a sum of amounts has too many digits".to_owned()),
        (one, another) => Ok(one.or(another)),
    }
}

/// The amount in roubles: at `converted`, else that at `original` if the currency at
/// `currency` is the rouble or missing.
fn roubles(
    element: &Element<'_>,
    converted: &str,
    original: &str,
    currency: &str,
) -> Result<Option<Amount>> {
    if let Some(value) = amount(element, converted)? {
        return Ok(Some(value));
    }
    let in_roubles = matches!(element.text_at(currency), "" | "RUB" | "RUR" | "643");
    let value = amount(element, original)?;
    Ok(value.filter(|_| in_roubles))
}

/// `executions`: each is an execution within a stage.
fn executions(document: &Element<'_>, parts: &mut Parts<'_>) -> Result<()> {
    for (index, executions) in document.all("executions").enumerate() {
        let in_place = |problem| format!("executions[{index}]/{problem}");
        let stage = executions.at("stage").map(stage_key).unwrap_or_default();
        let about = parts.about("execution", &[&stage, executions.text_at("ordinalNumber")]);
        let (mut paid, mut fulfilled) = (None, None);
        for (row, execution) in executions.all("execution").enumerate() {
            let in_row = |problem| in_place(format!("execution[{row}]/{problem}"));
            let row_paid = roubles(execution, "paidRUR", "paid", "currency/code");
            paid = sum(paid, row_paid.map_err(in_row)?).map_err(in_row)?;
            let row_fulfilled = fulfilment(execution).map_err(in_row)?;
            fulfilled = sum(fulfilled, row_fulfilled).map_err(in_row)?;
        }
        let final_of_stage = flag(executions, "finalStageExecution").map_err(in_place)?;
        let event = ContractEvent::Execution {
            stage,
            final_of_stage,
            paid,
            fulfilled,
        };
        parts.add(about, event).map_err(in_place)?;
    }
    Ok(())
}

/// The key of a stage: its last day, before 2015 its month (`oldStage` or, in the oldest
/// schema, the stage itself), or its identifier.
fn stage_key(stage: &Element<'_>) -> String {
    let end = stage.text_at("endDate");
    if !end.is_empty() {
        return end.get(..10).unwrap_or(end).to_owned();
    }
    for month in [stage.at("oldStage"), Some(stage)].into_iter().flatten() {
        let (year, month) = (month.text_at("year"), month.text_at("month"));
        if !year.is_empty() || !month.is_empty() {
            return format!("{year}-{month:0>2}");
        }
    }
    stage.first_text(&["sid", "externalSid"]).to_owned()
}

/// The cost of what was fulfilled: `docAcceptance` since schema 11, `docExecution` before.
fn fulfilment(execution: &Element<'_>) -> Result<Option<Amount>> {
    for document in ["docAcceptance", "docExecution"] {
        let found = roubles(
            execution,
            &format!("{document}/fulfilmentSumRUR"),
            &format!("{document}/fulfilmentSum"),
            "currency/code",
        )?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// `termination`, before 2015 `terminations/termination`.
fn termination(document: &Element<'_>, parts: &mut Parts<'_>) -> Result<()> {
    let found = ["termination", "terminations/termination"]
        .iter()
        .find_map(|path| document.at(path));
    let Some(termination) = found else {
        return Ok(());
    };
    let paid = amount(termination, "paid").map_err(|problem| format!("termination/{problem}"))?;
    let event = ContractEvent::Termination {
        ground: ground(termination),
        paid,
    };
    parts.add("termination".to_owned(), event)
}

/// By the code, or the id that codes had before 2015; by the words if neither is known
/// ("Termination flags" in the mapping's section 7).
fn ground(termination: &Element<'_>) -> TerminationGround {
    let codes = [
        "reason/code",
        "terminationReason/id",
        "terminationReason/code",
    ];
    match termination.first_text(&codes).trim_start_matches('0') {
        "1" => TerminationGround::Agreement,
        "2" => TerminationGround::Court,
        "3" => TerminationGround::Customer,
        "4" | "8326975" | "8361023" | "8724083" => TerminationGround::Supplier,
        _ => {
            let names = ["reason/name", "terminationReason/name", "reason"];
            ground_in_words(termination.first_text(&names))
        }
    }
}

/// The ground that a text names: an agreement, a court, or the party that refused.
fn ground_in_words(text: &str) -> TerminationGround {
    let text = text.to_lowercase();
    let first = |words: &[&str]| words.iter().filter_map(|word| text.find(word)).min();
    let customer = first(&["заказчик"]);
    let supplier = first(&["поставщик", "подрядчик", "исполнител"]);
    if first(&["соглашени"]).is_some() {
        TerminationGround::Agreement
    } else if first(&["судебн", "решению суда", "решение суда", "решением суда"]).is_some()
    {
        TerminationGround::Court
    } else {
        match (customer, supplier) {
            (None, None) => TerminationGround::Unknown,
            (Some(customer), Some(supplier)) if supplier < customer => TerminationGround::Supplier,
            (None, Some(_)) => TerminationGround::Supplier,
            (Some(_), _) => TerminationGround::Customer,
        }
    }
}

/// `penalties`, each with its `penaltyAccrual`; before 2015 `penalties/penalty`.
/// Only those on the supplier.
fn penalties(document: &Element<'_>, parts: &mut Parts<'_>) -> Result<()> {
    for (index, penalties) in document.all("penalties").enumerate() {
        let in_place = |problem| format!("penalties[{index}]/{problem}");
        for accrual in penalties.all("penaltyAccrual") {
            let accrual = Accrual {
                terms: accrual,
                accrual,
                cancelled: false,
            };
            accrual.add_to(parts).map_err(in_place)?;
        }
        for penalty in penalties.all("penalty") {
            let Some(accrual) = penalty.at("penaltyAccrual") else {
                continue;
            };
            let accrual = Accrual {
                terms: penalty,
                accrual,
                cancelled: matches!(
                    penalty.text_at("penaltyChange/penaltyChangeType"),
                    "C" | "С" // Latin or, as the schema's words have it, Cyrillic
                ),
            };
            accrual.add_to(parts).map_err(in_place)?;
        }
    }
    Ok(())
}

/// A penalty that was accrued.
struct Accrual<'e, 'd> {
    /// The element that names the party to pay: before 2015 beside the accrual, since then
    /// within it.
    terms: &'e Element<'d>,
    accrual: &'e Element<'d>,
    /// It was cancelled later (before 2015): nothing is due.
    cancelled: bool,
}

impl Accrual<'_, '_> {
    fn add_to(&self, parts: &mut Parts<'_>) -> Result<()> {
        let party = self
            .terms
            .first_text(&["contractParty", "penaltyAccrual/contractParty"]);
        if !matches!(party, "" | "S") {
            return Ok(());
        }
        let number = self.accrual.first_text(&[
            "penaltyDocument/documentNum",
            "documentInfoList/documentInfo/documentName",
        ]);
        let date = self.accrual.first_text(&[
            "penaltyDocument/documentDate",
            "documentInfoList/documentInfo/documentDate",
            "accrualDecisionDate",
        ]);
        let about = parts.about("penalty", &[number, date.get(..10).unwrap_or(date)]);
        let in_place = |problem| format!("penaltyAccrual/{problem}");
        let event = ContractEvent::Penalty {
            accrued: self.accrued().map_err(in_place)?,
            paid: self.paid().map_err(in_place)?,
        };
        parts.add(about, event)
    }

    fn accrued(&self) -> Result<Option<Amount>> {
        let accrued = roubles(
            self.accrual,
            "accrualAmountRUR",
            "accrualAmount",
            "currency/code",
        )?;
        Ok(accrued.filter(|_| !self.cancelled))
    }

    /// The stated total; before 2015 that of `penaltyFact`.
    fn paid(&self) -> Result<Option<Amount>> {
        let paid = roubles(
            self.accrual,
            "payments/totalAmountRUR",
            "payments/totalAmount",
            "currency/code",
        )?;
        if paid.is_some() {
            return Ok(paid);
        }
        amount(self.accrual, "penaltyFact/collectedAmount")
    }
}

/// Elements of claims on a guarantee, of the contract's execution or of its quality; bank
/// guarantees were renamed independent ones in 2022.
const GUARANTEE_PAYMENTS: &[&str] = &["bankGuaranteePayment", "independentGuaranteePayment"];

fn guarantee_claims(
    document: &Element<'_>,
    publish_date: Option<Date>,
    parts: &mut Parts<'_>,
) -> Result<()> {
    let quality = document.all("executionObligationGuarantee");
    for place in std::iter::once(document).chain(quality) {
        let payments = place
            .children()
            .iter()
            .filter(|child| GUARANTEE_PAYMENTS.contains(&child.name));
        for payment in payments {
            let in_place = |problem| format!("{}/{problem}", payment.name);
            let number = payment.first_text(&["docNumber", "regNumber"]);
            let requirement = payment.text_at("requirements/requirementsDate");
            let date = requirement.get(..10).unwrap_or(requirement);
            let about = parts.about("guarantee", &[number, date]);
            let claim = GuaranteeClaim {
                amount: roubles(
                    payment,
                    "requirements/paymentAmountRUR",
                    "requirements/paymentAmount",
                    "requirements/currency/code",
                )
                .map_err(in_place)?,
                publish_date,
                claim_date: day(payment, "requirements/requirementsDate").map_err(in_place)?,
                grounds: payment.words_at("improperExecInfo").to_owned(),
            };
            parts.add(about, ContractEvent::GuaranteeClaim(claim))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
