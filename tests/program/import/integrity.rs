//! Damage is found: by the check, and by an import before it changes anything.

use std::io::Cursor;
use std::sync::OnceLock;

use procurement_lookup::api::Endpoint;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::source::Source;

const COVERAGE: &str = r#"{"type":"coverage","subsystem":"RGK","documents":"contract","region":"77","from":"2026-11-01","to":"2026-11-20"}"#;

/// A file with records and facts of every kind: of the documents in `data/documents`, in an
/// archive, and of lines.
fn whole() -> Folder {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    let folder = Folder::new();
    let bytes = BYTES.get_or_init(|| {
        let made = Folder::new();
        made.write("documents.zip", documents());
        made.import_files(&["documents.zip"], false);
        made.take(contract(OTHER, "1", "") + COVERAGE);
        fs::read(made.database()).expect("the file")
    });
    fs::write(folder.database(), bytes).expect("written");
    folder
}

fn documents() -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/documents");
    for entry in fs::read_dir(from).expect("the documents") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|end| end == "xml") {
            let name = path.file_name().expect("a name").to_string_lossy();
            let options = SimpleFileOptions::default();
            archive.start_file(name, options).expect("an entry");
            let document = fs::read(&path).expect("a document");
            archive.write_all(&document).expect("written");
        }
    }
    archive.finish().expect("an archive").into_inner()
}

/// All answers about the suppliers and the purchases of the whole file.
fn all_answers(folder: &Folder) -> Vec<String> {
    static SUBJECTS: OnceLock<[Vec<String>; 2]> = OnceLock::new();
    let [inns, numbers] = SUBJECTS.get_or_init(|| {
        let connection = rusqlite::Connection::open(folder.database()).expect("the file");
        ["SELECT inn FROM supplier", "SELECT number FROM purchase"].map(|sql| {
            let mut statement = connection.prepare(sql).expect("a statement");
            let rows = statement.query_map((), |row| row.get(0)).expect("rows");
            rows.map(|row| row.expect("a row")).collect()
        })
    });
    let mut answers = Answers::on("2026-11-22", Some(Source::new(&folder.database())));
    let mut bodies = Vec::new();
    for inn in inns {
        let of = [("format", "json"), ("supplierINN", inn.as_str())];
        bodies.push(answers.ask(Endpoint::CONTRACTS, &of));
        bodies.push(answers.ask(Endpoint::CONTRACT_SUMMARY, &of));
        let as_of = [of[0], of[1], ("asOf", "2022-01-01")];
        bodies.push(answers.ask(Endpoint::RNP_CHECK, &as_of));
    }
    bodies.extend(numbers.iter().map(|number| answers.card(number, "json")));
    bodies
}

#[test]
fn a_bit_that_changes_an_answer_is_found_by_check_wherever_it_is() {
    let folder = whole();
    let expected = all_answers(&folder);
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
        let is_same = all_answers(&folder) == expected;
        assert!(is_same, "bit {} of byte {at}", sample % 8);
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
        "UPDATE rnp_entry SET inn = (SELECT max(inn) FROM supplier)",
        "UPDATE rnp_entry SET inn = '0'",
        "UPDATE rnp_entry SET seen = seen + 1",
        "UPDATE rnp_total SET entries = entries + 1",
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

#[test]
fn an_import_over_a_damaged_file_is_refused_and_leaves_it() {
    for statement in [
        "UPDATE meta SET updated = updated + 1",
        "UPDATE registry SET entries = entries + 1 WHERE federal_law = '44'",
        "DROP INDEX rnp_entry_of_supplier",
    ] {
        let folder = whole();
        let connection = rusqlite::Connection::open(folder.database()).expect("the file");
        connection.execute_batch(statement).expect("damage");
        connection.close().expect("closed");
        let before = fs::read(folder.database()).expect("the file");
        folder.write("more.jsonl", contract(INN, "2", ""));
        let output = run(&folder, &["more.jsonl"], "");
        assert_eq!(output.status.code(), Some(1), "{statement}: {output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("the file is damaged ("),
            "{statement}: {said}"
        );
        assert!(fs::read(folder.database()).expect("the file") == before);
        assert!(!folder.file("data.sqlite-building").exists());
    }
}
