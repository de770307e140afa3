//! Facts from documents under 223-FZ.

use super::card::{OnCard, card_facts};
use super::encoding::facts;
use super::party::SupplierFacts;
use crate::model::{
    Amount, Date, Lot223, LotCustomer223, Organization, Purchase223, PurchaseNumber,
    PurchaseObject223, PurchaseStage,
};

facts! {
    pub struct Notice223Facts {
        0 card: Purchase223Facts,
        /// Whether the notice, or each of its lots, has the status "cancelled".
        1 cancelled: bool,
        /// For each lot, whether the notice marks it as cancelled.
        2 cancelled_lots: Vec<bool>,
        /// GUIDs of the lots, by which contracts refer to them; may be empty.
        3 lot_guids: Vec<String>,
    }

    /// A protocol under 223-FZ. If the protocol is void, all fields are empty.
    pub struct Protocol223Facts {
        /// Whether the protocol ends the purchase, with or without a winner.
        0 is_final: bool,
        /// Whether the purchase failed for a reason that leaves no winner.
        1 nobody_won: bool,
        2 lots: Vec<LotOutcome223>,
        /// The application that is excluded because the participant evaded or the customer refused
        /// the contract.
        3 excluded: Option<ExcludedApplication223>,
    }

    pub struct LotOutcome223 {
        0 lot: LotReference223,
        1 winners: Vec<WinningApplication223>,
    }

    pub struct WinningApplication223 {
        0 number: String,
        1 participant: SupplierFacts,
        /// Day on which the protocol was published.
        2 date: Option<Date>,
        /// In roubles.
        3 price: Option<Amount>,
    }

    /// How a document other than the notice refers to a lot.
    pub struct LotReference223 {
        /// Number in the notice; may be empty.
        0 number: String,
        /// GUID in the notice; may be empty.
        1 guid: String,
    }

    /// An application whose participant will not get the contract.
    pub struct ExcludedApplication223 {
        0 lot: LotReference223,
        1 application: String,
        /// INN of the participant; empty if hidden.
        2 inn: String,
        /// Number of the protocol in which the application had won.
        3 protocol: String,
    }

    pub struct Contract223Facts {
        /// Whether this is a record of the registry of contracts, which takes precedence over other
        /// documents about the contract.
        0 is_of_registry: bool,
        1 annulled: bool,
        2 lot: LotReference223,
        3 date: Option<Date>,
        /// In roubles.
        4 price: Option<Amount>,
        /// Empty if hidden.
        5 suppliers: Vec<SupplierFacts>,
    }
}

facts! {
    /// The fields of a card that come from the notice.
    pub struct Purchase223Facts {
        0 publish_date: Option<Date>,
        1 href: String,
        2 object_info: String,
        3 placing_way: String,
        4 trading_platform: String,
        /// Initial (maximum) price in roubles.
        5 max_price: Option<Amount>,
        6 restrictions: Vec<String>,
        7 lots: Vec<Lot223Facts>,
        8 main_customer: OrganizationFacts,
        9 responsible_org: OrganizationFacts,
        10 submission_close: Option<Date>,
        11 envelope_opening: Option<Date>,
        12 examination: Option<Date>,
        13 summing_up: Option<Date>,
        /// As worded in the document.
        14 examination_period: String,
        /// As worded in the document.
        15 auction_time: String,
        /// As worded in the document.
        16 quotation_examination_time: String,
    }
}

impl Purchase223Facts {
    /// Makes a card with only the values from the notice.
    pub fn on_card(&self, number: &PurchaseNumber) -> Purchase223 {
        Purchase223 {
            purchase_number: number.clone(),
            publish_date: self.publish_date,
            href: self.href.clone(),
            object_info: self.object_info.clone(),
            placing_way: self.placing_way.clone(),
            trading_platform: self.trading_platform.clone(),
            max_price: self.max_price,
            restrictions: self.restrictions.on_card(),
            stage: PurchaseStage::default(),
            lots: self.lots.on_card(),
            main_customer: self.main_customer.on_card(),
            responsible_org: self.responsible_org.on_card(),
            submission_close: self.submission_close,
            envelope_opening: self.envelope_opening,
            examination: self.examination,
            summing_up: self.summing_up,
            examination_period: self.examination_period.clone(),
            auction_time: self.auction_time.clone(),
            quotation_examination_time: self.quotation_examination_time.clone(),
            winners: Vec::new(),
        }
    }
}

card_facts! {
    pub struct Lot223Facts for Lot223 {
        0 number: String,
        1 name: String,
        2 max_price: String,
        3 currency: String,
        4 execution_place: String,
        5 customers: Vec<LotCustomer223Facts>,
    } without {}

    /// A customer of a lot, with the items to be bought for that customer.
    pub struct LotCustomer223Facts for LotCustomer223 {
        0 organization: OrganizationFacts,
        1 objects: Vec<PurchaseObject223Facts>,
    } without {}

    pub struct OrganizationFacts for Organization {
        0 full_name: String,
        1 inn: String,
        2 kpp: String,
        3 ogrn: String,
        4 factual_address: String,
        5 postal_address: String,
        6 phone: String,
        7 email: String,
    } without {}

    /// An item of a purchase under 223-FZ. All values are as in the document, unparsed.
    pub struct PurchaseObject223Facts for PurchaseObject223 {
        0 number: String,
        1 okpd: String,
        2 okpd2: String,
        3 okei: String,
        4 quantity: String,
    } without {}
}
