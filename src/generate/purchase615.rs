//! A line of a purchase under Government Decree 615: capital repairs of blocks of flats.

use super::calendar::{Day, LAST};
use super::chance::Chance;
use super::json::Json;
use super::who::{Customer, Supplier};
use super::words::documents::{PLATFORMS, REPAIRS};

/// A purchase of a fund.
#[derive(Debug)]
pub struct Purchase615<'a> {
    pub number: &'a str,
    pub fund: &'a Customer,
    pub supplier: &'a Supplier,
    pub published: Day,
}

impl Purchase615<'_> {
    /// Writes the line.
    pub fn write(&self, chance: &mut Chance, json: &mut Json) {
        let price = chance.wide(60_000_000, 4_000_000_000);
        let closes = self.published.plus(chance.between(15, 24));
        let won = closes.plus(10) < LAST && chance.percent(86);
        let agreed = price / 1_000 * (1_000 - chance.wide(5, 250));
        let concluded = won && closes.plus(20) < LAST;
        let mut subject = format!("Капитальный ремонт {}", chance.word(REPAIRS));
        subject.push_str(" общего имущества многоквартирного дома: г ");
        subject.push_str(self.fund.town());
        subject.push_str(", ");
        self.fund.push_street(chance, &mut subject);
        json.begin("purchase615");
        json.object("purchase", |json| {
            json.text("purchaseNumber", self.number);
            json.dotted("docPublishDate", Some(self.published));
            let page = "https://example.org/epz/order/notice/ea615/view/common-info.html";
            json.text("href", &format!("{page}?regNumber={}", self.number));
            json.text("purchaseObjectInfo", &subject);
            json.text("placingWay", "Электронный аукцион (ПП РФ 615)");
            json.text("ETP", chance.word(PLATFORMS));
            json.dotted("collectingEndDate", Some(closes));
            json.amount("fullNMCK", price);
            json.amount("applicationGuaranteeAmount", price / 100);
            json.amount("contractGuaranteeAmount", price / 10);
            self.write_fund(json);
            self.write_winner(won.then_some((closes.plus(4).working(), agreed)), json);
            let ends = closes.plus(chance.between(60, 400));
            self.write_contract(concluded.then_some((ends, agreed)), chance, json);
        });
        json.end();
    }

    fn write_fund(&self, json: &mut Json) {
        let fund = self.fund;
        let address = fund.address();
        json.object("responsibleOrg", |json| {
            json.text("fullName", &fund.full_name());
            json.text("regNum", &fund.code);
            json.text("inn", &fund.inn);
            json.text("kpp", &fund.kpp);
            json.text("ogrn", &fund.ogrn());
            json.text("factualAddress", &address);
            json.text("postalAddress", &address);
        });
    }

    fn write_winner(&self, won: Option<(Day, u64)>, json: &mut Json) {
        let told = |text: &str| {
            if won.is_some() {
                text.to_owned()
            } else {
                String::new()
            }
        };
        json.object("winner", |json| {
            json.dotted("protocolDate", won.map(|(day, _)| day));
            json.text("protocolNumber", &told(&format!("{}-2", self.number)));
            json.text("name", &told(&self.supplier.name));
            json.text("inn", &told(&self.supplier.inn));
            json.text("kpp", &told(&self.supplier.kpp));
            json.amount("price", won.map(|(_, price)| price));
        });
    }

    fn write_contract(&self, concluded: Option<(Day, u64)>, chance: &mut Chance, json: &mut Json) {
        // A contract's number is like a purchase's, in a row of its own.
        let (fund, row) = self.number.split_at(13);
        let number = format!(
            "{fund}{:05}",
            row.parse::<u64>().unwrap_or_default() % 99_999 + chance.below(2)
        );
        json.object("contract", |json| {
            json.text("regNum", if concluded.is_some() { &number } else { "" });
            json.amount("price", concluded.map(|(_, price)| price));
            json.object("executionPeriod", |json| {
                json.dotted("endDate", concluded.map(|(day, _)| day));
            });
            let supplier = concluded.map(|_| self.supplier);
            json.items("suppliers", "supplier", supplier, |json, supplier| {
                json.text("name", &supplier.name);
                json.text("inn", &supplier.inn);
                json.text("kpp", &supplier.kpp);
            });
        });
    }
}
