//! Purchases under 44-FZ.

use super::calendar::{Date, Days, has_form_of_2020, working};
use super::contract::NewContract;
use super::deal::Deal;
use super::json_line::JsonLine;
use super::lot44::NewLot44;
use super::notice::{CANCELLED, Notice, OVER};
use super::parties::{Buyer, Seller};
use super::rng::Rng;
use super::words::words;

pub struct NewPurchase44<'a> {
    pub notice: Notice<'a>,
    pub purchase_code: &'a str,
    /// The contract and its supplier; `None` if the purchase led to no contract.
    pub outcome: Option<(&'a NewContract, &'a Seller)>,
}

impl NewPurchase44<'_> {
    fn stage(&self, rng: &mut Rng) -> &'static str {
        if self.outcome.is_some() {
            return OVER;
        }
        self.notice.stage(rng, 12, 40)
    }

    pub fn write(&self, rng: &mut Rng, json: &mut JsonLine) {
        let Notice { number, deal, .. } = self.notice;
        let ways = &words().documents.ways_44;
        let (way, link, _) = rng.pick_by_share(ways, |(_, _, share)| *share);
        let stage = self.stage(rng);
        let restriction = restriction(rng, deal);
        let at = rng.between(480, 1_020);
        let page = format!("https://example.org/epz/order/notice/{link}/view/common-info.html");
        json.card("purchase44", |json| {
            json.text("purchaseNumber", number);
            json.dotted("docPublishDate", Some(self.notice.published));
            json.text("href", format!("{page}?regNumber={number}"));
            json.texts(["purchaseObjectInfo", "placingWay"], [&deal.subject, way]);
            let electronic = link != "ep44";
            let platform = electronic.then(|| rng.pick_word(&words().documents.platforms));
            json.optional("ETP", platform);
            json.text("stage", stage);
            json.amount("fullNMCK", self.notice.price());
            write_responsible(rng, &deal.buyer, json);
            self.write_procedure(rng, link, at, json);
            let lots = self.notice.lots().zip(1..);
            json.items("lots/lot", lots, |json, (positions, number)| {
                let lot = NewLot44 {
                    number,
                    positions,
                    notice: &self.notice,
                    purchase_code: self.purchase_code,
                    outcome: self.outcome,
                    restriction,
                };
                lot.write(rng, json);
            });
            json.items("restrictions/restriction", restriction, |json, row| {
                json.text("shortName", &row[0]);
            });
            let cancelled = (stage == CANCELLED).then_some(self.notice.closes);
            json.dotted("canceld", cancelled);
            // Only documents that include the first version of the notice show its date.
            let first = rng.percent(60).then_some(self.notice.published);
            json.dotted("firstPublishDate", first);
            let region = rng.percent(20).then_some(&deal.buyer.region.name);
            json.optional("region", region);
            self.write_attachments(rng, json);
        });
    }

    fn write_procedure(&self, rng: &mut Rng, link: &str, at: u64, json: &mut JsonLine) {
        let Notice {
            published, closes, ..
        } = self.notice;
        let end = (closes, 60 * rng.between(7, 10));
        // Purchases from a single supplier have no dates.
        let single = link == "ep44";
        let later = |days: u64| (!single).then(|| working(closes.plus_days(days)));
        // The form of 2020 has times of day only for submission, the older form for all events.
        let timed = !has_form_of_2020(published);
        let at_ten = |day: Option<Date>| day.map(|day| (day, 600)).filter(|_| timed);
        let auction = (link == "ea20").then_some((closes, end.1 + 120));
        let contest = link == "ok20";
        let staged = link == "okd504";
        let scored = later(1).filter(|_| staged || contest);
        json.object("procedureInfo", |json| {
            json.moment("start", Some((published, at)).filter(|_| !single));
            json.moment("end", Some(end).filter(|_| !single));
            json.moment("opening", staged.then_some(end));
            match timed {
                true => json.moment("scoring", at_ten(scored)),
                false => json.dotted("scoring", scored),
            }
            match timed {
                true => json.moment("bidding", auction),
                false => json.dotted("bidding", auction.map(|(day, _)| day)),
            }
            for (name, days) in [
                ("finalOpening", 9),
                ("selecting", 4),
                ("prequalification", 3),
            ] {
                json.moment(name, at_ten(later(days).filter(|_| staged)));
            }
            let steps = [("start", 0), ("end", 8), ("opening", 9), ("scoring", 10)];
            for (stage, from) in [("stage1", 0), ("stage2", 12)] {
                json.object(stage, |json| {
                    for (name, days) in steps {
                        let day = working(published.plus_days(from + days));
                        json.moment(name, staged.then_some((day, 600)));
                    }
                });
            }
            for (name, days, stated) in [
                ("summarizingDate", 5, true),
                ("firstPartsDate", 1, contest),
                ("submissionDate", 3, contest),
                ("secondPartsDate", 4, contest),
            ] {
                json.dotted(name, later(days).filter(|_| stated && !timed));
            }
        });
    }

    fn write_attachments(&self, rng: &mut Rng, json: &mut JsonLine) {
        let all = &words().documents.attachments;
        let shown = &all[..rng.between(2, all.len() as u64) as usize];
        json.items("attachments/attachment", shown, |json, attachment| {
            let [code, kind, file, what] = attachment;
            let lead = rng.percent(30).then(|| rng.log_uniform(100, 16_000_000));
            let lead = lead.map_or(String::new(), |lead| format!("{lead} "));
            json.text("fileName", format!("{lead}{file}"));
            let size = rng.log_uniform(9_000, 40_000_000).to_string();
            json.optional("fileSize", (!rng.percent(1)).then_some(size));
            json.text("docDescription", what);
            let published = self.notice.published;
            json.dotted("docDate", (!rng.percent(3)).then_some(published));
            let [high, low] = [rng.below(u64::MAX), rng.below(u64::MAX)];
            let store = "https://example.org/44fz/filestore/public/1.0/download/priz/file.html";
            json.text("url", format!("{store}?uid={high:016X}{low:016X}"));
            json.optional("docKindCode", (!rng.percent(3)).then_some(code));
            json.optional("docKindName", rng.percent(30).then_some(kind));
        });
    }
}

/// Restriction on all lots, if any: code (also used as the short name), name, content.
pub type Restriction = Option<&'static [String; 3]>;

/// Draws a restriction. Only cheap purchases are limited to small businesses, and only purchases of
/// goods restrict foreign products.
fn restriction(rng: &mut Rng, deal: &Deal) -> Restriction {
    let words = &words().documents;
    match rng.below(100) {
        0..34 if deal.initial_price() < 2_000_000_000 => Some(&words.small_business_only),
        34..64 if deal.trade.is_goods() => Some(rng.pick(&words.restrictions_on_goods)),
        _ => None,
    }
}

fn write_responsible(rng: &mut Rng, buyer: &Buyer, json: &mut JsonLine) {
    json.object("responsibleOrg", |json| {
        buyer.write_names(json);
        json.text("factAddress", buyer.address());
        buyer.contact().write(true, json);
        json.text("contactEmail", buyer.email());
        json.text("contactPhone", buyer.phone());
        json.text("role", rng.pick(&["CU", "CU", "CU", "CU", "RA", "CS"]));
    });
}
