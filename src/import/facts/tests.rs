//! The stored bytes of completely filled samples equal the files in `tests/stored/records`
//! (`store/tests/golden.rs`).

mod filler;

use std::fmt::Write as _;

use filler::{Filler, variants_of};

use super::*;
use crate::model::Purchase;
use crate::store::golden::check_stored_forms;
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
    let supplier = Inn::parse("9600000001").expect("an INN");
    let facts = variants_of::<Facts>().iter().enumerate();
    let facts =
        facts.map(|(place, name)| (format!("facts-{name}.hex"), samples(Some(place), with_kind)));
    let cards = variants_of::<Purchase>().iter().enumerate();
    let cards = cards.map(|(place, name)| {
        let samples = samples(Some(place), packed::<Purchase>);
        (format!("purchase-{name}.hex"), samples)
    });
    let others = [
        (
            "contract.hex".to_owned(),
            samples(None, |contract| encode_contract(&supplier, contract)),
        ),
        (
            "rnp-entry.hex".to_owned(),
            samples(None, packed::<RnpEntry>),
        ),
    ];
    facts.chain(cards).chain(others).collect()
}

#[test]
fn the_stored_form_of_everything_is_as_it_was() {
    check_stored_forms("records", stored());
}
