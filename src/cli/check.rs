//! `check`: verifies a database.

use std::cmp::Ordering;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::output::{SummaryFormat, print_json};
use super::{BoxedError, Outcome, refuse_address};
use crate::import::{RULES, ReadBefore, printable, registry_documents};
use crate::model::{
    Inn, Language, MissingDocuments, Registry, UnreadAbout, UnreadEntries, timestamp,
};
use crate::render::{CheckOutput, RegistryOutput, UnreadOutput};
use crate::store::{self, Contents, Database};

/// Verify a database: every page, record and ordering.
///
/// Prints a summary of the contents. If anything is wrong, prints the reason and exits with status
/// 1.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The database
    #[arg(long, value_name = "FILE")]
    database: PathBuf,
    /// The format of the summary: text, or json for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: SummaryFormat,
}

pub fn run(args: &Args) -> Outcome {
    refuse_address(&args.database);
    let contents = store::check(&args.database)?;
    let mut out = io::stdout().lock();
    if args.format == SummaryFormat::Json {
        print_json(&mut out, &summary(args, &contents)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "suppliers     {:>12}", contents.suppliers)?;
    writeln!(out, "contracts     {:>12}", contents.contracts)?;
    if contents.contracts_without_items > 0 {
        let count = contents.contracts_without_items;
        writeln!(
            out,
            "              without names and prices of items: {count}"
        )?;
    }
    writeln!(out, "purchases     {:>12}", contents.purchases)?;
    writeln!(out, "RNP entries   {:>12}", contents.rnp_entries)?;
    writeln!(out, "documents     {:>12}", contents.documents)?;
    writeln!(out, "refused       {:>12}", contents.refused)?;
    writeln!(out, "derived by    rules {}", contents.rules)?;
    let before = ReadBefore::of(&args.database)?;
    if before.documents > 0 {
        writeln!(out, "read before   {:>12}", before.documents)?;
        writeln!(
            out,
            "              documents that only another release has read (archives: {}): import the archives again; if they are gone, the data stays as that release read it",
            before.archives
        )?;
    }
    let next = match contents.rules.cmp(&RULES) {
        Ordering::Equal => None,
        Ordering::Less => Some("the next import derives all records again"),
        Ordering::Greater => Some("it cannot import into this database"),
    };
    if let Some(next) = next {
        writeln!(out, "              this program's are {RULES}: {next}")?;
    }
    writeln!(out, "data changed  {}", timestamp(contents.updated))?;
    let database = Database::open(&args.database)?;
    write_registries(&mut out, &database)?;
    write_unread(&mut out, &database.unread_entries())?;
    writeln!(out, "ok")?;
    Ok(ExitCode::SUCCESS)
}

fn summary(args: &Args, contents: &Contents) -> Result<CheckOutput, BoxedError> {
    let before = ReadBefore::of(&args.database)?;
    let database = Database::open(&args.database)?;
    let registries = database.registries();
    let missing = registries.missing(&database.coverage()?, &registry_documents());
    let registry = |registry: &Registry| {
        let missing = missing.iter().find(|one| one.law == registry.law);
        RegistryOutput {
            law: registry.law,
            state: registry.state(),
            basis: registry.complete.map(|days| days.basis),
            complete_as_of: registry.complete.map(|days| days.as_of),
            entries: registry.entries,
            missing: missing.map(|missing| (missing.as_of, missing.days, missing.cells)),
        }
    };
    let unread = database.unread_entries();
    let unread = unread.all.iter().map(|one| UnreadOutput {
        law: one.law.code(),
        number: one.number.clone(),
        place: place(&one.archive, &one.entry),
        inns: match &one.about {
            UnreadAbout::Inns(inns) => inns.iter().map(|inn| inn.as_str().to_owned()).collect(),
            UnreadAbout::NoInn | UnreadAbout::Anybody => Vec::new(),
        },
        is_about_anybody: matches!(one.about, UnreadAbout::Anybody),
    });
    Ok(CheckOutput {
        suppliers: contents.suppliers,
        contracts: contents.contracts,
        contracts_without_items: contents.contracts_without_items,
        purchases: contents.purchases,
        rnp_entries: contents.rnp_entries,
        documents: contents.documents,
        refused: contents.refused,
        rules: [contents.rules, RULES].map(i64::unsigned_abs),
        read_before: [before.archives, before.documents],
        updated: timestamp(contents.updated),
        registries: registries.all.iter().map(registry).collect(),
        unread: unread.collect(),
    })
}

/// `entry` is empty for a file that is not in an archive.
fn place(archive: &str, entry: &str) -> String {
    let slash = if entry.is_empty() { "" } else { "/" };
    printable(&[archive, slash, entry].concat())
}

/// Writes up to [`MAX_UNREAD`] RNP inclusions that could not be parsed, each with the archive or
/// file that contains it and the effect on verdicts, and then the number of others.
pub(super) fn write_unread(out: &mut impl Write, unread: &UnreadEntries) -> io::Result<()> {
    for one in unread.all.iter().take(MAX_UNREAD) {
        let place = place(&one.archive, &one.entry);
        let number = match one.number.as_str() {
            "" => "without a number".to_owned(),
            number => printable(number),
        };
        writeln!(
            out,
            "unread {:<6} an inclusion in the RNP, {number}, in {place}: {}",
            one.law.code(),
            consequence(&one.about)
        )?;
    }
    let more = unread.all.len().saturating_sub(MAX_UNREAD);
    if more > 0 {
        writeln!(out, "unread        {more} more inclusions in the RNP")?;
    }
    Ok(())
}

const MAX_UNREAD: usize = 20;

/// Describes which verdicts are undetermined because an inclusion could not be parsed.
fn consequence(about: &UnreadAbout) -> String {
    match about {
        UnreadAbout::Inns(inns) => {
            let inns: Vec<&str> = inns.iter().map(Inn::as_str).collect();
            format!("undetermined for {}", inns.join(", "))
        }
        UnreadAbout::NoInn => "about a supplier without an INN".to_owned(),
        UnreadAbout::Anybody => "no supplier can be confirmed as not listed".to_owned(),
    }
}

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

fn sentence(missing: &MissingDocuments) -> String {
    let MissingDocuments {
        as_of, days, cells, ..
    } = missing;
    let first = missing.first;
    let region = first.region;
    format!(
        "for completeness as of {as_of}, documents are missing: days {days}, cells {cells}; \
         the first is {} of {}, region {}, {}",
        first.documents,
        first.day,
        region.code,
        region.name(Language::English)
    )
}
