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

#[test]
fn what_comes_out_goes_in_and_answers_the_same() {
    let folder = golden();
    let folder = folder.path();
    succeed(folder, "export --database data.sqlite --out all.jsonl");
    succeed(folder, "import --database again.sqlite all.jsonl");
    let again = succeed(folder, "export --database again.sqlite");
    let first = fs::read_to_string(folder.join("all.jsonl")).expect("the file");
    assert!(first.lines().count() > 30, "{first}");
    assert!(first == again, "what was exported is not what it came to");
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
fn one_supplier_comes_alone_and_an_unknown_one_is_told() {
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
        "error: data.sqlite: nothing is known of a supplier with INN 9600000999\n"
    );
    assert_eq!(export("1").status.code(), Some(2));
}

#[test]
fn a_table_is_of_one_kind() {
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
    ] {
        let rows = stdout(&table(what));
        assert!(rows.starts_with(&format!("\u{feff}{names}")), "{rows}");
        assert!(rows.ends_with("\r\n"));
    }
    for what in ["--what all", "--what purchases"] {
        let output = table(what);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("one table"), "{}", stderr(&output));
    }
}

#[test]
fn a_file_takes_its_name_when_it_is_complete_and_one_that_was_there_is_kept_till_then() {
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
fn a_database_is_never_written_over() {
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
        let expected = format!("error: {target}: a database is there; name another file\n");
        assert_eq!(stderr(&output), expected);
    }
    succeed(folder, "check --database data.sqlite");
    assert!(succeed(folder, "keys list").contains("office"));
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
