//! Positions in the log of changes, and the cursors that clients hold (manual, "API", "What
//! changed").

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::sha256::Sha256;

/// Length in bytes of the check value that ends a cursor.
const CHECK: usize = 8;

/// Hashed into the check value. A new format of cursors needs a new value here, so that old cursors
/// are rejected.
const FORM: &[u8] = b"procurement-lookup cursor 1";

/// Upper bound on the digits of a customer's INN in a request. Real INNs have 10 or 12 digits, but
/// nobody has checked the INNs of customers in contracts.
pub const MAX_CUSTOMER_INN: usize = 20;

pub const MAX_CURSOR: usize = 120;

/// Identifies the subject of a changed answer in the log. Numbers sort before texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LogSubject {
    /// Row id of a supplier or purchase, number of a law, or INN of a customer as a number.
    Number(i64),
    /// INN of a customer, if it must stay text (see [`digits_as_number`]).
    Text(String),
}

impl LogSubject {
    /// Returns how the log identifies a customer. Returns `None` if no request can contain this
    /// INN.
    pub fn customer(inn: &str) -> Option<Self> {
        let are_digits = inn.bytes().all(|byte| byte.is_ascii_digit());
        if inn.is_empty() || inn.len() > MAX_CUSTOMER_INN || !are_digits {
            return None;
        }
        let number = digits_as_number(inn);
        Some(number.map_or_else(|| Self::Text(inn.to_owned()), Self::Number))
    }
}

/// Returns the number under which the data file stores an INN. Returns `None` if the number would
/// not convert back to the same text, that is, if the INN has non-digits, a leading zero or more
/// than 18 digits. Such an INN is stored as text. All tables follow this rule, because they are
/// joined by INN.
pub fn digits_as_number(inn: &str) -> Option<i64> {
    let is_restored =
        inn.len() <= 18 && !inn.starts_with('0') && inn.bytes().all(|byte| byte.is_ascii_digit());
    inn.parse().ok().filter(|_| is_restored)
}

impl fmt::Display for LogSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// A position in the log: after a row, or after all rows of a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogPosition {
    pub revision: u64,
    /// Part and subject of the row; `None` after all rows of the revision.
    pub row: Option<(u8, LogSubject)>,
}

impl LogPosition {
    pub fn after_revision(revision: u64) -> Self {
        Self {
            revision,
            row: None,
        }
    }
}

/// A client's position in the log, with the identity and revision of the data when it was issued. A
/// changed row always moves to a later revision, so a cursor stays valid for all later states of
/// the same data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeCursor {
    pub identity: i64,
    pub revision: u64,
    pub position: LogPosition,
}

impl ChangeCursor {
    /// Parses the output of `Display`. Returns `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_CURSOR {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (bytes, check) = bytes.split_last_chunk::<CHECK>()?;
        let cursor: Self = postcard::from_bytes(bytes).ok()?;
        // Comparing with the canonical text rejects other encodings of the same bytes.
        (*check == check_value(bytes) && cursor.to_string() == text).then_some(cursor)
    }
}

impl fmt::Display for ChangeCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = postcard::to_stdvec(self).map_err(|_| fmt::Error)?;
        let check = check_value(&bytes);
        bytes.extend_from_slice(&check);
        f.write_str(&URL_SAFE_NO_PAD.encode(bytes))
    }
}

fn check_value(bytes: &[u8]) -> [u8; CHECK] {
    let mut hash = Sha256::new();
    hash.update(FORM);
    hash.update(bytes);
    let mut check = [0; CHECK];
    check.copy_from_slice(&hash.finish()[..CHECK]);
    check
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn subject() -> impl Strategy<Value = LogSubject> {
        let text = "[0-9]{1,20}".prop_map(LogSubject::Text);
        prop_oneof![any::<i64>().prop_map(LogSubject::Number), text]
    }

    proptest! {
        #[test]
        fn cursors_round_trip_and_altered_ones_are_refused(
            identity in any::<i64>(),
            revision in any::<u64>(),
            at in any::<u64>(),
            row in proptest::option::of((any::<u8>(), subject())),
            place in any::<usize>(),
            other in "[A-Za-z0-9_=-]",
        ) {
            let position = LogPosition { revision: at, row };
            let cursor = ChangeCursor { identity, revision, position };
            let text = cursor.to_string();
            prop_assert!(text.len() <= MAX_CURSOR, "{}", text);
            prop_assert_eq!(ChangeCursor::parse(&text), Some(cursor));
            let place = place % text.len();
            let mut changed = text.clone();
            changed.replace_range(place..=place, &other);
            prop_assert_eq!(ChangeCursor::parse(&changed).is_some(), changed == text);
            prop_assert_eq!(ChangeCursor::parse(&text[..place]), None);
            prop_assert_eq!(ChangeCursor::parse(&(text + &other)), None);
        }

        #[test]
        fn customer_inns_round_trip(inn in "[0-9]{1,20}") {
            let subject = LogSubject::customer(&inn).expect("a subject");
            prop_assert_eq!(subject.to_string(), inn);
        }
    }

    #[test]
    fn subjects_can_be_named_by_requests() {
        for inn in ["", "123456789012345678901", "+7", "77-1", "\u{661}"] {
            assert_eq!(LogSubject::customer(inn), None, "{inn}");
        }
    }
}
