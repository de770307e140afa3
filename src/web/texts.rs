//! The texts of the page, a JSON file per language. The scripts get them as generated scripts, and
//! the server reads the texts that it writes itself; those of workbooks are its own alone.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::model::Language;

/// The script with the texts of a language and a part of the page.
macro_rules! texts_script {
    ($language:literal, $part:literal) => {
        concat!(
            "import { addTexts } from \"./texts.js\";\n\naddTexts(\"",
            $language,
            "\", ",
            include_str!(concat!("texts/", $part, $language, ".json")),
            ");\n"
        )
    };
}

/// A file of texts. Scripts alone read `fields` and texts with plural forms.
#[derive(Deserialize)]
struct Texts {
    words: HashMap<String, String>,
    texts: HashMap<String, Text>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Plain(String),
    Plural(IgnoredAny),
}

/// Returns the text of a key in a language.
///
/// # Panics
/// The files have no text of this key without plural forms.
pub fn text(language: Language, key: &str) -> &'static str {
    static TEXTS: LazyLock<[Texts; 2]> = LazyLock::new(|| {
        [include_str!("texts/ru.json"), include_str!("texts/en.json")]
            .map(|file| serde_json::from_str(file).expect("a file of texts"))
    });
    let [russian, english] = &*TEXTS;
    let texts = language.pick(russian, english);
    match (texts.texts.get(key), texts.words.get(key)) {
        (Some(Text::Plain(text)), _) | (None, Some(text)) => text,
        (Some(Text::Plural(_)), _) | (None, None) => panic!("no plain text {key}"),
    }
}

/// Returns the text of a parameter in the first row of a workbook, with `{value}` where its value
/// goes: the text for this value, else the one for any value. `None` for a parameter that the row
/// leaves out.
pub fn filter_text(language: Language, name: &str, value: &str) -> Option<&'static str> {
    #[derive(Deserialize)]
    struct Filters {
        filters: HashMap<String, String>,
    }
    static TEXTS: LazyLock<[Filters; 2]> = LazyLock::new(|| {
        [
            include_str!("texts/workbook-ru.json"),
            include_str!("texts/workbook-en.json"),
        ]
        .map(|file| serde_json::from_str(file).expect("a file of texts"))
    });
    let [russian, english] = &*TEXTS;
    let filters = &language.pick(russian, english).filters;
    let text = filters.get(&[name, "=", value].concat());
    text.or_else(|| filters.get(name)).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_its_text_in_each_language() {
        let both = |key| Language::ALL.map(|language| text(language, key));
        let short = both("verdict.invalid.short");
        assert_eq!(short, ["ошибка в ИНН", "invalid INN"]);
        assert_eq!(both("law.44"), ["44-ФЗ", "Law 44-FZ"]);
    }

    #[test]
    #[should_panic(expected = "no such key")]
    fn an_unknown_key_is_a_mistake_of_the_program() {
        text(Language::English, "no such key");
    }
}
