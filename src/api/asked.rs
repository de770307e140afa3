//! What can be told of a request before anything is checked.

use super::endpoint::Endpoint;
use super::open::Open;
use super::query::{self, Query, Value};
use super::request::Request;
use crate::render::{Format, Root};

/// What a request asks for.
pub struct Asked<'a> {
    pub place: Place,
    pub query: Query<'a>,
    /// The format to answer an error in: the one asked for, where it can be told.
    pub format: Format,
}

/// What is at the path of a request.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    Endpoint(Endpoint),
    Open(Open),
    /// Nothing.
    Unknown,
    /// The target names no path at all (`OPTIONS *`, `CONNECT host:port`).
    NoPath,
}

impl<'a> Asked<'a> {
    pub fn of(request: &Request<'a>) -> Self {
        let (path, query) = query::split_target(request.target);
        let has_path = match request.method {
            "OPTIONS" => request.target != "*",
            method => method != "CONNECT",
        };
        let place = match Endpoint::of_path(path) {
            Some(endpoint) => Place::Endpoint(endpoint),
            None => match Open::of_path(path) {
                Some(open) => Place::Open(open),
                None if has_path => Place::Unknown,
                None => Place::NoPath,
            },
        };
        Self::at(place, Query::parse(query))
    }

    pub fn at(place: Place, query: Query<'a>) -> Self {
        Self {
            place,
            format: query::readable_format(&query),
            query,
        }
    }

    /// The endpoint at the path, if there is one.
    pub fn endpoint(&self) -> Option<Endpoint> {
        match self.place {
            Place::Endpoint(endpoint) => Some(endpoint),
            _ => None,
        }
    }

    /// The name that it is counted and logged under, if the path is one of the service's.
    pub fn label(&self) -> Option<&'static str> {
        match self.place {
            Place::Endpoint(endpoint) => Some(endpoint.path()),
            Place::Open(open) => Some(open.label()),
            Place::Unknown | Place::NoPath => None,
        }
    }

    /// The root element of an error there (the contract, "Error bodies").
    pub fn error_shape(&self) -> Root {
        match self.endpoint() {
            Some(Endpoint::Purchase44) => Root::Purchase44,
            Some(Endpoint::Purchase615) => Root::Purchase615,
            Some(Endpoint::Purchase223) => match self.query.get("purchaseNumber") {
                Value::One(number) if is_18_digits(number) => Root::Purchase615,
                _ => Root::Purchase223,
            },
            _ => Root::Data,
        }
    }
}

fn is_18_digits(text: &str) -> bool {
    text.len() == 18 && text.bytes().all(|byte| byte.is_ascii_digit())
}
