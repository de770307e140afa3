//! The names under which imports count documents. Documents choose these names themselves, so they
//! are untrusted.

use super::archives::archive;
use super::*;

/// The final protocol of an auction, with `name` as its element.
fn protocol(name: &str) -> String {
    sample("epProtocolEF2020Final.xml").replace("epProtocolEF2020Final", name)
}

fn kinds(summary: &Summary) -> Vec<&str> {
    summary.kinds.keys().map(String::as_str).collect()
}

#[test]
fn documents_of_a_pattern_are_counted_under_the_pattern() {
    let long = format!("epProtocol{}Final", "X".repeat(70_000));
    let refused = protocol("epProtocolFinalX").replace("purchaseNumber", "number");
    for document in [
        protocol(&long),
        protocol("epProtocol\u{1b}[2J\u{1b}]0;x\u{7}Final"),
        protocol("epProtocol\u{202e}Final"),
        refused,
    ] {
        let folder = Folder::new();
        let (summary, problems) = folder.import_file("x.xml", &document);
        assert_eq!(kinds(&summary), ["epProtocol*Final*"]);
        for problem in &problems {
            assert!(problem.len() < 500, "{problem}");
        }
        let (again, _) = folder.import_file("x.xml", &document);
        assert_eq!(kinds(&again), ["epProtocol*Final*"]);
    }
}

#[test]
fn unofficial_names_are_not_served() {
    let served = |name: &str| {
        let folder = Folder::new();
        folder.take_xml(protocol(name));
        let number = number_of(&protocol(name));
        let parameters = [("number", number.as_str()), ("format", "json")];
        let json = folder.answers().ask(Endpoint::DOCUMENTS, &parameters);
        folder::members_of(&json, "kind")
    };
    assert_eq!(served("epProtocolEX2031Final"), ["epProtocolEX2031Final"]);
    let long = format!("epProtocol{}Final", "X".repeat(100));
    for name in [&long, "epProtocol\u{1b}[2JFinal", "epProtocol\u{202e}Final"] {
        assert_eq!(served(name), ["epProtocol*Final*"], "{name}");
    }
}

fn number_of(xml: &str) -> String {
    let (_, rest) = xml.split_once("purchaseNumber>").expect("a number");
    rest.split('<').next().unwrap_or_default().to_owned()
}

#[test]
fn the_number_of_labels_is_bounded() {
    let documents: String = (0..2000)
        .map(|at| format!("<unknown{at}/><epProtocol{at}Final/>"))
        .collect();
    let folder = Folder::new();
    let (summary, _) = folder.import_file("x.xml", format!("<export>{documents}</export>"));
    assert_eq!(kinds(&summary), ["epProtocol*Final*"]);
    assert_eq!(summary.counted.passed_over.len(), 1001);
    assert_eq!(summary.counted.passed_over["(others)"], 1000);
}

#[test]
fn an_archive_with_unbounded_labels_is_read_again() {
    let folder = Folder::new();
    let one = protocol("epProtocolEX2031Final");
    let content = archive(&[("one.xml", one.as_bytes())], CompressionMethod::Deflated);
    let path = folder.write("x.zip", &content);
    let import = || folder.import_paths(std::slice::from_ref(&path), false).0;
    assert_eq!(import().kinds["epProtocol*Final*"].0.new, 1);
    let long = "X".repeat(70_000);
    let huge = "X".repeat(2 << 20);
    for name in [long.as_str(), &huge, "\u{1b}[2J"] {
        for counted in ["documents", "passed_over", "about_nothing"] {
            assert_eq!(import().archives_unchanged, 1, "it is remembered");
            let counts = serde_json::json!({ counted: { name: 1 } }).to_string();
            let file = rusqlite::Connection::open(folder.database()).expect("the file opens");
            let sql = "UPDATE archive SET counted = CAST(?1 AS BLOB)";
            assert_eq!(file.execute(sql, [counts]).expect("changed"), 1);
            drop(file);
            let summary = import();
            assert_eq!(summary.archives_unchanged, 0, "{counted}");
            assert_eq!(kinds(&summary), ["epProtocol*Final*"]);
        }
    }
}
