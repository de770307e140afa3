//! Cards of purchases under 44-FZ. The same record is rendered as XML and as JSON.

use serde::{Deserialize, Serialize};

use super::purchase615::PurchaseContract;
use super::{Amount, Date, Moment, PurchaseNumber, PurchaseStage};

/// A purchase under 44-FZ (specification, "Purchase, 44 shape"). The specification has an XML and a
/// JSON sample with different fields. This record has the fields of both; "(XML)" and "(JSON)" mark
/// fields that only one sample has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purchase44 {
    pub purchase_number: PurchaseNumber,
    pub publish_date: Option<Date>,
    /// Link to the purchase at EIS.
    pub href: String,
    /// Subject of the purchase.
    pub object_info: String,
    /// How the supplier is chosen.
    pub placing_way: String,
    pub trading_platform: String,
    pub stage: PurchaseStage,
    /// Initial (maximum) price, roubles.
    pub max_price: Option<Amount>,
    pub responsible_org: ResponsibleOrg44,
    pub procedure: ProcedureDates,
    pub lots: Vec<Lot44>,
    /// Short names of the restrictions (XML).
    pub restrictions: Vec<String>,
    /// Note and date of the cancellation, as in the source (JSON).
    pub cancelled: String,
    /// Time of first publication (JSON).
    pub first_publish_date: Option<Moment>,
    /// Region (JSON).
    pub region: String,
    /// Attached documents (JSON).
    pub attachments: Vec<Attachment>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonName {
    pub last: String,
    pub first: String,
    /// Patronymic.
    pub middle: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponsibleOrg44 {
    pub full_name: String,
    /// INN as in the source, unchecked.
    pub inn: String,
    pub kpp: String,
    pub address: String,
    pub contact: PersonName,
    pub contact_email: String,
    pub contact_phone: String,
    /// Code of the organisation's role in the purchase (JSON).
    pub role: String,
}

/// The dates of a procedure. The kind of procedure determines which of them are set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcedureDates {
    /// Start of submission.
    pub start: Option<Moment>,
    /// End of submission.
    pub end: Option<Moment>,
    /// Opening of the applications (XML).
    pub opening: Option<Moment>,
    /// Examination of the applications (XML).
    pub scoring: Option<Moment>,
    /// Time of the auction.
    pub bidding: Option<Moment>,
    /// Opening of the final offers (XML).
    pub final_opening: Option<Moment>,
    /// Selection of the supplier (XML).
    pub selecting: Option<Moment>,
    /// Prequalification of participants (XML).
    pub prequalification: Option<Moment>,
    /// Dates of the first of two stages (XML).
    pub stage1: StageDates,
    /// Dates of the second of two stages (XML).
    pub stage2: StageDates,
    /// Announcement of the results (JSON).
    pub summarizing: Option<Moment>,
    /// Examination of the first parts of the applications (JSON).
    pub first_parts: Option<Moment>,
    /// Submission of the price offers (JSON).
    pub submission: Option<Moment>,
    /// Examination of the second parts of the applications (JSON).
    pub second_parts: Option<Moment>,
}

