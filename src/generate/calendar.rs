//! The days of the data, and how many contracts each has: more in recent years, many in
//! December, few on weekends.

use std::sync::LazyLock;

use crate::model::Date;

/// The first day of the data: the first working day with 44-FZ in force.
pub static FIRST: LazyLock<Date> = LazyLock::new(|| date("2014-01-09"));
/// The last day of the data: fixed, so that the same command always gives the same data.
pub static LAST: LazyLock<Date> = LazyLock::new(|| date("2026-06-30"));
/// The first day of purchases under Decree 615, three months after it came into force.
pub static FIRST_615: LazyLock<Date> = LazyLock::new(|| date("2016-10-01"));
/// The first day of 44-FZ notices in the form of 2020.
static FIRST_OF_2020: LazyLock<Date> = LazyLock::new(|| date("2021-01-01"));

/// The weights of the years from 2014 on; the last is half a year.
const YEARS: [u64; 13] = [40, 46, 50, 58, 64, 70, 74, 84, 92, 100, 112, 124, 130];
/// The weights of the months.
const MONTHS: [u64; 12] = [70, 84, 92, 88, 80, 82, 74, 74, 78, 88, 104, 150];

fn date(iso: &str) -> Date {
    Date::parse_iso(iso).unwrap_or_else(|| panic!("no day of the calendar: {iso}"))
}

/// The year.
pub fn year(day: Date) -> u64 {
    day.parts().0.into()
}

/// Does a 44-FZ notice of this day have the form of 2020 (`ep…2020`), rather than the older
/// one (`fcs…`)?
pub fn has_form_of_2020(day: Date) -> bool {
    day >= *FIRST_OF_2020
}

/// The last day of its month.
pub fn end_of_month(day: Date) -> Date {
    let (year, month, _) = day.parts();
    Date::last_of_month(year, month).unwrap_or(day)
}

/// The last day of its year.
pub fn end_of_year(day: Date) -> Date {
    Date::last_of_month(day.parts().0, 12).unwrap_or(day)
}

/// The day itself, or the Monday after a weekend.
pub fn working(day: Date) -> Date {
    day.plus_days(match weekday(day) {
        5 => 2,
        6 => 1,
        _ => 0,
    })
}

/// `DD.MM.YYYY`.
pub fn dotted(day: Date) -> String {
    day.dotted().map(char::from).iter().collect()
}

/// The day of the week; 0 is Monday.
fn weekday(day: Date) -> i64 {
    (day.days_since_1970() + 3).rem_euclid(7)
}

/// The weight of a day: how much is published on it.
fn weight(day: Date) -> u64 {
    let (year, month, of_month) = day.parts();
    let of_year = YEARS.get(usize::from(year) - 2014).unwrap_or(&100);
    let of_months = MONTHS[usize::from(month) - 1];
    let in_the_week = match weekday(day) {
        _ if month == 1 && of_month < 9 => 1,
        5 => 12,
        6 => 6,
        _ => 100,
    };
    of_year * of_months * in_the_week
}

/// The days in order, each for its share of publications.
pub struct Timeline {
    day: Date,
    passed: u64,
    whole: u64,
}

impl Timeline {
    /// From the first day to the last.
    pub fn new() -> Self {
        let days = 0..=LAST.days_since_1970().abs_diff(FIRST.days_since_1970());
        Self {
            day: *FIRST,
            passed: 0,
            whole: days.map(|days| weight(FIRST.plus_days(days))).sum(),
        }
    }

    /// The day on which `done` of `all` things have been published; `done` must not
    /// decrease.
    pub fn at(&mut self, done: u64, all: u64) -> Date {
        let target = u128::from(self.whole) * u128::from(done) / u128::from(all.max(1));
        while self.day < *LAST && u128::from(self.passed + weight(self.day)) <= target {
            self.passed += weight(self.day);
            self.day = self.day.plus_days(1);
        }
        self.day
    }
}
