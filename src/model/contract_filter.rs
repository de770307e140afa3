//! The filter and the order of contracts in a request.

use super::{Amount, ContractStage, Date};

/// A filter of contracts. All conditions must hold. The default matches every contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractFilter {
    pub stages: StageSet,
    /// Earliest day of signing. A contract without that day matches neither this bound nor
    /// `signed_to`.
    pub signed_from: Option<Date>,
    pub signed_to: Option<Date>,
    /// Earliest day of the registry entry's last change.
    pub updated_from: Option<Date>,
    /// INN of the customer, compared as text.
    pub customer_inn: Option<String>,
    /// Lowest price. A contract without a price matches neither this bound nor `price_to`.
    pub price_from: Option<Amount>,
    pub price_to: Option<Amount>,
    /// Whether the record says that subcontractors take part.
    pub has_subcontractors: Option<bool>,
    pub overdue: Option<Overdue>,
}

/// Selects contracts that are overdue on a day, or those that are not. A contract is overdue if it
/// is still in execution after the last day of its execution. A contract without a stage, or in
/// execution without a known last day ([`super::EncodedContract::execution_end`]), is in neither
/// group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overdue {
    /// `true` selects overdue contracts, `false` contracts that are not overdue.
    pub is_overdue: bool,
    pub on: Date,
}

impl ContractFilter {
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether a price is within the bounds. A missing price matches only a filter without
    /// bounds.
    pub fn matches_price(&self, price: Option<Amount>) -> bool {
        let holds = |bound: Option<Amount>, holds: fn(Amount, Amount) -> bool| {
            bound.is_none_or(|bound| price.is_some_and(|price| holds(price, bound)))
        };
        holds(self.price_from, |price, from| !price.is_less_than(from))
            && holds(self.price_to, |price, to| !to.is_less_than(price))
    }
}

/// A set of contract stages. The empty set matches contracts in any stage, and those without one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageSet(u8);

impl StageSet {
    /// Matches contracts in any stage and those without one.
    pub const ANY: Self = Self(0);

    /// Makes a set of the given stages. If there are none, it is [`StageSet::ANY`].
    pub fn new(stages: impl IntoIterator<Item = ContractStage>) -> Self {
        let bit = |stage: ContractStage| 1 << stage as u8;
        Self(stages.into_iter().map(bit).fold(0, |all, one| all | one))
    }

    pub fn is_any(self) -> bool {
        self == Self::ANY
    }

    /// Returns whether the set contains this stage. Always `false` for [`StageSet::ANY`].
    pub fn has(self, stage: ContractStage) -> bool {
        self.0 >> stage as u8 & 1 == 1
    }

    /// Returns one bit per stage in the order of [`ContractStage::ALL`], lowest first; 0 for
    /// [`StageSet::ANY`].
    pub fn number(self) -> u8 {
        self.0
    }
}

/// Order of contracts. Contracts without a value to order by come last. Ties are ordered by day of
/// signing: oldest first in ascending order, otherwise newest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContractOrder {
    pub by: OrderBy,
    /// `false`, the default, puts the newest or most expensive contract first.
    pub ascending: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderBy {
    #[default]
    SignDate,
    Price,
    /// Day on which the registry entry last changed.
    UpdateDate,
}
