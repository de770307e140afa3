//! Facts about a contract that indicate a risk (manual, "API", "Risk facts").

use super::RecordFact;

/// A fact that indicates a risk. Annulled contracts have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RiskFact {
    /// An RNP entry of the supplier was in force on the day of signing.
    SignedWhileListed,
    TerminatedBySupplier,
    TerminatedByCustomer,
    TerminatedByCourt,
    /// By mutual agreement of the parties.
    TerminatedMutually,
    Penalties,
    /// The customer made a claim on the bank guarantee.
    GuaranteeClaims,
    /// The contract is still in execution after its last day.
    Overdue,
}

impl RiskFact {
    pub const ALL: [Self; 8] = [
        Self::SignedWhileListed,
        Self::TerminatedBySupplier,
        Self::TerminatedByCustomer,
        Self::TerminatedByCourt,
        Self::TerminatedMutually,
        Self::Penalties,
        Self::GuaranteeClaims,
        Self::Overdue,
    ];

    /// In the order of [`RiskFact::ALL`].
    pub const CODES: [&'static str; 8] = [
        "signedWhileListed",
        "terminatedBySupplier",
        "terminatedByCustomer",
        "terminatedByCourt",
        "terminatedMutually",
        "penalties",
        "guaranteeClaims",
        "overdue",
    ];

    /// Returns the code on the wire.
    pub fn code(self) -> &'static str {
        Self::CODES[self as usize]
    }

    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fact| fact.code() == code)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RiskFacts(u8);

impl RiskFacts {
    /// Makes a set of the facts in `bits`, as returned by [`RecordFact::bits_of`].
    pub fn of_record(bits: u8) -> Self {
        Self(bits << 1)
    }

    /// Returns the facts that follow from a contract's record alone.
    pub fn in_record(self) -> impl Iterator<Item = RecordFact> {
        let has = move |fact: &RecordFact| self.meets(Self::of_record(1 << fact.number()));
        RecordFact::ALL.into_iter().filter(has)
    }

    pub fn insert(&mut self, fact: RiskFact) {
        self.0 |= 1 << fact as u8;
    }

    pub fn has(self, fact: RiskFact) -> bool {
        self.0 & 1 << fact as u8 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the sets have a fact in common.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl FromIterator<RiskFact> for RiskFacts {
    fn from_iter<I: IntoIterator<Item = RiskFact>>(facts: I) -> Self {
        let mut set = Self::default();
        facts.into_iter().for_each(|fact| set.insert(fact));
        set
    }
}
