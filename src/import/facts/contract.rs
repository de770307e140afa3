//! Facts from a `contract` under 44-FZ.

use super::encoding::facts;
use super::party::SupplierFacts;
use crate::model::{Amount, Contract, ContractItem, ContractStage, Date, Termination};

facts! {
    /// A contract as stated in one snapshot of the registry. Amounts are in roubles.
    pub struct ContractFacts {
        /// Number in the registry of contracts.
        0 reg_num: String,
        1 purchase_number: String,
        /// Identification code of the purchase (IKZ).
        2 purchase_code: String,
        3 subject: String,
        /// Names of the products. Filled only if the document states no subject.
        4 product_names: String,
        5 delivery_term: String,
        /// As in the document, unchecked.
        6 customer_inn: String,
        7 customer_name: String,
        /// Number of the customer in the register of organizations.
        8 customer_code: String,
        9 price: Option<Amount>,
        10 sign_date: Option<Date>,
        /// Last day of execution.
        11 end_date: Option<Date>,
        12 stage: Option<ContractStage>,
        /// Day of publication.
        13 update_date: Option<Date>,
        14 items: Vec<ContractItemFacts>,
        15 suppliers: Vec<SupplierFacts>,
        16 stage_count: u64,
        17 stages: Vec<StageKey>,
        /// Budget that pays for the contract.
        18 budget_name: String,
        /// Municipal territory: code, hyphen, name.
        19 oktmo: String,
        /// Performance guarantee.
        20 guarantee: Option<Amount>,
        21 advance_percent: Option<Amount>,
        22 has_subcontractors: bool,
        23 subcontractors_sum: Option<Amount>,
        24 bank_support: bool,
        25 treasury_support: bool,
        /// Whether the contract was declared void.
        26 invalid: bool,
        /// Number of the lot for which the contract was concluded.
        27 lot: Option<u64>,
    }

    pub struct ContractItemFacts {
        0 name: String,
        /// The code that the contract page shows: KTRU, or else OKPD2, or else OKPD.
        1 code: String,
        /// Cost in roubles.
        2 sum: Option<Amount>,
        3 okpd2: String,
        4 quantity: Option<Amount>,
        /// Price per unit, in roubles.
        5 price: Option<Amount>,
        /// Code of the unit of measure (OKEI).
        6 unit: String,
        7 unit_name: String,
        8 ktru: String,
    }

    /// Identifies a stage of a contract. A procedure states one of the fields, or both.
    #[derive(PartialOrd, Ord)]
    pub struct StageKey {
        /// Identifier of the stage. Procedures refer to stages by it since schema 13.2.
        0 sid: String,
        /// Last day of the stage (`YYYY-MM-DD`), or until 2015 its month (`YYYY-MM`). Procedures
        /// before schema 13.2 refer to stages by it.
        1 end: String,
    }
}

impl ContractFacts {
    /// Makes the contract of the contract page, with only the values from this document.
    pub fn on_page(&self) -> Contract {
        Contract {
            reg_num: self.reg_num.clone(),
            purchase_number: self.purchase_number.clone(),
            purchase_code: self.purchase_code.clone(),
            subject: self.subject.clone(),
            notification_price: None,
            delivery_term: self.delivery_term.clone(),
            customer_inn: self.customer_inn.clone(),
            customer_name: self.customer_name.clone(),
            price: self.price,
            sign_date: self.sign_date,
            end_date: self.end_date,
            stage: self.stage,
            fulfilment_sum: None,
            paid: None,
            advance_percent: self.advance_percent,
            penalties: None,
            penalties_paid: None,
            stage_count: self.stage_count,
            update_date: self.update_date,
            has_subcontractors: self.has_subcontractors,
            subcontractors_sum: self.subcontractors_sum,
            notice_guarantee: None,
            guarantee: self.guarantee,
            bank_support: self.bank_support,
            treasury_support: self.treasury_support,
            budget_name: self.budget_name.clone(),
            oktmo: self.oktmo.clone(),
            products: self.items.iter().map(ContractItemFacts::item).collect(),
            termination: Termination::default(),
            guarantee_claims: Vec::new(),
        }
    }
}

impl ContractItemFacts {
    fn item(&self) -> ContractItem {
        let has_okpd2 = match self.code.strip_prefix(&*self.okpd2) {
            Some(rest) => rest.is_empty() || rest.starts_with(['.', '-']),
            None => false,
        };
        ContractItem {
            code: self.code.clone(),
            sum: self.sum,
            name: self.name.clone(),
            okpd2: if has_okpd2 {
                String::new()
            } else {
                self.okpd2.clone()
            },
            okei: self.unit.clone(),
            okei_name: self.unit_name.clone(),
            quantity: self.quantity,
            price: self.price,
        }
    }
}

impl StageKey {
    /// Returns the identifier of the stage, or else its last day.
    pub fn name(&self) -> &str {
        match self.sid.as_str() {
            "" => &self.end,
            sid => sid,
        }
    }
}
