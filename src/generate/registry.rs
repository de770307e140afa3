//! Lines of the registry of unfair suppliers, of its completeness, and of suppliers without
//! contracts.

use super::calendar::{FIRST, FIRST_615, LAST, year};
use super::chance::Chance;
use super::json_line::JsonLine;
use super::parties::{Buyer, Seller};
use super::words::words;
use crate::model::{Date, Regime};

/// How long an entry stays, in days: two years.
const STAYS: u64 = 731;

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
        let reason = chance.word(&words().documents.reasons);
        // A supplier that evaded a contract has none.
        let concluded = reason.starts_with("Расторжение") || reason == "CANCEL_CONTRACT";
        let Buyer { level, inn, .. } = self.buyer;
        let before = year(registered.minus_days(200)) % 100;
        let contract = match self.law {
            Regime::Fz223 => format!("5{inn}{before:02}{:04}0000", chance.below(9_000)),
            _ => format!("{level}{inn}{before:02}{:06}", chance.between(1, 400)),
        };
        let until = until(chance, registered);
        json.line("rnpEntry", |json| {
            self.seller.write(json);
            json.object("entry", |json| {
                json.text("registrationNumber", &registration);
                json.day("registrationDate", Some(registered.min(*LAST)));
                json.text("reason", reason);
                json.optional("contractNumber", concluded.then_some(&contract));
                json.day("excludeDate", until);
                json.text("federalLaw", self.law.code());
                let named = (!chance.percent(5)).then_some(self.buyer);
                let name = self.buyer.full_name();
                json.optional("customerName", named.map(|_| name.as_str()));
                json.optional("customerINN", named.map(|it| it.inn.as_str()));
            });
        });
    }
}

/// The day of an entry's exclusion, if one is set.
fn until(chance: &mut Chance, registered: Date) -> Option<Date> {
    let days = match chance.below(100) {
        0..6 => return None,
        // A court, or the authority itself, excluded it early.
        6..18 => chance.between(20, STAYS - 60),
        // Its listing has been prolonged.
        18..22 => 4 * STAYS,
        _ => STAYS - 1,
    };
    Some(registered.plus_days(days))
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
