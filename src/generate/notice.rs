//! A purchase that is announced, as cards under 44-FZ and 223-FZ share it.

use super::calendar::LAST;
use super::chance::Chance;
use super::deal::{Deal, Position, positions, total};
use crate::model::Date;

/// What is announced.
pub struct Notice<'a> {
    pub number: &'a str,
    pub deal: &'a Deal,
    pub published: Date,
    /// The last day of submission.
    pub closes: Date,
    /// What is bought in the second lot and the third, where there are any.
    pub more_lots: Vec<Vec<Position>>,
}

impl Notice<'_> {
    /// What is bought, lot by lot.
    pub fn lots(&self) -> impl Iterator<Item = &Vec<Position>> {
        [&self.deal.positions].into_iter().chain(&self.more_lots)
    }

    /// The initial price of all lots, kopecks.
    pub fn price(&self) -> u64 {
        self.lots().map(|lot| total(lot)).sum()
    }

    /// The stage, where the commission works for `days`, and of those that are over then
    /// `cancelled` in a hundred are cancelled, and others are at the stage `over`.
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

/// The stage of a purchase that was cancelled.
pub const CANCELLED: &str = "Закупка отменена";

/// Lots beyond the first: mostly none.
pub fn more_lots(chance: &mut Chance, deal: &Deal, day: Date) -> Vec<Vec<Position>> {
    let lots = if chance.percent(92) { 0 } else { chance.few(2) };
    let lot = |_| positions(chance, deal.trade, &deal.trade.items, day, true);
    (0..lots).map(lot).collect()
}
