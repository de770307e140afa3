//! Registries of unfair suppliers, one for each law: how many entries are in the data, and for
//! which days a registry is known to be complete (manual, "API", "Registries").

use std::collections::BTreeSet;

use super::{Cell, Coverage, Date, DocumentType, Regime, Region};

/// Documents of a day and of this many days before prove a registry complete as of that day,
/// because every entry is published as a document and lasts three years at most.
pub const PROOF_DAYS: u64 = 1_130;

/// The document types that make up each law's registry.
pub type RegistryDocuments = [(Regime, Vec<DocumentType>)];

/// What the data knows of the registry of one law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registry {
    pub law: Regime,
    /// `None` if the registry is not known to be complete for any day.
    pub complete: Option<CompleteDays>,
    /// Includes entries that are no longer in force.
    pub entries: u64,
}

/// The days for which a registry is known to be complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompleteDays {
    /// First day that was declared or proved complete.
    pub since: Date,
    /// Last day that was declared or proved complete.
    pub as_of: Date,
    /// Why the registry is considered complete as of the last day.
    pub basis: Basis,
}

/// Why a registry is considered complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The operator declared the registry complete.
    Declared,
    /// Imported documents prove the registry complete, alone or together with an earlier
    /// declaration.
    Documents,
}

/// How much of a registry is in the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistryState {
    /// No entries are known, and no day was declared or proved complete.
    None,
    /// Some entries are known, but there may be more.
    Partial,
    Complete,
}

/// What to fetch to make a registry complete as of a later day.
#[derive(Clone, Copy, Debug)]
pub struct MissingDocuments {
    pub law: Regime,
    /// Last day for which any document of the registry was fetched. The registry would be complete
    /// as of this day.
    pub as_of: Date,
    /// Days on which documents are missing.
    pub days: u64,
    /// Missing cells. `fetch` sends one request per cell.
    pub cells: u64,
    /// A missing cell on the earliest day, in the first region that has one.
    pub first: Cell,
}

/// In the order of [`Regime::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registries {
    pub all: [Registry; 3],
    /// Whether all registries count as complete on every day. This is so only in the invented world
    /// of the demonstration data.
    pub of_every_day: bool,
}

impl Registry {
    pub fn state(&self) -> RegistryState {
        RegistryState::new(self.complete.is_some(), self.entries)
    }
}

impl CompleteDays {
    /// `declared` has days on which the operator declared the registry complete. `covered` has the
    /// runs of days with all documents of the registry, sorted and joined. Days before `forgotten`
    /// no longer count. Returns `None` if no day is left for which the registry is known to be
    /// complete.
    pub fn new(
        declared: &BTreeSet<Date>,
        covered: &[(Date, Date)],
        forgotten: Option<Date>,
    ) -> Option<Self> {
        let proved = |run: &&(Date, Date)| run.0.plus_days(PROOF_DAYS) <= run.1;
        let first_proved = covered
            .iter()
            .find(proved)
            .map(|run| run.0.plus_days(PROOF_DAYS));
        let last_proved = covered.iter().rfind(proved).map(|run| run.1);
        let last_declared = declared.last().copied();
        // A declared day followed by covered days extends to the last of them.
        let moved = declared.iter().filter_map(|day| {
            let next = day.plus_days(1);
            covered.iter().find(|run| run.0 <= next && next <= run.1)
        });
        let last_moved = moved.map(|run| run.1).max();
        let by_documents = last_proved.max(last_moved);
        let as_of = by_documents.max(last_declared)?;
        let since = [declared.first().copied(), first_proved];
        let since = since.into_iter().flatten().min()?;
        let since = forgotten.map_or(since, |day| day.max(since));
        let days = Self {
            since,
            as_of,
            basis: match by_documents == Some(as_of) {
                true => Basis::Documents,
                false => Basis::Declared,
            },
        };
        (since <= as_of).then_some(days)
    }
}

