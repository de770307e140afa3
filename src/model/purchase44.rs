//! The card of a purchase under 44-FZ: one record for both of its renderings.

use serde::{Deserialize, Serialize};

use super::purchase615::PurchaseContract;
use super::{Amount, Date, Moment, PurchaseNumber, PurchaseStage};

/// A purchase under 44-FZ (the specification, "Purchase, 44 shape"): the union of
/// the fields of its XML and its JSON sample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purchase44 {
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
    /// Stage of the purchase.
    pub stage: PurchaseStage,
    /// Initial (maximum) price, roubles.
    pub max_price: Option<Amount>,
    /// The organisation responsible.
    pub responsible_org: ResponsibleOrg44,
    /// Dates of the procedure.
    pub procedure: ProcedureDates,
    /// The lots.
    pub lots: Vec<Lot44>,
    /// Short names of the restrictions (XML).
    pub restrictions: Vec<String>,
    /// Note of its cancellation and the date, as it came (JSON).
    pub cancelled: String,
    /// Day of the first publication (JSON).
    pub first_publish_date: Option<Moment>,
    /// Region (JSON).
    pub region: String,
    /// Documents (JSON).
    pub attachments: Vec<Attachment>,
}

/// A natural person's name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonName {
    /// Last name.
    pub last: String,
    /// First name.
    pub first: String,
    /// Patronymic.
    pub middle: String,
}

/// The organisation responsible for a purchase under 44-FZ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponsibleOrg44 {
    /// Full name.
    pub full_name: String,
    /// Taxpayer number, as it came.
    pub inn: String,
    /// Tax registration reason code.
    pub kpp: String,
    /// Address.
    pub address: String,
    /// Contact person.
    pub contact: PersonName,
    /// E-mail of the contact.
    pub contact_email: String,
    /// Telephone of the contact.
    pub contact_phone: String,
    /// Role in the purchase: the code (JSON).
    pub role: String,
}

/// The dates of a procedure; which of them it has depends on its kind.
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
    /// The auction.
    pub bidding: Option<Moment>,
    /// Opening of the final offers (XML).
    pub final_opening: Option<Moment>,
    /// Selection (XML).
    pub selecting: Option<Moment>,
    /// Prequalification (XML).
    pub prequalification: Option<Moment>,
    /// First stage (XML).
    pub stage1: StageDates,
    /// Second stage (XML).
    pub stage2: StageDates,
    /// Summing up (JSON).
    pub summarizing: Option<Moment>,
    /// Examination of the first parts (JSON).
    pub first_parts: Option<Moment>,
    /// Submission of the offers (JSON).
    pub submission: Option<Moment>,
    /// Examination of the second parts (JSON).
    pub second_parts: Option<Moment>,
}

/// The dates of one stage of a procedure.
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

/// A document of a purchase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Name of the file.
    pub file_name: String,
    /// Its size, as it came.
    pub file_size: String,
    /// Its name.
    pub description: String,
    /// Day of the document.
    pub date: Option<Moment>,
    /// Its URL.
    pub url: String,
    /// Kind of document: code.
    pub kind_code: String,
    /// Kind of document: name.
    pub kind_name: String,
}

/// A lot of a purchase under 44-FZ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lot44 {
    /// Number of the lot.
    pub number: Option<u64>,
    /// The object of the purchase (XML).
    pub object_info: String,
    /// Maximum price.
    pub max_price: Option<Amount>,
    /// Currency code.
    pub currency: String,
    /// The winner (XML); all fields are empty without one.
    pub winner: Winner,
    /// The customers.
    pub customers: Vec<Customer44>,
    /// The object of the purchase.
    pub objects: Vec<PurchaseObject44>,
    /// Sum of the items.
    pub total_sum: Option<Amount>,
    /// The quantity is undefined (JSON).
    pub quantity_undefined: Option<bool>,
    /// Drugs (JSON).
    pub drug_purchase: Option<bool>,
    /// For small business (JSON).
    pub small_business: Option<bool>,
    /// Subcontractors must be involved (JSON).
    pub subcontractors: Option<bool>,
    /// A life-cycle contract (JSON).
    pub life_cycle: Option<bool>,
    /// Its code (JSON).
    pub life_cycle_code: String,
    /// Its name (JSON).
    pub life_cycle_name: String,
    /// Requirements on the participants (JSON).
    pub requirements: Vec<CodedText>,
    /// Additional requirements (JSON).
    pub additional_requirements: Vec<CodedText>,
    /// Preferences (JSON).
    pub preferences: Vec<Preference>,
    /// Restrictions (JSON).
    pub restrictions: Vec<CodedText>,
    /// Restrictions under article 14 (JSON).
    pub restrictions14: Vec<Restriction14>,
}

/// The winner of a lot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Winner {
    /// Name.
    pub name: String,
    /// Taxpayer number, as it came.
    pub inn: String,
    /// Tax registration reason code.
    pub kpp: String,
    /// Price offered.
    pub price: Option<Amount>,
}

