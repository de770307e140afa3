//! A line of a purchase under 44-FZ.

use super::calendar::working;
use super::chance::Chance;
use super::contract::NewContract;
use super::deal::Deal;
use super::json_line::JsonLine;
use super::lot44::NewLot44;
use super::notice::{CANCELLED, Notice};
use super::parties::{Buyer, Seller};
use super::words::words;

/// A purchase that ended in a contract with a supplier, or in none.
pub struct NewPurchase44<'a> {
    pub notice: Notice<'a>,
    pub purchase_code: &'a str,
    pub outcome: Option<(&'a NewContract, &'a Seller)>,
}

impl NewPurchase44<'_> {
    fn stage(&self, chance: &mut Chance) -> &'static str {
        if self.outcome.is_some() {
            return "Закупка завершена";
        }
        let over = "Определение поставщика завершено";
        self.notice.stage(chance, (12, 40), over)
    }

    /// Writes the line.
    pub fn write(&self, chance: &mut Chance, json: &mut JsonLine) {
        let Notice { number, deal, .. } = self.notice;
        let ways = &words().documents.ways_44;
        let (way, link, _) = chance.pick_by_share(ways, |(_, _, share)| *share);
        let stage = self.stage(chance);
        let restriction = restriction(chance, deal);
        let at = chance.between(480, 1_020);
        let page = format!("https://example.org/epz/order/notice/{link}/view/common-info.html");
        json.card("purchase44", |json| {
            json.text("purchaseNumber", number);
            json.dotted("docPublishDate", Some(self.notice.published));
            json.text("href", format!("{page}?regNumber={number}"));
            json.texts(["purchaseObjectInfo", "placingWay"], [&deal.subject, way]);
            let electronic = link != "ep44";
            let platform = electronic.then(|| chance.word(&words().documents.platforms));
            json.optional("ETP", platform);
            json.text("stage", stage);
            json.amount("fullNMCK", self.notice.price());
            write_responsible(chance, &deal.buyer, json);
            self.write_procedure(chance, link, at, json);
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
                lot.write(chance, json);
            });
            json.items("restrictions/restriction", restriction, |json, row| {
                json.text("shortName", &row[0]);
            });
            let cancelled = (stage == CANCELLED).then_some(self.notice.closes);
            json.dotted("canceld", cancelled);
            json.moment("firstPublishDate", Some((self.notice.published, at)));
            json.text("region", &deal.buyer.region.name);
            self.write_attachments(chance, at, json);
        });
    }

    fn write_procedure(&self, chance: &mut Chance, link: &str, at: u64, json: &mut JsonLine) {
        let Notice {
            published, closes, ..
        } = self.notice;
        let end = (closes, 60 * chance.between(7, 10));
        let later = |days: u64| Some((working(closes.plus_days(days)), 0));
        let auction = (link == "ea20").then_some((closes, end.1 + 120));
        let contest = link == "ok20";
        let staged = link == "okd504";
        json.object("procedureInfo", |json| {
            json.moment("start", Some((published, at)));
            json.moment("end", Some(end));
            json.moment("opening", staged.then_some(end));
            json.moment("scoring", later(1).filter(|_| staged || contest));
            json.moment("bidding", auction);
            json.moment("finalOpening", later(9).filter(|_| staged));
            json.moment("selecting", later(4).filter(|_| staged));
            json.moment("prequalification", later(3).filter(|_| staged));
            let steps = [("start", 0), ("end", 8), ("opening", 9), ("scoring", 10)];
            for (stage, from) in [("stage1", 0), ("stage2", 12)] {
                json.object(stage, |json| {
                    for (name, days) in steps {
                        let day = working(published.plus_days(from + days));
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
        let shown = &all[..chance.between(2, all.len() as u64) as usize];
        json.items("attachments/attachment", shown, |json, attachment| {
            let [code, kind, file, what] = attachment;
            let lead = chance.percent(30).then(|| chance.wide(100, 16_000_000));
            let lead = lead.map_or(String::new(), |lead| format!("{lead} "));
            json.text("fileName", format!("{lead}{file}"));
            json.text("fileSize", chance.wide(9_000, 9_000_000).to_string());
            json.text("docDescription", what);
            let minute = at.saturating_sub(chance.wide(1, 90));
            json.moment("docDate", Some((self.notice.published, minute)));
            let [high, low] = [chance.below(u64::MAX), chance.below(u64::MAX)];
            let store = "https://example.org/44fz/filestore/public/1.0/download/priz/file.html";
            json.text("url", format!("{store}?uid={high:016X}{low:016X}"));
            json.texts(["docKindCode", "docKindName"], [code, kind]);
        });
    }
}

/// A restriction on all lots, if any: code, which is its short name; name; content.
pub type Restriction = Option<&'static [String; 3]>;

/// A restriction, if any: those on foreign products only for goods, those on large
/// businesses only for cheap purchases.
fn restriction(chance: &mut Chance, deal: &Deal) -> Restriction {
    let words = &words().documents;
    match chance.below(100) {
        0..34 if deal.initial_price() < 2_000_000_000 => Some(&words.small_business_only),
        34..64 if deal.trade.is_goods() => Some(chance.pick(&words.restrictions_on_goods)),
        _ => None,
    }
}

fn write_responsible(chance: &mut Chance, buyer: &Buyer, json: &mut JsonLine) {
    json.object("responsibleOrg", |json| {
        buyer.write_names(json);
        json.text("factAddress", buyer.address());
        buyer.contact().write(json);
        json.text("contactEmail", buyer.email());
        json.text("contactPhone", buyer.phone());
        json.text("role", chance.pick(&["CU", "CU", "CU", "CU", "RA", "CS"]));
    });
}
