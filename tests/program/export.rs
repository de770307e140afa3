//! Runs `export` as a process.

use super::*;

/// Records of all kinds: with every field, with empty fields, with several items, and with unusual
/// characters.
const DATA: &str = include_str!("../answers/golden/data.jsonl");

/// Creates a folder with a database that contains [`DATA`].
fn golden() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    import(folder.path(), DATA);
    folder
}

#[test]
fn exported_data_can_be_imported_and_gives_the_same_answers() {
    let folder = golden();
    let folder = folder.path();
    succeed(folder, "export --database data.sqlite --out all.jsonl");
    succeed(folder, "import --database again.sqlite all.jsonl");
    let again = succeed(folder, "export --database again.sqlite");
    let first = fs::read_to_string(folder.join("all.jsonl")).expect("the file");
    assert!(first.lines().count() > 30, "{first}");
    assert!(first == again, "a second export differs from the first");
    let complete = r#"{"type":"registry","federalLaw":"44","completeAsOf":"2025-06-10"}"#;
    assert_eq!(first.lines().filter(|line| *line == complete).count(), 1);
    assert_eq!(first.matches("\"type\":\"registry\"").count(), 1, "{first}");
    let covered = r#"{"type":"coverage","subsystem":"RNP223","documents":"dishonestSupplier","region":"77","from":"2025-05-01","to":"2025-06-10"}"#;
    assert_eq!(first.lines().filter(|line| *line == covered).count(), 1);
    for (what, keys) in [
        (
            "contracts",
            "9600000002 960000000400 9600000005 9600000006 9600000007",
        ),
        ("supplier", "9600000022 9600000026"),
        (
            "purchase",
            "0960000000025000001 0960000000025000003 0960000000025000005 0960000000025000006 \
             0960000000025000007 39600000003 39600000005 096000000000000003 096000000000000005",
        ),
    ] {
        for key in keys.split(' ') {
            let ask = |database| {
                let lookup = format!("lookup {what} {key} --format json --database {database}");
                succeed(folder, &lookup)
            };
            assert!(ask("data.sqlite") == ask("again.sqlite"), "{what} {key}");
        }
    }
}

#[test]
fn one_supplier_can_be_exported_and_an_unknown_one_is_reported() {
    let folder = golden();
    let export = |options| {
        let export = format!("export --database data.sqlite --supplier {options}");
        run(folder.path(), &export)
    };
    let lines = stdout(&export("960000000400 --format jsonl --what all"));
    assert!(lines.lines().count() > 2);
    for line in lines.lines() {
        assert!(
            line.contains(r#""supplier":{"inn":"960000000400""#),
            "{line}"
        );
    }
    let table = stdout(&export("960000000400 --format csv --what contracts"));
    assert_eq!(table.lines().count(), lines.lines().count() + 1);
    let unknown = export("9600000999");
    assert_eq!(unknown.status.code(), Some(1));
    assert_eq!(
        stderr(&unknown),
        "error: data.sqlite: there is no data on a supplier with INN 9600000999\n"
    );
    assert_eq!(export("1").status.code(), Some(2));
}

#[test]
fn a_table_contains_one_kind_of_records() {
    let folder = golden();
    let table = |what| {
        let export = format!("export --database data.sqlite --format csv {what}");
        run(folder.path(), &export)
    };
    for (what, names) in [
        ("", "supplierINN,supplierIName,regNum,"),
        ("--what contracts", "supplierINN,supplierIName,regNum,"),
        ("--what rnp", "supplierINN,supplierName,registrationNumber,"),
        ("--what suppliers", "supplierINN,supplierName\r\n"),
        ("--what purchases", "kind,number,published,"),
        ("--what items", "regNum,signDate,stage,"),
    ] {
        let rows = stdout(&table(what));
        assert!(rows.starts_with(&format!("\u{feff}{names}")), "{rows}");
        assert!(rows.ends_with("\r\n"));
    }
    let output = table("--what all");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("one table"), "{}", stderr(&output));
}

