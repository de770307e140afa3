//! `check`: verify a database.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::{BoxedError, Outcome, refuse_address};
use crate::import::{RULES, registry_documents};
use crate::model::{Language, MissingDocuments, timestamp};
use crate::store::{self, Database};

/// Verify a database: every page, record and ordering.
///
/// Prints a summary of its content. The exit status is 1 if anything is wrong, with the reason.
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
    writeln!(out, "refused       {:>12}", contents.refused)?;
    writeln!(out, "derived by    rules {}", contents.rules)?;
    if contents.rules != RULES {
        writeln!(
            out,
            "              this program's are {RULES}: its next import derives all records again"
        )?;
    }
    writeln!(out, "data changed  {}", timestamp(contents.updated))?;
    write_registries(&mut out, &Database::open(&args.database)?)?;
    writeln!(out, "ok")?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the last complete day of each law's registry of unfair suppliers, and its missing
/// documents.
fn write_registries(out: &mut impl Write, database: &Database) -> Result<(), BoxedError> {
    let registries = database.registries();
    let missing = registries.missing(&database.coverage()?, &registry_documents());
    for registry in registries.all {
        let state = match registry.complete {
            Some(days) => format!(
                "{} as of {} ({})",
                registry.state().code(),
                days.as_of,
                days.basis.code()
            ),
            None => registry.state().code().to_owned(),
        };
        let (code, entries) = (registry.law.code(), registry.entries);
        writeln!(out, "registry {code:<4} {state}, entries: {entries}")?;
        if let Some(missing) = missing.iter().find(|one| one.law == registry.law) {
            writeln!(out, "              {}", sentence(missing))?;
        }
    }
    Ok(())
}

/// Describes the missing documents of a registry.
fn sentence(missing: &MissingDocuments) -> String {
    let MissingDocuments {
        as_of, days, cells, ..
    } = missing;
    let first = missing.first;
    let region = first.region;
    format!(
        "to be complete as of {as_of} it lacks documents: days {days}, cells {cells}; the first \
         is {} of {}, region {}, {}",
        first.documents,
        first.day,
        region.code,
        region.name(Language::English)
    )
}
