//! The import command: its input, its summary and its options.

use super::*;

/// Returns the rows of a summary. Columns are separated by a single space.
fn rows(output: &Output) -> Vec<String> {
    stdout(output)
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn standard_input_is_read_at_its_position_among_the_arguments() {
    let folder = Folder::new();
    folder.write("a.jsonl", supplier(INN, "a"));
    folder.write("b.jsonl", supplier(INN, "b"));
    let output = run(&folder, &["a.jsonl", "-"], &supplier(INN, "input"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(folder.answers().name(INN), "input");
    let output = run(
        &folder,
        &["a.jsonl", "-", "b.jsonl"],
        &("nonsense\n".to_owned() + &supplier(OTHER, "other")),
    );
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr(&output), "-:1: not a JSON object\n");
    assert_eq!(folder.answers().name(INN), "b");
    assert_eq!(folder.answers().name(OTHER), "other");
}

#[test]
fn the_summary_counts_records_by_kind_and_effect() {
    let folder = Folder::new();
    folder.write(
        "x.jsonl",
        contract(INN, "1", "")
            + &contract(INN, "2", "")
            + &entry(INN, "1", "44")
            + &purchase("44", N44, ""),
    );
    folder.write("bad.jsonl", "{}\n{}\n");
    let output = run(&folder, &["x.jsonl", "bad.jsonl"], "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output).lines().collect::<Vec<_>>(),
        [1, 2].map(|line| format!(
            "bad.jsonl:{line}: type: is missing; it must be a text that is not empty"
        ))
    );
    assert_eq!(
        rows(&output),
        [
            "kind read new newer unchanged skipped",
            "JSON line 2 0 0 0 2",
            "contract (JSON line) 2 2 0 0 0",
            "purchase44 (JSON line) 1 1 0 0 0",
            "rnpEntry (JSON line) 1 1 0 0 0",
            "answers changed: suppliers 1, purchases 1",
            "skipped: 2; standard error names each with the reason",
        ]
    );
    folder.write(
        "x.jsonl",
        contract(INN, "1", "") + &contract(INN, "2", r#","OKTMO":"1""#),
    );
    let output = run(&folder, &["x.jsonl"], "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(rows(&output)[1], "contract (JSON line) 2 0 1 1 0");
}

#[test]
fn the_summary_says_whether_the_registry_was_replaced() {
    let (folder, inns) = registry();
    folder.write("new.jsonl", entry(inns[0], "1", "44") + "x\n");
    let output = run(&folder, &["--replace-rnp", "new.jsonl"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stdout(&output).contains("RNP not replaced, as something was skipped"),
        "{output:?}"
    );
    folder.write("new.jsonl", entry(inns[0], "1", "44"));
    let output = run(&folder, &["new.jsonl", "--replace-rnp"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stdout(&output).contains("RNP replaced: 1 earlier entries are no longer in force"),
        "{output:?}"
    );
}

/// Sends SIGINT, as Ctrl-C in a terminal does.
#[test]
fn an_interrupted_import_ends_cleanly() {
    let folder = Folder::new();
    let mut child = command(&folder, &["-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("its input");
    let lines: String = (0..20_000)
        .map(|number| contract(INN, &number.to_string(), ""))
        .collect();
    // Write more than the buffers can hold, so that the import must be running. After the signal,
    // write until the program stops reading.
    input.write_all(lines.as_bytes()).expect("it reads");
    kill(&child, "INT");
    let start = Instant::now();
    while input.write_all(lines.as_bytes()).is_ok() {
        assert!(start.elapsed() < PATIENCE, "it keeps reading");
    }
    drop(input);
    let output = child.wait_with_output().expect("its end");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        stdout(&output).contains("stopped before the end"),
        "{output:?}"
    );
    assert!(!folder.database().exists(), "nothing was created");
    assert!(!folder.file("data.sqlite-building").exists());
}

#[test]
fn the_registry_date_requires_replacing_and_must_not_be_in_the_future() {
    let folder = Folder::new();
    folder.write("x.jsonl", entry(INN, "1", "44"));
    for (options, code) in [
        ("--registry-date 2026-01-31", 2),
        ("--replace-rnp --registry-date 31.01.2026", 2),
        ("--replace-rnp --registry-date 9999-01-31", 2),
        ("--replace-rnp --registry-date 2026-01-31", 0),
    ] {
        let arguments: Vec<&str> = options.split(' ').chain(["x.jsonl"]).collect();
        let output = run(&folder, &arguments, "");
        assert_eq!(output.status.code(), Some(code), "{options} {output:?}");
    }
    assert!(folder.registries().starts_with("44=complete:2026-01-31 "));
    let output = command(&folder, &["x.jsonl"])
        .env("PROCUREMENT_LOOKUP_REPLACE_RNP", "true")
        .env("PROCUREMENT_LOOKUP_REGISTRY_DATE", "2026-02-28")
        .output();
    assert!(output.expect("the command runs").status.success());
    assert!(folder.registries().starts_with("44=complete:2026-02-28 "));
    let output = run(&folder, &["--replace-rnp", "x.jsonl"], "");
    assert!(output.status.success());
    // Without the option, the current day is used.
    let state = folder.registries();
    assert!(
        state.starts_with("44=complete:") && !state.contains("2026-02-28"),
        "{state}"
    );
}
