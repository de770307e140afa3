//! `purchaseNotice…`: the card of a purchase under 223-FZ (the mapping, section 3).

use super::dates::Dates;
use super::{fact, lots, organization, purchase_number};
use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, day, instant};
use crate::import::facts::{Fact, Facts, Notice223Facts};
use crate::model::{Organization, Purchase223, PurchaseNumber, PurchaseStage};

/// Reads a notice.
pub fn read(data: &Element<'_>) -> Result<Vec<Fact>> {
    let number = purchase_number(data, "registrationNumber")?;
    let customer = main_customer(data);
    let lots = lots::read(data, &customer)?;
    let all_cancelled = !lots.cancelled.is_empty() && lots.cancelled.iter().all(|lot| *lot);
    let dates = Dates::new(data);
    let card = Purchase223 {
        publish_date: day(data, "publicationDateTime")?,
        href: href(data, &number),
        object_info: data.words_at("name").to_owned(),
        placing_way: placing_way(data).to_owned(),
        trading_platform: data.words_at("electronicPlaceInfo/name").to_owned(),
        max_price: lots.max_price,
        restrictions: Vec::new(),
        stage: PurchaseStage::default(),
        lots: lots.lots,
        main_customer: customer,
        responsible_org: responsible_org(data),
        submission_close: dates.day(&["submissionCloseDateTime"], &["submissionCloseDateTime"])?,
        envelope_opening: dates.day(&["envelopeOpeningTime"], &["envelopeOpeningTime"])?,
        examination: dates.day(EXAMINATION.0, EXAMINATION.1)?,
        summing_up: dates.day(SUMMING_UP.0, SUMMING_UP.1)?,
        examination_period: dates.time("applExamPeriodTime"),
        auction_time: dates.time("auctionTime"),
        quotation_examination_time: dates.time("quotationExaminationTime"),
        purchase_number: number.clone(),
    };
    let facts = Facts::Notice223(Box::new(Notice223Facts {
        card,
        cancelled: data.text_at("status") == "I" || all_cancelled,
        cancelled_lots: lots.cancelled,
    }));
    let mut fact = fact(data, &number, "", facts)?;
    fact.published = fact.published.max(instant(data, "modificationDate")?);
    Ok(vec![fact])
}

/// Elements and template fields with the day of examination. If offers have two parts, the
/// day of the first is `applExamPeriodTime`, a separate field.
const EXAMINATION: (&[&str], &[&str]) = (
    &[
        "placingProcedure/examinationDateTime",
        "examinationDateTime",
        "considerationSecondPartDate",
    ],
    &["examinationDateTime", "considerationSecondPartDate"],
);

/// Elements and template fields with the day of summing up.
const SUMMING_UP: (&[&str], &[&str]) = (
    &[
        "placingProcedure/summingupDateTime",
        "summingupTime",
        "summingupDate",
        "summingupDateTime",
        "nonelectronicPlaceInfo/summarizingDateTime",
    ],
    &[
        "purchaseDateTime",
        "summingupDateTime",
        "summingupTime",
        "summingupDate",
    ],
);

/// The name of the method, or its code if it has none.
fn placing_way<'e>(data: &'e Element<'_>) -> &'e str {
    match data.words_at("purchaseCodeName") {
        "" => data.text_at("purchaseMethodCode"),
        name => name,
    }
}

/// The address as written; the public one in place of one in the private section, and if
/// there is none ("223" in the mapping's section 7).
fn href(data: &Element<'_>, number: &PurchaseNumber) -> String {
    let written = data.first_text(&["urlEIS", "urlOOS"]);
    if written.is_empty() || written.contains("/private/") || written.contains("//lk.") {
        format!(
            "https://zakupki.gov.ru/223/purchase/public/purchase/info/common-info.html?regNumber={number}"
        )
    } else {
        written.to_owned()
    }
}

fn main_customer(data: &Element<'_>) -> Organization {
    let places = ["customer/mainInfo", "blockedCustomer/mainInfo"];
    let found = places.iter().find_map(|path| data.at(path));
    found.map(organization::read).unwrap_or_default()
}

/// The organisation that placed the notice; with the contact of the notice if it has none
/// of its own.
fn responsible_org(data: &Element<'_>) -> Organization {
    let placer = data.at("placer/mainInfo");
    let mut found = placer.map(organization::read).unwrap_or_default();
    if found.phone.is_empty() {
        found.phone = data.words_at("contact/phone").to_owned();
    }
    if found.email.is_empty() {
        found.email = data.words_at("contact/email").to_owned();
    }
    found
}
