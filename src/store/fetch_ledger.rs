//! The ledger of a folder of fetched documents: settled cells, their archives, and the progress of
//! a run.
//!
//! Unlike data and keys, this file is changed in place. A process that works in the folder has
//! exclusive access to the file. The write-ahead log (WAL) makes transactions atomic if the process
//! is killed. If the machine stops, the last transactions may be lost, and the next run requests
//! their cells again.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, params};

use super::error::{Error, Result};
use super::file::{FileKind, OpenFile, format_or_trial, is_file, prepared, schema};
use super::migrations::LEDGER_STEPS;
use super::release;
use super::upgrade::{OnUpgradeProgress, Upgraded, upgrade_in_place};
use crate::model::{Cell, Coverage, Date, Region};

pub(super) const LEDGER: FileKind = FileKind {
    name: "procurement-lookup fetch",
    application_id: 0x7052_4c46, // "pRLF"
    format: format_or_trial(1),
    schema: schema!("fetch.sql"),
    option: "--into",
    made_with: "`procurement-lookup fetch --into DIR …`",
    mode: 0o666,
};

/// How far times in the file may be ahead of the clock, in milliseconds.
const MAX_AHEAD: i64 = DAY;

const DAY: i64 = 24 * 3600 * 1000;

/// The file `fetch.sqlite` of a folder, opened with exclusive access.
#[derive(Debug)]
pub struct FetchLedger {
    file: OpenFile,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellState {
    /// When all archives of the cell were last downloaded or the cell was found empty, in
    /// milliseconds since 1970. `None` if that has not happened yet, or if an archive has since
    /// gone missing.
    pub settled: Option<i64>,
    pub is_failed: bool,
}

/// A link in the service's last response about a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredLink {
    pub link: String,
    /// Time of the response, in milliseconds since 1970.
    pub asked: i64,
    /// Digest of the archive, if it is already on the disk.
    pub saved: Option<[u8; 32]>,
}

/// States of the cells of one day, by region, subsystem and type of documents.
#[derive(Debug, Default)]
pub struct DayStates(HashMap<(String, String, String), CellState>);

impl DayStates {
    /// Returns the state of a cell, if it was ever requested.
    pub fn get(&self, cell: &Cell) -> Option<CellState> {
        let key = (
            cell.region.code.to_owned(),
            cell.documents.subsystem.to_owned(),
            cell.documents.name.to_owned(),
        );
        self.0.get(&key).copied()
    }
}

