//! RNP inclusions that cannot be read. Their suppliers may be listed, so every verdict that such an
//! inclusion may affect stays undetermined until another document or line settles it.

use super::archives::archive;
use super::*;

const LISTED: &str = "9602003012";
const OTHER: &str = "9602008719";

/// Lines that declare all registries complete from a certain day on.
fn complete() -> String {
    let day = |day: &str| {
        ["44", "223", "615"]
            .map(|law| folder::complete(law, day))
            .concat()
    };
    day("2024-01-01") + &day("2026-11-20")
}

fn inclusion(number: &str, version: u32, published: &str, inn: &str) -> String {
    format!(
        "<unfairSupplier2022><commonInfo><regNumber>{number}</regNumber><versionNumber>{version}</versionNumber>\
         <publishDT>{published}T12:00:00+03:00</publishDT><firstVersionPublishDT>2026-02-10T12:00:00+03:00</firstVersionPublishDT>\
         </commonInfo><createReasonInfo><createReason>WINNER_DEVIATION</createReason></createReasonInfo><unfairSupplierInfo>\
         <legalEntityRFInfo><fullName>ООО \"ЯЛИК\"</fullName><INN>{inn}</INN></legalEntityRFInfo></unfairSupplierInfo>\
         <autoExDateInfo><autoExDate>2028-02-10</autoExDate></autoExDateInfo></unfairSupplier2022>"
    )
}

fn exclusion(number: &str, day: &str) -> String {
    format!(
        "<unfairSupplier2022Exclude><unfairSupplier2022ForExcludeInfo><regNumber>{number}</regNumber>\
         </unfairSupplier2022ForExcludeInfo><commonInfo><excludeDT>{day}T10:00:00+03:00</excludeDT></commonInfo></unfairSupplier2022Exclude>"
    )
}

