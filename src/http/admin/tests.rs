use serde_json::{Value, json};

use super::super::proxies::Proxies;
use super::super::{Address, listen};
use super::*;
use crate::api::{Answerer, DataSource};
use crate::model::{CompleteDays, Date, Moment};
use crate::store::KeyRing;

fn api(source: DataSource) -> Arc<Api> {
    let day = Date::parse_iso("2026-11-21").expect("a day");
    Arc::new(Api::new(
        source,
        KeyRing::empty(),
        Box::new(move || Moment::from_day(day)),
    ))
}

/// The admin server of a service with one worker, on the bundled data.
fn admin(max_ages: MaxAges) -> Admin {
    let api = api(DataSource::Bundled);
    let answerer = api.answerer().expect("the bundled data");
    build(api, vec![answerer], max_ages)
}

fn build(api: Arc<Api>, answerers: Vec<Answerer>, max_ages: MaxAges) -> Admin {
    build_audited(api, answerers, max_ages, None)
}

fn build_audited(
    api: Arc<Api>,
    answerers: Vec<Answerer>,
    max_ages: MaxAges,
    audit: Option<Audit>,
) -> Admin {
    let telemetry = Telemetry::new(now(), answerers.len());
    let trust = Arc::new(Trust::new(Proxies::default(), None));
    let mut telemetry = telemetry.expect("random numbers");
    telemetry.audit = audit;
    let telemetry = Arc::new(telemetry);
    let running = listen(&Address::Tcp(([127, 0, 0, 1], 0).into()))
        .and_then(|listening| {
            let engine = Engine::default();
            listening.serve(answerers, &telemetry, &trust, engine, Bounds::default())
        })
        .expect("a server");
    Admin::new(api, telemetry, trust, &running, max_ages)
}

/// Two hours after the last change of the bundled data.
fn now() -> SystemTime {
    let updated = data().updated.try_into().expect("after 1970");
    SystemTime::UNIX_EPOCH + Duration::from_secs(updated) + Duration::from_secs(7_200)
}

fn data() -> DataState {
    let api = api(DataSource::Bundled);
    let mut data = api.data_state().expect("the bundled data");
    data.registries.of_every_day = false;
    data
}

fn ready(admin: &Admin) -> (u16, Value) {
    let response = admin.answer("GET", "/readyz", now());
    let body = serde_json::from_slice(&response.body).expect("JSON");
    (response.status.number(), body)
}

fn text(admin: &Admin, method: &str, target: &str) -> (u16, String) {
    let response = admin.answer(method, target, now());
    (
        response.status.number(),
        String::from_utf8(response.body.to_vec()).expect("UTF-8"),
    )
}

#[test]
fn health_reports_whether_the_service_is_alive() {
    let alive = admin(MaxAges::default());
    assert_eq!(text(&alive, "GET", "/healthz"), (200, "ok\n".to_owned()));
    assert_eq!(text(&alive, "HEAD", "/healthz?x").0, 200);
    // A service without workers is not alive.
    let dead = build(api(DataSource::Bundled), Vec::new(), MaxAges::default());
    assert_eq!(
        text(&dead, "GET", "/healthz"),
        (503, "not alive\n".to_owned())
    );
}

#[test]
fn keys_may_be_unreadable_for_a_while() {
    let check = |failing: Option<Duration>| {
        let keys = KeyState {
            valid: 1,
            ending: Vec::new(),
            is_unread: false,
            is_missing: false,
            failing: failing.map(|span| (span, "damaged".to_owned())),
        };
        check_keys(&keys, true)
    };
    let just_before = UNREADABLE_KEYS - Duration::from_millis(1);
    assert_eq!([None, Some(just_before)].map(check), [Ok(()); 2]);
    let reason = "the keys cannot be read, so a revoked key may still be valid";
    assert_eq!(check(Some(UNREADABLE_KEYS)), Err(reason));
}

#[test]
fn readiness_states_the_data_and_its_age() {
    let data = data();
    let expected = json!({
        "ready": true, "reason": null, "version": data.version(),
        "updated": data.updated_at(), "age_seconds": 7200, "new_file": null, "audit": null
    });
    assert!(data.updated_at().ends_with('Z') && data.updated_at().len() == 20);
    assert_eq!(ready(&admin(MaxAges::default())), (200, expected));
}

