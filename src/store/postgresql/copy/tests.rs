use std::cell::RefCell;
use std::env;

use proptest::prelude::*;

use super::super::address::ServerAddress;
use super::*;
use crate::model::Amount;

#[test]
fn a_number_is_its_digits_to_the_base_of_ten_thousand() {
    #[track_caller]
    fn check(decimal: &str, expected: &[i16]) {
        let bytes: Vec<u8> = expected.iter().flat_map(|it| it.to_be_bytes()).collect();
        assert_eq!(numeric(decimal), Some(bytes), "{decimal}");
    }
    check("0", &[0, 0, 0, 0]);
    check("-0.00", &[0, 0, 0, 2]);
    check("1", &[1, 0, 0, 0, 1]);
    check("10000", &[1, 1, 0, 0, 1]);
    check("123456.7", &[3, 1, 0, 1, 12, 3456, 7000]);
    check("-0.00012", &[2, -1, 0x4000, 5, 1, 2000]);
    check("0.00000001", &[1, -2, 0, 8, 1]);
    for no_number in ["", ".5", "-", "1e5", "1,5", "NaN"] {
        assert_eq!(numeric(no_number), None, "{no_number}");
    }
}

/// Any amount as a text, of which many have zeros before or behind.
fn decimals() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?[0-9]{1,30}(\\.[0-9]{1,20})?",
        "-?0{0,9}[0-9]\\.0{0,9}[0-9]",
        (any::<i64>(), -999..=900_i32).prop_filter_map("an amount", |(digits, exponent)| {
            let amount: Amount = format!("{digits}e{exponent}").parse().ok()?;
            Some(amount.to_string())
        }),
    ]
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn the_server_reads_values_as_it_reads_their_texts() {
    let address = env::var("TEST_POSTGRESQL").expect("TEST_POSTGRESQL");
    let address = ServerAddress::parse(&address, &|name| env::var(name).ok());
    let session = address.expect("an address").primary().expect("a session");
    let session = RefCell::new(session);
    let columns = "a numeric, b date, c text, d bytea, e bigint, f smallint, g boolean";
    let table = format!("CREATE TEMP TABLE copied ({columns})");
    session
        .borrow_mut()
        .batch(&table, SERVER_SILENCE)
        .expect("a table");
    let days = prop::option::of(0..3_600_000_u64);
    let row = (
        decimals(),
        days,
        "[^\0]{0,30}",
        any::<Vec<u8>>(),
        any::<(i64, i16, bool)>(),
    );
    proptest!(|(rows in prop::collection::vec(row, 1..20))| {
        let mut buffer = RowBuffer::default();
        let mut expected = Vec::new();
        for (decimal, day, text, bytes, (long, short, flag)) in rows {
            let first = Date::parse_iso("0001-01-01").expect("a day");
            let day = day.map(|days| first.plus_days(days));
            buffer.begin(7).numeric(&decimal).date(day).text(&text).bytea(&bytes);
            buffer.int8(long).int2(short).bool(flag);
            let day = day.map_or("NULL".to_owned(), |day| format!("'{day}'"));
            let text = text.replace('\'', "''");
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            expected.push(format!(
                "('{decimal}'::numeric, {day}::date, '{text}'::text, '\\x{hex}'::bytea, \
                 '{long}'::bigint, '{short}'::smallint, {flag})"
            ));
        }
        let count = expected.len() as u64;
        let mut session = session.borrow_mut();
        buffer.copy_to(&mut session, "", "copied").expect("copied");
        // As texts: a number keeps its zeros behind the point.
        let sql = format!(
            "DELETE FROM copied WHERE copied::text IN (SELECT it::text FROM (VALUES {}) AS it)",
            expected.join(", ")
        );
        prop_assert_eq!(session.execute(&sql, &[], SERVER_SILENCE), Ok(count), "{}", sql);
        prop_assert_eq!(session.execute("DELETE FROM copied", &[], SERVER_SILENCE), Ok(0));
    });
}
