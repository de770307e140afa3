//! The card of a purchase, as far as its notice tells it.

use std::collections::BTreeSet;

use super::customer::Organization;
use super::{all_at, first_at, head, lot, procedure, published_path, read_all};
use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, day, moment};
use crate::import::facts::Notice44Facts;
use crate::model::{
    Amount, Attachment, Lot44, PersonName, Purchase44, PurchaseNumber, PurchaseStage,
    ResponsibleOrg44,
};

/// Reads a notice: `commonInfo`, `purchaseResponsibleInfo`, `notificationInfo` and
/// `attachmentsInfo` of the `ep*`, or the same at the top of the `fcs*`.
pub fn read(document: &Element<'_>, number: &PurchaseNumber) -> Result<Notice44Facts> {
    let head = head(document);
    let responsible = first_at(
        document,
        &["purchaseResponsibleInfo", "purchaseResponsible"],
    );
    let organization = responsible
        .and_then(|found| first_at(found, &["responsibleOrgInfo", "responsibleOrg"]))
        .map(Organization::read);
    let (lots, customer_codes): (Vec<Lot44>, Vec<_>) =
        lots(document, organization.as_ref())?.into_iter().unzip();
    let card = Purchase44 {
        purchase_number: number.clone(),
        publish_date: published_path(head).map_or(Ok(None), |path| day(head, path))?,
        href: head.first_text(&["href", "href/open"]).to_owned(),
        object_info: head.words_at("purchaseObjectInfo").to_owned(),
        placing_way: named(head, "placingWay"),
        trading_platform: named(head, "ETP"),
        stage: PurchaseStage::default(),
        max_price: max_price(&lots),
        responsible_org: responsible.map(responsible_org).unwrap_or_default(),
        procedure: procedure::read(document)?,
        restrictions: restrictions(&lots),
        cancelled: String::new(),
        first_publish_date: None,
        region: String::new(),
        attachments: read_all(document, ATTACHMENTS, attachment)?,
        lots,
    };
    Ok(Notice44Facts {
        cancelled_lots: vec![false; card.lots.len()],
        card,
        customer_codes,
    })
}

/// The name, or the code where there is none.
fn named(head: &Element<'_>, name: &str) -> String {
    let found = head.at(name).map(|way| way.first_words(&["name", "code"]));
    found.unwrap_or_default().to_owned()
}

/// Where the lots stand: the one implicit lot of the `ep*`; several, or one, of the
/// `fcs*`.
const LOTS: &[&str] = &["notificationInfo", "lots/lot", "lot"];

/// The lots, each with the codes of its customers.
fn lots(
    document: &Element<'_>,
    organization: Option<&Organization<'_>>,
) -> Result<Vec<(Lot44, Vec<String>)>> {
    let mut lots = Vec::new();
    for (path, element) in all_at(document, LOTS) {
        let place = if path == "lots/lot" {
            format!("{path}[{}]", lots.len())
        } else {
            path.to_owned()
        };
        lots.push(
            lot::read(element, organization).map_err(|problem| format!("{place}/{problem}"))?,
        );
    }
    Ok(lots)
}

/// The price of the lots together; none if none has one, or one is not in roubles.
fn max_price(lots: &[Lot44]) -> Option<Amount> {
    let in_roubles = |lot: &Lot44| matches!(lot.currency.as_str(), "" | "RUB" | "RUR" | "643");
    if !lots.iter().all(in_roubles) {
        return None;
    }
    let mut prices = lots.iter().filter_map(|lot| lot.max_price);
    let first = prices.next()?;
    prices.try_fold(first, Amount::checked_add)
}

/// The short names of all lots' restrictions, each once.
fn restrictions(lots: &[Lot44]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let restrictions = lots.iter().flat_map(|lot| &lot.restrictions);
    let codes = restrictions.map(|restriction| &restriction.code);
    codes
        .filter(|code| !code.is_empty() && seen.insert(*code))
        .cloned()
        .collect()
}

/// `responsibleOrgInfo`, `responsibleRole`, `responsibleInfo`; never
/// `specializedOrgInfo`.
fn responsible_org(responsible: &Element<'_>) -> ResponsibleOrg44 {
    let words = |paths: &[&str]| responsible.first_words(paths).to_owned();
    let text = |paths: &[&str]| responsible.first_text(paths).to_owned();
    let contact = first_at(
        responsible,
        &[
            "responsibleInfo/contactPersonInfo",
            "responsibleInfo/contactPerson",
        ],
    );
    ResponsibleOrg44 {
        full_name: words(&["responsibleOrgInfo/fullName", "responsibleOrg/fullName"]),
        inn: text(&["responsibleOrgInfo/INN", "responsibleOrg/INN"]),
        kpp: text(&["responsibleOrgInfo/KPP", "responsibleOrg/KPP"]),
        address: words(&[
            "responsibleOrgInfo/factAddress",
            "responsibleOrg/factAddress",
            "responsibleInfo/orgFactAddress",
        ]),
        contact: contact.map(person).unwrap_or_default(),
        contact_email: text(&["responsibleInfo/contactEMail"]),
        contact_phone: text(&["responsibleInfo/contactPhone"]),
        role: text(&["responsibleRole"]),
    }
}

fn person(element: &Element<'_>) -> PersonName {
    let part = |name: &str| element.text_at(name).to_owned();
    PersonName {
        last: part("lastName"),
        first: part("firstName"),
        middle: part("middleName"),
    }
}

/// Where the documents stand: `ep*` (before 2020 also in `documentation`), `fcs*`.
const ATTACHMENTS: &[&str] = &[
    "attachmentsInfo/attachmentInfo",
    "documentation/attachmentsInfo/attachmentInfo",
    "documentation/projectDocumentation/attachmentInfo",
    "notificationAttachments/attachment",
    "attachments/attachment",
    "projectDocumentation/attachment",
];

fn attachment(element: &Element<'_>) -> Result<Attachment> {
    Ok(Attachment {
        file_name: element.words_at("fileName").to_owned(),
        file_size: element.text_at("fileSize").to_owned(),
        description: element.words_at("docDescription").to_owned(),
        date: moment(element, "docDate")?,
        url: element.first_text(&["url", "url/open"]).to_owned(),
        kind_code: element.text_at("docKindInfo/code").to_owned(),
        kind_name: element.words_at("docKindInfo/name").to_owned(),
    })
}
