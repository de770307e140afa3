//! Lines of the registry of unfair suppliers, of its completeness, and of suppliers without
//! contracts.

use super::calendar::{Date, Days, FIRST, FIRST_615, LAST, after_years, year};
use super::chance::Chance;
use super::json_line::JsonLine;
use super::parties::{Buyer, Seller};
use super::words::words;

/// How many years an entry stays by law.
const STAYS: i32 = 2;

/// The laws.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Law {
    Fz44,
    Fz223,
    Pp615,
}

impl Law {
    /// All of them, in the order of their lines.
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

/// The law an entry is under.
pub fn listed_under(chance: &mut Chance, day: Date) -> Law {
    match chance.below(100) {
        72..87 => Law::Fz223,
        87.. if day >= FIRST_615 => Law::Pp615,
        _ => Law::Fz44,
    }
}

/// An entry, with a running number in the registry.
pub struct NewEntry<'a> {
    pub seller: &'a Seller,
    /// The customer that had it listed.
    pub buyer: &'a Buyer,
    pub law: Law,
    pub number: u64,
    pub published: Date,
}

impl NewEntry<'_> {
    /// Writes the line.
    pub fn write(&self, chance: &mut Chance, json: &mut JsonLine) {
        let registered = self.published.max(FIRST);
        let (number, short_year) = (self.number, year(registered) % 100);
        let registration = match self.law {
            Law::Fz44 => format!("РНП.{:06}-{short_year:02}", number + 10_000),
            Law::Fz223 => format!("Р{short_year:02}{:05}", number + 100),
            Law::Pp615 => format!("РНП-615.{:06}-{short_year:02}", number + 10_000),
        };
        let reasons = &words().documents.reasons;
        let reason = chance.word(match self.law {
            Law::Fz44 => &reasons.fz44,
            Law::Fz223 => &reasons.fz223,
            Law::Pp615 => &reasons.pp615,
        });
        // A supplier that avoided a contract has none.
        let concluded = reasons.after_contract.iter().any(|it| it == reason);
        let concluded = concluded.then(|| registered.minus_days(200));
        let contract = concluded.map(|day| self.contract(day, chance.between(1, 400)));
        let until = self.until(chance, registered);
        json.line("rnpEntry", |json| {
            self.seller.write(json);
            json.object("entry", |json| {
                json.text("registrationNumber", &registration);
                json.day("registrationDate", Some(registered.min(LAST)));
                json.text("reason", reason);
                json.optional("contractNumber", contract.as_ref());
                json.day("excludeDate", until);
                json.text("federalLaw", self.law.code());
                let named = (!chance.percent(5)).then_some(self.buyer);
                let name = self.buyer.full_name();
                json.optional("customerName", named.map(|_| name.as_str()));
                json.optional("customerINN", named.map(|it| it.inn.as_str()));
            });
        });
    }

    /// The number of the contract that the supplier broke, in the form of the law.
    fn contract(&self, signed: Date, ordinal: u64) -> String {
        let (buyer, year) = (self.buyer, year(signed) % 100);
        match self.law {
            Law::Fz44 => buyer.contract_number(signed, ordinal),
            Law::Fz223 => format!("5{}{year:02}{ordinal:06}0000", buyer.inn),
            Law::Pp615 => format!("{}{year:02}{ordinal:05}", buyer.code),
        }
    }

    /// The day of exclusion: one in eight is excluded early, by a court or the authority; the
    /// others leave after the term of the law. Decree 615 has no term.
    fn until(&self, chance: &mut Chance, registered: Date) -> Option<Date> {
        match chance.below(8) {
            0 => Some(registered.plus_days(chance.between(20, 670))),
            _ if self.law == Law::Pp615 => None,
            _ => Some(after_years(registered, STAYS)),
        }
    }
}

/// Writes a supplier that has no contract.
pub fn write_supplier(seller: &Seller, json: &mut JsonLine) {
    json.line("supplier", |json| seller.write(json));
}

/// Writes that the registry of a law is complete.
pub fn write_complete(law: Law, json: &mut JsonLine) {
    json.line("registry", |json| {
        json.text("federalLaw", law.code());
        json.day("completeAsOf", Some(LAST));
    });
}
