//! What operators are answered.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::super::listen;
use super::super::proxies::Proxies;
use super::*;

fn now() -> SystemTime {
    // 2026-11-21T10:00:00Z
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_255_200)
}

fn data() -> Result<DataFigures, String> {
    Ok(DataFigures {
        version: "00ff-3".to_owned(),
        updated: now() - Duration::from_secs(7_200),
        registry_age: Some(Duration::from_secs(2 * 86_400)),
        revision: 3,
        switched: 0,
        refused: 0,
    })
}

fn admin(data: fn() -> Result<DataFigures, String>, alive: fn() -> bool) -> Admin {
    let telemetry = Telemetry::new(now(), 1, Proxies::default()).expect("random numbers");
    let sources = Sources {
        alive: Box::new(alive),
        data: Box::new(data),
        engine: Box::new(|| None),
        limits: Box::new(|| vec![("rnp", 5)]),
        answers: Box::new(CacheFigures::default),
    };
    Admin::new(Arc::new(telemetry), sources, MaxAges::default())
}

fn ready(admin: &Admin) -> (u16, Value) {
    let reply = admin.answer("GET", "/readyz", now());
    let body = serde_json::from_slice(&reply.body).expect("JSON");
    (reply.status, body)
}

fn text(admin: &Admin, method: &str, target: &str) -> (u16, String) {
    let reply = admin.answer(method, target, now());
    (
        reply.status,
        String::from_utf8(reply.body.to_vec()).expect("UTF-8"),
    )
}

#[test]
fn health_is_whether_the_service_is_alive() {
    let alive = admin(data, || true);
    assert_eq!(text(&alive, "GET", "/healthz"), (200, "ok\n".to_owned()));
    assert_eq!(text(&alive, "HEAD", "/healthz?x").0, 200);
    let dead = admin(data, || false);
    assert_eq!(
        text(&dead, "GET", "/healthz"),
        (503, "not alive\n".to_owned())
    );
}

#[test]
fn readiness_tells_which_data_it_is_and_how_old() {
    let expected = json!({
        "ready": true, "reason": null, "version": "00ff-3",
        "updated": "2026-11-21T08:00:00Z", "age_seconds": 7200
    });
    assert_eq!(ready(&admin(data, || true)), (200, expected));
}

#[test]
fn data_older_than_the_bound_is_not_ready_and_the_bound_can_change() {
    let admin = admin(data, || true);
    let set = |seconds: Option<u64>| {
        admin.set_max_ages(MaxAges {
            data: seconds.map(Duration::from_secs),
            registry: None,
        })
    };
    set(Some(7_200));
    assert_eq!(ready(&admin).0, 200);
    set(Some(7_199));
    let (status, body) = ready(&admin);
    assert_eq!(status, 503);
    assert_eq!(body["ready"], false);
    assert_eq!(body["reason"], "the data is older than --max-data-age");
    assert_eq!(body["age_seconds"], 7_200);
    set(None);
    assert_eq!(ready(&admin).0, 200);
}

#[test]
fn a_registry_older_than_the_bound_is_not_ready_where_one_is_declared() {
    let days = |days: u64| Some(Duration::from_secs(days * 86_400));
    let set = |admin: &Admin, registry| {
        admin.set_max_ages(MaxAges {
            data: None,
            registry,
        })
    };
    let declared = admin(data, || true);
    assert_eq!(ready(&declared).0, 200, "no bound is given");
    set(&declared, days(2));
    assert_eq!(ready(&declared).0, 200);
    set(&declared, days(1));
    let (status, body) = ready(&declared);
    assert_eq!(status, 503);
    assert_eq!(
        body["reason"],
        "a registry of unfair suppliers is older than --max-registry-age"
    );
    let undeclared = admin(
        || {
            data().map(|data| DataFigures {
                registry_age: None,
                ..data
            })
        },
        || true,
    );
    set(&undeclared, days(1));
    assert_eq!(ready(&undeclared).0, 200);
}

#[test]
fn data_that_cannot_be_read_is_not_ready_and_nothing_inner_is_shown() {
    let admin = admin(|| Err("/secret/path: broken".to_owned()), || true);
    let (status, body) = ready(&admin);
    let expected = json!({
        "ready": false, "reason": "the data cannot be read", "version": null,
        "updated": null, "age_seconds": null
    });
    assert_eq!((status, body), (503, expected));
    let (status, figures) = text(&admin, "GET", "/metrics");
    assert_eq!(status, 200);
    assert!(
        figures.contains("procurement_lookup_data_readable 0\n"),
        "{figures}"
    );
}

#[test]
fn a_service_that_stops_is_alive_but_not_ready() {
    let admin = admin(data, || true);
    admin.set_stopping();
    let (status, body) = ready(&admin);
    assert_eq!(
        (status, &body["reason"]),
        (503, &json!("the service is stopping"))
    );
    assert_eq!(text(&admin, "GET", "/healthz").0, 200);
}

#[test]
fn figures_are_text_of_the_exposition_format() {
    let admin = admin(data, || true);
    let reply = admin.answer("GET", "/metrics", now());
    let header = |name| {
        let mut headers = reply.headers.iter();
        headers
            .find(|(given, _)| *given == name)
            .map(|(_, value)| &**value)
    };
    assert_eq!(
        header("Content-Type"),
        Some("text/plain; version=0.0.4; charset=utf-8")
    );
    assert_eq!(header("Cache-Control"), Some("no-store"));
    let body = String::from_utf8(reply.body.to_vec()).expect("UTF-8");
    assert!(
        body.contains("procurement_lookup_rate_limited_total{limit=\"rnp\"} 5\n"),
        "{body}"
    );
}

#[test]
fn other_paths_and_methods_are_not_answered() {
    let admin = admin(data, || true);
    for path in [
        "/",
        "/healthz/",
        "/Healthz",
        "/rnp/check-supplier?apikey=x",
        "*",
        "",
    ] {
        assert_eq!(
            text(&admin, "GET", path),
            (404, "not found\n".to_owned()),
            "{path}"
        );
    }
    for path in ["/healthz", "/readyz", "/metrics"] {
        let reply = admin.answer("POST", path, now());
        assert_eq!(reply.status, 405);
        assert!(reply.headers.contains(&("Allow", "GET, HEAD".into())));
    }
}

#[test]
fn the_server_answers_on_its_own_port_until_it_is_stopped() {
    let server = listen(&Address::Tcp(([127, 0, 0, 1], 0).into()))
        .and_then(|listening| listening.serve_admin(Arc::new(admin(data, || true))))
        .expect("a server");
    let ask = |request: &str| {
        let mut stream = TcpStream::connect(server.address().to_string()).expect("a connection");
        let head = format!("{request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("written");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    let answer = ask("GET /healthz");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.ends_with("\r\n\r\nok\n"), "{answer}");
    let answer = ask("HEAD /healthz");
    assert!(
        answer.contains("Content-Length: 3\r\n") && answer.ends_with("\r\n\r\n"),
        "{answer}"
    );
    assert!(server.stop(), "it ends at once");
}
