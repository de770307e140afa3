//! Imports that are stopped, and archives that are known.

use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::archives::archive;

/// How many documents an archive has here: as many as are parsed together.
const MANY: usize = 2000;

/// Archives of contracts, numbered on.
fn archives(folder: &Folder, count: usize) -> Vec<PathBuf> {
    let write = |index: usize| {
        let documents: Vec<(String, String)> = (0..MANY)
            .map(|number| {
                let number = (index * MANY + number).to_string();
                let document = GOOD.replace(">1<", &format!(">{number}<"));
                (format!("{number}.xml"), document)
            })
            .collect();
        let entries: Vec<(&str, &[u8])> = documents
            .iter()
            .map(|(name, document)| (name.as_str(), document.as_bytes()))
            .collect();
        let path = folder.0.path().join(format!("{index}.zip"));
        fs::write(&path, archive(&entries, CompressionMethod::Stored)).expect("written");
        path
    };
    (0..count).map(write).collect()
}

fn import_with(folder: &Folder, paths: &[PathBuf], options: &Options<'_>) -> Summary {
    let writer = Writer::open(&folder.database()).expect("the database opens");
    let summary = import(paths, writer, options, &mut |_| {}).expect("the import ends well");
    store::check(&folder.database()).expect("the database is as it must be");
    summary
}

