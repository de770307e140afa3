//! The first of what is ordered by a value, as many as a page and what is before it
//! take: memory depends on that, not on how many there are.

use std::cmp::Ordering;

use super::making::Price;
use crate::model::Amount;

/// The value of what has none: it stands last in either direction.
const NO_VALUE: i64 = i64::MAX;

/// How many are held at least before the last ones are dropped.
const ROOM: usize = 1024;

/// What is put in order, 16 bytes each.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The lesser stands first.
    value: i64,
    /// One of equal values, likewise.
    place: u32,
    /// Where the amount stands that the value is only the floor of, from 1 on.
    exact: u32,
}

/// The first of what is added.
#[derive(Debug)]
pub struct Best {
    ascending: bool,
    skip: usize,
    limit: usize,
    entries: Vec<Entry>,
    /// The last one that counts, once others have been dropped.
    worst: Option<Entry>,
    /// Amounts that are no whole hundredths, 32 bytes each.
    amounts: Vec<Amount>,
}

impl Best {
    /// The `limit` after the first `skip`.
    pub fn new(ascending: bool, skip: usize, limit: usize) -> Self {
        Self {
            ascending,
            skip,
            limit,
            entries: Vec::new(),
            worst: None,
            amounts: Vec::new(),
        }
    }

    /// Adds the contract at `ordinal` by a day as YYYYMMDD, 0 for none.
    #[inline]
    pub fn add_day(&mut self, day: u64, ordinal: u32) {
        let value = i64::try_from(day).ok().filter(|day| *day != 0);
        self.add(value, 0, ordinal);
    }

    /// Adds it by its price.
    #[inline]
    pub fn add_price(&mut self, price: &Price, ordinal: u32) {
        match price {
            Price::None => self.add(None, 0, ordinal),
            Price::Hundredths(hundredths) => self.add(Some(*hundredths), 0, ordinal),
            Price::Other(amount) => {
                self.amounts.push(**amount);
                // A supplier has up to 2^32 contracts; the last of so many is not told
                // from those of its floor.
                let exact = u32::try_from(self.amounts.len()).unwrap_or(0);
                self.add(Some(amount.hundredths_below()), exact, ordinal);
            }
        }
    }

    #[inline]
    fn add(&mut self, value: Option<i64>, exact: u32, ordinal: u32) {
        let entry = Entry {
            value: match value {
                None => NO_VALUE,
                Some(value) if self.ascending => value,
                Some(value) => -value,
            },
            place: if self.ascending { ordinal } else { !ordinal },
            exact,
        };
        if let Some(worst) = &self.worst
            && self.order(&entry, worst) == Ordering::Greater
        {
            return;
        }
        self.entries.push(entry);
        let wanted = self.skip.saturating_add(self.limit);
        if self.entries.len() >= ROOM && self.entries.len() / 2 >= wanted {
            self.drop_last_ones(wanted);
        }
    }

    #[cold]
    fn drop_last_ones(&mut self, wanted: usize) {
        let mut entries = std::mem::take(&mut self.entries);
        if let Some(last) = wanted.checked_sub(1)
            && last < entries.len()
        {
            let (_, worst, _) = entries.select_nth_unstable_by(last, |a, b| self.order(a, b));
            self.worst = Some(*worst);
        }
        entries.truncate(wanted);
        self.entries = entries;
    }

    /// Which of two stands first.
    #[inline]
    fn order(&self, a: &Entry, b: &Entry) -> Ordering {
        let by_value = a.value.cmp(&b.value).then_with(|| {
            if a.exact == 0 && b.exact == 0 {
                return Ordering::Equal;
            }
            match self.ascending {
                true => self.exact_order(a, b),
                false => self.exact_order(b, a),
            }
        });
        by_value.then(a.place.cmp(&b.place))
    }

    /// The order of two amounts of one floor, of which one is no whole hundredths: that
    /// is the greater then.
    fn exact_order(&self, a: &Entry, b: &Entry) -> Ordering {
        let amount = |entry: &Entry| {
            let at = usize::try_from(entry.exact).ok()?.checked_sub(1)?;
            self.amounts.get(at).copied()
        };
        match (amount(a), amount(b)) {
            (Some(a), Some(b)) => a.order(b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        }
    }

    /// The ordinals of the page, in their order.
    pub fn page(mut self) -> Vec<u32> {
        let mut entries = std::mem::take(&mut self.entries);
        let order = |a: &Entry, b: &Entry| self.order(a, b);
        if self.skip >= entries.len() {
            return Vec::new();
        }
        entries.select_nth_unstable_by(self.skip, order);
        let mut page = entries.split_off(self.skip);
        if self.limit < page.len() {
            page.select_nth_unstable_by(self.limit, order);
            page.truncate(self.limit);
        }
        page.sort_unstable_by(order);
        let ordinal = |entry: Entry| match self.ascending {
            true => entry.place,
            false => !entry.place,
        };
        page.into_iter().map(ordinal).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Few different ones, of which many are near each other.
    const PRICES: [&str; 20] = [
        "",
        "0",
        "1",
        "1.1",
        "1.001",
        "1.0011",
        "1.009",
        "-1",
        "-1.1",
        "-1.001",
        "-1.009",
        "3",
        "1e20",
        "2e20",
        "-1e22",
        "1e-5",
        "-1e-5",
        "180143985094819.83",
        "180143985094819.84",
        "180143985094819.839",
    ];

    fn prices() -> impl Strategy<Value = Vec<Option<Amount>>> {
        let pool = PRICES.map(|text| text.parse().ok());
        let pick = move |picked: Vec<usize>| picked.into_iter().map(|at| pool[at]).collect();
        vec(0..PRICES.len(), 0..4000).prop_map(pick)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

        #[test]
        fn the_page_is_that_of_a_whole_sort(
            prices in prices(),
            ascending in any::<bool>(),
            skip in prop_oneof![0..20_usize, 0..5000_usize],
            limit in 0..200_usize,
        ) {
            let mut expected: Vec<usize> = (0..prices.len()).collect();
            expected.sort_by(|a, b| {
                let places = if ascending { a.cmp(b) } else { b.cmp(a) };
                match (prices[*a], prices[*b]) {
                    (Some(one), Some(other)) => {
                        let order = if ascending { one.order(other) } else { other.order(one) };
                        order.then(places)
                    }
                    (one, other) => one.is_none().cmp(&other.is_none()).then(places),
                }
            });
            let mut best = Best::new(ascending, skip, limit);
            for (ordinal, price) in (0..).zip(&prices) {
                let price = match price {
                    None => Price::None,
                    Some(price) => price.as_hundredths().map_or_else(|| Price::Other(Box::new(*price)), Price::Hundredths),
                };
                best.add_price(&price, ordinal);
            }
            let page: Vec<usize> = best.page().into_iter().map(|at| at as usize).collect();
            let expected: Vec<usize> = expected.into_iter().skip(skip).take(limit).collect();
            prop_assert_eq!(page, expected);
        }
    }
}
