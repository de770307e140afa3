//! `import`: take documents and records into a database.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Outcome;
use crate::import::{self, Event, Summary};
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
        hide_env = true
    )]
    database: PathBuf,
    /// The RNP entries given are the whole registry of their laws: earlier ones go
    #[arg(long, env = "PROCUREMENT_LOOKUP_REPLACE_RNP", hide_env = true, value_parser = clap::builder::FalseyValueParser::new())]
    replace_rnp: bool,
    /// Files and folders; - is JSON Lines on standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub fn run(args: &Args) -> Outcome {
    let writer = Writer::open(&args.database)?;
    let bar = progress_bar();
    let outcome = import::import(
        &args.paths,
        writer,
        args.replace_rnp,
        &mut |event| match event {
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
        },
    );
    bar.finish_and_clear();
    let summary = outcome?;
    print(&summary, args.replace_rnp)?;
    Ok(if summary.skipped == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Shown on a terminal only.
fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
    if !io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
        return bar;
    }
    let form = "{msg} documents and lines  {bytes} of {total_bytes}  {binary_bytes_per_sec}  {eta} left  {wide_bar}";
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn print(summary: &Summary, replace_rnp: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
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
    for (kind, count) in &summary.passed_over {
        writeln!(
            out,
            "passed over: {count} of kind {kind}, which is not taken in"
        )?;
    }
    if summary.other_files > 0 {
        writeln!(
            out,
            "passed over: {} files that are not .xml, .zip or .jsonl",
            summary.other_files
        )?;
    }
    if summary.without_supplier > 0 {
        writeln!(
            out,
            "note: {} documents name no supplier with an INN; they are kept, but found under none",
            summary.without_supplier
        )?;
    }
    match summary.rnp_entries_gone {
        Some(gone) => writeln!(out, "RNP replaced: {gone} earlier entries are gone")?,
        None if replace_rnp => writeln!(
            out,
            "RNP not replaced, as something was skipped: no entry was removed"
        )?,
        None => {}
    }
    if summary.skipped > 0 {
        writeln!(
            out,
            "skipped: {}; standard error names each, and why",
            summary.skipped
        )?;
    }
    Ok(())
}
