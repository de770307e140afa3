//! Splits texts and queries into words, for search by content.

use std::borrow::Cow;
use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// In characters.
const MIN_LENGTH: usize = 2;

/// Maximum length of a word, in bytes. Longer runs of letters would not fit into a query, so they
/// are skipped.
const MAX_BYTES: usize = 2_000;

const MAX_STEMS: usize = 50_000;
/// Maximum length of a word whose stem is cached, in bytes.
const MAX_STEMMED_BYTES: usize = 60;

/// Splits texts into words. Caches stems, because most words occur again and again.
pub struct ContentWords {
    stemmer: Stemmer,
    stems: HashMap<String, String>,
}

impl Default for ContentWords {
    fn default() -> Self {
        Self {
            stemmer: Stemmer::create(Algorithm::Russian),
            stems: HashMap::new(),
        }
    }
}

impl ContentWords {
    /// Calls `each` with the words of a text, in order. Words are in lower case; Cyrillic words are
    /// stemmed.
    pub fn each(&mut self, text: &str, mut each: impl FnMut(&str)) {
        each_whole(text, |word| match word.chars().all(is_cyrillic) {
            true if word.len() > MAX_STEMMED_BYTES => each(&self.stemmer.stem(word)),
            true => each(self.stem(word)),
            false => each(word),
        });
    }

    /// Returns whether a text contains all of `words`, which must have the form that
    /// [`ContentWords::each`] passes on.
    pub fn has_all(&self, text: &str, words: &[String]) -> bool {
        let mut missing: Vec<&str> = words.iter().map(String::as_str).collect();
        each_whole(text, |word| {
            // A stem is a prefix of its word, so only words that begin with a wanted stem need
            // stemming.
            missing.retain(|wanted| {
                let may_be = word.starts_with(wanted);
                match may_be && word.chars().all(is_cyrillic) {
                    true => self.stemmer.stem(word) != *wanted,
                    false => word != *wanted,
                }
            });
        });
        missing.is_empty()
    }

    fn stem<'a>(&'a mut self, word: &'a str) -> &'a str {
        if self.stems.len() >= MAX_STEMS {
            self.stems.clear();
        }
        if !self.stems.contains_key(word) {
            let stem = self.stemmer.stem(word).into_owned();
            self.stems.insert(word.to_owned(), stem);
        }
        self.stems.get(word).map_or(word, String::as_str)
    }
}

fn each_whole(text: &str, mut each: impl FnMut(&str)) {
    let is_composed =
        text.chars().all(is_always_composed) || is_nfc_quick(text.chars()) == IsNormalized::Yes;
    let composed = match is_composed {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.nfc().collect::<String>()),
    };
    let lower = lower_case(&composed);
    let mut word = String::new();
    for run in lower.split(|one| !is_of_word(one)) {
        word.clear();
        word.extend(run.chars().map(|one| if one == 'ё' { 'е' } else { one }));
        if word.chars().nth(MIN_LENGTH - 1).is_none() || word.len() > MAX_BYTES {
            continue;
        }
        let has_latin = word.bytes().any(|byte| byte.is_ascii_alphabetic());
        if has_latin && is_meant_in_cyrillic(&word) {
            word = word
                .chars()
                .map(|one| look_alike(one).unwrap_or(one))
                .collect();
        }
        each(&word);
    }
}

/// Returns whether Unicode composition leaves a character unchanged in any context. This quick test
/// succeeds for nearly all characters of official texts, which saves a table lookup for each of
/// them.
fn is_always_composed(one: char) -> bool {
    one < '\u{300}' || matches!(one, '\u{400}'..='\u{45f}' | '\u{2010}'..='\u{2027}' | '№')
}

/// Like `text.to_lowercase()`, but twice as fast on Russian text.
fn lower_case(text: &str) -> String {
    // Σ is the only letter whose lower case depends on its neighbours.
    if text.contains('Σ') {
        return text.to_lowercase();
    }
    let mut lower = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '\0'..='\u{7f}' => lower.push(one.to_ascii_lowercase()),
            'а'..='я' => lower.push(one),
            _ => lower.extend(one.to_lowercase()),
        }
    }
    lower
}

