//! The contract of an item with a price.

use super::{ContractStage, Date, EncodedContract};

/// What is shown of a contract beside its items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PricedContract {
    /// Registry number.
    pub reg_num: String,
    /// Day of signing.
    pub sign_date: Option<Date>,
    /// Stage.
    pub stage: Option<ContractStage>,
    /// INN of the supplier.
    pub supplier_inn: String,
    /// Name of the supplier.
    pub supplier_name: String,
    /// INN of the customer.
    pub customer_inn: String,
    /// Name of the customer.
    pub customer_name: String,
}

impl PricedContract {
    /// Takes what is shown of a contract of the supplier with this INN and name.
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
