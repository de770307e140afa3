//! `import`: imports documents and records into a database.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use indicatif::{ProgressBar, ProgressStyle};

use super::check::write_unread;
use super::output::{SummaryFormat, print_json};
use super::progress_bar::{COUNTING, count_rebuilt, progress_bar};
use super::signals::stop_on_signals;
use super::{Outcome, refuse_address, today, upgrade};
use crate::import::{self, Counted, DeriveProgress, Event, Options, Summary, kind_not_read};
use crate::model::Date;
use crate::render::{ImportOutput, KindOutput, PassedOverOutput};
use crate::store::{FinishProgress, ReplacedAsOf, Writer};

/// Import documents and records into a database.
///
/// Reads official documents (.xml and .zip), JSON Lines (.jsonl), and folders of them. Input that
/// cannot be read is reported on standard error and skipped; the rest is imported. The import works
/// in a copy beside the database, FILE-building, which replaces the database at the end; a running
/// server answers the next request from the new file. If the import is stopped or killed, the
/// database is unchanged, and the same command resumes the import.
#[derive(Debug, Default, clap::Args)]
pub struct Args {
    /// The database; created if it does not exist
    #[arg(long, value_name = "FILE", required_unless_present = "dry_run")]
    database: Option<PathBuf>,
    /// Read everything and report errors, but import nothing
    #[arg(long)]
    dry_run: bool,
    /// Treat the given RNP entries as the complete registries of their laws. Earlier entries that
    /// are not among them are no longer in force from the day in --registry-date on
    #[arg(long)]
    replace_rnp: bool,
    /// With --replace-rnp: the day as of which these registries are complete [default: that
    /// of a registry line, else today in Moscow]
    #[arg(long, value_name = "DATE", requires = "replace_rnp", value_parser = registry_date)]
    registry_date: Option<Date>,
    /// Delete RNP entries that are not in force on this day or any later one, and what is known
    /// about earlier days of the registries. There are then no answers for earlier days
    #[arg(long, value_name = "DATE", value_parser = registry_date)]
    forget_before: Option<Date>,
    /// Read all archives, even those that were already imported in full
    #[arg(long)]
    again: bool,
    /// The format of the summary: text, or json for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: SummaryFormat,
    /// Files and folders; - is JSON Lines on standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Parses a day that is not in the future.
fn registry_date(text: &str) -> Result<Date, String> {
    let day = Date::parse_iso(text).ok_or("give a date YYYY-MM-DD")?;
    match day <= today() {
        true => Ok(day),
        false => Err("give a day that is not in the future".to_owned()),
    }
}

impl Args {
    /// Returns the arguments that import a folder, for `update`.
    pub fn for_folder(database: &Path, folder: &Path) -> Self {
        Self {
            database: Some(database.to_owned()),
            paths: vec![folder.to_owned()],
            ..Self::default()
        }
    }

