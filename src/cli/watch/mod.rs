//! `watch`: report the changes of imports for the suppliers of a list.

pub mod list;

use std::fmt::Write as _;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;

use super::input::{self, named};
use super::verdict_args::VerdictArgs;
use super::{BoxedError, Outcome, open_database, output, today};
use crate::api::{check_supplier, response_origin};
use crate::model::{ChangeCursor, Date, Ground, LogPosition, LoggedChange, MAX_CURSOR, timestamp};
use crate::render::{self, AnswerOrigin, CheckedSupplier, WatchedChange};
use crate::store::{Database, SupplierRow};

/// The exit status if something changed.
const CHANGED: u8 = 3;

/// The most bytes that are read of a file with a cursor.
const LONGEST_CURSOR: u64 = 2 * MAX_CURSOR as u64;

/// Moscow's offset from UTC, in seconds.
const MOSCOW: i64 = 3 * 3600;

/// Report what imports changed for the suppliers of a list.
///
/// Reports each supplier of the list whose contracts, RNP check or name changed: the import, its
/// time, and the current state. The exit status is 3 if anything changed, 0 if nothing did, and 1
/// if a row of the list is not an INN; the other rows are still reported.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The list: one INN a line, or CSV with a column named ИНН or INN; - is standard input
    #[arg(long, value_name = "FILE")]
    list: PathBuf,
    /// Report changes since the beginning of a day in Moscow (YYYY-MM-DD), or with @FILE since
    /// the last report: FILE keeps its cursor, and is created if it does not exist
    #[arg(long, value_name = "DATE|@FILE", value_parser = since)]
    since: Since,
    /// The database: a file, or postgresql://HOST,…/DATABASE [default: the bundled
    /// demonstration data]
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    /// The format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: ReportFormat,
    #[command(flatten)]
    verdicts: VerdictArgs,
}

/// The start of the reported changes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Since {
    Day(Date),
    /// The cursor in this file, which the new one replaces.
    File(PathBuf),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    Text,
    #[value(alias = "json")]
    Jsonl,
    Csv,
}

fn since(text: &str) -> Result<Since, String> {
    let file = text.strip_prefix('@').filter(|file| !file.is_empty());
    let since = file
        .map(|file| Since::File(file.into()))
        .or_else(|| Date::parse_iso(text).map(Since::Day));
    since.ok_or_else(|| "give a date YYYY-MM-DD, or @ and a file".to_owned())
}

pub fn run(args: &Args) -> Outcome {
    let list = list::read(&args.list)?;
    let database = open_database(args.database.as_deref())?;
    let now = LogPosition::after_revision(database.version().revision.unsigned_abs());
    let since = args.since.position(&database, &now)?;
    let ground = Ground::new(
        &database.registries(),
        &database.unread_entries(),
        today(),
        args.verdicts.rules(),
    );
    let watch = Watch {
        from: response_origin(&database, ground),
        database: &database,
        format: args.format,
        since,
    };
    let changed = output::write_to(Path::new("-"), |out| watch.report(&list, out))?;
    let Some(changed) = changed else {
        return Err("standard output was closed before the report was written".into());
    };
    list.problems
        .iter()
        .for_each(|problem| eprintln!("{problem}"));
    eprintln!(
        "{changed} of {} suppliers changed since revision {}; the data has revision {}, of {}",
        list.suppliers.len(),
        watch.since.revision,
        now.revision,
        timestamp(watch.from.updated)
    );
    if let Since::File(path) = &args.since {
        let cursor = database.cursor_at(now);
        output::write_to(path, |out| Ok(writeln!(out, "{cursor}")?))?;
    }
    Ok(match (list.problems.is_empty(), changed) {
        (false, _) => ExitCode::FAILURE,
        (true, 0) => ExitCode::SUCCESS,
        (true, _) => CHANGED.into(),
    })
}

impl Since {
    /// Returns the position after which changes are reported; the log of the data ends at `now`.
    fn position(&self, database: &Database, now: &LogPosition) -> Result<LogPosition, BoxedError> {
        match self {
            Self::File(path) => match remembered(path)? {
                None => Ok(now.clone()),
                Some(cursor) if database.has_changes_since(&cursor)? => Ok(cursor.position),
                Some(_) => Err(format!(
                    "{}: not a cursor of this database, or of a later state than this copy has, or its changes are no longer kept; check the suppliers again, then remove the file",
                    path.display()
                )
                .into()),
            },
            Self::Day(day) => {
                let oldest = database.oldest_revision()?;
                let midnight = day.days_since_1970() * 86_400 - MOSCOW;
                let before = database.revision_before(midnight)?;
                // There were no changes before the first import.
                let before = before.or((oldest == 0).then_some(0));
                let kept = before.filter(|revision| *revision >= oldest);
                let position = kept.map(LogPosition::after_revision);
                position.map_or_else(|| Err(kept_since(database, oldest)?.into()), Ok)
            }
        }
    }
}