impl MissingDocuments {
    /// Finds the documents that a registry made up of `types` lacks, given the joined `coverage`.
    /// Returns `None` if `coverage` has no document of these types, or if the registry is already
    /// complete as of the last day that has one.
    ///
    /// If the registry was complete on an earlier day, only the days after it are needed, unless a
    /// proof from scratch takes fewer.
    pub fn new(registry: &Registry, coverage: &[Coverage], types: &[DocumentType]) -> Option<Self> {
        let all = Region::all().iter();
        let all = all.flat_map(|region| types.iter().map(move |documents| (region, *documents)));
        let runs: Vec<_> = all
            .map(|(region, documents)| {
                let runs = runs_of(coverage, documents, region.code);
                (region, documents, runs)
            })
            .collect();
        let as_of = runs.iter().filter_map(|one| one.2.last()).map(|run| run.1);
        let as_of = as_of.max()?;
        let proof = as_of.minus_days(PROOF_DAYS);
        let next = registry.complete.map(|days| days.as_of.plus_days(1));
        let window = (next.map_or(proof, |day| day.max(proof)), as_of);
        let (mut cells, mut gaps, mut first) = (0, Vec::new(), None::<Cell>);
        for (region, documents, runs) in runs {
            let missing = uncovered(&runs, window);
            let Some(&(day, _)) = missing.first() else {
                continue;
            };
            // If several regions lack documents on that day, the first region counts.
            if first.is_none_or(|first| day < first.day) {
                first = Some(Cell {
                    day,
                    region,
                    documents,
                });
            }
            cells += days_in(&missing);
            gaps.extend(missing);
        }
        Some(Self {
            law: registry.law,
            as_of,
            days: days_in(&joined(gaps)),
            cells,
            first: first?,
        })
    }
}

/// The runs must not overlap.
fn days_in(runs: &[(Date, Date)]) -> u64 {
    let length = |run: &(Date, Date)| run.1.days_since_1970() - run.0.days_since_1970() + 1;
    u64::try_from(runs.iter().map(length).sum::<i64>()).unwrap_or(0)
}

/// Sorts runs and merges those that overlap.
fn joined(mut runs: Vec<(Date, Date)>) -> Vec<(Date, Date)> {
    runs.sort_unstable();
    runs.dedup_by(|next, run| {
        let continues = next.0 <= run.1;
        if continues {
            run.1 = run.1.max(next.1);
        }
        continues
    });
    runs
}

/// Returns the days of `window` that are in none of the `runs`, which must be sorted and joined.
fn uncovered(runs: &[(Date, Date)], window: (Date, Date)) -> Vec<(Date, Date)> {
    let mut gaps = Vec::new();
    let mut next = window.0;
    for run in runs.iter().filter(|run| run.1 >= window.0) {
        if next < run.0 && next <= window.1 {
            gaps.push((next, run.0.minus_days(1).min(window.1)));
        }
        next = next.max(run.1.plus_days(1));
    }
    if next <= window.1 {
        gaps.push((next, window.1));
    }
    gaps
}

/// Returns the days for which `coverage`, which must be joined, has these documents of a region.
fn runs_of(coverage: &[Coverage], documents: DocumentType, region: &str) -> Vec<(Date, Date)> {
    let key = [documents.subsystem, documents.name, region];
    let first = coverage.partition_point(|run| run.key() < key);
    let runs = coverage.get(first..).unwrap_or_default().iter();
    let runs = runs.take_while(|run| run.key() == key);
    runs.map(|run| (run.from, run.to)).collect()
}

/// Returns the days for which `coverage`, which must be joined, has the documents of all `types` in
/// all `regions` (given by code). The result is sorted and joined, and empty if `types` is.
pub fn covered_days(
    coverage: &[Coverage],
    types: &[DocumentType],
    regions: &[&str],
) -> Vec<(Date, Date)> {
    let mut common: Option<Vec<(Date, Date)>> = None;
    for documents in types {
        for region in regions {
            let runs = runs_of(coverage, *documents, region);
            common = Some(match common {
                None => runs,
                Some(common) => intersection(&common, &runs),
            });
        }
    }
    common.unwrap_or_default()
}

/// Returns the days in both lists, which must be sorted and joined.
fn intersection(one: &[(Date, Date)], other: &[(Date, Date)]) -> Vec<(Date, Date)> {
    let mut common = Vec::new();
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let run = (a.0.max(b.0), a.1.min(b.1));
        if run.0 <= run.1 {
            common.push(run);
        }
        match a.1 <= b.1 {
            true => left.next(),
            false => right.next(),
        };
    }
    common
}

impl Basis {
    pub const CODES: &'static [&'static str] = &["declared", "documents"];

    /// Returns the code in responses.
    pub fn code(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Documents => "documents",
        }
    }

    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Declared, Self::Documents]
            .into_iter()
            .find(|basis| basis.code() == code)
    }
}