#[test]
fn an_existing_file_is_kept_if_the_export_fails() {
    let folder = golden();
    let folder = folder.path();
    fs::write(folder.join("out.jsonl"), "before").expect("a file");
    let output = run(folder, "export --database none.sqlite --out out.jsonl");
    assert_eq!(output.status.code(), Some(1));
    let kept = fs::read_to_string(folder.join("out.jsonl")).expect("the file");
    assert_eq!(kept, "before");
    let missing = run(folder, "export --out no/such/folder.jsonl");
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).starts_with("error: no/such/folder.jsonl: "));
}

#[test]
fn a_damaged_contract_fails_the_export_and_is_not_left_out() {
    for damage in [
        "UPDATE contract_items SET items = substr(items, 2)",
        "UPDATE contract SET record = substr(record, 2)",
    ] {
        let folder = golden();
        let folder = folder.path();
        let connection = Connection::open(folder.join("data.sqlite")).expect("the file");
        assert!(connection.execute(damage, []).expect(damage) > 0);
        for what in ["contracts --region 96", "items"] {
            let export = format!("export --database data.sqlite --what {what}");
            let output = run(folder, &export);
            assert_eq!(output.status.code(), Some(1), "{damage}: {what}");
            assert!(stderr(&output).contains("damaged"), "{}", stderr(&output));
        }
    }
}

#[test]
fn a_database_is_never_overwritten() {
    let folder = golden();
    let folder = folder.path();
    succeed(folder, "keys issue office --database data.sqlite");
    for target in [
        "data.sqlite",
        "data.sqlite-wal",
        "keys.sqlite",
        "./data.sqlite-shm",
        "data.sqlite-building",
    ] {
        let export = format!("export --out {target} --database data.sqlite");
        let output = run(folder, &export);
        assert_eq!(output.status.code(), Some(1), "{target}");
        let expected =
            format!("error: {target}: a database exists under this name; give another file\n");
        assert_eq!(stderr(&output), expected);
    }
    succeed(folder, "check --database data.sqlite");
    assert!(succeed(folder, "keys list").contains("office"));
}

