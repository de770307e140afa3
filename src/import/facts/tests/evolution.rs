//! Checks that facts can be decoded by a struct with more or fewer fields than the struct that
//! encoded them.

use super::super::encoding::{StoredField, check_numbers, facts, from_bytes, to_bytes};
use super::super::procedure::{ContractEvent, ProcedurePart, TerminationGround};
use crate::model::{Amount, Date, Inn, Moment};

mod older {
    use super::*;

    facts! {
        pub struct Outer {
            0 name: String,
            1 inner: Inner,
            2 listed: Vec<Inner>,
            4 day: Option<Date>,
        }

        pub struct Inner {
            0 code: String,
            1 sum: Option<Amount>,
        }
    }
}

mod newer {
    use super::*;

    facts! {
        pub struct Outer {
            0 name: String,
            1 inner: Inner,
            2 listed: Vec<Inner>,
            3 added: Vec<Inner>,
            4 day: Option<Date>,
            30 sparse: Option<Moment>,
        }

        pub struct Inner {
            0 code: String,
            1 sum: Option<Amount>,
            2 added: Option<Inn>,
        }
    }
}

fn old_inner(code: &str) -> older::Inner {
    older::Inner {
        code: code.to_owned(),
        sum: "12.5".parse().ok(),
    }
}

fn new_inner(code: &str, added: &str) -> newer::Inner {
    newer::Inner {
        code: code.to_owned(),
        sum: "12.5".parse().ok(),
        added: Inn::parse(added),
    }
}

fn old() -> older::Outer {
    older::Outer {
        name: "name".to_owned(),
        inner: old_inner("a"),
        listed: vec![old_inner("b"), older::Inner::default(), old_inner("c")],
        day: Date::parse_iso("2026-01-31"),
    }
}

/// With `has_more`, the fields that the older structs lack have values too.
fn new(has_more: bool) -> newer::Outer {
    let inn = if has_more { "9600000001" } else { "" };
    let inner = |code: &str| new_inner(code, inn);
    newer::Outer {
        name: "name".to_owned(),
        inner: inner("a"),
        listed: vec![inner("b"), newer::Inner::default(), inner("c")],
        added: match has_more {
            true => vec![inner("d")],
            false => Vec::new(),
        },
        day: Date::parse_iso("2026-01-31"),
        sparse: Moment::parse_dotted("31.01.2026 09:05").filter(|_| has_more),
    }
}

#[test]
fn an_added_field_is_empty_in_facts_stored_before() {
    let stored = to_bytes(&old()).expect("stored");
    let read: newer::Outer = from_bytes(&stored).expect("read");
    assert_eq!(read, new(false));
    // If the added field has no value, the facts are encoded as before.
    assert_eq!(to_bytes(&read).expect("stored"), stored);
}

#[test]
fn a_removed_field_is_skipped_in_facts_that_have_it() {
    let stored = to_bytes(&new(true)).expect("stored");
    let read: older::Outer = from_bytes(&stored).expect("read");
    assert_eq!(read, old());
    let read: newer::Outer = from_bytes(&stored).expect("read");
    assert_eq!(read, new(true));
}

#[test]
fn an_event_of_an_unknown_kind_is_skipped() {
    // An event of the unknown kind 99, whose facts are a map.
    let stored = [0x82, 0x61, b'a', 0x82, 0x18, 99, 0xa1, 1, 0x61, b'x'];
    let read: ProcedurePart = from_bytes(&stored).expect("read");
    assert_eq!(read.about, "a");
    assert_eq!(read.event, ContractEvent::Unknown);
    let ground: TerminationGround = from_bytes(&[9]).expect("read");
    assert_eq!(ground, TerminationGround::Unknown);
}

#[test]
fn a_struct_with_few_values_takes_few_bytes() {
    let sparse = newer::Outer {
        sparse: Moment::parse_dotted("31.01.2026"),
        ..newer::Outer::default()
    };
    // The head of the map, the number of the field, and the day.
    assert_eq!(to_bytes(&sparse).expect("stored").len(), 1 + 2 + 3);
    assert_eq!(
        to_bytes(&newer::Outer::default()).expect("stored"),
        [0x80],
        "nothing"
    );
}

#[test]
#[should_panic(expected = "none may be used twice")]
fn using_a_field_number_twice_is_a_compile_error() {
    check_numbers(&[0, 1, 2, 2, 3]);
}

#[test]
fn field_numbers_must_be_in_ascending_order() {
    // First with field 1 before field 0, then with field 0 twice.
    for stored in [[0xa2, 1, 0x80, 0, 0x60], [0xa2, 0, 0x60, 0, 0x60]] {
        assert!(from_bytes::<older::Outer>(&stored).is_err(), "{stored:?}");
    }
}

fn check<T: StoredField + PartialEq + std::fmt::Debug>(value: T, bytes: &[u8]) {
    assert_eq!(to_bytes(&value).expect("stored"), bytes, "{value:?}");
    assert_eq!(from_bytes::<T>(bytes).expect("read"), value);
}

#[test]
fn the_stored_form_of_single_values_is_fixed() {
    let amount = |text: &str| Some(text.parse::<Amount>().expect("an amount"));
    check(amount("0.05"), &[5]);
    check(amount("-1"), &[0x38, 99]);
    check(amount("100000"), &[0x1a, 0, 0x98, 0x96, 0x80]);
    check(amount("95.733"), b"\x6695.733");
    let huge = format!("1{}", "0".repeat(20));
    check(amount(&huge), &[&[0x75], huge.as_bytes()].concat());
    check(Date::parse_iso("1970-01-01"), &[0]);
    check(Date::parse_iso("0001-01-01"), &[0x3a, 0, 0x0a, 0xf9, 0x39]);
    check(Date::parse_iso("2026-11-28"), &[0x19, 0x51, 0x31]);
    check(
        Moment::parse_dotted("28.11.2026 23:59"),
        &[0x82, 0x19, 0x51, 0x31, 0x19, 0x05, 0x9f],
    );
    check(Inn::parse("9600000001"), b"\x6a9600000001");
    check(vec![Some(true), None], &[0x82, 0xf5, 0xf6]);
}

#[test]
fn impossible_values_are_errors() {
    let is_damaged = |bytes: &[u8]| from_bytes::<Option<Moment>>(bytes).is_err();
    assert!(is_damaged(&[0x82, 0, 0x19, 0x05, 0xa0]), "24:00");
    assert!(is_damaged(&[0x1b, 0, 0, 1, 0, 0, 0, 0, 0]), "no such day");
    assert!(from_bytes::<Option<Inn>>(b"\x63123").is_err());
    assert!(from_bytes::<Amount>(b"\x61x").is_err());
    assert!(from_bytes::<Amount>(&[0xf9, 0x3c, 0]).is_err(), "a float");
    assert!(from_bytes::<String>(&[0x61, 0xff]).is_err(), "no UTF-8");
}
