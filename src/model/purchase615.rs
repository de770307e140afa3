//! The card of a purchase under Government Decree 615 (capital repairs).

use serde::{Deserialize, Serialize};

use super::{Amount, CardSupplier, Date, PurchaseNumber};

/// A purchase under PP-615 (the specification, "Purchase, 615 shape").
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purchase615 {
    /// Number of the purchase.
    pub purchase_number: PurchaseNumber,
    /// Day of publication.
    pub publish_date: Option<Date>,
    /// Link to the purchase.
    pub href: String,
    /// The object of the purchase.
    pub object_info: String,
    /// The method of choosing the contractor.
    pub placing_way: String,
    /// Electronic trading platform.
    pub trading_platform: String,
    /// End of submission.
    pub collecting_end: Option<Date>,
    /// Initial (maximum) price, roubles.
    pub max_price: Option<Amount>,
    /// Guarantee of an application, roubles.
    pub application_guarantee: Option<Amount>,
    /// Guarantee of the contract, roubles.
    pub contract_guarantee: Option<Amount>,
    /// The organisation responsible.
    pub responsible_org: ResponsibleOrg615,
    /// The winner; all fields are empty without one.
    pub winner: Winner615,
    /// The concluded contract; all fields are empty without one.
    pub contract: PurchaseContract,
}

/// The organisation responsible for a purchase under PP-615.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponsibleOrg615 {
    /// Full name.
    pub full_name: String,
    /// Number in the register of organisations.
    pub reg_num: String,
    /// Taxpayer number, as it came.
    pub inn: String,
    /// Tax registration reason code.
    pub kpp: String,
    /// State registration number.
    pub ogrn: String,
    /// Address.
    pub factual_address: String,
    /// Postal address.
    pub postal_address: String,
}

/// The winner of a purchase under PP-615.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Winner615 {
    /// Day of the protocol.
    pub protocol_date: Option<Date>,
    /// Number of the protocol.
    pub protocol_number: String,
    /// Name.
    pub name: String,
    /// Taxpayer number, as it came.
    pub inn: String,
    /// Tax registration reason code.
    pub kpp: String,
    /// Price offered, roubles.
    pub price: Option<Amount>,
}

/// The contract that a purchase ended in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseContract {
    /// Number in the registry of contracts.
    pub reg_num: String,
    /// Price, roubles.
    pub price: Option<Amount>,
    /// The last day of execution.
    pub end_date: Option<Date>,
    /// Its suppliers.
    pub suppliers: Vec<CardSupplier>,
}
