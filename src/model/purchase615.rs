//! Cards of purchases under Government Decree 615 (capital repairs).

use serde::{Deserialize, Serialize};

use super::{Amount, CardSupplier, Date, PurchaseNumber};

/// A purchase under PP-615 (specification, "Purchase, 615 shape").
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purchase615 {
    pub purchase_number: PurchaseNumber,
    pub publish_date: Option<Date>,
    /// Link to the purchase at EIS.
    pub href: String,
    /// Subject of the purchase.
    pub object_info: String,
    /// How the contractor is chosen.
    pub placing_way: String,
    pub trading_platform: String,
    /// End of submission.
    pub collecting_end: Option<Date>,
    /// Initial (maximum) price, roubles.
    pub max_price: Option<Amount>,
    /// Guarantee of an application, roubles.
    pub application_guarantee: Option<Amount>,
    /// Guarantee of the contract, roubles.
    pub contract_guarantee: Option<Amount>,
    pub responsible_org: ResponsibleOrg615,
    /// The winner; all fields are empty if there is none.
    pub winner: Winner615,
    /// The contract; all fields are empty if none was concluded.
    pub contract: PurchaseContract,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponsibleOrg615 {
    pub full_name: String,
    /// Number in the register of organisations.
    pub reg_num: String,
    /// INN as in the source, unchecked.
    pub inn: String,
    pub kpp: String,
    pub ogrn: String,
    pub factual_address: String,
    pub postal_address: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Winner615 {
    pub protocol_date: Option<Date>,
    pub protocol_number: String,
    pub name: String,
    /// INN as in the source, unchecked.
    pub inn: String,
    pub kpp: String,
    /// Price offered, or else the price in the contract, roubles.
    pub price: Option<Amount>,
}

/// The contract that resulted from a purchase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseContract {
    /// Number in the registry of contracts.
    pub reg_num: String,
    /// Price in roubles.
    pub price: Option<Amount>,
    /// Last day of execution.
    pub end_date: Option<Date>,
    pub suppliers: Vec<CardSupplier>,
}
