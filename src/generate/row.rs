//! The row of lines: what comes when, and who gets it.

use std::collections::VecDeque;
use std::io::{self, Write};

use super::calendar::{Day, FIRST, FIRST_615, LAST, Timeline};
use super::chance::{Chance, Use};
use super::contract::Contract;
use super::deal::{Deal, positions};
use super::json::Json;
use super::numbers::Numbers;
use super::purchase44::Purchase44;
use super::purchase223::Purchase223;
use super::purchase615::Purchase615;
use super::registry::{LAWS, listed_under, write_complete, write_entry, write_supplier};
use super::sizes::{Shares, Sizes};
use super::who::{Customer, Supplier};
use super::words::organisations::ALL;
use super::words::places::REGIONS;
use super::words::{Trade, trade, trade_count};
use super::{Plan, Written};

/// How many purchases are kept for more contracts after the same one.
const OPEN_PURCHASES: usize = 64;

/// A purchase that more contracts may follow.
#[derive(Debug)]
struct Open {
    number: String,
    customer: u64,
    trade: &'static Trade,
}

/// What is known while the lines are written.
#[derive(Debug)]
pub struct Row<'a, W> {
    plan: Plan,
    out: &'a mut W,
    written: Written,
    json: Json,
    numbers: Numbers,
    timeline: Timeline,
    shares: Shares,
    /// Who sells what comes next: one row for all lines.
    order: Chance,
    customers: Sizes,
    companies: u64,
    /// The last numbers of each customer's contracts and purchases.
    running: Vec<(u32, u32)>,
    running_615: Vec<u64>,
    open: VecDeque<Open>,
    listed: u64,
}

/// Of which law a purchase is.
enum Law {
    Fz44,
    Fz223,
    Pp615,
}

impl<'a, W: Write> Row<'a, W> {
    /// Before the first line.
    pub fn new(plan: Plan, out: &'a mut W) -> Self {
        let customers = (plan.contracts / 200)
            .max(plan.purchases / 40)
            .clamp(30, 1_000_000);
        Self {
            plan,
            out,
            written: Written::default(),
            json: Json::default(),
            numbers: Numbers::new(plan.seed),
            timeline: Timeline::new(),
            shares: Shares::new(plan.suppliers, plan.contracts),
            order: Chance::of(plan.seed, Use::Order, 0),
            customers: Sizes::new(customers, 20),
            companies: (plan.purchases / 60).clamp(8, 500_000),
            running: vec![(0, 0); customers as usize],
            running_615: vec![0; REGIONS.len()],
            open: VecDeque::with_capacity(OPEN_PURCHASES),
            listed: 0,
        }
    }

    /// Writes the next contract, and what is published before it.
    pub fn contract(&mut self) -> io::Result<()> {
        let at = self.written.contracts;
        let day = self.timeline.at(at, self.plan.contracts);
        self.list_until(at, day)?;
        let announced = self.purchases_until(at, day)?;
        let mut chance = Chance::of(self.plan.seed, Use::Contract, at);
        let rank = self.shares.next(&mut self.order);
        let supplier = self.supplier(rank);
        let open = (announced.is_none() && chance.percent(16))
            .then(|| self.open.get(chance.below(OPEN_PURCHASES as u64) as usize))
            .flatten();
        let (customer, trade, open) = match open {
            Some(open) => (
                Customer::of(self.plan.seed, self.numbers, open.customer),
                open.trade,
                open.number.clone(),
            ),
            None => {
                let (customer, trade) = self.buyer(&mut chance, supplier.trade);
                (customer, trade, String::new())
            }
        };
        let deal = Deal::new(&mut chance, customer, trade, day, announced.is_some());
        let contract = self.concluded(&mut chance, deal, day, open, announced.is_some());
        if let Some(purchase) = announced {
            self.announce(purchase, &contract, &supplier)?;
        }
        contract.write(&mut chance, &supplier, &mut self.json);
        self.written.contracts += 1;
        self.write()
    }

