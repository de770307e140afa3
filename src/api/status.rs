//! The HTTP statuses of the service.

use std::fmt;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Success, or an error for which the specification requires this status.
    #[default]
    Ok,
    /// The response to a preflight.
    NoContent,
    /// The client already has the response.
    NotModified,
    BadRequest,
    Unauthorized,
    NotFound,
    MethodNotAllowed,
    /// The log no longer has the requested changes.
    Gone,
    TooManyRequests,
    InternalServerError,
    ServiceUnavailable,
}

impl Status {
    /// All statuses, in the order of their numbers.
    pub const ALL: [Self; 11] = [
        Self::Ok,
        Self::NoContent,
        Self::NotModified,
        Self::BadRequest,
        Self::Unauthorized,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::Gone,
        Self::TooManyRequests,
        Self::InternalServerError,
        Self::ServiceUnavailable,
    ];

    /// Returns number, digits and reason phrase (RFC 9110, 15).
    fn row(self) -> (u16, &'static str, &'static str) {
        match self {
            Self::Ok => (200, "200", "OK"),
            Self::NoContent => (204, "204", "No Content"),
            Self::NotModified => (304, "304", "Not Modified"),
            Self::BadRequest => (400, "400", "Bad Request"),
            Self::Unauthorized => (401, "401", "Unauthorized"),
            Self::NotFound => (404, "404", "Not Found"),
            Self::MethodNotAllowed => (405, "405", "Method Not Allowed"),
            Self::Gone => (410, "410", "Gone"),
            Self::TooManyRequests => (429, "429", "Too Many Requests"),
            Self::InternalServerError => (500, "500", "Internal Server Error"),
            Self::ServiceUnavailable => (503, "503", "Service Unavailable"),
        }
    }

    pub fn number(self) -> u16 {
        self.row().0
    }

    pub fn digits(self) -> &'static str {
        self.row().1
    }

    pub fn reason(self) -> &'static str {
        self.row().2
    }

    /// Returns the index in [`Status::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns whether responses with this status may have a body.
    pub fn has_body(self) -> bool {
        !matches!(self, Self::NoContent | Self::NotModified)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.digits())
    }
}

impl PartialEq<u16> for Status {
    fn eq(&self, number: &u16) -> bool {
        self.number() == *number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_in_numerical_order() {
        let numbers = Status::ALL.map(Status::number);
        assert!(numbers.is_sorted());
        for (index, status) in Status::ALL.into_iter().enumerate() {
            assert_eq!(status.index(), index);
            assert_eq!(status.digits(), status.number().to_string());
        }
    }
}
