//! `check` detects damage, and so does an import before it changes anything.

use std::io::Cursor;
use std::sync::{Arc, OnceLock};

use procurement_lookup::api::{Api, DataSource, Endpoint};
use procurement_lookup::model::Moment;
use procurement_lookup::store::KeyRing;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::source::Source;

const COVERAGE: &str = r#"{"type":"coverage","subsystem":"RGK","documents":"contract","region":"77","from":"2026-11-01","to":"2026-11-20"}"#;

const OTHER_SUPPLIER: &str = "7707083893";

/// Creates a file with records and facts of every kind, from the documents in `data/documents`
/// (packed in an archive) and from lines.
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

/// Returns all responses about the suppliers and purchases of the undamaged file.
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
    let mut answers = Answers::on("2026-11-22", Source::new(&folder.database()));
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
fn check_detects_every_flipped_bit_that_changes_an_answer() {
    let folder = whole();
    let expected = all_answers(&folder);
    let bytes = fs::read(folder.database()).expect("the file");
    let (mut found, mut harmless) = (0, 0);
    for sample in 0..140 {
        // Take each byte of the first page's header, then bytes spread over the whole file.
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
    assert!(found > 50 && harmless > 10, "{found} {harmless}");
}

/// Suppliers with an entry in force, with a past entry, with an entry that an import of the whole
/// registry ended, with only a name, and one that is not in the file.
const CHECKED: &str = "9600000010,9600000027,9600000034,500100732259,7736050003";

/// Sends an RNP check of [`CHECKED`]. Returns `None` if the file cannot be opened or the check
/// fails.
fn checked(folder: &Folder) -> Option<String> {
    let now = || Moment::from_day(day("2026-11-20"));
    let data = DataSource::File(folder.database());
    let api = Arc::new(Api::new(data, KeyRing::empty(), Box::new(now)));
    let parameters = [
        ("format", "json"),
        ("supplierINN", CHECKED),
        ("history", "1"),
    ];
    let mut answerer = api.answerer().ok()?;
    let answer = answerer.look_up_offline(Endpoint::RNP_CHECK_MANY, &parameters);
    Some(String::from_utf8(answer.ok()?).expect("UTF-8"))
}

/// Returns bits to flip in the pages of tables and their indexes, as the offset of the byte and the
/// number of the bit. In page headers, which contain the number of rows, these are the lowest, the
/// highest and a middle bit of each byte; elsewhere they are a sample from the bytes that are not
/// 0.
fn bits_of_tables(folder: &Folder, bytes: &[u8], tables: &str) -> Vec<(usize, usize)> {
    const HEAD: usize = 12;
    const EACH: usize = 29;
    let connection = rusqlite::Connection::open(folder.database()).expect("the file");
    let sql = format!(
        "SELECT pgoffset, pgsize FROM dbstat WHERE name IN \
         (SELECT name FROM sqlite_schema WHERE tbl_name IN ({tables}))"
    );
    let mut statement = connection.prepare(&sql).expect("a statement");
    let page = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let pages = statement.query_map((), page).expect("pages");
    let pages: Vec<(usize, usize)> = pages.map(|page| page.expect("a page")).collect();
    let heads = pages.iter().flat_map(|page| page.0..page.0 + HEAD);
    let heads = heads.flat_map(|at| [0, 3, 7].map(|bit| (at, bit)));
    let rest = pages.iter().flat_map(|page| page.0 + HEAD..page.0 + page.1);
    let rest = rest.filter(|at| bytes[*at] != 0).step_by(EACH);
    heads.chain(rest.map(|at| (at, at % 8))).collect()
}

#[test]
fn no_flipped_bit_in_the_registry_changes_a_verdict() {
    let folder = Folder::new();
    let inns = ["9600000010", "9600000027", "9600000034"];
    let over = r#""excludeDate":"2025-06-01","federalLaw""#;
    let mut lines = entry(inns[0], "93", "44")
        + &entry(inns[1], "92", "223").replace(r#""federalLaw""#, over)
        + &entry(inns[2], "91", "615")
        + &supplier("500100732259", "ИП А");
    for number in 10..40 {
        lines += &entry(OTHER_SUPPLIER, &number.to_string(), "44");
    }
    folder.take(
        lines
            + &["44", "223"]
                .map(|law| complete(law, "2026-11-10"))
                .concat(),
    );
    folder.write("whole.jsonl", entry(OTHER_SUPPLIER, "4", "615"));
    folder.import_files(&["whole.jsonl"], true);
    let expected = checked(&folder).expect("an answer");
    let verdicts = members_of(&expected, "verdict");
    let all = [
        "listed",
        "previously-listed",
        "previously-listed",
        "not-listed",
        "not-listed",
    ];
    assert_eq!(verdicts, all);
    let bytes = fs::read(folder.database()).expect("the file");
    let (mut refused, mut same) = (0, 0);
    let registry = "'rnp_entry', 'rnp_total', 'registry', 'registry_day'";
    // Names of suppliers are verified only when they are needed.
    for (tables, is_all) in [(registry, true), ("'supplier'", false)] {
        for (at, bit) in bits_of_tables(&folder, &bytes, tables) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            fs::write(folder.database(), &damaged).expect("written");
            let Some(answer) = checked(&folder) else {
                refused += 1;
                continue;
            };
            same += 1;
            assert_eq!(
                members_of(&answer, "verdict"),
                verdicts,
                "bit {bit} of byte {at}"
            );
            assert!(
                !is_all || answer == expected,
                "bit {bit} of byte {at}: {answer}"
            );
        }
        fs::write(folder.database(), &bytes).expect("written");
    }
    assert!(refused > 100 && same > 100, "{refused} {same}");
}

fn damage(folder: &Folder, statement: &str) {
    let connection = rusqlite::Connection::open(folder.database()).expect("the file");
    store::register_row_sum(&connection).expect("the function");
    connection.execute_batch(statement).expect(statement);
}

#[test]
fn check_detects_a_change_to_any_value_of_any_table() {
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
        "UPDATE contract SET record = substr(record, 2) WHERE id = (SELECT min(id) FROM contract)",
        "UPDATE contract_facet SET sign_date = sign_date + 1",
        "UPDATE contract_facet SET update_date = update_date + 1",
        "UPDATE contract_facet SET stage = stage + 1",
        "UPDATE contract_facet SET customer_inn = CAST(customer_inn AS TEXT)",
        "UPDATE contract_facet SET customer_inn = customer_inn || '0'",
        "UPDATE contract_facet SET is_customer_named = 1 - is_customer_named",
        "UPDATE contract_facet SET price = price + 1",
        "UPDATE contract_facet SET has_subcontractors = 1 - has_subcontractors",
        "UPDATE contract_facet SET facts = facts + 1",
        "UPDATE contract_facet SET price = NULL WHERE price IS NOT NULL",
        "UPDATE contract_facet SET price = 0 WHERE price IS NULL",
        "UPDATE contract_facet SET price_text = '5' WHERE price_text IS NULL",
        "DELETE FROM contract_facet WHERE id = (SELECT max(id) FROM contract_facet)",
        "UPDATE contract_facet SET reg_num = reg_num + 1",
        "UPDATE contract_facet SET reg_num = CAST(reg_num AS TEXT)",
        "UPDATE contract SET id = id + (1 << 20); UPDATE contract_facet SET id = id + (1 << 20)",
        "UPDATE contract_items SET items = substr(items, 2)",
        "UPDATE contract_items SET items = (SELECT items FROM contract_items ORDER BY id LIMIT 1)",
        "DELETE FROM contract_items WHERE id = (SELECT max(id) FROM contract_items)",
        "UPDATE contract_items SET id = id + 1000",
        "UPDATE contract_items_total SET without_items = without_items + 1",
        "UPDATE contract_items_total SET with_items = with_items + 1, \
         sum = row_sum(with_items + 1, without_items, digest)",
        "UPDATE search_rules SET words = words + 1",
        "UPDATE search_rules SET names = names + 1",
        "UPDATE purchase SET record = (SELECT record FROM purchase ORDER BY id LIMIT 1)",
        "UPDATE purchase SET number = number || '0' WHERE id = 1",
        "UPDATE rnp_entry SET inn = (SELECT max(inn) FROM supplier)",
        "UPDATE rnp_entry SET inn = '0'",
        "UPDATE rnp_entry SET seen = seen + 1",
        "INSERT INTO rnp_seen VALUES ('5', 20261101, row_sum('5', 20261101) + 1)",
        "INSERT INTO rnp_seen SELECT number, 20261101, row_sum(number, 20261101) FROM rnp_entry",
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
        "UPDATE archive SET read_by = read_by + 1",
        "UPDATE archive SET size = size + 1",
        "UPDATE archive SET modified = modified + 1",
        "UPDATE archive SET refused = refused + 1",
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
        "UPDATE release SET version = '9.9.9'",
        "CREATE TABLE other (one INTEGER)",
        "DROP INDEX rnp_entry_of_supplier",
    ] {
        let folder = whole();
        damage(&folder, statement);
        assert!(store::check(&folder.database()).is_err(), "{statement}");
    }
}

