//! A recent day is requested repeatedly. Archives without new documents are removed, and no
//! document is lost.

use std::collections::BTreeSet;
use std::io::Cursor;

use eis_service::{Archive, Contents, Document};

use super::{Fetching, YESTERDAY};

/// Fetches contracts again. The service has these archives, each given as names and contents of
/// documents. Returns the names of the documents in each archive on disk.
fn fetch_again(fetching: &Fetching, archives: &[&[(&str, &str)]]) -> BTreeSet<BTreeSet<String>> {
    let archive = |documents: &&[(&str, &str)]| {
        let document = |(name, xml): &(&str, &str)| Document {
            name: (*name).to_owned(),
            xml: xml.as_bytes().to_vec(),
        };
        Archive(documents.iter().map(document).collect())
    };
    let archives = archives.iter().map(archive).collect();
    let contents = Contents::table(vec![("*/*/RGK/contract", archives)]);
    fetching.service.set_contents(contents);
    fetching.run(YESTERDAY).succeeds();
    let names = |bytes: Vec<u8>| {
        let archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("a zip");
        let names = archive.file_names().map(|name| name.expect("a name"));
        names.map(|name| name.into_owned()).collect()
    };
    fetching.archives().into_values().map(names).collect()
}

fn sets(archives: &[&[&str]]) -> BTreeSet<BTreeSet<String>> {
    let names = |names: &&[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    archives.iter().map(names).collect()
}

#[test]
fn an_archive_is_removed_if_newer_ones_have_all_its_documents() {
    let fetching = Fetching::start();
    let (a, b, c) = (("a", "<a/>"), ("b", "<b/>"), ("c", "<c/>"));
    assert_eq!(
        fetch_again(&fetching, &[&[a], &[b]]),
        sets(&[&["a"], &["b"]])
    );
    // The service now has a single archive, with the same documents and one more.
    assert_eq!(
        fetch_again(&fetching, &[&[b, c, a]]),
        sets(&[&["a", "b", "c"]])
    );
    // The ledger records the removal, so no archive is reported as missing.
    let again = fetching.run(YESTERDAY).succeeds();
    assert!(!again.err.contains("archives are missing"), "{again:?}");
}

#[test]
fn an_archive_with_a_document_missing_in_newer_ones_stays() {
    let fetching = Fetching::start();
    let (a, b) = (("a", "<a/>"), ("b", "<b/>"));
    fetch_again(&fetching, &[&[a, b]]);
    assert_eq!(
        fetch_again(&fetching, &[&[a]]),
        sets(&[&["a", "b"], &["a"]])
    );
    // A document with the same name but a different text counts as a different document.
    let changed = [("a", "<a>1</a>"), b];
    let all = sets(&[&["a", "b"], &["a"]]);
    assert_eq!(fetch_again(&fetching, &[&changed]), all);
    assert_eq!(fetching.archives().len(), 3);
    // An empty response removes nothing.
    assert_eq!(fetch_again(&fetching, &[]), all);
}
