//! The stored bytes of completely filled samples equal the files in `tests/stored/golden`;
//! `GOLDEN=bless` rewrites these.

mod filler;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use filler::{Filler, variants_of};

use super::*;
use crate::model::Purchase;
use crate::store::{Document, encode_contract};

/// The bytes of samples of a type (of an enumeration, of this variant), one per line, in
/// hexadecimal digits.
fn samples<T: for<'de> Deserialize<'de>>(
    variant: Option<usize>,
    bytes: impl Fn(&T) -> Vec<u8>,
) -> String {
    let mut filler = Filler::new::<T>(variant);
    let mut text = String::new();
    while filler.begin() {
        let sample = T::deserialize(&mut filler).expect("a filled sample");
        for byte in bytes(&sample) {
            let _ = write!(text, "{byte:02x}");
        }
        text.push('\n');
    }
    text
}

fn packed<T: Serialize>(value: &T) -> Vec<u8> {
    Document::pack(value).expect("it is packed")
}

/// Facts as they are stored, after the number of their kind.
fn with_kind(facts: &Facts) -> Vec<u8> {
    [&[facts.kind() as u8], packed(facts).as_slice()].concat()
}

/// The bytes of everything that is stored, facts and records, by name.
fn stored() -> Vec<(String, String)> {
    let facts = variants_of::<Facts>().iter().enumerate();
    let facts =
        facts.map(|(place, name)| (format!("facts-{name}"), samples(Some(place), with_kind)));
    let cards = variants_of::<Purchase>().iter().enumerate();
    let cards = cards.map(|(place, name)| {
        let samples = samples(Some(place), packed::<Purchase>);
        (format!("purchase-{name}"), samples)
    });
    let others = [
        ("contract".to_owned(), samples(None, encode_contract)),
        ("rnp-entry".to_owned(), samples(None, packed::<RnpEntry>)),
    ];
    facts.chain(cards).chain(others).collect()
}

#[test]
fn the_stored_form_of_everything_is_as_it_was() {
    let bless = std::env::var("GOLDEN").is_ok_and(|value| value == "bless");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stored/golden");
    let mut files = BTreeSet::new();
    let mut wrong = Vec::new();
    for (name, text) in stored() {
        let file = folder.join(format!("{name}.hex"));
        if bless {
            fs::write(&file, &text).expect("the file is written");
        } else if fs::read_to_string(&file).ok().as_ref() != Some(&text) {
            wrong.push(format!(
                "the stored form of {name} has changed: raise the format (src/store/file.rs) and take older files over; \
                 where fields only got other names, it has not: GOLDEN=bless"
            ));
        }
        files.insert(file);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let there: BTreeSet<_> = fs::read_dir(folder)
        .expect("the folder is read")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    assert_eq!(there, files);
}
