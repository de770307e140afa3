//! Days, and how many contracts each has: more of late years, many in December, few on
//! weekends.

/// A day, counted from 1 January 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub i64);

/// The first day of the data, 9 January 2014: the first working day with 44-FZ in force.
pub const FIRST: Day = Day(16_079);
/// The last day of the data, 30 June 2026: fixed, so that the same command gives the same
/// data for ever.
pub const LAST: Day = Day(20_634);

/// 1 October 2016: Decree 615 has been in force for three months, and purchases under it begin.
pub const FIRST_615: Day = Day(17_075);

/// Of the contracts of all years, the parts of each from 2014 on; the last is half a year.
const YEARS: [u64; 13] = [40, 46, 50, 58, 64, 70, 74, 84, 92, 100, 112, 124, 130];
/// Of those of a year, the parts of each month.
const MONTHS: [u64; 12] = [70, 84, 92, 88, 80, 82, 74, 74, 78, 88, 104, 150];

impl Day {
    /// Year, month and day of the month (Howard Hinnant, "chrono-compatible low-level date
    /// algorithms").
    pub fn parts(self) -> (u64, u64, u64) {
        let z = (self.0 + 719_468).max(0) as u64;
        let era = z / 146_097;
        let day_of_era = z % 146_097;
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 {
            shifted + 3
        } else {
            shifted - 9
        };
        let year = year_of_era + era * 400 + u64::from(month <= 2);
        (year, month, day)
    }

    /// The year.
    pub fn year(self) -> u64 {
        self.parts().0
    }

    /// So many days later.
    pub fn plus(self, days: u64) -> Self {
        Self(self.0 + days as i64)
    }

    /// So many days earlier.
    pub fn minus(self, days: u64) -> Self {
        Self(self.0 - days as i64)
    }

    /// The last day of its year.
    pub fn end_of_year(self) -> Self {
        let (year, ..) = self.parts();
        let mut day = self.plus(365);
        while day.year() > year {
            day = day.minus(day.parts().2);
        }
        let (_, month, of_month) = day.parts();
        if month == 12 {
            day.plus(31 - of_month)
        } else {
            day
        }
    }

    /// A working day: itself, or the Monday after it.
    pub fn working(self) -> Self {
        match (self.0 + 3) % 7 {
            5 => self.plus(2),
            6 => self.plus(1),
            _ => self,
        }
    }

    /// How much is published on it, in parts.
    fn weight(self) -> u64 {
        let (year, month, of_month) = self.parts();
        let of_year = YEARS
            .get(year.saturating_sub(2014) as usize)
            .copied()
            .unwrap_or(100);
        let of_months = MONTHS
            .get(month.saturating_sub(1) as usize)
            .copied()
            .unwrap_or(80);
        let in_the_week = match (self.0 + 3) % 7 {
            _ if month == 1 && of_month < 9 => 1,
            5 => 12,
            6 => 6,
            _ => 100,
        };
        of_year * of_months * in_the_week
    }
}

/// The days in their order, each for as long as things are published on it.
#[derive(Debug)]
pub struct Timeline {
    day: Day,
    passed: u64,
    whole: u64,
}

impl Timeline {
    /// The time from the first day to the last.
    pub fn new() -> Self {
        Self {
            day: FIRST,
            passed: 0,
            whole: (FIRST.0..=LAST.0).map(|day| Day(day).weight()).sum(),
        }
    }

    /// The day at which `done` of `all` things are published; `done` never goes back.
    pub fn at(&mut self, done: u64, all: u64) -> Day {
        let target = u128::from(self.whole) * u128::from(done) / u128::from(all.max(1));
        while self.day < LAST && u128::from(self.passed + self.day.weight()) <= target {
            self.passed += self.day.weight();
            self.day = self.day.plus(1);
        }
        self.day
    }
}
