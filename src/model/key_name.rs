//! Names of the holders of keys.

/// The greatest length of a name, in characters.
pub const MAX_KEY_NAME: usize = 100;

/// Returns whether a text can be the name of a key's holder.
pub fn is_key_name(text: &str) -> bool {
    let length = text.chars().count();
    let is_bad = |c: char| c.is_control() || c == char::REPLACEMENT_CHARACTER;
    !text.trim().is_empty() && length <= MAX_KEY_NAME && !text.chars().any(is_bad)
}
