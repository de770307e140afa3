//! A state contract under 44-FZ, as the contract page shows it, and the list of its fields on the
//! wire, which its record ([`super::EncodedContract`]), the reading of lines, the answers and their
//! schemas follow.

use serde::{Deserialize, Serialize};

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
    /// The last day of execution.
    pub end_date: Option<Date>,
    /// Stage of its execution.
    pub stage: Option<ContractStage>,
    /// Cost of the fulfilled obligations.
    pub fulfilment_sum: Option<Amount>,
    /// Amount paid.
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
    /// Whether subcontractors are involved.
    pub has_subcontractors: bool,
    /// Volume of their involvement; a missing one is written as 0.
    pub subcontractors_sum: Option<Amount>,
    /// Performance guarantee required by the notice.
    pub notice_guarantee: Option<Amount>,
    /// Performance guarantee of the contract.
    pub guarantee: Option<Amount>,
    /// Whether bank support is required.
    pub bank_support: bool,
    /// Whether treasury support is required.
    pub treasury_support: bool,
    /// The budget it is paid from.
    pub budget_name: String,
    /// Municipal territory: code, hyphen, name.
    pub oktmo: String,
    /// The object of the contract.
    pub products: Vec<ContractItem>,
    /// On what grounds it was terminated.
    pub termination: Termination,
    /// Claims on the bank guarantee.
    pub guarantee_claims: Vec<GuaranteeClaim>,
}

/// An item of a contract. The contract page shows only its code and sum. Amounts are roubles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractItem {
    /// KTRU or OKPD2 position.
    pub code: String,
    /// Amount of the item.
    pub sum: Option<Amount>,
    /// Name of the item.
    pub name: String,
    /// OKPD2 position; empty if `code` is that position or one within it.
    pub okpd2: String,
    /// Code of the unit of measure.
    pub okei: String,
    /// Name of the unit of measure.
    pub okei_name: String,
    /// Quantity in these units.
    pub quantity: Option<Amount>,
    /// Price of a unit.
    pub price: Option<Amount>,
}

/// The grounds for the termination of a contract.
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
    /// For an unknown reason.
    pub unknown: bool,
}

/// A claim on the bank guarantee of a contract. Its amount is roubles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuaranteeClaim {
    /// Amount claimed, roubles.
    pub amount: Option<Amount>,
    /// Day the claim was published.
    pub publish_date: Option<Date>,
    /// Day of the claim.
    pub claim_date: Option<Date>,
    /// Its basis.
    pub grounds: String,
}

/// Calls `$with!` with the given tokens, in brackets, and the fields of a contract, each with its
/// name on the wire and its kind. Lines are read, records stored and answers written in the order of
/// this list ([`super::encoded_contract`] says where a new field may stand).
///
/// | kind | here | in an answer |
/// |---|---|---|
/// | `key` | a text that is not empty | text |
/// | `text` | a text | text |
/// | `amount` | an amount, or none | number |
/// | `amount_or_zero` | an amount, or none | number, 0 for none |
/// | `total` | an amount, or none | number, `total` of an object |
/// | `date` | a day, or none | `YYYY-MM-DD` |
/// | `count` | a whole number from 0 on | number |
/// | `flag` | a flag | flag |
/// | `stage` | a stage, or none | its code |
/// | `products`, `claims` | a list | a list, none if it is empty |
/// | `termination` | flags | the flags, without an object of their own |
macro_rules! contract_fields {
    ($with:ident $($given:tt)*) => {
        $with! { [$($given)*]
            reg_num "regNum": key,
            purchase_number "purchaseNumber": text,
            purchase_code "purchaseCode": text,
            subject "purchaseObjectInfo": text,
            notification_price "notificationPrice": amount,
            delivery_term "deliveryTerm": text,
            customer_inn "customerInn": text,
            customer_name "customerName": text,
            price "contractPrice": amount,
            sign_date "signDate": date,
            end_date "endDate": date,
            stage "contractStage": stage,
            fulfilment_sum "fulfilmentSum": amount,
            paid "paid": total,
            advance_percent "advanceInPercents": amount,
            penalties "penaltiesTotal": amount,
            penalties_paid "penaltiesPayments": amount,
            stage_count "ContractStages": count,
            update_date "updateDate": date,
            has_subcontractors "subContractors": flag,
            subcontractors_sum "subContractorsSum": amount_or_zero,
            notice_guarantee "purchaseContractGuarantee": amount,
            guarantee "contractGuarantee": amount,
            bank_support "bankSupportContractRequired": flag,
            treasury_support "treasurySupportContractRequired": flag,
            budget_name "budgetName": text,
            oktmo "OKTMO": text,
            products "products": products,
            termination _: termination,
            guarantee_claims "bankGuaranteePayments": claims,
        }
    };
}

