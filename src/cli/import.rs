//! `import`: take documents and records into a database.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use signal_hook::consts::signal::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

use super::{Outcome, output};
use crate::import::{self, Counted, Event, Options, Summary};
use crate::store::Writer;

/// Take documents and records into a database.
///
/// Reads official documents (.xml, .zip of them) and JSON Lines (.jsonl), and
/// folders of them. What cannot be read is named on standard error and skipped;
/// the rest goes in. A server that answers from the file goes on, and answers
/// from the new state from its next request on.
#[derive(Debug, clap::Args)]
#[command(after_help = super::ENVIRONMENT)]
pub struct Args {
    /// The database; it is made if there is none
    #[arg(
        long,
        value_name = "FILE",
        env = "PROCUREMENT_LOOKUP_DATABASE",
        hide_env = true,
        required_unless_present = "dry_run"
    )]
    database: Option<PathBuf>,
    /// Read everything, name what is wrong, and take nothing in
    #[arg(long, env = "PROCUREMENT_LOOKUP_DRY_RUN", hide_env = true, value_parser = clap::builder::FalseyValueParser::new())]
    dry_run: bool,
    /// The RNP entries given are the whole registry of their laws: earlier ones go
    #[arg(long, env = "PROCUREMENT_LOOKUP_REPLACE_RNP", hide_env = true, value_parser = clap::builder::FalseyValueParser::new())]
    replace_rnp: bool,
    /// Read archives again that were taken in whole before
    #[arg(long, env = "PROCUREMENT_LOOKUP_AGAIN", hide_env = true, value_parser = clap::builder::FalseyValueParser::new())]
    again: bool,
    /// Keep a copy of what is skipped in this folder, with the reason beside it
    #[arg(
        long,
        value_name = "DIR",
        env = "PROCUREMENT_LOOKUP_QUARANTINE",
        hide_env = true
    )]
    quarantine: Option<PathBuf>,
    /// Write a line of JSON here for each supplier or purchase whose answer changed
    #[arg(
        long,
        value_name = "FILE",
        env = "PROCUREMENT_LOOKUP_CHANGES",
        hide_env = true
    )]
    changes: Option<PathBuf>,
    /// Files and folders; - is JSON Lines on standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub fn run(args: &Args) -> Outcome {
    if let Some(changes) = &args.changes {
        output::refuse_database(changes)?;
    }
    let stop = stop_on_signals()?;
    let writer = match &args.database {
        Some(path) if !args.dry_run => Some(Writer::open(path)?),
        _ => None,
    };
    let bar = progress_bar();
    let options = Options {
        replace_rnp: args.replace_rnp,
        again: args.again,
        quarantine: args.quarantine.clone(),
        changes: args.changes.clone(),
        stop: Some(&stop),
    };
    let mut tell = |event: Event<'_>| match event {
        Event::Problem(what) => bar.suspend(|| eprintln!("{what}")),
        Event::Progress {
            bytes,
            total,
            records,
        } => {
            bar.set_length(total.max(bytes));
            bar.set_position(bytes);
            bar.set_message(records.to_string());
        }
    };
    let outcome = match writer {
        Some(writer) => import::import(&args.paths, writer, &options, &mut tell),
        None => import::read_only(&args.paths, &options, &mut tell),
    };
    bar.finish_and_clear();
    let summary = outcome?;
    let mut out = io::stdout().lock();
    if args.dry_run {
        print_read(&mut out, &summary)?;
    } else {
        print_kinds(&mut out, &summary)?;
    }
    print_rest(&mut out, &summary, args)?;
    log::debug!(
        "took {} ms: {} documents and lines, {} bytes of files; writing took {} ms",
        summary.time.as_millis(),
        summary.counted.records(),
        summary.bytes,
        summary.writing_time.as_millis()
    );
    Ok(if summary.skipped == 0 && !summary.interrupted {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Becomes true at the first signal to end (Ctrl-C), upon which the import ends after
/// what it has read; a second one ends the process at once, which leaves the data as
/// at the last commit.
fn stop_on_signals() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // The status that a shell gives a process ended by the signal.
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    // A file over the limit of its size is then an error of writing, which is told.
    flag::register(SIGXFSZ, Arc::default())?;
    Ok(stop)
}

/// Shown on a terminal only.
fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
    if !io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
        return bar;
    }
    let form = "{msg} documents and lines  {decimal_bytes} of {decimal_total_bytes}  {decimal_bytes_per_sec}  {eta} left  {wide_bar}";
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// What was read, where nothing was taken in.
fn print_read(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    writeln!(out, "{:>10} kind", "read")?;
    for (kind, count) in &summary.counted.documents {
        writeln!(out, "{count:>10} {kind}")?;
    }
    Ok(())
}

/// What became of lines and documents.
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

fn print_rest(out: &mut impl Write, summary: &Summary, args: &Args) -> io::Result<()> {
    print_counted(out, &summary.counted)?;
    if summary.archives_known > 0 {
        writeln!(
            out,
            "archives: {} taken in before and not read again (--again reads them); what is in them is unchanged",
            summary.archives_known
        )?;
    }
    match summary.rnp_entries_gone {
        Some(gone) => writeln!(out, "RNP replaced: {gone} earlier entries are gone")?,
        None if args.replace_rnp && !args.dry_run => writeln!(
            out,
            "RNP not replaced, as {}: no entry was removed",
            if summary.interrupted {
                "the import was stopped"
            } else {
                "something was skipped"
            }
        )?,
        None => {}
    }
    if !args.dry_run {
        writeln!(
            out,
            "answers changed: of suppliers {}, of purchases {}",
            summary.changed.suppliers, summary.changed.purchases
        )?;
    }
    if summary.skipped > 0 {
        writeln!(
            out,
            "skipped: {}; standard error names each, and why",
            summary.skipped
        )?;
    }
    if summary.interrupted {
        writeln!(
            out,
            "stopped before the end: what was read is taken in; the same command goes on from there"
        )?;
    }
    Ok(())
}

fn print_counted(out: &mut impl Write, counted: &Counted) -> io::Result<()> {
    for (kind, count) in &counted.passed_over {
        writeln!(out, "passed over: {count} of kind {kind}, not taken in")?;
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
            "without a supplier that has an INN: {}; kept, but found under none",
            counted.without_supplier
        )?;
    }
    Ok(())
}
