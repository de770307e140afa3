//! Official documents: imports any bytes as an XML file.

use std::fs;
use std::path::Path;

use procurement_lookup::import::{self, Event, Options, Summary};
use procurement_lookup::model::{EncodedContract, Inn, Supplier};
use procurement_lookup::store::{self, Database, SupplierRow, Writer};
use tempfile::TempDir;

use super::answers;

pub struct Imported {
    pub summary: Summary,
    /// Messages about skipped input.
    pub problems: Vec<String>,
}

pub fn run(data: &[u8]) {
    drop(import("documents.xml", data));
}

/// Imports a file of this name into an empty database, twice. Asserts that the import finishes
/// whatever the bytes are, that its messages are printable, that responses from the database are
/// valid, and that the second import leaves every record unchanged.
pub fn import(name: &str, data: &[u8]) -> Imported {
    let folder = folder();
    let (file, database) = (folder.path().join(name), folder.path().join("data.sqlite"));
    fs::write(&file, data).expect("the file is written");
    let imported = import_once(&file, &database);
    for problem in &imported.problems {
        assert!(!problem.chars().any(char::is_control), "{problem:?}");
        assert!(!problem.contains("a bug in this program"), "{problem}");
    }
    let records: u64 = imported.summary.counted.documents.values().sum();
    if records > 0 {
        let again = import_once(&file, &database);
        // Only the first import reports unreadable documents in an archive, and documents that may be
        // inclusions in the RNP.
        let is_named_once =
            name.ends_with(".zip") || !imported.summary.unread_entries.all.is_empty();
        match is_named_once {
            true => assert!(
                again
                    .problems
                    .iter()
                    .all(|one| imported.problems.contains(one))
            ),
            false => assert_eq!(again.problems, imported.problems),
        }
        let kinds = imported
            .summary
            .kinds
            .values()
            .chain(again.summary.kinds.values());
        let counted: u64 = kinds
            .map(|(tally, _)| tally.new + tally.newer + tally.unchanged)
            .sum();
        assert_eq!(counted, 2 * records);
        if records == 1 {
            let unchanged = again
                .summary
                .kinds
                .values()
                .map(|(tally, _)| tally.unchanged);
            assert_eq!(unchanged.sum::<u64>(), 1, "{:?}", again.summary);
        }
        check_records(&database);
    }
    imported
}

/// Creates a temporary folder, in memory if possible, because an import syncs the disk several times.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    };
    folder.expect("a temporary folder")
}

fn import_once(file: &Path, database: &Path) -> Imported {
    let writer = Writer::open(database).expect("the database opens");
    let mut problems = Vec::new();
    let mut on_event = |event: Event<'_>| {
        if let Event::Problem(problem) = event {
            problems.push(problem.to_owned());
        }
    };
    let files = [file.to_owned()];
    let summary = import::import(&files, writer, &Options::default(), &mut on_event);
    let summary = summary.unwrap_or_else(|error| panic!("the import fails: {error}"));
    Imported { summary, problems }
}

/// Asserts that every record in the database can be rendered and imported as a line.
fn check_records(database: &Path) {
    let mut database = Database::open(database).expect("a sound database");
    database.hold().expect("one state");
    let each = |inn: &Inn, known: &SupplierRow| {
        let supplier = Supplier {
            inn: inn.clone(),
            name: known.name().to_owned(),
        };
        let mut round_trip = |contract: &EncodedContract<'_>| {
            answers::contract_round_trip(&supplier, contract);
        };
        database.contracts(known, &mut round_trip)?;
        for entry in database.rnp_entries(inn)? {
            let supplier = match inn.is_none() {
                true => Supplier {
                    name: entry.supplier_name.clone(),
                    ..supplier.clone()
                },
                false => supplier.clone(),
            };
            answers::entry_round_trip(&supplier, &entry);
        }
        Ok::<_, store::Error>(())
    };
    database.suppliers(each).expect("suppliers");
    let each = |card: &_| {
        answers::purchase_round_trip(card);
        Ok::<_, store::Error>(())
    };
    database.purchases(each).expect("purchases");
}
