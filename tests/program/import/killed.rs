//! Imports that are killed at various points.

use std::io::{BufRead, BufReader};

use base64::prelude::*;
use rusqlite::{Connection, OpenFlags};

use super::threads::{documents, tables};
use super::*;

/// Number of groups of lines in a file. Each group has a small contract and a large card.
const GROUPS: usize = 8;

/// Returns a file whose cards have this many MiB each.
fn file_of_cards(mib: usize) -> String {
    // Cards are stored compressed, so only random content has a predictable size. Base64 turns
    // three bytes into four.
    let mut filler = vec![0; mib * (3 << 18)];
    getrandom::fill(&mut filler).expect("randomness");
    let filler = BASE64_STANDARD.encode(filler);
    let mut lines = contract(OTHER, "0", r#","customerName":"after""#);
    for group in 0..GROUPS {
        lines += &contract(INN, &format!("{group:04}"), "");
        lines += &purchase(
            "44",
            &format!("{group:019}"),
            &format!(r#","href":"{filler}""#),
        );
    }
    lines
}

/// Checks that either all lines were imported or none. Returns the number of complete groups.
fn groups_of(folder: &Folder) -> usize {
    store::check(&folder.database()).expect("the database is sound");
    let mut answers = folder.answers();
    let numbers = answers.contracts(INN);
    let state = members_of(&answers.page(OTHER), "customerName");
    let changed = if numbers.is_empty() {
        "before"
    } else {
        "after"
    };
    assert_eq!(
        state,
        [changed],
        "the first line takes effect together with the others"
    );
    for group in 0..GROUPS {
        let found = !answers
            .card(&format!("{group:019}"), "json")
            .contains("purchase not found");
        assert_eq!(found, !numbers.is_empty(), "card {group}");
    }
    numbers.len()
}

#[test]
fn a_killed_import_leaves_either_the_old_or_the_complete_new_data() {
    const MIB: u64 = 1 << 20;
    let folder = Folder::new();
    let before = contract(OTHER, "0", r#","customerName":"before""#);
    folder.write("small.jsonl", file_of_cards(1));
    // This file is written in two batches.
    folder.write("large.jsonl", file_of_cards(5));
    let building = folder.file("data.sqlite-building");
    let journal = folder.file("data.sqlite-building-journal");
    let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let mut states = Vec::new();
    // The file, and the total size of the database and its journal, in MiB, at which the import is
    // killed: while it reads, while it writes one batch or two, and at the end.
    for (lines, mib) in [
        ("small.jsonl", 0),
        ("small.jsonl", 3),
        ("large.jsonl", 30),
        ("small.jsonl", 9),
    ] {
        for file in [&folder.database(), &building, &journal] {
            let _ = fs::remove_file(file);
        }
        folder.take(&before);
        let old = fs::read(folder.database()).expect("the database");
        let mut child = command(&folder, &[lines])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let start = Instant::now();
        while size(&building) + size(&journal) < mib * MIB {
            if child.try_wait().expect("its state").is_some() {
                break;
            }
            assert!(
                start.elapsed() < Duration::from_secs(120),
                "the import does not end"
            );
            crate::pause();
        }
        child.kill().expect("it is killed");
        child.wait().expect("its end");
        let groups = groups_of(&folder);
        let now = fs::read(folder.database()).expect("the database");
        assert!(groups > 0 || old == now, "not a single byte changes");
        states.push(groups);
    }
    // Another import completes the data.
    let output = run(&folder, &["small.jsonl"], "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(groups_of(&folder), GROUPS);
    assert!(
        states.iter().all(|state| [0, GROUPS].contains(state)),
        "all or nothing: {states:?}"
    );
    assert_eq!(states[..3], [0; 3], "killed before its end: {states:?}");
    assert!(!building.exists() && !journal.exists());
}

#[test]
fn a_killed_first_import_creates_no_database_and_does_not_block_the_next() {
    let folder = Folder::new();
    let building = folder.file("data.sqlite-building");
    let mut child = command(&folder, &["-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("its input");
    let line = contract(INN, "1", "");
    input.write_all(line.as_bytes()).expect("it reads");
    let start = Instant::now();
    while fs::metadata(&building).map_or(0, |file| file.len()) == 0 {
        assert!(start.elapsed() < PATIENCE, "no file is created");
        crate::pause();
    }
    assert!(!folder.database().exists(), "nothing is committed");
    // While an import is running, a second one is refused.
    let second = run(&folder, &["-"], &line);
    assert_eq!(second.status.code(), Some(1));
    let message = stderr(&second);
    assert!(
        message.contains("another process is changing it"),
        "{message}"
    );
    child.kill().expect("it is killed");
    child.wait().expect("its end");
    assert!(!folder.database().exists());
    // The leftover file and its journal may be truncated.
    let torn = fs::read(&building).expect("it is read");
    fs::write(&building, &torn[..torn.len().min(3000)]).expect("it is torn");
    fs::write(folder.file("data.sqlite-building-journal"), "torn").expect("it is torn");
    folder.take(&line);
    assert_eq!(folder.answers().contracts(INN), ["1"]);
    assert!(!building.exists());
}

const DOCUMENTS: [&str; 3] = ["1.xml", "2.xml", "3.xml"];

fn with_documents() -> Folder {
    let folder = Folder::new();
    for (name, documents) in DOCUMENTS.iter().zip(documents()) {
        folder.write(name, documents);
    }
    folder
}

/// Starts an import, and sends a signal when it begins to derive records. Returns whether it ended
/// before the records were written.
fn is_ended_while_deriving(folder: &Folder, signal: &str) -> bool {
    let mut child = command(folder, &DOCUMENTS)
        .env("RUST_LOG", "debug")
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let stderr = BufReader::new(child.stderr.take().expect("its messages"));
    let mut lines = stderr.lines().map_while(Result::ok);
    let words = "contracts, purchases and RNP entries";
    assert!(lines.any(|line| line.contains("deriving ") && line.ends_with(words)));
    kill(&child, signal);
    lines.for_each(drop);
    child.wait().expect("its end");
    let building = folder.file("data.sqlite-building");
    if folder.database().exists() || !building.exists() {
        return false;
    }
    // Open the file as it is, without applying the journal.
    let address = format!("file:{}?immutable=1", building.display());
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let file = Connection::open_with_flags(address, flags).expect("the file opens");
    let sql = "SELECT (SELECT count(*) FROM document), (SELECT count(*) FROM contract)";
    let rows = file.query_row(sql, (), |row| Ok((row.get(0)?, row.get(1)?)));
    let (documents, contracts): (usize, usize) = rows.expect("the rows");
    assert!(documents > 2_000, "{documents}");
    contracts < 1_100
}

/// Returns the stored contracts, without their ids.
fn contract_records(folder: &Folder) -> Vec<Vec<u8>> {
    let file = Connection::open(folder.database()).expect("the file opens");
    let mut records = file
        .prepare("SELECT record FROM contract ORDER BY record")
        .expect("the table");
    let records = records.query_map((), |row| row.get(0)).expect("rows");
    records.map(|record| record.expect("a record")).collect()
}

#[test]
fn an_import_that_is_killed_while_it_derives_ends_the_same_when_it_is_run_again() {
    let whole = with_documents();
    let output = run(&whole, &DOCUMENTS, "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    // The interrupted import leaves a state to resume from. On a loaded machine, a signal may
    // arrive too late; then all three are tried again.
    let signals = ["KILL", "INT", "KILL"];
    let attempt = || {
        let folder = with_documents();
        let mut ended = signals
            .iter()
            .map(|one| is_ended_while_deriving(&folder, one));
        ended.all(|is_ended| is_ended).then_some(folder)
    };
    let folder = (0..20)
        .find_map(|_| attempt())
        .expect("it is ended in time");
    let output = run(&folder, &DOCUMENTS, "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    store::check(&folder.database()).expect("the database is as it must be");
    assert!(contract_records(&folder) == contract_records(&whole));
    for (found, expected) in tables(&folder).iter().zip(&tables(&whole)) {
        let (name, _) = expected;
        // Contract ids follow the order of arrival, and FTS5 may lay out equal indexes differently.
        // `check` has already compared both with the records.
        let depends_on_order =
            name.starts_with("contract") || name.ends_with("_data") || name.ends_with("_idx");
        assert!(depends_on_order || found == expected, "{name}");
    }
    assert!(!folder.file("data.sqlite-building").exists());
}
