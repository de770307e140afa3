//! Facts from notices under 44-FZ, and from documents that change or cancel a notice.

use std::collections::BTreeSet;

use super::card::{OnCard, card_facts};
use super::encoding::facts;
use crate::model::{
    Amount, Attachment, CodedText, Customer44, Date, DeliveryPlace, Enforcement, Lot44, Moment,
    PersonName, Preference, ProcedureDates, Purchase44, PurchaseNumber, PurchaseObject44,
    PurchaseStage, ResponsibleOrg44, Restriction14, StageDates, is_rouble,
};

facts! {
    pub struct Notice44Facts {
        0 card: Purchase44Facts,
        /// Numbers of the customers in the register of organizations: a list for each lot, with a
        /// number for each customer of the lot.
        1 customer_codes: Vec<Vec<String>>,
    }

    /// The cancellation of a purchase or of one of its lots.
    #[derive(Copy)]
    pub struct Cancel44 {
        /// Whether the cancellation was revoked.
        0 revoked: bool,
        1 day: Option<Date>,
    }

    /// Changed dates of a purchase. `None` means unchanged.
    #[derive(Copy)]
    pub struct Change44 {
        0 end: Option<Moment>,
        /// Opening of the applications.
        1 opening: Option<Moment>,
        /// Examination of the applications.
        2 scoring: Option<Moment>,
        3 bidding: Option<Moment>,
        /// Submission of price offers or of final offers.
        4 submission: Option<Moment>,
        /// Examination of the second parts of the applications.
        5 second_parts: Option<Moment>,
    }

    /// An authority's decision to suspend a purchase or to lift the suspension. The key of the fact
    /// consists of all numbers that the decision states.
    pub struct Suspension44 {
        /// `true` suspends the purchase, `false` lifts a suspension.
        0 suspended: bool,
        /// Numbers of the complaint or inspection, by which decisions refer to one another. A
        /// document may leave out some of them.
        1 numbers: Vec<String>,
    }
}

impl Purchase44Facts {
    /// Fills the fields that depend on the lots: the total price, and the restriction codes without
    /// duplicates. The price is `None` if no lot has a price, or if any lot is priced in a currency
    /// other than roubles.
    pub fn sum_up_lots(&mut self) {
        let in_roubles = |lot: &Lot44Facts| is_rouble(&lot.currency);
        let mut prices = self.lots.iter().filter_map(|lot| lot.max_price);
        self.max_price = prices
            .next()
            .filter(|_| self.lots.iter().all(in_roubles))
            .and_then(|first| prices.try_fold(first, Amount::checked_add));
        let mut seen = BTreeSet::new();
        let restrictions = self.lots.iter().flat_map(|lot| &lot.restrictions);
        let codes = restrictions.map(|restriction| &restriction.code);
        self.restrictions = codes
            .filter(|code| !code.is_empty() && seen.insert(*code))
            .cloned()
            .collect();
    }
}

facts! {
    /// The fields of a card that come from the notice.
    pub struct Purchase44Facts {
        0 publish_date: Option<Date>,
        1 href: String,
        2 object_info: String,
        3 placing_way: String,
        4 trading_platform: String,
        /// Initial (maximum) price in roubles.
        5 max_price: Option<Amount>,
        6 responsible_org: ResponsibleOrg44Facts,
        7 procedure: ProcedureDatesFacts,
        8 lots: Vec<Lot44Facts>,
        9 restrictions: Vec<String>,
        10 region: String,
        11 attachments: Vec<AttachmentFacts>,
    }
}

impl Purchase44Facts {
    /// Makes a card with only the values from the notice.
    pub fn on_card(&self, number: &PurchaseNumber) -> Purchase44 {
        Purchase44 {
            purchase_number: number.clone(),
            publish_date: self.publish_date,
            href: self.href.clone(),
            object_info: self.object_info.clone(),
            placing_way: self.placing_way.clone(),
            trading_platform: self.trading_platform.clone(),
            stage: PurchaseStage::default(),
            max_price: self.max_price,
            responsible_org: self.responsible_org.on_card(),
            procedure: self.procedure.on_card(),
            lots: self.lots.on_card(),
            restrictions: self.restrictions.on_card(),
            cancelled: String::new(),
            first_publish_date: None,
            region: self.region.clone(),
            attachments: self.attachments.on_card(),
        }
    }
}

