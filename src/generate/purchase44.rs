//! A line of a purchase under 44-FZ.

use super::calendar::{LAST, dotted, working};
use super::chance::Chance;
use super::contract::NewContract;
use super::deal::{Deal, Position, total};
use super::json_line::JsonLine;
use super::lot44::NewLot44;
use super::parties::{Buyer, Seller};
use super::words::words;
use crate::model::Date;

/// A purchase that ended in a contract with a supplier, or in none.
#[derive(Debug)]
pub struct NewPurchase44<'a> {
    pub number: &'a str,
    pub deal: &'a Deal,
    pub purchase_code: &'a str,
    pub published: Date,
    /// The last day of submission.
    pub closes: Date,
    pub outcome: Option<(&'a NewContract, &'a Seller)>,
    /// What is bought in the second and the third lot.
    pub more_lots: &'a [Vec<Position>],
}

impl NewPurchase44<'_> {
    fn stage(&self, chance: &mut Chance) -> &'static str {
        if self.outcome.is_some() {
            "Закупка завершена"
        } else if self.closes >= *LAST {
            "Подача заявок"
        } else if self.closes.plus_days(12) >= *LAST {
            "Работа комиссии"
        } else if chance.percent(40) {
            "Закупка отменена"
        } else {
            "Определение поставщика завершено"
        }
    }

    /// Writes the line.
    pub fn write(&self, chance: &mut Chance, json: &mut JsonLine) {
        let deal = self.deal;
        let [way, link] = way(chance);
        let stage = self.stage(chance);
        let restriction = restriction(chance, deal);
        let at = chance.between(480, 1_020);
        let more: u64 = self.more_lots.iter().map(|lot| total(lot)).sum();
        let host = "https://example.org/epz/order/notice";
        let page = format!(
            "{host}/{link}/view/common-info.html?regNumber={}",
            self.number
        );
        json.line("purchase44", |json| {
            json.object("purchase", |json| {
                json.text("purchaseNumber", self.number);
                json.dotted("docPublishDate", Some(self.published));
                json.text("href", &page);
                json.text("purchaseObjectInfo", &deal.subject);
                json.text("placingWay", way);
                let electronic = link != "ep44";
                let platform = electronic.then(|| chance.word(&words().documents.platforms));
                json.optional("ETP", platform);
                json.text("stage", stage);
                json.amount("fullNMCK", deal.initial_price() + more);
                write_responsible(chance, &deal.buyer, json);
                self.write_procedure(chance, link, at, json);
                self.write_lots(chance, restriction, json);
                json.items(
                    "restrictions/restriction",
                    restriction,
                    |json, [code, ..]| {
                        json.text("shortName", code);
                    },
                );
                let cancelled = stage == "Закупка отменена";
                let when = dotted(self.closes);
                json.optional("canceld", cancelled.then_some(&when));
                json.moment("firstPublishDate", Some((self.published, at)));
                json.text("region", &deal.buyer.region.name);
                self.write_attachments(chance, at, json);
            });
        });
    }

    fn write_lots(&self, chance: &mut Chance, restriction: Restriction, json: &mut JsonLine) {
        let positions = [&self.deal.positions].into_iter().chain(self.more_lots);
        json.items(
            "lots/lot",
            positions.zip(1..),
            |json, (positions, number)| {
                let lot = NewLot44 {
                    number,
                    deal: self.deal,
                    positions,
                    purchase_code: self.purchase_code,
                    published: self.published,
                    closes: self.closes,
                    ends: self.outcome.map(|(contract, _)| contract.ends),
                    // What the other lots ended in is not told.
                    outcome: self.outcome.filter(|_| number == 1),
                    restriction,
                };
                lot.write(chance, json);
            },
        );
    }

    fn write_procedure(&self, chance: &mut Chance, link: &str, at: u64, json: &mut JsonLine) {
        let end = (self.closes, 60 * chance.between(7, 10));
        let later = |days: u64| Some((working(self.closes.plus_days(days)), 0));
        let auction = (link == "ea20").then_some((self.closes, end.1 + 120));
        let contest = link == "ok20";
        let staged = link == "okd504";
        json.object("procedureInfo", |json| {
            json.moment("start", Some((self.published, at)));
            json.moment("end", Some(end));
            json.moment("opening", staged.then_some(end));
            json.moment("scoring", later(1).filter(|_| staged || contest));
            json.moment("bidding", auction);
            json.moment("finalOpening", later(9).filter(|_| staged));
            json.moment("selecting", later(4).filter(|_| staged));
            json.moment("prequalification", later(3).filter(|_| staged));
            for (stage, from) in [("stage1", 0), ("stage2", 12)] {
                json.object(stage, |json| {
                    for (name, days) in [("start", 0), ("end", 8), ("opening", 9), ("scoring", 10)]
                    {
                        let day = working(self.published.plus_days(from + days));
                        json.moment(name, staged.then_some((day, 600)));
                    }
                });
            }
            json.moment("summarizingDate", later(2));
            json.moment("firstPartsDate", later(2).filter(|_| contest));
            json.moment("submissionDate", later(3).filter(|_| contest));
            json.moment("secondPartsDate", later(5).filter(|_| contest));
        });
    }

    fn write_attachments(&self, chance: &mut Chance, at: u64, json: &mut JsonLine) {
        let all = &words().documents.attachments;
        let shown = chance.between(2, all.len() as u64) as usize;
        let shown = all.iter().take(shown);
        json.items(
            "attachments/attachment",
            shown,
            |json, [code, kind, file, what]| {
                let lead = chance.percent(30).then(|| chance.wide(100, 16_000_000));
                let lead = lead.map_or(String::new(), |lead| format!("{lead} "));
                json.text("fileName", &format!("{lead}{file}"));
                json.text("fileSize", &chance.wide(9_000, 9_000_000).to_string());
                json.text("docDescription", what);
                let minute = at.saturating_sub(chance.wide(1, 90));
                json.moment("docDate", Some((self.published, minute)));
                let uid = [chance.below(u64::MAX), chance.below(u64::MAX)];
                let store = "https://example.org/44fz/filestore/public/1.0/download/priz/file.html";
                json.text(
                    "url",
                    &format!("{store}?uid={:016X}{:016X}", uid[0], uid[1]),
                );
                json.text("docKindCode", code);
                json.text("docKindName", kind);
            },
        );
    }
}

