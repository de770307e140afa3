//! Pins the records and sources that are derived from `data/documents` and from the documents in
//! `family.rs`: they may change only together with `RULES`. A new document may add to them. Also
//! tests files whose records were derived by other rules.
//!
//! After an intended change, raise `RULES` in `src/import/derive` if the current number is
//! released. After that or after adding a document, rewrite the records and review the difference:
//!
//! ```text
//! GOLDEN=bless cargo test --test answers derived
//! ```

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use procurement_lookup::import::RULES;
use procurement_lookup::model::{Contract, Purchase};
use procurement_lookup::render;
use procurement_lookup::store::DerivedRecord;

use super::family::{family, numbers};
use super::linked::import_all;
use super::*;
use crate::released::{check_form, is_golden};

/// Returns a folder with a database into which all of `data/documents` were imported.
fn all_documents() -> Folder {
    let folder = Folder::new();
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/documents");
    let (summary, problems) = folder.import_paths(&[documents], false);
    assert_eq!(problems, [""; 0]);
    // A new file has no records that an import could derive again.
    assert_eq!(summary.derived_again, None);
    folder
}

/// Returns the records of a file, one per line, sorted.
pub fn records(file: &Path) -> String {
    let database = Database::open(file).expect("the database opens");
    let mut lines = Vec::new();
    let add = |lines: &mut Vec<String>, line: &[u8]| {
        lines.push(String::from_utf8_lossy(line).into_owned());
    };
    let outcome = database.suppliers(|inn, supplier| -> store::Result<()> {
        let (inn, name) = (inn.as_str(), supplier.name());
        database.contracts_with_items(supplier, &mut |contract, items| {
            let mut line = Vec::new();
            render::contract_line(&mut line, inn, name, contract, items);
            add(&mut lines, &line);
        })?;
        for entry in database.rnp_entries(&supplier.inn)? {
            lines.push(format!("{inn} {name:?} {entry:?}\n"));
        }
        Ok(())
    });
    outcome.expect("the suppliers are read");
    let outcome = database.purchases(|purchase| -> store::Result<()> {
        let mut line = Vec::new();
        render::purchase_line(&mut line, purchase, folder::day("2025-06-15"));
        add(&mut lines, &line);
        Ok(())
    });
    outcome.expect("the purchases are read");
    lines.sort();
    lines.concat()
}

/// Returns the sources of each number in the family.
fn sources(folder: &Folder) -> String {
    let mut answers = folder.answers();
    let of = |number| {
        answers.ask(
            Endpoint::DOCUMENTS,
            &[("format", "json"), ("number", number)],
        )
    };
    numbers().map(of).join("\n") + "\n"
}

#[test]
fn records_change_only_with_the_version_of_the_rules() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers/documents");
    let file = folder.join("derived.txt");
    let family = import_all(&family());
    let found =
        records(&all_documents().database()) + &records(&family.database()) + &sources(&family);
    let golden = fs::read_to_string(&file).unwrap_or_default();
    let lines: BTreeSet<&str> = found.lines().collect();
    let Some(changed) = golden.lines().find(|line| !lines.contains(line)) else {
        if is_golden("bless") {
            fs::write(&file, &found).expect("the records are written");
        } else {
            let new = found
                .lines()
                .find(|new| golden.lines().all(|old| old != *new));
            assert_eq!(new, None, "GOLDEN=bless adds it");
        }
        return;
    };
    let outcome = check_form("import::RULES", RULES, &file, &found, "bless");
    assert_eq!(outcome, Ok(()), "{changed}");
}

/// Marks the file as derived by the rules with this number.
fn set_rules(folder: &Folder, rules: i64) {
    let connection = rusqlite::Connection::open(folder.database()).expect("the file opens");
    store::register_row_sum(&connection).expect("the function");
    let sql = "UPDATE derivation SET rules = ?1, sum = row_sum(?1)";
    assert_eq!(connection.execute(sql, [rules]).expect("it is set"), 1);
}

fn rules(folder: &Folder) -> i64 {
    let contents = store::check(&folder.database()).expect("the database is as it must be");
    contents.rules
}

/// Alters a contract, a card and an entry of the file as if other rules had derived them, and marks
/// the file accordingly.
fn derive_by_other_rules(folder: &Folder) {
    let database = Database::open(&folder.database()).expect("the database opens");
    let (mut contracts, mut entries, mut cards) = (Vec::new(), Vec::new(), Vec::new());
    let outcome = database.suppliers(|inn, known| -> store::Result<()> {
        let supplier = Supplier {
            inn: inn.clone(),
            name: "Другое имя".to_owned(),
        };
        database.contracts(known, &mut |contract| {
            let contract = Contract {
                reg_num: contract.reg_num.text().into_owned(),
                ..Contract::default()
            };
            contracts.push((contract, supplier.clone()));
        })?;
        for mut entry in database.rnp_entries(&known.inn)? {
            entry.reason = "другая".to_owned();
            entries.push((entry, supplier.clone()));
        }
        Ok(())
    });
    outcome.expect("the suppliers are read");
    let outcome = database.purchases(|purchase| -> store::Result<()> {
        cards.push(purchase.clone());
        Ok(())
    });
    outcome.expect("the purchases are read");
    let mut writer = Writer::open(&folder.database()).expect("the database opens");
    let written = writer.set_records(|writing| -> store::Result<()> {
        let (contract, supplier) = contracts.pop().expect("a contract");
        writing.set_contract(&contract, &[supplier], i64::MAX)?;
        let (entry, supplier) = entries.pop().expect("an entry");
        let number = entry.registration_number.clone();
        writing.set_rnp_entry(&number, Some((&supplier, &entry)), i64::MAX)?;
        let is_of_44 = |card: &&mut Purchase| matches!(card, Purchase::Fz44(_));
        if let Some(Purchase::Fz44(card)) = cards.iter_mut().find(is_of_44) {
            card.object_info = "Другой предмет".to_owned();
            writing.set_purchase(&Purchase::Fz44(card.clone()))?;
        }
        Ok(())
    });
    written.expect("the records are written");
    writer.finish().expect("the file is written");
    set_rules(folder, RULES - 1);
}

