//! A line of a purchase under 223-FZ.

use super::calendar::{LAST, dotted, working, year};
use super::chance::Chance;
use super::deal::{Position, total};
use super::json_line::JsonLine;
use super::parties::Buyer;
use super::words::words;
use crate::model::Date;

/// A purchase of a company.
#[derive(Debug)]
pub struct NewPurchase223<'a> {
    pub number: &'a str,
    pub buyer: &'a Buyer,
    pub subject: &'a str,
    /// What is bought, lot by lot.
    pub lots: &'a [Vec<Position>],
    pub published: Date,
    pub closes: Date,
}

impl NewPurchase223<'_> {
    fn stage(&self, chance: &mut Chance) -> &'static str {
        if self.closes >= *LAST {
            "Подача заявок"
        } else if self.closes.plus_days(15) >= *LAST {
            "Работа комиссии"
        } else if chance.percent(7) {
            "Закупка отменена"
        } else {
            "Закупка завершена"
        }
    }

    /// Writes the line.
    pub fn write(&self, chance: &mut Chance, json: &mut JsonLine) {
        let words = &words().documents;
        let single = words.single_supplier_223.as_str();
        let way = match chance.percent(14) {
            true => single,
            false => chance.word(&words.ways_223),
        };
        let stage = self.stage(chance);
        let page = "https://example.org/223/purchase/public/purchase/info/common-info.html";
        json.line("purchase223", |json| {
            json.object("purchase", |json| {
                json.text("purchaseNumber", self.number);
                json.dotted("docPublishDate", Some(self.published));
                json.text("href", &format!("{page}?regNumber={}", self.number));
                json.text("purchaseObjectInfo", self.subject);
                json.text("placingWay", way);
                let platform = (way != single).then(|| chance.word(&words.platforms));
                json.optional("ETP", platform);
                json.amount(
                    "fullNMCK",
                    self.lots.iter().map(|lot| total(lot)).sum::<u64>(),
                );
                let small =
                    "Участниками могут быть только субъекты малого и среднего предпринимательства";
                let small = chance.percent(30).then_some(small);
                json.items("restrictions/restriction", small, |json, name| {
                    json.text("shortName", name);
                });
                json.text("stage", stage);
                json.items(
                    "lots/lot",
                    self.lots.iter().zip(1..),
                    |json, (lot, number)| {
                        self.write_lot(chance, number, lot, json);
                    },
                );
                for role in ["mainCustomer", "responsibleOrg"] {
                    json.object(role, |json| write_organization(self.buyer, json));
                }
                self.write_days(chance, json);
            });
        });
    }

    fn write_lot(
        &self,
        chance: &mut Chance,
        number: u64,
        positions: &[Position],
        json: &mut JsonLine,
    ) {
        json.text("lotNumber", &number.to_string());
        let name = positions.first().map_or("", |position| &position.item.name);
        json.text("lotName", if number == 1 { self.subject } else { name });
        json.amount_text("maxPrice", total(positions));
        let foreign = chance.share(4, 1_000);
        json.text("currency", if foreign { "USD" } else { "RUB" });
        let mut place = String::new();
        self.buyer.push_address(chance, &mut place);
        json.text("executionPlace", &place);
        json.items("customers/customer", [()], |json, ()| {
            write_organization(self.buyer, json);
            let positions = positions.iter().zip(1_u64..);
            json.items(
                "purchaseObjects/purchaseObject",
                positions,
                |json, (position, row)| {
                    let item = position.item;
                    json.text("number", &row.to_string());
                    let old = year(self.published) < 2016;
                    json.optional("okpd", item.okpd2.get(..8).filter(|_| old));
                    json.text("okpd2", &item.okpd2);
                    let counted = chance.percent(92);
                    json.optional("okei", counted.then_some(item.unit()[0]));
                    let quantity = position.quantity.to_string();
                    json.optional("quantity", counted.then_some(&quantity));
                },
            );
        });
    }

    fn write_days(&self, chance: &mut Chance, json: &mut JsonLine) {
        let later = |days: u64| working(self.closes.plus_days(days));
        json.dotted("submissionCloseDateTime", Some(self.closes));
        let opened = chance.percent(40).then_some(self.closes);
        json.dotted("envelopeOpeningTime", opened);
        json.dotted("examinationDateTime", Some(later(5)));
        json.dotted("summingupTime", Some(later(8)));
        let auction = chance.percent(12);
        let days = format!("{} рабочих дней", chance.between(3, 20));
        json.optional("applExamPeriodTime", chance.percent(15).then_some(&days));
        let at = format!("{} {:02}:00", dotted(later(3)), chance.between(9, 15));
        json.optional("auctionTime", auction.then_some(&at));
        let examined = chance.percent(15).then_some(at.as_str());
        json.optional("quotationExaminationTime", examined);
    }
}

fn write_organization(buyer: &Buyer, json: &mut JsonLine) {
    let address = buyer.address();
    json.text("fullName", &buyer.full_name());
    json.text("inn", &buyer.inn);
    json.text("kpp", &buyer.kpp);
    json.text("ogrn", &buyer.ogrn());
    json.text("factualAddress", &address);
    json.text("postalAddress", &address);
    json.text("phone", &buyer.phone());
    json.text("email", &buyer.email());
}