impl RegistryState {
    /// The codes, in the order of the variants.
    pub const CODES: &'static [&'static str] = &["none", "partial", "complete"];

    /// `entries` is the number of known entries.
    pub fn new(is_complete: bool, entries: u64) -> Self {
        match (is_complete, entries) {
            (true, _) => Self::Complete,
            (false, 0) => Self::None,
            (false, _) => Self::Partial,
        }
    }

    /// Returns the code in responses.
    pub fn code(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Partial => "partial",
            Self::Complete => "complete",
        }
    }
}

impl Registries {
    /// Returns the earliest of the days as of which the registries are complete. Returns `None` if
    /// no registry is complete.
    pub fn oldest_complete(&self) -> Option<Date> {
        let days = self.all.iter().filter_map(|one| one.complete);
        days.map(|days| days.as_of).min()
    }

    /// Returns what each registry lacks to be complete as of a later day. `coverage` must be
    /// joined. Registries that lack nothing are left out, and so are those of which `coverage` has
    /// no documents.
    pub fn missing(
        &self,
        coverage: &[Coverage],
        documents: &RegistryDocuments,
    ) -> Vec<MissingDocuments> {
        let registries = self.all.iter().filter(|_| !self.of_every_day);
        let missing = registries.filter_map(|registry| {
            let (_, types) = documents.iter().find(|(law, _)| *law == registry.law)?;
            MissingDocuments::new(registry, coverage, types)
        });
        missing.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        Date::parse_iso(text).expect("a day")
    }

    fn complete(
        declared: &[&str],
        covered: &[(&str, &str)],
        forgotten: Option<&str>,
    ) -> Option<String> {
        let declared = declared.iter().map(|text| day(text)).collect();
        let runs: Vec<_> = covered.iter().map(|run| (day(run.0), day(run.1))).collect();
        let days = CompleteDays::new(&declared, &runs, forgotten.map(day))?;
        Some(format!(
            "{}..{} {}",
            days.since,
            days.as_of,
            days.basis.code()
        ))
    }

    #[test]
    fn documents_of_1130_days_and_the_day_itself_prove_completeness() {
        let expected = |text: &str| Some(text.to_owned());
        assert_eq!(
            complete(&[], &[("2023-10-17", "2026-11-20")], None),
            expected("2026-11-20..2026-11-20 documents")
        );
        assert_eq!(
            complete(&[], &[("2023-10-17", "2026-11-23")], None),
            expected("2026-11-20..2026-11-23 documents")
        );
        // A gap after a proof does not invalidate it.
        assert_eq!(
            complete(
                &[],
                &[("2020-01-01", "2025-01-01"), ("2025-01-03", "2026-11-20")],
                None
            ),
            expected("2023-02-04..2025-01-01 documents")
        );
    }

    #[test]
    fn a_day_is_covered_only_if_all_types_and_regions_are() {
        let run = |documents: &str, region: &str, from: &str, to: &str| Coverage {
            subsystem: "RPN".to_owned(),
            documents: documents.to_owned(),
            region: region.to_owned(),
            from: day(from),
            to: day(to),
        };
        let mut coverage = vec![
            run("a", "50", "2026-11-01", "2026-11-20"),
            run("a", "77", "2026-11-02", "2026-11-10"),
            run("a", "77", "2026-11-12", "2026-11-20"),
            run("b", "50", "2026-11-01", "2026-11-18"),
            run("b", "77", "2026-11-01", "2026-11-20"),
        ];
        let types = ["a", "b"].map(|name| DocumentType {
            subsystem: "RPN",
            name,
        });
        assert_eq!(
            covered_days(&coverage, &types, &["77", "50"]),
            [
                (day("2026-11-02"), day("2026-11-10")),
                (day("2026-11-12"), day("2026-11-18"))
            ]
        );
        assert_eq!(covered_days(&coverage, &types, &["77", "01"]), []);
        assert_eq!(covered_days(&coverage, &[], &["77"]), []);
        coverage.remove(3);
        assert_eq!(covered_days(&coverage, &types, &["77", "50"]), []);
    }

    const ENTRY: DocumentType = DocumentType {
        subsystem: "RNP",
        name: "entry",
    };
    const EXCLUSION: DocumentType = DocumentType {
        subsystem: "RNP",
        name: "exclusion",
    };

    /// Both document types in all regions.
    fn of_all_regions(from: &str, to: &str) -> Vec<Coverage> {
        let cells = Region::all()
            .iter()
            .flat_map(|region| [ENTRY, EXCLUSION].map(|documents| (region.code, documents.name)));
        let runs = cells.map(|(region, documents)| Coverage {
            subsystem: "RNP".to_owned(),
            documents: documents.to_owned(),
            region: region.to_owned(),
            from: day(from),
            to: day(to),
        });
        runs.collect()
    }

