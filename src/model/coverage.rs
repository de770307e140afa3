//! Which days of which regions have been fetched from EIS.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

use super::Date;

/// Consecutive days for which all documents of one type and region have been imported, as far as
/// EIS had any.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Coverage {
    /// Subsystem of EIS, such as `RGK`.
    pub subsystem: String,
    /// Type of documents, such as `contract`.
    pub documents: String,
    /// Two-digit code of the customers' region.
    pub region: String,
    #[serde(serialize_with = "iso")]
    pub from: Date,
    #[serde(serialize_with = "iso")]
    pub to: Date,
}

/// What has been fetched from one subsystem of EIS for one region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionCoverage<'a> {
    pub subsystem: &'a str,
    pub region: &'a str,
    /// Last day up to which every document type has been fetched: the earliest last day of any
    /// type.
    pub to: Date,
    /// Number of gaps between the runs, over all document types.
    pub gaps: usize,
}

impl<'a> RegionCoverage<'a> {
    /// Summarizes `runs` by subsystem and region. The runs must be joined ([`Coverage::joined`]).
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

fn iso<S: Serializer>(day: &Date, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(day)
}

impl Coverage {
    /// Merges runs of the same documents that overlap or adjoin. The result is sorted, whatever the
    /// order of `runs`.
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

    /// Returns the subsystem, the document type and the region.
    pub fn key(&self) -> [&str; 3] {
        [&self.subsystem, &self.documents, &self.region]
    }

    /// Returns what is left of the run after removing `days`.
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

    /// Returns whether `next` is about the same documents and leaves no gap. `next` must not start
    /// before this run.
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
    fn days_are_removed_from_runs() {
        let day = |day| Date::new(2026, 11, day).expect("a day");
        let without =
            |days: &[u8]| run("a", 3, 9).without(&days.iter().copied().map(day).collect());
        assert_eq!(without(&[1, 12]), [run("a", 3, 9)]);
        let cut = [run("a", 4, 5), run("a", 8, 8)];
        assert_eq!(without(&[3, 6, 7, 9]), cut);
        assert_eq!(without(&[3, 4, 5, 6, 7, 8, 9]), []);
    }

    #[test]
    fn a_region_is_covered_as_far_as_its_last_type() {
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
