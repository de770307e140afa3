//! Risk facts that follow from a contract's record.

use super::{Amount, ContractStage, EncodedContract};

/// A risk fact that follows from a contract's record alone. The other two facts of
/// [`super::RiskFact`] need more: being overdue depends on the day, and having been signed while
/// the supplier was listed depends on the registry of unfair suppliers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordFact {
    /// By unilateral refusal.
    TerminatedBySupplier,
    /// By unilateral refusal.
    TerminatedByCustomer,
    TerminatedByCourt,
    TerminatedMutually,
    Penalties,
    /// The customer made a claim on the bank guarantee.
    GuaranteeClaims,
}

impl RecordFact {
    /// All facts, in the order of the specification and of [`RecordFact::number`].
    pub const ALL: [Self; 6] = [
        Self::TerminatedBySupplier,
        Self::TerminatedByCustomer,
        Self::TerminatedByCourt,
        Self::TerminatedMutually,
        Self::Penalties,
        Self::GuaranteeClaims,
    ];

    /// Returns the number of the fact in stored facets and in index tokens.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Returns the facts of a contract, in order. An annulled contract has no facts.
    pub fn of(contract: &EncodedContract<'_>) -> impl Iterator<Item = Self> {
        let is_annulled = contract.stage == Some(ContractStage::Annulled);
        let has = Self::ALL.map(|fact| !is_annulled && fact.is_stated_by(contract));
        let facts = Self::ALL.into_iter().zip(has);
        facts.filter_map(|(fact, has)| has.then_some(fact))
    }

    /// Returns the facts of a contract as a bit set. The bits are numbered by
    /// [`RecordFact::number`].
    pub fn bits_of(contract: &EncodedContract<'_>) -> u8 {
        Self::of(contract).fold(0, |bits, fact| bits | 1 << fact.number())
    }

    fn is_stated_by(self, contract: &EncodedContract<'_>) -> bool {
        let termination = &contract.termination;
        match self {
            Self::TerminatedBySupplier => termination.supplier_refusal,
            Self::TerminatedByCustomer => termination.customer_refusal,
            Self::TerminatedByCourt => termination.court_decision,
            Self::TerminatedMutually => termination.agreement,
            Self::Penalties => {
                let penalties = contract.penalties.text().parse::<Amount>();
                penalties.is_ok_and(|penalties| Amount::from(0).is_less_than(penalties))
            }
            Self::GuaranteeClaims => !contract.guarantee_claims.is_empty(),
        }
    }
}