#[test]
fn the_next_import_derives_all_records_again() {
    let folder = all_documents();
    let expected = records(&folder.database());
    derive_by_other_rules(&folder);
    let altered = records(&folder.database());
    assert!(altered.contains("Другой предмет") && altered.contains("другая"));
    let version = folder.version();

    // The import derives all records again although it reads nothing new.
    let summary = folder.take("");
    let again = summary.derived_again.expect("records are derived again");
    assert_eq!(again.changed, 3);
    assert!(again.records > 20, "{again:?}");
    assert_eq!(summary.changed.purchases, 1);
    assert!((1..=2).contains(&summary.changed.suppliers));
    assert_eq!(records(&folder.database()), expected);
    assert_eq!(rules(&folder), RULES);
    // Entity tags and the log of changes reflect the new state.
    assert_ne!(folder.version().identity, version.identity);
    assert_eq!(folder.version().revision, version.revision + 1);
    let count = |kind: &str| {
        let changes = changes_of(&folder).into_iter();
        let named = changes.filter(|change| change.starts_with(kind));
        let keys = named.filter_map(|change| change.split(' ').nth(1).map(str::to_owned));
        keys.collect::<BTreeSet<_>>().len() as u64
    };
    assert_eq!(count("supplier"), summary.changed.suppliers);
    assert_eq!(count("purchase"), summary.changed.purchases);

    let file = fs::read(folder.database()).expect("the file");
    assert_eq!(folder.take("").derived_again, None);
    assert_eq!(fs::read(folder.database()).expect("the file"), file);
}

#[test]
fn other_rules_with_the_same_result_change_only_their_number() {
    let folder = all_documents();
    let (expected, version) = (records(&folder.database()), folder.version());
    set_rules(&folder, RULES - 1);
    let again = folder.take("").derived_again;
    assert_eq!(again.expect("records are derived again").changed, 0);
    assert_eq!(
        (records(&folder.database()), folder.version()),
        (expected, version)
    );
    assert_eq!(rules(&folder), RULES);
}

fn rnp_numbers(folder: &Folder) -> Vec<String> {
    let file = rusqlite::Connection::open(folder.database()).expect("the database");
    let mut numbers = file
        .prepare("SELECT number FROM rnp_entry")
        .expect("a statement");
    let numbers = numbers.query_map((), |row| row.get(0)).expect("numbers");
    numbers.map(|number| number.expect("a number")).collect()
}

#[test]
fn an_interrupted_derivation_starts_again() {
    let folder = all_documents();
    let expected = records(&folder.database());
    derive_by_other_rules(&folder);
    let altered = fs::read(folder.database()).expect("the file");
    let open = || Writer::open_for(&folder.database(), "task").expect("the database opens");
    let import_with = |stop: Option<&AtomicBool>| {
        let options = Options {
            stop,
            ..Options::default()
        };
        import(&[], open(), &options, &mut |_| {}).expect("the import ends well")
    };
    assert!(import_with(Some(&AtomicBool::new(true))).interrupted);
    assert_eq!(fs::read(folder.database()).expect("the file"), altered);
    // Some records have been derived and committed, but the number of the rules has not been
    // stored.
    let mut writer = open();
    writer.start_rederiving();
    let entries = rnp_numbers(&folder).into_iter();
    let removed = entries.map(|number| Ok(vec![DerivedRecord::entry(number, None, 0)]));
    let changed = writer.write_derived(removed, |_| Ok(()));
    assert!(changed.expect("records are written") > 1);
    writer.stop().expect("the import is stopped");
    let again = import_with(None).derived_again;
    assert!(again.expect("records are derived again").changed > 3);
    assert_eq!(records(&folder.database()), expected);

    // The import is killed after all records and the number of the rules were committed.
    set_rules(&folder, RULES - 1);
    let mut writer = open();
    writer.start_rederiving();
    writer.set_rules(RULES).expect("the number is set");
    writer.stop().expect("the import is stopped");
    assert_eq!(rules(&folder), RULES - 1);
    assert_eq!(import_with(None).derived_again, None);
    assert_eq!(rules(&folder), RULES);
}
