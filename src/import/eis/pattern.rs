//! Matches names against patterns: `*` stands for any text, `?` for one character, `#` for one
//! digit.

/// Returns whether `name` matches `pattern`. Uses no recursion, because names may be arbitrarily
/// long.
pub fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut name_at) = (0, 0);
    // The position of the last `*` in the pattern, and the end of the text in `name` that it stands
    // for.
    let mut star: Option<(usize, usize)> = None;
    while let Some(byte) = name.get(name_at) {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, name_at));
                at += 1;
                continue;
            }
            Some(b'?') => {}
            Some(b'#') if byte.is_ascii_digit() => {}
            Some(expected) if expected == byte => {}
            _ => {
                let Some((star_at, taken)) = star else {
                    return false;
                };
                star = Some((star_at, taken + 1));
                (at, name_at) = (star_at + 1, taken + 1);
                continue;
            }
        }
        at += 1;
        name_at += 1;
    }
    pattern
        .get(at..)
        .unwrap_or_default()
        .iter()
        .all(|rest| *rest == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names() {
        let is = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        assert!(is("a*b", "ab") && is("a*b", "axxb") && !is("a*b", "abc"));
        assert!(is("a?*", "ab") && !is("a?*", "a"));
        assert!(is("a####", "a2026") && !is("a####", "a202x") && !is("a####", "a20261"));
        assert!(is("a*b*c", "abxbxc") && !is("a*b*c", "abxbx") && is("a*", "a") && !is("*a", ""));
        let long = "x".repeat(10 << 20);
        assert!(is("*?x", &long) && !is("x*y", &long));
    }
}