    /// Writes what is left when all contracts are written.
    pub fn rest(mut self) -> io::Result<Written> {
        let all = self.plan.contracts;
        self.list_until(all, LAST)?;
        while self.written.purchases < self.plan.purchases {
            self.purchase(LAST, false)?;
        }
        for rank in 0..self.plan.suppliers {
            if !self.shares.has_contracts(rank) {
                let supplier = self.supplier(rank);
                write_supplier(&supplier, &mut self.json);
                self.written.suppliers += 1;
                self.write()?;
            }
        }
        for law in LAWS {
            write_complete(law, &mut self.json);
            self.write()?;
        }
        Ok(self.written)
    }

    fn write(&mut self) -> io::Result<()> {
        let line = self.json.bytes();
        self.written.bytes += line.len() as u64;
        self.out.write_all(line)
    }

    fn supplier(&self, rank: u64) -> Supplier {
        Supplier::of(self.plan.seed, self.numbers, rank)
    }

    /// A customer, and what it buys of somebody who mostly sells `mostly`.
    fn buyer(&self, chance: &mut Chance, mostly: usize) -> (Customer, &'static Trade) {
        let any = chance.below(trade_count() as u64) as usize;
        let wanted = trade(if chance.percent(80) { mostly } else { any });
        let mut last = self.customers.draw(chance);
        for _ in 0..16 {
            if wanted.buyers & (1 << Customer::kind_of(self.plan.seed, last)) != 0 {
                return (Customer::of(self.plan.seed, self.numbers, last), wanted);
            }
            last = self.customers.draw(chance);
        }
        let customer = Customer::of(self.plan.seed, self.numbers, last);
        let bought = (0..trade_count()).map(|index| trade(any + index));
        let fits = |trade: &&Trade| trade.buyers & (1 << customer.kind) != 0;
        let other = bought.into_iter().find(fits).unwrap_or(wanted);
        (customer, other)
    }

    /// The next number of a purchase of a customer.
    fn purchase_number(&mut self, customer: &Customer, published: Day) -> String {
        let mut number = 0;
        if let Some((_, purchases)) = self.running.get_mut(customer.index as usize) {
            *purchases += 1;
            number = *purchases;
        }
        format!("{}{:02}{number:06}", customer.code, published.year() % 100)
    }

    /// The contract of a deal; `open` is the number of the purchase it follows, if that
    /// was announced before.
    fn concluded(
        &mut self,
        chance: &mut Chance,
        deal: Deal,
        day: Day,
        open: String,
        announced: bool,
    ) -> Contract {
        let (signed, ends) = Contract::days(chance, &deal, day);
        let mut number = 0;
        if let Some((contracts, _)) = self.running.get_mut(deal.customer.index as usize) {
            *contracts += 1;
            number = *contracts;
        }
        let customer = &deal.customer;
        let year = signed.year() % 100;
        let purchase_number = if !open.is_empty() {
            open
        } else if announced || chance.percent(66) {
            self.purchase_number(customer, signed.minus(24))
        } else {
            String::new()
        };
        Contract {
            reg_num: format!("{}{}{year:02}{number:06}", customer.level, customer.inn),
            purchase_code: purchase_code(chance, customer, signed.year()),
            purchase_number,
            published: day,
            signed,
            ends,
            deal,
        }
    }

    /// Writes the card of the purchase of an index that a contract was concluded after.
    fn announce(&mut self, index: u64, contract: &Contract, supplier: &Supplier) -> io::Result<()> {
        let mut chance = Chance::of(self.plan.seed, Use::Purchase, index);
        let closes = contract.signed.minus(chance.between(11, 20)).working();
        let closes = closes.max(FIRST.plus(1));
        let more = more_lots(&mut chance, &contract.deal, closes);
        let purchase = Purchase44 {
            number: &contract.purchase_number,
            deal: &contract.deal,
            purchase_code: &contract.purchase_code,
            published: closes.minus(chance.between(7, 24)).max(FIRST),
            closes,
            outcome: Some((contract, supplier)),
            more_lots: &more,
        };
        purchase.write(&mut chance, &mut self.json);
        self.keep_open(&contract.purchase_number, &contract.deal);
        self.write()
    }