#[test]
fn data_older_than_the_bound_is_not_ready() {
    let of_age = |seconds| MaxAges {
        data: Some(Duration::from_secs(seconds)),
        registry: None,
    };
    assert_eq!(ready(&admin(of_age(7_200))).0, 200);
    let (status, body) = ready(&admin(of_age(7_199)));
    assert_eq!(status, 503);
    assert_eq!(body["ready"], false);
    assert_eq!(body["reason"], "the data is older than --max-data-age");
    assert_eq!(body["age_seconds"], 7_200);
}

#[test]
fn a_clock_set_back_is_visible_in_the_age_of_data() {
    let hour = Duration::from_secs(3_600);
    let data = data();
    let ages = MaxAges {
        data: Some(hour * 24),
        registry: None,
    };
    let before = now() - hour * 24;
    assert_eq!(data.age_seconds(before), data.age_seconds(now()) - 86_400);
    let behind = "the clock is before the last import, so the age of the data is unknown";
    assert_eq!(ages.check(&data, before), Err(behind));
    assert_eq!(MaxAges::default().check(&data, before), Ok(()));
}

#[test]
fn a_registry_older_than_its_declared_bound_is_not_ready() {
    let day = Duration::from_secs(86_400);
    let declared = data();
    let age = declared.registry_age(now()).expect("it is declared");
    let of_age = |registry| MaxAges {
        data: None,
        registry: Some(registry),
    };
    assert_eq!(of_age(age).check(&declared, now()), Ok(()));
    let check = of_age(age).check(&declared, now() + day);
    let old = "a registry of unfair suppliers is older than --max-registry-age";
    assert_eq!(check, Err(old));
    let mut undeclared = declared;
    for registry in &mut undeclared.registries.all {
        registry.complete = None;
    }
    assert_eq!(
        of_age(Duration::ZERO).check(&undeclared, now() + day),
        Ok(())
    );
}

#[test]
fn a_registry_is_as_old_as_the_days_since_it_was_complete() {
    let mut data = data();
    for registry in &mut data.registries.all {
        let day = Date::parse_iso("2026-02-28").expect("a day");
        registry.complete = CompleteDays::new(&[day].into(), &[], None);
    }
    // Midnight of 2026-03-01 in Moscow, then one second earlier.
    let midnight = SystemTime::UNIX_EPOCH + Duration::from_secs(1_772_312_400);
    let day = Duration::from_secs(86_400);
    assert_eq!(data.registry_age(midnight), Some(day));
    let before = midnight - Duration::from_secs(1);
    assert_eq!(data.registry_age(before), Some(Duration::ZERO));
    assert_eq!(data.registry_age(before - day), Some(Duration::ZERO));
}

#[test]
fn unreadable_data_is_not_ready_and_internals_are_hidden() {
    let missing = api(DataSource::File("/secret/path".into()));
    let admin = build(missing, Vec::new(), MaxAges::default());
    let (status, body) = ready(&admin);
    let expected = json!({
        "ready": false, "reason": "the data cannot be read", "version": null,
        "updated": null, "age_seconds": null, "new_file": null, "audit": null
    });
    assert_eq!((status, body), (503, expected));
    let (status, figures) = text(&admin, "GET", "/metrics");
    assert_eq!(status, 200);
    assert!(
        figures.contains("procurement_lookup_data_readable 0\n"),
        "{figures}"
    );
    assert!(!figures.contains("secret"), "{figures}");
}

#[cfg(feature = "postgresql")]
#[test]
fn a_service_with_unreachable_servers_is_alive_but_not_ready() {
    // Nothing listens on port 1.
    let address = "postgresql://nobody@127.0.0.1:1/nothing";
    let address = crate::store::RemoteServers::parse(address, &|_| None).expect("an address");
    let api = api(DataSource::Server(address));
    let answerer = api.answerer().expect("nobody is asked yet");
    let admin = build(api, vec![answerer], MaxAges::default());
    for _ in 0..2 {
        let (status, body) = ready(&admin);
        let expected = json!({
            "ready": false, "reason": "no PostgreSQL server can answer", "version": null,
            "updated": null, "age_seconds": null, "new_file": null, "audit": null
        });
        assert_eq!((status, body), (503, expected));
    }
    let (_, figures) = text(&admin, "GET", "/metrics");
    assert!(
        figures.contains("procurement_lookup_data_readable 0\n"),
        "{figures}"
    );
    assert_eq!(text(&admin, "GET", "/healthz").0, 200);
}

#[test]
fn a_stopping_service_is_alive_but_not_ready() {
    let admin = admin(MaxAges::default());
    admin.set_stopping();
    let (status, body) = ready(&admin);
    assert_eq!(
        (status, &body["reason"]),
        (503, &json!("the service is stopping"))
    );
    assert_eq!(text(&admin, "GET", "/healthz").0, 200);
}

