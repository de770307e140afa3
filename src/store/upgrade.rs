//! Upgrades files of earlier formats to the format of this release. For data and keys, the upgrade
//! works in a copy that then replaces the file (`building.rs`). Until then, readers see the old
//! file, and a server of the earlier release continues to answer from it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::building::{Building, available};
use super::content_rebuild;
use super::error::{Error, Result};
use super::file::{DATA, FileKind, FileState, KEYS, OpenFile};
use super::migration::{Migration, StepProgress, migrate, size_after};
use super::migrations::{DATA_STEPS, KEYS_STEPS};
use super::paths::folder_of;
use super::search_rules::RebuildProgress;
use super::searched_names::SearchedNames;

/// Page cache of the connection, in KiB.
const CACHE_KIB: usize = 40 << 10;

/// Maximum wait for another process that is changing the file.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upgraded {
    /// The file already had the current format. Contains its number.
    Already(i64),
    /// The file was upgraded from one format to another.
    FromTo(i64, i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpgradeProgress {
    Begins {
        from: i64,
        to: i64,
        /// Upper bound on the disk space needed, in bytes.
        needed: u64,
        /// Disk space available, in bytes, if known.
        available: Option<u64>,
    },
    Copying {
        /// Number of bytes copied.
        done: u64,
        /// Number of bytes to copy.
        total: u64,
    },
    Step(StepProgress),
    /// The derived data that searches need is being written.
    Rebuilding(RebuildProgress),
}

/// Receives the progress of an upgrade. Returns whether to continue.
pub type OnUpgradeProgress<'a> = &'a mut dyn FnMut(UpgradeProgress) -> bool;

/// Upgrades the data file at `path` to the format of this release. `on_progress` may stop it.
///
/// # Errors
/// Returns an error if there is no such file; if it is of another kind, of a later release, or
/// damaged; if another process is changing it; if the disk has no room; or if the upgrade was
/// stopped. The file is then unchanged.
pub fn upgrade_data(path: &Path, on_progress: OnUpgradeProgress<'_>) -> Result<Upgraded> {
    upgrade(&DATA, DATA_STEPS, path, rebuild, on_progress)
}

/// Upgrades the keys file at `path` to the format of this release, like [`upgrade_data`].
///
/// # Errors
/// See [`upgrade_data`].
pub fn upgrade_keys(path: &Path, on_progress: OnUpgradeProgress<'_>) -> Result<Upgraded> {
    upgrade(&KEYS, KEYS_STEPS, path, |_, _| Ok(()), on_progress)
}

/// Returns whether there is no file at `path`, or an empty one, which has no format yet.
///
/// # Errors
/// Returns an error if the path cannot be followed.
pub fn is_missing_or_empty(path: &Path) -> Result<bool> {
    let state = FileState::at(path).map_err(|error| Error::io(path, &error))?;
    Ok(state.is_none_or(|state| state.length == 0))
}

/// Upgrades a file to the format of this release in one transaction. This process must have
/// exclusive access to the file.
pub(super) fn upgrade_in_place(
    kind: &FileKind,
    steps: &[Migration],
    file: &OpenFile,
    from: i64,
    on_progress: OnUpgradeProgress<'_>,
) -> Result<Upgraded> {
    let path = &file.path;
    let mut report = |progress| match on_progress(progress) {
        true => Ok(()),
        false => Err(Error::stopped(path)),
    };
    let size = fs::metadata(path).map_err(|error| Error::io(path, &error))?;
    // The file grows, and the write-ahead log beside it holds the changed pages too.
    let needed = size_after(size.len(), from, steps);
    let available = available(folder_of(path));
    report(UpgradeProgress::Begins {
        from,
        to: kind.format,
        needed,
        available,
    })?;
    if let Some(available) = available.filter(|available| *available < needed) {
        return Err(Error::no_room(path, available, needed));
    }
    migrate(kind, file, steps, &mut |step| {
        report(UpgradeProgress::Step(step))
    })?;
    Ok(Upgraded::FromTo(from, kind.format))
}

/// Writes the derived data that the migration steps of data files leave empty.
fn rebuild(file: &OpenFile, on_progress: OnProgress<'_>) -> Result<()> {
    file.batch("BEGIN IMMEDIATE")?;
    let mut report = |progress| on_progress(UpgradeProgress::Rebuilding(progress));
    content_rebuild::rebuild(file, &mut |done, total| {
        report(RebuildProgress::Contents { done, total })
    })?;
    let names = SearchedNames(file);
    if !names.are_current()? {
        names.rebuild(&mut |done, total| report(RebuildProgress::Names { done, total }))?;
    }
    file.batch("COMMIT")
}

/// Receives the progress of an upgrade; an error stops it.
type OnProgress<'a> = &'a mut dyn FnMut(UpgradeProgress) -> Result<()>;

/// Runs `steps`, then `rebuild`, in a copy that replaces the file at `path`.
fn upgrade(
    kind: &'static FileKind,
    steps: &[Migration],
    path: &Path,
    rebuild: fn(&OpenFile, OnProgress<'_>) -> Result<()>,
    on_progress: OnUpgradeProgress<'_>,
) -> Result<Upgraded> {
    let already = Ok(Upgraded::Already(kind.format));
    if kind.earlier_format_of(path)?.is_none() {
        return already;
    }
    let building = Building::hold(kind, path, PATIENCE)?;
    // Another process may have upgraded the file in the meantime.
    let Some(from) = kind.earlier_format_of(building.target())? else {
        return already;
    };
    let mut report = |progress| match on_progress(progress) {
        true => Ok(()),
        false => Err(Error::stopped(path)),
    };
    let size = building.length();
    let needed = size_after(size, from, steps);
    report(UpgradeProgress::Begins {
        from,
        to: kind.format,
        needed,
        available: available(folder_of(building.target())),
    })?;
    let copied = &mut |done| report(UpgradeProgress::Copying { done, total: size });
    let file = building.start_with_room(needed, copied)?;
    file.batch(&format!("PRAGMA cache_size = -{CACHE_KIB}"))?;
    migrate(kind, &file, steps, &mut |step| {
        report(UpgradeProgress::Step(step))
    })?;
    rebuild(&file, &mut report)?;
    building.replace(file)?;
    Ok(Upgraded::FromTo(from, kind.format))
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::path::PathBuf;
    use std::time::SystemTime;

    use super::super::file::TRIAL_FORMAT;
    use super::super::key_rows::KeyTerms;
    use super::super::keys::KeyStore;
    use super::super::migration::StepRows;
    use super::super::trial_format;
    use super::*;

    /// Keys files of a later release, in the trial format.
    static NEXT: FileKind = FileKind {
        format: TRIAL_FORMAT,
        schema: || (KEYS.schema)() + include_str!("trial.sql"),
        ..KEYS
    };

    const STEPS: &[Migration] = &[trial_format::OF_KEYS];

    struct Folder {
        folder: tempfile::TempDir,
        path: PathBuf,
    }

    /// Creates a keys file of this release with two keys.
    fn folder() -> Folder {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("keys.sqlite");
        let keys = KeyStore::File(path.clone());
        for name in ["one", "another"] {
            let now = SystemTime::UNIX_EPOCH;
            keys.issue(name, KeyTerms::default(), now).expect("a key");
        }
        Folder { folder, path }
    }

    impl Folder {
        fn bytes(&self) -> Vec<u8> {
            fs::read(&self.path).expect("the file")
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.folder).expect("the folder");
            let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
            let mut names: Vec<String> = entries
                .map(|entry| name(entry).into_string().expect("a name"))
                .collect();
            names.sort();
            names
        }

        fn upgrade(
            &self,
            on_progress: &mut dyn FnMut(UpgradeProgress) -> bool,
        ) -> Result<Upgraded> {
            upgrade(&NEXT, STEPS, &self.path, |_, _| Ok(()), on_progress)
        }

        /// Checks that the later release can read both the old rows and those it added.
        fn check_upgraded(&self) {
            let file = NEXT.open_to_read(&self.path).expect("its format");
            let rows: Vec<(i64, i64)> = file
                .all("SELECT id, length FROM trial", (), |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .expect("its rows");
            assert_eq!(rows, [(1, 3), (2, 7)]);
            let names: i64 = file
                .value("SELECT count(*) FROM key", (), |row| row.get(0))
                .expect("keys");
            assert_eq!(names, 2);
            assert_eq!(self.names(), ["keys.sqlite", "keys.sqlite-reserve"]);
        }
    }

    #[test]
    fn a_file_is_upgraded_once_after_reporting_the_space_needed() {
        let folder = folder();
        let size = folder.bytes().len() as u64;
        let mut seen = Vec::new();
        let upgraded = folder.upgrade(&mut |progress| {
            seen.push(progress);
            true
        });
        assert_eq!(
            upgraded.expect("upgraded"),
            Upgraded::FromTo(KEYS.format, TRIAL_FORMAT)
        );
        folder.check_upgraded();
        let UpgradeProgress::Begins { from, needed, .. } = seen[0] else {
            panic!("{seen:?}")
        };
        assert_eq!(from, KEYS.format);
        let now = folder.bytes().len() as u64;
        assert!(needed > size && needed < 2 * size, "{needed} of {size}");
        assert!(now > size, "{now} of {size}");
        let step = |done, total| {
            let to = TRIAL_FORMAT;
            UpgradeProgress::Step(StepProgress { to, done, total })
        };
        assert_eq!(seen.last(), Some(&step(2, 2)), "{seen:?}");

        let before = folder.bytes();
        let again = folder.upgrade(&mut |_| panic!("nothing to do"));
        assert_eq!(again.expect("current"), Upgraded::Already(TRIAL_FORMAT));
        assert!(folder.bytes() == before);
    }

    #[test]
    fn an_upgrade_stopped_or_killed_at_any_moment_changes_nothing_and_can_be_repeated() {
        let mut moments = 0;
        folder()
            .upgrade(&mut |_| {
                moments += 1;
                true
            })
            .expect("upgraded");
        assert!(moments >= 5, "{moments}");
        for moment in 1..=moments {
            let folder = folder();
            let building = folder.path.with_file_name("keys.sqlite-building");
            let before = folder.bytes();
            let (mut count, mut leftover) = (0, Vec::new());
            let mut at_moment = |_| {
                count += 1;
                if count == moment {
                    leftover = fs::read(&building).expect("the copy");
                }
                count < moment
            };
            let error = folder.upgrade(&mut at_moment).expect_err("stopped");
            assert!(error.to_string().contains("stopped"), "{error}");
            assert!(folder.bytes() == before, "moment {moment}");
            assert_eq!(folder.names(), ["keys.sqlite", "keys.sqlite-reserve"]);
            // A killed process leaves its copy behind.
            fs::write(&building, &leftover).expect("written");
            KEYS.open_to_read(&folder.path).expect("still this format");
            folder.upgrade(&mut |_| true).expect("upgraded");
            folder.check_upgraded();
        }
    }

    #[test]
    fn the_step_of_data_files_produces_the_tables_of_a_new_file() {
        static NEXT: FileKind = FileKind {
            format: TRIAL_FORMAT,
            schema: || (DATA.schema)() + include_str!("trial.sql"),
            ..DATA
        };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.sqlite");
        let building = Building::begin(&DATA, &path, Duration::ZERO).expect("a new file");
        let file = building.start().expect("a new file");
        let sql = "INSERT INTO contract (id, record) VALUES (7, x'010203')";
        file.batch(sql).expect("a row");
        building.replace(file).expect("a file");
        upgrade(
            &NEXT,
            &[trial_format::OF_DATA],
            &path,
            |_, _| Ok(()),
            &mut |_| true,
        )
        .expect("upgraded");
        let file = NEXT.open_to_read(&path).expect("its format");
        let row: Result<(i64, i64)> = file.value("SELECT id, length FROM trial", (), |row| {
            Ok((row.get(0)?, row.get(1)?))
        });
        assert_eq!(row.expect("a row"), (7, 3));
    }

    #[test]
    fn a_step_that_fails_panics_or_produces_other_tables_changes_nothing() {
        const fn step(run: fn(&OpenFile, &mut StepRows<'_>) -> Result<()>) -> Migration {
            let to = TRIAL_FORMAT;
            Migration { to, growth: 0, run }
        }
        let folder = folder();
        let before = folder.bytes();
        let attempt = |steps: &[Migration]| {
            let attempt = || upgrade(&NEXT, steps, &folder.path, |_, _| Ok(()), &mut |_| true);
            let outcome = catch_unwind(AssertUnwindSafe(attempt));
            assert!(folder.bytes() == before);
            assert_eq!(folder.names(), ["keys.sqlite", "keys.sqlite-reserve"]);
            outcome.map(|done| done.expect_err("it fails").to_string())
        };
        let failing = step(|file, _| Err(file.damaged("a key is malformed")));
        let error = attempt(&[failing]).expect("no panic");
        assert!(error.contains("a key is malformed"), "{error}");
        attempt(&[step(|_, _| panic!("a fault"))]).expect_err("a panic");
        let error = attempt(&[step(|_, _| Ok(()))]).expect("no panic");
        assert!(error.contains("differ from those of a new file"), "{error}");
    }

    #[test]
    fn an_upgrade_without_disk_space_is_refused() {
        let folder = folder();
        let before = folder.bytes();
        let steps = [Migration {
            growth: 1 << 50,
            ..trial_format::OF_KEYS
        }];
        let error = upgrade(&NEXT, &steps, &folder.path, |_, _| Ok(()), &mut |_| true)
            .expect_err("no room");
        assert!(error.is_disk_full(), "{error}");
        assert!(folder.bytes() == before);
        assert_eq!(folder.names(), ["keys.sqlite", "keys.sqlite-reserve"]);
    }

    #[test]
    fn later_foreign_and_missing_files_are_refused() {
        let folder = folder();
        folder.upgrade(&mut |_| true).expect("upgraded");
        let before = folder.bytes();
        for (path, words) in [
            (folder.path.clone(), "in format"),
            (folder.path.with_file_name("none"), "there is no such file"),
        ] {
            let error = upgrade_keys(&path, &mut |_| true).expect_err("refused");
            assert!(error.to_string().contains(words), "{error}");
        }
        let error = upgrade_data(&folder.path, &mut |_| true).expect_err("keys");
        assert!(error.to_string().contains("keys file"), "{error}");
        assert!(folder.bytes() == before);
    }
}