    fn keep_open(&mut self, number: &str, deal: &Deal) {
        if self.open.len() == OPEN_PURCHASES {
            self.open.pop_front();
        }
        self.open.push_back(Open {
            number: number.to_owned(),
            customer: deal.customer.index,
            trade: deal.trade,
        });
    }

    /// Writes the purchases that come before the contract of an index, save the one that
    /// it is concluded after, if there is one: its index.
    fn purchases_until(&mut self, at: u64, day: Day) -> io::Result<Option<u64>> {
        let mut announced = None;
        while self.written.purchases < self.plan.purchases
            && self.is_due(self.written.purchases, self.plan.purchases, at)
        {
            let index = self.written.purchases;
            let ends_here = self.purchase(day, announced.is_none())?;
            announced = announced.or(ends_here.then_some(index));
        }
        Ok(announced)
    }

    /// Of `all` things spread evenly over the contracts, does one come before the contract
    /// of index `at`?
    fn is_due(&self, index: u64, all: u64, at: u64) -> bool {
        u128::from(index) * u128::from(self.plan.contracts) <= u128::from(at) * u128::from(all)
    }

    /// Writes the next purchase; where `may_end` it may be one that ends in the contract
    /// that comes next, and then it is not written yet, and the answer is true.
    fn purchase(&mut self, day: Day, may_end: bool) -> io::Result<bool> {
        let index = self.written.purchases;
        self.written.purchases += 1;
        // The card's own row of numbers is that of `Use::Purchase`.
        let mut chance = Chance::of(self.plan.seed, Use::Law, index);
        let law = match chance.below(100) {
            62..87 => Law::Fz223,
            87.. if day >= FIRST_615 => Law::Pp615,
            _ => Law::Fz44,
        };
        match law {
            Law::Fz44 if may_end && chance.percent(84) => return Ok(true),
            Law::Fz44 => self.purchase44(index, day),
            Law::Fz223 => self.purchase223(index, day),
            Law::Pp615 => self.purchase615(index, day),
        }
        self.write()?;
        Ok(false)
    }

    fn purchase44(&mut self, index: u64, day: Day) {
        let mut chance = Chance::of(self.plan.seed, Use::Purchase, index);
        let mostly = chance.below(trade_count() as u64) as usize;
        let (customer, trade) = self.buyer(&mut chance, mostly);
        let deal = Deal::new(&mut chance, customer, trade, day, true);
        let number = self.purchase_number(&deal.customer, day);
        let closes = day.plus(chance.between(7, 24)).working();
        let more = more_lots(&mut chance, &deal, day);
        let purchase = Purchase44 {
            number: &number,
            purchase_code: &purchase_code(&mut chance, &deal.customer, day.year()),
            deal: &deal,
            published: day,
            closes,
            outcome: None,
            more_lots: &more,
        };
        purchase.write(&mut chance, &mut self.json);
    }

    fn purchase223(&mut self, index: u64, day: Day) {
        let mut chance = Chance::of(self.plan.seed, Use::Purchase, index);
        let company = chance.below(self.companies);
        let customer = Customer::company(self.plan.seed, self.numbers, company);
        let any = chance.below(trade_count() as u64) as usize;
        // Companies buy what everybody does.
        let mut bought = (0..trade_count()).map(|index| trade(any + index));
        let trade = bought
            .find(|trade| trade.buyers == ALL)
            .unwrap_or(trade(any));
        let deal = Deal::new(&mut chance, customer, trade, day, true);
        let mut lots = vec![deal.positions.clone()];
        lots.extend(more_lots(&mut chance, &deal, day));
        let purchase = Purchase223 {
            number: &format!("3{:02}{:08}", day.year() % 100, 100_000 + index),
            customer: &deal.customer,
            subject: &deal.subject,
            lots: &lots,
            published: day,
            closes: day.plus(chance.between(5, 24)).working(),
        };
        purchase.write(&mut chance, &mut self.json);
    }

