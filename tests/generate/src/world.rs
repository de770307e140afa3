//! Decides what is published when, and who takes part.

use std::collections::VecDeque;
use std::io::{self, Write};

use super::calendar::{Date, Days, FIRST, FIRST_615, LAST, Timeline, working, year};
use super::contract::NewContract;
use super::deal::Deal;
use super::json_line::JsonLine;
use super::lexicon::Lexicon;
use super::notice::{Notice, more_lots, term};
use super::numbers::Numbers;
use super::parties::{Buyer, Seller};
use super::plan::{Generated, Plan};
use super::purchase44::NewPurchase44;
use super::purchase223::write_purchase223;
use super::purchase615::NewPurchase615;
use super::registry::{Law, NewEntry, random_law, write_complete, write_supplier};
use super::rng::{Purpose, Rng};
use super::sizes::{SupplierShares, Zipf};
use super::words::{Trade, first_fitting, words};

/// Maximum number of purchases that can get further contracts.
const OPEN_PURCHASES: usize = 64;

/// A purchase that can get further contracts.
struct OpenPurchase {
    number: String,
    buyer: u64,
    trade: &'static Trade,
}

pub struct World<'a, W> {
    plan: Plan,
    out: &'a mut W,
    written: Generated,
    json: JsonLine,
    numbers: Numbers,
    timeline: Timeline,
    shares: SupplierShares,
    /// Random numbers for choosing suppliers. All lines share this one sequence.
    order: Rng,
    customers: Zipf,
    companies: u64,
    /// How many contracts and purchases each customer has so far, and how many purchases each fund
    /// has.
    contracts_of: Vec<u32>,
    purchases_of: Vec<u32>,
    purchases_615_of: Vec<u32>,
    open: VecDeque<OpenPurchase>,
    listed: u64,
    lexicon: Option<Lexicon>,
}

impl<'a, W: Write> World<'a, W> {
    pub fn new(plan: Plan, out: &'a mut W) -> Self {
        let customers = (plan.contracts / 200)
            .max(plan.purchases / 40)
            .clamp(30, 1_000_000);
        Self {
            plan,
            out,
            written: Generated::default(),
            json: JsonLine::default(),
            numbers: Numbers::new(plan.seed),
            timeline: Timeline::new(),
            shares: SupplierShares::new(plan.suppliers, plan.contracts),
            order: Rng::new(plan.seed, Purpose::Order, 0),
            customers: Zipf::new(customers, 20),
            companies: (plan.purchases / 60).clamp(8, 500_000),
            contracts_of: vec![0; customers as usize],
            purchases_of: vec![0; customers as usize],
            purchases_615_of: vec![0; words().places.regions.len()],
            open: VecDeque::with_capacity(OPEN_PURCHASES),
            listed: 0,
            lexicon: (plan.words > 0).then(|| Lexicon::new(plan.words)),
        }
    }

    /// Writes everything published before the next contract, and then that contract.
    pub fn contract(&mut self) -> io::Result<()> {
        let at = self.written.contracts;
        let day = self.timeline.at(at, self.plan.contracts);
        self.write_entries_until(at, day)?;
        let announced = self.purchases_until(at, day)?;
        let mut rng = self.rng(Purpose::Contract, at);
        let rank = self.shares.next(&mut self.order);
        let seller = self.seller(rank);
        let open = (announced.is_none() && rng.percent(16))
            .then(|| self.open.get(rng.below(OPEN_PURCHASES as u64) as usize))
            .flatten();
        let (buyer, trade, number) = match open {
            Some(open) => {
                let buyer = self.institution(open.buyer);
                (buyer, open.trade, open.number.clone())
            }
            None => {
                let (buyer, trade) = self.buyer(&mut rng, seller.trade);
                (buyer, trade, String::new())
            }
        };
        let mut deal = Deal::new(&mut rng, buyer, trade, day, announced.is_some());
        self.add_words(&mut deal, 2 * at);
        let contract = self.sign(&mut rng, deal, day, number, announced.is_some());
        if let Some(purchase) = announced {
            self.announce(purchase, &contract, &seller)?;
        }
        let mut goods = self.rng(Purpose::Goods, at);
        contract.write(&mut rng, &mut goods, &seller, &mut self.json);
        self.written.contracts += 1;
        self.write()
    }

