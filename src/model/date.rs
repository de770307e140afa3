//! Days, and times to the minute, without a time zone.

use std::fmt;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A day of the Gregorian calendar, in the years 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    pub const FIRST: Self = Self {
        year: 1,
        month: 1,
        day: 1,
    };

    /// Returns `None` if the calendar has no such day.
    #[inline]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        if (1..=12).contains(&month) && (1..=28).contains(&day) && (1..=9999).contains(&year) {
            return Some(Self { year, month, day });
        }
        Self::from_calendar(year, month, day)
    }

    /// The slow path of [`Date::new`]: whether days 29 to 31 exist depends on month and year.
    fn from_calendar(year: u16, month: u8, day: u8) -> Option<Self> {
        let in_calendar = time::Month::try_from(month)
            .and_then(|month| time::Date::from_calendar_date(year.into(), month, day))
            .is_ok();
        (in_calendar && (1..=9999).contains(&year)).then_some(Self { year, month, day })
    }

    /// Parses `YYYY-MM-DD`.
    pub fn parse_iso(text: &str) -> Option<Self> {
        let bytes: &[u8; 10] = text.as_bytes().try_into().ok()?;
        let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *bytes else {
            return None;
        };
        let year = u16::from(two(y1, y2)?) * 100 + u16::from(two(y3, y4)?);
        Self::new(year, two(m1, m2)?, two(d1, d2)?)
    }

    /// Parses `DD.MM.YYYY`.
    pub fn parse_dotted(text: &str) -> Option<Self> {
        let bytes: &[u8; 10] = text.as_bytes().try_into().ok()?;
        let [d1, d2, b'.', m1, m2, b'.', y1, y2, y3, y4] = *bytes else {
            return None;
        };
        let year = u16::from(two(y1, y2)?) * 100 + u16::from(two(y3, y4)?);
        Self::new(year, two(m1, m2)?, two(d1, d2)?)
    }

    /// Returns the last day of a month, or `None` if there is no such month.
    pub fn last_of_month(year: u16, month: u8) -> Option<Self> {
        (28..=31).rev().find_map(|day| Self::new(year, month, day))
    }

    /// Returns the same day in a later year. Turns 29 February into 28 February where necessary.
    pub fn plus_years(self, years: u16) -> Option<Self> {
        let year = self.year.checked_add(years)?;
        Self::new(year, self.month, self.day).or_else(|| Self::new(year, self.month, 28))
    }

    /// Returns the day in Moscow (UTC+3 all year) at an instant. The registries go by Moscow time.
    pub fn in_moscow(instant: SystemTime) -> Self {
        Moment::in_moscow(instant).date
    }

    /// Returns the day in Moscow at a time in milliseconds since 1970. Times are clamped to the
    /// years 1970 to 9998.
    pub fn in_moscow_at(milliseconds: i64) -> Self {
        // The upper bound is in the year 9998, so adding a day still gives a valid date.
        let milliseconds = milliseconds.clamp(0, 253_370_764_800_000).unsigned_abs();
        Self::in_moscow(SystemTime::UNIX_EPOCH + Duration::from_millis(milliseconds))
    }

    /// Returns the year, the month and the day of the month.
    pub fn parts(self) -> (u16, u8, u8) {
        (self.year, self.month, self.day)
    }

    /// Adds days, stopping at 31 December 9999.
    pub fn plus_days(self, days: u64) -> Self {
        Self::from_days_since_1970(self.days_since_1970().saturating_add_unsigned(days))
    }

    /// Subtracts days, stopping at 1 January of year 1.
    pub fn minus_days(self, days: u64) -> Self {
        Self::from_days_since_1970(self.days_since_1970().saturating_sub_unsigned(days))
    }

    /// Days outside of the calendar become the calendar's first or last day.
    pub fn from_days_since_1970(days: i64) -> Self {
        let julian = 2_440_588 + days.clamp(-719_162, 2_932_896);
        let date = time::Date::from_julian_day(julian as i32).unwrap_or(time::Date::MAX);
        Self {
            year: date.year().clamp(1, 9999) as u16,
            month: date.month().into(),
            day: date.day(),
        }
    }

    pub fn days_since_1970(self) -> i64 {
        let month = time::Month::try_from(self.month).unwrap_or(time::Month::January);
        let date = time::Date::from_calendar_date(self.year.into(), month, self.day);
        let epoch = time::Date::from_julian_day(2_440_588);
        let days = |date: time::Date| i64::from(date.to_julian_day());
        date.map_or(0, days) - epoch.map_or(0, days)
    }

    /// Returns `YYYY-MM-DD` in ASCII.
    pub fn iso(self) -> [u8; 10] {
        let [y1, y2, y3, y4] = self.year_digits();
        let ([m1, m2], [d1, d2]) = (digits(self.month), digits(self.day));
        [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2]
    }

    /// Appends `YYYY-MM-DD`.
    pub fn append_iso(self, text: &mut String) {
        for byte in self.iso() {
            text.push(char::from(byte));
        }
    }

    /// Returns `DD.MM.YYYY` in ASCII.
    pub fn dotted(self) -> [u8; 10] {
        let [y1, y2, y3, y4] = self.year_digits();
        let ([m1, m2], [d1, d2]) = (digits(self.month), digits(self.day));
        [d1, d2, b'.', m1, m2, b'.', y1, y2, y3, y4]
    }

    fn year_digits(self) -> [u8; 4] {
        let ([y1, y2], [y3, y4]) = (
            digits((self.year / 100) as u8),
            digits((self.year % 100) as u8),
        );
        [y1, y2, y3, y4]
    }

    /// Returns the number YYYYMMDD.
    pub fn number(self) -> u32 {
        u32::from(self.year) * 10_000 + u32::from(self.month) * 100 + u32::from(self.day)
    }

    /// Reverses [`Date::number`]. Returns `None` if there is no such day.
    #[inline]
    pub fn from_number(number: u32) -> Option<Self> {
        let year = u16::try_from(number / 10_000).ok()?;
        Self::new(year, (number / 100 % 100) as u8, (number % 100) as u8)
    }
}