#[cfg(unix)]
#[cfg(target_os = "linux")]
#[test]
fn the_file_is_not_mapped_so_that_memory_does_not_grow_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let lines: Vec<String> = (0..10_000)
        .map(|number| contract(&number.to_string(), "9602003012"))
        .collect();
    import(folder, &lines.join("\n"));
    let mut child = program(folder)
        .args(["export", "--database", "data.sqlite"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // The export blocks in the middle of the file, because nobody reads the rest of its output.
    let mut out = BufReader::new(child.stdout.take().expect("its output"));
    out.read_line(&mut String::new()).expect("a line");
    let maps = fs::read_to_string(format!("/proc/{}/maps", child.id())).expect("its mappings");
    child.kill().expect("killed");
    child.wait().expect("its end");
    assert!(maps.contains("procurement-lookup"), "{maps}");
    assert!(!maps.contains("data.sqlite"), "{maps}");
}

#[test]
fn the_reader_of_the_output_may_stop_early() {
    let folder = golden();
    let mut child = program(folder.path())
        .arg("export")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Returns the values of the field `key` in a JSON response or in JSON Lines, sorted.
fn values_of(text: &str, key: &str) -> Vec<String> {
    let mut values: Vec<String> = text
        .split(&format!("\"{key}\":\""))
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .map(str::to_owned)
        .collect();
    values.sort();
    values
}

/// For each kind of record: the `lookup` command for a search, the field that identifies a record,
/// and the conditions, which `export` accepts too.
const CONDITIONS: &[(&str, &str, &str, &str)] = &[
    ("contracts", "contract-search", "regNum", "--q поставка"),
    (
        "contracts",
        "contract-search",
        "regNum",
        "--code 81.21 --stage EC,ET",
    ),
    (
        "contracts",
        "contract-search",
        "regNum",
        "--region 96 --signed-from 2025-01-01 --price-to 100000.50",
    ),
    (
        "contracts",
        "contract-search",
        "regNum",
        "--fact penalties,signedWhileListed,overdue",
    ),
    (
        "contracts",
        "contract-search",
        "regNum",
        "--region 96 --overdue true",
    ),
    (
        "contracts",
        "contract-search",
        "regNum",
        "--q нет_такого_слова",
    ),
    (
        "purchases",
        "purchase-search",
        "number",
        "--q поставка --law 44,223",
    ),
    (
        "purchases",
        "purchase-search",
        "number",
        "--region 96 --open false --published-from 2024-01-01",
    ),
    (
        "purchases",
        "purchase-search",
        "number",
        "--q поставка --price-from 100000",
    ),
    (
        "rnp",
        "rnp-entries",
        "registrationNumber",
        "--in-force true --as-of 2026-06-30",
    ),
    (
        "rnp",
        "rnp-entries",
        "registrationNumber",
        "--laws 223 --registered-from 2021-01-01",
    ),
];

#[test]
fn conditions_select_what_the_searches_find() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut found = 0;
    for (what, search, key, conditions) in CONDITIONS {
        let lookup = format!("lookup {search} {conditions} --format csv --limit 100000");
        let searched = succeed(folder.path(), &lookup);
        let export = format!("export --what {what} {conditions} --format");
        let lines = succeed(folder.path(), &format!("{export} jsonl"));
        // In a card, the numbers of its documents precede the purchase's own number.
        let key = match *what {
            "purchases" => "purchaseNumber",
            _ => key,
        };
        let exported = values_of(&lines, key);
        let column = searched.lines().next().map(|names| {
            let names: Vec<_> = names.trim_start_matches('\u{feff}').split(',').collect();
            let of = |name: &&str| ["regNum", "number", "registrationNumber"].contains(name);
            names.iter().position(of).expect("a column")
        });
        let mut reader = csv::Reader::from_reader(searched.as_bytes());
        let mut expected: Vec<String> = reader
            .records()
            .map(|row| row.expect("a row")[column.expect("names")].to_owned())
            .filter(|number| !number.is_empty())
            .collect();
        expected.sort();
        assert_eq!(exported, expected, "{what} {conditions}");
        found += exported.len();
    }
    assert!(found > 300, "{found}");
}

#[test]
fn items_match_words_and_codes_and_include_all_priced_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    for conditions in ["--q простыня", "--code 81.21", "--q услуги --region 96"] {
        let export = format!("export --what items {conditions} --format csv");
        let items = succeed(folder.path(), &export);
        let lookup = format!("lookup contract-prices {conditions} --format csv --limit 100000");
        let priced = succeed(folder.path(), &lookup);
        let rows = |table: &str| -> Vec<csv::StringRecord> {
            let mut reader = csv::Reader::from_reader(table.as_bytes());
            reader.records().map(|row| row.expect("a row")).collect()
        };
        let (names, priced_names) = (items.lines().next(), priced.lines().next());
        assert_eq!(names, priced_names);
        let (items, priced) = (rows(&items), rows(&priced));
        assert!(!priced.is_empty(), "{conditions}");
        for row in &priced {
            assert!(items.contains(row), "{conditions}: {row:?}");
        }
        for row in &items {
            let has_code = !conditions.starts_with("--code") || row[8].starts_with("81.21");
            let word = ["простын", "услуг"]
                .into_iter()
                .find(|word| conditions.contains(word));
            let has_word = word.is_none_or(|word| row[7].to_lowercase().contains(word));
            assert!(has_code && has_word, "{conditions}: {row:?}");
        }
        let lines = succeed(folder.path(), &export.replace("csv", "jsonl"));
        assert_eq!(lines.lines().count(), items.len());
    }
    for (conditions, at_least) in [("", 200), ("--region 96", 100)] {
        let of_one = format!("export --what items --supplier 9602000445 {conditions}");
        let lines = succeed(folder.path(), &of_one);
        assert!(
            values_of(&lines, "supplierINN")
                .iter()
                .all(|inn| inn == "9602000445")
        );
        assert!(lines.lines().count() > at_least, "{lines}");
    }
}

