//! The contract that states the price of an item.

use super::{ContractStage, Date, EncodedContract};

/// What a list of prices shows about a contract, besides the item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PricedContract {
    pub reg_num: String,
    pub sign_date: Option<Date>,
    pub stage: Option<ContractStage>,
    pub supplier_inn: String,
    pub supplier_name: String,
    pub customer_inn: String,
    pub customer_name: String,
}

impl PricedContract {
    /// `inn` and `name` are those of the contract's supplier.
    pub fn new(inn: &str, name: &str, contract: &EncodedContract<'_>) -> Self {
        Self {
            reg_num: contract.reg_num.text().into_owned(),
            sign_date: Date::parse_iso(&contract.sign_date.text()),
            stage: contract.stage,
            supplier_inn: inn.to_owned(),
            supplier_name: name.to_owned(),
            customer_inn: contract.customer_inn.text().into_owned(),
            customer_name: contract.customer_name.text().into_owned(),
        }
    }
}
