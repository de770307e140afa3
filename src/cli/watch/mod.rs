//! `watch`: reports what imports changed for the suppliers of a list.
//!
//! | file | contents |
//! |---|---|
//! | `list` | the list of suppliers |
//! | `last_report` | the file of `--since @FILE` |
//! | `state` | the remembered state of a supplier, and the changes since |
//! | `event`, `words` | an event about a supplier, and its text in both languages |
//! | `changes` | reports in CSV and JSON Lines |
//! | `atom`, `delivery` | the Atom feed; delivery to a receiver |

mod atom;
mod changes;
pub mod delivery;
mod event;
mod last_report;
pub mod list;
mod state;
mod words;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;

use super::input::{self, named};
use super::signing_key::SigningKeyArgs;
use super::verdict_args::VerdictArgs;
use super::{BoxedError, Outcome, open_database, output, today, values, wrong_use};
use crate::api::response_origin;
use crate::fetch::{Receiver, ReceiverAddress, roots_of_pem};
use crate::model::{Date, Ground, Inn, Language, LogPosition, LoggedChange, timestamp};
use crate::render::AnswerOrigin;
use crate::store::{Database, SupplierRow};
use atom::Feed;
use delivery::{Delivery, MAX_PAUSE};
use event::Event;
use last_report::{Journal, LastReport};
use list::SupplierList;
use state::SupplierState;

/// Exit status if anything changed.
const CHANGED: u8 = 3;

/// Moscow's offset from UTC, in seconds.
const MOSCOW: i64 = 3 * 3600;

/// Default of `--for`, and its maximum.
const DEFAULT_SPAN: &str = "10m";
const LONGEST_SPAN: Duration = Duration::from_secs(7 * 24 * 3600);

/// Maximum size of a certificate file, in bytes.
const MAX_CERTIFICATES: u64 = 1 << 20;

