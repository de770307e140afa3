//! Access for web pages of other origins (CORS; Fetch standard, 3.2). The operator lists the
//! allowed origins.

use super::super::request::Request;
use super::super::response::Response;
use super::super::status::Status;

/// Request headers that pages of other origins may send.
const ALLOWED: &str = "X-API-Key, Authorization, If-None-Match";

/// Response headers that pages of other origins may read.
const EXPOSED: &str = "Accept-Ranges, Content-Disposition, ETag, X-Data-Updated, X-Data, X-Registries, \
     X-RNP-Verdict, X-Next, X-Row-Count, X-Total-Count, X-Receipt, X-Ignored-Parameters, X-Error-Detail, X-Request-Id, \
     RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After";

/// How long a browser may cache a preflight, in seconds.
const MAX_AGE: &str = "7200";

/// Upper bound on origins. Each request is compared with all of them.
pub const MAX_ORIGINS: usize = 100;

/// Which other origins' pages may read responses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cors {
    #[default]
    Off,
    /// Listed origins, such as `https://example.org` or `http://localhost:3000`.
    Origins(Vec<String>),
    Any,
}

impl Cors {
    /// Parses a list of origins (`http(s)://HOST[:PORT]`), or a single `*` for any origin.
    ///
    /// # Errors
    /// Returns a sentence that describes a valid origin.
    pub fn parse(origins: &[String]) -> Result<Self, String> {
        let is_origin = |origin: &&String| {
            let host = origin
                .strip_prefix("https://")
                .or_else(|| origin.strip_prefix("http://"));
            host.is_some_and(|host| {
                !host.is_empty()
                    && host
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte))
            })
        };
        match origins {
            [] => Ok(Self::Off),
            [any] if any == "*" => Ok(Self::Any),
            _ if origins.len() > MAX_ORIGINS => {
                Err(format!("give at most {MAX_ORIGINS} origins, or * alone"))
            }
            _ => match origins.iter().find(|origin| !is_origin(origin)) {
                None => Ok(Self::Origins(origins.to_vec())),
                Some(wrong) => Err(format!(
                    "{wrong} is not an origin: give http:// or https://, a host and optionally a \
                     port, without a path, such as https://example.org; or * alone, for any origin"
                )),
            },
        }
    }

    /// Returns the value of `Access-Control-Allow-Origin`, or `None` if the origin is not allowed.
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

    /// Returns whether a request is a preflight from an allowed origin.
    pub fn is_preflight(&self, request: &Request<'_>) -> bool {
        let mut method = request.header("Access-Control-Request-Method");
        request.method == "OPTIONS" && method.next().is_some() && self.allowed(request).is_some()
    }

    /// Adds the headers that let the requesting page read the response.
    pub fn allow(&self, request: &Request<'_>, response: &mut Response) {
        let headers = &mut response.headers;
        if let Self::Origins(_) = self {
            // Caches must keep a separate response for each `Origin`.
            match headers.iter_mut().find(|(name, _)| *name == "Vary") {
                Some((_, vary)) => vary.to_mut().push_str(", Origin"),
                None => headers.push(("Vary", "Origin".into())),
            }
        }
        if let Some(origin) = self.allowed(request) {
            headers.push(("Access-Control-Allow-Origin", origin.into()));
            if response.status == Status::NoContent {
                headers.push(("Access-Control-Allow-Methods", "GET, HEAD".into()));
                headers.push(("Access-Control-Allow-Headers", ALLOWED.into()));
                headers.push(("Access-Control-Max-Age", MAX_AGE.into()));
            }
            if request.method != "OPTIONS" {
                headers.push(("Access-Control-Expose-Headers", EXPOSED.into()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(origins: &[&str]) -> Result<Cors, String> {
        let origins: Vec<_> = origins.iter().map(ToString::to_string).collect();
        Cors::parse(&origins)
    }

    #[test]
    fn an_origin_is_a_scheme_a_host_and_an_optional_port() {
        assert_eq!(parse(&[]), Ok(Cors::Off));
        assert_eq!(parse(&["*"]), Ok(Cors::Any));
        let origins = [
            "https://example.org",
            "http://[::1]:3000",
            "http://localhost:80",
        ];
        let expected = origins.map(str::to_owned).to_vec();
        assert_eq!(parse(&origins), Ok(Cors::Origins(expected)));
        for wrong in [
            "example.org",
            "https://",
            "https://example.org/",
            "https://example.org/path",
            "ftp://example.org",
            "https://a b",
            "null",
            "",
        ] {
            let error = parse(&["https://example.org", wrong]).expect_err(wrong);
            assert!(
                error.starts_with(wrong) && error.contains("is not an origin"),
                "{error}"
            );
        }
        assert!(parse(&["*", "https://example.org"]).is_err());
        assert!(parse(&["http://x"; 101]).is_err());
    }
}
