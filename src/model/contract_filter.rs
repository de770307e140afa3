//! Filter and order of contracts in a request.

use super::{Amount, ContractStage, Date};

/// A filter whose conditions are joined by AND. The default matches every contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractFilter {
    pub stages: StageSet,
    /// First day of signing. Contracts without a day match neither this bound nor `signed_to`.
    pub signed_from: Option<Date>,
    pub signed_to: Option<Date>,
    /// First day of the last change.
    pub updated_from: Option<Date>,
    /// INN of the customer, compared as text.
    pub customer_inn: Option<String>,
    /// Lowest price. Contracts without a price match neither this bound nor `price_to`.
    pub price_from: Option<Amount>,
    pub price_to: Option<Amount>,
    /// Whether the record says that subcontractors are involved.
    pub has_subcontractors: Option<bool>,
    /// Overdue or not; contracts whose term is unknown match neither.
    pub overdue: Option<Overdue>,
}

/// Selects contracts that are overdue on a day, or those that are not. A contract is overdue if it
/// is in execution after the last day of its execution. Contracts without a stage, and contracts in
/// execution without a known last day ([`super::EncodedContract::execution_end`]), are neither.
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

    /// Returns whether a price lies within the bounds. Without a price, only an unbounded filter
    /// matches.
    pub fn matches_price(&self, price: Option<Amount>) -> bool {
        let holds = |bound: Option<Amount>, holds: fn(Amount, Amount) -> bool| {
            bound.is_none_or(|bound| price.is_some_and(|price| holds(price, bound)))
        };
        holds(self.price_from, |price, from| !price.is_less_than(from))
            && holds(self.price_to, |price, to| !to.is_less_than(price))
    }
}

/// A set of contract stages. The empty set stands for any stage, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageSet(u8);

impl StageSet {
    /// Matches contracts in any stage and those without one.
    pub const ANY: Self = Self(0);

    /// Returns the set of these stages; without stages, [`StageSet::ANY`].
    pub fn new(stages: impl IntoIterator<Item = ContractStage>) -> Self {
        let bit = |stage: ContractStage| 1 << stage as u8;
        Self(stages.into_iter().map(bit).fold(0, |all, one| all | one))
    }

    pub fn is_any(self) -> bool {
        self == Self::ANY
    }

    /// Returns whether the set names this stage; always `false` for [`StageSet::ANY`].
    pub fn has(self, stage: ContractStage) -> bool {
        self.0 >> stage as u8 & 1 == 1
    }

    /// Returns a bit per stage, lowest first in the order of [`ContractStage::ALL`]; 0 for any.
    pub fn number(self) -> u8 {
        self.0
    }
}

/// Order of contracts. Contracts without the value come last. Ties are ordered by day of signing,
/// oldest first if the order is ascending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContractOrder {
    pub by: OrderBy,
    /// `false`, the default, puts the newest or the most expensive first.
    pub ascending: bool,
}

/// The value that contracts are ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderBy {
    #[default]
    SignDate,
    Price,
    /// Day of the last change.
    UpdateDate,
}
