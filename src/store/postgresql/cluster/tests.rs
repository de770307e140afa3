//! Hosts in turn, each with its deadline: against servers that say nothing or hang up, and with
//! `TEST_POSTGRESQL` against one.

use std::env;

use super::*;

fn address(text: &str) -> ServerAddress {
    let user = |name: &str| (name == "USER").then(|| "reader".to_owned());
    ServerAddress::parse(text, &user).expect("an address")
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_server_is_found_behind_hosts_that_are_not_there() {
    let text = env::var("TEST_POSTGRESQL").expect("TEST_POSTGRESQL");
    let text = text.replace("127.0.0.1", "127.0.0.1:1,127.0.0.1");
    let cluster = Cluster::new(address(&text));
    let deadline = Instant::now() + Duration::from_secs(3);
    let mut session = cluster.session(deadline).expect("a session");
    let rows = session.rows("SELECT 1", &[], Duration::from_secs(1));
    assert_eq!(rows.expect("a row").len(), 1);
    assert!(address(&text).primary().is_ok());
}
