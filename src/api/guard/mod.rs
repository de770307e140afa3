//! Admission of requests by path, method, key and limits of load. It never reads the data.

pub(super) mod cors;
mod keys;
pub(super) mod limits;

use std::sync::Arc;

use super::endpoints::Endpoint;
use super::error::{ErrorKind, Failure};
use super::open::Open;
use super::request::Request;
use super::response::draft::{Draft, Quota};
use super::target::{Route, Target};
use crate::store::KeyRing;
use cors::Cors;
use limits::{LoadLimits, RateLimited};

/// The checks of admission, shared by the workers.
pub struct Guard {
    /// The API keys.
    pub keys: KeyRing,
    /// Whether the key of the demonstration data is valid.
    pub is_demonstration: bool,
    /// The limits of load.
    pub limits: LoadLimits,
    /// The other origins that may read responses.
    pub cors: Cors,
}

/// An admitted request.
pub enum Admitted {
    /// A preflight from an allowed origin.
    Preflight,
    /// A request for a resource that needs no key.
    Open(Open),
    /// A request for an endpoint, with a valid key.
    Endpoint(&'static Endpoint),
}

impl Guard {
    /// Admits a request. Notes the holder of its key and the client's quota with the limits in
    /// `draft`.
    ///
    /// # Errors
    /// The first failed check of: path, method, key, limits. The limit of wrong keys comes before
    /// a wrong key; that of open requests before an unknown path or a wrong method without a valid
    /// key.
    pub fn admit(
        &self,
        request: &Request<'_>,
        target: &Target<'_>,
        draft: &mut Draft,
    ) -> Result<Admitted, Failure> {
        match self.route(request, target) {
            Ok(Admitted::Endpoint(endpoint)) => {
                self.admit_key(endpoint, request, target, draft)?;
                Ok(Admitted::Endpoint(endpoint))
            }
            Ok(open) => self.admit_open(request, draft).map(|()| open),
            Err(kind) => {
                // Without a limit, anyone could fill the access log.
                let key = keys::holder(request, &target.query, &self.keys, self.is_demonstration);
                match key {
                    Ok(holder) => draft.note.key_name = Some(holder.name),
                    Err(_) => self.admit_open(request, draft)?,
                }
                Err(kind.into())
            }
        }
    }

    /// Returns where a request leads by its path and method.
    ///
    /// # Errors
    /// The path is unknown, or the method is wrong.
    fn route(&self, request: &Request<'_>, target: &Target<'_>) -> Result<Admitted, ErrorKind> {
        let reads = request.is_read();
        match target.route {
            // A target without a path cannot have an unknown path.
            Route::NoPath if !reads => Err(ErrorKind::WrongMethod),
            Route::NoPath | Route::Unknown => Err(ErrorKind::UnknownPath),
            _ if self.cors.is_preflight(request) => Ok(Admitted::Preflight),
            _ if !reads => Err(ErrorKind::WrongMethod),
            Route::Open(open) => Ok(Admitted::Open(open)),
            Route::Endpoint(endpoint) => Ok(Admitted::Endpoint(endpoint)),
        }
    }

    /// Counts a request that needs no key.
    fn admit_open(&self, request: &Request<'_>, draft: &mut Draft) -> Result<(), Failure> {
        note(self.limits.admit_open(request.client).map(|()| None), draft)
    }

    fn admit_key(
        &self,
        endpoint: &Endpoint,
        request: &Request<'_>,
        target: &Target<'_>,
        draft: &mut Draft,
    ) -> Result<(), Failure> {
        let key = keys::holder(request, &target.query, &self.keys, self.is_demonstration);
        let counted = match &key {
            Ok(key) => self.limits.admit(endpoint.is_about_rnp(), key),
            // The key may be valid.
            Err(failure) if failure.kind == ErrorKind::Unavailable => Ok(None),
            Err(_) => self.limits.admit_wrong_key(request.client).map(|()| None),
        };
        draft.note.key_name = key.as_ref().ok().map(|holder| Arc::clone(&holder.name));
        note(counted, draft)?;
        key.map(drop)
    }
}

/// Notes the client's quota with the limits.
fn note(counted: Result<Option<Quota>, RateLimited>, draft: &mut Draft) -> Result<(), Failure> {
    draft.quota = counted.unwrap_or_else(|refusal| Some(refusal.quota));
    counted
        .map(drop)
        .map_err(|refusal| Failure::too_many_requests(refusal.retry_after()))
}
