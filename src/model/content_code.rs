//! Codes of goods, works and services: OKPD2 and KTRU.

/// Upper bound on the bytes of a code in a query. KTRU codes have 22 characters.
const MAX_LENGTH: usize = 100;

/// A code in a query. Consists of digits, full stops and hyphens, has at least two digits, and
/// begins and ends with a digit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContentCode(String);

impl ContentCode {
    pub fn parse(text: &str) -> Option<Self> {
        is_code(text).then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether an item's code is under this code: equal to it, or continued with `.` or
    /// `-`.
    pub fn has(&self, code: &str) -> bool {
        levels(code).any(|level| level == self.0)
    }
}

/// Returns the codes under which a search finds an item with `code`, broadest first: every part up
/// to a full stop or hyphen, then the whole code.
pub fn levels(code: &str) -> impl Iterator<Item = &str> {
    let ends = code.match_indices(['.', '-']).map(|(at, _)| at);
    let ends = ends
        .chain([code.len()])
        .take_while(|end| *end <= MAX_LENGTH);
    ends.filter_map(|end| code.get(..end).filter(|level| is_code(level)))
}

fn is_code(text: &str) -> bool {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    bytes.len() <= MAX_LENGTH
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_digit() || b".-".contains(byte))
        && is_digit(bytes.first())
        && is_digit(bytes.last())
        && bytes.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_narrower_code_continues_after_a_full_stop_or_hyphen() {
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
    fn other_texts_are_not_codes() {
        for text in [
            "", "1", "1.", ".11", "11-", "1a", "17.23 ", "17,23", "１７", "-",
        ] {
            assert_eq!(ContentCode::parse(text), None, "{text}");
        }
        assert!(ContentCode::parse(&"1".repeat(MAX_LENGTH + 1)).is_none());
    }

    proptest! {
        #[test]
        fn a_code_is_found_by_its_levels_only(code in "[0-9.x-]{0,12}", asked in "[0-9.-]{0,6}") {
            let goes_on = |rest: &str| rest.is_empty() || rest.starts_with(['.', '-']);
            let expected = code.strip_prefix(&asked).is_some_and(goes_on);
            if let Some(asked) = ContentCode::parse(&asked) {
                prop_assert_eq!(asked.has(&code), expected);
            } else {
                prop_assert!(levels(&code).all(|level| level != asked));
            }
        }
    }
}
