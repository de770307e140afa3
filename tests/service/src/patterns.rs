//! Patterns of keys of selections and of links.

/// Returns whether a pattern matches a key. A part that is `*` matches any; `*` alone matches the
/// key of any selection. The link to archive N of a selection has the selection's key and `#N`: a
/// pattern with a `#` matches links, one without matches selections.
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
