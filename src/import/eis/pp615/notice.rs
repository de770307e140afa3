//! `pprf615NotificationEF`: the card of a purchase under PP-615.

use super::{fact, purchase_number};
use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, amount, day};
use crate::import::facts::{Fact, Facts};
use crate::model::{Purchase615, PurchaseContract, ResponsibleOrg615, Winner615};

/// Reads the notice; winner and contract stay empty.
pub fn read(document: &Element<'_>) -> Result<Vec<Fact>> {
    let number = purchase_number(document)?;
    let price = "notificationInfo/contractCondition/maxPriceInfo";
    let card = Purchase615 {
        purchase_number: number.clone(),
        publish_date: day(document, "commonInfo/docPublishDate")?,
        href: document.text_at("commonInfo/href").to_owned(),
        object_info: document
            .words_at("commonInfo/purchaseObjectInfo")
            .to_owned(),
        placing_way: document.words_at("placingWayInfo/name").to_owned(),
        trading_platform: document
            .words_at("notificationInfo/ETPInfo/name")
            .to_owned(),
        collecting_end: day(document, "notificationInfo/procedureInfo/collectingEndDate")?,
        max_price: amount(document, &format!("{price}/maxPrice"))?,
        application_guarantee: amount(document, &format!("{price}/applicationGuarantee/amount"))?,
        contract_guarantee: amount(document, &format!("{price}/contractGuarantee/amount"))?,
        responsible_org: responsible_org(document),
        winner: Winner615::default(),
        contract: PurchaseContract::default(),
    };
    fact(document, &number, "", Facts::Notice615(Box::new(card)))
}

/// The schema has neither a state registration number nor an address other than the postal
/// one; they are read if a document has them.
fn responsible_org(document: &Element<'_>) -> ResponsibleOrg615 {
    let Some(org) = document.at("purchaseResponsibleInfo/responsibleOrgInfo") else {
        return ResponsibleOrg615::default();
    };
    ResponsibleOrg615 {
        full_name: org.words_at("fullName").to_owned(),
        reg_num: org.text_at("regNum").to_owned(),
        inn: org.text_at("INN").to_owned(),
        kpp: org.text_at("KPP").to_owned(),
        ogrn: org.text_at("OGRN").to_owned(),
        factual_address: org.words_at("factAddress").to_owned(),
        postal_address: org.words_at("postAddress").to_owned(),
    }
}