/// Returns the verdicts on both suppliers as of a day.
fn verdicts_on(folder: &Folder, day: &str, laws: &str) -> [String; 2] {
    let mut answers = folder.answers_on("2026-11-21");
    [LISTED, OTHER].map(|inn| {
        let parameters = [
            ("format", "json"),
            ("supplierINN", inn),
            ("asOf", day),
            ("laws", laws),
        ];
        let json = answers.ask(Endpoint::RNP_CHECK_MANY, &parameters);
        let (_, rest) = json.split_once(r#""verdict":""#).expect("a verdict");
        rest.split('"').next().unwrap_or_default().to_owned()
    })
}

fn verdicts(folder: &Folder) -> [String; 2] {
    verdicts_on(folder, "2026-11-21", "44,223,615")
}

/// Returns a folder with complete registries and these documents, the first of which cannot be
/// read.
fn after(documents: &[String]) -> Folder {
    let folder = Folder::new();
    folder.take(complete());
    for (at, document) in documents.iter().enumerate() {
        let (summary, _) = folder.import_file(&format!("{at}.xml"), document);
        assert_eq!(summary.skipped, u64::from(at == 0), "{document}");
    }
    folder
}

#[test]
fn an_unread_inclusion_makes_only_its_inns_undetermined() {
    for (text, expected) in [
        ("ИНН 9602003012", ["undetermined", "not-listed"]),
        ("96020 03012", ["undetermined", "not-listed"]),
        ("9602003012/9602008719", ["undetermined", "undetermined"]),
        ("9602008719-", ["not-listed", "undetermined"]),
    ] {
        let folder = after(&[inclusion("1", 1, "2026-02-10", text)]);
        assert_eq!(verdicts(&folder), expected, "{text}");
        // The document does not affect the registries under other laws.
        let others = verdicts_on(&folder, "2026-11-21", "223,615");
        assert_eq!(others, ["not-listed", "not-listed"]);
    }
    let folder = after(&[inclusion("1", 1, "2026-02-10", "572002439")]);
    let json = folder
        .answers_on("2026-11-21")
        .json(Endpoint::RNP_CHECK_MANY, "0572002439");
    assert!(json.contains(r#""verdict":"undetermined""#), "{json}");
    assert!(json.contains(r#""entries":0,"unread":1}"#), "{json}");
}

#[test]
fn an_unread_inclusion_without_an_inn_ends_the_coverage() {
    let folder = after(&[inclusion("1", 1, "2026-02-10", "нет")]);
    assert_eq!(verdicts(&folder), ["undetermined", "undetermined"]);
    let before = verdicts_on(&folder, "2026-02-09", "44,223,615");
    assert_eq!(before, ["not-listed", "not-listed"]);
    let mut answers = folder.answers_on("2026-11-21");
    let csv = answers.ask(
        Endpoint::RNP_CHECK_MANY,
        &[("format", "csv"), ("supplierINN", LISTED)],
    );
    assert!(
        csv.contains("complete:2026-11-20 unread,complete:2026-11-20,"),
        "{csv}"
    );
    // If the time of publication cannot be read either, the inclusion affects every day.
    let unknown = inclusion("1", 1, "x", "нет");
    let folder = after(&[unknown]);
    let before = verdicts_on(&folder, "2024-02-09", "44,223,615");
    assert_eq!(before, ["undetermined", "undetermined"]);
}

#[test]
fn a_truncated_document_is_an_unread_inclusion() {
    let whole = inclusion("1", 1, "2026-02-10", LISTED);
    let (head, _) = whole.split_once("</INN>").expect("an INN");
    let folder = after(&[head.to_owned()]);
    assert_eq!(verdicts(&folder), ["undetermined", "not-listed"]);
    // Unreadable documents of other kinds have no effect.
    let folder = after(&["<contract><regNum>1</regNum>".to_owned()]);
    assert_eq!(verdicts(&folder), ["not-listed", "not-listed"]);
}

#[test]
fn a_readable_version_an_exclusion_or_a_line_settles_an_inclusion_in_any_order() {
    let bad = inclusion("1", 2, "2026-03-10", "нет");
    let line = format!(
        r#"{{"type":"rnpEntry","supplier":{{"inn":"{OTHER}"}},"entry":{{"registrationNumber":"1","registrationDate":"2026-02-10","federalLaw":"44"}}}}"#
    );
    for (settling, expected) in [
        (
            inclusion("1", 2, "2026-03-10", LISTED),
            ["listed", "not-listed"],
        ),
        (
            inclusion("1", 3, "2026-04-10", LISTED),
            ["listed", "not-listed"],
        ),
        (exclusion("1", "2026-05-10"), ["not-listed", "not-listed"]),
        (line, ["not-listed", "listed"]),
        // An older version does not settle the unread one, but shows whom the entry concerns.
        (
            inclusion("1", 1, "2026-02-10", LISTED),
            ["listed", "not-listed"],
        ),
        // A document about a different entry does not settle it.
        (
            inclusion("2", 1, "2026-02-10", LISTED),
            ["listed", "undetermined"],
        ),
    ] {
        let name = if settling.starts_with('{') {
            "s.jsonl"
        } else {
            "s.xml"
        };
        for is_first in [false, true] {
            let folder = Folder::new();
            folder.take(complete());
            folder.write("bad.xml", &bad);
            folder.write(name, &settling);
            let order = if is_first {
                [name, "bad.xml"]
            } else {
                ["bad.xml", name]
            };
            for file in order {
                folder.import_files(&[file], false);
            }
            assert_eq!(verdicts(&folder), expected, "{is_first} {settling}");
        }
    }
}

#[test]
fn an_older_version_shows_whom_an_unread_one_is_about() {
    let folder = after(&[
        inclusion("1", 2, "2026-03-10", "нет"),
        inclusion("1", 1, "2026-02-10", LISTED).replace("2028-02-10", "2026-03-01"),
    ]);
    assert_eq!(verdicts(&folder), ["undetermined", "not-listed"]);
}

#[test]
fn an_unread_inclusion_is_reported_once_and_listed_until_settled() {
    let folder = Folder::new();
    folder.take(complete());
    let bad = inclusion("1", 1, "2026-02-10", "нет");
    let zip = archive(&[("e.xml", bad.as_bytes())], CompressionMethod::Deflated);
    for (name, content) in [("a.zip", zip), ("b.xml", bad.into_bytes())] {
        folder.write(name, &content);
        let (summary, problems) = folder.import_files(&[name], false);
        assert_eq!((summary.skipped, problems.len()), (1, 1), "{problems:?}");
        for _ in 0..2 {
            let before = folder.version();
            let (summary, problems) = folder.import_files(&[name], false);
            assert_eq!((summary.skipped, problems), (0, Vec::new()));
            assert_eq!(
                summary.unread_entries.all.len(),
                1 + usize::from(name == "b.xml")
            );
            assert_eq!(folder.version(), before);
        }
        let options = Options {
            again: true,
            ..Options::default()
        };
        let (summary, _) = folder.import_with(&[folder.file(name)], &options);
        assert_eq!(summary.skipped, 1);
    }
    let named = |folder: &Folder| {
        let database = Database::open(&folder.database()).expect("the database opens");
        let unread = database.unread_entries();
        let named = unread.all.iter();
        let named = named.map(|one| format!("{} {}/{}", one.number, one.archive, one.entry));
        named.collect::<Vec<_>>()
    };
    assert_eq!(named(&folder), ["1 a.zip/e.xml", "1 b.xml/"]);
    // A different file with the same name settles nothing. The state of the registry only changes
    // once the inclusion is settled.
    folder.import_file("b.xml", inclusion("9", 1, "2026-02-10", OTHER));
    assert_eq!(named(&folder).len(), 2);
    folder.import_file("c.xml", exclusion("1", "2026-05-10"));
    assert_eq!(named(&folder), [""; 0]);
    assert_eq!(changes_of(&folder), ["registry 44 state"]);
}

#[test]
fn an_unread_inclusion_without_a_number_stays_until_its_file_is_read() {
    let bad = inclusion("", 1, "2026-02-10", LISTED);
    let folder = after(&[bad]);
    assert_eq!(verdicts(&folder), ["undetermined", "not-listed"]);
    folder.import_file("1.xml", inclusion("1", 1, "2026-02-10", OTHER));
    assert_eq!(verdicts(&folder), ["undetermined", "listed"]);
    folder.import_file("0.xml", inclusion("2", 1, "2026-02-10", LISTED));
    assert_eq!(verdicts(&folder), ["listed", "listed"]);
}

#[test]
fn an_entry_without_an_inn_is_found_and_blocks_nothing() {
    let folder = Folder::new();
    folder.take(complete());
    folder.take_xml(sample("unfairSupplier2022-foreign.xml"));
    folder.write("again.xml", sample("unfairSupplier2022-incorrect.xml"));
    folder.import_files(&["again.xml"], false);
    assert_eq!(verdicts(&folder), ["not-listed", "not-listed"]);
    let mut answers = folder.answers_on("2026-11-21");
    // A foreign tax code is not an INN, whatever its digits.
    let json = answers.json(Endpoint::RNP_CHECK_MANY, "960240018886");
    assert!(!json.contains(r#""verdict":"listed""#), "{json}");
    for query in ["25961151", "дала сауда"] {
        let json = answers.ask(Endpoint::FIND, &[("format", "json"), ("q", query)]);
        let expected = r#""hits":[{"kind":"rnpEntry","key":"25961151","name":"ТОО \"ДАЛА САУДА\"","supplierINN":null,"contracts":null,"verdict":"listed","inRNP":true"#;
        assert!(json.contains(expected), "{query}: {json}");
    }
    let mut listed = |name: &str| {
        let parameters = [("format", "json"), ("q", name)];
        answers.ask(Endpoint::RNP_ENTRIES, &parameters)
    };
    let json = listed("дала сауда");
    let expected = r#""entries":[{"supplierINN":null,"supplierName":"ТОО \"ДАЛА САУДА\"","registrationNumber":"25961151""#;
    assert!(json.contains(expected), "{json}");
    // The query has a spelling mistake.
    let json = listed("дала сауди");
    assert!(json.contains(r#""entries":[]"#), "{json}");
    let json = answers.ask(Endpoint::FIND, &[("format", "json"), ("q", "нурлан")]);
    assert!(json.contains(r#""key":"23961152""#), "{json}");
    assert!(json.contains(r#""verdict":"previously-listed""#), "{json}");
    let parameters = [("format", "json"), ("number", "25961151")];
    let json = answers.ask(Endpoint::DOCUMENTS, &parameters);
    assert!(json.contains(r#""kind":"unfairSupplier2022""#), "{json}");
    // The log does not contain changes of suppliers without an INN.
    let json = answers.ask(Endpoint::CHANGES, &[("format", "json"), ("limit", "1")]);
    assert!(json.contains(r#""kind":"registry""#), "{json}");
    let json = answers.ask(Endpoint::CHANGES, &[("format", "json")]);
    assert!(!json.contains(r#""kind":"supplier""#), "{json}");
    assert!(json.contains(r#""kind":"registry""#), "{json}");
}