/// The dates of one stage of a two-stage procedure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageDates {
    /// Start of submission.
    pub start: Option<Moment>,
    /// End of submission.
    pub end: Option<Moment>,
    /// Opening of the applications.
    pub opening: Option<Moment>,
    /// Examination of the applications.
    pub scoring: Option<Moment>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    pub file_name: String,
    /// File size as in the source, unparsed.
    pub file_size: String,
    /// Title of the document.
    pub description: String,
    pub date: Option<Moment>,
    pub url: String,
    pub kind_code: String,
    pub kind_name: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lot44 {
    pub number: Option<u64>,
    /// Subject of the lot (XML).
    pub object_info: String,
    pub max_price: Option<Amount>,
    pub currency: String,
    /// The winner; all fields are empty if there is none (XML).
    pub winner: Winner,
    pub customers: Vec<Customer44>,
    pub objects: Vec<PurchaseObject44>,
    /// Sum over the items.
    pub total_sum: Option<Amount>,
    /// Whether the quantity cannot be determined in advance (JSON).
    pub quantity_undefined: Option<bool>,
    /// Whether drugs are bought (JSON).
    pub drug_purchase: Option<bool>,
    /// Whether the purchase is reserved for small businesses (JSON).
    pub small_business: Option<bool>,
    /// Whether subcontractors must be involved (JSON).
    pub subcontractors: Option<bool>,
    /// Whether the contract covers the whole life cycle (JSON).
    pub life_cycle: Option<bool>,
    /// Code of the life-cycle case listed in the law (JSON).
    pub life_cycle_code: String,
    /// Name of the life-cycle case listed in the law (JSON).
    pub life_cycle_name: String,
    /// Requirements for participants (JSON).
    pub requirements: Vec<CodedText>,
    /// Additional requirements for participants (JSON).
    pub additional_requirements: Vec<CodedText>,
    /// Preferences for certain participants (JSON).
    pub preferences: Vec<Preference>,
    /// Restrictions on participants (JSON).
    pub restrictions: Vec<CodedText>,
    /// Restrictions under article 14 of the law (JSON).
    pub restrictions14: Vec<Restriction14>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Winner {
    pub name: String,
    /// INN as in the source, unchecked.
    pub inn: String,
    pub kpp: String,
    /// Price in the contract, or else the price offered.
    pub price: Option<Amount>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer44 {
    /// Identification code of the purchase (IKZ).
    pub purchase_code: String,
    pub full_name: String,
    /// INN as in the source, unchecked.
    pub inn: String,
    pub kpp: String,
    pub ogrn: String,
    pub factual_address: String,
    pub postal_address: String,
    pub contact: PersonName,
    pub email: String,
    pub phone: String,
    /// Fax number (JSON).
    pub fax: String,
    pub enforcement: Enforcement,
    /// Place of performance in words (XML).
    pub execution_place: String,
    /// Period of performance in words (XML).
    pub execution_period: String,
    /// The contract; all fields are empty if none was concluded (XML).
    pub contract: CustomerContract,
    /// Maximum price for this customer (JSON).
    pub max_price: Option<Amount>,
    /// Whether a public discussion is mandatory (JSON).
    pub public_discussion: Option<bool>,
    /// Position in the tender plan (JSON).
    pub plan_position: String,
    /// Advance payment in percent (JSON).
    pub advance_percent: Option<Amount>,
    /// Whether the customer pays from its own funds (JSON).
    pub own_funds: Option<bool>,
    /// Code of the budget (JSON).
    pub budget_code: String,
    /// Name of the budget (JSON).
    pub budget_name: String,
    /// Whether bank support is required (JSON).
    pub bank_support: Option<bool>,
    /// Whether treasury support is required (JSON).
    pub treasury_support: Option<bool>,
    /// Places of delivery (JSON).
    pub delivery_places: Vec<DeliveryPlace>,
}

pub type CustomerContract = PurchaseContract;

/// Guarantees that a customer requires, as amounts or as percentages of the price.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforcement {
    pub application_amount: Option<Amount>,
    pub application_part: Option<Amount>,
    pub contract_amount: Option<Amount>,
    pub contract_part: Option<Amount>,
    /// Warranty guarantee in roubles (JSON).
    pub warranty_amount: Option<Amount>,
    /// Warranty guarantee in percent (JSON).
    pub warranty_part: Option<Amount>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryPlace {
    /// Code in KLADR, an older address register; omitted from responses if empty.
    pub kladr_code: String,
    /// Name in KLADR; omitted from responses if empty.
    pub kladr_name: String,
    pub country_code: String,
    pub country_name: String,
    /// Address in the state address register (GAR).
    pub gar_address: String,
    /// The place in words.
    pub place: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseObject44 {
    /// Code that distinguishes products, works and services (JSON).
    pub kind: String,
    pub name: String,
    /// International nonproprietary name of a drug; omitted from responses if empty (JSON).
    pub mnn: String,
    /// Dosage form of a drug; omitted from responses if empty (JSON).
    pub dosage_form: String,
    /// Dosage of a drug; omitted from responses if empty (JSON).
    pub dosage: String,
    /// OKPD code (XML).
    pub okpd: String,
    pub okpd2: String,
    /// Name of the OKPD2 code (JSON).
    pub okpd2_name: String,
    pub ktru: String,
    /// Name of the KTRU code (JSON).
    pub ktru_name: String,
    /// Code of the unit of measure.
    pub okei: String,
    /// Name of the unit of measure (JSON).
    pub okei_name: String,
    /// Price per unit.
    pub price: Option<Amount>,
    pub quantity: Option<Amount>,
    /// Price of the whole quantity.
    pub sum: Option<Amount>,
    /// Whether the item is a medical product (JSON).
    pub medical_product: Option<bool>,
    /// Whether Russian goods are preferred (JSON).
    pub preference_rf: Option<bool>,
    /// Whether foreign goods are restricted (JSON).
    pub restrict_foreign: Option<bool>,
    /// Whether foreign goods are banned (JSON).
    pub prohibition_foreign: Option<bool>,
    /// Whether the ban cannot be observed (JSON).
    pub impossible_prohibition: Option<bool>,
    /// Why the ban cannot be observed (JSON).
    pub impossible_prohibition_reason: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodedText {
    pub code: String,
    pub name: String,
    pub content: String,
}

/// A preference granted to certain participants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preference {
    pub code: String,
    pub name: String,
    /// Size of the preference in percent.
    pub value: Option<Amount>,
}

/// A restriction under article 14 of 44-FZ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restriction14 {
    pub code: String,
    pub name: String,
    pub short_name: String,
    /// Whether the ban cannot be observed.
    pub impossible_ban: Option<bool>,
    /// Why the ban cannot be observed.
    pub impossible_ban_reason: String,
    pub note: String,
}
