//! Purchase numbers. The length of a number reveals the law.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The law that a purchase is under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Regime {
    /// Federal law 44-FZ. Purchase numbers have 19 digits.
    Fz44,
    /// Federal law 223-FZ. Purchase numbers have 11 digits and start with 3.
    Fz223,
    /// Government Decree 615. Purchase numbers have 18 digits.
    Pp615,
}

impl Regime {
    pub const ALL: [Self; 3] = [Self::Fz44, Self::Fz223, Self::Pp615];

    /// In the order of [`Regime::ALL`].
    pub const CODES: &'static [&'static str] = &["44", "223", "615"];

    /// All values of [`Regime::purchase_kind`].
    pub const PURCHASE_KINDS: &'static [&'static str] =
        &["purchase44", "purchase223", "purchase615"];

    /// Returns the law's code in responses (`federalLaw`).
    pub fn code(self) -> &'static str {
        match self {
            Self::Fz44 => "44",
            Self::Fz223 => "223",
            Self::Pp615 => "615",
        }
    }

    /// Returns the name for purchases under this law in responses.
    pub fn purchase_kind(self) -> &'static str {
        match self {
            Self::Fz44 => "purchase44",
            Self::Fz223 => "purchase223",
            Self::Pp615 => "purchase615",
        }
    }

    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|law| law.code() == code)
    }
}

/// A purchase number under any of the three laws.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct PurchaseNumber(String);

/// Checks a stored number, because the file may be damaged.
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
    pub fn parse(text: &str) -> Option<Self> {
        is_number(text).then(|| Self(text.to_owned()))
    }

    /// Parses a purchase number. Returns `None` if the number is malformed or not under `regime`.
    pub fn parse_under(regime: Regime, text: &str) -> Option<Self> {
        Self::parse(text).filter(|number| number.regime() == regime)
    }

    pub fn regime(&self) -> Regime {
        match self.0.len() {
            19 => Regime::Fz44,
            18 => Regime::Pp615,
            _ => Regime::Fz223,
        }
    }

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
    fn a_damaged_number_is_refused() {
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
