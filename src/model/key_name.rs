//! Names of holders of API keys.

/// In characters.
pub const MAX_KEY_NAME: usize = 100;

pub fn is_key_name(text: &str) -> bool {
    let length = text.chars().count();
    let is_bad = |c: char| c.is_control() || c == char::REPLACEMENT_CHARACTER;
    !text.trim().is_empty() && length <= MAX_KEY_NAME && !text.chars().any(is_bad)
}
