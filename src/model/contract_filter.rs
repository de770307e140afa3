//! A request's selection of contracts, and their order.

use super::{Amount, ContractStage, Date};

/// A filter: all conditions must hold. The default selects all contracts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractFilter {
    /// In one of these stages.
    pub stages: Stages,
    /// Signed on this day or later; a contract without a sign date matches no bound.
    pub signed_from: Option<Date>,
    /// Signed on this day or before.
    pub signed_to: Option<Date>,
    /// Last changed on this day or later.
    pub updated_from: Option<Date>,
    /// With this INN of the customer, compared as text.
    pub customer_inn: Option<String>,
    /// For this price or more; a contract without a price matches no bound.
    pub price_from: Option<Amount>,
    /// For this price or less.
    pub price_to: Option<Amount>,
    /// With subcontractors, or without, as the record says.
    pub has_subcontractors: Option<bool>,
    /// Overdue, or not overdue; a contract without a known term matches neither.
    pub overdue: Option<Overdue>,
}

/// Whether a contract is overdue on a day: in execution after the last day of its execution. It
/// is not overdue up to that day, or when it is no longer in execution. Nothing is known of a
/// contract without a stage, or in execution without an end
/// ([`super::EncodedContract::execution_end`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overdue {
    /// Selects those that are, else those that are not.
    pub is_overdue: bool,
    /// The day.
    pub on: Date,
}

impl ContractFilter {
    /// Returns whether it selects all contracts.
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether the price lies within the bounds; false without a price if there are bounds.
    pub fn matches_price(&self, price: Option<Amount>) -> bool {
        let holds = |bound: Option<Amount>, holds: fn(Amount, Amount) -> bool| {
            bound.is_none_or(|bound| price.is_some_and(|price| holds(price, bound)))
        };
        holds(self.price_from, |price, from| !price.is_less_than(from))
            && holds(self.price_to, |price, to| !to.is_less_than(price))
    }
}

/// A set of stages of a contract, or any, which includes contracts without a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages(u8);

impl Stages {
    /// Any stage, or no stage.
    pub const ANY: Self = Self(0);

    /// The set of these stages; any if there are none.
    pub fn new(stages: impl IntoIterator<Item = ContractStage>) -> Self {
        let bit = |stage: ContractStage| 1 << stage as u8;
        Self(stages.into_iter().map(bit).fold(0, |all, one| all | one))
    }

    /// Returns whether it matches any stage.
    pub fn is_any(self) -> bool {
        self == Self::ANY
    }

    /// Returns whether this is one of the stages; false if any stage matches.
    pub fn has(self, stage: ContractStage) -> bool {
        self.0 >> stage as u8 & 1 == 1
    }

    /// A bit for each, in the order of [`ContractStage::ALL`] from the lowest on; 0 for any.
    pub fn number(self) -> u8 {
        self.0
    }
}

/// The order: contracts without the value come last; those with equal values are in the
/// order of signing, oldest first if the order ascends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContractOrder {
    /// The value it orders by.
    pub by: OrderBy,
    /// Whether it ascends. By default the newest, or the greatest, is first.
    pub ascending: bool,
}

/// The key of an order of contracts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderBy {
    /// Day of signing.
    #[default]
    SignDate,
    /// Price of the contract.
    Price,
    /// Day of the last change.
    UpdateDate,
}
