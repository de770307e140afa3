//! The ids of contracts: the row ids of the tables `contract` and `contract_facet`.
//!
//! ```text
//! supplier: 26 bits | day of signing: 17 bits | number within the day: 20 bits
//! ```
//!
//! A contract keeps its id as long as its supplier and day stay the same, so other tables may refer
//! to it. The rows of a supplier are contiguous and ordered by day, so a page is one range of rows.
//!
//! Answers order the contracts of one day by registry number. Numbers within the day below 2^19
//! follow that order, with gaps for later contracts. A contract that finds no gap, or whose day is
//! out of range, gets a number from 2^19 on; pages then order the whole day by its facets
//! (`newest_records.rs`). If the contracts of a day arrive in order, there is room for 500.

use std::ops::Range;

use crate::model::Date;

pub(super) const NUMBER_BITS: u32 = 20;

pub(super) const DAY_BITS: u32 = 17;

pub(super) const SUPPLIER_SHIFT: u32 = DAY_BITS + NUMBER_BITS;

const IDS_OF_A_DAY: i64 = 1 << NUMBER_BITS;

/// Numbers from this one on follow no order. They are the upper half of a day's numbers.
pub(super) const FIRST_IN_NO_ORDER: i64 = IDS_OF_A_DAY / 2;

/// Number of the first contract stored for a day, unless the day is out of range.
pub(super) const FIRST_OF_A_DAY: i64 = FIRST_IN_NO_ORDER / 2;

/// A contract that comes before or after all others of its day leaves 1/GAP of the free numbers as
/// a gap.
const GAP: i64 = 64;

/// Largest supplier id that fits into ids of contracts.
pub(super) const MAX_SUPPLIER: i64 = (1 << (63 - SUPPLIER_SHIFT)) - 2;

/// 31 December 1899, in days since 1970.
const DAY_ZERO: i64 = -25_568;

pub(super) fn ids_of_supplier(supplier: i64) -> Range<i64> {
    let first = |supplier: i64| supplier << SUPPLIER_SHIFT;
    first(supplier)..first(supplier + 1)
}

/// Returns the range of ids for contracts of a supplier signed on this day. Contracts without a day
/// or from before 1900 have day 0; those from 10 November 2258 on have the last day.
pub(super) fn ids_of_day(supplier: i64, signed: Option<Date>) -> Range<i64> {
    let day = signed.map_or(0, |date| date.days_since_1970() - DAY_ZERO);
    let day = day.clamp(0, (1 << DAY_BITS) - 1);
    ids_of_same_day(supplier << SUPPLIER_SHIFT | day << NUMBER_BITS)
}

/// Returns the id of the contract that is stored first for this supplier and day. `day` is counted
/// from [`DAY_ZERO`].
pub(super) fn first_id_of_a_day(supplier: i64, day: i64) -> i64 {
    supplier << SUPPLIER_SHIFT | day << NUMBER_BITS | FIRST_OF_A_DAY
}

/// Returns the range of ids for contracts of the same supplier and day as this one.
pub(super) fn ids_of_same_day(id: i64) -> Range<i64> {
    let first = id & -IDS_OF_A_DAY;
    first..first + IDS_OF_A_DAY
}

/// Returns whether the contract's position within the day follows its registry number.
pub(super) fn is_in_order(id: i64) -> bool {
    id & (IDS_OF_A_DAY - 1) < FIRST_IN_NO_ORDER
}

/// Returns the part of a day's ids that follows the order of registry numbers. That part is empty
/// on the first and the last day, because they also stand for days out of range.
pub(super) fn ids_in_order(day: &Range<i64>) -> Range<i64> {
    let number = day.start >> NUMBER_BITS & ((1 << DAY_BITS) - 1);
    let is_one_day = (1..(1 << DAY_BITS) - 1).contains(&number);
    let length = if is_one_day { FIRST_IN_NO_ORDER } else { 0 };
    day.start..day.start + length
}

pub(super) fn ids_in_no_order(day: &Range<i64>) -> Range<i64> {
    day.start + FIRST_IN_NO_ORDER..day.end
}

/// Returns an id for a contract between two neighbours on the same day, either of which may be
/// missing. Returns `None` if there is no gap between them. `in_order` is the part of the day's ids
/// that follows the order of registry numbers.
pub(super) fn id_between(
    in_order: &Range<i64>,
    below: Option<i64>,
    above: Option<i64>,
) -> Option<i64> {
    let first = below.map_or(in_order.start, |below| below + 1);
    let free = first..above.unwrap_or(in_order.end);
    let gap = (free.end - free.start) / GAP;
    let id = match (below, above) {
        (Some(_), None) => free.start + gap,
        (None, Some(_)) => free.end - 1 - gap,
        _ => free.start.midpoint(free.end),
    };
    free.contains(&id).then_some(id)
}

pub(super) fn supplier_of(id: i64) -> i64 {
    id >> SUPPLIER_SHIFT
}

/// Returns the day of signing of the contract with this id. Returns `None` if the contract has no
/// day, or one out of range.
pub(super) fn signed_on(id: i64) -> Option<Date> {
    let day = id >> NUMBER_BITS & ((1 << DAY_BITS) - 1);
    let is_one_day = (1..(1 << DAY_BITS) - 1).contains(&day);
    is_one_day.then(|| Date::from_days_since_1970(day + DAY_ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_in_the_order_of_suppliers_then_days() {
        let date = |text| Date::parse_iso(text);
        let days = [
            None,
            date("1900-01-01"),
            date("2025-12-31"),
            date("2026-01-01"),
            date("2258-11-10"),
        ];
        let suppliers = [1, 2, MAX_SUPPLIER];
        let mut last = 0;
        for supplier in suppliers {
            for day in days {
                let ids = ids_of_day(supplier, day);
                assert!(ids.start >= last, "{supplier} {day:?}");
                assert_eq!(supplier_of(ids.start), supplier);
                assert_eq!(supplier_of(ids.end - 1), supplier);
                assert_eq!(ids_of_same_day(ids.end - 1), ids);
                let signed = day.filter(|day| Some(*day) != date("2258-11-10"));
                assert_eq!(signed_on(ids.end - 1), signed);
                assert!(ids_of_supplier(supplier).contains(&ids.start));
                assert!(ids_of_supplier(supplier).contains(&(ids.end - 1)));
                last = ids.end;
            }
        }
    }

    #[test]
    fn hundreds_of_contracts_of_a_day_find_gaps() {
        let day = ids_in_order(&ids_of_day(1, Date::parse_iso("2025-12-31")));
        let upwards = |last: &i64| id_between(&day, Some(*last), None);
        let downwards = |first: &i64| id_between(&day, None, Some(*first));
        let middle = id_between(&day, None, None);
        assert_eq!(middle, Some(day.start + FIRST_OF_A_DAY));
        assert!(std::iter::successors(middle, upwards).count() > 500);
        assert!(std::iter::successors(middle, downwards).count() > 500);
        let next = middle.and_then(|middle| upwards(&middle));
        let between = |above: &i64| id_between(&day, middle, Some(*above));
        assert!(std::iter::successors(next, between).count() > 12);
    }

    #[test]
    fn a_day_out_of_range_is_the_nearest() {
        let of = |text| ids_of_day(1, Date::parse_iso(text));
        assert_eq!(of("0001-01-01"), ids_of_day(1, None));
        assert_eq!(of("9999-12-31"), of("2258-11-11"));
        assert_eq!(signed_on(of("9999-12-31").start), None);
        assert!(of("2258-11-11").start >= of("2258-11-10").start);
    }
}
