//! `lookup --verify`: is a receipt of what the data answers?

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use super::Outcome;
use crate::api::{Api, Calendar, LONGEST_RECEIPT, Receipt, sha256_of};

/// How much is read of a file that is to have a receipt in it, in bytes: the longest
/// receipt, and other headers beside it.
pub const LONGEST_FILE: u64 = 4 * LONGEST_RECEIPT as u64;

#[derive(Debug, clap::Args)]
pub struct Verify {
    /// Recompute the answer of this receipt and compare: a file written by --receipt or by
    /// curl -D, or - for standard input
    #[arg(long, value_name = "RECEIPT")]
    verify: Option<PathBuf>,
    /// With --verify: the answer that was kept with the receipt, to be compared as well
    #[arg(long, value_name = "FILE", requires = "verify")]
    answer: Option<PathBuf>,
}

impl Verify {
    /// The file with the receipt, if one is given.
    pub fn receipt(&self) -> Option<&Path> {
        self.verify.as_deref()
    }
}

/// Says whether the receipt at `path` is of what an API answers now.
pub fn run(path: &Path, args: &Verify, api: impl FnOnce(Calendar) -> Arc<Api>) -> Outcome {
    let place = path.display();
    let text = read(path).map_err(|error| format!("{place}: {error}"))?;
    let receipt = Receipt::parse(&text).map_err(|error| format!("{place}: {error}"))?;
    if let Some(kept) = &args.answer
        && !is_of(&receipt, kept)?
    {
        println!("{}: not the answer that the receipt is of", kept.display());
        return Ok(ExitCode::FAILURE);
    }
    let (endpoint, query) = receipt
        .request()
        .map_err(|error| format!("{place}: {error}"))?;
    let day = receipt.day;
    let mut answerer = api(Box::new(move || day)).answerer()?;
    let now = answerer.look_up_again(endpoint, query).ok();
    let now = now.map(|(_, receipt)| receipt);
    let (verdict, status) = compare(&receipt, now.as_ref());
    println!("{verdict}");
    Ok(status)
}

/// What a receipt and the one of the answer now say of each other.
fn compare(receipt: &Receipt, now: Option<&Receipt>) -> (String, ExitCode) {
    let Receipt {
        data, updated, day, ..
    } = receipt;
    let of_then = format!("as of {day}, from the data {data} of {updated}");
    let verdict = match now {
        None => {
            format!("not the same: this data answers with an error now; the receipt is {of_then}")
        }
        Some(now) if now.data == *data && now.updated != *updated => format!(
            "not the same: the receipt says that the data {data} is of {updated}, but it is of {}",
            now.updated
        ),
        Some(now) if now.sha256 == receipt.sha256 && now.data == *data => {
            return (format!("the same: {of_then}"), ExitCode::SUCCESS);
        }
        Some(now) if now.sha256 == receipt.sha256 => {
            let verdict = format!(
                "the same: {of_then}; the data is {} of {} now, and answers the same",
                now.data, now.updated
            );
            return (verdict, ExitCode::SUCCESS);
        }
        Some(now) if now.data == *data => format!(
            "not the same: the receipt is {of_then}, which is this data, but of another answer \
             (or of another version of this program)"
        ),
        Some(now) => format!(
            "not the same: the receipt is {of_then}; the data is {} of {} now, and answers \
             otherwise: keep copies of the database to prove older answers",
            now.data, now.updated
        ),
    };
    (verdict, ExitCode::FAILURE)
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let file: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path)?)
    };
    file.take(LONGEST_FILE).read_to_string(&mut text)?;
    Ok(text)
}

/// Has the file at `path` the bytes that the receipt is of?
fn is_of(receipt: &Receipt, path: &Path) -> Result<bool, String> {
    let hash = File::open(path).and_then(sha256_of);
    let hash = hash.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(hash == receipt.sha256)
}
