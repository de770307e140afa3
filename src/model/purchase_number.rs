//! The number of a purchase, whose length determines the law it falls under.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The law a purchase falls under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Regime {
    /// Federal law 44-FZ: numbers of 19 digits.
    Fz44,
    /// Federal law 223-FZ: numbers of 11 digits, the first a 3.
    Fz223,
    /// Government Decree 615: numbers of 18 digits.
    Pp615,
}

impl Regime {
    /// All of them, in their order.
    pub const ALL: [Self; 3] = [Self::Fz44, Self::Fz223, Self::Pp615];

    /// The codes of all of them.
    pub const CODES: &'static [&'static str] = &["44", "223", "615"];

    /// The names of all kinds of purchases on the wire ([`Regime::purchase_kind`]).
    pub const PURCHASE_KINDS: &'static [&'static str] =
        &["purchase44", "purchase223", "purchase615"];

    /// The code in the registry of unfair suppliers (`federalLaw`).
    pub fn code(self) -> &'static str {
        match self {
            Self::Fz44 => "44",
            Self::Fz223 => "223",
            Self::Pp615 => "615",
        }
    }

    /// The name of such a purchase on the wire.
    pub fn purchase_kind(self) -> &'static str {
        match self {
            Self::Fz44 => "purchase44",
            Self::Fz223 => "purchase223",
            Self::Pp615 => "purchase615",
        }
    }

    /// The law of that code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|law| law.code() == code)
    }
}

/// The number of a purchase of one of the three regimes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct PurchaseNumber(String);

/// A number as a file stores it, which may be damaged.
impl TryFrom<String> for PurchaseNumber {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        is_number(&text)
            .then_some(Self(text))
            .ok_or("not a purchase's number")
    }
}

fn is_number(text: &str) -> bool {
    let is_length = matches!(text.len(), 18 | 19) || text.len() == 11 && text.starts_with('3');
    is_length && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl PurchaseNumber {
    /// Parses a number; none if `text` is not one.
    pub fn parse(text: &str) -> Option<Self> {
        is_number(text).then(|| Self(text.to_owned()))
    }

    /// Parses a number under a law; none if `text` is not one.
    pub fn parse_under(regime: Regime, text: &str) -> Option<Self> {
        Self::parse(text).filter(|number| number.regime() == regime)
    }

    /// The law, by the length of the number.
    pub fn regime(&self) -> Regime {
        match self.0.len() {
            19 => Regime::Fz44,
            18 => Regime::Pp615,
            _ => Regime::Fz223,
        }
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PurchaseNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{PurchaseNumber, Regime};

    #[test]
    fn a_damaged_number_is_refused_not_shown() {
        for (text, expected) in [("31400935277", true), ("3140093527<", false), ("", false)] {
            let bytes = postcard::to_stdvec(text).expect("bytes");
            let read = postcard::from_bytes::<PurchaseNumber>(&bytes);
            assert_eq!(read.is_ok(), expected, "{text}");
        }
    }

    #[test]
    fn the_regime_follows_from_the_length() {
        let regime = |text| PurchaseNumber::parse(text).map(|number| number.regime());
        assert_eq!(regime("0173200002625000220"), Some(Regime::Fz44));
        assert_eq!(regime("027300000012001473"), Some(Regime::Pp615));
        assert_eq!(regime("31400935277"), Some(Regime::Fz223));
        for text in [
            "",
            "21400935277",
            "3140093527",
            "017320000262500022",
            "0173200002625x00220",
        ] {
            let expected = (text.len() == 18).then_some(Regime::Pp615);
            assert_eq!(regime(text), expected, "{text}");
        }
    }
}
