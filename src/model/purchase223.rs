//! Cards of purchases under 223-FZ.

use serde::{Deserialize, Serialize};

use super::{Amount, Date, PurchaseNumber, PurchaseStage};

/// A purchase under 223-FZ (specification, "Purchase, 223 shape"). Numbers that the specification
/// defines as text are kept as in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purchase223 {
    pub purchase_number: PurchaseNumber,
    pub publish_date: Option<Date>,
    pub href: String,
    pub object_info: String,
    pub placing_way: String,
    pub trading_platform: String,
    /// Initial (maximum) price in roubles.
    pub max_price: Option<Amount>,
    pub restrictions: Vec<String>,
    pub stage: PurchaseStage,
    pub lots: Vec<Lot223>,
    pub main_customer: Organization,
    pub responsible_org: Organization,
    pub submission_close: Option<Date>,
    pub envelope_opening: Option<Date>,
    pub examination: Option<Date>,
    pub summing_up: Option<Date>,
    /// As in the source, unparsed.
    pub examination_period: String,
    /// As in the source, unparsed.
    pub auction_time: String,
    /// As in the source, unparsed.
    pub quotation_examination_time: String,
    /// The winners. The wire format has no field for them; only JSON Lines contain them.
    pub winners: Vec<Winner223>,
}

/// A winner of the purchase or of one of its lots.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Winner223 {
    pub name: String,
    /// As in the source, unchecked.
    pub inn: String,
    pub kpp: String,
    /// Day of the contract, or of the protocol that names the winner.
    pub date: Option<Date>,
    /// Price in the contract or protocol, in roubles.
    pub price: Option<Amount>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lot223 {
    pub number: String,
    pub name: String,
    /// As in the source, unparsed.
    pub max_price: String,
    pub currency: String,
    pub execution_place: String,
    pub customers: Vec<LotCustomer223>,
}

/// A customer of a lot, with the items to be bought for that customer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LotCustomer223 {
    pub organization: Organization,
    pub objects: Vec<PurchaseObject223>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Organization {
    pub full_name: String,
    /// As in the source, unchecked.
    pub inn: String,
    pub kpp: String,
    pub ogrn: String,
    pub factual_address: String,
    pub postal_address: String,
    pub phone: String,
    pub email: String,
}

/// An item of a purchase under 223-FZ. All values are as in the source, unparsed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseObject223 {
    pub number: String,
    pub okpd: String,
    pub okpd2: String,
    /// Code of the unit of measure.
    pub okei: String,
    pub quantity: String,
}
