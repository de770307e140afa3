//! Derives a contract under 44-FZ from its newest snapshot, its procedures and their cancellations,
//! and the notice of its purchase. The manual states the rules in the chapter "Fields", "Rules for
//! contracts".

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::StoredFacts;
use super::concluded::ContractCustomer;
use super::purchase44::{customer_of, lot_of};
use super::sum::{greater, sum};
use crate::import::facts::{
    Acceptance, ContractEvent, ContractFacts, Facts, GuaranteeClaimFacts, Notice44Facts,
    PenaltyFacts, ProcedureFacts, ProcedurePart, StageKey, TerminationGround,
};
use crate::model::{Amount, Contract, ContractStage, Date, GuaranteeClaim, Termination, is_rouble};

/// Returns the newest `contract` document and its publication time.
pub fn snapshot(stored: &[StoredFacts]) -> Option<(&ContractFacts, i64)> {
    stored.iter().find_map(|stored| match &*stored.facts {
        Facts::Contract(facts) => Some((&**facts, stored.published)),
        _ => None,
    })
}

/// Returns whether the contract with the newest snapshot `facts` was annulled, or declared void by a
/// decision that still stands.
fn is_annulled(facts: &ContractFacts, stored: &[StoredFacts]) -> bool {
    (facts.invalid && !is_valid_after_all(stored))
        || documented_stage(stored) == Some(ContractStage::Annulled)
}

/// Returns whether any document says that the contract was annulled, even if another contradicts
/// it.
pub fn may_be_annulled(stored: &[StoredFacts]) -> bool {
    stored.iter().any(|stored| stored.facts.annuls())
}

/// Returns the newest `contract` document, or `None` for an annulled contract, which its purchase
/// ignores.
pub fn not_annulled(stored: &[StoredFacts]) -> Option<&ContractFacts> {
    let (facts, _) = snapshot(stored)?;
    let is_annulled = may_be_annulled(stored) && is_annulled(facts, stored);
    (!is_annulled).then_some(facts)
}

/// Derives a contract from its newest snapshot `facts`, all `stored` facts about it, and the notice
/// of its purchase, if known.
pub fn derive(
    facts: &ContractFacts,
    stored: &[StoredFacts],
    notice: Option<&Notice44Facts>,
) -> Contract {
    let events = Events::new(facts, stored);
    let stage = stage(facts, stored, &events);
    let mut contract = Contract {
        stage: Some(stage),
        update_date: update_date(facts, stored),
        fulfilment_sum: events.fulfilled(),
        paid: events.paid(),
        penalties: events.penalties(|penalty| penalty.accrued),
        penalties_paid: events.penalties(|penalty| penalty.paid),
        termination: events.termination(stage),
        guarantee_claims: events.guarantee_claims(),
        ..facts.on_page()
    };
    if let Some(notice) = notice {
        add_notice(&mut contract, facts, notice);
    }
    if contract.subject.is_empty() {
        contract.subject.clone_from(&facts.product_names);
    }
    contract
}

fn claim(facts: &GuaranteeClaimFacts) -> GuaranteeClaim {
    GuaranteeClaim {
        amount: facts.amount,
        publish_date: facts.publish_date,
        claim_date: facts.claim_date,
        grounds: facts.grounds.clone(),
    }
}

/// Adds what the notice says about the purchase, the contract's lot and its customer.
fn add_notice(contract: &mut Contract, facts: &ContractFacts, notice: &Notice44Facts) {
    if contract.subject.is_empty() {
        contract.subject.clone_from(&notice.card.object_info);
    }
    let Some((index, lot)) = lot_of(notice, facts) else {
        return;
    };
    let in_roubles = is_rouble(&lot.currency);
    let customer = customer_of(notice, index, &ContractCustomer::of(facts));
    // In a joint purchase, each customer has its own maximum price.
    let price = match lot.customers.len() {
        0 | 1 => lot.max_price,
        _ => customer.and_then(|customer| customer.max_price),
    };
    contract.notification_price = price.filter(|_| in_roubles);
    let Some(customer) = customer else {
        return;
    };
    if contract.purchase_code.is_empty() {
        contract.purchase_code.clone_from(&customer.purchase_code);
    }
    if !customer.execution_period.is_empty() {
        contract
            .delivery_term
            .clone_from(&customer.execution_period);
    }
    let guarantee = customer.enforcement.contract_amount;
    contract.notice_guarantee = guarantee.filter(|_| in_roubles);
    contract.advance_percent = contract.advance_percent.or(customer.advance_percent);
    contract.bank_support |= customer.bank_support == Some(true);
    contract.treasury_support |= customer.treasury_support == Some(true);
}

