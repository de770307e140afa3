//! A line of a contract.

use super::calendar::{Day, FIRST, LAST};
use super::chance::Chance;
use super::deal::Deal;
use super::json::Json;
use super::who::Supplier;
use super::words::documents::CLAIMS;

/// A contract: what was agreed on, and when.
#[derive(Debug)]
pub struct Contract {
    pub deal: Deal,
    pub reg_num: String,
    /// Empty where there was no procedure.
    pub purchase_number: String,
    /// Empty before 2017.
    pub purchase_code: String,
    pub published: Day,
    pub signed: Day,
    pub ends: Day,
}

/// How the execution went.
struct Course {
    stage: &'static str,
    updated: Day,
    fulfilled: Option<u64>,
    paid: Option<u64>,
    /// Which of the five grounds ended it.
    ground: Option<u64>,
}

impl Contract {
    /// The day it is signed and the day it ends, for one that is published on a day.
    pub fn days(chance: &mut Chance, deal: &Deal, published: Day) -> (Day, Day) {
        let lag = match chance.below(20) {
            0 => chance.between(6, 40),
            _ => chance.between(0, 5),
        };
        let signed = published.minus(lag).working().min(published).max(FIRST);
        let ends = match (deal.trade.kind, chance.below(10)) {
            (_, 0..4) => signed.plus(10).end_of_year(),
            ("PRODUCT", _) => signed.plus(chance.wide(8, 180)),
            (_, 4) => signed.plus(400).end_of_year(),
            _ => signed.plus(chance.wide(20, 420)),
        };
        (signed, ends)
    }

    fn course(&self, chance: &mut Chance) -> Course {
        let price = self.deal.price();
        let over = self.ends < LAST;
        let part = |chance: &mut Chance| price / 1000 * chance.between(20, 960);
        let some_day = |chance: &mut Chance, from: Day, days: u64| {
            from.plus(chance.between(0, days))
                .max(self.published)
                .min(LAST)
        };
        let share = chance.below(1_000);
        match (over, share) {
            (true, 0..855) => {
                let fulfilled = if chance.percent(93) {
                    price
                } else {
                    part(chance)
                };
                let paid = if chance.percent(95) {
                    fulfilled
                } else {
                    fulfilled / 100 * 97
                };
                let early = chance.below(20);
                Course {
                    stage: "EC",
                    updated: some_day(chance, self.ends.minus(early), 45),
                    fulfilled: Some(fulfilled),
                    paid: chance.percent(98).then_some(paid),
                    ground: None,
                }
            }
            (true, 855..950) | (false, 0..12) => {
                let fulfilled = chance.percent(70).then(|| part(chance));
                Course {
                    stage: "ET",
                    updated: some_day(chance, self.ends.min(LAST).minus(8), 90),
                    fulfilled,
                    paid: fulfilled,
                    ground: Some(ground(chance)),
                }
            }
            (true, 950..956) | (false, 12..18) => Course {
                stage: "IN",
                updated: some_day(chance, self.published, 30),
                fulfilled: None,
                paid: None,
                ground: None,
            },
            _ => {
                let fulfilled = chance.percent(44).then(|| part(chance));
                Course {
                    stage: "E",
                    updated: some_day(chance, self.published, 60),
                    fulfilled,
                    paid: fulfilled,
                    ground: None,
                }
            }
        }
    }

    /// Writes the line.
    pub fn write(&self, chance: &mut Chance, supplier: &Supplier, json: &mut Json) {
        let course = self.course(chance);
        json.begin("contract");
        json.object("supplier", |json| {
            json.text("inn", &supplier.inn);
            json.text("name", &supplier.name);
        });
        json.object("contract", |json| {
            self.write_subject(chance, json);
            self.write_course(chance, &course, json);
            self.write_money(chance, json);
            self.write_products(chance, json);
            for (ground, name) in TERMINATION.iter().enumerate() {
                json.flag(name, course.ground == Some(ground as u64));
            }
            self.write_claims(chance, &course, json);
        });
        json.end();
    }

    fn write_subject(&self, chance: &mut Chance, json: &mut Json) {
        let deal = &self.deal;
        let procedure = !self.purchase_number.is_empty();
        json.text("regNum", &self.reg_num);
        json.text("purchaseNumber", &self.purchase_number);
        json.text("purchaseCode", &self.purchase_code);
        json.text(
            "purchaseObjectInfo",
            if chance.share(3, 1_000) {
                ""
            } else {
                &deal.subject
            },
        );
        json.amount("notificationPrice", procedure.then(|| deal.initial_price()));
        let (year, month, day) = self.ends.parts();
        let term = match chance.below(10) {
            0 => String::new(),
            1 => format!("со дня подписания контракта по {day:02}.{month:02}.{year}"),
            _ => format!("{year}-{month:02}-{day:02}+03:00"),
        };
        json.text("deliveryTerm", &term);
        json.text("customerInn", &deal.customer.inn);
        json.text("customerName", &deal.customer.full_name());
        json.amount(
            "contractPrice",
            (!chance.share(2, 1_000)).then(|| deal.price()),
        );
        json.day("signDate", Some(self.signed));
        json.day("endDate", (!chance.share(15, 1_000)).then_some(self.ends));
    }

