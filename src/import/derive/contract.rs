//! A contract under 44-FZ (the manual, Fields, "Rules for contracts"): its newest snapshot,
//! the sums of its procedures, and the notice of its purchase.

use std::collections::{BTreeMap, BTreeSet};

use super::StoredFacts;
use super::purchase44::{customer_of, lot_of};
use super::sum::{greater, sum};
use crate::import::facts::{
    ContractEvent, ContractFacts, Facts, Notice44Facts, ProcedureFacts, TerminationGround,
};
use crate::model::{Amount, Contract, ContractStage, Date, GuaranteeClaim, Termination, is_rouble};

/// The newest `contract`, and its time of publication.
pub fn snapshot(stored: &[StoredFacts]) -> Option<(&ContractFacts, i64)> {
    stored.iter().find_map(|stored| match &*stored.facts {
        Facts::Contract(facts) => Some((&**facts, stored.published)),
        _ => None,
    })
}

/// Returns whether it was annulled, or declared void.
fn is_annulled(stored: &[StoredFacts]) -> bool {
    let invalid = snapshot(stored).is_some_and(|(facts, _)| facts.invalid);
    invalid || documented_stage(stored) == Some(ContractStage::Annulled)
}

/// Returns whether any document says that it was annulled, even if others say otherwise.
pub fn may_be_annulled(stored: &[StoredFacts]) -> bool {
    stored.iter().any(|stored| stored.facts.annuls())
}

/// The newest `contract`, unless it was annulled: then it does not count for its purchase.
pub fn not_annulled(stored: &[StoredFacts]) -> Option<ContractFacts> {
    if may_be_annulled(stored) && is_annulled(stored) {
        return None;
    }
    snapshot(stored).map(|(facts, _)| facts.clone())
}

/// The contract, from all facts about it.
pub fn derive(
    facts: &ContractFacts,
    stored: &[StoredFacts],
    notice: Option<&Notice44Facts>,
) -> Contract {
    let events = Events::new(stored);
    let mut contract = Contract {
        stage: Some(stage(facts, stored, &events)),
        update_date: update_date(facts, stored),
        fulfilment_sum: events.fulfilled(),
        paid: events.paid(),
        penalties: events.penalties(|accrued, _| accrued),
        penalties_paid: events.penalties(|_, paid| paid),
        termination: events.termination(),
        guarantee_claims: events.guarantee_claims(),
        ..facts.contract.clone()
    };
    if let Some(notice) = notice {
        add_notice(&mut contract, facts, notice);
    }
    if contract.subject.is_empty() {
        contract.subject.clone_from(&facts.product_names);
    }
    contract
}

/// Adds the values of the contract's lot and customer in the notice.
fn add_notice(contract: &mut Contract, facts: &ContractFacts, notice: &Notice44Facts) {
    if contract.subject.is_empty() {
        contract.subject.clone_from(&notice.card.object_info);
    }
    let Some((index, lot)) = lot_of(notice, facts) else {
        return;
    };
    let in_roubles = is_rouble(&lot.currency);
    contract.notification_price = lot.max_price.filter(|_| in_roubles);
    let Some(customer) = customer_of(notice, index, facts) else {
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

/// The procedures that count: those not cancelled.
fn procedures(stored: &[StoredFacts]) -> impl Iterator<Item = (&StoredFacts, &ProcedureFacts)> {
    let cancelled: BTreeSet<&str> = stored
        .iter()
        .filter(|stored| matches!(*stored.facts, Facts::ProcedureCancel(_)))
        .map(|stored| stored.key.as_str())
        .collect();
    stored
        .iter()
        .filter_map(move |stored| match &*stored.facts {
            Facts::Procedure(facts) if !cancelled.contains(stored.key.as_str()) => {
                Some((stored, facts))
            }
            _ => None,
        })
}

/// The events of a contract: of procedures about the same thing, the newest version counts.
struct Events<'a>(BTreeMap<&'a str, (Rank<'a>, Vec<&'a ContractEvent>)>);

/// Version, time of publication, id; the greatest counts.
type Rank<'a> = (i64, i64, &'a str);

impl<'a> Events<'a> {
    fn new(stored: &'a [StoredFacts]) -> Self {
        let mut events: BTreeMap<&str, (Rank<'_>, Vec<&ContractEvent>)> = BTreeMap::new();
        for (stored, facts) in procedures(stored) {
            let rank = (stored.version, stored.published, stored.key.as_str());
            for part in &facts.parts {
                let newest = events
                    .entry(&part.about)
                    .or_insert_with(|| (rank, Vec::new()));
                if newest.0 < rank {
                    *newest = (rank, Vec::new());
                }
                if newest.0 == rank {
                    newest.1.push(&part.event);
                }
            }
        }
        Self(events)
    }

    fn all(&self) -> impl Iterator<Item = &'a ContractEvent> {
        self.0
            .values()
            .flat_map(|(_, events)| events.iter().copied())
    }

