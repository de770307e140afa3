//! Parses the target of a request, before any check.

use percent_encoding::utf8_percent_encode;

use super::endpoints::{Endpoint, MAX_IGNORED_LENGTH};
use super::open::Open;
use super::request::Request;
use super::request::accept::{language, only_format};
use super::request::parameter_table::PURCHASE_NUMBER_223;
use super::request::query::{self, ENCODED, Query, QueryValue};
use crate::model::Language;
use crate::render::Root;

/// Maximum number of unknown parameters that are named in a header.
pub const MAX_IGNORED: usize = 10;

pub struct Target<'a> {
    pub route: Route,
    pub query: Query<'a>,
    /// The language that the client prefers.
    pub language: Option<Language>,
}

/// The endpoint or resource that a path leads to.
#[derive(Clone, Copy)]
pub enum Route {
    Endpoint(&'static Endpoint),
    Open(Open),
    Unknown,
    /// The target has no path (`OPTIONS *`, `CONNECT host:port`).
    NoPath,
}

impl<'a> Target<'a> {
    pub fn offline(endpoint: &'static Endpoint, parameters: &[(&'a str, &'a str)]) -> Self {
        Self {
            route: Route::Endpoint(endpoint),
            query: Query::from_pairs(parameters),
            language: None,
        }
    }

    pub fn read(request: &Request<'a>) -> Self {
        let (path, query) = query::split_target(request.target);
        let route = match Endpoint::at(path) {
            Some(endpoint) => Route::Endpoint(endpoint),
            None => match Open::from_path(path) {
                Some(open) => Route::Open(open),
                None if request.has_path() => Route::Unknown,
                None => Route::NoPath,
            },
        };
        let query = Query::parse(query);
        let language = language(&query, request.header("Accept-Language"));
        let format = only_format(request.header("Accept"));
        Self {
            route,
            query: query.with_preferences(format, language),
            language,
        }
    }

    pub fn endpoint(&self) -> Option<&'static Endpoint> {
        match self.route {
            Route::Endpoint(endpoint) => Some(endpoint),
            _ => None,
        }
    }

    /// Returns the name of the path in metrics and logs, if it is one of the service's own.
    pub fn label(&self) -> Option<&'static str> {
        match self.route {
            Route::Endpoint(endpoint) => Some(endpoint.path),
            Route::Open(open) => Some(open.label()),
            Route::Unknown | Route::NoPath => None,
        }
    }

    /// Returns the names of parameters that the endpoint does not know, without their values.
    /// Separators, and characters that headers must not contain, are percent-encoded.
    pub fn ignored_parameters(&self) -> Option<String> {
        let endpoint = self.endpoint()?;
        let mut names: Vec<&str> = Vec::new();
        for name in endpoint.unknown_parameters(&self.query) {
            let is_short = name.chars().nth(MAX_IGNORED_LENGTH).is_none();
            if names.len() < MAX_IGNORED && is_short && !names.contains(&name) {
                names.push(name);
            }
        }
        let encode = |name| utf8_percent_encode(name, ENCODED).to_string();
        let encoded = names.into_iter().map(encode);
        let encoded: Vec<String> = encoded.collect();
        (!encoded.is_empty()).then(|| encoded.join(", "))
    }

    /// Returns the root element of an error (manual, "API", "Errors").
    pub fn error_root(&self) -> Root {
        let Some(endpoint) = self.endpoint() else {
            return Root::Data;
        };
        let number = self.query.get(PURCHASE_NUMBER_223.name, None);
        match (endpoint.root, number) {
            (Root::Purchase223, QueryValue::One(number)) if is_18_digits(number) => {
                Root::Purchase615
            }
            (root, _) => root,
        }
    }
}

fn is_18_digits(text: &str) -> bool {
    text.len() == 18 && text.bytes().all(|byte| byte.is_ascii_digit())
}
