//! `check`: look a database over.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::{Outcome, refuse_address};
use crate::import::RULES;
use crate::model::timestamp;
use crate::store;

/// Verify a database: every page, record and ordering.
///
/// Prints what it holds. If anything is wrong, says what, with exit status 1.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The database
    #[arg(long, value_name = "FILE")]
    database: PathBuf,
}

pub fn run(args: &Args) -> Outcome {
    refuse_address(&args.database);
    let contents = store::check(&args.database)?;
    let mut out = io::stdout().lock();
    writeln!(out, "suppliers     {:>12}", contents.suppliers)?;
    writeln!(out, "contracts     {:>12}", contents.contracts)?;
    writeln!(out, "purchases     {:>12}", contents.purchases)?;
    writeln!(out, "RNP entries   {:>12}", contents.rnp_entries)?;
    writeln!(out, "documents     {:>12}", contents.documents)?;
    writeln!(out, "derived by    rules {}", contents.rules)?;
    if contents.rules != RULES {
        writeln!(
            out,
            "              this program's are {RULES}: its next import derives all records again"
        )?;
    }
    writeln!(out, "data changed  {}", timestamp(contents.updated))?;
    writeln!(out, "ok")?;
    Ok(ExitCode::SUCCESS)
}
