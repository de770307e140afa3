//! Lines of the registry of unfair suppliers, of its completeness, and of suppliers without
//! contracts.

use super::calendar::{FIRST, FIRST_615, LAST, year};
use super::chance::Chance;
use super::json_line::JsonLine;
use super::parties::{Buyer, Seller};
use super::words::words;
use crate::model::{Date, Regime};

/// How many years an entry stays by law.
const STAYS: u16 = 2;

/// The law an entry is under.
pub fn listed_under(chance: &mut Chance, day: Date) -> Regime {
    match chance.below(100) {
        72..87 => Regime::Fz223,
        87.. if day >= *FIRST_615 => Regime::Pp615,
        _ => Regime::Fz44,
    }
}

/// An entry, with a running number in the registry.
pub struct NewEntry<'a> {
    pub seller: &'a Seller,
    /// The customer that had it listed.
    pub buyer: &'a Buyer,
    pub law: Regime,
    pub number: u64,
    pub published: Date,
}

impl NewEntry<'_> {
    /// Writes the line.
    pub fn write(&self, chance: &mut Chance, json: &mut JsonLine) {
        let registered = self.published.max(*FIRST);
        let (number, short_year) = (self.number, year(registered) % 100);
        let registration = match self.law {
            Regime::Fz44 => format!("РНП.{:06}-{short_year:02}", number + 10_000),
            Regime::Fz223 => format!("Р{short_year:02}{:05}", number + 100),
            Regime::Pp615 => format!("РНП-615.{:06}-{short_year:02}", number + 10_000),
        };
        let reasons = &words().documents.reasons;
        let reason = chance.word(match self.law {
            Regime::Fz44 => &reasons.fz44,
            Regime::Fz223 => &reasons.fz223,
            Regime::Pp615 => &reasons.pp615,
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
                json.day("registrationDate", Some(registered.min(*LAST)));
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
            Regime::Fz44 => buyer.contract_number(signed, ordinal),
            Regime::Fz223 => format!("5{}{year:02}{ordinal:06}0000", buyer.inn),
            Regime::Pp615 => format!("{}{year:02}{ordinal:05}", buyer.code),
        }
    }

    /// The day of exclusion: one in eight is excluded early, by a court or the authority; the
    /// others leave after the term of the law. Decree 615 has no term.
    fn until(&self, chance: &mut Chance, registered: Date) -> Option<Date> {
        match chance.below(8) {
            0 => Some(registered.plus_days(chance.between(20, 670))),
            _ if self.law == Regime::Pp615 => None,
            _ => registered.plus_years(STAYS),
        }
    }
}

/// Writes a supplier that has no contract.
pub fn write_supplier(seller: &Seller, json: &mut JsonLine) {
    json.line("supplier", |json| seller.write(json));
}

/// Writes that the registry of a law is complete.
pub fn write_complete(law: Regime, json: &mut JsonLine) {
    json.line("registry", |json| {
        json.text("federalLaw", law.code());
        json.day("completeAsOf", Some(*LAST));
    });
}
