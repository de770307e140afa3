//! What a request asks for, and patterns of it.

use std::fmt;

/// The documents that a request asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selection {
    /// Those of one type that were published on one day by the customers of one region.
    Cell {
        /// `YYYY-MM-DD`, without the offset.
        day: String,
        /// Two digits.
        region: String,
        /// Such as `RGK`.
        subsystem: String,
        /// The type, such as `contract`.
        documents: String,
    },
    /// Those of one number of a registry.
    Number {
        /// Such as `RGK`.
        subsystem: String,
        /// The number.
        number: String,
    },
}

impl Selection {
    /// Such as `RGK`.
    pub fn subsystem(&self) -> &str {
        match self {
            Self::Cell { subsystem, .. } | Self::Number { subsystem, .. } => subsystem,
        }
    }
}

/// The key that patterns are compared with: `2026-11-20/77/RGK/contract`, or
/// `number/RGK/3960100124525000118`.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell {
                day,
                region,
                subsystem,
                documents,
            } => write!(f, "{day}/{region}/{subsystem}/{documents}"),
            Self::Number { subsystem, number } => write!(f, "number/{subsystem}/{number}"),
        }
    }
}

/// Does a pattern match a key? A part that is `*` matches any; `*` alone matches the key of
/// any selection. The link to archive N of a selection has the selection's key and `#N`: a
/// pattern with a `#` matches links, one without matches selections.
pub fn matches(pattern: &str, key: &str) -> bool {
    let (pattern, wanted) = split(pattern);
    let (key, number) = split(key);
    let is_link = match (wanted, number) {
        (None, None) => true,
        (Some(wanted), Some(number)) => wanted == "*" || wanted == number,
        _ => false,
    };
    is_link && (pattern == "*" || parts_match(pattern, key))
}

fn split(text: &str) -> (&str, Option<&str>) {
    match text.split_once('#') {
        Some((key, number)) => (key, Some(number)),
        None => (text, None),
    }
}

fn parts_match(pattern: &str, key: &str) -> bool {
    let wanted: Vec<&str> = pattern.split('/').collect();
    let parts: Vec<&str> = key.split('/').collect();
    let is_match = |(wanted, part): (&&str, &&str)| *wanted == "*" || wanted == part;
    wanted.len() == parts.len() && wanted.iter().zip(&parts).all(is_match)
}