    fn replaced_as_of(&self) -> Option<ReplacedAsOf> {
        let given = self.registry_date.map(ReplacedAsOf::Given);
        let as_of = given.unwrap_or_else(|| ReplacedAsOf::Today(today()));
        self.replace_rnp.then_some(as_of)
    }
}

pub fn run(args: &Args) -> Outcome {
    args.database.iter().for_each(|path| refuse_address(path));
    let stop = stop_on_signals()?;
    run_until(args, &stop)
}

/// Imports the given files until done or until `stop` is set.
pub fn run_until(args: &Args, stop: &AtomicBool) -> Outcome {
    let writer = match &args.database {
        Some(path) if !args.dry_run => {
            upgrade::before_import(path, stop)?;
            Some(Writer::open_for(path, &task(args)?)?)
        }
        _ => None,
    };
    let mut bar = ImportBar::new(progress_bar(ProgressStyle::with_template(STORING)));
    let options = Options {
        replace_rnp: args.replaced_as_of(),
        forget_before: args.forget_before,
        again: args.again,
        stop: Some(stop),
    };
    let mut report = |event: Event<'_>| match event {
        Event::Problem(what) => bar.bar.suspend(|| eprintln!("{what}")),
        Event::Progress {
            bytes,
            total,
            records,
        } => bar.storing(bytes, total, records),
        Event::Deriving(progress) => bar.deriving(progress),
        Event::Finishing(progress) => bar.finishing(progress),
    };
    let outcome = match writer {
        Some(writer) => import::import(&args.paths, writer, &options, &mut report),
        None => import::read_only(&args.paths, &options, &mut report),
    };
    bar.bar.finish_and_clear();
    let summary = outcome?;
    print_summary(args, &summary)?;
    Ok(if summary.skipped == 0 && !summary.interrupted {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Identifies an import by its paths and flags; only an import with the same identity resumes a
/// stopped one. Returns an empty text for standard input, which cannot be read again.
fn task(args: &Args) -> io::Result<String> {
    let mut task = format!(
        "replace-rnp {} {:?}, forget-before {:?}, again {}",
        args.replace_rnp, args.registry_date, args.forget_before, args.again
    );
    for path in &args.paths {
        if path.as_os_str() == "-" {
            return Ok(String::new());
        }
        task.push('\n');
        task.push_str(&std::path::absolute(path)?.to_string_lossy());
    }
    Ok(task)
}

fn print_summary(args: &Args, summary: &Summary) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match args.format {
        SummaryFormat::Json => print_json(&mut out, &for_programs(args, summary))?,
        SummaryFormat::Text => {
            match args.dry_run {
                true => print_read(&mut out, summary)?,
                false => print_kinds(&mut out, summary)?,
            }
            print_totals(&mut out, summary, args)?;
        }
    }
    log::debug!(
        "took {} ms: {} documents and lines, {} bytes of files; writing took {} ms",
        summary.time.as_millis(),
        summary.counted.records(),
        summary.bytes,
        summary.writing_time.as_millis()
    );
    Ok(())
}

fn for_programs(args: &Args, summary: &Summary) -> ImportOutput {
    let counted = &summary.counted;
    let kinds = summary
        .kinds
        .iter()
        .map(|(kind, (tally, skipped))| KindOutput {
            kind: kind.clone(),
            read: tally.new + tally.newer + tally.unchanged + skipped,
            new: tally.new,
            newer: tally.newer,
            unchanged: tally.unchanged,
            skipped: *skipped,
        });
    let read = counted.documents.iter().map(|(kind, count)| KindOutput {
        kind: kind.clone(),
        read: *count,
        ..KindOutput::default()
    });
    let passed = |kinds: &BTreeMap<String, u64>, is_about_nothing| -> Vec<PassedOverOutput> {
        let passed = kinds.iter().map(|(kind, count)| PassedOverOutput {
            kind: kind.clone(),
            count: *count,
            is_about_nothing,
        });
        passed.collect()
    };
    let again = summary.derived_again.filter(|again| again.is_complete);
    ImportOutput {
        is_dry_run: args.dry_run,
        kinds: match args.dry_run {
            true => read.collect(),
            false => kinds.collect(),
        },
        passed_over: [
            passed(&counted.passed_over, false),
            passed(&counted.about_nothing, true),
        ]
        .concat(),
        other_files: counted.other_files,
        without_supplier: counted.without_supplier,
        refused: counted.refused,
        skipped: summary.skipped,
        archives_unchanged: summary.archives_unchanged,
        rnp_ended: summary.rnp_entries_gone,
        rnp_forgotten: summary.rnp_entries_forgotten,
        derived_again: again.map(|again| [again.records, again.changed]),
        suppliers_changed: summary.changed.suppliers,
        purchases_changed: summary.changed.purchases,
        unread_inclusions: summary.unread_entries.all.len() as u64,
        is_interrupted: summary.interrupted,
    }
}

/// The progress of an import. Each phase has a template of its own.
struct ImportBar {
    bar: ProgressBar,
    /// The template of the current phase.
    form: &'static str,
}

impl ImportBar {
    /// `bar` must already have the template [`STORING`].
    fn new(bar: ProgressBar) -> Self {
        Self { bar, form: STORING }
    }

    fn storing(&mut self, bytes: u64, total: u64, records: u64) {
        self.set_form(STORING);
        self.bar.set_length(total.max(bytes));
        self.bar.set_position(bytes);
        self.bar.set_message(records.to_string());
    }

    fn deriving(&mut self, progress: DeriveProgress) {
        let DeriveProgress { done, total } = progress;
        if self.set_form(DERIVING) {
            self.bar
                .suspend(|| log::debug!("deriving {total} contracts, purchases and RNP entries"));
        }
        self.bar.set_length(total.max(done));
        self.bar.set_position(done);
    }

    fn finishing(&mut self, progress: FinishProgress) {
        match progress {
            FinishProgress::Rebuilding(progress) => {
                self.set_form(COUNTING);
                count_rebuilt(&self.bar, progress);
            }
            FinishProgress::RewritingPages => {
                self.set_form(REWRITING);
            }
        }
    }

    /// Switches to another template and starts from zero. Returns whether the template has changed.
    fn set_form(&mut self, form: &'static str) -> bool {
        if self.form == form {
            return false;
        }
        self.form = form;
        if let Ok(style) = ProgressStyle::with_template(form) {
            self.bar.set_style(style);
        }
        self.bar.reset();
        true
    }
}

/// Template while the file is rewritten, which may take a minute.
const REWRITING: &str = "rewriting the file with full pages  {elapsed}";

/// Template while records are derived.
const DERIVING: &str = "{human_pos} of {human_len} contracts, purchases and RNP entries derived  {eta} left  {wide_bar}";

/// Template while documents are stored.
const STORING: &str = "{msg} documents and lines  {decimal_bytes} of {decimal_total_bytes}  {decimal_bytes_per_sec}  {eta} left  {wide_bar}";

fn print_read(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    writeln!(out, "{:>10} kind", "read")?;
    for (kind, count) in &summary.counted.documents {
        writeln!(out, "{count:>10} {kind}")?;
    }
    Ok(())
}

fn print_kinds(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let width = summary
        .kinds
        .keys()
        .map(|kind| kind.chars().count())
        .max()
        .unwrap_or(0)
        .max(4);
    writeln!(
        out,
        "{:width$} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "kind", "read", "new", "newer", "unchanged", "skipped"
    )?;
    for (kind, (tally, skipped)) in &summary.kinds {
        let read = tally.new + tally.newer + tally.unchanged + skipped;
        writeln!(
            out,
            "{kind:width$} {read:>10} {:>10} {:>10} {:>10} {skipped:>10}",
            tally.new, tally.newer, tally.unchanged
        )?;
    }
    Ok(())
}

fn print_totals(out: &mut impl Write, summary: &Summary, args: &Args) -> io::Result<()> {
    print_counted(out, &summary.counted)?;
    if summary.archives_unchanged > 0 {
        writeln!(
            out,
            "archives: {} were imported before and not read again (--again reads them); their documents are unchanged",
            summary.archives_unchanged
        )?;
    }
    match summary.rnp_entries_gone {
        Some(gone) => writeln!(
            out,
            "RNP replaced: {gone} earlier entries are no longer in force"
        )?,
        None if args.replace_rnp && !args.dry_run => writeln!(
            out,
            "RNP not replaced, as {}: no entry was ended",
            if summary.interrupted {
                "the import was stopped"
            } else {
                "something was skipped"
            }
        )?,
        None => {}
    }
    if let Some(again) = summary.derived_again.filter(|again| again.is_complete) {
        writeln!(
            out,
            "derived again by rules {}: {} contracts, purchases and RNP entries, {} changed",
            import::RULES,
            again.records,
            again.changed
        )?;
    }
    if let Some(forgotten) = summary.rnp_entries_forgotten {
        writeln!(out, "RNP: {forgotten} entries of earlier days were deleted")?;
    }
    if !args.dry_run {
        writeln!(
            out,
            "answers changed: suppliers {}, purchases {}",
            summary.changed.suppliers, summary.changed.purchases
        )?;
    }
    if summary.counted.refused > 0 {
        writeln!(
            out,
            "refused: {} documents that cannot be read; those in archives are reported only once (--again reports them again)",
            summary.counted.refused
        )?;
    }
    write_unread(out, &summary.unread_entries)?;
    if summary.skipped > 0 {
        writeln!(
            out,
            "skipped: {}; standard error names each with the reason",
            summary.skipped
        )?;
    }
    if summary.interrupted {
        writeln!(
            out,
            "stopped before the end: the database is unchanged{}",
            match args.paths.iter().any(|path| path.as_os_str() == "-") {
                true => "",
                false => "; run the same command to resume",
            }
        )?;
    }
    Ok(())
}

fn print_counted(out: &mut impl Write, counted: &Counted) -> io::Result<()> {
    for (kind, count) in &counted.passed_over {
        let answer = kind_not_read(kind).map(|known| known.answer[1]);
        let answer = answer.map_or(String::new(), |answer| {
            format!("; it would change {answer}")
        });
        writeln!(
            out,
            "passed over: {count} of kind {kind}, which is not imported{answer}"
        )?;
    }
    for (kind, count) in &counted.about_nothing {
        writeln!(
            out,
            "passed over: {count} of kind {kind} without the number of a purchase"
        )?;
    }
    if counted.other_files > 0 {
        writeln!(
            out,
            "passed over: {} files that are not .xml, .zip or .jsonl",
            counted.other_files
        )?;
    }
    if counted.without_supplier > 0 {
        writeln!(
            out,
            "without a supplier that has an INN: {}; found only by number or by customer",
            counted.without_supplier
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;
    use crate::store::RebuildProgress;

    #[derive(Clone, Debug, Default)]
    struct Terminal(Arc<Mutex<String>>);

    impl Terminal {
        fn add(&self, text: &str) -> io::Result<()> {
            self.0.lock().expect("the text").push_str(text);
            Ok(())
        }

        fn take(&self) -> String {
            std::mem::take(&mut *self.0.lock().expect("the text"))
        }
    }

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            120
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.add(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.add(text)
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_bar_shows_documents_being_stored_records_being_derived_and_the_last_steps() {
        let terminal = Terminal::default();
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let mut bar = ImportBar::new(ProgressBar::with_draw_target(None, target));
        bar.form = "";
        bar.set_form(STORING);
        let mut shown = |show: &dyn Fn(&mut ImportBar)| {
            show(&mut bar);
            terminal.take();
            bar.bar.force_draw();
            terminal.take()
        };
        let derived =
            |done, total| move |bar: &mut ImportBar| bar.deriving(DeriveProgress { done, total });
        let stored = |bar: &mut ImportBar| bar.storing(500, 2000, 7);
        let text = shown(&derived(1500, 3000));
        let words = "1,500 of 3,000 contracts, purchases and RNP entries derived";
        assert!(text.starts_with(words), "{text}");
        let text = shown(&stored);
        assert!(
            text.starts_with("7 documents and lines  500 B of 2.00 kB"),
            "{text}"
        );
        let text = shown(&derived(0, 12));
        assert!(text.starts_with("0 of 12 contracts"), "{text}");
        let rebuilt = |progress| {
            move |bar: &mut ImportBar| bar.finishing(FinishProgress::Rebuilding(progress))
        };
        let (done, total) = (5_000, 20_000);
        let text = shown(&rebuilt(RebuildProgress::Contents { done, total }));
        let words = "index of contents, contracts and purchases  5,000 of 20,000";
        assert!(text.starts_with(words), "{text}");
        let text = shown(&|bar| bar.finishing(FinishProgress::RewritingPages));
        assert!(
            text.starts_with("rewriting the file with full pages"),
            "{text}"
        );
        let text = shown(&rebuilt(RebuildProgress::Names { done: 0, total }));
        let words = "searched names, suppliers and customers  0 of 20,000";
        assert!(text.starts_with(words), "{text}");
    }
}
