//! The ids of contracts: the row ids of the tables `contract` and `contract_facet`.
//!
//! ```text
//! supplier: 26 bits | day of signing: 17 bits | number within the day: 20 bits
//! ```
//!
//! A contract keeps its id while its supplier and its day stay the same, so other tables may refer
//! to it. A supplier's rows lie together, in the order of days. Contracts of one day are in the
//! order of their arrival: what is shown is ordered by registry number.

use std::ops::Range;

use crate::model::Date;

/// Bits of the number within a day.
const NUMBER_BITS: u32 = 20;

/// Bits of the day.
const DAY_BITS: u32 = 17;

/// How far the supplier stands to the left.
pub(super) const SUPPLIER_SHIFT: u32 = DAY_BITS + NUMBER_BITS;

/// The largest number of a supplier's contracts of one day, or without one.
pub(super) const MAX_OF_A_DAY: i64 = 1 << NUMBER_BITS;

/// The largest id of a supplier whose contracts have ids.
pub(super) const MAX_SUPPLIER: i64 = (1 << (63 - SUPPLIER_SHIFT)) - 2;

/// 31 December 1899, in days since 1970.
const DAY_ZERO: i64 = -25_568;

/// Returns the ids that the contracts of a supplier may have.
pub(super) fn ids_of_supplier(supplier: i64) -> Range<i64> {
    let first = |supplier: i64| supplier << SUPPLIER_SHIFT;
    first(supplier)..first(supplier + 1)
}

/// Returns the ids that the contracts of a supplier signed on this day may have. A contract without
/// a day, or of one before 1900, has day 0; one of a day after 10 November 2258 the last.
pub(super) fn ids_of_day(supplier: i64, signed: Option<Date>) -> Range<i64> {
    let day = signed.map_or(0, |date| date.days_since_1970() - DAY_ZERO);
    let day = day.clamp(0, (1 << DAY_BITS) - 1);
    ids_of_same_day(supplier << SUPPLIER_SHIFT | day << NUMBER_BITS)
}

/// Returns the ids that the contracts of the same supplier and day as that with this id may have.
pub(super) fn ids_of_same_day(id: i64) -> Range<i64> {
    let first = id & -MAX_OF_A_DAY;
    first..first + MAX_OF_A_DAY
}

/// Returns whether these ids of a day are those of one day: the first and the last day stand for
/// those out of range, too.
pub(super) fn is_one_day(ids: &Range<i64>) -> bool {
    let day = ids.start >> NUMBER_BITS & ((1 << DAY_BITS) - 1);
    (1..(1 << DAY_BITS) - 1).contains(&day)
}

/// Returns the supplier of the contract with this id.
pub(super) fn supplier_of(id: i64) -> i64 {
    id >> SUPPLIER_SHIFT
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
                assert!(ids_of_supplier(supplier).contains(&ids.start));
                assert!(ids_of_supplier(supplier).contains(&(ids.end - 1)));
                last = ids.end;
            }
        }
    }

    #[test]
    fn a_day_out_of_range_is_the_nearest() {
        let of = |text| ids_of_day(1, Date::parse_iso(text));
        assert_eq!(of("0001-01-01"), ids_of_day(1, None));
        assert_eq!(of("9999-12-31"), of("2258-11-11"));
        assert!(of("2258-11-11").start >= of("2258-11-10").start);
    }
}