/// What holds for all lots, if there is such a thing: code, which is its short name; name;
/// content.
pub type Restriction = Option<&'static [String; 3]>;

/// A restriction, if there is one: what keeps foreign things out is of goods, and what
/// keeps large businesses out of what is not too dear.
fn restriction(chance: &mut Chance, deal: &Deal) -> Restriction {
    match chance.below(100) {
        0..34 if deal.initial_price() < 2_000_000_000 => {
            Some(&words().documents.small_business_only)
        }
        34..64 if deal.trade.is_goods() => {
            Some(chance.pick(&words().documents.restrictions_on_goods))
        }
        _ => None,
    }
}

/// A way to choose a supplier: name, the part of a link.
fn way(chance: &mut Chance) -> [&'static str; 2] {
    let share = chance.below(100);
    let mut passed = 0;
    let mut ways = words().documents.ways_44.iter();
    let reached = ways.find(|(_, _, of)| {
        passed += of;
        share < passed
    });
    reached.map_or(["", ""], |(name, link, _)| [name, link])
}

fn write_responsible(chance: &mut Chance, buyer: &Buyer, json: &mut JsonLine) {
    json.object("responsibleOrg", |json| {
        json.text("fullName", &buyer.full_name());
        json.text("inn", &buyer.inn);
        json.text("kpp", &buyer.kpp);
        json.text("factAddress", &buyer.address());
        buyer.contact().write(json);
        json.text("contactEmail", &buyer.email());
        json.text("contactPhone", &buyer.phone());
        json.text("role", chance.pick(&["CU", "CU", "CU", "CU", "RA", "CS"]));
    });
}