#[test]
fn check_counts_documents_read_only_by_readers_of_another_release() {
    let folder = whole();
    let check = || {
        let mut command = crate::program(folder.path());
        let output = command
            .args(["check", "--database", "data.sqlite"])
            .output();
        stdout(&output.expect("the program runs"))
    };
    assert!(!check().contains("read before"));
    damage(
        &folder,
        "UPDATE archive SET read_by = 1, \
         sum = row_sum(name, size, modified, digest, 1, counted, refused)",
    );
    let message = check();
    assert!(message.contains("read before  "), "{message}");
    assert!(
        message.contains("only another release has read (archives: 1)"),
        "{message}"
    );
    folder.write("documents.zip", documents());
    let output = run(&folder, &["documents.zip"], "");
    assert!(output.status.success(), "{output:?}");
    let message = check();
    assert!(
        !message.contains("read before") && message.ends_with("ok\n"),
        "{message}"
    );
}

#[test]
fn an_import_into_a_damaged_file_is_refused_and_changes_nothing() {
    for statement in [
        "UPDATE meta SET updated = updated + 1",
        "UPDATE registry SET entries = entries + 1 WHERE federal_law = '44'",
        "DROP INDEX rnp_entry_of_supplier",
    ] {
        let folder = whole();
        damage(&folder, statement);
        let before = fs::read(folder.database()).expect("the file");
        folder.write("more.jsonl", contract(INN, "2", ""));
        let output = run(&folder, &["more.jsonl"], "");
        assert_eq!(output.status.code(), Some(1), "{statement}: {output:?}");
        let message = stderr(&output);
        let words = "the file is damaged (";
        assert!(message.contains(words), "{statement}: {message}");
        assert!(fs::read(folder.database()).expect("the file") == before);
        assert!(!folder.file("data.sqlite-building").exists());
    }
}