fn two(tens: u8, ones: u8) -> Option<u8> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + (ones - b'0'))
}

/// Expects a number below 100.
fn digits(value: u8) -> [u8; 2] {
    [b'0' + value / 10, b'0' + value % 10]
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.iso()).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.number())
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u32::deserialize(deserializer)?;
        Self::from_number(number).ok_or_else(|| serde::de::Error::custom("an impossible date"))
    }
}

/// Formats seconds since 1970 as `YYYY-MM-DDTHH:MM:SSZ`.
pub fn timestamp(seconds: i64) -> String {
    let instant = time::OffsetDateTime::from_unix_timestamp(seconds)
        .unwrap_or(time::OffsetDateTime::UNIX_EPOCH);
    let (hour, minute, second) = instant.to_hms();
    let day = Date {
        year: instant.year().clamp(1, 9999) as u16,
        month: instant.month().into(),
        day: instant.day(),
    };
    // Faster than a formatter, which matters because every response contains a timestamp.
    let mut text = String::with_capacity(20);
    day.append_iso(&mut text);
    for (before, value) in [('T', hour), (':', minute), (':', second)] {
        text.push(before);
        for digit in digits(value) {
            text.push(char::from(digit));
        }
    }
    text.push('Z');
    text
}

/// A day, optionally with a time: `DD.MM.YYYY HH:MM` or `DD.MM.YYYY` (specification, "Purchase, 44
/// shape").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedMoment")]
pub struct Moment {
    date: Date,
    /// Hour (0 to 23) and minute (0 to 59).
    time: Option<(u8, u8)>,
}

/// A moment as stored. Checked on conversion, because the file may be damaged.
#[derive(Deserialize)]
struct UncheckedMoment {
    date: Date,
    time: Option<(u8, u8)>,
}

impl TryFrom<UncheckedMoment> for Moment {
    type Error = &'static str;

    fn try_from(UncheckedMoment { date, time }: UncheckedMoment) -> Result<Self, Self::Error> {
        match time {
            None => Some(Self::from_day(date)),
            Some((hour, minute)) => Self::at(date, hour, minute),
        }
        .ok_or("a time of day that no clock shows")
    }
}

impl Moment {
    /// Returns the day and time in Moscow (UTC+3 all year).
    pub fn in_moscow(instant: SystemTime) -> Self {
        let moscow = time::UtcOffset::from_hms(3, 0, 0).unwrap_or(time::UtcOffset::UTC);
        let there = time::OffsetDateTime::from(instant).to_offset(moscow);
        Self {
            date: Date {
                year: there.year().clamp(1, 9999) as u16,
                month: there.month().into(),
                day: there.day(),
            },
            time: Some((there.hour(), there.minute())),
        }
    }

    /// Returns a moment without a time of day.
    pub fn from_day(date: Date) -> Self {
        Self { date, time: None }
    }

    /// Returns `None` if the hour exceeds 23 or the minute 59.
    pub fn at(date: Date, hour: u8, minute: u8) -> Option<Self> {
        (hour < 24 && minute < 60).then_some(Self {
            date,
            time: Some((hour, minute)),
        })
    }

    pub fn date(self) -> Date {
        self.date
    }

    /// Returns the hour and the minute, if known.
    pub fn time(self) -> Option<(u8, u8)> {
        self.time
    }

    /// Parses `DD.MM.YYYY` or `DD.MM.YYYY HH:MM`.
    pub fn parse_dotted(text: &str) -> Option<Self> {
        let Some((date, time)) = text.split_once(' ') else {
            return Date::parse_dotted(text).map(Self::from_day);
        };
        let [h1, h2, b':', m1, m2] = *<&[u8; 5]>::try_from(time.as_bytes()).ok()? else {
            return None;
        };
        Self::at(Date::parse_dotted(date)?, two(h1, h2)?, two(m1, m2)?)
    }