fn is_of_word(one: char) -> bool {
    match one {
        '\0'..='\u{7f}' => one.is_ascii_alphanumeric(),
        'а'..='я' => true,
        _ => one.is_alphanumeric(),
    }
}

/// Returns whether the Latin letters of a word were meant to be the Cyrillic letters that look the
/// same. This is so if the word also has Cyrillic letters, or if it consists of digits and
/// look-alikes only.
fn is_meant_in_cyrillic(word: &str) -> bool {
    if word.chars().any(is_cyrillic) {
        return true;
    }
    let is_either = |one: char| one.is_ascii_digit() || look_alike(one).is_some();
    word.chars().any(|one| one.is_ascii_digit()) && word.chars().all(is_either)
}

fn is_cyrillic(letter: char) -> bool {
    ('\u{400}'..='\u{4ff}').contains(&letter)
}

pub(super) fn look_alike(letter: char) -> Option<char> {
    Some(match letter {
        'a' => 'а',
        'b' => 'в',
        'c' => 'с',
        'e' => 'е',
        'h' => 'н',
        'k' => 'к',
        'm' => 'м',
        'o' => 'о',
        'p' => 'р',
        't' => 'т',
        'x' => 'х',
        'y' => 'у',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        ContentWords::default().each(text, |word| found.push(word.to_owned()));
        found
    }

    #[test]
    fn words_are_stems_without_case_and_single_characters() {
        let found = words("Поставка ПОСТЕЛЬНОГО белья, 2-комнатная (шт.) и №5 — 70 х 140");
        let stems = ["поставк", "постельн", "бел", "комнатн", "шт", "70", "140"];
        assert_eq!(found, stems);
    }

    #[test]
    fn forms_of_a_few_words_have_different_stems() {
        assert_eq!(words("охрана охраны охране"), ["охра", "охра", "охран"]);
    }

    #[test]
    fn latin_lookalikes_beside_cyrillic_letters_or_digits_are_cyrillic() {
        let found = words("бумага A4 А4 формата a4; CO2; x-ray; SOS; пакет c молокoм");
        let stems = [
            "бумаг",
            "а4",
            "а4",
            "формат",
            "а4",
            "со2",
            "ray",
            "sos",
            "пакет",
            "молок",
        ];
        assert_eq!(found, stems);
    }

    #[test]
    fn overlong_words_are_ignored() {
        let long = "ы".repeat(MAX_BYTES);
        assert_eq!(words(&format!("до {long} после")), ["до", "посл"]);
    }

    #[test]
    fn letters_are_composed_and_ё_is_е() {
        assert_eq!(words("и\u{306}од Ёлка е\u{308}лка"), words("ЙОД елка ёлка"));
    }

    #[test]
    fn every_character_called_composed_is() {
        for one in ('\0'..='\u{ffff}').filter(|one| is_always_composed(*one)) {
            let text = format!("а{one}б{one}");
            assert_eq!(is_nfc_quick(text.chars()), IsNormalized::Yes, "{one:?}");
        }
    }

    proptest! {
        #[test]
        fn words_equal_those_of_split_texts(
            text in "([бельёмиами]|аБВ|[a4 ,]){0,24}",
            q in "[бельёмиаb4]{0,6}",
        ) {
            let (all, asked) = (words(&text), words(&q));
            let expected = asked.iter().all(|word| all.contains(word));
            prop_assert_eq!(ContentWords::default().has_all(&text, &asked), expected);
            prop_assert!(ContentWords::default().has_all(&text, &all));
        }

        #[test]
        fn the_words_of_a_text_are_those_of_its_parts(one in "[а-яa-z0-9ё]{0,12}", other in "\\PC{0,12}") {
            let both = words(&format!("{one} {other}"));
            prop_assert_eq!(both, [words(&one), words(&other)].concat());
        }

        #[test]
        fn letters_are_lower_cased_by_unicode_rules(text in "([ΣΑσςА-яЁёİA-z ]|\\PC){0,20}") {
            prop_assert_eq!(lower_case(&text), text.to_lowercase());
        }

        #[test]
        fn words_contain_no_separators(text in "\\PC{0,40}") {
            for word in words(&text) {
                prop_assert!(word.chars().all(char::is_alphanumeric), "{word}");
            }
        }
    }
}
