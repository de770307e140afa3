//! Files that earlier releases made.

use procurement_lookup::api::Endpoint;

use super::*;
use crate::source::Source;

use sha2::{Digest, Sha256};

/// Files of older formats, made from the same synthetic documents and lines by the releases
/// that had them; those of formats 6 to 8 are the one of format 5, brought up to date by the
/// releases of these formats.
const OLDER: [(u8, &[u8]); 5] = [
    (4, include_bytes!("../../stored/format-4.sqlite")),
    (5, include_bytes!("../../stored/format-5.sqlite")),
    (6, include_bytes!("../../stored/format-6.sqlite")),
    (7, include_bytes!("../../stored/format-7.sqlite")),
    (8, include_bytes!("../../stored/format-8.sqlite")),
];

/// The SHA-256 of each of their answers from these files.
const ANSWERS: &str = include_str!("../../stored/answers");

fn with_older((_, bytes): (u8, &[u8])) -> Folder {
    let folder = Folder::new();
    fs::write(folder.database(), bytes).expect("written");
    folder
}

/// Checks that this file gives all answers of the older releases.
fn check_answers(folder: &Folder) {
    assert_eq!(differing(folder), None);
}

/// The first answer that differs from that of the older releases.
fn differing(folder: &Folder) -> Option<&'static str> {
    let mut answers = Answers::on("2026-11-22", Some(Source::new(&folder.database())));
    for line in ANSWERS.lines() {
        let mut words = line.split(' ');
        let mut word = || words.next().expect("a word");
        let (what, format, key, expected) = (word(), word(), word(), word());
        let format = ("format", format);
        let body = match what {
            "contracts" => {
                let parameters = [format, ("supplierINN", key), ("limit", "200")];
                answers.ask(Endpoint::CONTRACTS, &parameters)
            }
            "summary" => answers.ask(Endpoint::CONTRACT_SUMMARY, &[format, ("supplierINN", key)]),
            "rnp" => {
                let parameters = [format, ("supplierINN", key), ("asOf", "2022-01-01")];
                answers.ask(Endpoint::RNP_CHECK, &parameters)
            }
            _ => {
                let endpoint = match key.len() {
                    19 => Endpoint::PURCHASE_44,
                    _ => Endpoint::PURCHASE_223,
                };
                answers.ask(endpoint, &[format, ("purchaseNumber", key)])
            }
        };
        let digest = Sha256::digest(body);
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        if digest != expected {
            return Some(line);
        }
    }
    None
}

#[test]
fn a_file_of_an_older_format_is_brought_up_to_date_and_answers_as_before() {
    for older in OLDER {
        let folder = with_older(older);
        let output = run(&folder, &[], "");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        store::check(&folder.database()).expect("a whole file");
        check_answers(&folder);
        let version = folder.version();
        let output = run(&folder, &[], "");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(folder.version(), version);
    }
}

#[test]
fn an_import_brings_it_up_to_date_too_whether_it_changes_anything_or_not() {
    for older in OLDER {
        let folder = with_older(older);
        folder.write("none.jsonl", "");
        let output = run(&folder, &["none.jsonl"], "");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        let expected = format!("brought up to date from format {}", older.0);
        assert!(said.contains(&expected), "{said}");
        check_answers(&folder);
        let folder = with_older(older);
        folder.take(contract(OTHER, "1", "") + COVERAGE);
        store::check(&folder.database()).expect("a whole file");
        check_answers(&folder);
        let database = Database::open(&folder.database()).expect("the data opens");
        assert_eq!(database.coverage().expect("coverage").len(), 1);
    }
}

#[test]
fn until_then_readers_say_how_it_is_brought_up_to_date() {
    for older in OLDER {
        let folder = with_older(older);
        let error = Database::open(&folder.database()).expect_err("an older format");
        let said = error.to_string();
        let expected = format!("its format is {}", older.0);
        assert!(said.contains(&expected), "{said}");
        assert!(said.contains("import --database"), "{said}");
        assert_eq!(fs::read(folder.database()).expect("the file"), older.1);
    }
}

