//! Purchases under Government Decree 615: capital repairs of apartment buildings.

use super::calendar::{Date, Days, LAST, working};
use super::json_line::JsonLine;
use super::parties::{Buyer, Seller};
use super::rng::Rng;
use super::words::words;

pub struct NewPurchase615<'a> {
    pub number: &'a str,
    pub fund: &'a Buyer,
    pub seller: &'a Seller,
    pub published: Date,
}

impl NewPurchase615<'_> {
    pub fn write(&self, rng: &mut Rng, json: &mut JsonLine) {
        let words = &words().documents;
        let price = rng.log_uniform(60_000_000, 4_000_000_000);
        let closes = self.published.plus_days(rng.between(15, 24));
        let won = closes.plus_days(10) < LAST && rng.percent(86);
        let agreed = price / 1_000 * (1_000 - rng.log_uniform(5, 250));
        let concluded = won && closes.plus_days(20) < LAST;
        let (repaired, town) = (rng.pick_word(&words.repairs), self.fund.town());
        let subject = format!(
            "Капитальный ремонт {repaired} общего имущества многоквартирного дома: г {town}, {}",
            self.fund.street(rng)
        );
        let page = "https://example.org/epz/order/notice/ea615/view/common-info.html";
        json.card("purchase615", |json| {
            json.text("purchaseNumber", self.number);
            json.dotted("docPublishDate", Some(self.published));
            json.text("href", format!("{page}?regNumber={}", self.number));
            json.text("purchaseObjectInfo", &subject);
            json.text("placingWay", "Электронный аукцион (ПП РФ 615)");
            json.text("ETP", rng.pick_word(&words.platforms));
            json.dotted("collectingEndDate", Some(closes));
            json.amount("fullNMCK", price);
            json.amount("applicationGuaranteeAmount", price / 100);
            json.amount("contractGuaranteeAmount", price / 10);
            self.write_fund(json);
            let won = won.then(|| working(closes.plus_days(4)));
            json.object("winner", |json| {
                json.dotted("protocolDate", won);
                json.optional("protocolNumber", won.map(|_| format!("{}-2", self.number)));
                Seller::write_in_card(won.map(|_| self.seller), json);
                json.amount("price", won.map(|_| agreed));
            });
            let ends = closes.plus_days(rng.between(60, 400));
            // Contract numbers have the same form as purchase numbers, but are counted separately.
            let (fund, row) = self.number.split_at(13);
            let row = row.parse::<u64>().unwrap_or_default() % 99_999 + rng.below(2);
            let number = format!("{fund}{row:05}");
            let contract = concluded.then_some((&*number, agreed, ends, self.seller));
            Seller::write_contract(contract, json);
        });
    }

    fn write_fund(&self, json: &mut JsonLine) {
        let fund = self.fund;
        let address = fund.address();
        json.object("responsibleOrg", |json| {
            json.text("fullName", fund.full_name());
            json.text("regNum", &fund.code);
            json.texts(["inn", "kpp", "ogrn"], [&fund.inn, &fund.kpp, &fund.ogrn()]);
            json.texts(["factualAddress", "postalAddress"], [&address, &address]);
        });
    }
}
