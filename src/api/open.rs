//! What anyone may read without a key: the lookup page, what describes the service, and
//! what the service is. No record is among it.

use std::borrow::Cow;

use serde_json::json;

use super::described;
use super::error::Failure;
use super::query::{Query, Value};
use super::reply::Headers;
use crate::model::{Language, timestamp};
use crate::web;

/// What the page may load and do: what comes from here, nothing else; no script or style
/// within the HTML; and nobody may frame it.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// A resource that is open to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open<'a> {
    /// The lookup page.
    Page,
    /// A file of it, by its name.
    Asset(&'a str),
    /// What the service is.
    About,
    /// What describes it: the path.
    Described(&'a str),
}

/// What the service is, as far as anyone may know.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Does it answer from the demonstration data?
    pub demo: bool,
    /// The time of the last import that changed anything, in seconds since 1970; none
    /// where the data cannot be read.
    pub updated: Option<i64>,
}

/// A resource to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    pub content_type: &'static str,
    pub body: Cow<'static, str>,
}

impl<'a> Open<'a> {
    /// Under which names they are counted and logged.
    pub const LABELS: [&'static str; 6] = [
        "/",
        "/web",
        "/about.json",
        "/docs",
        "/openapi.json",
        "/schemas",
    ];

    /// The resource at `path`, if there is one there.
    pub fn of_path(path: &'a str) -> Option<Self> {
        match path {
            "/" => Some(Self::Page),
            "/about.json" => Some(Self::About),
            "/docs" | "/openapi.json" => Some(Self::Described(path)),
            _ if path.starts_with("/schemas/") => {
                described::resource(path, None).map(|_| Self::Described(path))
            }
            _ => {
                let name = path.strip_prefix("/web/")?;
                web::asset(name).map(|_| Self::Asset(name))
            }
        }
    }

    /// The name that it is counted and logged under.
    pub fn label(self) -> &'static str {
        match self {
            Self::Page => "/",
            Self::Asset(_) => "/web",
            Self::About => "/about.json",
            Self::Described("/docs") => "/docs",
            Self::Described("/openapi.json") => "/openapi.json",
            Self::Described(_) => "/schemas",
        }
    }

    /// Does it say how old the data is, so that the data has to be looked at?
    pub fn tells_of_the_data(self) -> bool {
        matches!(self, Self::Page | Self::About)
    }

    /// What is sent.
    pub fn content(self, language: Option<Language>, about: About) -> Result<Content, Failure> {
        let content = match self {
            Self::Page => {
                let json = about.json();
                let service = about.shown().zip(json.as_deref());
                let (content_type, body) = web::page(language.unwrap_or_default(), service);
                Some((content_type, body.into()))
            }
            Self::Asset(name) => web::asset(name).map(|file| (file.content_type, file.body.into())),
            Self::About => {
                let about = about.json().ok_or_else(no_data)?;
                Some(("application/json; charset=utf-8", about.into()))
            }
            Self::Described(path) => described::resource(path, language)
                .map(|(content_type, body)| (content_type, body.into())),
        };
        let (content_type, body) = content.ok_or(Failure::UnknownPath)?;
        Ok(Content { content_type, body })
    }

    /// The headers of an answer with it, beside those that tell its form.
    pub fn headers(self) -> Headers {
        vec![
            ("Cache-Control", "no-cache".into()),
            ("Vary", "Accept-Encoding, Accept-Language".into()),
            ("Content-Security-Policy", CONTENT_SECURITY_POLICY.into()),
            ("X-Frame-Options", "DENY".into()),
            ("Referrer-Policy", "no-referrer".into()),
        ]
    }
}

impl About {
    /// What the page's first view shows of it; none where the data cannot be read.
    fn shown(self) -> Option<web::Shown> {
        let demo = self.demo;
        self.updated.map(|updated| web::Shown { demo, updated })
    }

    fn json(self) -> Option<String> {
        let about = json!({
            "name": env!("CARGO_PKG_NAME"),
            "version": env!("CARGO_PKG_VERSION"),
            "demo": self.demo,
            "dataUpdated": timestamp(self.updated?),
        });
        Some(about.to_string())
    }
}

fn no_data() -> Failure {
    Failure::Server("the data cannot be read".to_owned())
}

/// The language that a request asks for, if it asks for one there is: by `lang`, else by
/// the values of `Accept-Language` (RFC 9110, 12.5.4).
pub fn language<'a>(
    query: &Query<'_>,
    accepted: impl Iterator<Item = &'a str>,
) -> Option<Language> {
    if let Value::One(code) = query.get("lang")
        && let Some(language) = Language::of_code(code)
    {
        return Some(language);
    }
    let mut best = None;
    for item in accepted.flat_map(|value| value.split(',')) {
        let (range, weight) = match item.split_once(';') {
            None => (item, 1000),
            Some((range, parameter)) => (range, super::encoding::weight(parameter).unwrap_or(0)),
        };
        let primary = range.trim().split('-').next().unwrap_or_default();
        if let Some(language) = Language::of_code(primary)
            && weight > best.map_or(0, |(_, weight)| weight)
        {
            best = Some((language, weight));
        }
    }
    best.map(|(language, _)| language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_one_that_is_asked_for_most() {
        let check = |query: &str, accepted: &'static str, expected| {
            let found = language(&Query::parse(query), [accepted].into_iter());
            assert_eq!(found, expected, "{query} {accepted}");
        };
        let (russian, english) = (Some(Language::Russian), Some(Language::English));
        check("", "", None);
        check("", "de, fr;q=0.5", None);
        check("", "en-US,en;q=0.9", english);
        check("", "ru-RU, en;q=0.9", russian);
        check("", "ru;q=0.5, en;q=0.9", english);
        check("", "en;q=0, ru;q=0.1", russian);
        check("", "en;q=x", None);
        check("", "EN", english);
        check("lang=ru", "en", russian);
        check("lang=EN", "ru", english);
        check("lang=de", "ru", russian);
    }
}
