//! Interrupted imports, and archives that were imported before.

use std::sync::atomic::{AtomicBool, Ordering};

use super::archives::archive;
use super::*;

/// Number of documents that an import reads in one round.
const MANY: usize = 2000;

/// Writes `count` archives of `contracts` contracts each, with consecutive numbers.
fn archives(folder: &Folder, count: usize, contracts: usize) -> Vec<PathBuf> {
    let write = |index: usize| {
        let documents: Vec<(String, String)> = (0..contracts)
            .map(|number| {
                let number = (index * contracts + number).to_string();
                let document = GOOD.replace(">1<", &format!(">{number}<"));
                (format!("{number}.xml"), document)
            })
            .collect();
        let entries: Vec<(&str, &[u8])> = documents
            .iter()
            .map(|(name, document)| (name.as_str(), document.as_bytes()))
            .collect();
        let path = folder.path().join(format!("{index}.zip"));
        fs::write(&path, archive(&entries, CompressionMethod::Stored)).expect("written");
        path
    };
    (0..count).map(write).collect()
}

#[test]
fn an_interrupted_import_changes_nothing_and_can_resume() {
    let folder = Folder::new();
    folder.take_xml(GOOD.replace(">1<", ">before<"));
    let before = fs::read(folder.database()).expect("the database");
    let paths = archives(&folder, 4, MANY);
    let stop = AtomicBool::new(false);
    let options = Options {
        stop: Some(&stop),
        ..Options::default()
    };
    let open = |task| Writer::open_for(&folder.database(), task).expect("the database opens");
    let summary = import(&paths, open("these"), &options, &mut |event| {
        if matches!(event, Event::Progress { .. }) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    let summary = summary.expect("the import ends well");
    assert!(summary.interrupted);
    let read = summary.kinds["contract"].0.new as usize;
    assert!((1..4 * MANY).contains(&read), "{read}");
    assert_eq!(fs::read(folder.database()).expect("the database"), before);

    // The next import resumes: the documents read so far are kept.
    let summary = import(&paths, open("these"), &Options::default(), &mut |_| {});
    let summary = summary.expect("the import ends well");
    assert!(!summary.interrupted);
    assert_eq!(summary.archives_unchanged as usize, read / MANY);
    let (tally, _) = summary.kinds["contract"];
    assert_eq!(tally.new as usize, 4 * MANY - read);
    assert_eq!(tally.unchanged as usize, read);
    assert_eq!(folder.answers().page_of(A, 0).total as usize, 4 * MANY + 1);
    store::check(&folder.database()).expect("the database is as it must be");
}

#[test]
fn a_known_archive_is_read_again_only_on_request() {
    let folder = Folder::new();
    let paths = archives(&folder, 1, 20);
    let first = folder.import_paths(&paths, false).0;
    assert_eq!(first.archives_unchanged, 0);
    let moved = folder.path().join("moved.zip");
    fs::rename(&paths[0], &moved).expect("it is moved");
    let version = folder.version();
    let again = folder.import_paths(std::slice::from_ref(&moved), false).0;
    assert_eq!(again.archives_unchanged, 1);
    assert_eq!(again.kinds["contract"].0.unchanged, 20);
    let options = Options {
        again: true,
        ..Options::default()
    };
    let forced = folder.import_with(std::slice::from_ref(&moved), &options).0;
    assert_eq!(forced.archives_unchanged, 0);
    assert_eq!(forced.kinds["contract"].0.unchanged, 20);
    assert_eq!(folder.version(), version);
    // An additional byte makes it a different archive.
    let mut bytes = fs::read(&moved).expect("it is read");
    bytes.push(0);
    fs::write(&moved, bytes).expect("it is written");
    let changed = folder.import_paths(&[moved], false).0;
    assert_eq!(changed.archives_unchanged, 0);
}

#[test]
fn an_archive_with_lines_is_read_again() {
    let lines = line(A, "77");
    let folder = Folder::new();
    let entries = [("b.xml", GOOD.as_bytes()), ("a.jsonl", lines.as_bytes())];
    let content = archive(&entries, CompressionMethod::Stored);
    for _ in 0..2 {
        let (summary, _) = folder.import_file("x.zip", &content);
        assert_eq!(summary.archives_unchanged, 0);
    }
}

#[test]
fn an_unchanged_archive_is_not_opened() {
    let folder = Folder::new();
    let path = archives(&folder, 1, 20).remove(0);
    folder.import_paths(std::slice::from_ref(&path), false);
    let was = fs::metadata(&path).expect("a file");
    let modified = was.modified().expect("a time");
    // If the new content has the same length and modification time, the change is only noticed when
    // the archive is opened.
    let replace = |modified| {
        let other = fs::File::create(&path).expect("a file");
        other.set_len(was.len()).expect("as long");
        other.set_modified(modified).expect("as old");
    };
    replace(modified);
    let again = folder.import_paths(std::slice::from_ref(&path), false).0;
    assert_eq!((again.archives_unchanged, again.skipped), (1, 0));
    replace(modified + std::time::Duration::from_millis(1));
    let again = folder.import_paths(&[path], false).0;
    assert_eq!((again.archives_unchanged, again.skipped), (0, 1));
}

#[test]
fn an_archive_read_by_other_readers_is_read_again() {
    let folder = Folder::new();
    let content = archive(&[("a.xml", GOOD.as_bytes())], CompressionMethod::Stored);
    let known = || {
        let (summary, _) = folder.import_file("x.zip", &content);
        summary.archives_unchanged
    };
    assert_eq!([known(), known()], [0, 1]);
    // The archive was read by a program whose readers have another version.
    for other in ["read_by + 1", "read_by - 1"] {
        let file = rusqlite::Connection::open(folder.database()).expect("the database");
        let sql = format!("UPDATE archive SET read_by = {other}");
        assert_eq!(file.execute(&sql, ()).expect("SQL"), 1);
        drop(file);
        assert_eq!([known(), known()], [0, 1], "{other}");
    }
}

#[test]
fn reading_only_reports_problems_and_imports_nothing() {
    let folder = Folder::new();
    let good = archive(&[("a.xml", GOOD.as_bytes())], CompressionMethod::Stored);
    let (zip, bad) = (folder.path().join("a.zip"), folder.path().join("b.xml"));
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
fn a_killed_import_is_resumed_only_by_the_same_import_over_the_same_data() {
    let folder = Folder::new();
    let supplier = |inn: &str| Supplier {
        inn: Inn::parse(inn).expect("an INN"),
        name: String::new(),
    };
    let open = |task| Writer::open_for(&folder.database(), task).expect("the database opens");
    let kill = |task, inn| {
        let mut writer = open(task);
        let line = PackedLine::supplier(supplier(inn));
        writer.line(line).expect("it is taken");
        writer.write().expect("it is written");
        writer.settle_lines().expect("they are settled");
        writer.commit().expect("it is committed");
        // The import ends here as if it had been killed.
    };
    let known = |inn: &str| {
        !folder
            .answers()
            .json(Endpoint::RNP_CHECK, inn)
            .contains("404")
    };
    let goes_on = |task| {
        let before = folder.database().exists().then(|| folder.version());
        open(task).finish().expect("the import ends");
        folder.database().exists() && before.is_none_or(|before| before != folder.version())
    };
    folder.take_xml(GOOD.replace(">1<", ">before<"));
    // A different task starts afresh and deletes what was left.
    kill("these", B);
    assert!(!goes_on("those") && !known(B));
    assert!(!goes_on("these") && !known(B));
    // The same task also starts afresh if the data has changed meanwhile.
    kill("these", B);
    let kept = folder.path().join("kept");
    fs::rename(folder.path().join("data.sqlite-building"), &kept).expect("moved");
    folder.take_xml(GOOD.replace(">1<", ">meanwhile<"));
    fs::rename(&kept, folder.path().join("data.sqlite-building")).expect("moved back");
    assert!(!goes_on("these") && !known(B));
    // The same task over unchanged data resumes, and lists what it has changed.
    kill("these", B);
    assert!(!known(B));
    let mut writer = open("these");
    writer.write().expect("written");
    assert_eq!(writer.change_count().expect("a count").suppliers, 1);
    writer.finish().expect("the import ends");
    assert!(known(B));
    assert_eq!(changes_of(&folder), [format!("supplier {B} rnp")]);
}

const B: &str = "9600000023";
