use std::cell::RefCell;
use std::env;

use proptest::prelude::*;

use super::super::address::ServerAddress;
use super::*;

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn the_server_reads_values_as_it_reads_their_texts() {
    let address = env::var("TEST_POSTGRESQL").expect("TEST_POSTGRESQL");
    let address = ServerAddress::parse(&address, &|name| env::var(name).ok());
    let session = address.expect("an address").primary().expect("a session");
    let session = RefCell::new(session);
    let columns = "b date, c text, d bytea, e bigint, f smallint, g boolean";
    let table = format!("CREATE TEMP TABLE copied ({columns})");
    session
        .borrow_mut()
        .batch(&table, SERVER_SILENCE)
        .expect("a table");
    let days = prop::option::of(0..3_600_000_u64);
    let row = (
        days,
        "[^\0]{0,30}",
        any::<Vec<u8>>(),
        any::<(i64, i16, bool)>(),
    );
    proptest!(|(rows in prop::collection::vec(row, 1..20))| {
        let mut buffer = RowBuffer::default();
        let mut expected = Vec::new();
        for (day, text, bytes, (long, short, flag)) in rows {
            let first = Date::parse_iso("0001-01-01").expect("a day");
            let day = day.map(|days| first.plus_days(days));
            buffer.begin(6).date(day).text(&text).bytea(&bytes);
            buffer.int8(long).int2(short).bool(flag);
            let day = day.map_or("NULL".to_owned(), |day| format!("'{day}'"));
            let text = text.replace('\'', "''");
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            expected.push(format!(
                "({day}::date, '{text}'::text, '\\x{hex}'::bytea, \
                 '{long}'::bigint, '{short}'::smallint, {flag})"
            ));
        }
        let count = expected.len() as u64;
        let mut session = session.borrow_mut();
        buffer.copy_to(&mut session, "", "copied").expect("copied");
        let sql = format!(
            "DELETE FROM copied WHERE copied::text IN (SELECT it::text FROM (VALUES {}) AS it)",
            expected.join(", ")
        );
        let changed = session.execute(&sql, &[], SERVER_SILENCE).expect("it is done");
        prop_assert_eq!(changed, count, "{}", sql);
        let left = session.execute("DELETE FROM copied", &[], SERVER_SILENCE);
        prop_assert_eq!(left.expect("it is done"), 0);
    });
}
