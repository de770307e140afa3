//! The card of a purchase, as far as it follows from its notice.

use super::{PUBLICATIONS, lot, procedure};
use crate::import::eis::node::{Node, Paths, Result};
use crate::import::facts::Notice44Facts;
use crate::model::{
    Attachment, Lot44, Moment, PersonName, Purchase44, PurchaseNumber, PurchaseStage,
    ResponsibleOrg44,
};

/// Reads a notice: `commonInfo`, `purchaseResponsibleInfo`, `notificationInfo` and
/// `attachmentsInfo` of the `ep*`, or the same at the top of the `fcs*`.
///
/// # Errors
/// The element that is malformed.
pub fn read(document: &Node<'_>, number: &PurchaseNumber) -> Result<Notice44Facts> {
    let head = document.first_or_self(&["commonInfo"]);
    let responsible = document.first(&["purchaseResponsibleInfo", "purchaseResponsible"]);
    let organization = responsible
        .as_ref()
        .and_then(|found| found.first(&["responsibleOrgInfo", "responsibleOrg"]));
    let (lots, customer_codes): (Vec<Lot44>, Vec<_>) = document
        .read_all(LOTS, |lot| lot::read(&lot, organization.as_ref()))?
        .into_iter()
        .unzip();
    let mut card = Purchase44 {
        purchase_number: number.clone(),
        publish_date: document.day("docPublishDate", PUBLICATIONS)?,
        href: head.string("href", &["href"]),
        object_info: head.verbatim("purchaseObjectInfo", &["purchaseObjectInfo"]),
        placing_way: head.verbatim("placingWay", &["placingWay/name", "placingWay/code"]),
        trading_platform: head.verbatim("ETP", &["ETP/name", "ETP/code"]),
        stage: PurchaseStage::default(),
        max_price: None,
        responsible_org: responsible
            .map_or_else(ResponsibleOrg44::default, |found| responsible_org(&found)),
        procedure: procedure::read(document)?,
        restrictions: Vec::new(),
        cancelled: String::new(),
        first_publish_date: None,
        region: String::new(),
        attachments: document
            .read_all(ATTACHMENTS, |one| attachment(&one.filling("attachments")))?,
        lots,
    };
    card.sum_up_lots();
    Ok(Notice44Facts {
        card,
        customer_codes,
    })
}

/// Paths of the lots: the one implicit lot of the `ep*`; several, or one, of the `fcs*`.
const LOTS: Paths<'_> = &["notificationInfo", "lots/lot", "lot"];

/// `responsibleOrgInfo`, `responsibleRole`, `responsibleInfo`; never
/// `specializedOrgInfo`.
fn responsible_org(responsible: &Node<'_>) -> ResponsibleOrg44 {
    let responsible = responsible.filling("responsibleOrg");
    let contact = responsible.first(&[
        "responsibleInfo/contactPersonInfo",
        "responsibleInfo/contactPerson",
    ]);
    ResponsibleOrg44 {
        full_name: responsible.verbatim("fullName", NAMES),
        inn: responsible.string("inn", &["responsibleOrgInfo/INN", "responsibleOrg/INN"]),
        kpp: responsible.string("kpp", &["responsibleOrgInfo/KPP", "responsibleOrg/KPP"]),
        address: responsible.verbatim("factAddress", ADDRESSES),
        contact: contact.map_or_else(PersonName::default, |contact| person(&contact)),
        contact_email: responsible.string("contactEmail", &["responsibleInfo/contactEMail"]),
        contact_phone: responsible.string("contactPhone", &["responsibleInfo/contactPhone"]),
        role: responsible.string("role", &["responsibleRole"]),
    }
}

/// Paths of the name of the organisation.
const NAMES: Paths<'_> = &["responsibleOrgInfo/fullName", "responsibleOrg/fullName"];

/// Paths of its address.
const ADDRESSES: Paths<'_> = &[
    "responsibleOrgInfo/factAddress",
    "responsibleOrg/factAddress",
    "responsibleInfo/orgFactAddress",
];

fn person(element: &Node<'_>) -> PersonName {
    let part = |name| element.string("contactPerson", &[name]);
    PersonName {
        last: part("lastName"),
        first: part("firstName"),
        middle: part("middleName"),
    }
}

/// Paths of the documents: `ep*` (before 2020 also in `documentation`), `fcs*`.
const ATTACHMENTS: Paths<'_> = &[
    "attachmentsInfo/attachmentInfo",
    "documentation/attachmentsInfo/attachmentInfo",
    "documentation/projectDocumentation/attachmentInfo",
    "notificationAttachments/attachment",
    "attachments/attachment",
    "projectDocumentation/attachment",
];

fn attachment(element: &Node<'_>) -> Result<Attachment> {
    let date = element.day("docDate", &["docDate"])?;
    Ok(Attachment {
        file_name: element.verbatim("fileName", &["fileName"]),
        file_size: element.string("fileSize", &["fileSize"]),
        description: element.verbatim("docDescription", &["docDescription"]),
        date: date.map(Moment::from_day),
        url: element.string("url", &["url"]),
        kind_code: element.string("docKindCode", &["docKindInfo/code"]),
        kind_name: element.verbatim("docKindName", &["docKindInfo/name"]),
    })
}
