//! Completeness of the registries of unfair suppliers (manual, "API", "Registries"). The table
//! `registry_day` has the days as of which registries were declared complete. The table `registry`
//! has, for each law, what follows from these days and from coverage.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Row, params};

use super::error::Result;
use super::file::OpenFile;
use super::tally::Tally;
use crate::model::{
    Basis, CompleteDays, Coverage, Date, Regime, Region, Registries, Registry, RegistryDocuments,
    covered_days,
};

/// The day as of which `--replace-rnp` declares registries complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplacedAsOf {
    /// The day given on the command line.
    Given(Date),
    /// The last day as of which a line of the import declares the registry complete or, without
    /// such a line, the contained day, which is today.
    Today(Date),
}

/// Days as of which lines declare registries complete. They take effect when the import ends,
/// because entries may be missing before that.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    days: BTreeMap<Regime, BTreeSet<Date>>,
    lines: u64,
}

impl Declarations {
    pub fn line(&mut self, law: Regime, day: Date) {
        self.days.entry(law).or_default().insert(day);
        self.lines += 1;
    }

    /// Returns the day as of which the imported entries are the whole registry of a law.
    pub fn whole_day(&self, law: Regime, as_of: ReplacedAsOf) -> Date {
        match as_of {
            ReplacedAsOf::Given(day) => day,
            ReplacedAsOf::Today(day) => {
                let declared = self.days.get(&law).and_then(BTreeSet::last);
                declared.copied().unwrap_or(day)
            }
        }
    }

    pub fn write(self, db: &OpenFile) -> Result<Tally> {
        let mut tally = Tally::default();
        for (law, days) in self.days {
            let mut known = declared_days(db, law)?;
            for day in days {
                let is_first = known.is_empty();
                match known.insert(day) {
                    true if is_first => tally.new += 1,
                    true => tally.newer += 1,
                    false => continue,
                }
                declare(db, law, day, false)?;
            }
        }
        tally.unchanged = self.lines - tally.new - tally.newer;
        Ok(tally)
    }
}

/// Declares the registry of a law complete as of a day. `is_whole` means that all its entries were
/// imported. Returns `true` if the day was not declared before, or if it was declared without all
/// entries and `is_whole` is set.
pub(super) fn declare(db: &OpenFile, law: Regime, day: Date, is_whole: bool) -> Result<bool> {
    let sql = "INSERT INTO registry_day VALUES (?1, ?2, ?3, row_sum(?1, ?2, ?3)) \
               ON CONFLICT DO UPDATE SET is_whole = 1, sum = row_sum(?1, ?2, 1) \
               WHERE is_whole < ?3";
    let day = day.to_string();
    Ok(db.change(sql, params![law.code(), day, i64::from(is_whole)])? > 0)
}

fn declared_days(db: &OpenFile, law: Regime) -> Result<BTreeSet<Date>> {
    let days = registry_days(db)?.into_iter();
    Ok(days.filter(|day| day.0 == law).map(|day| day.1).collect())
}

/// Returns the days as of which whole registries were imported, keyed by the code of the law.
pub(super) fn whole_days(db: &OpenFile) -> Result<BTreeMap<String, BTreeSet<Date>>> {
    let mut whole: BTreeMap<String, BTreeSet<Date>> = BTreeMap::new();
    for (law, day, is_whole) in registry_days(db)? {
        if is_whole {
            whole.entry(law.code().to_owned()).or_default().insert(day);
        }
    }
    Ok(whole)
}

/// Reads the table `registry_day`: law, day, and whether the whole registry was imported.
fn registry_days(db: &OpenFile) -> Result<Vec<(Regime, Date, bool)>> {
    let sql = "SELECT federal_law, day, is_whole, sum = row_sum(federal_law, day, is_whole) \
               FROM registry_day";
    let read = |row: &Row<'_>| {
        let law = Regime::from_code(row.get_ref(0)?.as_str()?);
        let day = Date::parse_iso(row.get_ref(1)?.as_str()?);
        let (is_whole, is_sound) = (row.get(2)?, row.get(3)?);
        let found = law.zip(day).filter(|_| is_sound);
        Ok(found.map(|(law, day)| (law, day, is_whole)))
    };
    let days: Option<Vec<_>> = db.all(sql, (), read)?.into_iter().collect();
    days.ok_or_else(|| db.damaged("a day of a registry: its checksum is wrong"))
}

/// For each law, keeps the last declared day that is not after `day`, because later days depend on
/// it, and deletes all days before that one. Also records that entries may have been deleted before
/// `day`.
pub(super) fn forget_days_before(db: &OpenFile, day: Date) -> Result<()> {
    let day = day.to_string();
    let sql = "DELETE FROM registry_day WHERE day < ?1 AND day < \
               (SELECT max(day) FROM registry_day AS other \
               WHERE other.federal_law = registry_day.federal_law AND day <= ?1)";
    db.execute(sql, [&day])?;
    let sql = "UPDATE registry SET forgotten = ?1, sum = \
               row_sum(federal_law, complete_since, complete_as_of, basis, entries, ?1) \
               WHERE forgotten < ?1";
    db.execute(sql, [&day])
}

