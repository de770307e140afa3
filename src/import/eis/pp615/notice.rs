//! `pprf615NotificationEF`: the card of a purchase under PP-615.

use super::fact;
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{Node, Result};
use crate::import::facts::{Fact, Facts};
use crate::model::{Purchase615, PurchaseContract, Regime, ResponsibleOrg615, Winner615};

/// Reads the notice; winner and contract stay empty.
///
/// # Errors
/// The element that is missing or malformed.
pub fn read(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = document.purchase_number(kind.number, Regime::Pp615)?;
    let words = |field, path| document.verbatim(field, &[path]).to_owned();
    let price = |field, path| document.amount(field, &[path]);
    let card = Purchase615 {
        purchase_number: number.clone(),
        publish_date: document.day("docPublishDate", &["commonInfo/docPublishDate"])?,
        href: document.text("href", &["commonInfo/href"]).to_owned(),
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
    fact(document, &number, "", Facts::Notice615(Box::new(card)))
}

/// The schema has neither a state registration number nor an address other than the postal
/// one; they are read if a document has them.
fn responsible_org(document: &Node<'_>) -> ResponsibleOrg615 {
    let Some(org) = document.first(&["purchaseResponsibleInfo/responsibleOrgInfo"]) else {
        return ResponsibleOrg615::default();
    };
    let words = |field, path| org.verbatim(field, &[path]).to_owned();
    let text = |field, path| org.text(field, &[path]).to_owned();
    ResponsibleOrg615 {
        full_name: words("responsibleOrg.fullName", "fullName"),
        reg_num: text("responsibleOrg.regNum", "regNum"),
        inn: text("responsibleOrg.inn", "INN"),
        kpp: text("responsibleOrg.kpp", "KPP"),
        ogrn: text("responsibleOrg.ogrn", "OGRN"),
        factual_address: words("responsibleOrg.factualAddress", "factAddress"),
        postal_address: words("responsibleOrg.postalAddress", "postAddress"),
    }
}
