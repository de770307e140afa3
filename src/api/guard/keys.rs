//! The client's key, in the query or in a header, or the user whom a trusted proxy names.

use super::super::error::Failure;
use super::super::request::Request;
use super::super::request::parameter_table::KEY;
use super::super::request::query::Query;
use crate::model::is_key_name;
use crate::store::{KeyHolder, KeyRing};

/// The key that is valid with the bundled data, and only there.
const DEMO_KEY: &str = "demo";

/// Whom a request is from: the holder of its key, or the user whom a trusted proxy names. A key
/// is in `apikey` or `api_key`, in `X-API-Key`, or in `Authorization: Bearer`; an empty one counts
/// as missing.
///
/// # Errors
/// No key and no user; a key that is not valid or not decodable, or two that differ; a user who
/// cannot be told, or beside the key of another; or the keys could not be read yet.
pub fn holder(
    request: &Request<'_>,
    query: &Query<'_>,
    keys: &KeyRing,
    demo: bool,
) -> Result<KeyHolder, Failure> {
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
    let holder = match given {
        Some(DEMO_KEY) if demo => Some(of_server_limits(DEMO_KEY)),
        Some(key) => Some(holder_of(key, keys)?),
        None => None,
    };
    match (holder, user(request)?) {
        (Some(holder), Some(user)) if *holder.name != *user => Err(Failure::BadKey),
        (Some(holder), _) => Ok(holder),
        (None, Some(user)) => Ok(of_server_limits(user)),
        (None, None) => Err(Failure::BadKey),
    }
}

/// The holder of a key.
///
/// # Errors
/// It is not valid, or which ones are is not known.
fn holder_of(key: &str, keys: &KeyRing) -> Result<KeyHolder, Failure> {
    match keys.unread() {
        Some(why) => Err(Failure::Unavailable(why)),
        None => keys.holder_of(key).ok_or(Failure::BadKey),
    }
}

/// The user whom a trusted proxy names; an empty name counts as missing.
///
/// # Errors
/// There are several names, as where a proxy passes on what its client sent, or it is none that a
/// key could have.
fn user<'a>(request: &'a Request<'_>) -> Result<Option<&'a str>, Failure> {
    let Some(header) = request.user_header else {
        return Ok(None);
    };
    let mut values = request.header(header).map(str::trim);
    match (values.next(), values.next()) {
        (None | Some(""), None) => Ok(None),
        (Some(name), None) if is_key_name(name) => Ok(Some(name)),
        _ => Err(Failure::BadKey),
    }
}

/// Someone of this name who has no limit of their own.
fn of_server_limits(name: &str) -> KeyHolder {
    KeyHolder {
        name: name.into(),
        limit: None,
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
