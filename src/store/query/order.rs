//! The order of rows by a value that some of them lack.

use std::cmp::{Ordering, Reverse};

use crate::model::Amount;

/// A value by which rows are ordered.
#[derive(Clone, Debug, Default)]
pub(super) struct SortValue {
    /// A day, a minute, or hundredths of a rouble, rounded down; `None` without a value.
    pub number: Option<i64>,
    /// The amount if it is not the hundredths.
    pub amount: Option<Box<Amount>>,
}

impl SortValue {
    /// Returns the value of a day as YYYYMMDD, 0 for none.
    pub fn day(day: u32) -> Self {
        Self {
            number: Some(i64::from(day)).filter(|day| *day != 0),
            amount: None,
        }
    }

    /// Compares two values. A missing one comes last in both directions.
    pub fn compare(&self, other: &Self, ascending: bool) -> Ordering {
        let is_there = |value: &Self| Reverse(value.number.is_some());
        let order = self.number.cmp(&other.number);
        let order = order.then_with(|| match (&self.amount, &other.amount) {
            (Some(one), Some(other)) => one.order(**other),
            // An amount between two hundredths is more than the lower one.
            (one, other) => one.is_some().cmp(&other.is_some()),
        });
        is_there(self)
            .cmp(&is_there(other))
            .then(directed(order, ascending))
    }
}

pub(super) fn directed(order: Ordering, ascending: bool) -> Ordering {
    if ascending { order } else { order.reverse() }
}
