//! Entity tags: what an answer's bytes are a function of, hashed.

use sha2::{Digest, Sha256};

use crate::render::Format;
use crate::store::DataVersion;

/// The tag of the answer to a request whose parameters, as far as the bytes
/// depend on them, are `parts`. It changes with the data, with the program (which
/// may write the same record otherwise), with the format and with each part.
pub fn of(version: DataVersion, format: Format, parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    hash.update(env!("CARGO_PKG_VERSION"));
    hash.update(version.identity.to_le_bytes());
    hash.update(version.revision.to_le_bytes());
    // Two copies of one file may have gone on from it each on its own.
    hash.update(version.updated.to_le_bytes());
    hash.update(format.content_type());
    for part in parts {
        hash.update([0]);
        hash.update(part);
    }
    let head = hash.finalize();
    let hex: String = head
        .iter()
        .take(12)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("\"{hex}\"")
}

/// Do the values of `If-None-Match` name the tag? Weak tags count, as RFC 9110
/// (13.1.2) has it.
pub fn is_named<'a>(mut values: impl Iterator<Item = &'a str>, etag: &str) -> bool {
    values.any(|value| tags(value).any(|tag| tag == etag))
}

/// Is `*` among them, which names every tag of an answer that there is?
pub fn is_any<'a>(mut values: impl Iterator<Item = &'a str>) -> bool {
    values.any(|value| tags(value).any(|tag| tag == "*"))
}

/// The entity tags of a list, with their quotes and without `W/`. A tag may have
/// commas in it.
fn tags(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = list;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            return None;
        }
        let strong = rest.strip_prefix("W/").unwrap_or(rest);
        let length = match strong.strip_prefix('"') {
            Some(inner) => inner.find('"').map_or(strong.len(), |end| end + 2),
            None => strong.find(',').unwrap_or(strong.len()),
        };
        let (tag, after) = strong.split_at(length);
        rest = after;
        Some(tag.trim_end())
    })
}

#[cfg(test)]
mod tests {
    use super::{is_any, is_named};

    #[test]
    fn a_list_a_weak_tag_and_a_star_match() {
        let check = |value: &'static str| {
            is_named([value].into_iter(), "\"abc\"") || is_any([value].into_iter())
        };
        for value in [
            "\"abc\"",
            "W/\"abc\"",
            "\"x\", \"abc\"",
            " \"abc\" ",
            "*",
            "\"x\",W/\"abc\"",
            "\"a, b\", \"abc\"",
        ] {
            assert!(check(value), "{value}");
        }
        for value in [
            "",
            "abc",
            "\"ab\"",
            "\"abcd\"",
            "w/\"abc\"",
            "\"*\"",
            "\"a, *, b\"",
            "\"abc",
        ] {
            assert!(!check(value), "{value}");
        }
        assert!(!is_named(std::iter::empty(), "\"abc\""));
    }
}
