//! Official documents: any bytes as an XML file, through the reader and the import.

use std::cell::RefCell;

use procurement_lookup::import::bare::{BareImport, Form, ImportedFile};
use procurement_lookup::model::{ChangedSubject, EncodedContract, LoggedChange, Supplier};
use procurement_lookup::store::DataFile;

use super::answers;

thread_local! {
    static IMPORT: RefCell<BareImport> =
        RefCell::new(BareImport::new().expect("a database in memory"));
}

/// A file is read as far as it is well-formed, whatever is in it.
pub fn run(data: &[u8]) {
    IMPORT.with_borrow_mut(|import| drop(take_in(import, Form::Documents, data)));
}

/// Imports a file and undoes that. No bytes end an import; its messages are printable; its
/// answers are sound; and a single record is unchanged when it is imported again.
pub fn take_in(import: &mut BareImport, form: Form, data: &[u8]) -> ImportedFile {
    let mut take = || {
        let taken = import.take(form, data);
        taken.unwrap_or_else(|error| panic!("the import ends: {error}"))
    };
    let taken = take();
    for problem in &taken.problems {
        assert!(!problem.chars().any(char::is_control), "{problem:?}");
    }
    let records: u64 = taken.summary.counted.documents.values().sum();
    if records > 0 {
        let again = take();
        assert_eq!(again.problems, taken.problems);
        let changed = import.changed().expect("whose answers changed");
        let database = import.database().expect("a sound database");
        changed.iter().for_each(|one| look_up(&database, one));
    }
    let tallies = import.discard().expect("all is undone");
    let sum = |of: fn(&procurement_lookup::store::Tally) -> u64| tallies.values().map(of).sum();
    let counted: u64 = sum(|tally| tally.new + tally.newer + tally.unchanged);
    assert_eq!(counted, 2 * records);
    if records == 1 {
        assert_eq!(sum(|tally| tally.unchanged), 1_u64, "{tallies:?}");
    }
    taken
}

/// What was imported can be served, and imported as a line.
fn look_up(database: &DataFile, changed: &LoggedChange) {
    match &changed.subject {
        ChangedSubject::Supplier(inn) => {
            let Some(known) = database.supplier(inn).expect("the file is read") else {
                panic!("{inn:?} is not there");
            };
            let supplier = Supplier {
                inn: inn.clone(),
                name: known.name.clone(),
            };
            let mut round_trip = |contract: &EncodedContract<'_>| {
                answers::contract_round_trip(&supplier, contract);
            };
            let shown = database.contracts(&known, 0, 200, &mut round_trip);
            shown.expect("contracts");
            for entry in database.rnp_entries(&known.inn).expect("entries") {
                answers::entry_round_trip(&supplier, &entry);
            }
        }
        ChangedSubject::Purchase(number) => {
            let card = database.purchase(number).expect("the file is read");
            answers::purchase_round_trip(&card.expect("the card is there"));
        }
        ChangedSubject::Customer(_) | ChangedSubject::Registry(_) => {}
    }
}