/// A log that the release of format 4 had not yet written into its file is not lost.
#[test]
fn what_is_in_its_log_is_brought_along() {
    let folder = with_older(OLDER[0]);
    let copy = Folder::new();
    {
        let connection = rusqlite::Connection::open(folder.database()).expect("the file");
        let statements = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \
                          UPDATE supplier SET given_name = 'FROM THE LOG'";
        connection
            .execute_batch(statements)
            .expect("the statements");
        // As a killed process leaves them.
        for end in ["", "-wal"] {
            let name = format!("data.sqlite{end}");
            fs::copy(folder.file(&name), copy.file(&name)).expect("a copy");
        }
    }
    assert!(
        fs::metadata(copy.file("data.sqlite-wal"))
            .expect("a log")
            .len()
            > 0
    );
    let output = run(&copy, &[], "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    store::check(&copy.database()).expect("a whole file");
    assert_eq!(copy.answers().name("9669768400"), "FROM THE LOG");
    for end in ["-wal", "-shm", "-building"] {
        assert!(!copy.file(&format!("data.sqlite{end}")).exists(), "{end}");
    }
}

const COVERAGE: &str = r#"{"type":"coverage","subsystem":"RGK","documents":"contract","region":"77","from":"2026-11-01","to":"2026-11-20"}"#;

/// A file with records and facts of every kind.
fn whole() -> Folder {
    let folder = with_older(OLDER[0]);
    folder.take(contract(OTHER, "1", "") + COVERAGE);
    folder
}

#[test]
fn a_bit_that_changes_an_answer_is_found_by_check_wherever_it_is() {
    let folder = whole();
    let bytes = fs::read(folder.database()).expect("the file");
    let (mut found, mut harmless) = (0, 0);
    for sample in 0..400 {
        // Each byte of the first page's head, then bytes all over the file.
        let at = match sample {
            0..100 => sample,
            _ => (sample * 7919 * 31) % bytes.len(),
        };
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (sample % 8);
        fs::write(folder.database(), &damaged).expect("written");
        if store::check(&folder.database()).is_err() {
            found += 1;
            continue;
        }
        harmless += 1;
        assert_eq!(differing(&folder), None, "bit {} of byte {at}", sample % 8);
    }
    assert!(found > 100 && harmless > 20, "{found} {harmless}");
}

#[test]
fn every_value_of_every_table_is_proved() {
    for statement in [
        "UPDATE meta SET revision = revision + 1",
        "UPDATE meta SET updated = updated + 1",
        "UPDATE meta SET identity = identity + 1",
        "UPDATE supplier SET given_name = given_name || 'x' WHERE id = 1",
        "UPDATE supplier SET official_name = 'x' WHERE id = 1",
        "UPDATE supplier SET official_since = official_since + 1 WHERE id = 1",
        "UPDATE supplier SET official_by = 'x' WHERE id = 1",
        "UPDATE supplier SET stated = 1 - stated WHERE id = 1",
        "UPDATE supplier SET contracts = contracts + 1 WHERE id = 1",
        "UPDATE supplier SET inn = '7700000000' WHERE id = 1",
        "UPDATE contract SET record = substr(record, 2) WHERE id & 4294967295 = 0",
        "UPDATE contract_facet SET sign_date = sign_date + 1",
        "UPDATE contract_facet SET update_date = update_date + 1",
        "UPDATE contract_facet SET stage = stage + 1",
        "UPDATE contract_facet SET customer_inn = CAST(customer_inn AS TEXT)",
        "UPDATE contract_facet SET customer_inn = customer_inn || '0'",
        "UPDATE contract_facet SET is_customer_named = 1 - is_customer_named",
        "UPDATE contract_facet SET price = price + 1",
        "UPDATE contract_facet SET price = NULL WHERE price IS NOT NULL",
        "UPDATE contract_facet SET price = 0 WHERE price IS NULL",
        "DELETE FROM contract_facet WHERE id = (SELECT max(id) FROM contract_facet)",
        "UPDATE contract_key SET sign_date = sign_date + 1",
        "UPDATE contract_key SET digest = digest + 1",
        "DELETE FROM contract_key WHERE supplier = 1",
        "UPDATE purchase SET record = (SELECT record FROM purchase ORDER BY id LIMIT 1)",
        "UPDATE purchase SET number = number || '0' WHERE id = 1",
        "UPDATE rnp_entry SET supplier = (SELECT max(id) FROM supplier)",
        "UPDATE rnp_entry SET supplier = 0",
        "UPDATE rnp_entry SET federal_law = federal_law || '0'",
        "UPDATE rnp_entry SET number = number || '0'",
        "UPDATE document SET number = number || '0' WHERE id = 1",
        "UPDATE document SET kind = kind + 1 WHERE id = 1",
        "UPDATE document SET version = version + 1 WHERE id = 1",
        "UPDATE document SET published = published + 1 WHERE id = 1",
        "UPDATE document SET purchase = purchase || '0' WHERE id = 1",
        "UPDATE document SET facts = substr(facts, 2) WHERE id = 1",
        "UPDATE archive SET counted = CAST(counted || x'00' AS BLOB)",
        "UPDATE archive SET read_with = read_with + 1",
        "UPDATE registry SET entries = entries + 1 WHERE federal_law = '44'",
        "UPDATE registry SET complete_as_of = '2026-11-01' WHERE federal_law = '223'",
        "UPDATE coverage SET subsystem = 'RNP'",
        "UPDATE coverage SET documents = documents || 's'",
        "UPDATE coverage SET region = '50'",
        "UPDATE coverage SET first_day = '2026-11-02'",
        "UPDATE coverage SET last_day = '2026-11-21'",
        "UPDATE archive SET digest = zeroblob(32) WHERE digest = (SELECT min(digest) FROM archive)",
        "UPDATE change SET part = part + 4",
        "UPDATE change SET subject = subject + 100",
        "UPDATE change SET revision = revision - 1",
        "DELETE FROM revision WHERE number = (SELECT max(number) FROM revision)",
        "UPDATE revision SET time = time + 1",
        "UPDATE revision SET identity = identity + 1",
        "UPDATE revision SET identity = 0, sum = row_sum(number, time, 0)",
        "CREATE TABLE other (one INTEGER)",
        "DROP INDEX rnp_entry_of_supplier",
    ] {
        let folder = whole();
        let connection = rusqlite::Connection::open(folder.database()).expect("the file");
        store::register_row_sum(&connection).expect("the function");
        let outcome = connection.execute_batch(statement);
        if let Err(error) = &outcome {
            panic!("{statement}: {error}");
        }
        connection.close().expect("closed");
        assert!(store::check(&folder.database()).is_err(), "{statement}");
    }
}
