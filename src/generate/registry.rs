//! Lines of the registry of unfair suppliers, that it is complete, and of suppliers by
//! themselves.

use super::calendar::{Day, FIRST, FIRST_615, LAST};
use super::chance::Chance;
use super::json::Json;
use super::who::{Customer, Supplier};
use super::words::documents::REASONS;

/// The laws that have a registry.
pub const LAWS: [&str; 3] = ["44", "223", "615"];

/// How long an entry stays, in days: two years.
const STAYS: u64 = 731;

/// The law an entry is under.
pub fn listed_under(chance: &mut Chance, day: Day) -> &'static str {
    match chance.below(100) {
        72..87 => "223",
        87.. if day >= FIRST_615 => "615",
        _ => "44",
    }
}

/// Writes an entry of `supplier`, the `number`th of the registry.
pub fn write_entry(
    chance: &mut Chance,
    supplier: &Supplier,
    (customer, law): (&Customer, &str),
    number: u64,
    published: Day,
    json: &mut Json,
) {
    let registered = published.max(FIRST);
    let year = registered.year();
    let registration = match law {
        "44" => format!("РНП.{:06}-{:02}", number + 10_000, year % 100),
        "223" => format!("Р{:02}{:05}", year % 100, number + 100),
        _ => format!("РНП-615.{:06}-{:02}", number + 10_000, year % 100),
    };
    let reason = chance.word(REASONS);
    // Who evaded a contract has none.
    let concluded = reason.starts_with("Расторжение") || reason == "CANCEL_CONTRACT";
    let before = registered.minus(200).year() % 100;
    let contract = match law {
        "223" => format!("5{}{before:02}{:04}0000", customer.inn, chance.below(9_000)),
        _ => format!(
            "{}{}{before:02}{:06}",
            customer.level,
            customer.inn,
            chance.between(1, 400)
        ),
    };
    let until = until(chance, registered);
    json.begin("rnpEntry");
    json.object("supplier", |json| {
        json.text("inn", &supplier.inn);
        json.text("name", &supplier.name);
    });
    json.object("entry", |json| {
        json.text("registrationNumber", &registration);
        json.day("registrationDate", Some(registered.min(LAST)));
        json.text("reason", reason);
        json.text("contractNumber", if concluded { &contract } else { "" });
        json.day("excludeDate", until);
        json.text("federalLaw", law);
        let named = !chance.percent(5);
        let name = customer.full_name();
        json.text("customerName", if named { &name } else { "" });
        json.text("customerINN", if named { &customer.inn } else { "" });
    });
    json.end();
}

/// The day an entry goes, if one is set.
fn until(chance: &mut Chance, registered: Day) -> Option<Day> {
    match chance.below(100) {
        0..6 => None,
        // A court, or the service itself, took it out early.
        6..18 => Some(registered.plus(chance.between(20, STAYS - 60))),
        // It has been ordered to stay for more.
        18..22 => Some(registered.plus(4 * STAYS)),
        _ => Some(registered.plus(STAYS - 1)),
    }
}

/// Writes a supplier that has no contract.
pub fn write_supplier(supplier: &Supplier, json: &mut Json) {
    json.begin("supplier");
    json.object("supplier", |json| {
        json.text("inn", &supplier.inn);
        json.text("name", &supplier.name);
    });
    json.end();
}

/// Writes that the registry of a law is complete.
pub fn write_complete(law: &str, json: &mut Json) {
    json.begin("registry");
    json.text("federalLaw", law);
    json.day("completeAsOf", Some(LAST));
    json.end();
}
