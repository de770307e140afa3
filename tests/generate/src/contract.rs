//! A line of a contract.

use super::calendar::{Date, Days, FIRST, LAST, end_of_month, end_of_year, working, year};
use super::chance::Chance;
use super::deal::Deal;
use super::goods::write_item;
use super::json_line::JsonLine;
use super::parties::Seller;
use super::words::words;

/// A contract: its terms and dates.
pub struct NewContract {
    pub deal: Deal,
    pub reg_num: String,
    /// Empty where there was no procedure.
    pub purchase_number: String,
    /// The term of execution in the notice, if the notice is known.
    pub notice_term: Option<String>,
    /// Empty before 2017.
    pub purchase_code: String,
    pub published: Date,
    pub signed: Date,
    pub ends: Date,
}

/// The stages, by their codes in the registry.
const COMPLETED: &str = "EC";
const TERMINATED: &str = "ET";
const IN_EXECUTION: &str = "E";
const ANNULLED: &str = "IN";

/// The course of its execution: the stage, the last change, what is fulfilled and paid, and
/// which of the five grounds ended it.
struct Course {
    stage: &'static str,
    updated: Date,
    fulfilled: Option<u64>,
    paid: Option<u64>,
    ground: Option<usize>,
}

impl NewContract {
    /// The days of signing and of the end of a contract that is published on a day.
    pub fn days(chance: &mut Chance, deal: &Deal, published: Date) -> (Date, Date) {
        let lag = match chance.below(20) {
            0 => chance.between(6, 40),
            _ => chance.between(0, 5),
        };
        let signed = working(published.minus_days(lag)).min(published);
        let signed = signed.max(FIRST);
        let ends = match (deal.trade.is_goods(), chance.below(10)) {
            (_, 0..4) => end_of_year(signed.plus_days(10)),
            (true, _) => signed.plus_days(chance.wide(8, 180)),
            (_, 4) => end_of_year(signed.plus_days(400)),
            _ => signed.plus_days(chance.wide(20, 420)),
        };
        // The oldest documents name the month in which a contract ends.
        match year(signed) {
            ..2015 => (signed, end_of_month(ends)),
            _ => (signed, ends),
        }
    }

    fn course(&self, chance: &mut Chance) -> Course {
        let share = chance.below(1_000);
        let (stage, from, days, fulfilled) = match (self.ends < LAST, share) {
            (true, 0..855) => return self.fulfilled(chance),
            (true, 855..950) | (false, 0..12) => {
                let ended = self.ends.min(LAST).minus_days(8);
                (TERMINATED, ended, 90, self.perhaps_part(chance, 70))
            }
            (true, 950..956) | (false, 12..18) => (ANNULLED, self.published, 30, None),
            _ => (
                IN_EXECUTION,
                self.published,
                60,
                self.perhaps_part(chance, 44),
            ),
        };
        Course {
            stage,
            updated: self.some_day(chance, from, days),
            fulfilled,
            paid: fulfilled,
            ground: (stage == TERMINATED).then(|| ground(chance)),
        }
    }

    fn fulfilled(&self, chance: &mut Chance) -> Course {
        let fulfilled = match chance.percent(93) {
            true => self.deal.price(),
            false => self.part(chance),
        };
        let paid = match chance.percent(95) {
            true => fulfilled,
            false => fulfilled / 100 * 97,
        };
        let ended = self.ends.minus_days(chance.below(20));
        Course {
            stage: COMPLETED,
            updated: self.some_day(chance, ended, 45),
            fulfilled: Some(fulfilled),
            paid: chance.percent(98).then_some(paid),
            ground: None,
        }
    }

    /// A part of the price.
    fn part(&self, chance: &mut Chance) -> u64 {
        self.deal.price() / 1000 * chance.between(20, 960)
    }

    fn perhaps_part(&self, chance: &mut Chance, percent: u64) -> Option<u64> {
        chance.percent(percent).then(|| self.part(chance))
    }

    /// A random day of up to `days` from `from` on, not before publication or after the
    /// data's end.
    fn some_day(&self, chance: &mut Chance, from: Date, days: u64) -> Date {
        let day = from.plus_days(chance.between(0, days));
        day.max(self.published).min(LAST)
    }

    /// Writes the line; `goods` are the random numbers of its items.
    pub fn write(
        &self,
        chance: &mut Chance,
        goods: &mut Chance,
        seller: &Seller,
        json: &mut JsonLine,
    ) {
        let course = self.course(chance);
        json.line("contract", |json| {
            seller.write(json);
            json.object("contract", |json| {
                self.write_subject(chance, json);
                self.write_course(chance, &course, json);
                self.write_money(chance, json);
                self.write_products(chance, goods, json);
                for (ground, name) in GROUNDS.iter().enumerate() {
                    json.value(name, course.ground == Some(ground));
                }
                self.write_claims(chance, &course, json);
            });
        });
    }

    fn write_subject(&self, chance: &mut Chance, json: &mut JsonLine) {
        let deal = &self.deal;
        let numbers = [&self.reg_num, &self.purchase_number, &self.purchase_code];
        json.texts(["regNum", "purchaseNumber", "purchaseCode"], numbers);
        let subject = (!chance.share(3, 1_000)).then_some(deal.subject.as_str());
        json.optional("purchaseObjectInfo", subject);
        let notice = self.notice_term.as_ref();
        let initial = notice.map(|_| deal.initial_price());
        json.amount("notificationPrice", initial);
        let ends = (!chance.share(15, 1_000)).then_some(self.ends);
        let own = self.own_term(chance, ends);
        json.text("deliveryTerm", notice.unwrap_or(&own));
        json.text("customerInn", &deal.buyer.inn);
        json.text("customerName", deal.buyer.full_name());
        let price = (!chance.share(2, 1_000)).then(|| deal.price());
        json.amount("contractPrice", price);
        json.day("signDate", Some(self.signed));
        json.day("endDate", ends);
    }

