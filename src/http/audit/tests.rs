use std::fs;
use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::api::{Answerer, Api, AuditedLookup, DataSource, LookupResult, Request};
use crate::store::KeyRing;

const KEY: &str = "c0jLNgYF4hIV_tkSAmcGuJ67J25D1XNxuP0bZtrk6i4";

fn record(audit: &Audit, note: &Note, status: Status) {
    let client = "203.0.113.7".parse().ok();
    assert!(audit.record("x-1", client, note, status), "it is written");
}

fn answerer(cache: usize) -> Answerer {
    let day = crate::model::Date::new(2026, 11, 22).expect("a day");
    let api = Api::new(
        DataSource::Bundled,
        KeyRing::empty(),
        Box::new(move || crate::model::Moment::from_day(day)),
    );
    let mut api = api.caching(cache);
    api.is_audited = true;
    Arc::new(api).answerer().expect("the bundled data")
}

/// Returns the audit lines of a request that carries the key twice: in `X-API-Key` and, as browsers
/// send it, in `Authorization`.
fn lines(answerer: &mut Answerer, target: &str, etag: Option<&str>) -> Vec<Value> {
    let basic = ("Authorization", "Basic OmRlbW8=".into());
    let mut headers = vec![("X-API-Key", "demo".into()), basic];
    headers.extend(etag.map(|etag| ("If-None-Match", etag.into())));
    let response = answerer.answer(&Request {
        method: "GET",
        target,
        headers,
        ..Request::default()
    });
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit");
    let mut audit = Audit::to_file(&path).expect("a file");
    audit.is_required = true;
    record(&audit, &response.note, response.status);
    read(&path)
}

fn read(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("the file");
    let line = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    text.lines().map(line).collect()
}

/// Removes the time, which comes from the clock.
fn without_time(line: &Value) -> Value {
    let mut line = line.clone();
    let time = line.as_object_mut().and_then(|line| line.remove("time"));
    let time = time.and_then(|time| time.as_str().map(str::to_owned));
    let time = time.expect("a time");
    assert!(time.len() == 24 && time.ends_with('Z'), "{time}");
    line
}

#[test]
fn a_line_states_client_request_day_and_result() {
    let target = "/rnp/check-suppliers?format=json&supplierINN=9602006662,+7707083893,9602006662";
    let lines = lines(&mut answerer(0), target, None);
    let [line] = lines.as_slice() else {
        panic!("{lines:?}")
    };
    assert_eq!(
        without_time(line),
        json!({
            "id": "x-1", "key": "demo", "client": "203.0.113.7",
            "endpoint": "/rnp/check-suppliers",
            "query": "format=json&supplierINN=9602006662%2C7707083893%2C9602006662",
            "asOf": "2026-11-22", "results": null,
            "verdicts": [
                {"supplierINN": "9602006662", "verdict": "listed"},
                {"supplierINN": "7707083893", "verdict": "not-listed"},
                {"supplierINN": "9602006662", "verdict": "listed"},
            ],
            "status": 200, "error": null,
        })
    );
}

#[test]
fn each_endpoint_records_its_verdict_or_count() {
    for (target, expected) in [
        (
            "/rnp/check-supplier?supplierINN=9602006662",
            json!([null, "listed", 200, null]),
        ),
        (
            "/rnp/check-supplier?supplierINN=9602003012",
            json!([null, "not-listed", 200, null]),
        ),
        (
            "/rnp/check-supplier?supplierINN=9602006662&asOf=2028-10-17",
            json!([null, "previously-listed", 200, null]),
        ),
        (
            "/rnp/check-supplier?supplierINN=7707083893",
            json!([null, "not-listed", 404, "404"]),
        ),
        (
            "/rnp/check-supplier?supplierINN=1",
            json!([null, null, 400, "400"]),
        ),
        (
            "/contract/monitor-supplier44?supplierINN=9602007779",
            json!([0, null, 200, null]),
        ),
        (
            "/contract/monitor-supplier44?supplierINN=9602007779&stage=X",
            json!([null, null, 200, "400"]),
        ),
        (
            "/contract/summary-supplier44?supplierINN=9602007779",
            json!([0, null, 200, null]),
        ),
        (
            "/purchase/demo615?purchaseNumber=029620004102400014",
            json!([1, null, 200, null]),
        ),
        (
            "/purchase/demo615?purchaseNumber=029620004102400099",
            json!([0, null, 200, "error"]),
        ),
    ] {
        let lines = lines(&mut answerer(0), target, None);
        let found = |line: &Value| {
            json!([
                line["results"],
                line["verdicts"][0]["verdict"],
                line["status"],
                line["error"]
            ])
        };
        let found: Vec<_> = lines.iter().map(found).collect();
        assert_eq!(found, [expected], "{target}");
    }
}

#[test]
fn cached_answers_and_304s_record_the_result() {
    for cache in [0, 1 << 20] {
        let mut answerer = answerer(cache);
        let target = "/rnp/check-supplier?supplierINN=9602006662";
        let first = answerer.answer(&Request {
            method: "GET",
            target: &format!("{target}&apikey=demo"),
            ..Request::default()
        });
        let etag = first.headers.iter().find(|(name, _)| *name == "ETag");
        let (_, etag) = etag.expect("a tag").clone();
        for (etag, status) in [(None, 200), (Some(&*etag), 304), (Some("*"), 304)] {
            let lines = lines(&mut answerer, target, etag);
            assert_eq!(lines[0]["verdicts"][0]["verdict"], "listed", "{lines:?}");
            assert_eq!(lines[0]["status"], status, "{lines:?}");
        }
    }
}

#[test]
fn requests_without_a_valid_key_are_not_recorded() {
    let mut answerer = answerer(0);
    for target in [
        "/rnp/check-supplier?supplierINN=9602006662&apikey=wrong",
        "/nowhere",
        "/about.json",
        "/lookup",
    ] {
        assert_eq!(
            lines(&mut answerer, target, None),
            [] as [Value; 0],
            "{target}"
        );
    }
}

#[test]
fn lines_contain_no_possible_key_and_no_line_end() {
    let target = format!("/rnp/check-suppliers?supplierINN={KEY},x.{KEY}%20y,1%E2%80%A8%0A2");
    let lines = lines(&mut answerer(0), &target, None);
    assert_eq!(
        lines[0]["query"],
        "supplierINN=***%2Cx.***%20y%2C1%E2%80%A8%0A2"
    );
    let named = |at: usize| lines[0]["verdicts"][at]["supplierINN"].clone();
    assert_eq!([named(0), named(1)], ["***", "x.*** y"]);
    assert_eq!(named(2), "1%E2%80%A8%0A2");
}

#[test]
fn waiting_lines_are_written_at_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("audit");
    let audit = Audit::to_file(&path).expect("a file");
    let note = Note {
        lookup: Some(AuditedLookup {
            endpoint: "/contract/monitor-supplier44",
            query: Some(String::new()),
            day: None,
            suppliers: Vec::new(),
            result: Some(LookupResult::Count(7)),
        }),
        ..Note::default()
    };
    for _ in 0..100 {
        record(&audit, &note, Status::Ok);
    }
    audit.end();
    assert_eq!(read(&path).len(), 100);
    assert_eq!(audit.state(Instant::now()), TrailState::Current);
}