/// As [`contract_fields`], of an item of a contract, as its page shows it.
macro_rules! product_fields {
    ($with:ident $($given:tt)*) => {
        $with! { [$($given)*]
            code "code": text,
            sum "sum": amount,
        }
    };
}

/// As [`contract_fields`], of an item of a contract, as lines have it.
macro_rules! item_fields {
    ($with:ident $($given:tt)*) => {
        $with! { [$($given)*]
            code "code": text,
            sum "sum": amount,
            name "name": text,
            okpd2 "okpd2": text,
            okei "okei": text,
            okei_name "okeiName": text,
            quantity "quantity": amount,
            price "price": amount,
        }
    };
}

/// As [`contract_fields`], of the grounds for the termination of a contract.
macro_rules! termination_fields {
    ($with:ident $($given:tt)*) => {
        $with! { [$($given)*]
            agreement "terminationBoth": flag,
            supplier_refusal "terminationSupplier": flag,
            customer_refusal "terminationCostomer": flag,
            court_decision "terminationJudge": flag,
            unknown "terminationCourt": flag,
        }
    };
}

/// As [`contract_fields`], of a claim on the guarantee of a contract.
macro_rules! claim_fields {
    ($with:ident $($given:tt)*) => {
        $with! { [$($given)*]
            amount "paymentAmountRUR": amount,
            publish_date "publishDate": date,
            claim_date "requirementsDate": date,
            grounds "improperExecInfo": text,
        }
    };
}

pub(crate) use {claim_fields, contract_fields, item_fields, product_fields, termination_fields};

/// The stage of a contract's execution (the specification, "States and transitions").
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
    /// All of them, in the order of the specification and of their numbers.
    pub const ALL: [Self; 4] = [
        Self::Completed,
        Self::Terminated,
        Self::InExecution,
        Self::Annulled,
    ];

    /// Their codes.
    pub const CODES: [&'static str; Self::ALL.len()] = {
        let mut codes = [""; Self::ALL.len()];
        let mut at = 0;
        while at < codes.len() {
            codes[at] = Self::ALL[at].code();
            at += 1;
        }
        codes
    };

    /// The expected codes, as an error message names them.
    pub const EXPECTED: &'static str = "EC, ET, E or IN";

    /// The code, as the registry and the specification have it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Completed => "EC",
            Self::Terminated => "ET",
            Self::InExecution => "E",
            Self::Annulled => "IN",
        }
    }

    /// The stage of a code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.code() == code)
    }

    /// Its number in a record, from 1 on: 0 stands for no stage.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The stage of a number that is not 0.
    pub fn from_number(number: u64) -> Option<Self> {
        let place = usize::try_from(number.checked_sub(1)?).ok()?;
        Self::ALL.get(place).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_found_by_its_code_and_by_its_number() {
        for stage in ContractStage::ALL {
            assert_eq!(ContractStage::from_code(stage.code()), Some(stage));
            let number = u64::from(stage.number());
            assert_eq!(ContractStage::from_number(number), Some(stage));
            assert!(ContractStage::EXPECTED.contains(stage.code()));
        }
        for number in [0, 5, u64::MAX] {
            assert_eq!(ContractStage::from_number(number), None);
        }
        assert_eq!(ContractStage::from_code("e"), None);
    }
}
