//! A state contract under 44-FZ, as the contract page shows it.

use serde::{Deserialize, Serialize};

use super::{Amount, Date};

/// A supplier's contract (the specification, "Contract"). Amounts are roubles. `T` is
/// what texts are: a `&str` where they are read in the bytes of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract<T = String> {
    /// Number in the registry of contracts.
    pub reg_num: T,
    /// Number of the purchase it was concluded after.
    pub purchase_number: T,
    /// Identification code of the purchase (IKZ).
    pub purchase_code: T,
    /// Subject of the contract.
    pub subject: T,
    /// Initial (maximum) price from the notice.
    pub notification_price: Option<Amount>,
    /// Execution term in words, or a date with its offset.
    pub delivery_term: T,
    /// INN of the customer, as it came.
    pub customer_inn: T,
    /// Name of the customer.
    pub customer_name: T,
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
    pub budget_name: T,
    /// Municipal territory: code, hyphen, name.
    pub oktmo: T,
    /// What is bought.
    pub products: Vec<Product<T>>,
    /// On what grounds it was terminated.
    pub termination: Termination,
    /// Claims on the bank guarantee.
    pub guarantee_claims: Vec<GuaranteeClaim<T>>,
}

impl Contract {
    /// It with texts that are read in this one.
    pub fn borrowed(&self) -> Contract<&str> {
        Contract {
            reg_num: &self.reg_num,
            purchase_number: &self.purchase_number,
            purchase_code: &self.purchase_code,
            subject: &self.subject,
            delivery_term: &self.delivery_term,
            customer_inn: &self.customer_inn,
            customer_name: &self.customer_name,
            budget_name: &self.budget_name,
            oktmo: &self.oktmo,
            notification_price: self.notification_price,
            price: self.price,
            sign_date: self.sign_date,
            end_date: self.end_date,
            stage: self.stage,
            fulfilment_sum: self.fulfilment_sum,
            paid: self.paid,
            advance_percent: self.advance_percent,
            penalties: self.penalties,
            penalties_paid: self.penalties_paid,
            stage_count: self.stage_count,
            update_date: self.update_date,
            has_subcontractors: self.has_subcontractors,
            subcontractors_sum: self.subcontractors_sum,
            notice_guarantee: self.notice_guarantee,
            guarantee: self.guarantee,
            bank_support: self.bank_support,
            treasury_support: self.treasury_support,
            termination: self.termination,
            products: self.products.iter().map(Product::borrowed).collect(),
            guarantee_claims: self
                .guarantee_claims
                .iter()
                .map(GuaranteeClaim::borrowed)
                .collect(),
        }
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
    pub fn code(self) -> &'static str {
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
pub struct Product<T = String> {
    /// KTRU or OKPD2 position.
    pub code: T,
    /// Amount of the item.
    pub sum: Option<Amount>,
}

impl Product {
    fn borrowed(&self) -> Product<&str> {
        Product {
            code: &self.code,
            sum: self.sum,
        }
    }
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
pub struct GuaranteeClaim<T = String> {
    /// Amount claimed, roubles.
    pub amount: Option<Amount>,
    /// Day the claim was published.
    pub publish_date: Option<Date>,
    /// Day of the claim.
    pub claim_date: Option<Date>,
    /// What it is based on.
    pub grounds: T,
}

impl GuaranteeClaim {
    fn borrowed(&self) -> GuaranteeClaim<&str> {
        GuaranteeClaim {
            amount: self.amount,
            publish_date: self.publish_date,
            claim_date: self.claim_date,
            grounds: &self.grounds,
        }
    }
}