    fn write_course(&self, chance: &mut Chance, course: &Course, json: &mut Json) {
        let price = self.deal.price();
        json.text("contractStage", course.stage);
        json.amount("fulfilmentSum", course.fulfilled);
        json.object("paid", |json| json.amount("total", course.paid));
        // In hundredths of a percent: written as an amount is.
        json.amount("advanceInPercents", self.deal.advance);
        let fined = if course.ground.is_some() { 40 } else { 6 };
        let penalties = chance
            .percent(fined)
            .then(|| chance.wide(price / 20_000, price / 12).max(1));
        json.amount("penaltiesTotal", penalties);
        let settled = penalties.filter(|_| chance.percent(58));
        json.amount("penaltiesPayments", settled);
        let staged = self.deal.trade.kind != "PRODUCT" && chance.percent(45);
        let most = if staged { 12 } else { 2 };
        json.number(
            "ContractStages",
            if chance.percent(66) {
                1
            } else {
                chance.between(1, most)
            },
        );
        json.day("updateDate", Some(course.updated));
        let involved = chance.percent(if self.deal.trade.kind == "WORK" {
            21
        } else {
            3
        });
        json.flag("subContractors", involved);
        json.amount(
            "subContractorsSum",
            if involved {
                price / 100 * chance.between(5, 70)
            } else {
                0
            },
        );
    }

    fn write_money(&self, chance: &mut Chance, json: &mut Json) {
        let (initial, price) = (self.deal.initial_price(), self.deal.price());
        let procedure = !self.purchase_number.is_empty();
        let asked = self.deal.guarantee.filter(|_| procedure);
        json.amount(
            "purchaseContractGuarantee",
            asked.map(|part| initial * part / 10_000),
        );
        let given = asked.filter(|_| chance.percent(96));
        json.amount("contractGuarantee", given.map(|part| price * part / 10_000));
        json.flag("bankSupportContractRequired", self.deal.bank_support);
        json.flag(
            "treasurySupportContractRequired",
            self.deal.treasury_support,
        );
        let (_, budget) = self.deal.customer.budget();
        // Institutions spend what they earn, too.
        let own_funds = self.deal.customer.level > 1 && chance.percent(27);
        json.text("budgetName", if own_funds { "" } else { &budget });
        let territory = self.deal.customer.territory();
        json.text("OKTMO", if chance.percent(18) { "" } else { &territory });
    }

    fn write_products(&self, chance: &mut Chance, json: &mut Json) {
        let positions = &self.deal.positions;
        let shown = if chance.share(6, 1_000) {
            &[][..]
        } else {
            positions
        };
        if shown.is_empty() {
            json.none("products");
            return;
        }
        json.list("products", shown, |json, position| {
            let code = position.catalogue.as_deref().unwrap_or(position.item.okpd2);
            json.text("code", if chance.share(4, 1_000) { "" } else { code });
            let sum = self.deal.agreed(position);
            match chance.below(1_000) {
                0..5 => json.none("sum"),
                5..10 => json.long_amount("sum", sum, chance.below(1_000_000_000)),
                _ => json.amount("sum", sum),
            }
        });
    }

    fn write_claims(&self, chance: &mut Chance, course: &Course, json: &mut Json) {
        let refused = matches!(course.ground, Some(2 | 3));
        if !chance.share(if refused { 320 } else { 3 }, 1_000) {
            json.none("bankGuaranteePayments");
            return;
        }
        let guarantee = self.deal.price() / 10;
        json.list("bankGuaranteePayments", 0..chance.few(3), |json, _| {
            let whole = chance.percent(50);
            let amount = if whole {
                guarantee
            } else {
                guarantee / 100 * chance.between(4, 90)
            };
            json.amount("paymentAmountRUR", (!chance.percent(3)).then_some(amount));
            let claimed = course.updated.minus(chance.below(20)).max(self.signed);
            let published = claimed.plus(chance.between(1, 6)).min(LAST);
            json.day("publishDate", (!chance.percent(3)).then_some(published));
            json.day("requirementsDate", (!chance.percent(3)).then_some(claimed));
            json.text("improperExecInfo", chance.word(CLAIMS));
        });
    }
}

/// The flags of the grounds, in their order.
const TERMINATION: [&str; 5] = [
    "terminationBoth",
    "terminationSupplier",
    "terminationCostomer",
    "terminationJudge",
    "terminationCourt",
];

/// On which ground a contract is ended: mostly by agreement.
fn ground(chance: &mut Chance) -> u64 {
    match chance.below(100) {
        0..74 => 0,
        74..78 => 1,
        78..89 => 2,
        89..95 => 3,
        _ => 4,
    }
}
