//! Patterns for the keys of selections and links.

/// Returns whether a pattern matches a key. `*` matches any part of a key, and `*` alone matches any
/// selection. The key of a link is the key of its selection followed by `#N`. A pattern with `#`
/// matches only links, a pattern without it only selections.
pub(crate) fn matches(pattern: &str, key: &str) -> bool {
    let (pattern, wanted) = split(pattern);
    let (key, number) = split(key);
    let is_link = match (wanted, number) {
        (None, None) => true,
        (Some(wanted), Some(number)) => wanted == "*" || wanted == number,
        _ => false,
    };
    is_link && (pattern == "*" || parts_match(pattern, key))
}

fn split(text: &str) -> (&str, Option<&str>) {
    match text.split_once('#') {
        Some((key, number)) => (key, Some(number)),
        None => (text, None),
    }
}

fn parts_match(pattern: &str, key: &str) -> bool {
    let wanted: Vec<&str> = pattern.split('/').collect();
    let parts: Vec<&str> = key.split('/').collect();
    let is_match = |(wanted, part): (&&str, &&str)| *wanted == "*" || wanted == part;
    wanted.len() == parts.len() && wanted.iter().zip(&parts).all(is_match)
}
