//! Orders rows by a value that some of them lack, and selects the rows that are on a page.

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use super::super::error::Result;
use crate::model::Amount;

#[derive(Clone, Debug, Default)]
pub(super) struct SortValue {
    /// A day, a minute, or hundredths of a rouble (rounded down); `None` if there is no value.
    pub number: Option<i64>,
    /// The exact amount, if it is not a whole number of hundredths.
    pub amount: Option<Box<Amount>>,
}

impl SortValue {
    /// Creates the value for a day given as YYYYMMDD; 0 means missing.
    pub fn day(day: u32) -> Self {
        Self {
            number: Some(i64::from(day)).filter(|day| *day != 0),
            amount: None,
        }
    }

    /// Compares two values. Missing values come last in both directions.
    pub fn compare(&self, other: &Self, ascending: bool) -> Ordering {
        let is_there = |value: &Self| Reverse(value.number.is_some());
        let order = self.number.cmp(&other.number);
        let order = order.then_with(|| match (&self.amount, &other.amount) {
            (Some(one), Some(other)) => one.order(**other),
            // Both numbers are equal here. They are rounded down, so a value that also has an exact
            // amount is greater.
            (one, other) => one.is_some().cmp(&other.is_some()),
        });
        is_there(self)
            .cmp(&is_there(other))
            .then(directed(order, ascending))
    }
}

/// Returns which of `count` rows are on a page: up to `limit`, after the first `skip`.
pub(super) fn window(count: usize, skip: u64, limit: u64) -> Range<usize> {
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let start = size(skip).min(count);
    start..start.saturating_add(size(limit)).min(count)
}

/// Returns the ids of the matches on a page. `of_ties` orders matches that compare as equal.
pub(super) fn ids_on_page<T: Clone>(
    mut matches: Vec<T>,
    page: Range<usize>,
    compare: impl Fn(&T, &T) -> Ordering,
    of_ties: impl Fn(&[T]) -> Result<Vec<i64>>,
) -> Result<Vec<i64>> {
    let Some(last) = page.end.checked_sub(1).filter(|last| *last >= page.start) else {
        return Ok(Vec::new());
    };
    // Sort only the rows on the page, and those that tie with its first or last row.
    let (_, last, _) = matches.select_nth_unstable_by(last, &compare);
    let last = last.clone();
    let (_, first, _) = matches.select_nth_unstable_by(page.start, &compare);
    let first = first.clone();
    let before = matches.iter().filter(|one| compare(one, &first).is_lt());
    let mut start = before.count();
    matches.retain(|one| compare(one, &first).is_ge() && compare(one, &last).is_le());
    matches.sort_unstable_by(&compare);
    let mut ids = Vec::with_capacity(page.len());
    for same in matches.chunk_by(|a, b| compare(a, b).is_eq()) {
        let on_page = page.start.max(start)..page.end.min(start + same.len());
        let sorted = of_ties(same)?;
        let on_page = on_page.start - start..on_page.end - start;
        ids.extend_from_slice(sorted.get(on_page).unwrap_or_default());
        start += same.len();
    }
    Ok(ids)
}

pub(super) fn directed(order: Ordering, ascending: bool) -> Ordering {
    if ascending { order } else { order.reverse() }
}