/// A customer of a lot under 44-FZ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer44 {
    /// Identification code of the purchase (IKZ).
    pub purchase_code: String,
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
    /// Contact person.
    pub contact: PersonName,
    /// E-mail.
    pub email: String,
    /// Telephone.
    pub phone: String,
    /// Fax (JSON).
    pub fax: String,
    /// Required guarantees.
    pub enforcement: Enforcement,
    /// Place of performance, in words (XML).
    pub execution_place: String,
    /// Period of performance, in words (XML).
    pub execution_period: String,
    /// The concluded contract (XML); all fields are empty without one.
    pub contract: CustomerContract,
    /// Maximum price for this customer (JSON).
    pub max_price: Option<Amount>,
    /// Public discussion is obligatory (JSON).
    pub public_discussion: Option<bool>,
    /// Position in the tender plan (JSON).
    pub plan_position: String,
    /// Advance payment, percent (JSON).
    pub advance_percent: Option<Amount>,
    /// Paid from own funds (JSON).
    pub own_funds: Option<bool>,
    /// Budget: code (JSON).
    pub budget_code: String,
    /// Budget: name (JSON).
    pub budget_name: String,
    /// Bank support is required (JSON).
    pub bank_support: Option<bool>,
    /// Treasury support is required (JSON).
    pub treasury_support: Option<bool>,
    /// Places of delivery (JSON).
    pub delivery_places: Vec<DeliveryPlace>,
}

/// The contract of a customer of a lot.
pub type CustomerContract = PurchaseContract;

/// The guarantees a customer requires: amounts, and parts in percent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforcement {
    /// Of an application: amount.
    pub application_amount: Option<Amount>,
    /// Of an application: part.
    pub application_part: Option<Amount>,
    /// Of the contract: amount.
    pub contract_amount: Option<Amount>,
    /// Of the contract: part.
    pub contract_part: Option<Amount>,
    /// Of the warranty: amount (JSON).
    pub warranty_amount: Option<Amount>,
    /// Of the warranty: part (JSON).
    pub warranty_part: Option<Amount>,
}

/// A place of delivery.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryPlace {
    /// KLADR code; left out of the answer when empty.
    pub kladr_code: String,
    /// KLADR name; left out of the answer when empty.
    pub kladr_name: String,
    /// Country: code.
    pub country_code: String,
    /// Country: name.
    pub country_name: String,
    /// Address in the state address register.
    pub gar_address: String,
    /// The place in words.
    pub place: String,
}

/// An item of a purchase under 44-FZ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseObject44 {
    /// Product, work or service: the code (JSON).
    pub kind: String,
    /// Name.
    pub name: String,
    /// International nonproprietary name of a drug; left out when empty (JSON).
    pub mnn: String,
    /// Dosage form; left out when empty (JSON).
    pub dosage_form: String,
    /// Dosage; left out when empty (JSON).
    pub dosage: String,
    /// OKPD code (XML).
    pub okpd: String,
    /// OKPD2 code.
    pub okpd2: String,
    /// OKPD2 name (JSON).
    pub okpd2_name: String,
    /// KTRU code.
    pub ktru: String,
    /// KTRU name (JSON).
    pub ktru_name: String,
    /// Unit: code.
    pub okei: String,
    /// Unit: name (JSON).
    pub okei_name: String,
    /// Price of a unit.
    pub price: Option<Amount>,
    /// Quantity.
    pub quantity: Option<Amount>,
    /// Price of the whole.
    pub sum: Option<Amount>,
    /// A medical product (JSON).
    pub medical_product: Option<bool>,
    /// Preference for Russian goods (JSON).
    pub preference_rf: Option<bool>,
    /// Restriction of foreign goods (JSON).
    pub restrict_foreign: Option<bool>,
    /// Prohibition of foreign goods (JSON).
    pub prohibition_foreign: Option<bool>,
    /// The prohibition cannot be observed (JSON).
    pub impossible_prohibition: Option<bool>,
    /// The reason why it cannot (JSON).
    pub impossible_prohibition_reason: String,
}

/// A requirement or a restriction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodedText {
    /// Code.
    pub code: String,
    /// Name.
    pub name: String,
    /// Content.
    pub content: String,
}

/// A preference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preference {
    /// Code.
    pub code: String,
    /// Name.
    pub name: String,
    /// Its size, percent.
    pub value: Option<Amount>,
}

/// A restriction under article 14 of 44-FZ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restriction14 {
    /// Code.
    pub code: String,
    /// Name.
    pub name: String,
    /// Short name.
    pub short_name: String,
    /// The ban cannot be observed.
    pub impossible_ban: Option<bool>,
    /// The reason why it cannot.
    pub impossible_ban_reason: String,
    /// Note.
    pub note: String,
}
