//! A state contract under 44-FZ, as the contract page shows it.

use serde::{Deserialize, Serialize};

use super::encoded::{Encoded, EncodedValues};
use super::{Amount, Date};

/// A supplier's contract (the specification, "Contract"). Amounts are roubles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    /// Number in the registry of contracts.
    pub reg_num: String,
    /// Number of the purchase it was concluded after.
    pub purchase_number: String,
    /// Identification code of the purchase (IKZ).
    pub purchase_code: String,
    /// Subject of the contract.
    pub subject: String,
    /// Initial (maximum) price from the notice.
    pub notification_price: Option<Amount>,
    /// Execution term in words, or a date with its offset.
    pub delivery_term: String,
    /// INN of the customer, as it came.
    pub customer_inn: String,
    /// Name of the customer.
    pub customer_name: String,
    /// Price of the contract.
    pub price: Option<Amount>,
    /// Day of signing.
    pub sign_date: Option<Date>,
    /// Day by which it is to be executed.
    pub end_date: Option<Date>,
    /// Where its execution stands.
    pub stage: Option<ContractStage>,
    /// Cost of the fulfilled obligations.
    pub fulfilment_sum: Option<Amount>,
    /// What was paid.
    pub paid: Option<Amount>,
    /// Advance payment, percent.
    pub advance_percent: Option<Amount>,
    /// Penalties accrued.
    pub penalties: Option<Amount>,
    /// Penalties paid.
    pub penalties_paid: Option<Amount>,
    /// Number of its stages.
    pub stage_count: u64,
    /// Day of the last change.
    pub update_date: Option<Date>,
    /// Are subcontractors involved?
    pub has_subcontractors: bool,
    /// Volume of their involvement; none is written as 0.
    pub subcontractors_sum: Option<Amount>,
    /// Performance guarantee that the notice asked for.
    pub notice_guarantee: Option<Amount>,
    /// Performance guarantee of the contract.
    pub guarantee: Option<Amount>,
    /// Is bank support required?
    pub bank_support: bool,
    /// Is treasury support required?
    pub treasury_support: bool,
    /// The budget it is paid from.
    pub budget_name: String,
    /// Municipal territory: code, hyphen, name.
    pub oktmo: String,
    /// What is bought.
    pub products: Vec<Product>,
    /// On what grounds it was terminated.
    pub termination: Termination,
    /// Claims on the bank guarantee.
    pub guarantee_claims: Vec<GuaranteeClaim>,
}

/// A contract as its record keeps it: each value as the text that is written. What they
/// are is said at [`Contract`].
#[allow(missing_docs, reason = "the fields are those of Contract")]
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodedContract<'a> {
    pub reg_num: Encoded<'a>,
    pub purchase_number: Encoded<'a>,
    pub purchase_code: Encoded<'a>,
    pub subject: Encoded<'a>,
    pub notification_price: Encoded<'a>,
    pub delivery_term: Encoded<'a>,
    pub customer_inn: Encoded<'a>,
    pub customer_name: Encoded<'a>,
    pub price: Encoded<'a>,
    /// `YYYY-MM-DD`, as the other dates.
    pub sign_date: Encoded<'a>,
    pub end_date: Encoded<'a>,
    pub stage: Option<ContractStage>,
    pub fulfilment_sum: Encoded<'a>,
    pub paid: Encoded<'a>,
    pub advance_percent: Encoded<'a>,
    pub penalties: Encoded<'a>,
    pub penalties_paid: Encoded<'a>,
    pub stage_count: Encoded<'a>,
    pub update_date: Encoded<'a>,
    pub has_subcontractors: bool,
    /// None is `0`.
    pub subcontractors_sum: Encoded<'a>,
    pub notice_guarantee: Encoded<'a>,
    pub guarantee: Encoded<'a>,
    pub bank_support: bool,
    pub treasury_support: bool,
    pub budget_name: Encoded<'a>,
    pub oktmo: Encoded<'a>,
    /// Of each the code and the sum.
    pub products: EncodedItems<'a, 2>,
    pub termination: Termination,
    /// Of each the amount, the days of publication and of the claim, and the grounds.
    pub guarantee_claims: EncodedItems<'a, 4>,
}

/// The items of a collection, `N` values each.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodedItems<'a, const N: usize> {
    values: EncodedValues<'a>,
    count: usize,
}

impl<'a, const N: usize> EncodedItems<'a, N> {
    /// Reads items; none where they are not there.
    pub fn read(values: &mut EncodedValues<'a>) -> Option<Self> {
        let count = usize::try_from(values.number()?).ok()?;
        let items = Self {
            values: *values,
            count,
        };
        // Each takes a byte at least, so that a count that is damaged ends soon.
        for _ in 0..count.checked_mul(N)? {
            values.value()?;
        }
        Some(items)
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl<'a, const N: usize> Iterator for EncodedItems<'a, N> {
    type Item = [Encoded<'a>; N];

    fn next(&mut self) -> Option<Self::Item> {
        self.count = self.count.checked_sub(1)?;
        let mut item = [self.values.value()?; N];
        for value in item.iter_mut().skip(1) {
            *value = self.values.value()?;
        }
        Some(item)
    }
}

/// Where the execution of a contract stands (the specification, "States and
/// transitions").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContractStage {
    /// `EC`: execution completed.
    Completed,
    /// `ET`: execution terminated.
    Terminated,
    /// `E`: in execution.
    InExecution,
    /// `IN`: the registry entry is annulled.
    Annulled,
}

impl ContractStage {
    /// The codes of all of them, in the order of the specification.
    pub const CODES: [&'static str; 4] = [
        Self::Completed.code(),
        Self::Terminated.code(),
        Self::InExecution.code(),
        Self::Annulled.code(),
    ];

    /// The stage of a code.
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "EC" => Some(Self::Completed),
            "ET" => Some(Self::Terminated),
            "E" => Some(Self::InExecution),
            "IN" => Some(Self::Annulled),
            _ => None,
        }
    }

    /// The code, as the registry and the specification have it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Completed => "EC",
            Self::Terminated => "ET",
            Self::InExecution => "E",
            Self::Annulled => "IN",
        }
    }
}

/// An item of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Product {
    /// KTRU or OKPD2 position.
    pub code: String,
    /// Amount of the item.
    pub sum: Option<Amount>,
}

/// The grounds on which a contract was terminated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Termination {
    /// By mutual agreement.
    pub agreement: bool,
    /// By the supplier's unilateral refusal.
    pub supplier_refusal: bool,
    /// By the customer's unilateral refusal.
    pub customer_refusal: bool,
    /// By court decision.
    pub court_decision: bool,
    /// For a reason unknown.
    pub unknown: bool,
}

/// A claim on the bank guarantee of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuaranteeClaim {
    /// Amount claimed, roubles.
    pub amount: Option<Amount>,
    /// Day the claim was published.
    pub publish_date: Option<Date>,
    /// Day of the claim.
    pub claim_date: Option<Date>,
    /// What it is based on.
    pub grounds: String,
}
