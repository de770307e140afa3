//! Requests with any method, target and headers, on the bundled data.
//!
//! An input has method and target on the first line and a header (`name: value`) on each following
//! line. The target also adds an invalid key in one of four places, and asserts that no response or
//! log contains it.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use procurement_lookup::api::{Answerer, Api, DataSource, Request, Response};
use procurement_lookup::model::{Date, Moment};
use procurement_lookup::render::Format;
use procurement_lookup::store::KeyRing;

use super::read_back::read;

const KEY: &str = "aKeyThatNobodyMayEverSee-0123456789_ABCDEFG";

/// Maximum size of an input; the engine rejects longer request heads.
const MAX_REQUEST: usize = 16 << 10;

thread_local! {
    static ANSWERER: RefCell<Answerer> = RefCell::new(answerer());
}

fn answerer() -> Answerer {
    let today = Date::parse_iso("2025-06-15").expect("a day");
    let api = Api::new(
        DataSource::Bundled,
        KeyRing::empty(),
        Box::new(move || Moment::from_day(today)),
    );
    Arc::new(api).answerer().expect("the bundled data")
}

fn respond(request: &Request<'_>) -> Response {
    ANSWERER.with_borrow_mut(|answerer| answerer.answer(request))
}

pub fn run(data: &[u8]) {
    if data.len() > MAX_REQUEST {
        return;
    }
    let text = String::from_utf8_lossy(data);
    let request = request(&text);
    let response = respond(&request);
    assert_valid(&request, &response);
    assert_eq!(
        response,
        respond(&request),
        "a repeated request has another response"
    );
    assert_head_equals_get(&request);
    let header = |wanted| response.headers.iter().find(|(name, _)| *name == wanted);
    // A receipt signs a response body, so the API never answers 304 if a receipt is requested.
    if let (Some((_, tag)), None) = (header("ETag"), header("X-Receipt")) {
        assert_not_modified(&request, tag);
    }
    if !text.contains(KEY) {
        assert_key_is_hidden(&request, data.len());
    }
}

fn header(line: &str) -> Option<(&str, Cow<'_, str>)> {
    let (name, value) = line.split_once(':')?;
    Some((name, value.trim().into()))
}

fn request(text: &str) -> Request<'_> {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let (method, target) = first.split_once(' ').unwrap_or(("GET", first));
    Request {
        method,
        target,
        headers: lines.map_while(header).collect(),
        ..Request::default()
    }
}

/// Asserts that the status is not a server error, that header values contain no control characters,
/// and that the body matches its content type.
fn assert_valid(request: &Request<'_>, response: &Response) {
    assert!(response.status.number() < 500, "{}", response.status);
    for (name, value) in &response.headers {
        assert!(!value.chars().any(char::is_control), "{name}: {value:?}");
    }
    if response
        .headers
        .iter()
        .any(|(name, _)| *name == "Content-Encoding")
    {
        return;
    }
    let body = std::str::from_utf8(&response.body).expect("UTF-8");
    let mut types = response
        .headers
        .iter()
        .filter(|(name, _)| *name == "Content-Type");
    match types.next().map(|(_, value)| &**value) {
        None => assert!(response.status == 304 && body.is_empty()),
        Some("application/xml; charset=utf-8") => drop(read(Format::Xml, body, "")),
        Some("application/json; charset=utf-8") => {
            let _: serde_json::Value = serde_json::from_str(body).expect("JSON");
            drop(read(Format::Json, body, ""));
        }
        Some("text/csv; charset=utf-8") => assert!(body.starts_with('\u{feff}')),
        Some(other) => assert!(other.starts_with("text/") || other.starts_with("image/")),
    }
    let is_read = matches!(request.method, "GET" | "HEAD");
    assert!(
        is_read || matches!(response.status.number(), 404 | 405),
        "{}",
        response.status
    );
}

fn assert_head_equals_get(request: &Request<'_>) {
    let by = |method: &str| {
        respond(&Request {
            method,
            ..request.clone()
        })
    };
    assert_eq!(by("HEAD"), by("GET"));
}

fn assert_not_modified(request: &Request<'_>, tag: &str) {
    let mut request = request.clone();
    request
        .headers
        .retain(|(name, _)| !name.eq_ignore_ascii_case("If-None-Match"));
    request.headers.push(("If-None-Match", tag.into()));
    assert_eq!(respond(&request).status, 304);
}

fn assert_key_is_hidden(request: &Request<'_>, place: usize) {
    let target;
    let mut request = request.clone();
    let header = match place % 4 {
        0 => Some(("x-api-key", KEY.to_owned())),
        1 => Some(("AUTHORIZATION", format!("Bearer {KEY}"))),
        _ => None,
    };
    match header {
        Some((name, value)) => request.headers.push((name, value.into())),
        None => {
            let (path, rest) = match request.target.split_once('?') {
                Some((path, rest)) => (path, rest),
                None => (request.target, ""),
            };
            let name = ["apikey", "api_key"][place % 2];
            target = format!("{path}?{name}={KEY}&{rest}");
            request.target = &target;
        }
    }
    let response = respond(&request);
    assert_valid(&request, &response);
    let shown = format!("{:?} {:?}", response.headers, response.note);
    assert!(!shown.contains(KEY), "{shown}");
    let body = String::from_utf8_lossy(&response.body);
    assert!(!body.contains(KEY), "{body}");
}
