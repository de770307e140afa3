//! The registry of unfair suppliers: entries and statements that it is complete. Also suppliers without
//! contracts.

use super::calendar::{Date, Days, FIRST, FIRST_615, LAST, after_years, year};
use super::json_line::JsonLine;
use super::parties::{Buyer, Seller};
use super::rng::Rng;
use super::words::words;

/// Number of years for which an entry stays in the registry by law.
const LISTED_YEARS: i32 = 2;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Law {
    Fz44,
    Fz223,
    Pp615,
}

impl Law {
    /// All laws, in the order in which they are written.
    pub const ALL: [Self; 3] = [Self::Fz44, Self::Fz223, Self::Pp615];

    /// The code in the registry (`federalLaw`).
    fn code(self) -> &'static str {
        match self {
            Self::Fz44 => "44",
            Self::Fz223 => "223",
            Self::Pp615 => "615",
        }
    }
}

pub fn random_law(rng: &mut Rng, day: Date) -> Law {
    match rng.below(100) {
        72..87 => Law::Fz223,
        87.. if day >= FIRST_615 => Law::Pp615,
        _ => Law::Fz44,
    }
}

pub struct NewEntry<'a> {
    pub seller: &'a Seller,
    /// The customer at whose request the supplier was listed.
    pub buyer: &'a Buyer,
    pub law: Law,
    /// Sequential number in the registry.
    pub number: u64,
    pub published: Date,
}

impl NewEntry<'_> {
    pub fn write(&self, rng: &mut Rng, json: &mut JsonLine) {
        let registered = self.published.max(FIRST);
        let (number, short_year) = (self.number, year(registered) % 100);
        let registration = match self.law {
            Law::Fz44 => format!("РНП.{:06}-{short_year:02}", number + 10_000),
            Law::Fz223 => format!("Р{short_year:02}{:05}", number + 100),
            Law::Pp615 => format!("РНП-615.{:06}-{short_year:02}", number + 10_000),
        };
        let reasons = &words().documents.reasons;
        let reason = rng.pick_word(match self.law {
            Law::Fz44 => &reasons.fz44,
            Law::Fz223 => &reasons.fz223,
            Law::Pp615 => &reasons.pp615,
        });
        // A supplier that refused to sign has no contract.
        let concluded = reasons.after_contract.iter().any(|it| it == reason);
        let concluded = concluded.then(|| registered.minus_days(200));
        let contract = concluded.map(|day| self.contract(day, rng.between(1, 400)));
        let until = self.until(rng, registered);
        json.line("rnpEntry", |json| {
            self.seller.write(json);
            json.object("entry", |json| {
                json.text("registrationNumber", &registration);
                json.day("registrationDate", Some(registered.min(LAST)));
                json.text("reason", reason);
                json.optional("contractNumber", contract.as_ref());
                json.day("excludeDate", until);
                json.text("federalLaw", self.law.code());
                let named = (!rng.percent(5)).then_some(self.buyer);
                let name = self.buyer.full_name();
                json.optional("customerName", named.map(|_| name.as_str()));
                json.optional("customerINN", named.map(|it| it.inn.as_str()));
            });
        });
    }

    /// Number of the breached contract, in the form that the law uses.
    fn contract(&self, signed: Date, ordinal: u64) -> String {
        let (buyer, year) = (self.buyer, year(signed) % 100);
        match self.law {
            Law::Fz44 => buyer.contract_number(signed, ordinal),
            Law::Fz223 => format!("5{}{year:02}{ordinal:06}0000", buyer.inn),
            Law::Pp615 => format!("{}{year:02}{ordinal:05}", buyer.code),
        }
    }

    /// Draws the day on which an entry is excluded. One in eight entries is excluded early, by a
    /// court or the authority, and the others at the end of the statutory term. Decree 615 sets no
    /// term.
    fn until(&self, rng: &mut Rng, registered: Date) -> Option<Date> {
        match rng.below(8) {
            0 => Some(registered.plus_days(rng.between(20, 670))),
            _ if self.law == Law::Pp615 => None,
            _ => Some(after_years(registered, LISTED_YEARS)),
        }
    }
}

pub fn write_supplier(seller: &Seller, json: &mut JsonLine) {
    json.line("supplier", |json| seller.write(json));
}

/// Writes that the registry of a law is complete as of the last day of the data.
pub fn write_complete(law: Law, json: &mut JsonLine) {
    json.line("registry", |json| {
        json.text("federalLaw", law.code());
        json.day("completeAsOf", Some(LAST));
    });
}