impl FetchLedger {
    /// Opens or creates the file at `path`. `now` is the current time in milliseconds since 1970.
    ///
    /// # Errors
    /// Returns an error if another process uses the file, if it is of another kind or format, if it
    /// cannot be written, or if it has times more than a day later than `now`.
    pub fn open(path: &Path, now: i64) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::with_flags(path, flags, now)
    }

    /// Opens the file at `path`, if there is one.
    ///
    /// # Errors
    /// See [`FetchLedger::open`].
    pub fn open_existing(path: &Path, now: i64) -> Result<Option<Self>> {
        if !is_file(path)? {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::with_flags(path, flags, now).map(Some)
    }

    /// Upgrades the file at `path` to the format of this release in one transaction, which
    /// `on_progress` may stop. Returns `None` if the file does not exist or has no tables.
    ///
    /// # Errors
    /// See [`FetchLedger::open`]. Also returns an error if `on_progress` stops the upgrade. After
    /// any error, the file is unchanged.
    pub fn upgrade(path: &Path, on_progress: OnUpgradeProgress<'_>) -> Result<Option<Upgraded>> {
        if !is_file(path)? {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let file = open_exclusive(path, flags)?;
        if has_no_tables(&file)? {
            return Ok(None);
        }
        let earlier = || {
            LEDGER.check_kind(&file)?;
            LEDGER.earlier_format(&file)
        };
        let Some(from) = earlier().map_err(|error| unusable(path, error))? else {
            return Ok(Some(Upgraded::Already(LEDGER.format)));
        };
        upgrade_in_place(&LEDGER, LEDGER_STEPS, &file, from, on_progress).map(Some)
    }

    fn with_flags(path: &Path, flags: OpenFlags, now: i64) -> Result<Self> {
        is_file(path)?;
        let file = open_exclusive(path, flags)?;
        if has_no_tables(&file)? {
            LEDGER.create(&file)?;
        } else {
            LEDGER.check(&file).map_err(|error| unusable(path, error))?;
        }
        file.batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
        release::note(&file.connection).map_err(|error| file.failed(error))?;
        let last: Option<i64> = file
            .one("SELECT max(settled) FROM cell", (), |row| row.get(0))?
            .flatten();
        match last {
            Some(last) if last > now.saturating_add(MAX_AHEAD) => Err(Error::refused(
                path,
                "it was written at a time that lies ahead of this machine's clock: set the clock; \
                 if the clock was wrong when it was written, remove this file, and everything in \
                 it is requested again",
            )),
            _ => Ok(Self { file }),
        }
    }

    /// Starts the run of a selection, or resumes an unfinished one that started at most a day ago.
    /// Returns the start time in milliseconds since 1970. Deletes all unfinished runs that started
    /// more than a day ago, or later than `now`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn begin_run(&self, selection: &str, now: i64) -> Result<i64> {
        let sql = "DELETE FROM run WHERE started NOT BETWEEN ?1 AND ?2";
        self.file.execute(sql, [now.saturating_sub(DAY), now])?;
        let sql = "INSERT INTO run (selection, started) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        self.file.execute(sql, params![selection, now])?;
        Ok(self.unfinished_run(selection, now)?.unwrap_or(now))
    }

    /// Returns the start time of an unfinished run that started at most a day ago, if there is one,
    /// in milliseconds since 1970.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn unfinished_run(&self, selection: &str, now: i64) -> Result<Option<i64>> {
        let sql = "SELECT started FROM run WHERE selection = ?1 AND started BETWEEN ?2 AND ?3";
        let values = params![selection, now.saturating_sub(DAY), now];
        self.file.one(sql, values, |row| row.get(0))
    }

    /// Records that the run of a selection has ended.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn end_run(&self, selection: &str) -> Result<()> {
        let sql = "DELETE FROM run WHERE selection = ?1";
        self.file.execute(sql, [selection])
    }

    /// Returns the states of the cells of a day.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn states(&self, day: Date) -> Result<DayStates> {
        let sql = "SELECT region, subsystem, documents, settled, failed FROM cell \
                   WHERE day = ?1";
        let read = |row: &rusqlite::Row<'_>| {
            let state = CellState {
                settled: row.get(3)?,
                is_failed: row.get(4)?,
            };
            Ok(((row.get(0)?, row.get(1)?, row.get(2)?), state))
        };
        let states = self.file.all(sql, [day.to_string()], read)?;
        Ok(DayStates(states.into_iter().collect()))
    }

    /// Returns the links in the last response about a cell. There are none once the cell is settled
    /// or has failed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn links(&self, cell: &Cell) -> Result<Vec<AnsweredLink>> {
        let sql = "SELECT link, asked, digest FROM link WHERE cell = ?1";
        let read = |row: &rusqlite::Row<'_>| {
            Ok(AnsweredLink {
                link: row.get(0)?,
                asked: row.get(1)?,
                saved: row.get(2)?,
            })
        };
        match self.find(cell)? {
            Some(id) => self.file.all(sql, [id], read),
            None => Ok(Vec::new()),
        }
    }

    /// Records the service's response about a cell: the links to its archives. Replaces earlier
    /// links, but keeps what is known about the archives of links that occur again.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn answered(&self, cell: &Cell, links: &[String], now: i64) -> Result<()> {
        self.transaction(|| {
            let id = self.id_of(cell)?;
            let sql =
                "SELECT link, digest, length FROM link WHERE cell = ?1 AND digest IS NOT NULL";
            let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, (row.get(1)?, row.get(2)?)));
            let saved: HashMap<String, ([u8; 32], u64)> =
                self.file.all(sql, [id], read)?.into_iter().collect();
            self.forget_links(id)?;
            let sql = "INSERT INTO link (cell, link, asked, digest, length) \
                       VALUES (?1, ?2, ?3, ?4, ?5)";
            links.iter().try_for_each(|link| {
                let (digest, length) = saved.get(link).copied().unzip();
                self.file
                    .execute(sql, params![id, link, now, digest, length])
            })
        })
    }

    /// Records that the archive of a link is on the disk.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn saved(&self, cell: &Cell, link: &str, digest: &[u8; 32], length: u64) -> Result<()> {
        let sql = "UPDATE link SET digest = ?3, length = ?4 WHERE cell = ?1 AND link = ?2";
        let id = self.id_of(cell)?;
        self.file.execute(sql, params![id, link, digest, length])
    }

    /// Records that all archives of a cell are on the disk, or that the cell has none. Archives of
    /// earlier responses stay recorded.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn settle(&self, cell: &Cell, archives: &[([u8; 32], u64)], now: i64) -> Result<()> {
        self.transaction(|| {
            let id = self.id_of(cell)?;
            let sql = "INSERT INTO archive (cell, digest, length) VALUES (?1, ?2, ?3) \
                       ON CONFLICT DO NOTHING";
            for (digest, length) in archives {
                self.file.execute(sql, params![id, digest, length])?;
            }
            self.forget_links(id)?;
            let sql = "UPDATE cell SET settled = ?2, failed = 0 WHERE id = ?1";
            self.file.execute(sql, [id, now])
        })
    }

    /// Returns the digests of a cell's archives, in ascending order. Archives downloaded from links
    /// are missing until the cell is settled or has failed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn archives(&self, cell: &Cell) -> Result<Vec<[u8; 32]>> {
        match self.find(cell)? {
            Some(id) => {
                let sql = "SELECT digest FROM archive WHERE cell = ?1 ORDER BY digest";
                self.file.all(sql, [id], |row| row.get(0))
            }
            None => Ok(Vec::new()),
        }
    }

    /// Removes an archive from a cell, because other archives contain all documents in it. Returns
    /// whether no other cell of the same day has the archive.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn drop_archive(&self, cell: &Cell, digest: &[u8; 32]) -> Result<bool> {
        let id = self.id_of(cell)?;
        let sql = "DELETE FROM archive WHERE cell = ?1 AND digest = ?2";
        self.file.execute(sql, params![id, digest])?;
        let sql = "SELECT NOT EXISTS (SELECT 1 FROM archive JOIN cell ON cell.id = archive.cell \
                   WHERE archive.digest = ?1 AND cell.day = ?2) AND NOT EXISTS (SELECT 1 FROM \
                   link JOIN cell ON cell.id = link.cell WHERE link.digest = ?1 AND cell.day = ?2)";
        let day = cell.day.to_string();
        let is_free = self.file.one(sql, params![digest, day], |row| row.get(0))?;
        Ok(is_free.unwrap_or(false))
    }

    /// Records that the request for a cell failed. Deletes the links of the last response, but
    /// keeps the archives.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn fail(&self, cell: &Cell) -> Result<()> {
        self.transaction(|| {
            let id = self.id_of(cell)?;
            self.forget_links(id)?;
            let sql = "UPDATE cell SET failed = 1 WHERE id = ?1";
            self.file.execute(sql, [id])
        })
    }

    /// Deletes the links of a cell, but keeps the archives downloaded from them.
    fn forget_links(&self, id: i64) -> Result<()> {
        let sql = "INSERT INTO archive (cell, digest, length) SELECT cell, digest, length \
                   FROM link WHERE cell = ?1 AND digest IS NOT NULL ON CONFLICT DO NOTHING";
        self.file.execute(sql, [id])?;
        self.file.execute("DELETE FROM link WHERE cell = ?1", [id])
    }

    /// Removes the archives for which `is_there` returns `false`, given day, digest and length.
    /// Their cells are no longer settled. Returns the number of removed archives.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written.
    pub fn forget_missing(&self, is_there: impl Fn(&str, &[u8; 32], u64) -> bool) -> Result<usize> {
        self.transaction(|| {
            let mut missing = Vec::new();
            for (table, sql) in ARCHIVES {
                self.file.each_row(sql, (), |row| {
                    let read = || {
                        let (day, digest, length): (String, [u8; 32], u64) =
                            (row.get(1)?, row.get(2)?, row.get(3)?);
                        let found = is_there(&day, &digest, length);
                        Ok((!found).then_some((table, row.get::<_, i64>(0)?, digest)))
                    };
                    missing.extend(read().map_err(|error| self.file.failed(error))?);
                    Ok(())
                })?;
            }
            for (table, cell, digest) in &missing {
                match *table {
                    "archive" => {
                        let sql = "DELETE FROM archive WHERE cell = ?1 AND digest = ?2";
                        self.file.execute(sql, params![cell, digest])?;
                        let sql = "UPDATE cell SET settled = NULL WHERE id = ?1";
                        self.file.execute(sql, [cell])?;
                    }
                    _ => {
                        let sql = "UPDATE link SET digest = NULL WHERE cell = ?1 AND digest = ?2";
                        self.file.execute(sql, params![cell, digest])?;
                    }
                }
            }
            Ok(missing.len())
        })
    }

    /// Returns the coverage of the folder: the days that had already ended when their cells were
    /// settled.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn coverage(&self) -> Result<Vec<Coverage>> {
        let sql = "SELECT subsystem, documents, region, day, settled FROM cell \
                   WHERE settled IS NOT NULL ORDER BY subsystem, documents, region, day";
        let mut runs: Vec<Coverage> = Vec::new();
        self.file.each_row(sql, (), |row| {
            let read = || -> rusqlite::Result<_> {
                let day: String = row.get(3)?;
                let run = |day| -> rusqlite::Result<Coverage> {
                    Ok(Coverage {
                        subsystem: row.get(0)?,
                        documents: row.get(1)?,
                        region: row.get(2)?,
                        from: day,
                        to: day,
                    })
                };
                let run = Date::parse_iso(&day).map(run).transpose()?;
                Ok((run, row.get(4)?))
            };
            let (run, settled) = read().map_err(|error| self.file.failed(error))?;
            let run = run.ok_or_else(|| self.file.damaged("a day is malformed"))?;
            if was_over(&run, settled) {
                match runs.last_mut() {
                    Some(last) if last.is_continued_by(&run) => last.to = run.to,
                    _ => runs.push(run),
                }
            }
            Ok(())
        })?;
        Ok(runs)
    }

    fn find(&self, cell: &Cell) -> Result<Option<i64>> {
        let sql = "SELECT id FROM cell WHERE day = ?1 AND region = ?2 AND subsystem = ?3 \
                   AND documents = ?4";
        let day = cell.day.to_string();
        let (subsystem, name) = (cell.documents.subsystem, cell.documents.name);
        let values = params![day, cell.region.code, subsystem, name];
        self.file.one(sql, values, |row| row.get(0))
    }

    fn id_of(&self, cell: &Cell) -> Result<i64> {
        if let Some(id) = self.find(cell)? {
            return Ok(id);
        }
        let sql = "INSERT INTO cell (day, region, subsystem, documents) VALUES (?1, ?2, ?3, ?4)";
        let day = cell.day.to_string();
        let (subsystem, name) = (cell.documents.subsystem, cell.documents.name);
        self.file
            .execute(sql, params![day, cell.region.code, subsystem, name])?;
        Ok(self.file.connection.last_insert_rowid())
    }

    fn transaction<T>(&self, change: impl FnOnce() -> Result<T>) -> Result<T> {
        self.file.batch("BEGIN IMMEDIATE")?;
        match change() {
            Ok(value) => self.file.batch("COMMIT").map(|()| value),
            Err(error) => {
                // Ignore a failed rollback: the caller gets the first error.
                let _ = self.file.batch("ROLLBACK");
                Err(error)
            }
        }
    }
}

