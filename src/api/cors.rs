//! Browser programs of other origins (CORS, the Fetch standard, 3.2): only where an operator
//! names them.

use super::reply::Headers;
use super::request::Request;

/// The headers of requests that such a program may send.
const ALLOWED: &str = "X-API-Key, Authorization, If-None-Match";

/// The headers of responses that such a program may read.
const EXPOSED: &str = "Content-Disposition, ETag, X-Data-Updated, X-Registries, X-Receipt, \
     X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After";

/// How long a browser may go by a preflight, in seconds.
const MAX_AGE: &str = "7200";

/// The most origins that are compared with each request.
pub const MAX_ORIGINS: usize = 100;

/// The origins whose programs may read responses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cors {
    /// None.
    #[default]
    Off,
    /// These: `https://example.org`, `http://localhost:3000`.
    Origins(Vec<String>),
    /// Any.
    Any,
}

/// A request by which a browser asks whether a program may send another.
#[derive(Clone, Copy, Debug)]
pub struct Preflight;

impl Cors {
    /// The value of `Access-Control-Allow-Origin` in the response to a request, if its
    /// origin is one that may read it.
    fn allowed(&self, request: &Request<'_>) -> Option<String> {
        let origin = request.header("Origin").next()?;
        match self {
            Self::Off => None,
            Self::Any => Some("*".to_owned()),
            Self::Origins(origins) => {
                let is_listed = origins.iter().any(|one| one.eq_ignore_ascii_case(origin));
                is_listed.then(|| origin.to_owned())
            }
        }
    }

    /// Whether a request is a preflight of an origin that may read responses.
    pub fn preflight(&self, request: &Request<'_>) -> Option<Preflight> {
        let mut method = request.header("Access-Control-Request-Method");
        let is_preflight = request.method == "OPTIONS" && method.next().is_some();
        (is_preflight && self.allowed(request).is_some()).then_some(Preflight)
    }

    /// Adds to the headers of a response what lets the request's origin read it.
    pub fn allow(&self, request: &Request<'_>, headers: &mut Headers) {
        if let Self::Origins(_) = self {
            // Another origin's response has other headers.
            match headers.iter_mut().find(|(name, _)| *name == "Vary") {
                Some((_, vary)) => vary.to_mut().push_str(", Origin"),
                None => headers.push(("Vary", "Origin".into())),
            }
        }
        if let Some(origin) = self.allowed(request) {
            headers.push(("Access-Control-Allow-Origin", origin.into()));
            if request.method != "OPTIONS" {
                headers.push(("Access-Control-Expose-Headers", EXPOSED.into()));
            }
        }
    }
}

impl Preflight {
    /// The headers of its response.
    pub fn headers() -> Headers {
        vec![
            ("Access-Control-Allow-Methods", "GET, HEAD".into()),
            ("Access-Control-Allow-Headers", ALLOWED.into()),
            ("Access-Control-Max-Age", MAX_AGE.into()),
            ("Cache-Control", "no-store".into()),
        ]
    }
}
