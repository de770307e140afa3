//! A line of a purchase under 223-FZ.

use std::borrow::Cow;

use super::calendar::{Date, Days, dotted, working, year};
use super::chance::Chance;
use super::deal::{Deal, Position, total};
use super::json_line::JsonLine;
use super::notice::{Notice, OVER};
use super::parties::{Buyer, Seller};
use super::words::words;

/// Writes the line of a purchase of a company.
pub fn write_purchase223(
    notice: &Notice<'_>,
    seller: &Seller,
    chance: &mut Chance,
    json: &mut JsonLine,
) {
    let Notice { number, deal, .. } = notice;
    let words = &words().documents;
    let single = words.single_supplier_223.as_str();
    let way = match chance.percent(14) {
        true => single,
        false => chance.word(&words.ways_223),
    };
    let stage = notice.stage(chance, 15, 7);
    let page = "https://example.org/223/purchase/public/purchase/info/common-info.html";
    json.card("purchase223", |json| {
        json.text("purchaseNumber", number);
        json.dotted("docPublishDate", Some(notice.published));
        json.text("href", format!("{page}?regNumber={number}"));
        json.texts(["purchaseObjectInfo", "placingWay"], [&*deal.subject, way]);
        let platform = (way != single).then(|| chance.word(&words.platforms));
        json.optional("ETP", platform);
        json.amount("fullNMCK", notice.price());
        let small = "Участниками могут быть только субъекты малого и среднего предпринимательства";
        let small = chance.percent(30).then_some(small);
        json.items("restrictions/restriction", small, |json, name| {
            json.text("shortName", name);
        });
        json.text("stage", stage);
        let lots = notice.lots().zip(1..);
        json.items("lots/lot", lots, |json, (positions, number)| {
            write_lot(notice, chance, number, positions, json);
        });
        for role in ["mainCustomer", "responsibleOrg"] {
            json.object(role, |json| write_organization(&deal.buyer, chance, json));
        }
        write_days(notice.closes, chance, json);
        let won = stage == OVER && chance.percent(85);
        let winner = won.then_some(seller);
        json.items("winners/winner", winner, |json, seller| {
            Seller::write_in_card(Some(seller), json);
            json.dotted("date", Some(working(notice.closes.plus_days(12))));
            json.amount(
                "price",
                Some(notice.price() / 100 * chance.between(80, 100)),
            );
        });
    });
}

fn write_lot(
    notice: &Notice<'_>,
    chance: &mut Chance,
    number: u64,
    positions: &[Position],
    json: &mut JsonLine,
) {
    let Deal { buyer, subject, .. } = notice.deal;
    json.text("lotNumber", number.to_string());
    let name = positions.first().map_or(Cow::Borrowed(""), Position::name);
    json.text("lotName", if number == 1 { subject } else { &*name });
    let price = total(positions);
    // As the document writes it.
    match price % 100 {
        0 if chance.percent(50) => json.text("maxPrice", (price / 100).to_string()),
        part => json.text("maxPrice", format!("{}.{part:02}", price / 100)),
    }
    let foreign = chance.share(4, 1_000);
    json.text("currency", if foreign { "USD" } else { "RUB" });
    json.text("executionPlace", buyer.some_address(chance));
    json.items("customers/customer", [()], |json, ()| {
        write_organization(buyer, chance, json);
        let rows = positions.iter().zip(1_u64..);
        json.items("purchaseObjects/purchaseObject", rows, |json, row| {
            let (position, row) = row;
            let Position { item, quantity, .. } = position;
            json.text("number", row.to_string());
            let old = year(notice.published) < 2016;
            json.optional("okpd", old.then(|| item.okdp()));
            json.optional("okpd2", (!old).then_some(position.okpd2));
            let counted = chance.percent(92);
            json.optional("okei", counted.then_some(item.unit()[0]));
            json.optional("quantity", counted.then(|| quantity.to_string()));
        });
    });
}

fn write_days(closes: Date, chance: &mut Chance, json: &mut JsonLine) {
    let later = |days: u64| working(closes.plus_days(days));
    json.dotted("submissionCloseDateTime", Some(closes));
    json.dotted("envelopeOpeningTime", chance.percent(40).then_some(closes));
    json.dotted("examinationDateTime", chance.percent(80).then(|| later(5)));
    json.dotted("summingupTime", chance.percent(80).then(|| later(8)));
    let auction = chance.percent(12);
    let days = format!("{} рабочих дней", chance.between(3, 20));
    json.optional("applExamPeriodTime", chance.percent(15).then_some(&days));
    let at = format!("{} {:02}:00", dotted(later(3)), chance.between(9, 15));
    json.optional("auctionTime", auction.then_some(&at));
    let examined = chance.percent(15).then_some(&at);
    json.optional("quotationExaminationTime", examined);
}

fn write_organization(buyer: &Buyer, chance: &mut Chance, json: &mut JsonLine) {
    let address = buyer.address();
    buyer.write_names(json);
    json.text("ogrn", buyer.ogrn());
    json.texts(["factualAddress", "postalAddress"], [&address, &address]);
    let stated = (!chance.percent(10)).then(|| [buyer.phone(), buyer.email()]);
    json.texts(["phone", "email"], stated.unwrap_or_default());
}
