//! The client's key: in the query or in a header.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Request;
use super::error::Failure;
use super::parameters::KEY;
use super::query::Query;
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

/// The name of the key that a browser was asked for, by HTTP Basic: the password, or the
/// name where there is no password. The demonstration data is open to all there.
///
/// # Errors
/// Missing or not valid; or the keys could not be read yet.
pub fn basic_key_name(
    request: &Request<'_>,
    keys: &KeyRing,
    demo: bool,
) -> Result<Arc<str>, Failure> {
    if demo {
        return Ok(DEMO_KEY.into());
    }
    let key = request.header("Authorization").find_map(basic);
    holder(&key.ok_or(Failure::BadKey)?, keys)
}

/// What `Basic NAME:PASSWORD`, in base64, has as a key (RFC 7617).
fn basic(value: &str) -> Option<String> {
    let (scheme, credentials) = value.trim().split_once([' ', '\t'])?;
    if !scheme.eq_ignore_ascii_case("Basic") {
        return None;
    }
    let decoded = STANDARD.decode(credentials.trim()).ok()?;
    let decoded = String::from_utf8(decoded).ok()?;
    let (name, password) = decoded.split_once(':')?;
    let key = if password.is_empty() { name } else { password };
    Some(key.trim().to_owned())
}

/// The token of `Bearer TOKEN`; other schemes are ignored.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value
        .trim()
        .split_once([' ', '\t'])
        .unwrap_or((value.trim(), ""));
    scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim())
}
