//! The taxpayer number.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A supplier's INN: 10 digits (organisations) or 12 (persons). The control digits need not
/// be right: registries have numbers with wrong ones, which must stay findable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Inn(String);

/// An INN as a file stores it, which may be damaged.
impl TryFrom<String> for Inn {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::from_stored(&text).ok_or("not an INN")
    }
}

fn is_inn(text: &str) -> bool {
    matches!(text.len(), 10 | 12) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The control digit for these digits: their weighted sum modulo 11, modulo 10.
fn control_digit(before: &[u8]) -> u8 {
    // The weights of the digits, from the right.
    const WEIGHTS: [u32; 11] = [8, 6, 4, 9, 5, 3, 10, 4, 2, 7, 3];
    let weighted = before.iter().rev().zip(WEIGHTS);
    let sum: u32 = weighted
        .map(|(digit, weight)| u32::from(digit.wrapping_sub(b'0')) * weight)
        .sum();
    b'0' + (sum % 11 % 10) as u8
}

impl Inn {
    /// The number, if `text` is 10 or 12 ASCII digits.
    pub fn parse(text: &str) -> Option<Self> {
        is_inn(text).then(|| Self(text.to_owned()))
    }

    /// The owner of records without a supplier's INN, as their row has it: no digits at all.
    pub fn none() -> Self {
        Self(String::new())
    }

    /// Whether it stands for records without a supplier's INN.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads a stored text: an INN, or the empty text of [`Inn::none`].
    pub fn from_stored(text: &str) -> Option<Self> {
        match text {
            "" => Some(Self::none()),
            text => Self::parse(text),
        }
    }

    /// Returns whether its control digits are right: the last of 10, the last two of 12. Those of
    /// zeros are not, because lists that lack an INN are filled up with zeros.
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

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Inn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Inn;

    #[test]
    fn control_digits_hold_or_not() {
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
    fn a_damaged_number_is_refused_not_shown() {
        for (text, expected) in [("7707083893", true), ("770708389<", false), ("", true)] {
            let bytes = postcard::to_stdvec(text).expect("bytes");
            assert_eq!(
                postcard::from_bytes::<Inn>(&bytes).is_ok(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn ten_or_twelve_digits_and_nothing_else() {
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
