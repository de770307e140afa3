//! Reads the card of a purchase, as far as the notice determines it.

use super::{lot, procedure};
use crate::import::eis::generation::{ByGeneration, Generation};
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{Node, Result};
use crate::import::facts::{
    AttachmentFacts, Lot44Facts, Notice44Facts, PersonNameFacts, Purchase44Facts,
    ResponsibleOrg44Facts,
};
use crate::model::Moment;

/// Reads `commonInfo`, `purchaseResponsibleInfo`, `notificationInfo` and `attachmentsInfo` of `ep*`
/// notices. In `fcs*` notices, the same values are at the top.
///
/// # Errors
/// Returns an error if an element is malformed.
pub fn read(kind: &Kind, document: &Node<'_>) -> Result<Notice44Facts> {
    let generation = kind.generation;
    let head = match generation {
        Generation::Fcs => document.clone(),
        Generation::Ep => document.first_or_self(&["commonInfo"]),
    };
    let responsible = document.first(RESPONSIBLE.of(generation));
    let organization = responsible
        .as_ref()
        .and_then(|found| found.first(ORGANIZATION.of(generation)));
    let lots = lot::read_all(document, organization.as_ref(), generation)?;
    let (lots, customer_codes): (Vec<Lot44Facts>, Vec<_>) = lots.into_iter().unzip();
    let mut card = Purchase44Facts {
        publish_date: document.day("docPublishDate", kind.published)?,
        href: head.string("href", &["href"]),
        object_info: head.verbatim("purchaseObjectInfo", &["purchaseObjectInfo"]),
        placing_way: head.verbatim("placingWay", &["placingWay/name", "placingWay/code"]),
        trading_platform: head.verbatim("ETP", &["ETP/name", "ETP/code"]),
        responsible_org: responsible.map_or_else(ResponsibleOrg44Facts::default, |found| {
            responsible_org(&found, organization.as_ref())
        }),
        procedure: procedure::read(kind, document)?,
        attachments: attachments(document, generation)?,
        lots,
        ..Purchase44Facts::default()
    };
    card.sum_up_lots();
    Ok(Notice44Facts {
        card,
        customer_codes,
    })
}

/// Reads the new state of a lot from a `fcsNotificationLotChange`. The rest of the card is empty.
///
/// # Errors
/// Returns an error if the lot is missing, or if an element is malformed.
pub fn read_changed_lot(document: &Node<'_>) -> Result<Notice44Facts> {
    let organization = document.first(&["purchaseResponsible/responsibleOrg"]);
    let (lot, codes) = lot::read_changed(document, organization.as_ref())?;
    Ok(Notice44Facts {
        card: Purchase44Facts {
            lots: vec![lot],
            ..Purchase44Facts::default()
        },
        customer_codes: vec![codes],
    })
}

const RESPONSIBLE: ByGeneration = ByGeneration {
    fcs: &["purchaseResponsible"],
    ep: &["purchaseResponsibleInfo"],
};

const ORGANIZATION: ByGeneration = ByGeneration {
    fcs: &["responsibleOrg"],
    ep: &["responsibleOrgInfo"],
};

/// Returns the responsible organization with its role and contact. Ignores `specializedOrgInfo`.
fn responsible_org(
    responsible: &Node<'_>,
    organization: Option<&Node<'_>>,
) -> ResponsibleOrg44Facts {
    let responsible = responsible.filling("responsibleOrg");
    let mut found = organization.map_or_else(ResponsibleOrg44Facts::default, |org| {
        let org = org.filling("responsibleOrg");
        ResponsibleOrg44Facts {
            full_name: org.verbatim("fullName", &["fullName"]),
            inn: org.string("inn", &["INN"]),
            kpp: org.string("kpp", &["KPP"]),
            address: org.verbatim("factAddress", &["factAddress"]),
            ..ResponsibleOrg44Facts::default()
        }
    });
    if found.address.is_empty() {
        found.address = responsible.verbatim("factAddress", &["responsibleInfo/orgFactAddress"]);
    }
    let contact = responsible.first(&[
        "responsibleInfo/contactPersonInfo",
        "responsibleInfo/contactPerson",
    ]);
    ResponsibleOrg44Facts {
        contact: contact.map_or_else(PersonNameFacts::default, |contact| person(&contact)),
        contact_email: responsible.string("contactEmail", &["responsibleInfo/contactEMail"]),
        contact_phone: responsible.string("contactPhone", &["responsibleInfo/contactPhone"]),
        role: responsible.string("role", &["responsibleRole"]),
        ..found
    }
}

fn person(element: &Node<'_>) -> PersonNameFacts {
    let part = |name| element.string("contactPerson", &[name]);
    PersonNameFacts {
        last: part("lastName"),
        first: part("firstName"),
        middle: part("middleName"),
    }
}

/// Returns the attached files. In `ep*` documents before 2020, some of them are in `documentation`.
/// Only later documents state what kind of file each one is.
fn attachments(document: &Node<'_>, generation: Generation) -> Result<Vec<AttachmentFacts>> {
    const WITH_KINDS: ByGeneration = ByGeneration {
        fcs: &[],
        ep: &["attachmentsInfo/attachmentInfo"],
    };
    const WITHOUT: ByGeneration = ByGeneration {
        fcs: &[
            "notificationAttachments/attachment",
            "attachments/attachment",
            "projectDocumentation/attachment",
        ],
        ep: &[
            "documentation/attachmentsInfo/attachmentInfo",
            "documentation/projectDocumentation/attachmentInfo",
        ],
    };
    let kind = |element: &Node<'_>, attachment| AttachmentFacts {
        kind_code: element.string("docKindCode", &["docKindInfo/code"]),
        kind_name: element.verbatim("docKindName", &["docKindInfo/name"]),
        ..attachment
    };
    let document = document.filling("attachments");
    let mut all = document.read_all(WITH_KINDS.of(generation), |element| {
        attachment(&element).map(|attachment| kind(&element, attachment))
    })?;
    all.extend(document.read_all(WITHOUT.of(generation), |element| attachment(&element))?);
    Ok(all)
}

fn attachment(element: &Node<'_>) -> Result<AttachmentFacts> {
    let date = element.day("docDate", &["docDate"])?;
    Ok(AttachmentFacts {
        file_name: element.verbatim("fileName", &["fileName"]),
        file_size: element.string("fileSize", &["fileSize"]),
        description: element.verbatim("docDescription", &["docDescription"]),
        date: date.map(Moment::from_day),
        url: element.string("url", &["url"]),
        ..AttachmentFacts::default()
    })
}
