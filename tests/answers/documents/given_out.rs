//! The document types that EIS publishes, compared with the register of kinds. `given_out.txt` is
//! the official list of current public types, one subsystem and type per line.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use procurement_lookup::import::KINDS;

const LIST: &str = include_str!("given_out.txt");

/// Document types that the program can read but does not download, because they almost never change
/// an answer: changes of draft contracts, discussions, and explanations of applications.
const OF_NO_USE: &[&str] = &[
    "purchaseProtocolCCAESMBO",
    "purchaseProtocolCCKESMBO",
    "purchaseProtocolCCZKESMBO",
    "purchaseProtocolCCZPESMBO",
    "purchaseProtocolFCDKESMBO",
    "purchaseProtocolFCDZPESMBO",
    "purchaseProtocolFCODKESMBO",
    "purchaseProtocolFCODZPESMBO",
    "purchaseProtocolZRPZAESMBO",
    "purchaseProtocolZRPZKESMBO",
    "purchaseProtocolZRPZZKESMBO",
    "purchaseProtocolZRPZZPESMBO",
];

fn given_out() -> BTreeSet<(&'static str, &'static str)> {
    let row = |line: &'static str| line.split_once(' ').expect("a subsystem and a type");
    LIST.lines().map(row).collect()
}

/// Without this test, a misspelt type would go unnoticed: EIS responds to an unknown type as if no
/// documents had been published that day.
#[test]
fn every_fetched_type_is_published() {
    let given_out = given_out();
    let asked = KINDS.iter().filter(|kind| kind.is_current);
    let unknown: Vec<String> = asked
        .filter(|kind| !given_out.contains(&(kind.subsystem, kind.name)))
        .map(|kind| format!("{} {}", kind.subsystem, kind.name))
        .collect();
    assert_eq!(unknown, [""; 0]);
}

#[test]
fn every_published_type_that_is_read_is_fetched() {
    let mut missing = Vec::new();
    for (subsystem, name) in given_out() {
        // Under 223-FZ, the same name stands for a different document.
        let is_223 = subsystem.ends_with("223");
        let rows = KINDS
            .iter()
            .filter(|kind| kind.subsystem.ends_with("223") == is_223);
        let is_read = rows.clone().any(|kind| kind.is_called(name)) && !OF_NO_USE.contains(&name);
        let mut asked = rows.filter(|kind| kind.is_current);
        let is_asked = asked.any(|kind| (kind.subsystem, kind.name) == (subsystem, name));
        if is_read && !is_asked {
            missing.push(format!("{subsystem} {name}"));
        }
    }
    assert_eq!(missing, [""; 0]);
}

#[test]
fn useless_types_are_published_but_not_fetched() {
    let given_out: BTreeSet<&str> = given_out().into_iter().map(|(_, name)| name).collect();
    for name in OF_NO_USE {
        assert!(given_out.contains(name), "{name}");
        let mut asked = KINDS.iter().filter(|kind| kind.is_current);
        assert!(asked.all(|kind| kind.name != *name), "{name} is asked for");
    }
}

/// The official list and the schemas are in a folder next to the one with the documents.
#[test]
#[ignore = "needs real documents: set EIS_DOCUMENTS to their folder"]
fn real_lists_of_types_equal_the_copy() {
    let folder = std::env::var_os("EIS_DOCUMENTS").expect("EIS_DOCUMENTS is set");
    let folder = PathBuf::from(folder);
    let read = |path: &str| {
        let path = folder.with_file_name(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let official = read("getdocs/document-types.txt");
    let mut types = BTreeSet::new();
    let mut subsystem = "";
    for line in official.lines() {
        if let Some(title) = line.strip_prefix("### ") {
            subsystem = title.split(' ').next().unwrap_or_default();
        } else if let Some(row) = line.strip_prefix("  ") {
            let name = row.split(' ').next().unwrap_or_default();
            types.insert((subsystem, name));
        }
    }
    assert_eq!(given_out(), types);

    let interface = read("schemas/44fz-16.2/getDocsIP-ws-api.xsd");
    let export = read("schemas/44fz-16.2/fcsExport.xsd");
    for kind in KINDS.iter().filter(|kind| kind.is_current) {
        let value = format!("<xs:enumeration value=\"{}\"/>", kind.subsystem);
        assert!(interface.contains(&value), "{}", kind.subsystem);
        let element = format!("<xs:element name=\"{}\"", kind.name);
        let is_44 = !kind.subsystem.ends_with("223");
        assert!(!is_44 || export.contains(&element), "{}", kind.name);
    }
}
