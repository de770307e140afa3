//! The texts of the page, stored in one JSON file per language and part. The server wraps these
//! files as scripts for the page, and reads the texts that it renders itself. Texts of workbooks
//! are used only by the server.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::model::Language;

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

/// A file of texts. Leaves out `fields` and the plural forms, which only the scripts use.
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
/// If the key is missing or has plural forms.
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

/// Returns the description of a parameter for the first row of a workbook. It contains the
/// placeholder `{value}`. A text for this particular value takes precedence. Returns `None` for
/// parameters that the row does not mention.
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
    fn text_is_in_the_requested_language() {
        let both = |key| Language::ALL.map(|language| text(language, key));
        let short = both("verdict.invalid.short");
        assert_eq!(short, ["ошибка в ИНН", "invalid INN"]);
        assert_eq!(both("law.44"), ["44-ФЗ", "Law 44-FZ"]);
    }

    #[test]
    #[should_panic(expected = "no such key")]
    fn unknown_key_panics() {
        text(Language::English, "no such key");
    }
}