/// Updates the complete days and the number of entries of each law's registry, based on the
/// declarations and on the coverage of the law's documents. Returns the laws for which anything has
/// changed.
pub(super) fn settle(
    db: &OpenFile,
    documents: &RegistryDocuments,
    coverage: &[Coverage],
) -> Result<Vec<Regime>> {
    let regions: Vec<&str> = Region::all().iter().map(|region| region.code).collect();
    let mut changed = Vec::new();
    for law in Regime::ALL {
        let of_law = documents.iter().find(|(of, _)| *of == law);
        let types = of_law.map_or(&[][..], |(_, types)| types);
        let covered = covered_days(coverage, types, &regions);
        let stored = stored_registry(db, law)?;
        let forgotten = stored.forgotten;
        let complete = CompleteDays::new(&declared_days(db, law)?, &covered, forgotten);
        let sql = "SELECT count(*) FROM rnp_entry WHERE federal_law = ?1";
        let entries = db.value(sql, [law.code()], |row| row.get(0))?;
        let registry = Registry {
            law,
            complete,
            entries,
        };
        if registry != stored.registry {
            write_registry(db, &registry)?;
            changed.push(law);
        }
    }
    Ok(changed)
}

fn write_registry(db: &OpenFile, registry: &Registry) -> Result<()> {
    let text = |day: Option<Date>| day.map_or_else(String::new, |day| day.to_string());
    let complete = registry.complete;
    let sql = "UPDATE registry SET complete_since = ?2, complete_as_of = ?3, basis = ?4, \
               entries = ?5, sum = row_sum(federal_law, ?2, ?3, ?4, ?5, forgotten) \
               WHERE federal_law = ?1";
    let columns = params![
        registry.law.code(),
        text(complete.map(|days| days.since)),
        text(complete.map(|days| days.as_of)),
        complete.map_or("", |days| days.basis.code()),
        registry.entries,
    ];
    db.execute(sql, columns)
}

pub(super) fn registries(db: &OpenFile) -> Result<Registries> {
    let [fz44, fz223, pp615] = Regime::ALL.map(|law| stored_registry(db, law));
    Ok(Registries {
        all: [fz44?.registry, fz223?.registry, pp615?.registry],
        of_every_day: false,
    })
}

struct StoredRegistry {
    registry: Registry,
    /// Entries that were not in force on this day or later may have been deleted.
    forgotten: Option<Date>,
}

fn stored_registry(db: &OpenFile, law: Regime) -> Result<StoredRegistry> {
    let damaged = |what| db.damaged(format!("the registry of law {}: {what}", law.code()));
    let sql = "SELECT complete_since, complete_as_of, basis, forgotten, entries FROM registry \
               WHERE federal_law = ?1 AND sum = row_sum(\
               federal_law, complete_since, complete_as_of, basis, entries, forgotten)";
    let row = db.one(sql, [law.code()], |row| {
        let texts: [String; 4] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?];
        Ok((texts, row.get::<_, i64>(4)?))
    })?;
    let missing = || damaged("its row is missing, or its checksum is wrong");
    let ([since, as_of, basis, forgotten], entries) = row.ok_or_else(missing)?;
    let day = |text: &str| match text {
        "" => Ok(None),
        text => Date::parse_iso(text)
            .map(Some)
            .ok_or_else(|| damaged("a day is malformed")),
    };
    let days = day(&since)?.zip(day(&as_of)?).zip(Basis::from_code(&basis));
    Ok(StoredRegistry {
        registry: Registry {
            law,
            complete: days.map(|((since, as_of), basis)| CompleteDays {
                since,
                as_of,
                basis,
            }),
            entries: u64::try_from(entries)
                .map_err(|_| damaged("the number of entries is negative"))?,
        },
        forgotten: day(&forgotten)?,
    })
}

/// Checks that each law has a row with the right number of entries, and that the rows of declared
/// days are intact.
pub(super) fn check_registries(db: &OpenFile) -> Result<()> {
    registry_days(db)?;
    let sql = "SELECT count(*) FROM rnp_entry WHERE federal_law = ?1";
    for registry in registries(db)?.all {
        let code = registry.law.code();
        let entries = db.one(sql, [code], |row| row.get(0))?;
        if entries != Some(registry.entries) {
            let what = format!("the registry of law {code} has a wrong number of entries");
            return Err(db.damaged(what));
        }
    }
    Ok(())
}
