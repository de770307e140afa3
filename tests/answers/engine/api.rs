//! The API over sockets: with each engine, over TCP and over a Unix socket, responses are the same
//! as without sockets.

use std::net::IpAddr;
use std::os::unix::net::UnixStream;
use std::time::SystemTime;

use procurement_lookup::api::{Api, DataSource, Peer, Response};
use procurement_lookup::http::{self, Address, Proxies, Running, Telemetry, Trust};
use procurement_lookup::model::{Date, Moment};
use procurement_lookup::store::KeyRing;

use super::*;

const TARGETS: [&str; 12] = [
    "/contract/monitor-supplier44?supplierINN=9602000445&limit=200&apikey=demo",
    "/contract/monitor-supplier44?supplierINN=9602000445&format=json&apikey=demo",
    "/contract/monitor-supplier44?supplierINN=9602000445&limit=201&apikey=demo",
    "/contract/summary-supplier44?supplierINN=9602000445&apikey=demo",
    "/contract/monitor-customer44?customerINN=9601001012&apikey=demo",
    "/find?q=9602000445&apikey=demo",
    "/rnp/check-supplier?supplierINN=9602006662&apikey=demo",
    "/rnp/check-supplier?supplierINN=x&apikey=demo",
    "/rnp/check-suppliers?supplierINN=9602006662,9602000445&format=csv&apikey=demo",
    "/changes?limit=10000&format=csv&apikey=demo",
    "/openapi.json",
    "/nothing/here",
];

fn api() -> Arc<Api> {
    let keys = KeyRing::empty();
    let day = Date::parse_iso("2026-01-01").expect("a day");
    Arc::new(Api::new(
        DataSource::Bundled,
        keys,
        Box::new(move || Moment::from_day(day)),
    ))
}

pub(super) fn serve(api: &Arc<Api>, engine: Engine, address: &Address) -> (Address, Running) {
    // A connection that wrongly stays open fails the test instead of being closed as idle.
    let bounds = Bounds {
        idle_time: 2 * PATIENCE,
        ..Bounds::default()
    };
    serve_within(api, engine, address, bounds)
}

fn serve_within(
    api: &Arc<Api>,
    engine: Engine,
    address: &Address,
    bounds: Bounds,
) -> (Address, Running) {
    let answerers = (0..2).map(|_| api.answerer().expect("the data"));
    let telemetry = Telemetry::new(SystemTime::UNIX_EPOCH, 2);
    let trust = Arc::new(Trust::new(Proxies::default(), None));
    let telemetry = Arc::new(telemetry.expect("random numbers"));
    let listening = http::listen(address).expect("a socket");
    let address = listening.address().clone();
    let running = listening.serve(answerers.collect(), &telemetry, &trust, engine, bounds);
    (address, running.expect("a server"))
}

pub(super) trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

pub(super) fn connect(address: &Address) -> Box<dyn Stream> {
    match address {
        Address::Tcp(address) => {
            let stream = TcpStream::connect(address).expect("a connection");
            stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
            Box::new(stream)
        }
        Address::Unix(path) => {
            let stream = UnixStream::connect(path).expect("a connection");
            stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
            Box::new(stream)
        }
    }
}

pub(super) fn exchange(
    address: &Address,
    method: &str,
    target: &str,
    headers: &str,
) -> (String, Vec<u8>) {
    let mut stream = connect(address);
    let head =
        format!("{method} {target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(head.as_bytes()).expect("written");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n");
    let body = answer.split_off(end.expect("the end of a head") + 4);
    (String::from_utf8(answer).expect("UTF-8"), body)
}

/// Returns the response of the API without sockets.
fn response<'a>(method: &'a str, target: &'a str, headers: &[(&'a str, &'a str)]) -> Response {
    let header = |(name, value): &(&'a str, &'a str)| (*name, (*value).into());
    let request = procurement_lookup::api::Request {
        method,
        target,
        headers: headers.iter().map(header).collect(),
        peer: Peer::Direct(IpAddr::from(Ipv4Addr::LOCALHOST)),
        ..Default::default()
    };
    api().answerer().expect("the data").answer(&request)
}

#[test]
fn answers_are_the_same_over_each_engine_and_socket() {
    let folder = tempfile::tempdir().expect("a folder");
    for engine in Engine::ALL {
        let tcp = Address::Tcp((Ipv4Addr::LOCALHOST, 0).into());
        let unix = Address::Unix(folder.path().join(engine.name()));
        for address in [tcp, unix] {
            let (address, running) = serve(&api(), *engine, &address);
            for target in TARGETS {
                for (method, name, value) in [
                    ("GET", "Accept-Encoding", "identity"),
                    ("GET", "Accept-Encoding", "gzip"),
                    ("HEAD", "Accept-Encoding", "zstd"),
                    ("GET", "If-None-Match", "*"),
                ] {
                    eprintln!("{} {address} {method} {target}", engine.name());
                    let expected = response(method, target, &[(name, value)]);
                    let headers = format!("{name}: {value}\r\n");
                    let (head, body) = exchange(&address, method, target, &headers);
                    let status = format!("HTTP/1.1 {} ", expected.status);
                    assert!(head.starts_with(&status), "{head}");
                    for (name, value) in &expected.headers {
                        // The remaining quota differs between requests.
                        let line = format!("\r\n{name}: {value}\r\n");
                        assert!(
                            name.starts_with("RateLimit") || head.contains(&line),
                            "{head}"
                        );
                    }
                    let length = format!("\r\nContent-Length: {}\r\n", expected.body.len());
                    let has_length = expected.status != 304;
                    assert!(!has_length || head.contains(&length), "{head}");
                    let expected = if method == "HEAD" {
                        Vec::new()
                    } else {
                        expected.body
                    };
                    assert_eq!(body, expected);
                }
            }
            assert!(running.stop(PATIENCE), "it ends");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn unix_socket_connections_count_as_one_client_unless_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let unix = Address::Unix(folder.path().join("socket"));
    let bounds = Bounds {
        connections_of_address: 2,
        ..Bounds::default()
    };
    let (address, running) = serve_within(&api(), Engine::Bounded, &unix, bounds);
    let mut open = Vec::new();
    // A proxy forwards these clients, so its connections do not count towards the limit.
    for _ in 0..5 {
        open.push(connect(&address));
        assert_eq!(status(&mut open, "X-Forwarded-For: 192.0.2.1\r\n"), "200");
    }
    for _ in 0..2 {
        open.push(connect(&address));
        assert_eq!(status(&mut open, ""), "200");
    }
    open.push(connect(&address));
    assert_eq!(status(&mut open, ""), "503");
    // A connection is accepted before its first request, because it may turn out to belong to a
    // proxy.
    let last = open.pop();
    drop(last);
    assert_eq!(status(&mut open, "X-Forwarded-For: 192.0.2.1\r\n"), "200");
    open.push(connect(&address));
    assert_eq!(status(&mut open, ""), "200");
    drop(open);
    assert!(running.stop(PATIENCE), "it ends");
}

/// Sends a request on the last connection and returns the status.
fn status(open: &mut [Box<dyn Stream>], headers: &str) -> String {
    let stream = open.last_mut().expect("a connection");
    let head = format!("HEAD /about.json HTTP/1.1\r\nHost: h\r\n{headers}\r\n");
    // A refused client may find the connection closed.
    let _ = stream.write_all(head.as_bytes());
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("an answer");
        answer.push(byte[0]);
    }
    let answer = String::from_utf8(answer).expect("UTF-8");
    answer.split(' ').nth(1).expect("a status").to_owned()
}
