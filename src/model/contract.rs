//! State contracts under 44-FZ, and the field lists from which their stored records
//! ([`super::EncodedContract`]), JSON Lines, responses and schemas are generated.

use serde::{Deserialize, Serialize};

use super::{Amount, Date};

/// A contract (specification, "Contract"). Amounts are in roubles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    pub reg_num: String,
    pub purchase_number: String,
    /// Identification code of the purchase (IKZ).
    pub purchase_code: String,
    pub subject: String,
    /// Initial (maximum) price in the notice.
    pub notification_price: Option<Amount>,
    /// Term of execution: free text, or `DAY` or `START..END` with days as spelled in the source.
    pub delivery_term: String,
    /// As in the source, unchecked.
    pub customer_inn: String,
    pub customer_name: String,
    pub price: Option<Amount>,
    pub sign_date: Option<Date>,
    /// Last day of execution.
    pub end_date: Option<Date>,
    pub stage: Option<ContractStage>,
    /// Cost of the obligations fulfilled so far.
    pub fulfilment_sum: Option<Amount>,
    pub paid: Option<Amount>,
    pub advance_percent: Option<Amount>,
    pub penalties: Option<Amount>,
    pub penalties_paid: Option<Amount>,
    pub stage_count: u64,
    /// Day of the last change of the registry entry.
    pub update_date: Option<Date>,
    pub has_subcontractors: bool,
    /// Cost of the subcontracted part. Responses show 0 if it is missing.
    pub subcontractors_sum: Option<Amount>,
    /// Performance guarantee required by the notice.
    pub notice_guarantee: Option<Amount>,
    /// Performance guarantee in the contract.
    pub guarantee: Option<Amount>,
    pub bank_support: bool,
    pub treasury_support: bool,
    /// Budget that pays for the contract.
    pub budget_name: String,
    /// Municipal territory: code, hyphen, name.
    pub oktmo: String,
    pub products: Vec<ContractItem>,
    pub termination: Termination,
    pub guarantee_claims: Vec<GuaranteeClaim>,
}

/// An item of a contract. Amounts are in roubles. The contract page shows only `code` and `sum`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractItem {
    /// KTRU, OKPD2 or OKPD code.
    pub code: String,
    pub sum: Option<Amount>,
    pub name: String,
    /// OKPD2 code; empty if `code` is the same or a narrower code.
    pub okpd2: String,
    /// Code of the unit of measure.
    pub okei: String,
    pub okei_name: String,
    pub quantity: Option<Amount>,
    pub price: Option<Amount>,
}

/// Grounds on which a contract was terminated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Termination {
    pub agreement: bool,
    pub supplier_refusal: bool,
    pub customer_refusal: bool,
    pub court_decision: bool,
    /// Set if the contract was terminated on unknown grounds.
    pub unknown: bool,
}

/// A claim on the bank guarantee of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuaranteeClaim {
    /// In roubles.
    pub amount: Option<Amount>,
    pub publish_date: Option<Date>,
    pub claim_date: Option<Date>,
    pub grounds: String,
}

/// Calls `$with!` with the given tokens in brackets and the fields of a contract: field, wire name,
/// kind. The wire format, JSON Lines and stored records have the fields in this order;
/// [`super::encoded_contract`] says where a new field may go.
///
/// | kind | in the struct | on the wire |
/// |---|---|---|
/// | `key` | non-empty `String` | text |
/// | `text` | `String` | text |
/// | `amount` | optional amount | number |
/// | `amount_or_zero` | optional amount | number, 0 if missing |
/// | `total` | optional amount | object with the number as `total` |
/// | `date` | optional day | `YYYY-MM-DD` |
/// | `count` | whole number | number |
/// | `flag` | flag | flag |
/// | `stage` | optional stage | the stage's code |
/// | `products`, `claims` | list | list, omitted if empty |
/// | `termination` | flags | the flags, inlined |
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

/// Like [`contract_fields`], for an item on the contract page.
macro_rules! product_fields {
    ($with:ident $($given:tt)*) => {
        $with! { [$($given)*]
            code "code": text,
            sum "sum": amount,
        }
    };
}

/// Like [`contract_fields`], for an item in JSON Lines.
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

/// Like [`contract_fields`], for the grounds of termination.
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

/// Like [`contract_fields`], for a claim on the guarantee.
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

/// A stage of a contract (specification, "States and transitions").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContractStage {
    Completed,
    Terminated,
    InExecution,
    /// The registry entry was annulled.
    Annulled,
}

impl ContractStage {
    /// All stages, in the order of the specification and of [`ContractStage::number`].
    pub const ALL: [Self; 4] = [
        Self::Completed,
        Self::Terminated,
        Self::InExecution,
        Self::Annulled,
    ];

    pub const CODES: [&'static str; Self::ALL.len()] = {
        let mut codes = [""; Self::ALL.len()];
        let mut at = 0;
        while at < codes.len() {
            codes[at] = Self::ALL[at].code();
            at += 1;
        }
        codes
    };

    /// The valid codes, for error messages.
    pub const EXPECTED: &'static str = "EC, ET, E or IN";

    /// Returns the code that the registry and the specification use.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Completed => "EC",
            Self::Terminated => "ET",
            Self::InExecution => "E",
            Self::Annulled => "IN",
        }
    }

    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.code() == code)
    }

    /// Returns the number in stored records, counted from 1. In records, 0 means no stage.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// Reverses [`ContractStage::number`]. Returns `None` for 0 and unknown numbers.
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