/// Report what imports changed for the suppliers of a list.
///
/// Reports each supplier of the list whose contracts, RNP check or name changed: which RNP entries
/// were added, changed or ended, the numbers of contracts by stage, and the verdict before and now.
/// The exit status is 3 if anything changed, 0 if nothing did, and 1 if a row of the list is not an
/// INN (the other rows are still reported) or if an event was not delivered.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The list: one INN per line, or CSV with a column named ИНН or INN; - is standard input
    #[arg(long, value_name = "FILE")]
    list: PathBuf,
    /// Report changes since the beginning of this day in Moscow (YYYY-MM-DD), or with @FILE since
    /// the last report. FILE stores where that report ended and the state of each supplier. It is
    /// created if it does not exist
    #[arg(long, value_name = "DATE|@FILE", value_parser = since)]
    since: Since,
    /// The database: a file, or postgresql://HOST,…/DATABASE [default: the bundled
    /// demonstration data]
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    /// The format of the report: text for people, json with one event per line, an atom feed, or
    /// jsonl and csv with one row per change
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: ReportFormat,
    /// The language of the report: ru or en
    #[arg(long, value_name = "LANG", default_value = "en", value_parser = language)]
    lang: Language,
    /// Where to write; - is standard output. A feed needs a file, and keeps the events that are
    /// already in it
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Post each event as JSON to this address instead of writing a report: https://, or http:// to a
    /// loopback or private address. Needs --since @FILE
    #[arg(long, value_name = "URL", value_parser = ReceiverAddress::parse, conflicts_with_all = ["format", "out"])]
    post: Option<ReceiverAddress>,
    /// With --post: how long to try to deliver an event before the command gives up; 0s means one
    /// attempt
    #[arg(long = "for", value_name = "SPAN", default_value = DEFAULT_SPAN, value_parser = values::duration_in(Duration::ZERO..=LONGEST_SPAN))]
    span: Duration,
    /// With --post: the pause after the first failure, which doubles up to five minutes
    #[arg(long, value_name = "SPAN", default_value = "1s", value_parser = values::duration_in(Duration::from_millis(1)..=MAX_PAUSE))]
    pause: Duration,
    /// With --post: CA certificates in PEM; the certificate of the receiver must be signed by one
    /// of them
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    #[command(flatten)]
    signing_key: SigningKeyArgs,
    #[command(flatten)]
    verdicts: VerdictArgs,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Since {
    Day(Date),
    /// The file with the cursor of the last report. This report replaces the file.
    File(PathBuf),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    Text,
    Json,
    Atom,
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

fn language(text: &str) -> Result<Language, String> {
    Language::from_code(text).ok_or_else(|| "give ru or en".to_owned())
}

pub fn run(args: &Args) -> Outcome {
    let is_from_file = matches!(args.since, Since::File(_));
    if args.post.is_some() && !is_from_file {
        wrong_use(&"--post needs --since @FILE, which records what was delivered");
    }
    if args.format == ReportFormat::Atom && args.out == Path::new("-") {
        wrong_use(&"--format atom needs --out FILE, the feed to which events are added");
    }
    let list = list::read(&args.list)?;
    let database = open_database(args.database.as_deref())?;
    let ground = Ground::new(
        &database.registries(),
        &database.unread_entries(),
        today(),
        args.verdicts.rules(),
    );
    let watch = Watch {
        from: response_origin(&database, ground),
        now: LogPosition::after_revision(database.version().revision.unsigned_abs()),
        database: &database,
        language: args.lang,
        since: args.since.read(&database)?,
    };
    let changed = watch.changed(&list)?;
    match &args.post {
        Some(address) => watch.post(args, address, &changed)?,
        None => watch.report(args, &changed)?,
    }
    list.problems
        .iter()
        .for_each(|problem| eprintln!("{problem}"));
    eprintln!(
        "{} of {} suppliers changed since revision {}; the data has revision {}, of {}",
        changed.len(),
        list.suppliers.len(),
        watch.first_revision(),
        watch.now.revision,
        timestamp(watch.from.updated)
    );
    if let Since::File(path) = &args.since {
        watch.remember(path, &list, &changed)?;
    }
    Ok(match (list.problems.is_empty(), changed.is_empty()) {
        (false, _) => ExitCode::FAILURE,
        (true, true) => ExitCode::SUCCESS,
        (true, false) => CHANGED.into(),
    })
}

enum ReportStart {
    Position(LogPosition),
    LastReport(LastReport),
}

impl Since {
    fn read(&self, database: &Database) -> Result<ReportStart, BoxedError> {
        match self {
            Self::File(path) => match LastReport::read(path)? {
                None => {
                    let notice = "the file does not exist yet: changes from now on will be reported";
                    eprintln!("{}", named(path, &notice));
                    let now = database.version().revision.unsigned_abs();
                    Ok(ReportStart::Position(LogPosition::after_revision(now)))
                }
                Some(last) if last.is_followed_by(database)? => Ok(ReportStart::LastReport(last)),
                Some(_) => Err(format!(
                    "{}: the cursor belongs to another database or to a later state than this copy, or its changes are no longer kept; check the suppliers again, then remove the file",
                    path.display()
                )
                .into()),
            },
            Self::Day(day) => {
                let oldest = database.oldest_revision()?;
                let midnight = day.days_since_1970() * 86_400 - MOSCOW;
                let before = database.revision_before(midnight)?;
                // If there is no earlier revision because the log goes back to the first import,
                // start at 0.
                let before = before.or((oldest == 0).then_some(0));
                let kept = before.filter(|revision| *revision >= oldest);
                let position = kept.map(LogPosition::after_revision);
                let position = position.map(ReportStart::Position);
                position.map_or_else(|| Err(kept_since(database, oldest)?.into()), Ok)
            }
        }
    }
}

fn kept_since(database: &Database, oldest: u64) -> Result<String, BoxedError> {
    let made = database.revision(oldest)?.map(|it| timestamp(it.time));
    let made = made.unwrap_or_default();
    Ok(format!(
        "changes are kept only since {made}; check the suppliers again, then watch from a later day on"
    ))
}

/// A supplier in the list that has changes.
struct ChangedSupplier {
    /// The supplier's line number in the list.
    row: u64,
    supplier: SupplierRow,
    changes: Vec<LoggedChange>,
}

impl ChangedSupplier {
    fn revision(&self) -> u64 {
        let revisions = self.changes.iter().map(|change| change.revision);
        revisions.max().unwrap_or(0)
    }
}

pub struct Watch<'a> {
    database: &'a Database,
    from: AnswerOrigin,
    /// The current end of the data's log of changes.
    now: LogPosition,
    language: Language,
    since: ReportStart,
}

