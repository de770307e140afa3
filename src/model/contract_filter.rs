//! Filter and order of contracts in a request.

use super::{Amount, ContractStage, Date};

/// All conditions must hold. The default matches every contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractFilter {
    pub stages: StageSet,
    /// Earliest day of signing. A contract without a known day of signing matches neither this
    /// bound nor `signed_to`.
    pub signed_from: Option<Date>,
    pub signed_to: Option<Date>,
    /// Earliest day of the last change of the registry entry.
    pub updated_from: Option<Date>,
    /// INN as spelled in the contracts.
    pub customer_inn: Option<String>,
    /// Lowest price. A contract without a price matches neither this bound nor `price_to`.
    pub price_from: Option<Amount>,
    pub price_to: Option<Amount>,
    pub has_subcontractors: Option<bool>,
    pub overdue: Option<Overdue>,
}

/// Selects contracts that are overdue on a day, or those that are not. A contract is overdue if it
/// is still in execution after its last day. Neither group includes contracts without a stage, or
/// those in execution whose last day ([`super::EncodedContract::execution_end`]) is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overdue {
    /// `true` selects overdue contracts, `false` those that are not.
    pub is_overdue: bool,
    pub on: Date,
}

impl ContractFilter {
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether a price is within the bounds. For a missing price, returns `true` only if
    /// there are no bounds.
    pub fn matches_price(&self, price: Option<Amount>) -> bool {
        let holds = |bound: Option<Amount>, holds: fn(Amount, Amount) -> bool| {
            bound.is_none_or(|bound| price.is_some_and(|price| holds(price, bound)))
        };
        holds(self.price_from, |price, from| !price.is_less_than(from))
            && holds(self.price_to, |price, to| !to.is_less_than(price))
    }
}

/// A set of contract stages. The empty set stands for any stage or none ([`StageSet::ANY`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageSet(u8);

impl StageSet {
    /// Matches contracts in any stage and those without one.
    pub const ANY: Self = Self(0);

    /// Makes a set of stages. Without any, this is [`StageSet::ANY`].
    pub fn new(stages: impl IntoIterator<Item = ContractStage>) -> Self {
        let bit = |stage: ContractStage| 1 << stage as u8;
        Self(stages.into_iter().map(bit).fold(0, |all, one| all | one))
    }

    pub fn is_any(self) -> bool {
        self == Self::ANY
    }

    /// Returns whether the set contains a stage. For [`StageSet::ANY`], always returns `false`.
    pub fn has(self, stage: ContractStage) -> bool {
        self.0 >> stage as u8 & 1 == 1
    }

    /// Returns the set as bits, in the order of [`ContractStage::ALL`], lowest first.
    /// [`StageSet::ANY`] is 0.
    pub fn number(self) -> u8 {
        self.0
    }
}

/// Order of contracts. Those without a value to order by come last. Ties are ordered by day of
/// signing, in the same direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContractOrder {
    pub by: OrderBy,
    /// Whether the oldest or cheapest contract comes first, instead of the newest or most
    /// expensive.
    pub ascending: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderBy {
    #[default]
    SignDate,
    Price,
    /// Day of the last change of the registry entry.
    UpdateDate,
}
