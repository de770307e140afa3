//! The announcement of a purchase: what cards under 44-FZ and 223-FZ have in common.

use super::calendar::LAST;
use super::chance::Chance;
use super::deal::{Deal, Position, positions, total};
use crate::model::Date;

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
    /// cancelled, and the others are at the stage `over`.
    pub fn stage(
        &self,
        chance: &mut Chance,
        (days, cancelled): (u64, u64),
        over: &'static str,
    ) -> &'static str {
        if self.closes >= *LAST {
            "Подача заявок"
        } else if self.closes.plus_days(days) >= *LAST {
            "Работа комиссии"
        } else if chance.percent(cancelled) {
            CANCELLED
        } else {
            over
        }
    }
}

/// The stage of a cancelled purchase.
pub const CANCELLED: &str = "Закупка отменена";

/// The lots after the first: mostly none.
pub fn more_lots(chance: &mut Chance, deal: &Deal, day: Date) -> Vec<Vec<Position>> {
    let lots = if chance.percent(92) { 0 } else { chance.few(2) };
    let lot = |_| positions(chance, deal.trade, &deal.trade.items, day, true);
    (0..lots).map(lot).collect()
}
