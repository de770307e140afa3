//! The card of a purchase under 223-FZ.

use serde::{Deserialize, Serialize};

use super::{Amount, Date, PurchaseNumber, PurchaseStage};

/// A purchase under 223-FZ (the specification, "Purchase, 223 shape"). Numbers that the
/// specification types as text are stored as they came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purchase223 {
    /// Number of the purchase.
    pub purchase_number: PurchaseNumber,
    /// Day of publication.
    pub publish_date: Option<Date>,
    /// Link to the purchase.
    pub href: String,
    /// The object of the purchase.
    pub object_info: String,
    /// The method of choosing the supplier.
    pub placing_way: String,
    /// Electronic trading platform.
    pub trading_platform: String,
    /// Initial (maximum) price, roubles.
    pub max_price: Option<Amount>,
    /// Short names of the restrictions.
    pub restrictions: Vec<String>,
    /// Stage of the purchase.
    pub stage: PurchaseStage,
    /// The lots.
    pub lots: Vec<Lot223>,
    /// The main customer.
    pub main_customer: Organization,
    /// The organisation responsible.
    pub responsible_org: Organization,
    /// End of submission.
    pub submission_close: Option<Date>,
    /// Opening of the envelopes.
    pub envelope_opening: Option<Date>,
    /// Examination of the offers.
    pub examination: Option<Date>,
    /// Summing up.
    pub summing_up: Option<Date>,
    /// Period of examination, as it came.
    pub examination_period: String,
    /// Time of the auction, as it came.
    pub auction_time: String,
    /// Time of the quotations' examination, as it came.
    pub quotation_examination_time: String,
    /// The winners. The wire format has no field for them: only lines have them.
    pub winners: Vec<Winner223>,
}

/// A winner of a purchase under 223-FZ, or of a lot of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Winner223 {
    /// Name.
    pub name: String,
    /// Taxpayer number, as it came.
    pub inn: String,
    /// Tax registration reason code.
    pub kpp: String,
    /// Day of the contract, or of the protocol that names the winner.
    pub date: Option<Date>,
    /// Price of the contract, roubles.
    pub price: Option<Amount>,
}

/// A lot of a purchase under 223-FZ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lot223 {
    /// Number of the lot.
    pub number: String,
    /// Name of the lot.
    pub name: String,
    /// Maximum price, as it came.
    pub max_price: String,
    /// Currency code.
    pub currency: String,
    /// Place of performance.
    pub execution_place: String,
    /// The customers.
    pub customers: Vec<LotCustomer223>,
}

/// A customer of a lot, with its items.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LotCustomer223 {
    /// The customer itself.
    pub organization: Organization,
    /// The object of the lot.
    pub objects: Vec<PurchaseObject223>,
}

/// An organisation with its numbers, addresses and contacts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Organization {
    /// Full name.
    pub full_name: String,
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
    /// Telephone.
    pub phone: String,
    /// E-mail.
    pub email: String,
}

/// An item of a purchase under 223-FZ, all as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseObject223 {
    /// Number of the item.
    pub number: String,
    /// OKPD code.
    pub okpd: String,
    /// OKPD2 code.
    pub okpd2: String,
    /// Unit code.
    pub okei: String,
    /// Quantity.
    pub quantity: String,
}
