//! The card of a purchase, as far as it follows from its notice.

use super::customer::NoticeOrganization;
use super::{PUBLICATIONS, head, lot, procedure};
use crate::import::eis::node::{Field, Node, Paths, Result};
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
    let head = head(document);
    let responsible = document.first(&["purchaseResponsibleInfo", "purchaseResponsible"]);
    let organization = responsible
        .as_ref()
        .and_then(|found| found.first(&["responsibleOrgInfo", "responsibleOrg"]))
        .map(|found| NoticeOrganization::read(&found));
    let (lots, customer_codes): (Vec<Lot44>, Vec<_>) = document
        .read_all(LOTS, |lot| lot::read(&lot, organization.as_ref()))?
        .into_iter()
        .unzip();
    let named = |field, paths| head.verbatim(field, paths).to_owned();
    let mut card = Purchase44 {
        purchase_number: number.clone(),
        publish_date: head.day("docPublishDate", PUBLICATIONS)?,
        href: head.text("href", &["href", "href/open"]).to_owned(),
        object_info: named("purchaseObjectInfo", &["purchaseObjectInfo"]),
        placing_way: named("placingWay", &["placingWay/name", "placingWay/code"]),
        trading_platform: named("ETP", &["ETP/name", "ETP/code"]),
        stage: PurchaseStage::default(),
        max_price: None,
        responsible_org: responsible
            .map_or_else(ResponsibleOrg44::default, |found| responsible_org(&found)),
        procedure: procedure::read(document)?,
        restrictions: Vec::new(),
        cancelled: String::new(),
        first_publish_date: None,
        region: String::new(),
        attachments: document.read_all(ATTACHMENTS, |one| attachment(&one))?,
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
    let words = |field: Field, paths: Paths<'_>| responsible.verbatim(field, paths).to_owned();
    let text = |field: Field, paths: Paths<'_>| responsible.text(field, paths).to_owned();
    let contact = responsible.first(&[
        "responsibleInfo/contactPersonInfo",
        "responsibleInfo/contactPerson",
    ]);
    ResponsibleOrg44 {
        full_name: words(
            "responsibleOrg.fullName",
            &["responsibleOrgInfo/fullName", "responsibleOrg/fullName"],
        ),
        inn: text(
            "responsibleOrg.inn",
            &["responsibleOrgInfo/INN", "responsibleOrg/INN"],
        ),
        kpp: text(
            "responsibleOrg.kpp",
            &["responsibleOrgInfo/KPP", "responsibleOrg/KPP"],
        ),
        address: words(
            "responsibleOrg.factAddress",
            &[
                "responsibleOrgInfo/factAddress",
                "responsibleOrg/factAddress",
                "responsibleInfo/orgFactAddress",
            ],
        ),
        contact: contact.map_or_else(PersonName::default, |contact| person(&contact)),
        contact_email: text(
            "responsibleOrg.contactEmail",
            &["responsibleInfo/contactEMail"],
        ),
        contact_phone: text(
            "responsibleOrg.contactPhone",
            &["responsibleInfo/contactPhone"],
        ),
        role: text("responsibleOrg.role", &["responsibleRole"]),
    }
}

fn person(element: &Node<'_>) -> PersonName {
    let part = |name| {
        let field = "responsibleOrg.contactPerson";
        element.text(field, &[name]).to_owned()
    };
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
    let words = |field, path| element.verbatim(field, &[path]).to_owned();
    let text = |field, paths| element.text(field, paths).to_owned();
    let date = element.day("attachments.docDate", &["docDate"])?;
    Ok(Attachment {
        file_name: words("attachments.fileName", "fileName"),
        file_size: text("attachments.fileSize", &["fileSize"]),
        description: words("attachments.docDescription", "docDescription"),
        date: date.map(Moment::from_day),
        url: text("attachments.url", &["url", "url/open"]),
        kind_code: text("attachments.docKindCode", &["docKindInfo/code"]),
        kind_name: words("attachments.docKindName", "docKindInfo/name"),
    })
}
