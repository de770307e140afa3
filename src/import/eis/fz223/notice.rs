//! Reads `purchaseNotice…`: the card of a purchase.

use super::dates::Dates;
use super::{lots, organization};
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{Node, PUBLISHED, Result};
use crate::import::facts::{Fact, Facts, Notice223Facts, OrganizationFacts, Purchase223Facts};
use crate::model::PurchaseNumber;

pub fn read(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let number = kind.purchase_number(data)?;
    let customer = main_customer(data);
    let lots = lots::read(data, &customer)?;
    let all_cancelled = !lots.cancelled.is_empty() && lots.cancelled.iter().all(|lot| *lot);
    let is_void = data.text("stage", &["status"]) == "I";
    let dates = Dates::new(data);
    let own = |field| dates.day(field, &[field], &[field]);
    let time = |field| dates.time(field, &[field]);
    let card = Purchase223Facts {
        publish_date: data.day("docPublishDate", &["publicationDateTime"])?,
        href: href(data, &number),
        object_info: data.verbatim("purchaseObjectInfo", &["name"]),
        placing_way: data.verbatim("placingWay", &["purchaseCodeName", "purchaseMethodCode"]),
        trading_platform: data.verbatim("ETP", &["electronicPlaceInfo/name"]),
        max_price: lots.max_price,
        restrictions: Vec::new(),
        lots: lots.lots,
        main_customer: customer,
        responsible_org: responsible_org(data),
        submission_close: own("submissionCloseDateTime")?,
        envelope_opening: own("envelopeOpeningTime")?,
        examination: dates.day("examinationDateTime", EXAMINATION.0, EXAMINATION.1)?,
        summing_up: dates.day("summingupTime", SUMMING_UP.0, SUMMING_UP.1)?,
        examination_period: time("applExamPeriodTime"),
        auction_time: dates.time("auctionTime", AUCTION),
        quotation_examination_time: time("quotationExaminationTime"),
    };
    let facts = Facts::Notice223(Box::new(Notice223Facts {
        card,
        cancelled: is_void || all_cancelled,
        cancelled_lots: lots.cancelled,
        lot_guids: lots.guids,
    }));
    let mut fact = kind.fact(data, number, "", facts)?;
    let modified = data.instant(PUBLISHED, &["modificationDate"])?;
    fact.published = fact.published.max(modified);
    Ok(vec![fact])
}

/// Elements, then template fields, with the day of examination. If applications have two parts, the
/// day for the first part is in `applExamPeriodTime`, which is not read here.
const EXAMINATION: (&[&str], &[&str]) = (
    &[
        "placingProcedure/examinationDateTime",
        "examinationDateTime",
        "considerationSecondPartDate",
    ],
    &["examinationDateTime", "considerationSecondPartDate"],
);

const SUMMING_UP: (&[&str], &[&str]) = (
    &[
        "placingProcedure/summingupDateTime",
        "summingupTime",
        "summingupDate",
        "nonelectronicPlaceInfo/summarizingDateTime",
    ],
    &[
        "purchaseDateTime",
        "summingupDateTime",
        "summingupTime",
        "summingupDate",
    ],
);

/// Template fields with the time or day of an auction. Instead of `auctionTime`, auctions among
/// small businesses state the start of price offers, or the day on which offers are compared.
const AUCTION: &[&str] = &[
    "auctionTime",
    "pricesProvisionStartTime",
    "pricesProvisionStartDate",
    "pricesMatchingDate",
];

/// Returns the address of the notice. If the document states none, or one in the private section of
/// the site, returns the public address (manual, Fields, "Address of the notice").
fn href(data: &Node<'_>, number: &PurchaseNumber) -> String {
    let written = data.text("href", &["urlEIS"]);
    if written.is_empty() || written.contains("/private/") || written.contains("//lk.") {
        format!(
            "https://zakupki.gov.ru/223/purchase/public/purchase/info/common-info.html?regNumber={number}"
        )
    } else {
        written.to_owned()
    }
}

fn main_customer(data: &Node<'_>) -> OrganizationFacts {
    let found = data.first(&["customer/mainInfo", "blockedCustomer/mainInfo"]);
    let read = |customer: Node<'_>| organization::read(&customer.filling("mainCustomer"));
    found.map_or_else(OrganizationFacts::default, read)
}

/// Returns the organization that placed the notice. If it has no phone or email, takes those of the
/// notice's contact.
fn responsible_org(data: &Node<'_>) -> OrganizationFacts {
    let placer = data.first(&["placer/mainInfo"]);
    let read = |placer: Node<'_>| organization::read(&placer.filling("responsibleOrg"));
    let mut found = placer.map_or_else(OrganizationFacts::default, read);
    if found.phone.is_empty() {
        found.phone = data.verbatim("responsibleOrg.phone", &["contact/phone"]);
    }
    if found.email.is_empty() {
        found.email = data.verbatim("responsibleOrg.email", &["contact/email"]);
    }
    found
}
