//! Rows that are read step by step.

use super::*;
use crate::store::keys::tests::postgresql::TestDatabase;

const WITHIN: Duration = Duration::from_secs(10);

/// Reads the numbers up to `count`, until `take` of them have been read.
fn numbers(session: &mut Session, count: i64, take: usize) -> Result<Vec<i64>> {
    let mut numbers = Vec::new();
    let sql = "SELECT number FROM generate_series(1, $1::bigint) AS number";
    session.each_row_while(sql, &[&count], WITHIN, |row| {
        numbers.push(row.get(0));
        Ok(match numbers.len() < take {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        })
    })?;
    Ok(numbers)
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn rows_arrive_in_steps_until_no_more_are_wanted() {
    let database = TestDatabase::create();
    let mut session = database.address().primary().expect("a server");
    let step = i64::from(ROWS_AT_ONCE);
    for count in [0, 1, step - 1, step, step + 1, 2 * step, 3 * step + 7] {
        let all = numbers(&mut session, count, usize::MAX).expect("rows");
        assert_eq!(all, Vec::from_iter(1..=count));
    }
    for take in [1, step, step + 1, 2 * step] {
        let taken = numbers(&mut session, 1_000_000, take as usize).expect("rows");
        assert_eq!(taken, Vec::from_iter(1..=take));
    }
    let refused = session.each_row_while("SELECT 1", &[], WITHIN, |_| {
        Err(Error::refused_by(&"the test", "no more"))
    });
    assert!(
        refused
            .expect_err("an error")
            .to_string()
            .contains("no more")
    );
    let failed = session.each_row_while(
        "SELECT 1 / (number - 7000) FROM generate_series(1, 9000) AS number",
        &[],
        WITHIN,
        |_| Ok(ControlFlow::Continue(())),
    );
    assert_eq!(failed.expect_err("an error").sqlstate(), Some("22012"));
    // No transaction is left open, in which `now()` would stay the same.
    let mut now = || session.value::<String>("SELECT now()::text", &[], WITHIN);
    assert_ne!(now().expect("a value"), now().expect("a value"));
}
