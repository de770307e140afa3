//! The rows of contracts and purchases in the content index.
//!
//! The index stores the difference between consecutive rows of a token as a variable-length integer
//! of 7 bits per byte. The ids of contracts are far apart, so they would take many bytes. Most
//! contracts, however, are the first one stored for their supplier and day, and get a row number
//! with fewer bits:
//!
//! ```text
//! 0 and above       supplier: 26 bits | days since 2012: 13 bits
//! below 0           minus the id of a purchase
//! -2^37 and below   minus the id of any other contract
//! ```
//!
//! This halves the size of the index. Non-negative rows of contracts ascend with their ids;
//! negative ones descend.

use std::ops::RangeInclusive;

use super::contract_id::{
    DAY_BITS, FIRST_OF_A_DAY, NUMBER_BITS, SUPPLIER_SHIFT, first_id_of_a_day,
};

/// 1 January 2012, in the day count that ids of contracts use.
const FIRST_DAY: i64 = 40_908;

const ROW_DAY_BITS: u32 = 13;

const ROW_DAYS: i64 = 1 << ROW_DAY_BITS;

const LEAST_ID: i64 = 1 << SUPPLIER_SHIFT;

pub(super) fn row_of_purchase(id: i64) -> i64 {
    -id
}

pub(super) fn row_of_contract(id: i64) -> i64 {
    let day = day_of(id) - FIRST_DAY;
    let number = id & ((1 << NUMBER_BITS) - 1);
    match number == FIRST_OF_A_DAY && (0..ROW_DAYS).contains(&day) {
        true => id >> SUPPLIER_SHIFT << ROW_DAY_BITS | day,
        false => -id,
    }
}

pub(super) fn contract_of_row(row: i64) -> i64 {
    if row < 0 {
        return -row;
    }
    let (supplier, day) = (row >> ROW_DAY_BITS, row & (ROW_DAYS - 1));
    first_id_of_a_day(supplier, FIRST_DAY + day)
}

/// Returns a range of non-negative rows that covers the contracts with the given ids.
pub(super) fn ascending_rows(ids: &RangeInclusive<i64>) -> RangeInclusive<i64> {
    let row = |id: i64| {
        let day = (day_of(id) - FIRST_DAY).clamp(0, ROW_DAYS - 1);
        id >> SUPPLIER_SHIFT << ROW_DAY_BITS | day
    };
    row((*ids.start()).max(LEAST_ID))..=row((*ids.end()).max(0))
}

/// Returns a range of negative rows that covers the contracts with the given ids.
pub(super) fn descending_rows(ids: &RangeInclusive<i64>) -> RangeInclusive<i64> {
    -(*ids.end()).max(0)..=-(*ids.start()).max(LEAST_ID)
}

pub(super) fn rows_of_purchases(ids: &RangeInclusive<i64>) -> RangeInclusive<i64> {
    let [first, last] = [*ids.start(), *ids.end()].map(|id| id.clamp(0, LEAST_ID));
    -last.min(LEAST_ID - 1)..=-first.max(1)
}

fn day_of(id: i64) -> i64 {
    id >> NUMBER_BITS & ((1 << DAY_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::contract_id::{MAX_SUPPLIER, ids_of_day, ids_of_supplier};
    use super::*;
    use crate::model::Date;

    fn ids() -> impl Strategy<Value = i64> {
        let supplier = prop_oneof![1..4_i64, Just(MAX_SUPPLIER), 1..=MAX_SUPPLIER];
        let day = prop_oneof![
            FIRST_DAY - 2..FIRST_DAY + 3,
            FIRST_DAY + ROW_DAYS - 2..FIRST_DAY + ROW_DAYS + 2,
            0..1_i64 << DAY_BITS
        ];
        let number = prop_oneof![
            3 => Just(FIRST_OF_A_DAY),
            1 => FIRST_OF_A_DAY - 1..FIRST_OF_A_DAY + 2,
            1 => 0..1_i64 << NUMBER_BITS,
        ];
        (supplier, day, number).prop_map(|(supplier, day, number)| {
            supplier << SUPPLIER_SHIFT | day << NUMBER_BITS | number
        })
    }

    proptest! {
        #[test]
        fn rows_are_unique_and_follow_the_order_of_ids(one in ids(), other in ids()) {
            let rows = [one, other].map(row_of_contract);
            prop_assert_eq!(rows.map(contract_of_row), [one, other]);
            prop_assert!(rows.iter().all(|row| *row >= 0 || *row <= -LEAST_ID));
            match rows.map(|row| row < 0) {
                [false, false] => prop_assert_eq!(rows[0].cmp(&rows[1]), one.cmp(&other)),
                [true, true] => prop_assert_eq!(rows[1].cmp(&rows[0]), one.cmp(&other)),
                _ => {}
            }
        }

        #[test]
        fn a_range_of_rows_covers_the_contracts_of_its_ids(ids in [ids(), ids(), ids()]) {
            let (first, last) = (ids[0].min(ids[1]), ids[0].max(ids[1]));
            let has = |range: RangeInclusive<i64>| {
                let row = row_of_contract(ids[2]);
                match row < 0 {
                    true => descending_rows(&range).contains(&row),
                    false => ascending_rows(&range).contains(&row),
                }
            };
            if (first..=last).contains(&ids[2]) {
                prop_assert!(has(first..=last));
            }
            prop_assert!(has(i64::MIN..=i64::MAX));
        }
    }

    #[test]
    fn the_first_contract_of_a_day_has_a_short_row() {
        let day = ids_of_day(7, Date::new(2012, 1, 1));
        assert_eq!(
            row_of_contract(day.start + FIRST_OF_A_DAY),
            7 << ROW_DAY_BITS
        );
        let ids = ids_of_supplier(7);
        let ids = ids.start..=ids.end - 1;
        let last = (8 << ROW_DAY_BITS) - 1;
        assert_eq!(ascending_rows(&ids), 7 << ROW_DAY_BITS..=last);
    }

    #[test]
    fn rows_of_purchases_lie_between_those_of_contracts() {
        assert_eq!(rows_of_purchases(&(i64::MIN..=i64::MAX)), 1 - LEAST_ID..=-1);
        assert_eq!(rows_of_purchases(&(3..=5)), -5..=-3);
    }
}
