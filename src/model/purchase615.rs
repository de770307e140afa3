//! Cards of purchases under Government Decree 615 on capital repairs.

use serde::{Deserialize, Serialize};

use super::{Amount, CardSupplier, Date, PurchaseNumber};

/// A purchase under PP-615 (specification, "Purchase, 615 shape"). Amounts are in roubles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purchase615 {
    pub purchase_number: PurchaseNumber,
    pub publish_date: Option<Date>,
    pub href: String,
    pub object_info: String,
    pub placing_way: String,
    pub trading_platform: String,
    pub collecting_end: Option<Date>,
    /// Initial (maximum) price.
    pub max_price: Option<Amount>,
    pub application_guarantee: Option<Amount>,
    pub contract_guarantee: Option<Amount>,
    pub responsible_org: ResponsibleOrg615,
    /// If there is no winner, all fields are empty.
    pub winner: Winner615,
    /// If no contract was concluded, all fields are empty.
    pub contract: PurchaseContract,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponsibleOrg615 {
    pub full_name: String,
    /// Number in the register of organizations.
    pub reg_num: String,
    /// As in the source, unchecked.
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
    /// As in the source, unchecked.
    pub inn: String,
    pub kpp: String,
    /// Price offered, or else the price in the contract, in roubles.
    pub price: Option<Amount>,
}

/// The contract that resulted from a purchase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseContract {
    /// Number in the registry of contracts.
    pub reg_num: String,
    /// In roubles.
    pub price: Option<Amount>,
    pub end_date: Option<Date>,
    pub suppliers: Vec<CardSupplier>,
}
