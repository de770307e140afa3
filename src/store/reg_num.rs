//! Registry numbers of contracts in the form in which they are stored.

use std::cmp::Ordering;
use std::fmt;

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

/// The registry number of a contract. Numbers are ordered as text.
///
/// The file stores numbers of 19 digits, which all real ones have, as integers: numbers from 2^63
/// on are stored minus 2^64. It stores all others as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum RegNum {
    Number(u64),
    Text(Box<str>),
}

const DIGITS: usize = 19;

impl RegNum {
    pub fn new(text: &str) -> Self {
        // `parse` would also accept a sign.
        let is_number = text.len() == DIGITS && !text.starts_with('+');
        match text.parse() {
            Ok(number) if is_number => Self::Number(number),
            _ => Self::Text(text.into()),
        }
    }

    pub fn value(&self) -> ToSqlOutput<'_> {
        match self {
            Self::Number(number) => number.cast_signed().into(),
            Self::Text(text) => (**text).into(),
        }
    }
}

impl fmt::Display for RegNum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number:0DIGITS$}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl Ord for RegNum {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => one.cmp(other),
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            (one, other) => one.to_string().cmp(&other.to_string()),
        }
    }
}

impl PartialOrd for RegNum {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl ToSql for RegNum {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.value())
    }
}

impl FromSql for RegNum {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Integer(number) => Ok(Self::Number(number.cast_unsigned())),
            ValueRef::Text(_) => Ok(Self::Text(value.as_str()?.into())),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "[0-9]{17,21}|[0-9]{18}[ 0-9a]|[0-9a-c\u{0}]{0,4}";

    proptest! {
        #[test]
        fn registry_numbers_round_trip_and_sort_as_text(one in TEXT, other in TEXT) {
            let [a, b] = [&one, &other].map(|text| RegNum::new(text));
            prop_assert_eq!(a.cmp(&b), one.cmp(&other));
            prop_assert_eq!(a.to_string(), one);
            let value = a.value();
            let stored = match &value {
                ToSqlOutput::Owned(value) => ValueRef::from(value),
                ToSqlOutput::Borrowed(value) => *value,
                _ => panic!("another value"),
            };
            prop_assert_eq!(RegNum::column_result(stored).expect("it is read"), a);
        }
    }
}