    fn fulfilled(&self) -> Option<Amount> {
        sum(self.all().map(|event| match event {
            ContractEvent::Execution { fulfilled, .. } => *fulfilled,
            _ => None,
        }))
    }

    /// The sum of payments, or the sum paid by a termination if that is more.
    fn paid(&self) -> Option<Amount> {
        let payments = sum(self.all().filter_map(|event| match event {
            ContractEvent::Execution { paid, .. } => Some(*paid),
            _ => None,
        }));
        self.all().fold(payments, |most, event| match event {
            ContractEvent::Termination { paid, .. } => greater(most, *paid),
            _ => most,
        })
    }

    fn penalties(
        &self,
        which: impl Fn(Option<Amount>, Option<Amount>) -> Option<Amount>,
    ) -> Option<Amount> {
        sum(self.all().filter_map(|event| match event {
            ContractEvent::Penalty { accrued, paid } => Some(which(*accrued, *paid)),
            _ => None,
        }))
    }

    fn termination(&self) -> Termination {
        let mut termination = Termination::default();
        for event in self.all() {
            let ContractEvent::Termination { ground, .. } = event else {
                continue;
            };
            match ground {
                TerminationGround::Agreement => termination.agreement = true,
                TerminationGround::Court => termination.court_decision = true,
                TerminationGround::Customer => termination.customer_refusal = true,
                TerminationGround::Supplier => termination.supplier_refusal = true,
                TerminationGround::Unknown => termination.unknown = true,
            }
        }
        termination
    }

    /// The oldest first.
    fn guarantee_claims(&self) -> Vec<GuaranteeClaim> {
        let mut claims: Vec<&GuaranteeClaim> = self
            .all()
            .filter_map(|event| match event {
                ContractEvent::GuaranteeClaim(claim) => Some(claim),
                _ => None,
            })
            .collect();
        // A stable sort: claims of the same days stay in the order of their keys.
        claims.sort_by_key(|claim| (claim.publish_date, claim.claim_date));
        claims.into_iter().cloned().collect()
    }

    /// The number of stages that have had their last execution.
    fn stages_done(&self) -> usize {
        let done: BTreeSet<&str> = self
            .all()
            .filter_map(|event| match event {
                ContractEvent::Execution {
                    stage,
                    final_of_stage: true,
                    ..
                } => Some(stage.as_str()),
                _ => None,
            })
            .collect();
        done.len()
    }
}

/// As in the newest document that names one, else from the events.
fn stage(facts: &ContractFacts, stored: &[StoredFacts], events: &Events<'_>) -> ContractStage {
    if facts.invalid {
        return ContractStage::Annulled;
    }
    if let Some(stage) = documented_stage(stored) {
        return stage;
    }
    let stages = usize::try_from(facts.contract.stage_count.max(1)).unwrap_or(usize::MAX);
    if events.stages_done() >= stages {
        ContractStage::Completed
    } else {
        ContractStage::InExecution
    }
}

/// Returns the stage in the newest document among the contract, its procedures and its annulment.
/// A procedure that ends the contract without a stage counts as terminated.
fn documented_stage(stored: &[StoredFacts]) -> Option<ContractStage> {
    let contract = stored.iter().filter_map(|stored| match &*stored.facts {
        Facts::Contract(facts) => Some((stored.published, 0, "", facts.contract.stage?)),
        Facts::ContractCancel(_) => Some((stored.published, 2, "", ContractStage::Annulled)),
        _ => None,
    });
    let procedures = procedures(stored).filter_map(|(stored, facts)| {
        let stage = facts.stage.or_else(|| stage_after(facts))?;
        Some((stored.published, 1, stored.key.as_str(), stage))
    });
    contract
        .chain(procedures)
        .max_by_key(|(published, kind, id, _)| (*published, *kind, *id))
        .map(|(.., stage)| stage)
}

/// The stage that follows from the events, if the procedure does not name one.
fn stage_after(facts: &ProcedureFacts) -> Option<ContractStage> {
    let mut events = facts.parts.iter().map(|part| &part.event);
    let is_terminated = events.any(|event| matches!(event, ContractEvent::Termination { .. }));
    is_terminated.then_some(ContractStage::Terminated)
}

/// The newest day on which any document about it was published, or a procedure was
/// cancelled.
fn update_date(facts: &ContractFacts, stored: &[StoredFacts]) -> Option<Date> {
    let days = stored.iter().map(|stored| match &*stored.facts {
        Facts::Procedure(facts) => facts.publish_date,
        Facts::ContractCancel(day) | Facts::ProcedureCancel(day) => *day,
        _ => None,
    });
    days.chain([facts.contract.update_date]).max().flatten()
}
