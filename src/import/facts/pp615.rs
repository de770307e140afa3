//! Facts from documents under PP-615.

use super::card::{OnCard, card_facts};
use super::encoding::facts;
use super::party::SupplierFacts;
use crate::model::{
    Amount, Date, Purchase615, PurchaseContract, PurchaseNumber, ResponsibleOrg615, Winner615,
};

facts! {
    pub struct Protocol615Facts {
        /// Number in EIS, which is the same for all versions of the document. The key is the
        /// platform's number, which may differ between versions.
        0 doc_number: String,
        /// Whether the protocol decides the purchase: an EF2, or an EF1 with a single participant.
        1 is_final: bool,
        /// If the protocol names no winner, all fields are empty.
        2 winner: Winner615Facts,
    }

    pub struct Winner615Facts {
        /// Day on which the protocol was signed.
        0 protocol_date: Option<Date>,
        1 protocol_number: String,
        2 participant: SupplierFacts,
        /// Price offered, in roubles.
        3 price: Option<Amount>,
    }

    pub struct Contract615Facts {
        /// Number in the registry of contracts.
        0 reg_num: String,
        1 sign_date: Option<Date>,
        /// In roubles.
        2 price: Option<Amount>,
        /// Last day of execution.
        3 end_date: Option<Date>,
        4 suppliers: Vec<SupplierFacts>,
    }

    /// An act that denies a participant the contract, or the cancellation of such an act.
    pub struct Exclusion615Facts {
        /// `None` if the act was cancelled.
        0 participant: Option<SupplierFacts>,
    }
}

facts! {
    /// The fields of a card that come from the notice. Amounts are in roubles.
    pub struct Purchase615Facts {
        0 publish_date: Option<Date>,
        1 href: String,
        2 object_info: String,
        3 placing_way: String,
        4 trading_platform: String,
        5 collecting_end: Option<Date>,
        /// Initial (maximum) price.
        6 max_price: Option<Amount>,
        7 application_guarantee: Option<Amount>,
        8 contract_guarantee: Option<Amount>,
        9 responsible_org: ResponsibleOrg615Facts,
    }
}

impl Purchase615Facts {
    /// Makes a card with only the values from the notice.
    pub fn on_card(&self, number: &PurchaseNumber) -> Purchase615 {
        Purchase615 {
            purchase_number: number.clone(),
            publish_date: self.publish_date,
            href: self.href.clone(),
            object_info: self.object_info.clone(),
            placing_way: self.placing_way.clone(),
            trading_platform: self.trading_platform.clone(),
            collecting_end: self.collecting_end,
            max_price: self.max_price,
            application_guarantee: self.application_guarantee,
            contract_guarantee: self.contract_guarantee,
            responsible_org: self.responsible_org.on_card(),
            winner: Winner615::default(),
            contract: PurchaseContract::default(),
        }
    }
}

card_facts! {
    pub struct ResponsibleOrg615Facts for ResponsibleOrg615 {
        0 full_name: String,
        1 reg_num: String,
        2 inn: String,
        3 kpp: String,
        4 ogrn: String,
        5 factual_address: String,
        6 postal_address: String,
    } without {}
}
