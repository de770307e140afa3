//! How much of the registry of unfair suppliers is here: the table `registry`, with one
//! small row for each law. Entries alone do not tell whether they are all: somebody has to
//! declare it.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::params;

use super::error::Result;
use super::file::OpenFile;
use super::record::RowChecksum;
use super::tally::Tally;
use crate::model::{Date, Regime, Registries, Registry};

/// The day as of which `--replace-rnp` declares registries complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplacedAsOf {
    /// The day given on the command line.
    Given(Date),
    /// The day of the import, unless a line declares another.
    Today(Date),
}

/// The registries that an import declares complete. It takes effect at the end of the
/// import: until then entries may be missing.
#[derive(Debug, Default)]
pub(super) struct Declarations(BTreeMap<Regime, Declaration>);

#[derive(Debug)]
struct Declaration {
    complete_as_of: Date,
    /// How many lines declared it, on any day.
    lines: u64,
    /// Does the last of these lines count?
    by_line: bool,
}

/// The outcome of declarations.
pub(super) struct Declared {
    /// Has any registry's day changed?
    pub changed: bool,
    /// The tally of the lines.
    pub lines: Tally,
}

impl Declarations {
    /// Adds a line's declaration; of several about a law the last counts.
    pub fn line(&mut self, law: Regime, complete_as_of: Date) {
        let lines = self.0.get(&law).map_or(0, |earlier| earlier.lines) + 1;
        let declaration = Declaration {
            complete_as_of,
            lines,
            by_line: true,
        };
        self.0.insert(law, declaration);
    }

    /// Declares the registries of these laws complete. Unknown codes are ignored.
    pub fn replaced(&mut self, codes: &BTreeSet<String>, as_of: ReplacedAsOf) {
        for law in codes.iter().filter_map(|code| Regime::from_code(code)) {
            let lines = self.0.get(&law).map_or(0, |earlier| earlier.lines);
            let complete_as_of = match as_of {
                ReplacedAsOf::Given(day) => day,
                ReplacedAsOf::Today(_) if lines > 0 => continue,
                ReplacedAsOf::Today(day) => day,
            };
            let declaration = Declaration {
                complete_as_of,
                lines,
                by_line: false,
            };
            self.0.insert(law, declaration);
        }
    }

    /// Writes them.
    pub fn write(self, db: &OpenFile) -> Result<Declared> {
        let mut changed = false;
        let mut lines = Tally::default();
        for (law, declaration) in self.0 {
            let stored = registry(db, law)?.complete_as_of;
            let counted = u64::from(declaration.by_line);
            lines.unchanged += declaration.lines - counted;
            match stored {
                Some(day) if day == declaration.complete_as_of => {
                    lines.unchanged += counted;
                    continue;
                }
                Some(_) => lines.newer += counted,
                None => lines.new += counted,
            }
            let sql = "UPDATE registry SET complete_as_of = ?2, \
                       sum = row_sum(federal_law, ?2, entries) WHERE federal_law = ?1";
            let day = declaration.complete_as_of.to_string();
            db.execute(sql, params![law.code(), day])?;
            changed = true;
        }
        Ok(Declared { changed, lines })
    }
}

/// Reads the state of the registries.
pub(super) fn registries(db: &OpenFile) -> Result<Registries> {
    let [fz44, fz223, pp615] = Regime::ALL.map(|law| registry(db, law));
    Ok(Registries([fz44?, fz223?, pp615?]))
}

fn registry(db: &OpenFile, law: Regime) -> Result<Registry> {
    let damaged = |what| db.damaged(format!("the registry of law {}: {what}", law.code()));
    let sql = "SELECT complete_as_of, entries, sum FROM registry WHERE federal_law = ?1";
    let row = db.one(sql, [law.code()], |row| {
        let (day, entries): (String, i64) = (row.get(0)?, row.get(1)?);
        let sum = RowChecksum::default()
            .text(law.code().as_bytes())
            .text(day.as_bytes());
        let is_sound = sum.number(entries).finish() == row.get::<_, u32>(2)?;
        Ok(is_sound.then_some((day, row.get(1)?)))
    })?;
    let row = row.ok_or_else(|| damaged("its row is missing"))?;
    let (day, entries) = row.ok_or_else(|| damaged("its checksum is wrong"))?;
    let complete_as_of = match day.as_str() {
        "" => None,
        day => Some(Date::parse_iso(day).ok_or_else(|| damaged("its day is none"))?),
    };
    Ok(Registry {
        law,
        complete_as_of,
        entries,
    })
}

/// Recounts the entries of each law.
pub(super) fn count_entries(db: &OpenFile) -> Result<()> {
    let sql = "UPDATE registry SET entries = counted.entries, \
               sum = row_sum(registry.federal_law, complete_as_of, counted.entries) \
               FROM (SELECT federal_law, (SELECT count(*) FROM rnp_entry \
                     WHERE rnp_entry.federal_law = of_law.federal_law) AS entries \
                     FROM registry AS of_law) AS counted \
               WHERE counted.federal_law = registry.federal_law";
    db.execute(sql, ())
}

/// Checks that each law has a row with the right count of entries.
pub(super) fn check_registries(db: &OpenFile) -> Result<()> {
    let sql = "SELECT count(*) FROM rnp_entry WHERE federal_law = ?1";
    for registry in registries(db)?.0 {
        let code = registry.law.code();
        let entries = db.one(sql, [code], |row| row.get(0))?;
        if entries != Some(registry.entries) {
            let what = format!("the registry of law {code} does not count its entries");
            return Err(db.damaged(what));
        }
    }
    Ok(())
}
