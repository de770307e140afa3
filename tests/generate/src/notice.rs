//! Notices of purchases: the data that cards under 44-FZ and 223-FZ share.

use super::calendar::{Date, Days, LAST, dotted, has_form_of_2020};
use super::deal::{Deal, Position, positions, total};
use super::rng::Rng;
use super::words::{fill, words};

pub struct Notice<'a> {
    pub number: &'a str,
    pub deal: &'a Deal,
    pub published: Date,
    /// Last day for submitting applications.
    pub closes: Date,
    /// Positions of the second and third lots, if any.
    pub more_lots: Vec<Vec<Position>>,
}

impl Notice<'_> {
    /// The positions of each lot.
    pub fn lots(&self) -> impl Iterator<Item = &Vec<Position>> {
        [&self.deal.positions].into_iter().chain(&self.more_lots)
    }

    /// Initial price of all lots, in kopecks.
    pub fn price(&self) -> u64 {
        self.lots().map(|lot| total(lot)).sum()
    }

    /// Draws the stage of a purchase on the last day of the data. The commission works for `days`
    /// after submission closes. Purchases are then cancelled with a probability of `cancelled`
    /// percent, and otherwise completed.
    pub fn stage(&self, rng: &mut Rng, days: u64, cancelled: u64) -> &'static str {
        if self.closes >= LAST {
            "Подача заявок"
        } else if self.closes.plus_days(days) >= LAST {
            "Работа комиссии"
        } else if rng.percent(cancelled) {
            CANCELLED
        } else {
            OVER
        }
    }
}

pub const CANCELLED: &str = "Закупка отменена";
pub const OVER: &str = "Закупка завершена";

/// Draws the term of execution in a 44-FZ notice. Older notices use the customer's words. The form of
/// 2020 has either the last day with an offset from UTC, or a number of days in standard wording.
pub fn term(rng: &mut Rng, published: Date, ends: Date) -> String {
    let terms = &words().documents.terms;
    let wordings = match has_form_of_2020(published) {
        true if rng.percent(70) => return format!("{ends}{}", rng.pick_word(&terms.offsets)),
        true => &terms.of_2020,
        false => &terms.before_2020,
    };
    // After a multiple of five, "дней" is always the right form.
    let days = 5 * rng.between(1, 60);
    fill(rng.pick_word(wordings), |letter| match letter {
        'e' => dotted(ends),
        _ => days.to_string(),
    })
}

/// Draws the lots after the first one; usually there are none.
pub fn more_lots(rng: &mut Rng, deal: &Deal, day: Date) -> Vec<Vec<Position>> {
    let lots = if rng.percent(92) { 0 } else { rng.geometric(2) };
    let lot = |_| positions(rng, deal.trade, &deal.trade.items, day, true);
    (0..lots).map(lot).collect()
}