    /// Writes everything published after the last contract.
    pub fn finish(mut self) -> io::Result<Generated> {
        self.write_entries_until(self.plan.contracts, LAST)?;
        while self.written.purchases < self.plan.purchases {
            self.purchase(LAST, false)?;
        }
        for rank in 0..self.plan.suppliers {
            if !self.shares.has_contracts(rank) {
                write_supplier(&self.seller(rank), &mut self.json);
                self.written.suppliers += 1;
                self.write()?;
            }
        }
        for law in Law::ALL {
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

    fn rng(&self, purpose: Purpose, index: u64) -> Rng {
        Rng::new(self.plan.seed, purpose, index)
    }

    fn seller(&self, rank: u64) -> Seller {
        Seller::new(self.plan.seed, self.numbers, rank)
    }

    fn any_trade(rng: &mut Rng) -> usize {
        rng.below(words().trades.len() as u64) as usize
    }

    fn institution(&self, index: u64) -> Buyer {
        Buyer::institution(self.plan.seed, self.numbers, index)
    }

    /// Draws a customer and the trade it buys from, most often the seller's main trade `mostly`.
    fn buyer(&self, rng: &mut Rng, mostly: usize) -> (Buyer, &'static Trade) {
        let any = Self::any_trade(rng);
        let trades = self.trades(rng);
        let wanted = if rng.percent(80) { mostly } else { any };
        let wanted = &trades[wanted % trades.len()];
        let mut last = self.customers.draw(rng);
        for _ in 0..16 {
            if wanted.is_bought_by(Buyer::kind(self.plan.seed, last)) {
                return (self.institution(last), wanted);
            }
            last = self.customers.draw(rng);
        }
        let buyer = self.institution(last);
        let kind = Buyer::kind(self.plan.seed, last);
        let other = first_fitting(trades, any, |trade| trade.is_bought_by(kind));
        (buyer, other.unwrap_or(wanted))
    }

    /// Draws the list of trades to choose from: the market or the others.
    fn trades(&self, rng: &mut Rng) -> &'static [Trade] {
        match self.plan.market > 0 && rng.percent(self.plan.market) {
            true => &words().market,
            false => &words().trades,
        }
    }

    /// Adds invented words to the subject of a deal and to the names of its items, if the plan asks
    /// for them. `index` must be different for each deal.
    fn add_words(&self, deal: &mut Deal, index: u64) {
        let Some(lexicon) = &self.lexicon else {
            return;
        };
        let mut rng = self.rng(Purpose::Words, index);
        let count = rng.between(1, 4);
        deal.subject = format!("{} ({})", deal.subject, lexicon.phrase(&mut rng, count));
        for position in &mut deal.positions {
            let count = rng.between(1, 3);
            let words = lexicon.phrase(&mut rng, count);
            position.feature = match &*position.feature {
                "" => words,
                feature => format!("{feature}, {words}"),
            };
        }
    }

    /// Returns the next purchase number of a customer.
    fn purchase_number(&mut self, buyer: &Buyer, published: Date) -> String {
        let number = next(&mut self.purchases_of, buyer.index);
        format!("{}{:02}{number:06}", buyer.code, year(published) % 100)
    }

    /// Creates the contract of a deal. `open` is the purchase number if the notice of the purchase
    /// was already written, otherwise empty.
    fn sign(
        &mut self,
        rng: &mut Rng,
        deal: Deal,
        day: Date,
        open: String,
        announced: bool,
    ) -> NewContract {
        let (signed, ends) = NewContract::days(rng, &deal, day);
        let number = next(&mut self.contracts_of, deal.buyer.index);
        let before = signed.minus_days(24);
        let known = announced || !open.is_empty();
        let purchase_number = if !open.is_empty() {
            open
        } else if announced || rng.percent(66) {
            self.purchase_number(&deal.buyer, before)
        } else {
            String::new()
        };
        let known = known || !purchase_number.is_empty() && rng.percent(25);
        let notice_term = known.then(|| term(rng, before, ends));
        NewContract {
            reg_num: deal.buyer.contract_number(signed, number.into()),
            purchase_number,
            notice_term,
            purchase_code: purchase_code(rng, &deal.buyer, year(signed)),
            published: day,
            signed,
            ends,
            deal,
        }
    }

    /// Writes the card of the purchase that led to a contract. `index` is the index of the
    /// purchase.
    fn announce(&mut self, index: u64, contract: &NewContract, seller: &Seller) -> io::Result<()> {
        let mut rng = self.rng(Purpose::Purchase, index);
        let closes = working(contract.signed.minus_days(rng.between(11, 20)));
        let closes = closes.max(FIRST.plus_days(1));
        let more_lots = more_lots(&mut rng, &contract.deal, closes);
        let published = closes.minus_days(rng.between(7, 24)).max(FIRST);
        let purchase = NewPurchase44 {
            notice: Notice {
                number: &contract.purchase_number,
                deal: &contract.deal,
                published,
                closes,
                more_lots,
            },
            purchase_code: &contract.purchase_code,
            outcome: Some((contract, seller)),
        };
        purchase.write(&mut rng, &mut self.json);
        if self.open.len() == OPEN_PURCHASES {
            self.open.pop_front();
        }
        self.open.push_back(OpenPurchase {
            number: contract.purchase_number.clone(),
            buyer: contract.deal.buyer.index,
            trade: contract.deal.trade,
        });
        self.write()
    }

    /// Writes the purchases that come before contract number `at`. If that contract has its own
    /// purchase, returns the index of this purchase without writing it.
    fn purchases_until(&mut self, at: u64, day: Date) -> io::Result<Option<u64>> {
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

    /// Returns whether item `index` of `all` comes before contract `at`, if the items are spread
    /// evenly over the contracts.
    fn is_due(&self, index: u64, all: u64, at: u64) -> bool {
        u128::from(index) * u128::from(self.plan.contracts) <= u128::from(at) * u128::from(all)
    }

    /// Writes the next purchase. If `may_end` is true, the purchase may turn out to be the one that
    /// leads to the next contract. In that case, returns `true` without writing it.
    fn purchase(&mut self, day: Date, may_end: bool) -> io::Result<bool> {
        let index = self.written.purchases;
        self.written.purchases += 1;
        // The card itself uses `Purpose::Purchase`.
        let mut rng = self.rng(Purpose::Law, index);
        let law = match rng.below(100) {
            62..87 => Law::Fz223,
            87.. if day >= FIRST_615 => Law::Pp615,
            _ => Law::Fz44,
        };
        match law {
            Law::Fz44 if may_end && rng.percent(84) => return Ok(true),
            Law::Fz44 => self.purchase44(index, day),
            Law::Fz223 => self.purchase223(index, day),
            Law::Pp615 => self.purchase615(index, day),
        }
        self.write()?;
        Ok(false)
    }

    fn purchase44(&mut self, index: u64, day: Date) {
        let mut rng = self.rng(Purpose::Purchase, index);
        let mostly = Self::any_trade(&mut rng);
        let (buyer, trade) = self.buyer(&mut rng, mostly);
        let mut deal = Deal::new(&mut rng, buyer, trade, day, true);
        self.add_words(&mut deal, 2 * index + 1);
        let number = self.purchase_number(&deal.buyer, day);
        let closes = working(day.plus_days(rng.between(7, 24)));
        let more_lots = more_lots(&mut rng, &deal, day);
        let purchase = NewPurchase44 {
            purchase_code: &purchase_code(&mut rng, &deal.buyer, year(day)),
            notice: Notice {
                number: &number,
                deal: &deal,
                published: day,
                closes,
                more_lots,
            },
            outcome: None,
        };
        purchase.write(&mut rng, &mut self.json);
    }

    fn purchase223(&mut self, index: u64, day: Date) {
        let mut rng = self.rng(Purpose::Purchase, index);
        let company = rng.below(self.companies);
        let buyer = Buyer::company(self.plan.seed, self.numbers, company);
        let any = Self::any_trade(&mut rng);
        // Companies buy the same things as institutions.
        let trades = self.trades(&mut rng);
        let trade = first_fitting(trades, any, Trade::is_bought_by_all);
        let trade = trade.unwrap_or(&words().trades[any]);
        let mut deal = Deal::new(&mut rng, buyer, trade, day, true);
        self.add_words(&mut deal, 2 * index + 1);
        let notice = Notice {
            number: &format!("3{:02}{:08}", year(day) % 100, 100_000 + index),
            deal: &deal,
            published: day,
            more_lots: more_lots(&mut rng, &deal, day),
            closes: working(day.plus_days(rng.between(5, 24))),
        };
        let seller = self.seller(rng.below(self.plan.suppliers));
        write_purchase223(&notice, &seller, &mut rng, &mut self.json);
    }

    fn purchase615(&mut self, index: u64, day: Date) {
        let mut rng = self.rng(Purpose::Purchase, index);
        let region = rng.below(words().places.regions.len() as u64);
        let fund = Buyer::fund(self.plan.seed, self.numbers, region);
        let seller = self.seller(rng.below(self.plan.suppliers));
        let number = next(&mut self.purchases_615_of, region) % 100_000;
        let purchase = NewPurchase615 {
            number: &format!("{}{:02}{number:05}", fund.code, year(day) % 100),
            fund: &fund,
            seller: &seller,
            published: day,
        };
        purchase.write(&mut rng, &mut self.json);
    }

    /// Draws the customer at whose request a supplier is listed.
    fn complainant(&self, rng: &mut Rng, law: Law) -> Buyer {
        let (seed, numbers) = (self.plan.seed, self.numbers);
        match law {
            Law::Fz44 => self.institution(self.customers.draw(rng)),
            Law::Fz223 => Buyer::company(seed, numbers, rng.below(self.companies)),
            Law::Pp615 => {
                let region = rng.below(words().places.regions.len() as u64);
                Buyer::fund(seed, numbers, region)
            }
        }
    }

    /// Writes the entries of the registry of unfair suppliers that come before contract number
    /// `at`. One supplier in a hundred has entries; there is at least one such supplier.
    fn write_entries_until(&mut self, at: u64, day: Date) -> io::Result<()> {
        let all = (self.plan.suppliers / 100).max(1);
        while self.listed < all && self.is_due(self.listed, all, at) {
            let mut rng = self.rng(Purpose::Registry, self.listed);
            // Steps of a prime number visit each group of a hundred suppliers once, in a mixed
            // order.
            let step = if all.is_multiple_of(7_919) { 1 } else { 7_919 };
            let from = self.listed * step % all * 100;
            let rank = from + rng.below((self.plan.suppliers - from).min(100));
            let seller = self.seller(rank);
            for entry in 0..rng.geometric(3) {
                let law = random_law(&mut rng, day);
                let entry = NewEntry {
                    seller: &seller,
                    buyer: &self.complainant(&mut rng, law),
                    law,
                    number: 3 * self.listed + entry,
                    published: day,
                };
                entry.write(&mut rng, &mut self.json);
                self.written.rnp_entries += 1;
                self.write()?;
            }
            self.listed += 1;
        }
        Ok(())
    }
}

fn next(counters: &mut [u32], index: u64) -> u32 {
    let counter = counters.get_mut(index as usize);
    counter.map_or(0, |counter| {
        *counter += 1;
        *counter
    })
}

/// Draws the identification code of a purchase (IKZ), which has 36 digits. The code is empty before
/// 2017, and sometimes also later.
fn purchase_code(rng: &mut Rng, buyer: &Buyer, year: u64) -> String {
    if year < 2017 || rng.percent(6) {
        return String::new();
    }
    let payer = format!("{}{}{}", buyer.level, buyer.inn, buyer.kpp);
    let (plan, part) = (rng.log_uniform(1, 900), rng.log_uniform(1, 900));
    let group = match rng.percent(50) {
        true => 0,
        false => rng.between(111, 9_609),
    };
    let kind = rng.pick(&["244", "244", "244", "244", "243", "247", "323", "242"]);
    let year = year % 100;
    format!("{year:02}{payer}{plan:04}{part:03}{group:04}{kind}")
}
