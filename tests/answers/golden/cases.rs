//! The cases: successful requests in each format, and failed requests.

use std::path::{Path, PathBuf};

use procurement_lookup::api::{Rate, Rates, Response};
use procurement_lookup::render::Format;

use super::requests::{answers, errors, places};
use crate::service::Service;

/// A request in one format. It determines the golden file.
pub struct Case {
    /// File name without `.xml.http` or `.json.http`.
    pub name: String,
    pub format: Format,
    pub method: &'static str,
    pub target: String,
    pub headers: &'static [(&'static str, &'static str)],
    /// Whether the key has exceeded its rate limit.
    pub past_limit: bool,
}

/// Rate limits for the cases that exceed them.
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

impl Case {
    fn new(name: impl Into<String>, format: Format, path: &str, query: &str) -> Self {
        Self {
            name: name.into(),
            format,
            method: "GET",
            target: target(
                path,
                &[query, "apikey=KEY", &format!("format={}", format.name())],
            ),
            headers: &[],
            past_limit: false,
        }
    }
}

fn target(path: &str, parts: &[&str]) -> String {
    let given: Vec<&str> = parts
        .iter()
        .copied()
        .filter(|part| !part.is_empty())
        .collect();
    format!("{path}?{}", given.join("&"))
}

pub fn cases() -> Vec<Case> {
    let both = [Format::Xml, Format::Json];
    let mut cases = Vec::new();
    for [name, path, query] in answers().chain(errors()) {
        cases.extend(both.map(|format| Case::new(name, format, path, query)));
    }
    for [place, path, query, damaged] in places() {
        for (name, query, key) in [
            ("error-key-missing", query, ""),
            ("error-key-unknown", query, "apikey=no-such-key"),
            ("error-key-revoked", query, "api_key=REVOKEDKEY"),
            ("error-method", query, "apikey=KEY"),
            ("error-too-many", query, "apikey=KEY"),
            ("error-server", damaged, "apikey=KEY"),
            ("not-modified", query, ""),
        ] {
            cases.extend(both.map(|format| Case {
                target: target(path, &[query, key, &format!("format={}", format.name())]),
                method: if name == "error-method" {
                    "POST"
                } else {
                    "GET"
                },
                past_limit: name == "error-too-many",
                headers: match name {
                    "not-modified" => &[("X-API-Key", "KEY"), ("If-None-Match", "*")],
                    _ => &[],
                },
                ..Case::new(format!("{place}/{name}"), format, path, query)
            }));
        }
    }
    cases.extend(both.map(|format| Case::new("unknown-path", format, "/nowhere", "")));
    for [name, path, query] in answers().chain(errors().take(1)) {
        cases.push(Case::new(name, Format::Csv, path, query));
    }
    for [place, path, query, _] in places() {
        cases.push(Case {
            target: target(path, &[query, "apikey=KEY", "format=yaml"]),
            ..Case::new(format!("{place}/error-format"), Format::Xml, path, query)
        });
    }
    cases
}
