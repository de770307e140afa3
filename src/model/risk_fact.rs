//! Facts about a contract that speak of a risk (the manual, API, "Facts of risk").

use super::RecordFact;

/// A fact of risk. Annulled contracts have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RiskFact {
    /// Signed on a day on which an RNP entry of the supplier was in force.
    SignedWhileListed,
    /// The supplier ended the contract.
    TerminatedBySupplier,
    /// The customer ended the contract.
    TerminatedByCustomer,
    /// A court ended the contract.
    TerminatedByCourt,
    /// Both parties agreed to end the contract.
    TerminatedMutually,
    /// Penalties were charged.
    Penalties,
    /// The customer claimed money from a bank guarantee.
    GuaranteeClaims,
    /// In execution after its last day.
    Overdue,
}

impl RiskFact {
    /// All facts, in the order of answers.
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

    /// The codes of all facts, in the order of [`RiskFact::ALL`].
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

    /// Returns the fact with this code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fact| fact.code() == code)
    }
}

/// A set of facts of risk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RiskFacts(u8);

impl RiskFacts {
    /// Returns the facts that a contract's record states, from the bits of its facets
    /// ([`RecordFact::bits_of`]).
    pub fn of_record(bits: u8) -> Self {
        Self(bits << 1)
    }

    /// Returns the facts of the set that records state.
    pub fn in_record(self) -> impl Iterator<Item = RecordFact> {
        let has = move |fact: &RecordFact| self.meets(Self::of_record(1 << fact.number()));
        RecordFact::ALL.into_iter().filter(has)
    }

    /// Adds a fact.
    pub fn insert(&mut self, fact: RiskFact) {
        self.0 |= 1 << fact as u8;
    }

    /// Returns whether a fact is in the set.
    pub fn has(self, fact: RiskFact) -> bool {
        self.0 & 1 << fact as u8 != 0
    }

    /// Returns whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether both sets have a fact in common.
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
