//! The client's key: in the query or in a header.

use std::sync::Arc;

use super::super::error::Failure;
use super::super::request::Request;
use super::super::request::parameter_table::KEY;
use super::super::request::query::Query;
use crate::store::KeyRing;

/// The key that is valid with the bundled data, and only there.
const DEMO_KEY: &str = "demo";

/// The name of the key that a request carries: in `apikey` or `api_key`, in
/// `X-API-Key`, or in `Authorization: Bearer`. An empty one counts as missing.
///
/// # Errors
/// Missing, not valid, not decodable, or two that differ; or the keys could not be read yet.
pub fn key_name(
    request: &Request<'_>,
    query: &Query<'_>,
    keys: &KeyRing,
    demo: bool,
) -> Result<Arc<str>, Failure> {
    let mut given = None;
    let (name, alias) = KEY;
    let in_query = query.values(name, alias);
    let in_header = request.header("X-API-Key").map(str::trim).map(Some);
    let as_bearer = request.header("Authorization").filter_map(bearer).map(Some);
    for key in in_query.chain(in_header).chain(as_bearer) {
        let key = key.ok_or(Failure::BadKey)?;
        if key.is_empty() {
            continue;
        }
        if given.is_some_and(|given| given != key) {
            return Err(Failure::BadKey);
        }
        given = Some(key);
    }
    let key = given.ok_or(Failure::BadKey)?;
    if demo && key == DEMO_KEY {
        return Ok(DEMO_KEY.into());
    }
    holder(key, keys)
}

/// The name of a key.
///
/// # Errors
/// It is not valid, or which ones are is not known.
fn holder(key: &str, keys: &KeyRing) -> Result<Arc<str>, Failure> {
    match keys.unread() {
        Some(why) => Err(Failure::Unavailable(why)),
        None => keys.name_of(key).ok_or(Failure::BadKey),
    }
}

/// The token of `Bearer TOKEN`; other schemes are ignored.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value
        .trim()
        .split_once([' ', '\t'])
        .unwrap_or((value.trim(), ""));
    scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim())
}
