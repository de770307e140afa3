//! Codes of goods, works and services (OKPD2, KTRU), as items of contracts and purchases have them,
//! and as they are asked for.

/// The largest length of a code, in bytes. One of KTRU has 22.
const MAX_LENGTH: usize = 40;

/// A code that is asked for: digits, full stops and hyphens, with a digit at both ends, and at least
/// two digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContentCode(String);

impl ContentCode {
    /// Reads a code; none if it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        is_code(text).then(|| Self(text.to_owned()))
    }

    /// Returns its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether a code of an item is this one, or goes on from it.
    pub fn has(&self, code: &str) -> bool {
        levels(code).any(|level| level == self.0)
    }
}

/// Returns the levels of an item's code, the widest first: its beginnings before a full stop or a
/// hyphen, then the whole. None for a text that is no code.
pub fn levels(code: &str) -> impl Iterator<Item = &str> {
    let code = if is_code(code) { code } else { "" };
    let ends = code.match_indices(['.', '-']).map(|(at, _)| at);
    let ends = ends.chain((!code.is_empty()).then_some(code.len()));
    ends.filter_map(|end| code.get(..end))
}

fn is_code(text: &str) -> bool {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    bytes.len() <= MAX_LENGTH
        && bytes.iter().all(|byte| byte.is_ascii_digit() || b".-".contains(byte))
        && is_digit(bytes.first())
        && is_digit(bytes.last())
        && bytes.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_code_goes_on_from_another_after_a_full_stop_or_a_hyphen() {
        let code = ContentCode::parse("17.23").expect("a code");
        for (other, expected) in [
            ("17.23", true),
            ("17.23.13.130", true),
            ("17.23-00000001", true),
            ("17.231", false),
            ("17.2", false),
            ("17", false),
            ("x17.23", false),
        ] {
            assert_eq!(code.has(other), expected, "{other}");
        }
    }

    #[test]
    fn what_is_no_code_is_none() {
        for text in ["", "1", "1.", ".11", "11-", "1a", "17.23 ", "17,23", "１７", "-"] {
            assert_eq!(ContentCode::parse(text), None, "{text}");
        }
        assert!(ContentCode::parse(&"1".repeat(MAX_LENGTH + 1)).is_none());
    }

    proptest! {
        #[test]
        fn the_levels_of_a_code_are_all_that_find_it(code in "[0-9.-]{0,12}", asked in "[0-9.-]{0,6}") {
            let naive = || {
                let rest = code.strip_prefix(&asked)?;
                Some(rest.is_empty() || rest.starts_with(['.', '-']))
            };
            let both = ContentCode::parse(&asked).filter(|_| ContentCode::parse(&code).is_some());
            let expected = both.is_some() && naive() == Some(true);
            prop_assert_eq!(both.is_some_and(|asked| asked.has(&code)), expected);
        }
    }
}
