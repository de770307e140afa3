//! Reads `pprf615NotificationEF`: the card of a purchase.

use crate::import::eis::kind::Kind;
use crate::import::eis::node::{Node, Result};
use crate::import::facts::{Fact, Facts, Purchase615Facts, ResponsibleOrg615Facts};

pub fn read(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let words = |field, path| document.verbatim(field, &[path]);
    let price = |field, path| document.amount(field, &[path]);
    let card = Purchase615Facts {
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
    };
    let facts = Facts::Notice615(Box::new(card));
    kind.purchase_fact(document, "", facts)
}

/// Reads the responsible organization. No schema has an OGRN here, and the only address is the
/// postal one.
fn responsible_org(document: &Node<'_>) -> ResponsibleOrg615Facts {
    let Some(org) = document.first(&["purchaseResponsibleInfo/responsibleOrgInfo"]) else {
        return ResponsibleOrg615Facts::default();
    };
    let org = org.filling("responsibleOrg");
    ResponsibleOrg615Facts {
        full_name: org.verbatim("fullName", &["fullName"]),
        reg_num: org.string("regNum", &["regNum"]),
        inn: org.string("inn", &["INN"]),
        kpp: org.string("kpp", &["KPP"]),
        ogrn: String::new(),
        factual_address: String::new(),
        postal_address: org.verbatim("postalAddress", &["postAddress"]),
    }
}
