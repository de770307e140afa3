//! `export`, from outside.

use super::*;

/// All kinds of records, every field filled, empty, several and nasty.
const DATA: &str = include_str!("../answers/golden/data.jsonl");

/// A folder with a database of [`DATA`].
fn golden() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    import(folder.path(), DATA);
    folder
}

/// The rows of a table without their last cells.
fn without_last(table: &str) -> Vec<&str> {
    let rows = table.split("\r\n");
    rows.map(|row| row.rsplit_once(',').map_or(row, |(rest, _)| rest))
        .collect()
}

#[test]
fn what_comes_out_goes_in_and_answers_the_same() {
    let folder = golden();
    let folder = folder.path();
    succeed(
        folder,
        &["export", "--database", "data.sqlite", "--out", "all.jsonl"],
    );
    succeed(
        folder,
        &["import", "--database", "again.sqlite", "all.jsonl"],
    );
    let again = succeed(folder, &["export", "--database", "again.sqlite"]);
    let first = fs::read_to_string(folder.join("all.jsonl")).expect("the file");
    assert!(first.lines().count() > 30, "{first}");
    assert!(first == again, "what was exported is not what it came to");
    let complete = r#"{"type":"registry","federalLaw":"44","completeAsOf":"2025-06-10"}"#;
    assert_eq!(first.lines().filter(|line| *line == complete).count(), 1);
    assert_eq!(first.matches("\"type\":\"registry\"").count(), 1, "{first}");
    let covered = r#"{"type":"coverage","subsystem":"RNP223","documents":"dishonestSupplier","region":"77","from":"2025-05-01","to":"2025-06-10"}"#;
    assert_eq!(first.lines().filter(|line| *line == covered).count(), 1);
    for question in [
        ["contracts", "9600000002"],
        ["contracts", "960000000400"],
        ["contracts", "9600000005"],
        ["contracts", "9600000006"],
        ["contracts", "9600000007"],
        ["supplier", "9600000022"],
        ["supplier", "9600000026"],
        ["purchase", "0960000000025000001"],
        ["purchase", "0960000000025000003"],
        ["purchase", "0960000000025000005"],
        ["purchase", "0960000000025000006"],
        ["purchase", "0960000000025000007"],
        ["purchase", "39600000003"],
        ["purchase", "39600000005"],
        ["purchase", "096000000000000003"],
        ["purchase", "096000000000000005"],
    ] {
        for format in ["xml", "json", "csv"] {
            let ask = |database| {
                let rest = ["--database", database, "--format", format];
                succeed(folder, &[&["lookup"], &question[..], &rest].concat())
            };
            let (first, again) = (ask("data.sqlite"), ask("again.sqlite"));
            let is_check = question[0] == "supplier" && format == "csv";
            let same = match is_check {
                // Its rows end in when the data changed.
                true => without_last(&first) == without_last(&again),
                false => first == again,
            };
            assert!(same, "{question:?} {format}");
        }
    }
}

#[test]
fn one_supplier_comes_alone_and_an_unknown_one_is_told() {
    let folder = golden();
    let export = |inn, form, what| {
        let options = ["export", "--database", "data.sqlite", "--supplier", inn];
        run(
            folder.path(),
            &[&options[..], &["--format", form, "--what", what]].concat(),
        )
    };
    let lines = stdout(&export("960000000400", "jsonl", "all"));
    assert!(lines.lines().count() > 2);
    for line in lines.lines() {
        assert!(
            line.contains(r#""supplier":{"inn":"960000000400""#),
            "{line}"
        );
    }
    let table = stdout(&export("960000000400", "csv", "contracts"));
    assert_eq!(table.lines().count(), lines.lines().count() + 1);
    let unknown = export("9600000999", "jsonl", "all");
    assert_eq!(unknown.status.code(), Some(1));
    assert_eq!(
        stderr(&unknown),
        "error: data.sqlite: nothing is known of a supplier with INN 9600000999\n"
    );
    assert_eq!(export("1", "jsonl", "all").status.code(), Some(2));
}

#[test]
fn a_table_is_of_one_kind() {
    let folder = golden();
    let table = |what: &[&str]| {
        let options = ["export", "--database", "data.sqlite", "--format", "csv"];
        run(folder.path(), &[&options[..], what].concat())
    };
    for (what, names) in [
        ("contracts", "supplierINN,supplierIName,regNum,"),
        ("rnp", "supplierINN,supplierName,registrationNumber,"),
        ("suppliers", "supplierINN,supplierName\r\n"),
    ] {
        let rows = stdout(&table(&["--what", what]));
        assert!(rows.starts_with(&format!("\u{feff}{names}")), "{rows}");
        assert!(rows.ends_with("\r\n"));
    }
    assert!(stdout(&table(&[])) == stdout(&table(&["--what", "contracts"])));
    for what in ["all", "purchases"] {
        let output = table(&["--what", what]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("one table"), "{}", stderr(&output));
    }
}

#[test]
fn a_file_takes_its_name_when_it_is_complete_and_one_that_was_there_is_kept_till_then() {
    let folder = golden();
    let folder = folder.path();
    fs::write(folder.join("out.jsonl"), "before").expect("a file");
    let output = run(
        folder,
        &["export", "--database", "none.sqlite", "--out", "out.jsonl"],
    );
    assert_eq!(output.status.code(), Some(1));
    let kept = fs::read_to_string(folder.join("out.jsonl")).expect("the file");
    assert_eq!(kept, "before");
    let missing = run(folder, &["export", "--out", "no/such/folder.jsonl"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).starts_with("error: no/such/folder.jsonl: "));
}

#[test]
fn a_database_is_never_written_over() {
    let folder = golden();
    let folder = folder.path();
    succeed(
        folder,
        &["keys", "issue", "office", "--database", "data.sqlite"],
    );
    fs::write(folder.join("lines.jsonl"), contract("9", "9602003012")).expect("a file");
    let database = ["--database", "data.sqlite"];
    for target in [
        "data.sqlite",
        "data.sqlite-wal",
        "keys.sqlite",
        "./data.sqlite-shm",
        "data.sqlite-building",
    ] {
        let arguments = ["export", "--out", target];
        let output = run(folder, &[&arguments[..], &database].concat());
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let expected = format!("error: {target}: a database is there; name another file\n");
        assert_eq!(stderr(&output), expected);
    }
    succeed(folder, &["check", "--database", "data.sqlite"]);
    assert!(succeed(folder, &["keys", "list"]).contains("office"));
}

#[cfg(unix)]
#[test]
fn who_reads_it_may_stop() {
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
