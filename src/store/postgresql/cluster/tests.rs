//! Trying hosts in turn, with deadlines: against servers that stay silent or close the connection,
//! and, if `TEST_POSTGRESQL` is set, against a real one.

use std::env;
use std::io::Read;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::*;

fn address(text: &str) -> ServerAddress {
    let user = |name: &str| (name == "USER").then(|| "reader".to_owned());
    ServerAddress::parse(text, &user).expect("an address")
}

/// Short times, to keep the tests short.
const TIMINGS: Timings = Timings {
    attempt: Duration::from_millis(200),
    failed: Duration::from_secs(60),
    rest: Duration::from_millis(100),
    lag: Duration::from_millis(300),
    search: Duration::from_millis(50),
    probe: Duration::ZERO,
};

/// Tolerance for time limits, as the machine may be busy.
const MARGIN: Duration = Duration::from_millis(700);

/// A server that gives no valid answer.
struct FakeServer {
    port: u16,
    connections: Arc<AtomicUsize>,
}

#[derive(Clone, Copy)]
enum Manner {
    /// Accepts the connection and stays silent, like a frozen server.
    Silent,
    Closing,
    /// Reads from the connection, and writes bytes that no PostgreSQL server would send.
    Babbling,
}

impl FakeServer {
    fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        thread::spawn(move || {
            let mut open = Vec::new();
            for mut connection in listener.incoming().flatten() {
                counted.fetch_add(1, Ordering::SeqCst);
                match manner {
                    Manner::Silent => open.push(connection),
                    Manner::Closing => {}
                    Manner::Babbling => {
                        let _ = connection.read(&mut [0; 1000]);
                        let _ =
                            std::io::Write::write_all(&mut connection, b"HTTP/1.1 400 Bad\r\n\r\n");
                    }
                }
            }
        });
        Self { port, connections }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn cluster(servers: &[&FakeServer]) -> Cluster {
    let hosts: Vec<_> = servers
        .iter()
        .map(|server| format!("127.0.0.1:{}", server.port))
        .collect();
    let address = address(&format!("postgresql://{}/eis", hosts.join(",")));
    Cluster::with_timings(address, TIMINGS)
}

fn after(span: Duration) -> Instant {
    Instant::now() + span
}

#[test]
fn each_host_is_tried_for_its_span_and_each_is_named_with_its_reason() {
    let servers = [Manner::Silent, Manner::Closing, Manner::Babbling].map(FakeServer::start);
    let cluster = cluster(&[&servers[0], &servers[1], &servers[2]]);
    let begun = Instant::now();
    let error = cluster
        .session(after(Duration::from_secs(5)))
        .expect_err("nobody");
    let took = begun.elapsed();
    assert!(error.is_unreachable());
    assert!(
        took >= TIMINGS.attempt && took < TIMINGS.attempt + MARGIN,
        "{took:?}"
    );
    let text = error.to_string();
    for server in &servers {
        assert!(
            text.contains(&format!("127.0.0.1:{}: ", server.port)),
            "{text}"
        );
        assert_eq!(server.connections(), 1);
    }
    assert!(text.contains("no answer within 200ms"), "{text}");
}

#[test]
fn the_deadline_holds_for_all_hosts_together() {
    let servers = [Manner::Silent; 4].map(FakeServer::start);
    let cluster = cluster(&[&servers[0], &servers[1], &servers[2], &servers[3]]);
    let begun = Instant::now();
    let error = cluster
        .session(after(Duration::from_millis(300)))
        .expect_err("nobody");
    let took = begun.elapsed();
    assert!(took < Duration::from_millis(300) + MARGIN, "{took:?}");
    assert!(error.to_string().contains("not tried in time"), "{error}");
    let connections = || [0, 1, 2, 3].map(|at: usize| servers[at].connections());
    assert_eq!(connections(), [1, 1, 0, 0]);
    // The state of the other servers is unknown, so the next request tries them.
    let next = cluster.session(after(Duration::from_millis(300)));
    assert!(next.is_err_and(|error| error.is_unreachable()));
    assert_eq!(connections(), [1, 1, 1, 1]);
}

#[test]
fn after_a_failure_the_same_error_is_returned_at_once_for_a_while() {
    let server = FakeServer::start(Manner::Closing);
    let cluster = cluster(&[&server]);
    let error = || {
        cluster
            .session(after(Duration::from_secs(1)))
            .expect_err("nobody")
            .to_string()
    };
    let first = error();
    let again = error();
    assert_eq!((first, server.connections()), (again, 1));
    thread::sleep(TIMINGS.rest);
    error();
    assert_eq!(server.connections(), 2);
}

#[test]
fn failed_hosts_come_last_in_the_order_of_failure() {
    let known = |last: usize, failed: &[u64]| {
        let now = Instant::now();
        let ago = |seconds: &u64| (*seconds < 99).then(|| now - Duration::from_secs(*seconds));
        let known = ServerStates {
            last,
            failed: failed.iter().map(ago).collect(),
            ..ServerStates::new(failed.len())
        };
        known.order(&Timings::USUAL).expect("an order")
    };
    assert_eq!(known(0, &[99, 99, 99]), [0, 1, 2]);
    assert_eq!(known(1, &[99, 99, 99]), [1, 2, 0]);
    assert_eq!(known(1, &[99, 5, 99]), [2, 0, 1]);
    assert_eq!(known(0, &[3, 5, 99]), [2, 1, 0]);
    // A failure that is long past is ignored.
    assert_eq!(known(0, &[11, 5, 99]), [0, 2, 1]);
}

#[test]
fn an_unresolvable_name_costs_at_most_one_attempt() {
    let cluster = Cluster::with_timings(
        address("postgresql://nobody.invalid/eis?sslmode=disable"),
        TIMINGS,
    );
    let begun = Instant::now();
    let error = cluster
        .session(after(Duration::from_secs(5)))
        .expect_err("nobody");
    assert!(error.is_unreachable());
    assert!(
        begun.elapsed() < TIMINGS.attempt + MARGIN,
        "{:?}",
        begun.elapsed()
    );
}

fn server() -> String {
    env::var("TEST_POSTGRESQL").expect("TEST_POSTGRESQL")
}

fn session(cluster: &Cluster) -> Session {
    cluster
        .session(after(Duration::from_secs(3)))
        .expect("a session")
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_server_is_found_after_missing_hosts() {
    let silent = FakeServer::start(Manner::Silent);
    let hosts = format!("127.0.0.1:{},127.0.0.1", silent.port);
    let text = server().replace("127.0.0.1", &hosts);
    let cluster = Cluster::with_timings(address(&text), TIMINGS);
    let mut first = session(&cluster);
    assert_eq!(first.rows("SELECT 1", &[], SECOND).expect("a row").len(), 1);
    // The next session connects to that server immediately.
    session(&cluster);
    assert_eq!(silent.connections(), 1);
    assert!(!cluster.has_failed(&first));
    cluster.failed(&first);
    assert!(cluster.has_failed(&first));
    assert!(
        !cluster.has_failed(&session(&cluster)),
        "it was connected since"
    );
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn older_publications_are_not_used_until_newer_ones_are_lost() {
    let cluster = Cluster::with_timings(address(&server()), TIMINGS);
    let session = session(&cluster);
    let note = |number: i64| cluster.note(&session, number, cluster.newest());
    assert!(note(7) && note(8) && note(8));
    // There is no other host, so the same session will ask again.
    assert!(!note(7) && !cluster.has_failed(&session));
    // Seeing the newer publication again restarts the minute.
    assert!(note(8));
    // An answer that began before the newer publication was seen may use the older one.
    assert!(cluster.note(&session, 7, 7) && cluster.newest() == 8);
    let begun = Instant::now();
    while !note(6) {
        assert!(begun.elapsed() < TIMINGS.lag + MARGIN);
        thread::sleep(Duration::from_millis(10));
    }
    assert!(begun.elapsed() >= TIMINGS.lag);
    assert!(note(6) && !note(5));
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_session_past_its_deadline_is_dropped_and_canceled() {
    let primary = address(&server()).primary();
    let mut session = primary.expect("a session");
    let process = session.rows("SELECT pg_backend_pid()", &[], SECOND);
    let process: i32 = process.expect("a row")[0].get(0);
    let begun = Instant::now();
    let slept = session.rows("SELECT pg_sleep(30)", &[], Duration::from_millis(100));
    let is_lost = |result: &Result<_>| result.as_ref().is_err_and(Error::is_unreachable);
    assert!(is_lost(&slept) && begun.elapsed() < SECOND);
    let again = session.rows("SELECT 1", &[], SECOND);
    assert!(is_lost(&again), "{again:?}");
    drop(session);
    let mut other = address(&server()).primary().expect("a session");
    let deadline = after(Duration::from_secs(3));
    loop {
        let sql = "SELECT 1 FROM pg_stat_activity WHERE pid = $1";
        if other
            .rows(sql, &[&process], SECOND)
            .expect("rows")
            .is_empty()
        {
            break;
        }
        assert!(Instant::now() < deadline, "it sleeps on");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_refusal_keeps_the_session_usable() {
    let mut session = address(&server()).primary().expect("a session");
    let refused = session.rows("SELECT * FROM nothing_of_this_name", &[], SECOND);
    assert!(refused.is_err_and(|error| error.sqlstate() == Some("42P01")));
    assert_eq!(
        session.rows("SELECT 1", &[], SECOND).expect("a row").len(),
        1
    );
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_refusing_server_is_not_unreachable() {
    let (server, _) = server()
        .rsplit_once('/')
        .map(|(server, name)| (server.to_owned(), name.to_owned()))
        .expect("a database");
    let missing = address(&format!("{server}/no_database_of_this_name"));
    let error = Cluster::with_timings(missing, TIMINGS)
        .session(after(SECOND))
        .expect_err("no database");
    assert!(!error.is_unreachable(), "{error}");
    assert!(error.to_string().contains("does not exist"), "{error}");
    // One of the unreachable servers might have been the primary.
    let hosts = server.replace("127.0.0.1", "127.0.0.1:1,127.0.0.1");
    let missing = address(&format!("{hosts}/no_database_of_this_name"));
    let error = Cluster::with_timings(missing, TIMINGS)
        .session(after(SECOND))
        .expect_err("no database");
    assert!(
        error.is_unreachable() && error.to_string().contains("does not exist"),
        "{error}"
    );
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn hosts_with_older_data_are_tried_later() {
    // Two names of the same server, whose publications the test sets below.
    let text = server().replace("127.0.0.1", "127.0.0.1,localhost");
    let port = address(&server()).hosts()[0].port;
    let text = text.replace("127.0.0.1,", &format!("127.0.0.1:{port},"));
    let cluster = Cluster::with_timings(address(&text), TIMINGS);
    let first = session(&cluster);
    assert!(cluster.note(&first, 8, 0));
    assert!(!cluster.note(&first, 7, 8));
    let second = session(&cluster);
    assert_eq!((first.index(), second.index()), (0, 1));
    assert!(!cluster.note(&second, 7, 8));
    assert_eq!(session(&cluster).index(), 0);
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn the_primary_is_found_after_other_servers() {
    let silent = FakeServer::start(Manner::Silent);
    let text = server().replace("127.0.0.1", &format!("127.0.0.1:{},127.0.0.1", silent.port));
    let cluster = Cluster::with_timings(address(&text), TIMINGS);
    let found = cluster.primary_or_standby(after(Duration::from_secs(3)));
    assert!(!found.expect("a server").1);
    // From now on, that server is tried first.
    cluster.primary_or_standby(after(SECOND)).expect("a server");
    assert_eq!(silent.connections(), 1);
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn probing_finds_the_newest_publication_on_other_hosts() {
    let name = format!("cluster_{}", std::process::id());
    let mut primary = address(&server()).primary().expect("a server");
    let mut on_server = |sql: &str| primary.batch(sql, 10 * SECOND).expect("it is done");
    on_server(&format!("CREATE DATABASE {name}"));
    let closing = FakeServer::start(Manner::Closing);
    let (with_host, _) = server()
        .rsplit_once('/')
        .map(|(text, database)| (text.to_owned(), database.to_owned()))
        .expect("a database");
    let made = address(&format!("{with_host}/{name}")).primary();
    let published = made.expect("a server").batch(
        &format!(
            "CREATE SCHEMA procurement_lookup; CREATE TABLE procurement_lookup.publication AS \
             SELECT {FORMAT} AS format, 5::bigint AS number"
        ),
        10 * SECOND,
    );
    let hosts = format!("127.0.0.1:{},127.0.0.1", closing.port);
    let text = format!("{}/{name}", with_host.replace("127.0.0.1", &hosts));
    let cluster = Cluster::with_timings(address(&text), TIMINGS);
    // Checks one host per call: first the second host, then the first, which closes the connection.
    cluster.probe_next();
    let found = cluster.newest();
    cluster.probe_next();
    let probed = (found, cluster.newest(), closing.connections());
    // A newer publication was seen but is lost: this server is the primary, and no other server is
    // reachable.
    let mut left = session(&cluster);
    assert!(cluster.note(&left, 8, 8) && cluster.newest() == 8);
    assert!(cluster.is_newest_left(&mut left, 5) && cluster.newest() == 5);
    // Another host has a newer publication.
    let (_, host) = with_host.rsplit_once('@').expect("a user");
    let twice = address(&format!("{with_host},{host}/{name}"));
    let twice = Cluster::with_timings(twice, TIMINGS);
    let mut behind = session(&twice);
    assert!(twice.note(&behind, 8, 8) && !twice.is_newest_left(&mut behind, 4));
    drop((left, behind));
    on_server(&format!("DROP DATABASE {name} WITH (FORCE)"));
    published.expect("it is made");
    assert_eq!(probed, (5, 5, 1));
}
