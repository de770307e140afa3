//! A line of a purchase under 223-FZ.

use super::calendar::{Day, LAST};
use super::chance::Chance;
use super::deal::Position;
use super::json::Json;
use super::who::Customer;
use super::words::UNITS;
use super::words::documents::{PLATFORMS, WAYS_223};

/// A purchase of a company.
#[derive(Debug)]
pub struct Purchase223<'a> {
    pub number: &'a str,
    pub customer: &'a Customer,
    pub subject: &'a str,
    /// What is bought, lot by lot.
    pub lots: &'a [Vec<Position>],
    pub published: Day,
    pub closes: Day,
}

impl Purchase223<'_> {
    /// Writes the line.
    pub fn write(&self, chance: &mut Chance, json: &mut Json) {
        let single = chance.percent(14);
        let way = if single {
            WAYS_223[3]
        } else {
            chance.word(WAYS_223)
        };
        let stage = if self.closes >= LAST {
            "Подача заявок"
        } else if self.closes.plus(15) >= LAST {
            "Работа комиссии"
        } else if chance.percent(7) {
            "Закупка отменена"
        } else {
            "Закупка завершена"
        };
        let whole = self.lots.iter().flatten().map(Position::sum).sum::<u64>();
        json.begin("purchase223");
        json.object("purchase", |json| {
            json.text("purchaseNumber", self.number);
            json.dotted("docPublishDate", Some(self.published));
            let page = "https://example.org/223/purchase/public/purchase/info/common-info.html";
            json.text("href", &format!("{page}?regNumber={}", self.number));
            json.text("purchaseObjectInfo", self.subject);
            json.text("placingWay", way);
            json.text(
                "ETP",
                if way == WAYS_223[3] {
                    ""
                } else {
                    chance.word(PLATFORMS)
                },
            );
            json.amount("fullNMCK", whole);
            let small = chance.percent(30);
            let only = small.then_some(
                "Участниками могут быть только субъекты малого и среднего предпринимательства",
            );
            json.items("restrictions", "restriction", only, |json, name| {
                json.text("shortName", name);
            });
            json.text("stage", stage);
            json.items(
                "lots",
                "lot",
                self.lots.iter().enumerate(),
                |json, (number, positions)| {
                    self.write_lot(chance, number, positions, json);
                },
            );
            json.object("mainCustomer", |json| {
                write_organization(self.customer, json)
            });
            json.object("responsibleOrg", |json| {
                write_organization(self.customer, json)
            });
            self.write_days(chance, json);
        });
        json.end();
    }

    fn write_lot(
        &self,
        chance: &mut Chance,
        number: usize,
        positions: &[Position],
        json: &mut Json,
    ) {
        json.text("lotNumber", &(number + 1).to_string());
        let name = positions.first().map_or("", |position| position.item.name);
        json.text("lotName", if number == 0 { self.subject } else { name });
        json.amount_text("maxPrice", positions.iter().map(Position::sum).sum());
        json.text(
            "currency",
            if chance.share(4, 1_000) { "USD" } else { "RUB" },
        );
        let mut place = String::new();
        self.customer.push_address(chance, &mut place);
        json.text("executionPlace", &place);
        json.items("customers", "customer", [()], |json, ()| {
            write_organization(self.customer, json);
            let positions = positions.iter().enumerate();
            json.items(
                "purchaseObjects",
                "purchaseObject",
                positions,
                |json, (number, position)| {
                    let item = position.item;
                    json.text("number", &(number + 1).to_string());
                    let old = self.published.year() < 2016;
                    json.text(
                        "okpd",
                        if old {
                            item.okpd2.get(..8).unwrap_or_default()
                        } else {
                            ""
                        },
                    );
                    json.text("okpd2", item.okpd2);
                    let counted = chance.percent(92);
                    let (unit, _) = UNITS.get(item.unit).copied().unwrap_or_default();
                    json.text("okei", if counted { unit } else { "" });
                    let quantity = position.quantity.to_string();
                    json.text("quantity", if counted { &quantity } else { "" });
                },
            );
        });
    }

    fn write_days(&self, chance: &mut Chance, json: &mut Json) {
        let later = |days: u64| Some(self.closes.plus(days).working());
        json.dotted("submissionCloseDateTime", Some(self.closes));
        json.dotted(
            "envelopeOpeningTime",
            Some(self.closes).filter(|_| chance.percent(40)),
        );
        json.dotted("examinationDateTime", later(5));
        json.dotted("summingupTime", later(8));
        let auction = chance.percent(12);
        let (year, month, day) = self.closes.plus(3).working().parts();
        let days = format!("{} рабочих дней", chance.between(3, 20));
        json.text(
            "applExamPeriodTime",
            if chance.percent(15) { &days } else { "" },
        );
        let at = format!("{day:02}.{month:02}.{year} {:02}:00", chance.between(9, 15));
        json.text("auctionTime", if auction { &at } else { "" });
        json.text(
            "quotationExaminationTime",
            if chance.percent(15) { &at } else { "" },
        );
    }
}

fn write_organization(customer: &Customer, json: &mut Json) {
    let address = customer.address();
    json.text("fullName", &customer.full_name());
    json.text("inn", &customer.inn);
    json.text("kpp", &customer.kpp);
    json.text("ogrn", &customer.ogrn());
    json.text("factualAddress", &address);
    json.text("postalAddress", &address);
    json.text("phone", &customer.phone());
    json.text("email", &customer.email());
}
