//! Contracts: the terms of each, how far it has been executed, and its line.

use super::calendar::{Date, Days, FIRST, LAST, end_of_month, end_of_year, working, year};
use super::deal::Deal;
use super::goods::write_item;
use super::json_line::JsonLine;
use super::parties::Seller;
use super::rng::Rng;
use super::words::words;

pub struct NewContract {
    pub deal: Deal,
    pub reg_num: String,
    /// Empty if there was no procurement procedure.
    pub purchase_number: String,
    /// Term of execution in the notice; `None` if the data has no notice.
    pub notice_term: Option<String>,
    /// Purchase identification code (IKZ); empty before 2017.
    pub purchase_code: String,
    pub published: Date,
    pub signed: Date,
    pub ends: Date,
}

// Codes of contract stages.
const COMPLETED: &str = "EC";
const TERMINATED: &str = "ET";
const IN_EXECUTION: &str = "E";
const ANNULLED: &str = "IN";

/// How far the contract has been executed.
struct Execution {
    stage: &'static str,
    updated: Date,
    /// Amounts in kopecks.
    fulfilled: Option<u64>,
    paid: Option<u64>,
    /// Ground of termination: an index into [`GROUNDS`].
    ground: Option<usize>,
}

impl NewContract {
    /// Draws the day of signing and the last day of a contract published on a given day.
    pub fn days(rng: &mut Rng, deal: &Deal, published: Date) -> (Date, Date) {
        let lag = match rng.below(20) {
            0 => rng.between(6, 40),
            _ => rng.between(0, 5),
        };
        let signed = working(published.minus_days(lag)).min(published);
        let signed = signed.max(FIRST);
        let ends = match (deal.trade.is_goods(), rng.below(10)) {
            (_, 0..4) => end_of_year(signed.plus_days(10)),
            (true, _) => signed.plus_days(rng.log_uniform(8, 180)),
            (_, 4) => end_of_year(signed.plus_days(400)),
            _ => signed.plus_days(rng.log_uniform(20, 420)),
        };
        // The oldest documents only state the month in which a contract ends.
        match year(signed) {
            ..2015 => (signed, end_of_month(ends)),
            _ => (signed, ends),
        }
    }

    fn execution(&self, rng: &mut Rng) -> Execution {
        let share = rng.below(1_000);
        let (stage, from, days, fulfilled) = match (self.ends < LAST, share) {
            (true, 0..855) => return self.fulfilled(rng),
            (true, 855..950) | (false, 0..12) => {
                let ended = self.ends.min(LAST).minus_days(8);
                (TERMINATED, ended, 90, self.perhaps_part(rng, 70))
            }
            (true, 950..956) | (false, 12..18) => (ANNULLED, self.published, 30, None),
            _ => (IN_EXECUTION, self.published, 60, self.perhaps_part(rng, 44)),
        };
        Execution {
            stage,
            updated: self.some_day(rng, from, days),
            fulfilled,
            paid: fulfilled,
            ground: (stage == TERMINATED).then(|| ground(rng)),
        }
    }

    fn fulfilled(&self, rng: &mut Rng) -> Execution {
        let fulfilled = match rng.percent(93) {
            true => self.deal.price(),
            false => self.part(rng),
        };
        let paid = match rng.percent(95) {
            true => fulfilled,
            false => fulfilled / 100 * 97,
        };
        let ended = self.ends.minus_days(rng.below(20));
        Execution {
            stage: COMPLETED,
            updated: self.some_day(rng, ended, 45),
            fulfilled: Some(fulfilled),
            paid: rng.percent(98).then_some(paid),
            ground: None,
        }
    }

    /// A random part of the price, in kopecks.
    fn part(&self, rng: &mut Rng) -> u64 {
        self.deal.price() / 1000 * rng.between(20, 960)
    }

    fn perhaps_part(&self, rng: &mut Rng, percent: u64) -> Option<u64> {
        rng.percent(percent).then(|| self.part(rng))
    }

    /// A random day at most `days` after `from`, limited to the time between publication and the end of
    /// the data.
    fn some_day(&self, rng: &mut Rng, from: Date, days: u64) -> Date {
        let day = from.plus_days(rng.between(0, days));
        day.max(self.published).min(LAST)
    }

    /// Writes the line. `goods` is a separate generator for the items.
    pub fn write(&self, rng: &mut Rng, goods: &mut Rng, seller: &Seller, json: &mut JsonLine) {
        let execution = self.execution(rng);
        json.line("contract", |json| {
            seller.write(json);
            json.object("contract", |json| {
                self.write_subject(rng, json);
                self.write_execution(rng, &execution, json);
                self.write_money(rng, json);
                self.write_products(rng, goods, json);
                for (ground, name) in GROUNDS.iter().enumerate() {
                    json.value(name, execution.ground == Some(ground));
                }
                self.write_claims(rng, &execution, json);
            });
        });
    }

    fn write_subject(&self, rng: &mut Rng, json: &mut JsonLine) {
        let deal = &self.deal;
        let numbers = [&self.reg_num, &self.purchase_number, &self.purchase_code];
        json.texts(["regNum", "purchaseNumber", "purchaseCode"], numbers);
        let subject = (!rng.ratio(3, 1_000)).then_some(deal.subject.as_str());
        json.optional("purchaseObjectInfo", subject);
        let notice = self.notice_term.as_ref();
        let initial = notice.map(|_| deal.initial_price());
        json.amount("notificationPrice", initial);
        let ends = (!rng.ratio(15, 1_000)).then_some(self.ends);
        let own = self.own_term(rng, ends);
        json.text("deliveryTerm", notice.unwrap_or(&own));
        json.text("customerInn", &deal.buyer.inn);
        json.text("customerName", deal.buyer.full_name());
        let price = (!rng.ratio(2, 1_000)).then(|| deal.price());
        json.amount("contractPrice", price);
        json.day("signDate", Some(self.signed));
        json.day("endDate", ends);
    }