    fn purchase615(&mut self, index: u64, day: Day) {
        let mut chance = Chance::of(self.plan.seed, Use::Purchase, index);
        let region = chance.below(REGIONS.len() as u64);
        let fund = Customer::fund(self.plan.seed, self.numbers, region);
        let supplier = self.supplier(chance.below(self.plan.suppliers));
        let mut number = 0;
        if let Some(running) = self.running_615.get_mut(region as usize) {
            *running += 1;
            number = *running % 100_000;
        }
        let purchase = Purchase615 {
            number: &format!("{}{:02}{number:05}", fund.code, day.year() % 100),
            fund: &fund,
            supplier: &supplier,
            published: day,
        };
        purchase.write(&mut chance, &mut self.json);
    }

    /// A customer that had somebody listed under a federal law.
    fn wronged(&self, chance: &mut Chance, law: &str) -> Customer {
        let (seed, numbers) = (self.plan.seed, self.numbers);
        match law {
            "44" => Customer::of(seed, numbers, self.customers.draw(chance)),
            "223" => Customer::company(seed, numbers, chance.below(self.companies)),
            _ => Customer::fund(seed, numbers, chance.below(REGIONS.len() as u64)),
        }
    }

    /// Writes the entries of the registry of unfair suppliers that come before the
    /// contract of an index: those of one supplier in a hundred, of one at least.
    fn list_until(&mut self, at: u64, day: Day) -> io::Result<()> {
        let all = (self.plan.suppliers / 100).max(1);
        while self.listed < all && self.is_due(self.listed, all, at) {
            let mut chance = Chance::of(self.plan.seed, Use::Registry, self.listed);
            // A prime, so that every hundred is passed once, and not in their order.
            let step = if all.is_multiple_of(7_919) { 1 } else { 7_919 };
            let from = self.listed * step % all * 100;
            let rank = from + chance.below((self.plan.suppliers - from).min(100));
            let supplier = self.supplier(rank);
            for entry in 0..chance.few(3) {
                let law = listed_under(&mut chance, day);
                let customer = self.wronged(&mut chance, law);
                let number = 3 * self.listed + entry;
                write_entry(
                    &mut chance,
                    &supplier,
                    (&customer, law),
                    number,
                    day,
                    &mut self.json,
                );
                self.written.rnp_entries += 1;
                self.write()?;
            }
            self.listed += 1;
        }
        Ok(())
    }
}

/// The identification code of a purchase (IKZ), 36 digits; there are none before 2017.
fn purchase_code(chance: &mut Chance, customer: &Customer, year: u64) -> String {
    if year < 2017 || chance.percent(6) {
        return String::new();
    }
    let Customer {
        level, inn, kpp, ..
    } = customer;
    let (plan, part) = (chance.wide(1, 900), chance.wide(1, 900));
    let group = if chance.percent(50) {
        0
    } else {
        chance.between(111, 9_609)
    };
    let kind = chance.word(&["244", "244", "244", "244", "243", "247", "323", "242"]);
    format!(
        "{:02}{level}{inn}{kpp}{plan:04}{part:03}{group:04}{kind}",
        year % 100
    )
}

/// The second lot and the third, where there are any.
fn more_lots(chance: &mut Chance, deal: &Deal, day: Day) -> Vec<Vec<super::deal::Position>> {
    let lots = if chance.percent(92) { 0 } else { chance.few(2) };
    let lot = |_| positions(chance, deal.trade, deal.trade.items, day, true);
    (0..lots).map(lot).collect()
}