card_facts! {
    pub struct PersonNameFacts for PersonName {
        0 last: String,
        1 first: String,
        2 middle: String,
    } without {}

    pub struct ResponsibleOrg44Facts for ResponsibleOrg44 {
        0 full_name: String,
        1 inn: String,
        2 kpp: String,
        3 address: String,
        4 contact: PersonNameFacts,
        5 contact_email: String,
        6 contact_phone: String,
        7 role: String,
    } without {}

    /// The dates of a procedure. Which of them are set depends on the kind of procedure.
    pub struct ProcedureDatesFacts for ProcedureDates {
        0 start: Option<Moment>,
        1 end: Option<Moment>,
        2 opening: Option<Moment>,
        3 scoring: Option<Moment>,
        4 bidding: Option<Moment>,
        5 final_opening: Option<Moment>,
        6 selecting: Option<Moment>,
        7 prequalification: Option<Moment>,
        8 stage1: StageDatesFacts,
        9 stage2: StageDatesFacts,
        10 summarizing: Option<Moment>,
        11 first_parts: Option<Moment>,
        12 submission: Option<Moment>,
        13 second_parts: Option<Moment>,
    } without {}

    pub struct StageDatesFacts for StageDates {
        0 start: Option<Moment>,
        1 end: Option<Moment>,
        2 opening: Option<Moment>,
        3 scoring: Option<Moment>,
    } without {}

    pub struct AttachmentFacts for Attachment {
        0 file_name: String,
        1 file_size: String,
        2 description: String,
        3 date: Option<Moment>,
        4 url: String,
        5 kind_code: String,
        6 kind_name: String,
    } without {}

    pub struct Lot44Facts for Lot44 {
        0 number: Option<u64>,
        1 object_info: String,
        2 max_price: Option<Amount>,
        3 currency: String,
        4 customers: Vec<Customer44Facts>,
        5 objects: Vec<PurchaseObject44Facts>,
        6 total_sum: Option<Amount>,
        7 quantity_undefined: Option<bool>,
        8 drug_purchase: Option<bool>,
        9 small_business: Option<bool>,
        10 subcontractors: Option<bool>,
        11 life_cycle: Option<bool>,
        12 life_cycle_code: String,
        13 life_cycle_name: String,
        14 requirements: Vec<CodedTextFacts>,
        15 additional_requirements: Vec<CodedTextFacts>,
        16 preferences: Vec<PreferenceFacts>,
        17 restrictions: Vec<CodedTextFacts>,
        18 restrictions14: Vec<Restriction14Facts>,
    } without {winner}

    pub struct Customer44Facts for Customer44 {
        0 purchase_code: String,
        1 full_name: String,
        2 inn: String,
        3 kpp: String,
        4 ogrn: String,
        5 factual_address: String,
        6 postal_address: String,
        7 contact: PersonNameFacts,
        8 email: String,
        9 phone: String,
        10 fax: String,
        11 enforcement: EnforcementFacts,
        12 execution_place: String,
        13 execution_period: String,
        14 max_price: Option<Amount>,
        15 public_discussion: Option<bool>,
        16 plan_position: String,
        17 advance_percent: Option<Amount>,
        18 own_funds: Option<bool>,
        19 budget_code: String,
        20 budget_name: String,
        21 bank_support: Option<bool>,
        22 treasury_support: Option<bool>,
        23 delivery_places: Vec<DeliveryPlaceFacts>,
    } without {contract}

    /// Guarantees that a customer requires, as amounts and as percentages.
    pub struct EnforcementFacts for Enforcement {
        0 application_amount: Option<Amount>,
        1 application_part: Option<Amount>,
        2 contract_amount: Option<Amount>,
        3 contract_part: Option<Amount>,
        4 warranty_amount: Option<Amount>,
        5 warranty_part: Option<Amount>,
    } without {}

    pub struct DeliveryPlaceFacts for DeliveryPlace {
        0 kladr_code: String,
        1 kladr_name: String,
        2 country_code: String,
        3 country_name: String,
        4 gar_address: String,
        5 place: String,
    } without {}

    pub struct PurchaseObject44Facts for PurchaseObject44 {
        0 kind: String,
        1 name: String,
        2 mnn: String,
        3 dosage_form: String,
        4 dosage: String,
        5 okpd: String,
        6 okpd2: String,
        7 okpd2_name: String,
        8 ktru: String,
        9 ktru_name: String,
        10 okei: String,
        11 okei_name: String,
        12 price: Option<Amount>,
        13 quantity: Option<Amount>,
        14 sum: Option<Amount>,
        15 medical_product: Option<bool>,
        16 preference_rf: Option<bool>,
        17 restrict_foreign: Option<bool>,
        18 prohibition_foreign: Option<bool>,
        19 impossible_prohibition: Option<bool>,
        20 impossible_prohibition_reason: String,
    } without {}

    pub struct CodedTextFacts for CodedText {
        0 code: String,
        1 name: String,
        2 content: String,
    } without {}

    pub struct PreferenceFacts for Preference {
        0 code: String,
        1 name: String,
        2 value: Option<Amount>,
    } without {}

    pub struct Restriction14Facts for Restriction14 {
        0 code: String,
        1 name: String,
        2 short_name: String,
        3 impossible_ban: Option<bool>,
        4 impossible_ban_reason: String,
        5 note: String,
    } without {}
}
