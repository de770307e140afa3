//! Decodes text from files, and makes values safe and short enough for messages.

use std::borrow::Cow;

const MAX_SHOWN: usize = 60;

/// Decodes a file or a line.
///
/// # Errors
/// Returns a message with the position of the first byte that is not UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes);
    text.map_err(|error| format!("not UTF-8 from byte {} on", error.valid_up_to() + 1))
}

/// Truncates a value for a message and marks the cut with an ellipsis.
pub fn cut(text: &str) -> Cow<'_, str> {
    let end = text.char_indices().nth(MAX_SHOWN);
    match end.and_then(|(end, _)| text.get(..end)) {
        Some(start) => Cow::Owned([start, "…"].concat()),
        None => Cow::Borrowed(text),
    }
}

/// Truncates a value for a message and puts it in quotation marks.
pub fn shown(text: &str) -> String {
    format!("{:?}", cut(text))
}

/// Makes text safe to print. Replaces control characters, which could forge lines or terminal
/// commands, and characters that change the direction of text.
pub fn printable(text: &str) -> String {
    let visible = |c: char| match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(visible).collect()
}
