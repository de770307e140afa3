//! `pprf615NotificationEF`: the card of a purchase under PP-615.

use crate::import::eis::kind::Kind;
use crate::import::eis::node::{Node, Result};
use crate::import::facts::{Fact, Facts};
use crate::model::{Purchase615, PurchaseContract, ResponsibleOrg615, Winner615};

/// Reads the notice; winner and contract stay empty.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = kind.purchase_number(document)?;
    let words = |field, path| document.verbatim(field, &[path]);
    let price = |field, path| document.amount(field, &[path]);
    let card = Purchase615 {
        purchase_number: number.clone(),
        publish_date: document.day("docPublishDate", &["commonInfo/docPublishDate"])?,
        href: document.string("href", &["commonInfo/href"]),
        object_info: words("purchaseObjectInfo", "commonInfo/purchaseObjectInfo"),
        placing_way: words("placingWay", "placingWayInfo/name"),
        trading_platform: words("ETP", "notificationInfo/ETPInfo/name"),
        collecting_end: document.day(
            "collectingEndDate",
            &["notificationInfo/procedureInfo/collectingEndDate"],
        )?,
        max_price: price(
            "fullNMCK",
            "notificationInfo/contractCondition/maxPriceInfo/maxPrice",
        )?,
        application_guarantee: price(
            "applicationGuaranteeAmount",
            "notificationInfo/contractCondition/maxPriceInfo/applicationGuarantee/amount",
        )?,
        contract_guarantee: price(
            "contractGuaranteeAmount",
            "notificationInfo/contractCondition/maxPriceInfo/contractGuarantee/amount",
        )?,
        responsible_org: responsible_org(document),
        winner: Winner615::default(),
        contract: PurchaseContract::default(),
    };
    let facts = Facts::Notice615(Box::new(card));
    kind.purchase_fact(document, "", facts)
}

/// No schema has a state registration number here, nor an address other than the postal one.
fn responsible_org(document: &Node<'_>) -> ResponsibleOrg615 {
    let Some(org) = document.first(&["purchaseResponsibleInfo/responsibleOrgInfo"]) else {
        return ResponsibleOrg615::default();
    };
    let org = org.filling("responsibleOrg");
    ResponsibleOrg615 {
        full_name: org.verbatim("fullName", &["fullName"]),
        reg_num: org.string("regNum", &["regNum"]),
        inn: org.string("inn", &["INN"]),
        kpp: org.string("kpp", &["KPP"]),
        ogrn: String::new(),
        factual_address: String::new(),
        postal_address: org.verbatim("postalAddress", &["postAddress"]),
    }
}