/// The two tables that record archives, each with a statement that selects the archives' cells,
/// days, digests and lengths.
const ARCHIVES: [(&str, &str); 2] = [
    (
        "archive",
        "SELECT cell, day, digest, length FROM archive JOIN cell ON cell.id = archive.cell",
    ),
    (
        "link",
        "SELECT cell, day, digest, length FROM link JOIN cell ON cell.id = link.cell \
         WHERE digest IS NOT NULL",
    ),
];

/// Returns whether the last day of `run` had already ended in its region at the time `settled`, in
/// milliseconds since 1970.
fn was_over(run: &Coverage, settled: i64) -> bool {
    let ahead = Region::from_code(&run.region).map_or(0, Region::offset_seconds);
    settled + ahead * 1000 >= (run.to.days_since_1970() + 1) * DAY
}

fn open_exclusive(path: &Path, flags: OpenFlags) -> Result<OpenFile> {
    let wrong = |error: rusqlite::Error| in_use(path, error);
    let connection = Connection::open_with_flags(path, flags).and_then(prepared);
    let connection = connection.map_err(wrong)?;
    connection.busy_timeout(Duration::ZERO).map_err(wrong)?;
    // The first access takes the lock, which is then held until the file is closed.
    let exclusive = "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;";
    connection.execute_batch(exclusive).map_err(wrong)?;
    Ok(OpenFile::new(connection, path))
}

