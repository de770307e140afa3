//! Coverage: the regions and days whose official documents were obtained.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

use super::Date;

/// A run of days whose documents of one type and region are all here, as far as the service
/// had them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Coverage {
    /// The part of EIS that gave them out, such as `RGK`.
    pub subsystem: String,
    /// The type of the documents, such as `contract`.
    pub documents: String,
    /// The customers' region, two digits.
    pub region: String,
    /// The first day.
    #[serde(serialize_with = "iso")]
    pub from: Date,
    /// The last day.
    #[serde(serialize_with = "iso")]
    pub to: Date,
}

/// The extent of the coverage of a part of EIS in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionCoverage<'a> {
    /// The part of EIS.
    pub subsystem: &'a str,
    /// The region, two digits.
    pub region: &'a str,
    /// The last day with documents of all types: the earliest of the last days of the types that
    /// have any.
    pub to: Date,
    /// Gaps between the runs of the same type.
    pub gaps: usize,
}

impl<'a> RegionCoverage<'a> {
    /// Those of all parts of EIS and regions in `runs`, which are joined.
    pub fn all(runs: &'a [Coverage]) -> Vec<Self> {
        let mut all: BTreeMap<(&str, &str), Self> = BTreeMap::new();
        for of_one in runs.chunk_by(|one, next| one.key() == next.key()) {
            let Some(last) = of_one.last() else { continue };
            let (subsystem, region) = (last.subsystem.as_str(), last.region.as_str());
            let one = all.entry((subsystem, region)).or_insert(Self {
                subsystem,
                region,
                to: last.to,
                gaps: 0,
            });
            one.to = one.to.min(last.to);
            one.gaps += of_one.len() - 1;
        }
        all.into_values().collect()
    }
}

/// A day as JSON has it, `YYYY-MM-DD`.
fn iso<S: Serializer>(day: &Date, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(day)
}

impl Coverage {
    /// Joins runs of the same documents that overlap or follow one another day by day; the
    /// result is sorted, and does not depend on the order of `runs`.
    pub fn joined(mut runs: Vec<Self>) -> Vec<Self> {
        runs.sort();
        let mut joined: Vec<Self> = Vec::with_capacity(runs.len());
        for run in runs {
            match joined.last_mut() {
                Some(last) if last.is_continued_by(&run) => last.to = last.to.max(run.to),
                _ => joined.push(run),
            }
        }
        joined
    }

    /// The documents it covers: the part of EIS, their type, and the region.
    pub fn key(&self) -> [&str; 3] {
        [&self.subsystem, &self.documents, &self.region]
    }

    /// The runs of its days that are not among `days`.
    pub fn without(self, days: &BTreeSet<Date>) -> Vec<Self> {
        let mut runs = Vec::new();
        let mut from = self.from;
        for day in days.range(self.from..=self.to) {
            if from < *day {
                let to = day.minus_days(1);
                runs.push(Self {
                    from,
                    to,
                    ..self.clone()
                });
            }
            from = day.plus_days(1);
        }
        if from <= self.to {
            runs.push(Self { from, ..self });
        }
        runs
    }

    /// Returns whether `next`, which begins no earlier, continues this run of the same documents
    /// without a gap.
    pub fn is_continued_by(&self, next: &Self) -> bool {
        self.key() == next.key() && next.from <= self.to.plus_days(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(documents: &str, from: u8, to: u8) -> Coverage {
        let day = |day| Date::new(2026, 11, day).expect("a day");
        Coverage {
            subsystem: "RGK".to_owned(),
            documents: documents.to_owned(),
            region: "77".to_owned(),
            from: day(from),
            to: day(to),
        }
    }

    #[test]
    fn days_are_taken_out_of_a_run() {
        let day = |day| Date::new(2026, 11, day).expect("a day");
        let without =
            |days: &[u8]| run("a", 3, 9).without(&days.iter().copied().map(day).collect());
        assert_eq!(without(&[1, 12]), [run("a", 3, 9)]);
        let cut = [run("a", 4, 5), run("a", 8, 8)];
        assert_eq!(without(&[3, 6, 7, 9]), cut);
        assert_eq!(without(&[3, 4, 5, 6, 7, 8, 9]), []);
    }

    #[test]
    fn a_region_reaches_as_far_as_the_type_that_is_behind() {
        let mut runs = vec![
            run("a", 1, 6),
            run("a", 8, 9),
            run("b", 2, 3),
            run("b", 5, 8),
        ];
        runs[3].region = "50".to_owned();
        let other = Coverage {
            subsystem: "PRIZ".to_owned(),
            ..run("a", 1, 20)
        };
        runs.push(other);
        let reach = |subsystem, region, to, gaps| RegionCoverage {
            subsystem,
            region,
            to: run("", to, to).to,
            gaps,
        };
        assert_eq!(
            RegionCoverage::all(&Coverage::joined(runs)),
            [
                reach("PRIZ", "77", 20, 0),
                reach("RGK", "50", 8, 0),
                reach("RGK", "77", 3, 1),
            ]
        );
        assert_eq!(RegionCoverage::all(&[]), []);
    }
}
