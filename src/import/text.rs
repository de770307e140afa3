//! Texts from outside, and how messages show them.

use std::borrow::Cow;

/// The most characters shown of a value.
const MAX_SHOWN: usize = 60;

/// The text of a file or a line.
///
/// # Errors
/// Where it is not UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes);
    text.map_err(|error| format!("not UTF-8 from byte {} on", error.valid_up_to() + 1))
}

/// The beginning of a value for a message, long enough to recognise it.
pub fn cut(text: &str) -> Cow<'_, str> {
    let end = text.char_indices().nth(MAX_SHOWN);
    match end.and_then(|(end, _)| text.get(..end)) {
        Some(start) => Cow::Owned([start, "…"].concat()),
        None => Cow::Borrowed(text),
    }
}

/// The same in quotes.
pub fn shown(text: &str) -> String {
    format!("{:?}", cut(text))
}

/// A text made safe to print: without control characters, which could fake other lines or terminal
/// commands, and without those that reverse the direction of the text after them.
pub fn printable(text: &str) -> String {
    let visible = |c: char| match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(visible).collect()
}
