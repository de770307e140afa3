//! Positions in the log of changes, and the cursors that clients hold (the manual, API, "What
//! changed").

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::sha256::Sha256;

/// Bytes of the check value that ends a cursor.
const CHECK: usize = 8;

/// Hashed before a cursor's bytes. It names the form of the cursor: another form is another text.
const FORM: &[u8] = b"procurement-lookup cursor 1";

/// The longest INN of a customer that a request can name, in digits. An INN has 10 or 12, but
/// records hold numbers of customers unchecked.
pub const MAX_CUSTOMER_INN: usize = 20;

/// The longest text of a cursor.
pub const MAX_CURSOR: usize = 120;

/// Identifies a changed thing in the log. Numbers come before texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LogSubject {
    /// The id of a supplier or a purchase, a customer's INN, or a law.
    Number(i64),
    /// An INN that a number does not restore.
    Text(String),
}

impl LogSubject {
    /// The subject of a customer's INN; none for an INN that no request can name.
    pub fn customer(inn: &str) -> Option<Self> {
        let are_digits = inn.bytes().all(|byte| byte.is_ascii_digit());
        if inn.is_empty() || inn.len() > MAX_CUSTOMER_INN || !are_digits {
            return None;
        }
        let number = digits_as_number(inn);
        Some(number.map_or_else(|| Self::Text(inn.to_owned()), Self::Number))
    }
}

/// Returns the number that stands for an INN in the data file, or `None` for an INN that is stored
/// as a text: it has other characters than digits, a zero at the start, or more than 18 digits, so
/// that no number restores it. All tables follow this rule, as they are joined by INNs.
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

/// A position in the log, after one of its rows or after a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogPosition {
    /// The revision of the row.
    pub revision: u64,
    /// The part and the subject of the row; none after the whole revision.
    pub row: Option<(u8, LogSubject)>,
}

impl LogPosition {
    /// The position after all changes of a revision.
    pub fn after_revision(revision: u64) -> Self {
        Self {
            revision,
            row: None,
        }
    }
}

/// A client's position in the log, and the state of the data in which it had read everything
/// before that position. Rows only move to later revisions, so the cursor holds for
/// each state that follows from that one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeCursor {
    /// The identity of that state.
    pub identity: i64,
    /// Its revision.
    pub revision: u64,
    /// The position.
    pub position: LogPosition,
}

impl ChangeCursor {
    /// Reads a cursor's text; none if [`fmt::Display`] did not write it.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_CURSOR {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (bytes, check) = bytes.split_last_chunk::<CHECK>()?;
        let cursor: Self = postcard::from_bytes(bytes).ok()?;
        // Also refuses another spelling of the same numbers.
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
        fn a_cursor_comes_back_and_a_changed_one_is_none(
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
        fn a_customer_s_inn_comes_back(inn in "[0-9]{1,20}") {
            let subject = LogSubject::customer(&inn).expect("a subject");
            prop_assert_eq!(subject.to_string(), inn);
        }
    }

    #[test]
    fn what_no_request_can_name_is_no_subject() {
        for inn in ["", "123456789012345678901", "+7", "77-1", "\u{661}"] {
            assert_eq!(LogSubject::customer(inn), None, "{inn}");
        }
    }
}
