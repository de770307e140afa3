//! Documents that cannot be read. Each is reported once and remembered together with its archive,
//! and does not affect any other document.

use super::archives::archive;
use super::*;

const BAD: &str = "<contract><regNum>9</regNum>\n<signDate>never</signDate></contract>";

/// Creates a folder as `fetch` leaves it: one day with one archive.
fn fetched(folder: &Folder, entries: &[(&str, &[u8])]) -> PathBuf {
    let documents = folder.path().join("documents");
    let day = documents.join("2026-11-01");
    fs::create_dir_all(&day).expect("folders");
    let content = archive(entries, CompressionMethod::Deflated);
    fs::write(day.join("x.zip"), content).expect("written");
    fs::write(
        documents.join("coverage.jsonl"),
        "{\"type\":\"coverage\",\"subsystem\":\"RGK\",\"documents\":\"contract\",\"region\":\"77\",\"from\":\"2026-10-31\",\"to\":\"2026-11-02\"}\n",
    )
    .expect("written");
    documents
}

fn covered(folder: &Folder) -> Vec<String> {
    let database = Database::open(&folder.database()).expect("the database opens");
    let runs = database.coverage().expect("coverage");
    let run = |run: &procurement_lookup::model::Coverage| format!("{}..{}", run.from, run.to);
    runs.iter().map(run).collect()
}

#[test]
fn an_unreadable_document_is_reported_once_and_its_day_is_covered() {
    let foreign = "<unfairSupplier2022><commonInfo><regNumber/></commonInfo></unfairSupplier2022>";
    let folder = Folder::new();
    let entries: [(&str, &[u8]); 4] = [
        ("a.xml", GOOD.as_bytes()),
        ("b.xml", BAD.as_bytes()),
        ("c.xml", b"<contract>"),
        ("d.xml", foreign.as_bytes()),
    ];
    let documents = fetched(&folder, &entries);
    let (summary, problems) = folder.import_paths(std::slice::from_ref(&documents), false);
    let named = ["b.xml:2:2: contract 9: ", "c.xml:1:11: ", "d.xml:1:2: "];
    assert_eq!(problems.len(), named.len(), "{problems:#?}");
    for (problem, named) in problems.iter().zip(named) {
        let place = format!("documents/2026-11-01/x.zip/{named}");
        assert!(problem.starts_with(&place), "{place}: {problem}");
    }
    assert_eq!((summary.skipped, summary.counted.refused), (3, 3));
    assert_eq!(covered(&folder), ["2026-10-31..2026-11-02"]);
    let check = || {
        store::check(&folder.database())
            .expect("a database")
            .refused
    };
    assert_eq!(check(), 3);

    let (summary, problems) = folder.import_paths(std::slice::from_ref(&documents), false);
    assert_eq!((summary.skipped, problems), (0, Vec::new()));
    assert_eq!(
        (summary.archives_unchanged, summary.counted.refused),
        (1, 3)
    );
    // A moved archive is recognised by its bytes and counted once.
    let moved = documents.with_file_name("moved");
    fs::rename(&documents, &moved).expect("moved");
    let (summary, problems) = folder.import_paths(std::slice::from_ref(&moved), false);
    assert_eq!((summary.skipped, problems), (0, Vec::new()));
    assert_eq!((summary.counted.refused, check()), (3, 3));

    let options = Options {
        again: true,
        ..Options::default()
    };
    let (_, problems) = folder.import_with(&[moved], &options);
    assert_eq!(problems.len(), 3, "{problems:?}");
}

#[test]
fn an_unreadable_archive_is_reported_each_time_and_its_day_is_not_covered() {
    let folder = Folder::new();
    let documents = fetched(&folder, &[("a.xml", GOOD.as_bytes())]);
    let path = documents.join("2026-11-01/x.zip");
    let whole = fs::read(&path).expect("read");
    fs::write(&path, &whole[..whole.len() / 2]).expect("written");
    for _ in 0..2 {
        let (summary, problems) = folder.import_paths(std::slice::from_ref(&documents), false);
        assert_eq!((summary.skipped, summary.counted.refused), (2, 0));
        assert!(problems[0].contains("not a zip archive"), "{problems:?}");
        assert_eq!(
            problems[1],
            "coverage: not recorded for days with an archive that could not be read: 2026-11-01"
        );
        let expected = ["2026-10-31..2026-10-31", "2026-11-02..2026-11-02"];
        assert_eq!(covered(&folder), expected);
    }
    fs::write(&path, whole).expect("written");
    folder.import_paths(&[documents], false);
    assert_eq!(covered(&folder), ["2026-10-31..2026-11-02"]);
}

#[test]
fn at_most_twenty_documents_of_an_archive_are_reported() {
    let folder = Folder::new();
    let names: Vec<String> = (0..25).map(|number| format!("{number:02}.xml")).collect();
    let entries: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), BAD.as_bytes()))
        .collect();
    let content = archive(&entries, CompressionMethod::Deflated);
    let (summary, problems) = folder.import_file("x.zip", content);
    assert_eq!((summary.skipped, summary.counted.refused), (25, 25));
    assert_eq!(problems.len(), 21, "{problems:#?}");
    assert_eq!(problems[20], "x.zip: 5 more documents cannot be read");
}
