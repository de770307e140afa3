//! The words of the lookup page that the server writes itself. They come from the texts of the
//! scripts, so each exists once.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::model::Language;

const RUSSIAN: &str = include_str!("texts-ru.js");
const ENGLISH: &str = include_str!("texts-en.js");

/// Returns the text of a key in a language, or an empty text for an unknown key. Only the scripts
/// support texts with plural forms or escapes.
pub fn text(language: Language, key: &str) -> &'static str {
    static TEXTS: LazyLock<[Texts; 2]> = LazyLock::new(|| [RUSSIAN, ENGLISH].map(read));
    let [russian, english] = &*TEXTS;
    let texts = language.pick(russian, english);
    texts.get(key).copied().unwrap_or_default()
}

type Texts = HashMap<&'static str, &'static str>;

fn read(file: &'static str) -> Texts {
    let entry = |line: &'static str| {
        let (name, value) = line.strip_prefix("  ")?.split_once(": \"")?;
        Some((name.trim_matches('"'), value.strip_suffix("\",")?))
    };
    file.lines().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_its_text_in_each_language() {
        assert_eq!(
            text(Language::Russian, "verdict.invalid.short"),
            "ошибка в ИНН"
        );
        assert_eq!(
            text(Language::English, "verdict.invalid.short"),
            "invalid INN"
        );
        assert_eq!(
            text(Language::English, "regNum"),
            "Contract registry number"
        );
        assert_eq!(text(Language::English, "no such key"), "");
    }
}