/// A disk that rejects every line, or hangs on the first.
struct BadDisk {
    hangs: bool,
}

impl std::io::Write for BadDisk {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        if self.hangs {
            loop {
                std::thread::park();
            }
        }
        Err(io::Error::other("full"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the admin server of a service whose audit trail is on a bad disk, and whether a lookup
/// was answered.
fn with_disk(hangs: bool, is_required: bool) -> (Admin, bool) {
    let mut audit = Audit::over(BadDisk { hangs }).expect("a thread");
    audit.is_required = is_required;
    let note = Note {
        lookup: Some(crate::api::AuditedLookup {
            endpoint: "/find",
            query: None,
            day: None,
            suppliers: Vec::new(),
            result: None,
        }),
        ..Note::default()
    };
    let is_answered = audit.record("id", None, &note, Status::Ok);
    let api = api(DataSource::Bundled);
    let answerer = api.answerer().expect("the bundled data");
    let admin = build_audited(api, vec![answerer], MaxAges::default(), Some(audit));
    (admin, is_answered)
}

#[test]
fn an_optional_audit_trail_that_hangs_blocks_nothing() {
    let (admin, is_answered) = with_disk(true, false);
    assert!(is_answered);
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(text(&admin, "GET", path).0, 200, "{path}");
    }
}

#[test]
fn a_service_with_an_unwritable_required_audit_trail_is_not_ready() {
    let (admin, is_answered) = with_disk(false, true);
    assert!(!is_answered);
    let start = Instant::now();
    // The lookup's reply is sent before the failure is recorded.
    while ready(&admin).0 == 200 {
        assert!(start.elapsed() < Duration::from_secs(30));
    }
    let (_, body) = ready(&admin);
    let reason = "the audit trail cannot be written, so every lookup is refused";
    assert_eq!(
        (&body["reason"], &body["audit"]),
        (&json!(reason), &json!("failing"))
    );
    let (_, figures) = text(&admin, "GET", "/metrics");
    assert!(
        figures.contains("procurement_lookup_audit_failed_total 1\n"),
        "{figures}"
    );
}

#[test]
fn metrics_are_in_the_exposition_format() {
    let admin = admin(MaxAges::default());
    let response = admin.answer("GET", "/metrics", now());
    let header = |name| {
        let mut headers = response.headers.iter();
        headers
            .find(|(given, _)| *given == name)
            .map(|(_, value)| &**value)
    };
    assert_eq!(
        header("Content-Type"),
        Some("text/plain; version=0.0.4; charset=utf-8")
    );
    assert_eq!(header("Cache-Control"), Some("no-store"));
    let body = String::from_utf8(response.body.to_vec()).expect("UTF-8");
    assert!(
        body.contains("procurement_lookup_rate_limited_total{limit=\"rnp\"} 0\n"),
        "{body}"
    );
}

#[test]
fn other_paths_and_methods_are_not_answered() {
    let admin = admin(MaxAges::default());
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
        let response = admin.answer("POST", path, now());
        assert_eq!(response.status, 405);
        assert!(response.headers.contains(&("Allow", "GET, HEAD".into())));
    }
}

#[cfg(feature = "postgresql")]
#[test]
fn while_keys_are_unreadable_requests_get_503_and_the_service_is_not_ready() {
    use crate::store::{KeyStore, RemoteServers};
    let address = RemoteServers::parse("postgresql://reader@127.0.0.1:1/keys", &|_| None);
    let keys = KeyStore::Server(address.expect("an address"));
    let keys = KeyRing::new(&keys).expect("none yet");
    let day = Date::parse_iso("2026-11-21").expect("a day");
    let api = Arc::new(Api::new(
        DataSource::Bundled,
        keys,
        Box::new(move || Moment::from_day(day)),
    ));
    let mut answerer = api.answerer().expect("the bundled data");
    let mut status = |key: &[&'static str]| {
        let headers = key.iter().map(|key| ("X-API-Key", (*key).into()));
        let request = crate::api::Request {
            method: "GET",
            target: "/rnp/check-supplier?supplierINN=7700000000",
            headers: headers.collect(),
            ..crate::api::Request::default()
        };
        answerer.answer(&request).status
    };
    assert_eq!(status(&["one"]), 503);
    assert_eq!(status(&[]), 401);
    let (status, body) = ready(&build(api, vec![answerer], MaxAges::default()));
    assert_eq!(status, 503);
    assert_eq!(body["reason"], "the keys could not be read yet");
}
