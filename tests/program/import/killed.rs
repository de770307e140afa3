//! Killed.

use base64::prelude::*;

use super::*;

/// How many groups of lines the large file has: a small contract, and a card of
/// 4 MiB, so that it takes several batches.
const GROUPS: usize = 8;

fn large_file() -> String {
    // Random, as records of cards are compressed.
    let mut filler = vec![0; 3 << 20];
    getrandom::fill(&mut filler).expect("randomness");
    let filler = BASE64_STANDARD.encode(filler);
    let mut lines = contract(OTHER, "0", r#","customerName":"after""#);
    for group in 0..GROUPS {
        lines += &contract(INN, &format!("{group:04}"), "");
        lines += &purchase(
            "44",
            &format!("{group:019}"),
            &format!(r#","purchaseObjectInfo":"{filler}""#),
        );
    }
    lines
}

/// How many groups are complete.
fn groups_of(folder: &Folder) -> usize {
    store::check(&folder.database()).expect("the database is as it must be");
    let mut answers = folder.answers();
    let numbers = answers.contracts(INN);
    let state = members_of(&answers.page(OTHER), "customerName");
    let changed = if numbers.is_empty() {
        "before"
    } else {
        "after"
    };
    assert_eq!(state, [changed], "the first line counts with the others");
    for group in 0..GROUPS {
        let found = !answers
            .card(&format!("{group:019}"), "json")
            .contains("purchase not found");
        assert_eq!(found, !numbers.is_empty(), "card {group}");
    }
    numbers.len()
}

#[test]
fn a_killed_import_leaves_the_data_as_it_was_or_as_it_should_be() {
    const MIB: u64 = 1 << 20;
    let folder = Folder::new();
    let before = contract(OTHER, "0", r#","customerName":"before""#);
    folder.write("large.jsonl", large_file());
    let building = folder.file("data.sqlite-building");
    let journal = folder.file("data.sqlite-building-journal");
    let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let mut states = Vec::new();
    // Killed when the files have this size: while it reads, while it writes batches, at the
    // end.
    for mib in [0, 10, 23, 38] {
        for file in [&folder.database(), &building, &journal] {
            let _ = fs::remove_file(file);
        }
        folder.take(&before);
        let old = fs::read(folder.database()).expect("the database");
        let mut child = command(&folder, &["large.jsonl"])
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
                "it does not end"
            );
            std::thread::yield_now();
        }
        child.kill().expect("it is killed");
        child.wait().expect("its end");
        let groups = groups_of(&folder);
        let now = fs::read(folder.database()).expect("the database");
        assert!(groups > 0 || old == now, "not a byte of it");
        states.push(groups);
    }
    // Importing again takes all in.
    let output = run(&folder, &["large.jsonl"], "");
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
fn a_first_import_that_is_killed_leaves_nothing_in_its_place_and_the_next_one_is_not_hindered() {
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
        assert!(start.elapsed() < PATIENCE, "no file is made");
        std::thread::yield_now();
    }
    assert!(!folder.database().exists(), "nothing is committed");
    // Meanwhile a second import is told so.
    let second = run(&folder, &["-"], &line);
    assert_eq!(second.status.code(), Some(1));
    let said = stderr(&second);
    assert!(said.contains("another process is changing it"), "{said}");
    child.kill().expect("it is killed");
    child.wait().expect("its end");
    assert!(!folder.database().exists());
    // What it left may be torn, and so may its journal.
    let torn = fs::read(&building).expect("it is read");
    fs::write(&building, &torn[..torn.len().min(3000)]).expect("it is torn");
    fs::write(folder.file("data.sqlite-building-journal"), "torn").expect("it is torn");
    folder.take(&line);
    assert_eq!(folder.answers().contracts(INN), ["1"]);
    assert!(!building.exists());
}
