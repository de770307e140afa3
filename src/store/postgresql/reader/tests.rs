//! What happens to a session that fails, and to other sessions with the same host.

use std::env;

use super::super::address::ServerAddress;
use super::*;

/// Returns a cluster in which the server of `TEST_POSTGRESQL` is listed `times` times.
fn cluster(times: usize) -> Arc<Cluster> {
    let text = env::var("TEST_POSTGRESQL").expect("TEST_POSTGRESQL");
    let parse = |text: &str| ServerAddress::parse(text, &|name| env::var(name).ok());
    let host = parse(&text).expect("an address").hosts()[0].to_string();
    let hosts = vec![host.as_str(); times].join(",");
    let address = parse(&text.replace(&host, &hosts));
    Cluster::new(address.expect("an address"))
}

fn soon() -> Instant {
    Instant::now() + ALL_ATTEMPTS
}

fn other_session(cluster: &Cluster) -> Session {
    cluster.session(soon()).expect("a session")
}

/// Runs a statement. Returns the outcome and the number of attempts.
fn ask(data: &ServerData, sql: &str, within: Duration) -> (Result<()>, u32) {
    let mut asked = 0;
    let outcome = data.on_session(soon(), |session| {
        asked += 1;
        session.batch(sql, within)
    });
    (outcome, asked)
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_slow_large_statement_keeps_its_host() {
    let cluster = cluster(1);
    let other = other_session(&cluster);
    let data = ServerData::new(&cluster);
    let slow = SHORT_STATEMENT + Duration::from_millis(50);
    let (outcome, asked) = ask(&data, "SELECT pg_sleep(30)", slow);
    let error = outcome.expect_err("it is not done");
    assert!(!error.is_unreachable() && asked == 1, "{error}");
    assert!(error.to_string().contains("a large query"), "{error}");
    assert!(!cluster.has_failed(&other));
    // The server stays in use.
    let (outcome, _) = ask(&data, "SELECT 1", SHORT_STATEMENT);
    outcome.expect("a server");
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_slow_short_statement_condemns_its_host() {
    let cluster = cluster(1);
    let other = other_session(&cluster);
    let data = ServerData::new(&cluster);
    let (outcome, asked) = ask(&data, "SELECT pg_sleep(30)", SHORT_STATEMENT);
    assert!(outcome.is_err_and(|error| error.is_unreachable()) && asked > 1);
    assert!(cluster.has_failed(&other));
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_canceled_statement_keeps_host_and_session() {
    let cluster = cluster(1);
    let other = other_session(&cluster);
    let data = ServerData::new(&cluster);
    let sql = "SET statement_timeout = 50; SELECT pg_sleep(30)";
    let (outcome, asked) = ask(&data, sql, SHORT_STATEMENT);
    assert!(outcome.is_err_and(|error| error.sqlstate() == Some("57014")) && asked == 1);
    let (outcome, _) = ask(&data, "SELECT 1", SHORT_STATEMENT);
    assert!(outcome.is_ok() && !cluster.has_failed(&other));
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn temporary_refusals_are_retried_once_per_host() {
    for (hosts, expected) in [(1, 2), (2, 3)] {
        for code in ["40001", "53200"] {
            let cluster = cluster(hosts);
            let other = other_session(&cluster);
            let data = ServerData::new(&cluster);
            let sql = format!("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{code}'; END $$");
            let (outcome, asked) = ask(&data, &sql, SHORT_STATEMENT);
            let error = outcome.expect_err("nobody does it");
            assert!(
                error.is_unreachable() && asked == expected,
                "{asked}: {error}"
            );
            assert!(!cluster.has_failed(&other));
        }
    }
}
