//! The period of the data, and the distribution of publications over its days: more in recent years
//! and in December, few on weekends.

use time::{Duration, Month};

pub use time::Date;

/// First day of the data: the first working day after 44-FZ came into force.
pub const FIRST: Date = date(2014, Month::January, 9);
/// Last day of the data. Fixed, so that the same command always gives the same data.
pub const LAST: Date = date(2026, Month::June, 30);
/// First day of invented purchases under Decree 615, which is dated 1 July 2016.
pub const FIRST_615: Date = date(2016, Month::October, 1);
/// First day of 44-FZ notices in the form of 2020.
const FIRST_OF_2020: Date = date(2021, Month::January, 1);

/// Weights of the years from 2014 on. The data has only half of the last year.
const YEARS: [u64; 13] = [40, 46, 50, 58, 64, 70, 74, 84, 92, 100, 112, 124, 130];
/// Weights of the months.
const MONTHS: [u64; 12] = [70, 84, 92, 88, 80, 82, 74, 74, 78, 88, 104, 150];

const fn date(year: i32, month: Month, day: u8) -> Date {
    match Date::from_calendar_date(year, month, day) {
        Ok(date) => date,
        Err(_) => panic!("not a date"),
    }
}

/// Adds and subtracts days. The results are limited to the range of [`Date`].
pub trait Days {
    fn plus_days(self, days: u64) -> Self;
    fn minus_days(self, days: u64) -> Self;
}

impl Days for Date {
    fn plus_days(self, days: u64) -> Self {
        self.saturating_add(Duration::days(days.cast_signed()))
    }

    fn minus_days(self, days: u64) -> Self {
        self.saturating_sub(Duration::days(days.cast_signed()))
    }
}

pub fn year(day: Date) -> u64 {
    day.year().unsigned_abs().into()
}

/// Returns whether 44-FZ notices published on this day have the form of 2020 (`ep…2020`) and not the
/// older one (`fcs…`).
pub fn has_form_of_2020(day: Date) -> bool {
    day >= FIRST_OF_2020
}

pub fn end_of_month(day: Date) -> Date {
    let last = day.month().length(day.year());
    day.replace_day(last).unwrap_or(day)
}

pub fn end_of_year(day: Date) -> Date {
    let last = time::util::days_in_year(day.year());
    Date::from_ordinal_date(day.year(), last).unwrap_or(day)
}

/// Returns the same day in a later year. 29 February becomes 28 February if that year has none.
pub fn after_years(day: Date, years: i32) -> Date {
    let year = day.year() + years;
    let february = || Date::from_calendar_date(year, Month::February, 28);
    day.replace_year(year)
        .or_else(|_| february())
        .unwrap_or(day)
}

/// Returns the day itself, or the next Monday if the day is on a weekend.
pub fn working(day: Date) -> Date {
    day.plus_days(match weekday(day) {
        5 => 2,
        6 => 1,
        _ => 0,
    })
}

pub fn dotted(day: Date) -> String {
    let (year, month, of_month) = day.to_calendar_date();
    format!("{of_month:02}.{:02}.{year}", u8::from(month))
}

/// Day of the week, from 0 for Monday to 6.
fn weekday(day: Date) -> u8 {
    day.weekday().number_days_from_monday()
}

/// Weight of a day: its relative number of publications.
fn weight(day: Date) -> u64 {
    let (month, of_month) = (u8::from(day.month()), day.day());
    let of_year = YEARS.get(year(day) as usize - 2014).unwrap_or(&100);
    let of_months = MONTHS[usize::from(month) - 1];
    let in_the_week = match weekday(day) {
        _ if month == 1 && of_month < 9 => 1,
        5 => 12,
        6 => 6,
        _ => 100,
    };
    of_year * of_months * in_the_week
}

/// Distributes publications over the days in order, by [`weight`].
pub struct Timeline {
    day: Date,
    /// Total weight of the days before `day`.
    passed: u64,
    whole: u64,
}

impl Timeline {
    pub fn new() -> Self {
        let days = 0..=(LAST - FIRST).whole_days().unsigned_abs();
        Self {
            day: FIRST,
            passed: 0,
            whole: days.map(|days| weight(FIRST.plus_days(days))).sum(),
        }
    }

    /// Returns the day on which publication number `done` of `all` takes place. `done` must not
    /// decrease between calls.
    pub fn at(&mut self, done: u64, all: u64) -> Date {
        let target = u128::from(self.whole) * u128::from(done) / u128::from(all.max(1));
        while self.day < LAST && u128::from(self.passed + weight(self.day)) <= target {
            self.passed += weight(self.day);
            self.day = self.day.plus_days(1);
        }
        self.day
    }
}
