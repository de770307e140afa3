//! A line of a purchase under Government Decree 615: capital repairs of blocks of flats.

use super::calendar::{LAST, working};
use super::chance::Chance;
use super::json_line::JsonLine;
use super::parties::{Buyer, Seller};
use super::words::words;
use crate::model::Date;

/// A purchase of a fund.
#[derive(Debug)]
pub struct NewPurchase615<'a> {
    pub number: &'a str,
    pub fund: &'a Buyer,
    pub seller: &'a Seller,
    pub published: Date,
}

impl NewPurchase615<'_> {
    /// Writes the line.
    pub fn write(&self, chance: &mut Chance, json: &mut JsonLine) {
        let words = words();
        let price = chance.wide(60_000_000, 4_000_000_000);
        let closes = self.published.plus_days(chance.between(15, 24));
        let won = closes.plus_days(10) < *LAST && chance.percent(86);
        let agreed = price / 1_000 * (1_000 - chance.wide(5, 250));
        let concluded = won && closes.plus_days(20) < *LAST;
        let mut subject = format!(
            "Капитальный ремонт {}",
            chance.word(&words.documents.repairs)
        );
        subject.push_str(" общего имущества многоквартирного дома: г ");
        subject.push_str(self.fund.town());
        subject.push_str(", ");
        self.fund.push_street(chance, &mut subject);
        let page = "https://example.org/epz/order/notice/ea615/view/common-info.html";
        json.line("purchase615", |json| {
            json.object("purchase", |json| {
                json.text("purchaseNumber", self.number);
                json.dotted("docPublishDate", Some(self.published));
                json.text("href", &format!("{page}?regNumber={}", self.number));
                json.text("purchaseObjectInfo", &subject);
                json.text("placingWay", "Электронный аукцион (ПП РФ 615)");
                json.text("ETP", chance.word(&words.documents.platforms));
                json.dotted("collectingEndDate", Some(closes));
                json.amount("fullNMCK", price);
                json.amount("applicationGuaranteeAmount", price / 100);
                json.amount("contractGuaranteeAmount", price / 10);
                self.write_fund(json);
                let protocol = working(closes.plus_days(4));
                self.write_winner(won.then_some((protocol, agreed)), json);
                let ends = closes.plus_days(chance.between(60, 400));
                self.write_contract(concluded.then_some((ends, agreed)), chance, json);
            });
        });
    }

    fn write_fund(&self, json: &mut JsonLine) {
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

    fn write_winner(&self, won: Option<(Date, u64)>, json: &mut JsonLine) {
        let protocol = won.map(|_| format!("{}-2", self.number));
        json.object("winner", |json| {
            json.dotted("protocolDate", won.map(|(day, _)| day));
            json.optional("protocolNumber", protocol.as_deref());
            Seller::write_in_card(won.map(|_| self.seller), json);
            json.amount("price", won.map(|(_, price)| price));
        });
    }

    fn write_contract(
        &self,
        concluded: Option<(Date, u64)>,
        chance: &mut Chance,
        json: &mut JsonLine,
    ) {
        // A contract's number is like a purchase's, in a row of its own.
        let (fund, row) = self.number.split_at(13);
        let row = row.parse::<u64>().unwrap_or_default() % 99_999 + chance.below(2);
        let number = concluded.map(|_| format!("{fund}{row:05}"));
        json.object("contract", |json| {
            json.optional("regNum", number.as_deref());
            json.amount("price", concluded.map(|(_, price)| price));
            json.object("executionPeriod", |json| {
                json.dotted("endDate", concluded.map(|(day, _)| day));
            });
            let sellers = concluded.map(|_| self.seller);
            json.items("suppliers/supplier", sellers, |json, seller| {
                Seller::write_in_card(Some(seller), json);
            });
        });
    }
}
