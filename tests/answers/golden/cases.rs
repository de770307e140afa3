//! The cases: each request in its formats, and requests that fail.

use std::path::{Path, PathBuf};

use procurement_lookup::api::{Rate, Rates, Response};
use procurement_lookup::render::Format;

use super::requests::{ANSWERS, ERRORS, PLACES};
use crate::service::Service;

/// A request in one format, and the file with its response.
pub struct Case {
    /// The file, without `.xml.http` or `.json.http`.
    pub name: String,
    /// The format of the answer.
    pub format: Format,
    pub method: &'static str,
    pub target: String,
    pub headers: &'static [(&'static str, &'static str)],
    /// Is it requested when the key has used up its limit?
    pub past_limit: bool,
}

/// The limits that a case past the limit is past.
const LIMITS: Rates = Rates {
    key: Rate {
        per_second: 1,
        burst: 1,
    },
    ..Rates::OFF
};

impl Case {
    pub fn file(&self) -> PathBuf {
        let format = self.format.name();
        folder().join(format!("{}.{format}.http", self.name))
    }

    /// Returns whether the request is one that is answered with an error.
    pub fn is_error(&self) -> bool {
        self.name.contains("error-") || self.name == "unknown-path"
    }

    pub fn ask(&self, service: &mut Service) -> Response {
        if self.past_limit {
            service.api.set_limits(LIMITS);
            service.ask(self.method, &self.target, self.headers);
        }
        let response = service.ask(self.method, &self.target, self.headers);
        service.api.set_limits(Rates::OFF);
        response
    }
}

pub fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/answers/golden"))
}

/// The rest of a request beside path and query: method, key, headers.
#[derive(Clone, Copy)]
struct Asking {
    method: &'static str,
    key: &'static str,
    headers: &'static [(&'static str, &'static str)],
    past_limit: bool,
}

const USUAL: Asking = Asking {
    method: "GET",
    key: "apikey=KEY",
    headers: &[],
    past_limit: false,
};

fn target(parts: &[&str], path: &str) -> String {
    let given: Vec<&str> = parts
        .iter()
        .copied()
        .filter(|part| !part.is_empty())
        .collect();
    format!("{path}?{}", given.join("&"))
}

fn in_both_formats(name: &str, path: &str, query: &str, asking: Asking) -> [Case; 2] {
    let case = |format, parameter| Case {
        name: name.to_owned(),
        format,
        method: asking.method,
        target: target(&[query, asking.key, parameter], path),
        headers: asking.headers,
        past_limit: asking.past_limit,
    };
    [
        case(Format::Xml, "format=xml"),
        case(Format::Json, "format=json"),
    ]
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut both = |name: &str, path: &str, query: &str, asking: Asking| {
        cases.extend(in_both_formats(name, path, query, asking));
    };
    for (name, path, query) in ANSWERS.iter().chain(ERRORS) {
        both(name, path, query, USUAL);
    }
    let mut as_csv = Vec::new();
    for (name, path, query) in ANSWERS.iter().chain(ERRORS.first()) {
        as_csv.push(Case {
            name: (*name).to_owned(),
            format: Format::Csv,
            method: USUAL.method,
            target: target(&[query, USUAL.key, "format=csv"], path),
            headers: USUAL.headers,
            past_limit: false,
        });
    }
    for (place, path, query, damaged) in PLACES {
        let mut error = |name: &str, query: &str, asking: Asking| {
            both(&format!("{place}/{name}"), path, query, asking);
        };
        error("error-key-missing", query, Asking { key: "", ..USUAL });
        let unknown = Asking {
            key: "apikey=no-such-key",
            ..USUAL
        };
        error("error-key-unknown", query, unknown);
        let revoked = Asking {
            key: "api_key=REVOKEDKEY",
            ..USUAL
        };
        error("error-key-revoked", query, revoked);
        let post = Asking {
            method: "POST",
            ..USUAL
        };
        error("error-method", query, post);
        let too_many = Asking {
            past_limit: true,
            ..USUAL
        };
        error("error-too-many", query, too_many);
        error("error-server", damaged, USUAL);
        let cached = Asking {
            key: "",
            headers: &[("X-API-Key", "KEY"), ("If-None-Match", "*")],
            ..USUAL
        };
        error("not-modified", query, cached);
    }
    both("unknown-path", "/nowhere", "", USUAL);
    cases.extend(as_csv);
    for (place, path, query, _) in PLACES {
        cases.push(Case {
            name: format!("{place}/error-format"),
            format: Format::Xml,
            method: "GET",
            target: target(&[query, "apikey=KEY", "format=yaml"], path),
            headers: &[],
            past_limit: false,
        });
    }
    cases
}