#[test]
fn an_import_that_is_stopped_keeps_what_it_read_and_the_next_one_goes_on() {
    let folder = Folder::new();
    let paths = archives(&folder, 8);
    let stop = AtomicBool::new(false);
    let options = Options {
        stop: Some(&stop),
        ..Options::default()
    };
    let writer = Writer::open(&folder.database()).expect("the database opens");
    let summary = import(&paths, writer, &options, &mut |event| {
        if matches!(event, Event::Progress { .. }) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    let summary = summary.expect("the import ends well");
    assert!(summary.interrupted);
    let read = summary.kinds["contract"].0.new as usize;
    assert!((MANY..8 * MANY).contains(&read), "{read}");
    assert_eq!(folder.answers().page_of(A, 0).total as usize, read);

    let summary = import_with(&folder, &paths, &Options::default());
    assert!(!summary.interrupted);
    assert_eq!(summary.archives_known as usize, read / MANY);
    let (tally, _) = summary.kinds["contract"];
    assert_eq!(tally.new as usize, 8 * MANY - read);
    assert_eq!(tally.unchanged as usize, read);
    assert_eq!(folder.answers().page_of(A, 0).total as usize, 8 * MANY);
}

#[test]
fn an_import_that_is_stopped_at_once_takes_nothing_in() {
    let folder = Folder::new();
    let paths = archives(&folder, 1);
    let stop = AtomicBool::new(true);
    let options = Options {
        stop: Some(&stop),
        ..Options::default()
    };
    let summary = import_with(&folder, &paths, &options);
    assert!(summary.interrupted && summary.kinds.is_empty());
}

#[test]
fn a_known_archive_is_not_read_again_wherever_it_lies_unless_it_is_asked_for() {
    let folder = Folder::new();
    let paths = archives(&folder, 1);
    let first = import_with(&folder, &paths, &Options::default());
    assert_eq!(first.archives_known, 0);
    let moved = folder.0.path().join("moved.zip");
    fs::rename(&paths[0], &moved).expect("it is moved");
    let version = folder.version();
    let again = import_with(&folder, std::slice::from_ref(&moved), &Options::default());
    assert_eq!(again.archives_known, 1);
    assert_eq!(again.kinds["contract"].0.unchanged as usize, MANY);
    let options = Options {
        again: true,
        ..Options::default()
    };
    let forced = import_with(&folder, std::slice::from_ref(&moved), &options);
    assert_eq!(forced.archives_known, 0);
    assert_eq!(forced.kinds["contract"].0.unchanged as usize, MANY);
    assert_eq!(folder.version(), version);
    // Another byte, another archive.
    let mut bytes = fs::read(&moved).expect("it is read");
    bytes.push(0);
    fs::write(&moved, bytes).expect("it is written");
    let changed = import_with(&folder, &[moved], &Options::default());
    assert_eq!(changed.archives_known, 0);
}

#[test]
fn an_archive_with_lines_or_with_a_problem_is_read_again() {
    let lines = line(A, "77");
    for entry in [("a.jsonl", lines.as_bytes()), ("a.xml", &b"<contract>"[..])] {
        let folder = Folder::new();
        let content = archive(
            &[("b.xml", GOOD.as_bytes()), entry],
            CompressionMethod::Stored,
        );
        let (_, first) = folder.import("x.zip", &content);
        let (summary, problems) = folder.import("x.zip", &content);
        assert_eq!(summary.archives_known, 0, "{entry:?}");
        assert_eq!(first, problems);
    }
}

#[test]
fn archives_are_read_again_once_entries_have_gone() {
    let folder = Folder::new();
    let entry = sample("unfairSupplier_11.xml");
    let old = archive(&[("a.xml", entry.as_bytes())], CompressionMethod::Stored);
    let other = entry.replace("96002", "96003");
    folder.import("old.zip", &old);
    let path = folder.0.path().join("new.xml");
    fs::write(&path, &other).expect("it is written");
    let (summary, _) = folder.import_paths(&[path], true);
    assert_eq!(summary.rnp_entries_gone, Some(1));
    let (summary, _) = folder.import("old.zip", &old);
    assert_eq!(
        (
            summary.archives_known,
            summary.kinds["unfairSupplier"].0.new
        ),
        (0, 1)
    );
}

#[test]
fn reading_only_tells_what_is_wrong_and_takes_nothing_in() {
    let folder = Folder::new();
    let good = archive(&[("a.xml", GOOD.as_bytes())], CompressionMethod::Stored);
    let (zip, bad) = (folder.0.path().join("a.zip"), folder.0.path().join("b.xml"));
    fs::write(&zip, good).expect("it is written");
    fs::write(&bad, "<contract></contract>").expect("it is written");
    let mut problems = Vec::new();
    let summary = read_only(&[zip, bad], &Options::default(), &mut |event| {
        if let Event::Problem(what) = event {
            problems.push(what.to_owned());
        }
    });
    let summary = summary.expect("it is read");
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(summary.counted.documents["contract"], 1);
    assert_eq!(summary.skipped, 1);
    assert!(!folder.database().exists());
}

#[test]
fn what_was_committed_stays_and_the_next_import_lists_it_as_changed() {
    let folder = Folder::new();
    let supplier = |inn: &str| Supplier {
        inn: Inn::parse(inn).expect("an INN"),
        name: String::new(),
    };
    {
        let mut writer = Writer::open(&folder.database()).expect("the database opens");
        let nothing = |_: &mut store::Writing<'_>| Ok::<(), store::Error>(());
        let line = |inn| PackedLine::supplier(supplier(inn));
        writer.line(line(A)).expect("it is taken");
        writer.write(nothing).expect("it is written");
        writer.commit().expect("it is committed");
        writer.line(line("9600000023")).expect("it is taken");
        writer.write(nothing).expect("it is written");
        // It ends here as if it had been killed.
    }
    let known = |inn: &str| {
        !folder
            .answers()
            .json(Endpoint::RnpCheck, inn)
            .contains("404")
    };
    assert!(known(A) && !known("9600000023"));
    let list = folder.0.path().join("changes.jsonl");
    let options = Options {
        changes: Some(list.clone()),
        ..Options::default()
    };
    let summary = import_with(&folder, &[], &options);
    assert_eq!(summary.changed.suppliers, 1);
    assert!(fs::read_to_string(list).expect("a list").contains(A));
    assert_eq!(import_with(&folder, &[], &options).changed.suppliers, 0);
}