fn procedures(stored: &[StoredFacts]) -> impl Iterator<Item = (&StoredFacts, &ProcedureFacts)> {
    let cancellations = Cancellations::new(stored);
    all_procedures(stored).filter(move |(stored, facts)| !cancellations.cancel(stored, facts))
}

fn all_procedures(stored: &[StoredFacts]) -> impl Iterator<Item = (&StoredFacts, &ProcedureFacts)> {
    stored.iter().filter_map(|stored| match &*stored.facts {
        Facts::Procedure(facts) => Some((stored, facts)),
        _ => None,
    })
}

/// Publication times of the cancellations of a contract's procedures, by the id or key of the
/// cancelled procedure.
struct Cancellations<'a>(BTreeMap<&'a str, i64>);

impl<'a> Cancellations<'a> {
    fn new(stored: &'a [StoredFacts]) -> Self {
        let cancellations = stored.iter().filter_map(|stored| match &*stored.facts {
            Facts::ProcedureCancel(_) => Some((stored.key.as_str(), stored.published)),
            _ => None,
        });
        Self(cancellations.collect())
    }

    /// Returns whether a procedure is cancelled. Either a cancellation names the id of its newest
    /// version, or a cancellation names its key and was published no earlier than that version.
    fn cancel(&self, stored: &StoredFacts, facts: &ProcedureFacts) -> bool {
        let of_procedure = self.0.get(stored.key.as_str());
        self.0.contains_key(facts.id.as_str())
            || of_procedure.is_some_and(|time| *time >= stored.published)
    }
}

/// Identifiers of a contract's stages by last day; `None` for a day on which several stages end.
struct Stages<'a>(BTreeMap<&'a str, Option<&'a str>>);

impl<'a> Stages<'a> {
    fn new(facts: &'a ContractFacts, stored: &'a [StoredFacts]) -> Self {
        let parts = all_procedures(stored).flat_map(|(_, facts)| &facts.parts);
        let executed = parts.filter_map(|part| match &part.event {
            ContractEvent::Execution(execution) => Some(&execution.stage),
            _ => None,
        });
        let mut names: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for stage in facts.stages.iter().chain(executed) {
            if stage.sid.is_empty() || stage.end.is_empty() {
                continue;
            }
            let sid = stage.sid.as_str();
            let known = names.entry(&stage.end).or_insert(Some(sid));
            *known = known.filter(|known| *known == sid);
        }
        Self(names)
    }

    fn name(&self, stage: &'a StageKey) -> &'a str {
        let by_day = || self.0.get(stage.end.as_str()).copied().flatten();
        match stage.sid.as_str() {
            "" => by_day().unwrap_or(&stage.end),
            sid => sid,
        }
    }

    /// Returns a key for the subject of a procedure's part. Parts about the same thing have the
    /// same key.
    fn about(&self, part: &'a ProcedurePart) -> Cow<'a, str> {
        let ContractEvent::Execution(execution) = &part.event else {
            return Cow::Borrowed(&part.about);
        };
        match (self.name(&execution.stage), execution.ordinal.as_str()) {
            ("", "") => Cow::Borrowed(&part.about),
            (stage, ordinal) => Cow::Owned(format!("execution {stage} {ordinal}")),
        }
    }
}

/// The events of a contract. Of several procedures about the same thing, only the one with the
/// greatest [`Rank`] counts.
struct Events<'a> {
    by_subject: BTreeMap<Cow<'a, str>, (Rank<'a>, Vec<&'a ContractEvent>)>,
    stages: Stages<'a>,
    /// When an execution was last published, or any procedure last cancelled.
    executed: i64,
}

/// Order of versions: version number, publication time and id.
type Rank<'a> = (i64, i64, &'a str);

