//! A line of a purchase under 44-FZ.

use super::calendar::{Day, LAST};
use super::chance::Chance;
use super::contract::Contract;
use super::deal::{Deal, Position};
use super::json::Json;
use super::lot44::{Card, write_lot};
use super::who::{Customer, Person, Supplier};
use super::words::documents::{ATTACHMENTS, PLATFORMS, RESTRICTIONS, Restriction, WAYS_44};

/// A purchase that ended in a contract with a supplier, or in none.
#[derive(Debug)]
pub struct Purchase44<'a> {
    pub number: &'a str,
    pub deal: &'a Deal,
    pub purchase_code: &'a str,
    pub published: Day,
    /// The last day of submission.
    pub closes: Day,
    pub outcome: Option<(&'a Contract, &'a Supplier)>,
    /// What is bought in the second and the third lot.
    pub more_lots: &'a [Vec<Position>],
}

impl Purchase44<'_> {
    fn stage(&self, chance: &mut Chance) -> &'static str {
        if self.outcome.is_some() {
            return "Закупка завершена";
        }
        if self.closes >= LAST {
            return "Подача заявок";
        }
        if self.closes.plus(12) >= LAST {
            return "Работа комиссии";
        }
        if chance.percent(40) {
            "Закупка отменена"
        } else {
            "Определение поставщика завершено"
        }
    }

    /// Writes the line.
    pub fn write(&self, chance: &mut Chance, json: &mut Json) {
        let deal = self.deal;
        let (way, link) = way(chance);
        let stage = self.stage(chance);
        let restriction = restriction(chance, deal);
        let at = chance.between(480, 1_020);
        let lots = self.more_lots.iter().flatten();
        let whole = deal.initial_price() + lots.map(Position::sum).sum::<u64>();
        json.begin("purchase44");
        json.object("purchase", |json| {
            json.text("purchaseNumber", self.number);
            json.dotted("docPublishDate", Some(self.published));
            let host = "https://example.org/epz/order/notice";
            let page = format!(
                "{host}/{link}/view/common-info.html?regNumber={}",
                self.number
            );
            json.text("href", &page);
            json.text("purchaseObjectInfo", &deal.subject);
            json.text("placingWay", way);
            let electronic = link != "ep44";
            json.text(
                "ETP",
                if electronic {
                    chance.word(PLATFORMS)
                } else {
                    ""
                },
            );
            json.text("stage", stage);
            json.amount("fullNMCK", whole);
            write_responsible(chance, &deal.customer, json);
            self.write_procedure(chance, link, at, json);
            let card = Card {
                purchase: self,
                restriction,
            };
            json.items("lots", "lot", 0..=self.more_lots.len(), |json, lot| {
                write_lot(chance, &card, lot, json);
            });
            json.items(
                "restrictions",
                "restriction",
                restriction,
                |json, restriction| {
                    json.text("shortName", restriction.0);
                },
            );
            let cancelled = stage == "Закупка отменена";
            let (year, month, day) = self.closes.parts();
            let when = format!("{day:02}.{month:02}.{year}");
            json.text("canceld", if cancelled { &when } else { "" });
            json.moment("firstPublishDate", Some((self.published, at)));
            json.text("region", deal.customer.region.name);
            self.write_attachments(chance, at, json);
        });
        json.end();
    }

    fn write_procedure(&self, chance: &mut Chance, link: &str, at: u64, json: &mut Json) {
        let start = (self.published, at);
        let end = (self.closes, 60 * chance.between(7, 10));
        let later = |days: u64| Some((self.closes.plus(days).working(), 0));
        let contest = link == "ok20";
        let staged = link == "okd504";
        json.object("procedureInfo", |json| {
            json.moment("start", Some(start));
            json.moment("end", Some(end));
            json.moment("opening", staged.then_some(end));
            json.moment("scoring", later(1).filter(|_| staged || contest));
            json.moment(
                "bidding",
                Some((self.closes, end.1 + 120)).filter(|_| link == "ea20"),
            );
            json.moment("finalOpening", later(9).filter(|_| staged));
            json.moment("selecting", later(4).filter(|_| staged));
            json.moment("prequalification", later(3).filter(|_| staged));
            for (stage, from) in [("stage1", 0), ("stage2", 12)] {
                json.object(stage, |json| {
                    let at = |days: u64| {
                        let day = self.published.plus(from + days).working();
                        Some((day, 600)).filter(|_| staged)
                    };
                    json.moment("start", at(0));
                    json.moment("end", at(8));
                    json.moment("opening", at(9));
                    json.moment("scoring", at(10));
                });
            }
            json.moment("summarizingDate", later(2));
            json.moment("firstPartsDate", later(2).filter(|_| contest));
            json.moment("submissionDate", later(3).filter(|_| contest));
            json.moment("secondPartsDate", later(5).filter(|_| contest));
        });
    }

    fn write_attachments(&self, chance: &mut Chance, at: u64, json: &mut Json) {
        let shown = chance.between(2, ATTACHMENTS.len() as u64) as usize;
        json.items(
            "attachments",
            "attachment",
            &ATTACHMENTS[..shown],
            |json, (code, kind, file, what)| {
                let lead = chance
                    .percent(30)
                    .then(|| format!("{} ", chance.wide(100, 16_000_000)));
                json.text("fileName", &format!("{}{file}", lead.unwrap_or_default()));
                json.text("fileSize", &chance.wide(9_000, 9_000_000).to_string());
                json.text("docDescription", what);
                json.moment(
                    "docDate",
                    Some((self.published, at.saturating_sub(chance.wide(1, 90)))),
                );
                let uid = format!(
                    "{:016X}{:016X}",
                    chance.below(u64::MAX),
                    chance.below(u64::MAX)
                );
                let store = "https://example.org/44fz/filestore/public/1.0/download/priz/file.html";
                json.text("url", &format!("{store}?uid={uid}"));
                json.text("docKindCode", code);
                json.text("docKindName", kind);
            },
        );
    }
}

