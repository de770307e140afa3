//! Decides whether to accept a request, by path, method, key and rate limits. Reads no data.

pub(super) mod cors;
pub(super) mod keys;
pub(super) mod limits;

use std::sync::Arc;

use super::endpoints::Endpoint;
use super::error::{ErrorKind, Failure};
use super::open::Open;
use super::request::Request;
use super::response::Quota;
use super::response::large::Turn;
use super::target::{Route, Target};
use crate::store::KeyRing;
use cors::Cors;
use limits::{LoadLimits, RateLimited};

/// The checks of a request before it is answered. Shared by the workers.
pub struct Guard {
    pub keys: KeyRing,
    /// Whether the key `demo` is valid.
    pub is_demonstration: bool,
    pub limits: LoadLimits,
    pub cors: Cors,
}

pub struct Admission {
    /// The accepted request, or the failure of the first check that refused it.
    pub admitted: Result<Admitted, Failure>,
    /// Name of the key's holder, or the user that a trusted proxy names. `None` if no valid key was
    /// needed or given.
    pub key_name: Option<Arc<str>>,
    pub quota: Option<Quota>,
}

impl Admission {
    /// A refusal before any limit was consulted.
    pub fn refused(failure: Failure) -> Self {
        Self::without_key(Err(failure))
    }

    fn without_key(admitted: Result<Admitted, Failure>) -> Self {
        Self {
            admitted,
            key_name: None,
            quota: None,
        }
    }
}

pub enum Admitted {
    /// A preflight from an allowed origin.
    Preflight,
    Open(Open),
    Endpoint(&'static Endpoint),
}

impl Guard {
    /// Accepts a request, or refuses it by the first check that fails: path, method, key, limits. A
    /// request with a wrong key counts against the limit on wrong keys. A request that has waited
    /// for its `turn` is not counted again.
    pub fn admit(&self, request: &Request<'_>, target: &Target<'_>, turn: &Turn<'_>) -> Admission {
        match self.route(request, target) {
            Ok(Admitted::Endpoint(endpoint)) => self.admit_key(endpoint, request, target, turn),
            Ok(open) => self.admit_open(request, Ok(open)),
            Err(kind) => {
                // Without a valid key, the error counts against the limit for open resources.
                // Otherwise anyone could fill up the access log.
                let key = keys::holder(request, &target.query, &self.keys, self.is_demonstration);
                match key {
                    Ok(holder) => Admission {
                        admitted: Err(kind.into()),
                        key_name: Some(holder.name),
                        quota: None,
                    },
                    Err(_) => self.admit_open(request, Err(kind.into())),
                }
            }
        }
    }

    fn route(&self, request: &Request<'_>, target: &Target<'_>) -> Result<Admitted, ErrorKind> {
        let reads = request.is_read();
        match target.route {
            // If the target has no path, only the method can be wrong.
            Route::NoPath if !reads => Err(ErrorKind::WrongMethod),
            Route::NoPath | Route::Unknown => Err(ErrorKind::UnknownPath),
            _ if self.cors.is_preflight(request) => Ok(Admitted::Preflight),
            _ if !reads => Err(ErrorKind::WrongMethod),
            Route::Open(open) => Ok(Admitted::Open(open)),
            Route::Endpoint(endpoint) => Ok(Admitted::Endpoint(endpoint)),
        }
    }

    /// Counts a request that needs no key. Returns `admitted` unless the limit refuses the request.
    fn admit_open(&self, request: &Request<'_>, admitted: Result<Admitted, Failure>) -> Admission {
        match self.limits.admit_open(request.peer) {
            Ok(()) => Admission::without_key(admitted),
            Err(refusal) => limited(&refusal, None),
        }
    }

    fn admit_key(
        &self,
        endpoint: &'static Endpoint,
        request: &Request<'_>,
        target: &Target<'_>,
        turn: &Turn<'_>,
    ) -> Admission {
        let key = keys::holder(request, &target.query, &self.keys, self.is_demonstration);
        let counted = match &key {
            Ok(_) if turn.has_come() => Ok(turn.quota()),
            Ok(key) => self.limits.admit(endpoint.rests_on_registries, key),
            // The keys could not be read, so this key may be valid.
            Err(failure) if failure.kind == ErrorKind::Unavailable => Ok(None),
            Err(_) => self.limits.admit_wrong_key(request.peer).map(|()| None),
        };
        let key_name = key.as_ref().ok().map(|holder| Arc::clone(&holder.name));
        match counted {
            Ok(quota) => Admission {
                admitted: key.map(|_| Admitted::Endpoint(endpoint)),
                key_name,
                quota,
            },
            Err(refusal) => limited(&refusal, key_name),
        }
    }
}

fn limited(refusal: &RateLimited, key_name: Option<Arc<str>>) -> Admission {
    Admission {
        admitted: Err(Failure::too_many_requests(refusal.retry_after())),
        key_name,
        quota: Some(refusal.quota),
    }
}