impl<'a> Events<'a> {
    fn new(facts: &'a ContractFacts, stored: &'a [StoredFacts]) -> Self {
        let stages = Stages::new(facts, stored);
        let cancellations = Cancellations::new(stored);
        let withdrawn = withdrawn(stored, &stages, &cancellations);
        let mut executed = cancellations.0.values().copied().max().unwrap_or_default();
        let mut by_subject: BTreeMap<Cow<'_, str>, (Rank<'_>, Vec<&ContractEvent>)> =
            BTreeMap::new();
        for (stored, facts) in procedures(stored) {
            let rank = (stored.version, stored.published, stored.key.as_str());
            for part in &facts.parts {
                let about = stages.about(part);
                if withdrawn.get(&about) > Some(&stored.published) {
                    continue;
                }
                if matches!(part.event, ContractEvent::Execution(_)) {
                    executed = executed.max(stored.published);
                }
                let newest = by_subject
                    .entry(about)
                    .or_insert_with(|| (rank, Vec::new()));
                if newest.0 < rank {
                    *newest = (rank, Vec::new());
                }
                if newest.0 == rank {
                    newest.1.push(&part.event);
                }
            }
        }
        Self {
            by_subject,
            stages,
            executed,
        }
    }

    fn all(&self) -> impl Iterator<Item = &'a ContractEvent> {
        self.by_subject
            .values()
            .flat_map(|(_, events)| events.iter().copied())
    }

    /// Returns the total accepted according to the execution register and the procedures. A
    /// document of acceptance that occurs in both counts once, with the amount in the register.
    fn fulfilled(&self) -> Option<Amount> {
        let registered: Vec<&Acceptance> = self
            .all()
            .filter_map(|event| match event {
                ContractEvent::Acceptance(acceptance) => Some(acceptance),
                _ => None,
            })
            .collect();
        let documents: BTreeSet<&str> = registered
            .iter()
            .map(|acceptance| acceptance.document.as_str())
            .filter(|document| !document.is_empty())
            .collect();
        let of_procedures = self.all().flat_map(|event| match event {
            ContractEvent::Execution(execution) => &execution.accepted[..],
            _ => &[],
        });
        let others =
            of_procedures.filter(|acceptance| !documents.contains(acceptance.document.as_str()));
        sum(registered
            .iter()
            .copied()
            .chain(others)
            .map(|acceptance| Some(acceptance.sum)))
    }

    /// Returns the total paid, as stated in the document that ends the contract. EIS computes that
    /// total from all executions that are not cancelled (schema 14.1, `termination/paid`,
    /// `contractInvalidation/paid`), so it is right even if some documents were not imported. If an
    /// execution was published or a procedure cancelled after that document, returns the sum of
    /// payments instead.
    fn paid(&self) -> Option<Amount> {
        let payments = || {
            sum(self.all().filter_map(|event| match event {
                ContractEvent::Execution(execution) => Some(execution.paid),
                _ => None,
            }))
        };
        let ends = self.by_subject.values().flat_map(|((_, time, _), events)| {
            let is_newest = *time >= self.executed;
            events.iter().filter(move |_| is_newest)
        });
        let stated = ends.fold(None, |most, event| match event {
            ContractEvent::Termination(end) => greater(most, end.paid),
            ContractEvent::Invalidation(end) => greater(most, end.paid),
            _ => most,
        });
        stated.or_else(payments)
    }

    fn penalties(&self, which: impl Fn(&PenaltyFacts) -> Option<Amount>) -> Option<Amount> {
        sum(self.all().filter_map(|event| match event {
            ContractEvent::Penalty(penalty) => Some(which(penalty)),
            _ => None,
        }))
    }

    /// Returns the grounds of termination. `unknown` is set if a document states no known ground,
    /// or if the stage is `Terminated` without any document of termination.
    fn termination(&self, stage: ContractStage) -> Termination {
        let mut termination = Termination::default();
        for event in self.all() {
            let ContractEvent::Termination(facts) = event else {
                continue;
            };
            match facts.ground {
                TerminationGround::Agreement => termination.agreement = true,
                TerminationGround::Court => termination.court_decision = true,
                TerminationGround::Customer => termination.customer_refusal = true,
                TerminationGround::Supplier => termination.supplier_refusal = true,
                TerminationGround::Unknown => termination.unknown = true,
            }
        }
        if stage == ContractStage::Terminated && termination == Termination::default() {
            termination.unknown = true;
        }
        termination
    }

    /// Oldest first.
    fn guarantee_claims(&self) -> Vec<GuaranteeClaim> {
        let mut claims: Vec<&GuaranteeClaimFacts> = self
            .all()
            .filter_map(|event| match event {
                ContractEvent::GuaranteeClaim(claim) => Some(claim),
                _ => None,
            })
            .collect();
        // The sort is stable: claims with the same days stay in the order of their keys.
        claims.sort_by_key(|claim| (claim.publish_date, claim.claim_date));
        claims.into_iter().map(claim).collect()
    }

    /// Counts the stages whose last execution has been published.
    fn stages_done(&self) -> usize {
        let done: BTreeSet<&str> = self
            .all()
            .filter_map(|event| match event {
                ContractEvent::Execution(execution) if execution.final_of_stage => {
                    Some(self.stages.name(&execution.stage))
                }
                _ => None,
            })
            .collect();
        done.len()
    }
}

