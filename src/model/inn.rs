//! Taxpayer numbers (INN).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Sha256;

/// Marks a key that is made from a name. Sorts before any digit.
const NAMED: char = '-';

/// A supplier's INN, with 10 digits (organizations) or 12 (persons). The control digits may be
/// wrong: registries contain such INNs, and searches must find them.
///
/// For a supplier without an INN, holds a key made from the name instead.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Inn(String);

/// Checks a stored key, because the file may be damaged.
impl TryFrom<String> for Inn {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::from_stored(&text).ok_or("not an INN")
    }
}

fn is_inn(text: &str) -> bool {
    matches!(text.len(), 10 | 12) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn control_digit(before: &[u8]) -> u8 {
    // Weights of the digits, from right to left.
    const WEIGHTS: [u32; 11] = [8, 6, 4, 9, 5, 3, 10, 4, 2, 7, 3];
    let weighted = before.iter().rev().zip(WEIGHTS);
    let sum: u32 = weighted
        .map(|(digit, weight)| u32::from(digit.wrapping_sub(b'0')) * weight)
        .sum();
    b'0' + (sum % 11 % 10) as u8
}

impl Inn {
    /// Parses 10 or 12 ASCII digits.
    pub fn parse(text: &str) -> Option<Self> {
        is_inn(text).then(|| Self(text.to_owned()))
    }

    /// Returns the key for suppliers that have neither an INN nor a name.
    pub fn none() -> Self {
        Self(String::new())
    }

    /// Returns the key for suppliers that have this name and no INN. For an empty name, this is
    /// [`Inn::none`].
    pub fn of_name(name: &str) -> Self {
        if name.is_empty() {
            return Self::none();
        }
        let [a, b, c, d, e, f, g, h, ..] = Sha256::of(name);
        let head = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        Self(format!("{NAMED}{head:016x}"))
    }

    /// Returns whether the supplier has no INN.
    pub fn is_none(&self) -> bool {
        !self.0.starts_with(|first: char| first.is_ascii_digit())
    }

    /// Parses the output of [`Inn::key`].
    pub fn from_stored(text: &str) -> Option<Self> {
        let is_key = match text.strip_prefix(NAMED) {
            Some(head) => head.len() == 16 && head.bytes().all(|byte| byte.is_ascii_hexdigit()),
            None => text.is_empty() || is_inn(text),
        };
        is_key.then(|| Self(text.to_owned()))
    }

    /// Returns the key under which the supplier is stored: the INN, or else the key made from the
    /// name.
    pub fn key(&self) -> &str {
        &self.0
    }

    /// Returns whether the control digits are right: the last of 10 digits, or the last two of 12.
    /// An INN of zeros counts as wrong, because lists use it as filler.
    pub fn has_control_digits(&self) -> bool {
        let holds = |digits: &[u8]| {
            let split = digits.split_last();
            split.is_some_and(|(control, before)| *control == control_digit(before))
        };
        let digits = self.0.as_bytes();
        if digits.iter().all(|digit| *digit == b'0') {
            return false;
        }
        match digits.split_last() {
            Some((_, eleven)) if digits.len() == 12 => holds(eleven) && holds(digits),
            _ => holds(digits),
        }
    }

    /// Returns the INN, or an empty text if there is none.
    pub fn as_str(&self) -> &str {
        if self.is_none() { "" } else { &self.0 }
    }
}

impl fmt::Display for Inn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Inn;

    #[test]
    fn control_digits_are_verified() {
        let check = |text: &str, expected| {
            let inn = Inn::parse(text).expect("an INN");
            assert_eq!(inn.has_control_digits(), expected, "{text}");
        };
        for text in ["7707083893", "7736050003", "500100732259"] {
            check(text, true);
        }
        for text in [
            "0000000000",
            "000000000000",
            "7707083894",
            "7707083983",
            "500100732250",
            "500100732269",
            "500100723259",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn a_damaged_number_is_refused() {
        for (text, expected) in [
            ("7707083893", true),
            ("770708389<", false),
            ("", true),
            ("-0123456789abcdef", true),
            ("-0123456789abcde", false),
        ] {
            let bytes = postcard::to_stdvec(text).expect("bytes");
            assert_eq!(
                postcard::from_bytes::<Inn>(&bytes).is_ok(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn suppliers_without_an_inn_are_distinguished_by_name() {
        let [one, other] = ["DALA LLP", "Dala LLP"].map(Inn::of_name);
        assert_ne!(one, other);
        for inn in [&one, &other, &Inn::none()] {
            assert!(inn.is_none() && inn.as_str().is_empty() && inn.to_string().is_empty());
            assert!(inn.key() < "0", "{}", inn.key());
            assert_eq!(Inn::from_stored(inn.key()).as_ref(), Some(inn));
            assert_eq!(Inn::parse(inn.key()), None);
        }
        assert_eq!(Inn::of_name(""), Inn::none());
    }

    #[test]
    fn an_inn_is_ten_or_twelve_digits() {
        for text in ["7707083893", "994456240858", "0000000000"] {
            assert_eq!(Inn::parse(text).as_ref().map(Inn::as_str), Some(text));
        }
        for text in [
            "",
            "770708389",
            "77070838931",
            "7707083893123",
            "770708389x",
            "７７０７０８３８９３",
            " 7707083893",
        ] {
            assert_eq!(Inn::parse(text), None, "{text}");
        }
    }
}
