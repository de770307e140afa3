//! The card of a purchase, as far as it follows from its notice.

use super::customer::NoticeOrganization;
use super::{all_at, first_at, head, lot, procedure, published_path, read_all};
use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, day};
use crate::import::facts::{Facts, Notice44Facts};
use crate::model::{
    Attachment, Lot44, Moment, PersonName, Purchase44, PurchaseNumber, PurchaseStage,
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
        .map(NoticeOrganization::read);
    let (lots, customer_codes): (Vec<Lot44>, Vec<_>) =
        lots(document, organization.as_ref())?.into_iter().unzip();
    let mut card = Purchase44 {
        purchase_number: number.clone(),
        publish_date: published_path(head).map_or(Ok(None), |path| day(head, path))?,
        href: head.first_text(&["href", "href/open"]).to_owned(),
        object_info: head.words_at("purchaseObjectInfo").to_owned(),
        placing_way: named(head, "placingWay"),
        trading_platform: named(head, "ETP"),
        stage: PurchaseStage::default(),
        max_price: None,
        responsible_org: responsible.map(responsible_org).unwrap_or_default(),
        procedure: procedure::read(document)?,
        restrictions: Vec::new(),
        cancelled: String::new(),
        first_publish_date: None,
        region: String::new(),
        attachments: read_all(document, ATTACHMENTS, attachment)?,
        lots,
    };
    card.sum_up_lots();
    Ok(Notice44Facts {
        cancelled_lots: vec![false; card.lots.len()],
        card,
        customer_codes,
    })
}

/// `fcsNotificationLotChange`: the changed lot, whose number is the key.
pub fn changed_lot(document: &Element<'_>, number: &PurchaseNumber) -> Result<(String, Facts)> {
    let facts = read(document, number)?;
    let lot = facts.card.lots.first().and_then(|lot| lot.number);
    let key = lot.ok_or_else(|| "lot: is missing".to_owned())?.to_string();
    Ok((key, Facts::LotChange44(Box::new(facts))))
}

/// `…OrgChange`: the new organisation responsible.
pub fn new_org(document: &Element<'_>) -> ResponsibleOrg44 {
    let Some(org) = document.at("newRespOrg") else {
        return ResponsibleOrg44::default();
    };
    ResponsibleOrg44 {
        full_name: org.words_at("fullName").to_owned(),
        inn: org.text_at("INN").to_owned(),
        kpp: org.text_at("KPP").to_owned(),
        address: org.words_at("factAddress").to_owned(),
        role: org.text_at("responsibleRole").to_owned(),
        ..ResponsibleOrg44::default()
    }
}

/// The name, or the code if there is none.
fn named(head: &Element<'_>, name: &str) -> String {
    let found = head.at(name).map(|way| way.first_words(&["name", "code"]));
    found.unwrap_or_default().to_owned()
}

/// Paths of the lots: the one implicit lot of the `ep*`; several, or one, of the `fcs*`.
const LOTS: &[&str] = &["notificationInfo", "lots/lot", "lot"];

/// The lots, each with the codes of its customers.
fn lots(
    document: &Element<'_>,
    organization: Option<&NoticeOrganization<'_>>,
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

/// Paths of the documents: `ep*` (before 2020 also in `documentation`), `fcs*`.
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
        date: day(element, "docDate")?.map(Moment::from_day),
        url: element.first_text(&["url", "url/open"]).to_owned(),
        kind_code: element.text_at("docKindInfo/code").to_owned(),
        kind_name: element.words_at("docKindInfo/name").to_owned(),
    })
}
