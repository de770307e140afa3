//! The taxpayer number.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A supplier's INN: 10 digits (organisations) or 12 (persons). The control
/// digits need not hold: registries have numbers that fail them, and these must
/// stay findable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Inn(String);

impl Inn {
    /// The number, if `text` is 10 or 12 ASCII digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        (digits && matches!(text.len(), 10 | 12)).then(|| Self(text.to_owned()))
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
