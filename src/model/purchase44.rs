//! Cards of purchases under 44-FZ.

use serde::{Deserialize, Serialize};

use super::purchase615::PurchaseContract;
use super::{Amount, Date, Moment, PurchaseNumber, PurchaseStage};

/// A purchase under 44-FZ (specification, "Purchase, 44 shape"). The specification's XML and JSON
/// samples have different fields. This record has the fields of both; `card_fields.rs` says which
/// field belongs to which sample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purchase44 {
    pub purchase_number: PurchaseNumber,
    pub publish_date: Option<Date>,
    pub href: String,
    pub object_info: String,
    pub placing_way: String,
    pub trading_platform: String,
    pub stage: PurchaseStage,
    /// Initial (maximum) price in roubles.
    pub max_price: Option<Amount>,
    pub responsible_org: ResponsibleOrg44,
    pub procedure: ProcedureDates,
    pub lots: Vec<Lot44>,
    pub restrictions: Vec<String>,
    /// Note and date of the cancellation, as in the source.
    pub cancelled: String,
    pub first_publish_date: Option<Moment>,
    pub region: String,
    pub attachments: Vec<Attachment>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonName {
    pub last: String,
    pub first: String,
    pub middle: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponsibleOrg44 {
    pub full_name: String,
    /// As in the source, unchecked.
    pub inn: String,
    pub kpp: String,
    pub address: String,
    pub contact: PersonName,
    pub contact_email: String,
    pub contact_phone: String,
    /// Code of the organization's role in the purchase.
    pub role: String,
}

/// The dates of a procedure. Which of them are set depends on the kind of procedure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcedureDates {
    /// Start of submission.
    pub start: Option<Moment>,
    /// End of submission.
    pub end: Option<Moment>,
    /// Opening of the applications.
    pub opening: Option<Moment>,
    /// Examination of the applications.
    pub scoring: Option<Moment>,
    pub bidding: Option<Moment>,
    /// Opening of the final offers.
    pub final_opening: Option<Moment>,
    pub selecting: Option<Moment>,
    pub prequalification: Option<Moment>,
    pub stage1: StageDates,
    pub stage2: StageDates,
    /// Announcement of the results.
    pub summarizing: Option<Moment>,
    /// Examination of the first parts of the applications.
    pub first_parts: Option<Moment>,
    /// Submission of price offers.
    pub submission: Option<Moment>,
    /// Examination of the second parts of the applications.
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
    /// As in the source, unparsed.
    pub file_size: String,
    pub description: String,
    pub date: Option<Moment>,
    pub url: String,
    pub kind_code: String,
    pub kind_name: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lot44 {
    pub number: Option<u64>,
    pub object_info: String,
    pub max_price: Option<Amount>,
    pub currency: String,
    /// If there is no winner, all fields are empty.
    pub winner: Winner,
    pub customers: Vec<Customer44>,
    pub objects: Vec<PurchaseObject44>,
    /// Total over the items.
    pub total_sum: Option<Amount>,
    /// Whether the quantity cannot be determined in advance.
    pub quantity_undefined: Option<bool>,
    pub drug_purchase: Option<bool>,
    pub small_business: Option<bool>,
    /// Whether the supplier must involve subcontractors.
    pub subcontractors: Option<bool>,
    /// Whether the contract covers the whole life cycle.
    pub life_cycle: Option<bool>,
    /// Code of the life-cycle case listed in the law.
    pub life_cycle_code: String,
    pub life_cycle_name: String,
    pub requirements: Vec<CodedText>,
    pub additional_requirements: Vec<CodedText>,
    pub preferences: Vec<Preference>,
    pub restrictions: Vec<CodedText>,
    pub restrictions14: Vec<Restriction14>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Winner {
    pub name: String,
    /// As in the source, unchecked.
    pub inn: String,
    pub kpp: String,
    /// Price in the contract, or else the price offered, in roubles.
    pub price: Option<Amount>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer44 {
    /// Identification code of the purchase (IKZ).
    pub purchase_code: String,
    pub full_name: String,
    /// As in the source, unchecked.
    pub inn: String,
    pub kpp: String,
    pub ogrn: String,
    pub factual_address: String,
    pub postal_address: String,
    pub contact: PersonName,
    pub email: String,
    pub phone: String,
    pub fax: String,
    pub enforcement: Enforcement,
    /// As described in the source.
    pub execution_place: String,
    /// As described in the source.
    pub execution_period: String,
    /// If no contract was concluded, all fields are empty.
    pub contract: CustomerContract,
    pub max_price: Option<Amount>,
    /// Whether the purchase must be discussed publicly.
    pub public_discussion: Option<bool>,
    pub plan_position: String,
    pub advance_percent: Option<Amount>,
    /// Whether the customer pays from its own funds.
    pub own_funds: Option<bool>,
    pub budget_code: String,
    pub budget_name: String,
    pub bank_support: Option<bool>,
    pub treasury_support: Option<bool>,
    pub delivery_places: Vec<DeliveryPlace>,
}

pub type CustomerContract = PurchaseContract;

/// Guarantees that a customer requires, each as an amount in roubles (`…_amount`) and as a
/// percentage of the price (`…_part`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforcement {
    pub application_amount: Option<Amount>,
    pub application_part: Option<Amount>,
    pub contract_amount: Option<Amount>,
    pub contract_part: Option<Amount>,
    pub warranty_amount: Option<Amount>,
    pub warranty_part: Option<Amount>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryPlace {
    /// Code in KLADR, an older register of addresses. Responses omit it if empty.
    pub kladr_code: String,
    /// Responses omit it if empty.
    pub kladr_name: String,
    pub country_code: String,
    pub country_name: String,
    /// Address in GAR, the state register of addresses.
    pub gar_address: String,
    /// The place in words.
    pub place: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseObject44 {
    /// Code that distinguishes goods, works and services.
    pub kind: String,
    pub name: String,
    /// International nonproprietary name of a drug. Responses omit it if empty.
    pub mnn: String,
    /// Responses omit it if empty.
    pub dosage_form: String,
    /// Responses omit it if empty.
    pub dosage: String,
    pub okpd: String,
    pub okpd2: String,
    pub okpd2_name: String,
    pub ktru: String,
    pub ktru_name: String,
    /// Code of the unit of measure.
    pub okei: String,
    pub okei_name: String,
    pub price: Option<Amount>,
    pub quantity: Option<Amount>,
    pub sum: Option<Amount>,
    pub medical_product: Option<bool>,
    /// Whether Russian goods are preferred.
    pub preference_rf: Option<bool>,
    /// Whether foreign goods are restricted.
    pub restrict_foreign: Option<bool>,
    /// Whether foreign goods are banned.
    pub prohibition_foreign: Option<bool>,
    /// Whether the ban cannot be observed.
    pub impossible_prohibition: Option<bool>,
    /// Why the ban cannot be observed.
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
    /// In percent.
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
