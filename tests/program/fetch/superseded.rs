//! A fresh day is asked for again and again: archives that say nothing new do not pile up,
//! and nothing goes that the newest do not have.

use std::collections::BTreeSet;
use std::io::Cursor;

use eis_service::{Archive, Contents, Document};

use super::{Fetching, YESTERDAY};

/// Fetches contracts again, of which the service has archives of documents of these names and
/// texts. Returns the documents of each archive that is there.
fn fetched(fetching: &Fetching, archives: &[&[(&str, &str)]]) -> BTreeSet<BTreeSet<String>> {
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
fn an_archive_goes_when_the_newest_have_all_that_is_in_it() {
    let fetching = Fetching::start();
    let (a, b, c) = (("a", "<a/>"), ("b", "<b/>"), ("c", "<c/>"));
    assert_eq!(fetched(&fetching, &[&[a], &[b]]), sets(&[&["a"], &["b"]]));
    // The same, and another, packed otherwise.
    assert_eq!(fetched(&fetching, &[&[b, c, a]]), sets(&[&["a", "b", "c"]]));
    // The state knows of it, too: nothing is missing.
    let again = fetching.run(YESTERDAY).succeeds();
    assert!(!again.err.contains("archives are missing"), "{again:?}");
}

#[test]
fn an_archive_stays_that_has_what_the_newest_do_not() {
    let fetching = Fetching::start();
    let (a, b) = (("a", "<a/>"), ("b", "<b/>"));
    fetched(&fetching, &[&[a, b]]);
    assert_eq!(fetched(&fetching, &[&[a]]), sets(&[&["a", "b"], &["a"]]));
    // The same name with another text is another document.
    let changed = [("a", "<a>1</a>"), b];
    let all = sets(&[&["a", "b"], &["a"]]);
    assert_eq!(fetched(&fetching, &[&changed]), all);
    assert_eq!(fetching.archives().len(), 3);
    // An answer of nothing takes nothing away.
    assert_eq!(fetched(&fetching, &[]), all);
}
