//! Cards of purchases under 223-FZ.

use serde::{Deserialize, Serialize};

use super::{Amount, Date, PurchaseNumber, PurchaseStage};

/// A purchase under 223-FZ (specification, "Purchase, 223 shape"). Numbers that are text in the
/// specification are kept exactly as in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purchase223 {
    pub purchase_number: PurchaseNumber,
    pub publish_date: Option<Date>,
    /// Link to the purchase at EIS.
    pub href: String,
    /// Subject of the purchase.
    pub object_info: String,
    /// How the supplier is chosen.
    pub placing_way: String,
    pub trading_platform: String,
    /// Initial (maximum) price, roubles.
    pub max_price: Option<Amount>,
    /// Short names of the restrictions.
    pub restrictions: Vec<String>,
    pub stage: PurchaseStage,
    pub lots: Vec<Lot223>,
    pub main_customer: Organization,
    pub responsible_org: Organization,
    /// End of submission.
    pub submission_close: Option<Date>,
    pub envelope_opening: Option<Date>,
    /// Examination of the applications.
    pub examination: Option<Date>,
    /// Announcement of the results.
    pub summing_up: Option<Date>,
    /// Period of examination as in the source, unparsed.
    pub examination_period: String,
    /// Time of the auction as in the source, unparsed.
    pub auction_time: String,
    /// Time at which quotations are examined, as in the source, unparsed.
    pub quotation_examination_time: String,
    /// The winners. Only JSON Lines contain them; the wire format has no field for winners.
    pub winners: Vec<Winner223>,
}

/// A winner of a purchase under 223-FZ or of one of its lots.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Winner223 {
    pub name: String,
    /// INN as in the source, unchecked.
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
    /// Maximum price as in the source, unparsed.
    pub max_price: String,
    pub currency: String,
    pub execution_place: String,
    pub customers: Vec<LotCustomer223>,
}

/// A customer of a lot, with the items for that customer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LotCustomer223 {
    pub organization: Organization,
    pub objects: Vec<PurchaseObject223>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Organization {
    pub full_name: String,
    /// INN as in the source, unchecked.
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
