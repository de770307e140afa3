//! The announcement of a purchase: what cards under 44-FZ and 223-FZ have in common.

use super::calendar::{Date, Days, LAST, dotted, has_form_of_2020};
use super::chance::Chance;
use super::deal::{Deal, Position, positions, total};
use super::words::{fill, words};

/// The announcement.
pub struct Notice<'a> {
    pub number: &'a str,
    pub deal: &'a Deal,
    pub published: Date,
    /// The last day of submission.
    pub closes: Date,
    /// The positions of the second and third lots, if there are any.
    pub more_lots: Vec<Vec<Position>>,
}

impl Notice<'_> {
    /// The positions, by lot.
    pub fn lots(&self) -> impl Iterator<Item = &Vec<Position>> {
        [&self.deal.positions].into_iter().chain(&self.more_lots)
    }

    /// The initial price of all lots, kopecks.
    pub fn price(&self) -> u64 {
        self.lots().map(|lot| total(lot)).sum()
    }

    /// The stage: the commission works for `days`; after that, `cancelled` in a hundred are
    /// cancelled, and the others are over.
    pub fn stage(&self, chance: &mut Chance, days: u64, cancelled: u64) -> &'static str {
        if self.closes >= LAST {
            "Подача заявок"
        } else if self.closes.plus_days(days) >= LAST {
            "Работа комиссии"
        } else if chance.percent(cancelled) {
            CANCELLED
        } else {
            OVER
        }
    }
}

/// The stage of a cancelled purchase.
pub const CANCELLED: &str = "Закупка отменена";
/// The stage of a purchase with an outcome.
pub const OVER: &str = "Закупка завершена";

/// The term of execution in a 44-FZ notice: in the customer's words; in the form of 2020 the
/// last day with its offset from UTC, or a number of days in the registry's words.
pub fn term(chance: &mut Chance, published: Date, ends: Date) -> String {
    let terms = &words().documents.terms;
    let wordings = match has_form_of_2020(published) {
        true if chance.percent(70) => return format!("{ends}{}", chance.word(&terms.offsets)),
        true => &terms.of_2020,
        false => &terms.before_2020,
    };
    // "Дней" is right after each multiple of five.
    let days = 5 * chance.between(1, 60);
    fill(chance.word(wordings), |letter| match letter {
        'e' => dotted(ends),
        _ => days.to_string(),
    })
}

/// The lots after the first: mostly none.
pub fn more_lots(chance: &mut Chance, deal: &Deal, day: Date) -> Vec<Vec<Position>> {
    let lots = if chance.percent(92) { 0 } else { chance.few(2) };
    let lot = |_| positions(chance, deal.trade, &deal.trade.items, day, true);
    (0..lots).map(lot).collect()
}