fn has_no_tables(file: &OpenFile) -> Result<bool> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)";
    let is_new = (file.connection).query_row(sql, (), |row| row.get(0));
    is_new.map_err(|error| in_use(&file.path, error))
}

/// Creates the error for a file that cannot be opened, usually because another process uses it.
fn in_use(path: &Path, error: rusqlite::Error) -> Error {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseCorrupt, DatabaseLocked, NotADatabase};
    match error.sqlite_error_code() {
        Some(DatabaseBusy | DatabaseLocked) => Error::refused(
            path,
            "another process fetches into this folder: wait until it has finished, or give \
             another folder",
        ),
        Some(NotADatabase | DatabaseCorrupt) => unusable(path, Error::sqlite(path, error)),
        _ => Error::sqlite(path, error),
    }
}

/// Replaces the error about a damaged or foreign file: the advice for a ledger is to move the file
/// away. Returns all other errors unchanged.
fn unusable(path: &Path, error: Error) -> Error {
    if !error.is_foreign() && !error.is_damaged() {
        return error;
    }
    let what = match error.is_damaged() {
        true => "the file is damaged",
        false => "this file was not written by `fetch`",
    };
    let remedy = "move it elsewhere; the archives remain usable, and everything selected is \
                  requested again";
    Error::refused(path, format!("{what}: {remedy}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::DocumentType;
    use tempfile::TempDir;

    /// 2026-11-22 00:00 UTC.
    const NOW: i64 = 1_795_305_600_000;

    fn cell(day: u8, name: &'static str) -> Cell {
        Cell {
            day: Date::new(2026, 11, day).expect("a day"),
            region: Region::from_code("77").expect("a region"),
            documents: DocumentType {
                subsystem: "RGK",
                name,
            },
        }
    }

    fn opened(folder: &TempDir) -> FetchLedger {
        FetchLedger::open(&folder.path().join("fetch.sqlite"), NOW).expect("a ledger")
    }

    fn state(ledger: &FetchLedger, cell: &Cell) -> Option<CellState> {
        ledger.states(cell.day).expect("states").get(cell)
    }

    #[test]
    fn an_archive_is_free_once_no_cell_of_the_day_has_it() {
        let folder = TempDir::new().expect("a folder");
        let (one, two) = (cell(20, "contract"), cell(20, "contractProcedure"));
        let ledger = opened(&folder);
        for cell in [&one, &two] {
            ledger
                .settle(cell, &[([1; 32], 10), ([2; 32], 20)], NOW)
                .expect("written");
        }
        assert_eq!(ledger.archives(&one).expect("read"), [[1; 32], [2; 32]]);
        assert!(!ledger.drop_archive(&one, &[1; 32]).expect("written"));
        assert_eq!(ledger.archives(&one).expect("read"), [[2; 32]]);
        assert!(ledger.drop_archive(&two, &[1; 32]).expect("written"));
        assert_eq!(
            state(&ledger, &two).and_then(|state| state.settled),
            Some(NOW)
        );
    }

    #[test]
    fn a_run_is_resumed_until_it_has_ended() {
        let folder = TempDir::new().expect("a folder");
        let ledger = opened(&folder);
        assert_eq!(ledger.begin_run("x", NOW - 5).expect("begun"), NOW - 5);
        assert_eq!(ledger.begin_run("x", NOW).expect("begun"), NOW - 5);
        assert_eq!(ledger.begin_run("y", NOW).expect("begun"), NOW);
        ledger.end_run("x").expect("ended");
        assert_eq!(ledger.unfinished_run("x", NOW).expect("read"), None);
        assert_eq!(ledger.begin_run("x", NOW).expect("begun"), NOW);
        // A run that stopped more than a day ago is not resumed, nor is one that began in the
        // future.
        let next = NOW + DAY + 1;
        assert_eq!(ledger.begin_run("x", next).expect("begun"), next);
        assert_eq!(ledger.begin_run("y", NOW).expect("begun"), NOW);
        assert_eq!(ledger.begin_run("x", NOW).expect("begun"), NOW);
    }

    #[test]
    fn a_failed_cell_keeps_its_saved_archives() {
        let folder = TempDir::new().expect("a folder");
        let one = cell(20, "contract");
        let ledger = opened(&folder);
        ledger
            .answered(&one, &["a".to_owned(), "b".to_owned()], NOW)
            .expect("written");
        ledger.saved(&one, "a", &[1; 32], 10).expect("written");
        ledger.fail(&one).expect("written");
        assert_eq!(ledger.archives(&one).expect("read"), [[1; 32]]);
        ledger
            .answered(&one, &["c".to_owned()], NOW)
            .expect("written");
        ledger.saved(&one, "c", &[2; 32], 10).expect("written");
        ledger
            .answered(&one, &["d".to_owned()], NOW)
            .expect("written");
        assert_eq!(ledger.archives(&one).expect("read"), [[1; 32], [2; 32]]);
        // A link that occurs again keeps its archive.
        ledger.saved(&one, "d", &[3; 32], 10).expect("written");
        ledger
            .answered(&one, &["d".to_owned(), "e".to_owned()], NOW)
            .expect("written");
        let links = ledger.links(&one).expect("links");
        let saved: Vec<Option<[u8; 32]>> = links.iter().map(|link| link.saved).collect();
        assert_eq!(saved, [Some([3; 32]), None]);
    }

    #[test]
    fn coverage_consists_of_runs_of_days_that_had_ended() {
        let folder = TempDir::new().expect("a folder");
        let ledger = opened(&folder);
        for day in [17, 18, 20, 21] {
            ledger
                .settle(&cell(day, "contract"), &[], NOW)
                .expect("written");
        }
        // The day ends at 21:00 UTC in Moscow.
        ledger
            .settle(
                &cell(19, "contractCancel"),
                &[],
                NOW - 2 * DAY - 3 * 3_600_000 - 1,
            )
            .expect("written");
        ledger
            .settle(
                &cell(18, "contractCancel"),
                &[],
                NOW - 2 * DAY - 3 * 3_600_000 - 1,
            )
            .expect("written");
        ledger.fail(&cell(19, "contract")).expect("written");
        let runs = ledger.coverage().expect("coverage");
        let runs: Vec<String> = runs
            .iter()
            .map(|run| format!("{} {} {}", run.documents, run.from, run.to))
            .collect();
        assert_eq!(
            runs,
            [
                "contract 2026-11-17 2026-11-18",
                "contract 2026-11-20 2026-11-21",
                "contractCancel 2026-11-18 2026-11-18",
            ]
        );
    }

    #[test]
    fn an_upgrade_changes_everything_or_nothing() {
        use super::super::file::{TRIAL_FORMAT, format_of};
        use super::super::trial_format::OF_LEDGER;

        let next = FileKind {
            format: TRIAL_FORMAT,
            schema: || (LEDGER.schema)() + include_str!("trial.sql"),
            ..LEDGER
        };
        let folder = TempDir::new().expect("a folder");
        let one = cell(20, "contract");
        opened(&folder).settle(&one, &[], NOW).expect("written");
        let path = folder.path().join("fetch.sqlite");
        for moments in 0.. {
            let file = open_exclusive(&path, OpenFlags::SQLITE_OPEN_READ_WRITE).expect("the file");
            let from = LEDGER.format;
            let mut reports = moments;
            let mut should_continue = |_| {
                reports -= 1;
                reports >= 0
            };
            let upgraded = upgrade_in_place(&next, &[OF_LEDGER], &file, from, &mut should_continue);
            drop(file);
            let file = open_exclusive(&path, OpenFlags::SQLITE_OPEN_READ_WRITE).expect("the file");
            if upgraded.is_ok() {
                assert!(moments > 3, "{moments}");
                assert_eq!(format_of(&file).expect("a format"), TRIAL_FORMAT);
                let rows: Result<i64> =
                    file.value("SELECT count(*) FROM trial", (), |row| row.get(0));
                assert_eq!(rows.expect("rows"), 1);
                break;
            }
            drop(file);
            assert!(state(&opened(&folder), &one).is_some(), "moment {moments}");
        }
        let error = FetchLedger::open(&path, NOW).expect_err("a later format");
        assert!(error.to_string().contains("in format"), "{error}");
        assert!(FetchLedger::upgrade(&path, &mut |_| true).is_err());
    }

    #[test]
    fn access_is_exclusive_and_other_kinds_of_files_are_refused() {
        let folder = TempDir::new().expect("a folder");
        let ledger = opened(&folder);
        let path = folder.path().join("fetch.sqlite");
        let error = FetchLedger::open(&path, NOW).expect_err("held").to_string();
        assert!(error.contains("another process fetches"), "{error}");
        ledger
            .settle(&cell(20, "contract"), &[], NOW)
            .expect("written");
        drop(ledger);
        let error = FetchLedger::open(&path, NOW - 2 * DAY)
            .expect_err("early")
            .to_string();
        assert!(error.contains("set the clock"), "{error}");
        let other = folder.path().join("other.sqlite");
        let connection = Connection::open(&other).expect("a file");
        connection
            .execute_batch("CREATE TABLE a (b)")
            .expect("a table");
        drop(connection);
        let before = std::fs::read(&other).expect("a file");
        let error = FetchLedger::open(&other, NOW)
            .expect_err("foreign")
            .to_string();
        assert!(error.contains("not written by `fetch`"), "{error}");
        assert_eq!(std::fs::read(&other).expect("a file"), before);
        std::fs::write(&other, "text, and no database at all").expect("written");
        assert!(FetchLedger::open(&other, NOW).is_err());
        assert!(FetchLedger::open(folder.path(), NOW).is_err());
        let none = FetchLedger::open_existing(&folder.path().join("none"), NOW);
        assert!(none.expect("nothing").is_none());
    }
}