    /// The term in the contract's own document: the first and the last day, seldom one of
    /// them, and none in the oldest documents.
    fn own_term(&self, chance: &mut Chance, ends: Option<Date>) -> String {
        let starts = Some(self.signed).filter(|_| ends.is_none() || chance.percent(94));
        match (starts, ends) {
            _ if year(self.signed) < 2015 => String::new(),
            (Some(starts), Some(ends)) => format!("{starts}..{ends}"),
            (one, other) => one.or(other).map_or(String::new(), |day| day.to_string()),
        }
    }

    fn write_course(&self, chance: &mut Chance, course: &Course, json: &mut JsonLine) {
        let (price, trade) = (self.deal.price(), self.deal.trade);
        json.text("contractStage", course.stage);
        json.amount("fulfilmentSum", course.fulfilled);
        json.object("paid", |json| json.amount("total", course.paid));
        // In hundredths of a percent, written like an amount.
        json.amount("advanceInPercents", self.deal.advance);
        let fined = if course.ground.is_some() { 40 } else { 6 };
        let penalties = chance
            .percent(fined)
            .then(|| chance.wide(price / 20_000, price / 12));
        let penalties = penalties.map(|penalties| penalties.max(1));
        json.amount("penaltiesTotal", penalties);
        let settled = penalties.filter(|_| chance.percent(58));
        json.amount("penaltiesPayments", settled);
        let staged = !trade.is_goods() && chance.percent(45);
        let most = if staged { 12 } else { 2 };
        let stages = match chance.percent(66) {
            true => 1,
            false => chance.between(1, most),
        };
        json.value("ContractStages", stages);
        json.day("updateDate", Some(course.updated));
        let involved = chance.percent(if trade.kind == "WORK" { 21 } else { 3 });
        json.value("subContractors", involved);
        let share = if involved { chance.between(5, 70) } else { 0 };
        json.amount("subContractorsSum", price / 100 * share);
    }

    fn write_money(&self, chance: &mut Chance, json: &mut JsonLine) {
        let deal = &self.deal;
        let procedure = !self.purchase_number.is_empty();
        let required = deal.guarantee.filter(|_| procedure);
        let stated = required.filter(|_| self.notice_term.is_some());
        let of_initial = stated.map(|part| deal.initial_price() * part / 10_000);
        json.amount("purchaseContractGuarantee", of_initial);
        let given = required.filter(|_| chance.percent(96));
        let of_price = given.map(|part| deal.price() * part / 10_000);
        json.amount("contractGuarantee", of_price);
        json.value("bankSupportContractRequired", deal.bank_support);
        json.value("treasurySupportContractRequired", deal.treasury_support);
        let (_, budget) = deal.buyer.budget();
        // Institutions also spend what they earn.
        let own_funds = deal.buyer.level > 1 && chance.percent(27);
        json.optional("budgetName", (!own_funds).then_some(&budget));
        let territory = deal.buyer.territory();
        json.optional("OKTMO", (!chance.percent(18)).then_some(&territory));
    }

    fn write_products(&self, chance: &mut Chance, goods: &mut Chance, json: &mut JsonLine) {
        let positions = &self.deal.positions;
        if chance.share(6, 1_000) || positions.is_empty() {
            json.none("products");
            return;
        }
        json.list("products", positions, |json, position| {
            json.optional("code", (!chance.share(4, 1_000)).then_some(position.code()));
            let sum = self.deal.agreed(position);
            write_item(goods, position, sum, json);
            match chance.below(1_000) {
                0..5 => json.none("sum"),
                5..10 => json.value("sum", long_amount(chance, sum)),
                _ => json.amount("sum", sum),
            }
        });
    }

    fn write_claims(&self, chance: &mut Chance, course: &Course, json: &mut JsonLine) {
        let refused = matches!(course.ground, Some(2 | 3));
        if !chance.share(if refused { 320 } else { 3 }, 1_000) {
            json.none("bankGuaranteePayments");
            return;
        }
        let guarantee = self.deal.price() / 10;
        json.list("bankGuaranteePayments", 0..chance.few(3), |json, _| {
            let amount = match chance.percent(50) {
                true => guarantee,
                false => guarantee / 100 * chance.between(4, 90),
            };
            json.amount("paymentAmountRUR", (!chance.percent(3)).then_some(amount));
            let claimed = course.updated.minus_days(chance.below(20)).max(self.signed);
            let published = claimed.plus_days(chance.between(1, 6)).min(LAST);
            json.day("publishDate", (!chance.percent(3)).then_some(published));
            json.day("requirementsDate", (!chance.percent(3)).then_some(claimed));
            json.text("improperExecInfo", chance.word(&words().documents.claims));
        });
    }
}

/// An amount in kopecks with more digits after them, as roubles.
pub fn long_amount(chance: &mut Chance, kopecks: u64) -> String {
    let more = chance.below(1_000_000_000);
    format!("{}.{:02}{more:09}1", kopecks / 100, kopecks % 100)
}

/// The flags of the grounds, in their order.
const GROUNDS: [&str; 5] = [
    "terminationBoth",
    "terminationSupplier",
    "terminationCostomer",
    "terminationJudge",
    "terminationCourt",
];

/// The ground of a termination: mostly by agreement.
fn ground(chance: &mut Chance) -> usize {
    match chance.below(100) {
        0..74 => 0,
        74..78 => 1,
        78..89 => 2,
        89..95 => 3,
        _ => 4,
    }
}