    /// The documents missing, as `as_of: days/cells first`, from a registry that was declared
    /// complete on `declared`.
    fn missing(declared: &[&str], coverage: Vec<Coverage>) -> Option<String> {
        let coverage = Coverage::joined(coverage);
        let types = [ENTRY, EXCLUSION];
        let regions: Vec<&str> = Region::all().iter().map(|region| region.code).collect();
        let covered = covered_days(&coverage, &types, &regions);
        let declared = declared.iter().map(|text| day(text)).collect();
        let registry = Registry {
            law: Regime::Fz44,
            complete: CompleteDays::new(&declared, &covered, None),
            entries: 1,
        };
        let missing = MissingDocuments::new(&registry, &coverage, &types)?;
        let first = missing.first;
        Some(format!(
            "{}: {}/{} {} {} {}",
            missing.as_of,
            missing.days,
            missing.cells,
            first.day,
            first.region.code,
            first.documents.name
        ))
    }

    fn without(
        coverage: Vec<Coverage>,
        gap: &str,
        region: &str,
        documents: DocumentType,
    ) -> Vec<Coverage> {
        let gap = day(gap);
        let mut left = Vec::new();
        for run in coverage {
            if run.key() != [documents.subsystem, documents.name, region] {
                left.push(run);
                continue;
            }
            let before = run.from..gap;
            if !before.is_empty() {
                left.push(Coverage {
                    to: gap.minus_days(1),
                    ..run.clone()
                });
            }
            if gap < run.to {
                left.push(Coverage {
                    from: gap.plus_days(1),
                    ..run
                });
            }
        }
        left
    }

    #[test]
    fn nothing_is_missing_from_a_complete_or_unknown_registry() {
        assert_eq!(missing(&[], Vec::new()), None);
        assert_eq!(missing(&["2026-11-20"], Vec::new()), None);
        let whole = || of_all_regions("2023-10-17", "2026-11-20");
        assert_eq!(missing(&[], whole()), None);
        assert_eq!(missing(&["2026-11-21"], whole()), None);
        let other = Coverage {
            subsystem: "RGK".to_owned(),
            ..whole().remove(0)
        };
        assert_eq!(missing(&[], vec![other]), None);
    }

    #[test]
    fn the_first_missing_cell_is_named_and_all_are_counted() {
        let said = |text: &str| Some(text.to_owned());
        let regions = Region::all().len() as u64;
        let whole = || of_all_regions("2023-10-17", "2026-11-20");
        // With a gap in the middle, one more day at the end would not help.
        let gap = without(whole(), "2025-05-05", "50", EXCLUSION);
        let expected = "2026-11-20: 1/1 2025-05-05 50 exclusion";
        assert_eq!(missing(&[], gap.clone()), said(expected));
        let two = without(gap, "2025-05-05", "38", ENTRY);
        let expected = "2026-11-20: 1/2 2025-05-05 38 entry";
        assert_eq!(missing(&[], two), said(expected));
        // First the earliest day needed for the proof is missing, then the latest.
        let short = of_all_regions("2023-10-18", "2026-11-20");
        let expected = format!("2026-11-20: 1/{} 2023-10-17 01 entry", 2 * regions);
        assert_eq!(missing(&[], short), said(&expected));
        let last = without(
            of_all_regions("2023-10-16", "2026-11-20"),
            "2026-11-20",
            "77",
            ENTRY,
        );
        let expected = "2026-11-20: 1/1 2026-11-20 77 entry";
        assert_eq!(missing(&[], last), said(expected));
    }

    #[test]
    fn after_a_complete_day_only_later_ones_are_missing() {
        let said = |text: &str| Some(text.to_owned());
        let night = || of_all_regions("2026-11-21", "2026-11-23");
        assert_eq!(missing(&["2026-11-20"], night()), None);
        let gap = without(night(), "2026-11-22", "50", ENTRY);
        let expected = "2026-11-23: 1/1 2026-11-22 50 entry";
        assert_eq!(missing(&["2026-11-20"], gap), said(expected));
        // A day declared too long ago does not help.
        let proof = of_all_regions("2024-01-01", "2026-11-20");
        let missing_days =
            day("2024-01-01").days_since_1970() - day("2023-10-17").days_since_1970();
        let cells = 2 * Region::all().len() as i64 * missing_days;
        let expected = format!("2026-11-20: {missing_days}/{cells} 2023-10-17 01 entry");
        assert_eq!(missing(&["2020-01-01"], proof), said(&expected));
    }
}