    /// Draws the term of execution as the contract states it: the first and the last day, in a few
    /// cases only one of them. Empty in the oldest documents.
    fn own_term(&self, rng: &mut Rng, ends: Option<Date>) -> String {
        let starts = Some(self.signed).filter(|_| ends.is_none() || rng.percent(94));
        match (starts, ends) {
            _ if year(self.signed) < 2015 => String::new(),
            (Some(starts), Some(ends)) => format!("{starts}..{ends}"),
            (one, other) => one.or(other).map_or(String::new(), |day| day.to_string()),
        }
    }

    fn write_execution(&self, rng: &mut Rng, execution: &Execution, json: &mut JsonLine) {
        let (price, trade) = (self.deal.price(), self.deal.trade);
        json.text("contractStage", execution.stage);
        json.amount("fulfilmentSum", execution.fulfilled);
        json.object("paid", |json| json.amount("total", execution.paid));
        // `amount` writes hundredths, here of a percent, as a decimal number.
        json.amount("advanceInPercents", self.deal.advance);
        let fined = if execution.ground.is_some() { 40 } else { 6 };
        let penalties = rng
            .percent(fined)
            .then(|| rng.log_uniform(price / 20_000, price / 12));
        let penalties = penalties.map(|penalties| penalties.max(1));
        json.amount("penaltiesTotal", penalties);
        let settled = penalties.filter(|_| rng.percent(58));
        json.amount("penaltiesPayments", settled);
        let staged = !trade.is_goods() && rng.percent(45);
        let most = if staged { 12 } else { 2 };
        let stages = match rng.percent(66) {
            true => 1,
            false => rng.between(1, most),
        };
        json.value("ContractStages", stages);
        json.day("updateDate", Some(execution.updated));
        let involved = rng.percent(if trade.kind == "WORK" { 21 } else { 3 });
        json.value("subContractors", involved);
        let share = if involved { rng.between(5, 70) } else { 0 };
        json.amount("subContractorsSum", price / 100 * share);
    }

    fn write_money(&self, rng: &mut Rng, json: &mut JsonLine) {
        let deal = &self.deal;
        let procedure = !self.purchase_number.is_empty();
        let required = deal.guarantee.filter(|_| procedure);
        let stated = required.filter(|_| self.notice_term.is_some());
        let of_initial = stated.map(|part| deal.initial_price() * part / 10_000);
        json.amount("purchaseContractGuarantee", of_initial);
        let given = required.filter(|_| rng.percent(96));
        let of_price = given.map(|part| deal.price() * part / 10_000);
        json.amount("contractGuarantee", of_price);
        json.value("bankSupportContractRequired", deal.bank_support);
        json.value("treasurySupportContractRequired", deal.treasury_support);
        let (_, budget) = deal.buyer.budget();
        // Regional and municipal institutions also spend their own income.
        let own_funds = deal.buyer.level > 1 && rng.percent(27);
        json.optional("budgetName", (!own_funds).then_some(&budget));
        let territory = deal.buyer.territory();
        json.optional("OKTMO", (!rng.percent(18)).then_some(&territory));
    }

    fn write_products(&self, rng: &mut Rng, goods: &mut Rng, json: &mut JsonLine) {
        let positions = &self.deal.positions;
        if rng.ratio(6, 1_000) || positions.is_empty() {
            json.null("products");
            return;
        }
        json.list("products", positions, |json, position| {
            json.optional("code", (!rng.ratio(4, 1_000)).then_some(position.code()));
            let sum = self.deal.agreed(position);
            write_item(goods, position, sum, json);
            match rng.below(1_000) {
                0..5 => json.null("sum"),
                5..10 => json.value("sum", long_amount(rng, sum)),
                _ => json.amount("sum", sum),
            }
        });
    }

    fn write_claims(&self, rng: &mut Rng, execution: &Execution, json: &mut JsonLine) {
        let refused = matches!(execution.ground, Some(2 | 3));
        if !rng.ratio(if refused { 320 } else { 3 }, 1_000) {
            json.null("bankGuaranteePayments");
            return;
        }
        let guarantee = self.deal.price() / 10;
        json.list("bankGuaranteePayments", 0..rng.geometric(3), |json, _| {
            let amount = match rng.percent(50) {
                true => guarantee,
                false => guarantee / 100 * rng.between(4, 90),
            };
            json.amount("paymentAmountRUR", (!rng.percent(3)).then_some(amount));
            let claimed = execution.updated.minus_days(rng.below(20)).max(self.signed);
            let published = claimed.plus_days(rng.between(1, 6)).min(LAST);
            json.day("publishDate", (!rng.percent(3)).then_some(published));
            json.day("requirementsDate", (!rng.percent(3)).then_some(claimed));
            json.text("improperExecInfo", rng.pick_word(&words().documents.claims));
        });
    }
}

/// Formats an amount in kopecks as roubles with additional decimals, which some real documents
/// have.
pub fn long_amount(rng: &mut Rng, kopecks: u64) -> String {
    let more = rng.below(1_000_000_000);
    format!("{}.{:02}{more:09}1", kopecks / 100, kopecks % 100)
}

/// Fields for the grounds of termination.
const GROUNDS: [&str; 5] = [
    "terminationBoth",
    "terminationSupplier",
    "terminationCostomer",
    "terminationJudge",
    "terminationCourt",
];

/// Draws a ground of termination, mostly by agreement.
fn ground(rng: &mut Rng) -> usize {
    match rng.below(100) {
        0..74 => 0,
        74..78 => 1,
        78..89 => 2,
        89..95 => 3,
        _ => 4,
    }
}
