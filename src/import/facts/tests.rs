//! The stored bytes of completely filled samples must equal the files in `tests/stored/records`
//! (see `store/tests/golden.rs`), and must decode to the same values.

mod evolution;
mod filler;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use filler::{Filler, variants_of};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::*;
use crate::model::{Contract, Inn, Purchase, RnpEntry};
use crate::store::encode_contract;
use crate::store::golden::check_stored_forms;

/// `variant` selects a variant if the type is an enum.
fn each_sample<T: for<'de> Deserialize<'de>>(variant: Option<usize>, mut each: impl FnMut(T)) {
    let mut filler = Filler::new::<T>(variant);
    while filler.begin() {
        each(T::deserialize(&mut filler).expect("a filled sample"));
    }
}

/// One line of hexadecimal digits per sample.
fn samples<T: for<'de> Deserialize<'de>>(
    variant: Option<usize>,
    bytes: impl Fn(&T) -> Vec<u8>,
) -> String {
    let mut text = String::new();
    each_sample(variant, |sample| {
        for byte in bytes(&sample) {
            let _ = write!(text, "{byte:02x}");
        }
        text.push('\n');
    });
    text
}

/// Encodes a record other than a contract as the store does.
fn packed<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("it is packed")
}

fn with_kind(facts: &Facts) -> Vec<u8> {
    let stored = facts.to_stored().expect("they are stored");
    [&[facts.kind() as u8], stored.as_slice()].concat()
}

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
            "contract-items.hex".to_owned(),
            samples(None, Contract::encode_items),
        ),
        (
            "rnp-entry.hex".to_owned(),
            samples(None, packed::<RnpEntry>),
        ),
    ];
    facts.chain(cards).chain(others).collect()
}

#[test]
fn the_stored_form_of_everything_has_not_changed() {
    check_stored_forms("records", stored());
}

#[test]
fn facts_in_the_frozen_files_can_be_decoded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stored/records");
    for name in variants_of::<Facts>() {
        let file = folder.join(format!("facts-{name}.hex"));
        let frozen = fs::read_to_string(file).expect("a file");
        for line in frozen.lines() {
            let byte = |at: usize| u8::from_str_radix(&line[at..at + 2], 16).expect("a byte");
            let bytes: Vec<u8> = (0..line.len()).step_by(2).map(byte).collect();
            let (kind, stored) = bytes.split_first().expect("a kind");
            let kind = DocumentKind::from_number(*kind).expect("a kind");
            let read = Facts::from_stored(kind, stored);
            assert!(read.is_ok(), "{name}: {read:?}");
        }
    }
}

fn one_of_each_kind() -> Vec<Facts> {
    let places = 0..variants_of::<Facts>().len();
    let first = |place| {
        let mut first = None;
        each_sample(Some(place), |facts| {
            first.get_or_insert(facts);
        });
        first.expect("a sample")
    };
    places.map(first).collect()
}

#[test]
fn decoded_facts_equal_the_stored_facts() {
    let mut kinds = BTreeSet::new();
    for place in 0..variants_of::<Facts>().len() {
        each_sample(Some(place), |facts: Facts| {
            let kind = facts.kind();
            kinds.insert(kind);
            assert_eq!(DocumentKind::from_number(kind as u8), Some(kind));
            let stored = facts.to_stored().expect("they are stored");
            let read = Facts::from_stored(kind, &stored);
            assert_eq!(read.as_ref(), Ok(&facts));
        });
    }
    assert_eq!(kinds, DocumentKind::ALL.into(), "every kind has facts");
}

/// Fields that are not stored decode as empty, so truncated bytes could pass for facts with fewer
/// fields. They must be rejected.
#[test]
fn truncated_facts_and_facts_with_extra_bytes_are_damaged() {
    for facts in one_of_each_kind() {
        let kind = facts.kind();
        let stored = facts.to_stored().expect("they are stored");
        for end in 0..stored.len() {
            let read = Facts::from_stored(kind, &stored[..end]);
            assert!(read.is_err(), "{kind:?}: {end} of {} bytes", stored.len());
        }
        let longer = [&stored[..], &[0]].concat();
        assert!(Facts::from_stored(kind, &longer).is_err(), "{kind:?}");
    }
}

#[test]
fn decoding_facts_with_a_changed_byte_does_not_panic() {
    for facts in one_of_each_kind() {
        let stored = facts.to_stored().expect("they are stored");
        for at in 0..stored.len() {
            for bit in 0..8 {
                let mut changed = stored.clone();
                changed[at] ^= 1 << bit;
                let read = Facts::from_stored(facts.kind(), &changed);
                if let Ok(read) = read {
                    read.to_stored().expect("what was read can be stored");
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_decode_to_facts_or_an_error(
        kind in proptest::sample::select(&DocumentKind::ALL[..]),
        bytes in proptest::collection::vec(any::<u8>(), 0..60),
    ) {
        // The first byte is the head of a struct or of a long list.
        for first in [0x82, 0xa2, 0x9b] {
            let bytes = [&[first], &bytes[..]].concat();
            if let Ok(read) = Facts::from_stored(kind, &bytes) {
                let stored = read.to_stored().expect("what was read can be stored");
                prop_assert_eq!(Facts::from_stored(kind, &stored), Ok(read));
            }
        }
    }
}

#[test]
fn the_error_of_damaged_facts_names_the_field() {
    // The name of the second supplier is a number.
    let stored = [0xa1, 15, 0x82, 0x80, 0x81, 7];
    let read = Facts::from_stored(DocumentKind::Contract, &stored);
    let error = read.expect_err("damaged");
    assert!(error.starts_with("Contract: suppliers: name: "), "{error}");
}

#[test]
fn lists_are_bounded_before_memory_is_allocated() {
    // The head of a list that claims to have 2^40 suppliers.
    let stored = [0xa1, 15, 0x9b, 0, 0, 1, 0, 0, 0, 0, 0];
    let read = Facts::from_stored(DocumentKind::Contract, &stored);
    let error = read.expect_err("too many");
    assert!(error.contains("more than"), "{error}");
}
