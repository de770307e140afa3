//! Identifies the client of a request: by the key in the query or a header, or by the user that a
//! trusted proxy names.

use super::super::error::{ErrorKind, Failure};
use super::super::request::Request;
use super::super::request::parameter_table::KEY;
use super::super::request::query::Query;
use crate::model::is_key_name;
use crate::store::{KeyHolder, KeyRing};

/// This key is valid only with the bundled data.
const DEMO_KEY: &str = "demo";

/// Returns the client of a request: the holder of the key, or the user that a trusted proxy names.
/// A key can be in `apikey` or `api_key`, in `X-API-Key`, or in `Authorization: Bearer`. An empty
/// key counts as missing.
///
/// # Errors
/// - The request has neither a key nor a user.
/// - The key is invalid or malformed, or a second key differs from it.
/// - The user's name is malformed, or differs from the name of the key's holder.
/// - The keys have not been read yet.
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
        let key = key.ok_or(ErrorKind::BadKey)?;
        if key.is_empty() {
            continue;
        }
        if given.is_some_and(|given| given != key) {
            return Err(ErrorKind::BadKey.into());
        }
        given = Some(key);
    }
    let holder = match given {
        Some(DEMO_KEY) if demo => Some(without_own_limit(DEMO_KEY)),
        Some(key) => Some(holder_of(key, keys)?),
        None => None,
    };
    match (holder, user(request)?) {
        (Some(holder), Some(user)) if *holder.name != *user => Err(ErrorKind::BadKey.into()),
        (Some(holder), _) => Ok(holder),
        (None, Some(user)) => Ok(without_own_limit(user)),
        (None, None) => Err(ErrorKind::BadKey.into()),
    }
}

fn holder_of(key: &str, keys: &KeyRing) -> Result<KeyHolder, Failure> {
    let holder = keys.holder_of(key).map_err(Failure::unavailable)?;
    Ok(holder.ok_or(ErrorKind::BadKey)?)
}

/// Returns the user that a trusted proxy names. An empty name counts as missing.
///
/// # Errors
/// Fails if there are several names, for example because the proxy also passes on the client's
/// header, or if the name is not valid for a key.
pub fn user<'a>(request: &'a Request<'_>) -> Result<Option<&'a str>, Failure> {
    let Some(header) = request.user_header else {
        return Ok(None);
    };
    let mut values = request.header(header).map(str::trim);
    match (values.next(), values.next()) {
        (None | Some(""), None) => Ok(None),
        (Some(name), None) if is_key_name(name) => Ok(Some(name)),
        _ => Err(ErrorKind::BadKey.into()),
    }
}

/// Returns a holder without a limit of its own, so that the limits for all keys apply.
fn without_own_limit(name: &str) -> KeyHolder {
    KeyHolder {
        name: name.into(),
        limit: None,
    }
}

/// Returns the token of `Bearer TOKEN`; `None` for other schemes.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value
        .trim()
        .split_once([' ', '\t'])
        .unwrap_or((value.trim(), ""));
    scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim())
}