    /// Appends the text that [`Moment::parse_dotted`] parses.
    pub fn write_dotted(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.date.dotted());
        if let Some((hour, minute)) = self.time {
            let ([h1, h2], [m1, m2]) = (digits(hour), digits(minute));
            out.extend_from_slice(&[b' ', h1, h2, b':', m1, m2]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    fn date(text: &str) -> Date {
        Date::parse_iso(text).expect("a date")
    }

    #[test]
    fn parses_and_prints_both_forms() {
        assert_eq!(date("2024-02-29").to_string(), "2024-02-29");
        assert_eq!(&date("2024-02-29").dotted(), b"29.02.2024");
        assert_eq!(Date::parse_dotted("29.02.2024"), Some(date("2024-02-29")));
        assert_eq!(date("0999-01-02").to_string(), "0999-01-02");
    }

    #[test]
    fn refuses_impossible_dates_and_other_forms() {
        for text in [
            "",
            "2023-02-29",
            "0000-01-01",
            "2024-13-01",
            "2024-00-10",
            "2024-01-00",
            "2024-1-1",
            "24-01-01",
            "2024/01/01",
            "2024-01-01T00:00:00",
            "+024-01-01",
            "2024-01-01 ",
        ] {
            assert_eq!(Date::parse_iso(text), None, "{text}");
        }
        for text in [
            "",
            "31.04.2024",
            "1.1.2024",
            "01.01.24",
            "2024.01.01",
            "01-01-2024",
        ] {
            assert_eq!(Date::parse_dotted(text), None, "{text}");
        }
    }

    #[test]
    fn reads_moments_with_and_without_time() {
        for text in [
            "01.02.2024",
            "01.02.2024 09:05",
            "01.02.2024 00:00",
            "01.02.2024 23:59",
        ] {
            let mut out = Vec::new();
            Moment::parse_dotted(text)
                .expect(text)
                .write_dotted(&mut out);
            assert_eq!(out, text.as_bytes());
        }
        for text in [
            "01.02.2024 24:00",
            "01.02.2024 9:05",
            "01.02.2024 10:60",
            "01.02.2024  10:00",
            "01.02.2024 ",
        ] {
            assert_eq!(Moment::parse_dotted(text), None, "{text}");
        }
    }

    #[test]
    fn a_damaged_moment_is_refused() {
        let date = date("2024-02-01");
        for (hour, minute) in (0..=u8::MAX).flat_map(|hour| [0, 59, 60, 120].map(|m| (hour, m))) {
            let bytes = postcard::to_stdvec(&(date, Some((hour, minute)))).expect("bytes");
            let moment = postcard::from_bytes::<Moment>(&bytes).ok();
            assert_eq!(moment, Moment::at(date, hour, minute), "{hour}:{minute}");
            assert_eq!(
                moment.is_some(),
                hour < 24 && minute < 60,
                "{hour}:{minute}"
            );
        }
    }

    #[test]
    fn the_day_of_moscow_starts_at_21_utc() {
        let day = |seconds| Date::in_moscow(UNIX_EPOCH + Duration::from_secs(seconds)).to_string();
        assert_eq!(day(1_735_678_799), "2024-12-31"); // 20:59:59 UTC
        assert_eq!(day(1_735_678_800), "2025-01-01"); // 21:00:00 UTC
    }

    #[test]
    fn steps_through_days_within_the_calendar() {
        let check = |from: &str, days: u64, to: &str| {
            assert_eq!(date(from).plus_days(days), date(to), "{from} + {days}");
            assert_eq!(date(to).minus_days(days), date(from), "{to} - {days}");
        };
        check("2024-02-28", 2, "2024-03-01");
        check("2023-12-31", 1, "2024-01-01");
        check("1970-01-01", 16_079, "2014-01-09");
        check("0001-01-01", 3_652_058, "9999-12-31");
        assert_eq!(date("2024-01-01").plus_days(u64::MAX), date("9999-12-31"));
        assert_eq!(date("2024-01-01").minus_days(u64::MAX), date("0001-01-01"));
        assert_eq!(date("2024-02-29").parts(), (2024, 2, 29));
    }

    #[test]
    fn steps_through_months_and_years() {
        assert_eq!(Date::last_of_month(2024, 2), Some(date("2024-02-29")));
        assert_eq!(Date::last_of_month(2023, 2), Some(date("2023-02-28")));
        assert_eq!(Date::last_of_month(2014, 12), Some(date("2014-12-31")));
        assert_eq!(Date::last_of_month(2014, 13), None);
        assert_eq!(date("2015-01-13").plus_years(2), Some(date("2017-01-13")));
        assert_eq!(date("2024-02-29").plus_years(2), Some(date("2026-02-28")));
    }
}