#[test]
fn a_contract_from_a_line_without_items_exports_those_on_its_page() {
    let folder = golden();
    let table = "export --database data.sqlite --what items --format csv";
    let table = succeed(folder.path(), table);
    let lines = succeed(
        folder.path(),
        "export --database data.sqlite --what contracts",
    );
    let products: usize = lines
        .lines()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            line["contract"]["products"].as_array().map_or(0, Vec::len)
        })
        .sum();
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    assert!(products > 3, "{lines}");
    assert_eq!(reader.records().count(), products);
}

#[test]
fn a_table_of_purchases_has_a_row_for_each_item() {
    let folder = golden();
    let table = "export --database data.sqlite --what purchases --format csv";
    let table = succeed(folder.path(), table);
    let lines = succeed(
        folder.path(),
        "export --database data.sqlite --what purchases",
    );
    let mut expected = Vec::new();
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let mut codes = Vec::new();
        collect(&line["purchase"], &mut codes);
        codes.resize(codes.len().max(1), String::new());
        let number = line["purchase"]["purchaseNumber"]
            .as_str()
            .expect("a number");
        expected.extend(codes.into_iter().map(|code| (number.to_owned(), code)));
    }
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let names = reader.headers().expect("names").clone();
    let at = |name| names.iter().position(|one| one == name).expect("a column");
    let (number, okpd2) = (at("number"), at("OKPD2"));
    let rows = reader.records().map(|row| row.expect("a row"));
    let found: Vec<_> = rows
        .map(|row| (row[number].to_owned(), row[okpd2].to_owned()))
        .collect();
    assert_eq!(found, expected);
    assert!(found.len() > lines.lines().count(), "{table}");
}

/// Collects the codes of all items within a value. An item is an object with a quantity and a code.
fn collect(value: &serde_json::Value, codes: &mut Vec<String>) {
    use serde_json::Value;
    match value {
        Value::Object(fields) if fields.contains_key("quantity") && has_code(fields) => {
            let code = fields.get("OKPD2").or(fields.get("okpd2"));
            codes.push(code.and_then(Value::as_str).unwrap_or_default().to_owned());
        }
        Value::Object(fields) => fields.values().for_each(|value| collect(value, codes)),
        Value::Array(items) => items.iter().for_each(|value| collect(value, codes)),
        _ => {}
    }
}

fn has_code(fields: &serde_json::Map<String, serde_json::Value>) -> bool {
    fields.contains_key("OKPD2") || fields.contains_key("okpd2")
}

#[test]
fn a_condition_for_other_kinds_of_records_is_wrong_use() {
    let folder = tempfile::tempdir().expect("a folder");
    for (options, words) in [
        (
            "--what purchases --stage E",
            "--stage does not apply to --what purchases",
        ),
        (
            "--what contracts --open true",
            "--open does not apply to --what contracts",
        ),
        (
            "--q бумага",
            "conditions need --what contracts, items, purchases or rnp",
        ),
        ("--what suppliers --q бумага", "conditions need --what"),
        (
            "--what contracts --stage X",
            "stage: X, allowed is any of EC, ET, E, IN",
        ),
        ("--what contracts --q !", "q: !, allowed is"),
        (
            "--what rnp --supplier 9602000445 --in-force true",
            "either --supplier or other",
        ),
    ] {
        let output = run(folder.path(), &format!("export {options}"));
        assert_eq!(output.status.code(), Some(2), "{options}");
        assert!(
            stderr(&output).contains(words),
            "{options}: {}",
            stderr(&output)
        );
        assert_eq!(stdout(&output), "");
    }
    let unknown = run(folder.path(), "export --what items --supplier 9600000999");
    assert_eq!(unknown.status.code(), Some(1));
}
