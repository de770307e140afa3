//! A state contract under 44-FZ, as the contract page shows it: one list of its fields,
//! from which the struct, its record ([`super::EncodedContract`]), the reading of lines,
//! the answers and their schemas follow.

use serde::{Deserialize, Serialize};

use super::{Amount, Date};

/// Calls `$with!` with the given tokens, in brackets, and the fields of a contract, each
/// with its name on the wire and its kind. They are in the order of the wire, which is also
/// that of the record, so adding or moving one must raise the format.
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
            /// Number in the registry of contracts.
            reg_num "regNum": key,
            /// Number of the purchase it was concluded after.
            purchase_number "purchaseNumber": text,
            /// Identification code of the purchase (IKZ).
            purchase_code "purchaseCode": text,
            /// Subject of the contract.
            subject "purchaseObjectInfo": text,
            /// Initial (maximum) price from the notice.
            notification_price "notificationPrice": amount,
            /// Execution term in words, or a date with its offset.
            delivery_term "deliveryTerm": text,
            /// INN of the customer, as it came.
            customer_inn "customerInn": text,
            /// Name of the customer.
            customer_name "customerName": text,
            /// Price of the contract.
            price "contractPrice": amount,
            /// Day of signing.
            sign_date "signDate": date,
            /// The last day of execution.
            end_date "endDate": date,
            /// Stage of its execution.
            stage "contractStage": stage,
            /// Cost of the fulfilled obligations.
            fulfilment_sum "fulfilmentSum": amount,
            /// Amount paid.
            paid "paid": total,
            /// Advance payment, percent.
            advance_percent "advanceInPercents": amount,
            /// Penalties accrued.
            penalties "penaltiesTotal": amount,
            /// Penalties paid.
            penalties_paid "penaltiesPayments": amount,
            /// Number of its stages.
            stage_count "ContractStages": count,
            /// Day of the last change.
            update_date "updateDate": date,
            /// Whether subcontractors are involved.
            has_subcontractors "subContractors": flag,
            /// Volume of their involvement; a missing one is written as 0.
            subcontractors_sum "subContractorsSum": amount_or_zero,
            /// Performance guarantee required by the notice.
            notice_guarantee "purchaseContractGuarantee": amount,
            /// Performance guarantee of the contract.
            guarantee "contractGuarantee": amount,
            /// Whether bank support is required.
            bank_support "bankSupportContractRequired": flag,
            /// Whether treasury support is required.
            treasury_support "treasurySupportContractRequired": flag,
            /// The budget it is paid from.
            budget_name "budgetName": text,
            /// Municipal territory: code, hyphen, name.
            oktmo "OKTMO": text,
            /// The object of the contract.
            products "products": products,
            /// On what grounds it was terminated.
            termination _: termination,
            /// Claims on the bank guarantee.
            guarantee_claims "bankGuaranteePayments": claims,
        }
    };
}

/// The same of an item of a contract.
macro_rules! product_fields {
    ($with:ident $($given:tt)*) => {
        $with! { [$($given)*]
            /// KTRU or OKPD2 position.
            code "code": text,
            /// Amount of the item.
            sum "sum": amount,
        }
    };
}

/// The same of the grounds on which it was terminated.
macro_rules! termination_fields {
    ($with:ident $($given:tt)*) => {
        $with! { [$($given)*]
            /// By mutual agreement.
            agreement "terminationBoth": flag,
            /// By the supplier's unilateral refusal.
            supplier_refusal "terminationSupplier": flag,
            /// By the customer's unilateral refusal.
            customer_refusal "terminationCostomer": flag,
            /// By court decision.
            court_decision "terminationJudge": flag,
            /// For an unknown reason.
            unknown "terminationCourt": flag,
        }
    };
}

/// The same of a claim on its guarantee.
macro_rules! claim_fields {
    ($with:ident $($given:tt)*) => {
        $with! { [$($given)*]
            /// Amount claimed, roubles.
            amount "paymentAmountRUR": amount,
            /// Day the claim was published.
            publish_date "publishDate": date,
            /// Day of the claim.
            claim_date "requirementsDate": date,
            /// Its basis.
            grounds "improperExecInfo": text,
        }
    };
}

pub(crate) use {claim_fields, contract_fields, product_fields, termination_fields};

/// The type of a field of this kind.
macro_rules! value {
    (key) => { String };
    (text) => { String };
    (amount) => { Option<Amount> };
    (amount_or_zero) => { Option<Amount> };
    (total) => { Option<Amount> };
    (date) => { Option<Date> };
    (count) => { u64 };
    (flag) => { bool };
    (stage) => { Option<ContractStage> };
    (products) => { Vec<Product> };
    (claims) => { Vec<GuaranteeClaim> };
    (termination) => { Termination };
}

macro_rules! define {
    ([$(#[$about:meta])* $record:ident] $($(#[$doc:meta])* $field:ident $wire:tt: $kind:ident,)*) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub struct $record {
            $($(#[$doc])* pub $field: value!($kind),)*
        }
    };
}

contract_fields! { define
    /// A supplier's contract (the specification, "Contract"). Amounts are roubles.
    Contract
}

product_fields! { define
    /// An item of a contract.
    Product
}

termination_fields! { define
    /// The grounds for the termination of a contract.
    #[derive(Copy)]
    Termination
}

claim_fields! { define
    /// A claim on the bank guarantee of a contract. Its amount is roubles.
    GuaranteeClaim
}

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
