//! Purchases under 223-FZ.

use std::borrow::Cow;

use super::calendar::{Date, Days, dotted, working, year};
use super::deal::{Deal, Position, total};
use super::json_line::JsonLine;
use super::notice::{Notice, OVER};
use super::parties::{Buyer, Seller};
use super::rng::Rng;
use super::words::words;

/// Writes the card of a company's purchase.
pub fn write_purchase223(notice: &Notice<'_>, seller: &Seller, rng: &mut Rng, json: &mut JsonLine) {
    let Notice { number, deal, .. } = notice;
    let words = &words().documents;
    let single = words.single_supplier_223.as_str();
    let way = match rng.percent(14) {
        true => single,
        false => rng.pick_word(&words.ways_223),
    };
    let stage = notice.stage(rng, 15, 7);
    let page = "https://example.org/223/purchase/public/purchase/info/common-info.html";
    json.card("purchase223", |json| {
        json.text("purchaseNumber", number);
        json.dotted("docPublishDate", Some(notice.published));
        json.text("href", format!("{page}?regNumber={number}"));
        json.texts(["purchaseObjectInfo", "placingWay"], [&*deal.subject, way]);
        let platform = (way != single).then(|| rng.pick_word(&words.platforms));
        json.optional("ETP", platform);
        json.amount("fullNMCK", notice.price());
        let small = "Участниками могут быть только субъекты малого и среднего предпринимательства";
        let small = rng.percent(30).then_some(small);
        json.items("restrictions/restriction", small, |json, name| {
            json.text("shortName", name);
        });
        json.text("stage", stage);
        let lots = notice.lots().zip(1..);
        json.items("lots/lot", lots, |json, (positions, number)| {
            write_lot(notice, rng, number, positions, json);
        });
        for role in ["mainCustomer", "responsibleOrg"] {
            json.object(role, |json| write_organization(&deal.buyer, rng, json));
        }
        write_days(notice.closes, rng, json);
        let won = stage == OVER && rng.percent(85);
        let winner = won.then_some(seller);
        json.items("winners/winner", winner, |json, seller| {
            Seller::write_in_card(Some(seller), json);
            json.dotted("date", Some(working(notice.closes.plus_days(12))));
            json.amount("price", Some(notice.price() / 100 * rng.between(80, 100)));
        });
    });
}

fn write_lot(
    notice: &Notice<'_>,
    rng: &mut Rng,
    number: u64,
    positions: &[Position],
    json: &mut JsonLine,
) {
    let Deal { buyer, subject, .. } = notice.deal;
    json.text("lotNumber", number.to_string());
    let name = positions.first().map_or(Cow::Borrowed(""), Position::name);
    json.text("lotName", if number == 1 { subject } else { &*name });
    let price = total(positions);
    // The price is a string, because documents write it in different ways.
    match price % 100 {
        0 if rng.percent(50) => json.text("maxPrice", (price / 100).to_string()),
        part => json.text("maxPrice", format!("{}.{part:02}", price / 100)),
    }
    let foreign = rng.ratio(4, 1_000);
    json.text("currency", if foreign { "USD" } else { "RUB" });
    json.text("executionPlace", buyer.some_address(rng));
    json.items("customers/customer", [()], |json, ()| {
        write_organization(buyer, rng, json);
        let rows = positions.iter().zip(1_u64..);
        json.items("purchaseObjects/purchaseObject", rows, |json, row| {
            let (position, row) = row;
            let Position { item, quantity, .. } = position;
            json.text("number", row.to_string());
            let old = year(notice.published) < 2016;
            json.optional("okpd", old.then(|| item.okdp()));
            json.optional("okpd2", (!old).then_some(position.okpd2));
            let counted = rng.percent(92);
            json.optional("okei", counted.then_some(item.unit()[0]));
            json.optional("quantity", counted.then(|| quantity.to_string()));
        });
    });
}

fn write_days(closes: Date, rng: &mut Rng, json: &mut JsonLine) {
    let later = |days: u64| working(closes.plus_days(days));
    json.dotted("submissionCloseDateTime", Some(closes));
    json.dotted("envelopeOpeningTime", rng.percent(40).then_some(closes));
    json.dotted("examinationDateTime", rng.percent(80).then(|| later(5)));
    json.dotted("summingupTime", rng.percent(80).then(|| later(8)));
    let auction = rng.percent(12);
    let days = format!("{} рабочих дней", rng.between(3, 20));
    json.optional("applExamPeriodTime", rng.percent(15).then_some(&days));
    let at = format!("{} {:02}:00", dotted(later(3)), rng.between(9, 15));
    json.optional("auctionTime", auction.then_some(&at));
    let examined = rng.percent(15).then_some(&at);
    json.optional("quotationExaminationTime", examined);
}

fn write_organization(buyer: &Buyer, rng: &mut Rng, json: &mut JsonLine) {
    let address = buyer.address();
    buyer.write_names(json);
    json.text("ogrn", buyer.ogrn());
    json.texts(["factualAddress", "postalAddress"], [&address, &address]);
    let stated = (!rng.percent(10)).then(|| [buyer.phone(), buyer.email()]);
    json.texts(["phone", "email"], stated.unwrap_or_default());
}