/// Describes the start of the stored changes.
fn kept_since(database: &Database, oldest: u64) -> Result<String, BoxedError> {
    let made = database.revision(oldest)?.map(|it| timestamp(it.time));
    let made = made.unwrap_or_default();
    Ok(format!(
        "changes are kept since {made}; check the suppliers again, then watch from a later day on"
    ))
}

/// Reads the cursor in a file; none if the file does not exist.
fn remembered(path: &Path) -> Result<Option<ChangeCursor>, BoxedError> {
    match input::read(path, LONGEST_CURSOR) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let notice = "not there yet: what changes from now on will be reported";
            eprintln!("{}", named(path, &notice));
            Ok(None)
        }
        Err(error) => Err(named(path, &error).into()),
        Ok(text) => match ChangeCursor::parse(String::from_utf8_lossy(&text).trim_end()) {
            Some(cursor) => Ok(Some(cursor)),
            None => Err(named(path, &"not a cursor; name another file").into()),
        },
    }
}

/// The report and its data.
struct Watch<'a> {
    database: &'a Database,
    from: AnswerOrigin,
    format: ReportFormat,
    since: LogPosition,
}

impl Watch<'_> {
    /// Writes the report. Returns the number of rows with changes.
    fn report(&self, list: &list::List, out: &mut dyn Write) -> Result<u64, BoxedError> {
        let mut buffer = Vec::new();
        if self.format == ReportFormat::Csv {
            render::begin_watched(&mut buffer, &self.from);
        }
        let mut changed = 0;
        for (row, inn) in &list.suppliers {
            let Some(supplier) = self.database.supplier(inn)? else {
                continue;
            };
            let changes = self.database.changes_of(&supplier, &self.since)?;
            if !changes.is_empty() {
                changed += 1;
                self.supplier(*row, &supplier, &changes, &mut buffer)?;
                out.write_all(&buffer)?;
                buffer.clear();
            }
        }
        out.write_all(&buffer)?;
        if self.format == ReportFormat::Text && changed > 0 {
            let ground = &self.from.ground;
            let day = ground.day;
            writeln!(out, "RNP as of {day}; registries imported: {ground}")?;
        }
        Ok(changed)
    }

    fn supplier(
        &self,
        row: u64,
        supplier: &SupplierRow,
        changes: &[LoggedChange],
        out: &mut Vec<u8>,
    ) -> Result<(), BoxedError> {
        let now = check_supplier(self.database, &self.from.ground, supplier.inn.as_str())?;
        if self.format == ReportFormat::Text {
            out.extend(self.block(row, supplier, &now, changes)?.into_bytes());
            return Ok(());
        }
        for change in changes {
            let change = WatchedChange {
                row,
                inn: supplier.inn.as_str(),
                name: &now.name,
                part: change.part,
                revision: change.revision,
                changed_at: &self.time(change)?,
                contracts: supplier.contracts,
                verdict: now.verdict,
                from: &self.from,
            };
            match self.format {
                ReportFormat::Csv => render::add_watched(out, &change),
                _ => render::watched_line(out, &change),
            }
        }
        Ok(())
    }

    /// Formats a supplier for people.
    fn block(
        &self,
        row: u64,
        supplier: &SupplierRow,
        now: &CheckedSupplier,
        changes: &[LoggedChange],
    ) -> Result<String, BoxedError> {
        // A name comes from outside, and the report may go to a terminal.
        let name = now.name.replace(char::is_control, " ");
        let mut text = format!("row {row}: {} {name}\n", supplier.inn.as_str());
        for change in changes {
            let (part, time) = (change.part.code(), self.time(change)?);
            writeln!(
                text,
                "  {part}: changed in revision {}, {time}",
                change.revision
            )?;
        }
        let (contracts, verdict) = (supplier.contracts, now.verdict.code());
        writeln!(text, "  now: contracts {contracts}, RNP {verdict}\n")?;
        Ok(text)
    }

    /// Returns the time of a change.
    fn time(&self, change: &LoggedChange) -> Result<String, BoxedError> {
        let revision = self.database.revision(change.revision)?;
        Ok(revision.map_or_else(String::new, |it| timestamp(it.time)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_is_a_day_or_a_file() {
        let day = Date::parse_iso("2026-11-20").expect("a day");
        assert_eq!(since("2026-11-20"), Ok(Since::Day(day)));
        assert_eq!(since("@watch/last"), Ok(Since::File("watch/last".into())));
        for bad in ["", "@", "7", "2026-02-30", "yesterday"] {
            assert!(since(bad).is_err(), "{bad}");
        }
    }
}