impl Watch<'_> {
    fn changed(&self, list: &SupplierList) -> Result<Vec<ChangedSupplier>, BoxedError> {
        let mut changed = Vec::new();
        for (row, inn) in &list.suppliers {
            let Some(supplier) = self.database.supplier(inn)? else {
                continue;
            };
            let position = match &self.since {
                ReportStart::Position(position) => position,
                ReportStart::LastReport(last) => last.position_of(inn),
            };
            let changes = self.database.changes_of(&supplier, position)?;
            if !changes.is_empty() {
                let row = *row;
                changed.push(ChangedSupplier {
                    row,
                    supplier,
                    changes,
                });
            }
        }
        Ok(changed)
    }

    fn first_revision(&self) -> u64 {
        match &self.since {
            ReportStart::Position(position) => position.revision,
            ReportStart::LastReport(last) => last.position().revision,
        }
    }

    fn before(&self, inn: &Inn) -> Option<&SupplierState> {
        match &self.since {
            ReportStart::Position(_) => None,
            ReportStart::LastReport(last) => last.state_of(inn),
        }
    }

    /// Sorts the suppliers by their last change, so that events are delivered in the order of the
    /// changes.
    fn in_order<'c>(&self, changed: &'c [ChangedSupplier]) -> Vec<&'c ChangedSupplier> {
        let mut in_order: Vec<&ChangedSupplier> = changed.iter().collect();
        in_order.sort_by_key(|one| (one.revision(), one.row));
        in_order
    }

    fn report(&self, args: &Args, changed: &[ChangedSupplier]) -> Result<(), BoxedError> {
        if args.format == ReportFormat::Atom {
            return self.add_to_feed(&args.out, changed);
        }
        let written = output::write_to(&args.out, |out| match args.format {
            ReportFormat::Json => self.write_lines(changed, out),
            ReportFormat::Text | ReportFormat::Atom => self.write_text(changed, out),
            ReportFormat::Jsonl => self.write_changes(changed, false, out),
            ReportFormat::Csv => self.write_changes(changed, true, out),
        })?;
        written.ok_or_else(|| "standard output was closed before the report was written".into())
    }

    fn write_lines(
        &self,
        changed: &[ChangedSupplier],
        out: &mut dyn Write,
    ) -> Result<(), BoxedError> {
        for one in self.in_order(changed) {
            writeln!(out, "{}", self.event(one)?.json(&self.from))?;
        }
        Ok(())
    }

    fn write_text(
        &self,
        changed: &[ChangedSupplier],
        out: &mut dyn Write,
    ) -> Result<(), BoxedError> {
        for one in changed {
            writeln!(out, "{}", self.event(one)?.text(self.language))?;
        }
        if !changed.is_empty() {
            let ground = &self.from.ground;
            let line = words::ground(ground.day, &ground.to_string(), self.language);
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    fn add_to_feed(&self, path: &Path, changed: &[ChangedSupplier]) -> Result<(), BoxedError> {
        let mut feed = Feed::open(path)?;
        for one in self.in_order(changed) {
            feed.add(&self.event(one)?.feed_event(self.language));
        }
        feed.write(path, self.from.updated, self.language)
    }

    /// Records each event as soon as it has been delivered, so that a killed process does not
    /// deliver it again.
    fn post(
        &self,
        args: &Args,
        address: &ReceiverAddress,
        changed: &[ChangedSupplier],
    ) -> Result<(), BoxedError> {
        let Since::File(path) = &args.since else {
            return Ok(());
        };
        if changed.is_empty() {
            return Ok(());
        }
        let delivery = args.delivery(address.clone())?;
        let mut journal = Journal::open(path)?;
        let now = self.database.cursor_at(self.now.clone());
        for (delivered, one) in self.in_order(changed).into_iter().enumerate() {
            let event = self.event(one)?;
            let sent = delivery.deliver(&event.id, &event.json(&self.from));
            sent.map_err(|failure| {
                format!(
                    "{failure}; {delivered} of {} events were delivered; the next run continues \
                     with the one that failed",
                    changed.len()
                )
            })?;
            journal.add(&one.supplier.inn, &event.state, &now)?;
        }
        Ok(())
    }

    fn event(&self, changed: &ChangedSupplier) -> Result<Event, BoxedError> {
        Event::new(self, changed)
    }

    /// Writes the cursor of this report and the state of each supplier in the list. Suppliers
    /// without changes keep the state from the last report.
    fn remember(
        &self,
        path: &Path,
        list: &SupplierList,
        changed: &[ChangedSupplier],
    ) -> Result<(), BoxedError> {
        let mut inns: Vec<&Inn> = list.suppliers.iter().map(|(_, inn)| inn).collect();
        inns.sort();
        inns.dedup();
        let mut has_changed: Vec<&Inn> = changed.iter().map(|one| &one.supplier.inn).collect();
        has_changed.sort();
        let states = inns.into_iter().map(|inn| {
            let known = self.before(inn);
            let known = known.filter(|_| has_changed.binary_search(&inn).is_err());
            let state = match known {
                Some(state) => state.clone(),
                None => SupplierState::read(self.database, &self.from.ground, inn)?.0,
            };
            Ok((inn, state))
        });
        last_report::write(path, &self.database.cursor_at(self.now.clone()), states)
    }
}

impl Args {
    fn delivery(&self, address: ReceiverAddress) -> Result<Delivery, BoxedError> {
        let roots = match &self.ca_file {
            None => None,
            Some(path) => {
                let pem = input::read(path, MAX_CERTIFICATES);
                let pem = pem.map_err(|error| named(path, &error))?;
                let roots = roots_of_pem(&pem);
                Some(
                    roots
                        .ok_or_else(|| named(path, &"there is no PEM certificate in this file"))?,
                )
            }
        };
        Ok(Delivery {
            receiver: Receiver::new(address, roots),
            key: self.signing_key.read(None, self.database.as_deref())?,
            span: self.span,
            first_pause: self.pause,
        })
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
