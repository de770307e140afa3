//! The progress bar of a long command.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::style::TemplateError;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::store::RebuildProgress;

/// Returns a progress bar on standard error, hidden unless that is a terminal.
pub fn progress_bar(style: Result<ProgressStyle, TemplateError>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
    if !io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
        return bar;
    }
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Template of a bar whose message says what is counted.
pub const COUNTING: &str = "{msg}  {human_pos} of {human_len}  {eta} left  {wide_bar}";

/// Shows what is counted and how much of it is done. The bar must have the template [`COUNTING`].
pub fn count(bar: &ProgressBar, what: impl Into<Cow<'static, str>>, done: u64, total: u64) {
    bar.set_message(what);
    bar.set_length(total);
    bar.set_position(done);
}

/// Shows how far rebuilding the search indexes has come. The bar must have the template
/// [`COUNTING`].
pub fn count_rebuilt(bar: &ProgressBar, progress: RebuildProgress) {
    match progress {
        RebuildProgress::Contents { done, total } => {
            count(
                bar,
                "index of contents, contracts and purchases",
                done,
                total,
            );
        }
        RebuildProgress::Names { done, total } => {
            count(bar, "searched names, suppliers and customers", done, total);
        }
    }
}
