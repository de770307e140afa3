//! `lookup --verify`: is a receipt of what the data answers?

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use super::Outcome;
use crate::api::{
    Api, Calendar, LONGEST_RECEIPT, Receipt, ReceiptOutcome, Verification, sha256_of,
};

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
        println!(
            "{}: not the answer that the receipt is of; it was changed, or belongs to another",
            kept.display()
        );
        return Ok(ExitCode::FAILURE);
    }
    let day = receipt.day;
    let mut answerer = api(Box::new(move || day)).answerer()?;
    let verification = answerer.verify(&receipt);
    let verification = verification.map_err(|error| format!("{place}: {error}"))?;
    println!("{}", sentence(&verification));
    Ok(match verification.outcome {
        ReceiptOutcome::Same | ReceiptOutcome::SameAnswer => ExitCode::SUCCESS,
        ReceiptOutcome::Changed | ReceiptOutcome::Mismatch => ExitCode::FAILURE,
    })
}

/// What a receipt and the data say of each other.
fn sentence(verification: &Verification) -> String {
    let Verification {
        outcome,
        receipt,
        is_error,
        data_now,
        updated_now,
    } = verification;
    let Receipt {
        data, updated, day, ..
    } = receipt;
    let of_then = format!("as of {day}, from the data {data} of {updated}");
    let of_now = format!("the data is {data_now} of {updated_now} now");
    match outcome {
        ReceiptOutcome::Same => format!("the same: {of_then}"),
        ReceiptOutcome::SameAnswer => {
            format!("the same: {of_then}; {of_now}, and answers the same")
        }
        _ if *is_error => {
            format!("not the same: this data answers with an error now; the receipt is {of_then}")
        }
        ReceiptOutcome::Mismatch if updated != updated_now => format!(
            "not the same: the receipt says that the data {data} is of {updated}, but it is of \
             {updated_now}"
        ),
        ReceiptOutcome::Mismatch => format!(
            "not the same: the receipt is {of_then}, which is this data, but of another answer \
             (or of another version of this program)"
        ),
        ReceiptOutcome::Changed => format!(
            "not the same: the receipt is {of_then}; {of_now}, and answers otherwise: keep \
             copies of the database to prove older answers"
        ),
    }
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