/// Returns the subjects of changed procedures that were then cancelled, each with the publication
/// time of the change. Earlier procedures about such a subject are ignored. Before schema 13.2, the
/// versions of a procedure have no common key, so earlier versions can be recognized only in this
/// way.
fn withdrawn<'a>(
    stored: &'a [StoredFacts],
    stages: &Stages<'a>,
    cancellations: &Cancellations<'_>,
) -> BTreeMap<Cow<'a, str>, i64> {
    let mut withdrawn = BTreeMap::new();
    for (stored, facts) in all_procedures(stored) {
        if stored.version == 0 || !cancellations.cancel(stored, facts) {
            continue;
        }
        for part in &facts.parts {
            let time: &mut i64 = withdrawn.entry(stages.about(part)).or_default();
            *time = stored.published.max(*time);
        }
    }
    withdrawn
}

/// Returns the contract's stage. This is `Annulled` if the contract is void, or else the stage in
/// the newest document that implies one. Otherwise, it depends on whether all stages have been
/// executed: `Completed` or `InExecution`.
fn stage(facts: &ContractFacts, stored: &[StoredFacts], events: &Events<'_>) -> ContractStage {
    if facts.invalid && !is_valid_after_all(stored) {
        return ContractStage::Annulled;
    }
    if let Some(stage) = documented_stage(stored) {
        return stage;
    }
    let stages = usize::try_from(facts.stage_count.max(1)).unwrap_or(usize::MAX);
    if events.stages_done() >= stages {
        ContractStage::Completed
    } else {
        ContractStage::InExecution
    }
}

/// Returns whether a court's decision that the contract is void was revoked
/// (`contractInvalidationCancel`), and no other such decision is in force.
fn is_valid_after_all(stored: &[StoredFacts]) -> bool {
    let is_revoked = stored.iter().any(|stored| {
        matches!(&*stored.facts, Facts::ProcedureCancel(facts) if facts.revokes_invalidation)
    });
    let is_void = |(_, facts): (&StoredFacts, &ProcedureFacts)| {
        let mut events = facts.parts.iter().map(|part| &part.event);
        events.any(|event| matches!(event, ContractEvent::Invalidation(_)))
    };
    is_revoked && !procedures(stored).any(is_void)
}

/// Returns the stage in the newest document that states one: the contract, a procedure, a
/// cancellation of a procedure, or the annulment. A procedure that terminates the contract without
/// stating a stage counts as `Terminated`.
fn documented_stage(stored: &[StoredFacts]) -> Option<ContractStage> {
    let is_valid = is_valid_after_all(stored);
    let others = stored.iter().filter_map(|one| match &*one.facts {
        Facts::Contract(facts) => {
            let stage = facts.stage?;
            let is_revoked = is_valid && stage == ContractStage::Annulled;
            (!is_revoked).then_some((one.published, 0, "", stage))
        }
        Facts::ProcedureCancel(facts) => {
            let time = one.published.max(publication_time(stored, &one.key));
            Some((time, 2, one.key.as_str(), facts.stage?))
        }
        Facts::ContractCancel(_) => Some((one.published, 3, "", ContractStage::Annulled)),
        _ => None,
    });
    let procedures = procedures(stored).filter_map(|(stored, facts)| {
        let stage = facts.stage.or_else(|| stage_after(facts))?;
        Some((stored.published, 1, stored.key.as_str(), stage))
    });
    others
        .chain(procedures)
        .max_by_key(|(published, kind, id, _)| (*published, *kind, *id))
        .map(|(.., stage)| stage)
}

/// Returns the publication time of the procedure with this id, or 0 if there is none. Used for a
/// `contractInvalidationCancel`, which states no time.
fn publication_time(stored: &[StoredFacts], id: &str) -> i64 {
    let mut procedures = all_procedures(stored);
    let cancelled = procedures.find(|(_, facts)| facts.id == id);
    cancelled.map_or(0, |(stored, _)| stored.published)
}

fn stage_after(facts: &ProcedureFacts) -> Option<ContractStage> {
    let mut events = facts.parts.iter().map(|part| &part.event);
    let is_terminated = events.any(|event| matches!(event, ContractEvent::Termination(_)));
    is_terminated.then_some(ContractStage::Terminated)
}

/// Returns the last day on which a document about the contract was published or one of its
/// procedures was cancelled.
fn update_date(facts: &ContractFacts, stored: &[StoredFacts]) -> Option<Date> {
    let days = stored.iter().map(|stored| match &*stored.facts {
        Facts::Procedure(facts) => facts.publish_date,
        Facts::ContractCancel(day) => *day,
        Facts::ProcedureCancel(facts) => facts.day,
        _ => None,
    });
    days.chain([facts.update_date]).max().flatten()
}
