//! The access token, which must stay secret.

use std::fmt;
use std::ops::Range;

/// Accepted lengths. Real tokens are UUIDs with 36 characters. A token of fewer than 4 characters
/// might occur by chance in other text, and redacting it would garble that text.
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=256;

/// The access token of the document service. `Debug` does not reveal the token, and there is no
/// `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// Parses a token, ignoring white space around it.
    ///
    /// # Errors
    /// Returns an error that says what is wrong without quoting the text.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let token = text.trim_start_matches('\u{feff}').trim();
        let is_plain = |c: u8| c.is_ascii_alphanumeric() || b"-._~+/=".contains(&c);
        match token {
            "" => Err("there is nothing in it"),
            _ if !token.bytes().all(is_plain) => Err(
                "it is not a token: a token is one word of letters, digits and hyphens, \
                 as the service shows it",
            ),
            _ if !LENGTHS.contains(&token.len()) => Err("it is not a token: its length is wrong"),
            _ => Ok(Self(token.to_owned())),
        }
    }

    /// Returns the token in plain text, for the request that carries it.
    pub(super) fn secret(&self) -> &str {
        &self.0
    }

    /// Returns whether `text` contains the token, in any case, with or without hyphens.
    pub fn is_in(&self, text: &str) -> bool {
        self.found_in(text).is_some()
    }

    /// Replaces every occurrence of the token with `(token)`.
    pub fn redact(&self, text: &str) -> String {
        let mut left = text;
        let mut out = String::with_capacity(text.len());
        while let Some(found) = self.found_in(left) {
            out.push_str(&left[..found.start]);
            out.push_str("(token)");
            left = &left[found.end..];
        }
        out.push_str(left);
        out
    }

    /// Tokens are ASCII, so the range lies on character boundaries.
    fn found_in(&self, text: &str) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).map(|start| self.match_at(&bytes[start..]));
        let mut found = ends.enumerate();
        found.find_map(|(start, length)| Some(start..start + length?))
    }

    /// Returns the length of the token at the start of `text`. Hyphens may be missing or added, and
    /// letters may be in the other case.
    fn match_at(&self, text: &[u8]) -> Option<usize> {
        let mut length = 0;
        for wanted in self.0.bytes().filter(|c| *c != b'-') {
            while length > 0 && text.get(length) == Some(&b'-') {
                length += 1;
            }
            if !text.get(length)?.eq_ignore_ascii_case(&wanted) {
                return None;
            }
            length += 1;
        }
        (length > 0).then_some(length)
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0f3a1c52-9d1e-4c55-8a5b-3f3b7f0c1d2e";

    #[test]
    fn a_token_is_one_word_with_optional_space_around_it() {
        let token = AccessToken::parse(&format!("\u{feff} {TOKEN}\r\n")).expect("a token");
        assert_eq!(token.secret(), TOKEN);
        for wrong in [
            "",
            " \n",
            "two words of it, long",
            "abc",
            "не-токен-не-токен",
            &"a".repeat(257),
        ] {
            let error = AccessToken::parse(wrong).expect_err(wrong);
            assert!(wrong.trim().is_empty() || !error.contains(wrong));
        }
    }

    #[test]
    fn the_token_is_removed_from_texts_and_never_printed() {
        let token = AccessToken::parse(TOKEN).expect("a token");
        let text = format!("«{TOKEN}» и {}.", TOKEN.to_uppercase());
        assert!(token.is_in(&text));
        assert_eq!(token.redact(&text), "«(token)» и (token).");
        assert_eq!(token.redact("nothing"), "nothing");
        let bare = TOKEN.replace('-', "");
        assert_eq!(
            token.redact(&format!("-{bare}-, {}", &bare[1..])),
            format!("-(token)-, {}", &bare[1..])
        );
        assert_eq!(format!("{token:?}"), "AccessToken(…)");
    }
}
