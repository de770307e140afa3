//! Requests: method, target and headers of any kind, over the bundled data.
//!
//! An input is a text: the method and the target on the first line, a header (`name:
//! value`) on each line after it. A key that is not valid is added in one of four
//! places, to see that it is echoed nowhere.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use procurement_lookup::api::{Answerer, Api, DataSource, Request, Response};
use procurement_lookup::model::{Date, Moment};
use procurement_lookup::render::Format;
use procurement_lookup::store::KeyRing;

use super::read_back::read;

/// A key that nobody has.
const KEY: &str = "aKeyThatNobodyMayEverSee-0123456789_ABCDEFG";

/// The longest request: the engine takes no longer heads.
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

fn ask(request: &Request<'_>) -> Response {
    ANSWERER.with_borrow_mut(|answerer| answerer.answer(request))
}

/// Answers a request in several ways; see the assertions.
pub fn run(data: &[u8]) {
    if data.len() > MAX_REQUEST {
        return;
    }
    let text = String::from_utf8_lossy(data);
    let request = request(&text);
    let response = ask(&request);
    assert_sound(&request, &response);
    assert_eq!(response, ask(&request), "the same request, another answer");
    assert_head_is_get(&request);
    let header = |wanted| response.headers.iter().find(|(name, _)| *name == wanted);
    // A receipt is of an answer, which is given then whatever is known.
    if let (Some((_, tag)), None) = (header("ETag"), header("X-Receipt")) {
        assert_known_by_its_tag(&request, tag);
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

/// The status is not that of a failure of ours; headers cannot be
/// broken out of; the body is what its type says.
fn assert_sound(request: &Request<'_>, response: &Response) {
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
        // Rows, and the lookup page with what describes the service.
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

fn assert_head_is_get(request: &Request<'_>) {
    let by = |method: &str| {
        ask(&Request {
            method,
            ..request.clone()
        })
    };
    assert_eq!(by("HEAD"), by("GET"));
}

fn assert_known_by_its_tag(request: &Request<'_>, tag: &str) {
    let mut request = request.clone();
    request
        .headers
        .retain(|(name, _)| !name.eq_ignore_ascii_case("If-None-Match"));
    request.headers.push(("If-None-Match", tag.into()));
    assert_eq!(ask(&request).status, 304);
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
    let response = ask(&request);
    assert_sound(&request, &response);
    let shown = format!("{:?} {:?}", response.headers, response.note);
    assert!(!shown.contains(KEY), "{shown}");
    let body = String::from_utf8_lossy(&response.body);
    assert!(!body.contains(KEY), "{body}");
}
