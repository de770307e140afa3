//! Which of a supplier's contracts are asked for, and in which order.

use super::{ContractStage, Date};

/// Which contracts: those to which all of it applies. The default is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractFilter {
    /// In one of these stages.
    pub stages: Stages,
    /// Signed on this day or later; one without a day was signed on none.
    pub signed_from: Option<Date>,
    /// Signed on this day or before.
    pub signed_to: Option<Date>,
    /// Last changed on this day or later.
    pub updated_from: Option<Date>,
    /// With this INN of the customer, compared as text.
    pub customer_inn: Option<String>,
}

impl ContractFilter {
    /// Does it ask for all contracts?
    pub fn is_everything(&self) -> bool {
        self.is_of_sign_dates() && (self.signed_from, self.signed_to) == (None, None)
    }

    /// Does it ask for nothing but days of signing?
    pub fn is_of_sign_dates(&self) -> bool {
        self.stages.is_any() && self.updated_from.is_none() && self.customer_inn.is_none()
    }
}

/// Some of the stages of a contract, or any, one without a stage too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages(u8);

impl Stages {
    /// Any stage, or none.
    pub const ANY: Self = Self(0);

    /// These stages; any where there are none.
    pub fn new(stages: impl IntoIterator<Item = ContractStage>) -> Self {
        let bit = |stage: ContractStage| 1 << stage as u8;
        Self(stages.into_iter().map(bit).fold(0, |all, one| all | one))
    }

    /// Is nothing asked of the stage?
    pub fn is_any(self) -> bool {
        self == Self::ANY
    }

    /// A bit for each, in the order of [`ContractStage::ALL`] from the lowest on; 0 for any.
    pub fn number(self) -> u8 {
        self.0
    }
}

/// In which order: contracts without the value stand last, others of one value in the
/// order of their places, oldest first where the order ascends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContractOrder {
    /// By what.
    pub by: OrderBy,
    /// Does it ascend? By default the newest, or the greatest, is first.
    pub ascending: bool,
}

/// What contracts are ordered by.
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