/// A restriction, if there is one: what keeps foreign things out is of goods, and what
/// keeps large businesses out of what is not too dear.
fn restriction(chance: &mut Chance, deal: &Deal) -> Option<&'static Restriction> {
    let (goods, small) = RESTRICTIONS;
    match chance.below(100) {
        0..34 if deal.initial_price() < 2_000_000_000 => Some(small),
        34..64 if deal.trade.kind == "PRODUCT" => Some(chance.pick(goods)),
        _ => None,
    }
}

/// A way to choose a supplier: name, the part of a link.
fn way(chance: &mut Chance) -> (&'static str, &'static str) {
    let mut share = chance.below(100);
    let way = WAYS_44.iter().find(|(_, _, of)| {
        let found = share < *of;
        share = share.saturating_sub(*of);
        found
    });
    let (name, link, _) = way.copied().unwrap_or(WAYS_44[0]);
    (name, link)
}

/// The name of a person as an object.
pub fn write_person(json: &mut Json, person: &Person) {
    json.object("contactPerson", |json| {
        json.text("lastName", &person.last);
        json.text("firstName", person.first);
        json.text("middleName", person.middle);
    });
}

fn write_responsible(chance: &mut Chance, customer: &Customer, json: &mut Json) {
    json.object("responsibleOrg", |json| {
        json.text("fullName", &customer.full_name());
        json.text("inn", &customer.inn);
        json.text("kpp", &customer.kpp);
        json.text("factAddress", &customer.address());
        write_person(json, &customer.contact());
        json.text("contactEmail", &customer.email());
        json.text("contactPhone", &customer.phone());
        json.text("role", chance.word(&["CU", "CU", "CU", "CU", "RA", "CS"]));
    });
}
