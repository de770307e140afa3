//! Normalizes names for search, so that different spellings of a name become equal (manual, "API",
//! "Finding").

use super::content_words::look_alike;
use super::legal_forms::{Misprints, legal_form};

/// Version of the rules by which [`searched_name`] normalizes names, including
/// `data/legal-forms.tsv`. An import normalizes all names again if another version did it before.
/// When you raise this, also raise `render::VERSION`, because the same data then gives different
/// answers.
pub const NAMES_VERSION: i64 = 1;

/// Wildcard in substrings ([`super::NameWay::parts`]). Stands for any number of characters.
pub const ANYTHING: char = '*';

/// Separates the words of a normalized name from the legal forms.
pub(super) const FORMS: char = '\t';

/// Maximum number of a person's initials. A longer run of single letters, as in О.О.О., is an
/// abbreviation.
const MAX_INITIALS: usize = 2;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NameWord {
    pub text: String,
    /// Whether the word is a single letter with a full stop.
    pub is_initial: bool,
    pub has_hyphen: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NameWords {
    pub words: Vec<NameWord>,
    pub forms: Vec<String>,
}

/// Returns the form of a name that searches compare: the words, and after a tab the abbreviated
/// legal forms, if any. Every word and every form has a space on both sides.
pub fn searched_name(name: &str) -> String {
    let NameWords { words, forms } = NameWords::of(name);
    let mut text = String::with_capacity(name.len() + 4);
    push_words(&mut text, words.iter().map(|word| word.text.as_str()));
    if !forms.is_empty() {
        text.push(FORMS);
        push_words(&mut text, forms.iter().map(String::as_str));
    }
    text
}

fn push_words<'a>(text: &mut String, words: impl Iterator<Item = &'a str>) {
    text.push(' ');
    for word in words {
        text.push_str(word);
        text.push(' ');
    }
}

impl NameWords {
    /// Splits a name into words and legal forms. If the name consists only of legal forms, all but
    /// the first count as words. For example, «Бук» in ООО «Бук» is the name of a company, although
    /// БУК also abbreviates a type of cultural institution.
    pub fn of(name: &str) -> Self {
        Self::split(&words(name, in_cyrillic), Misprints::Long)
    }

    /// Returns the words of a text, without replacing Latin letters.
    pub fn in_script(text: &str) -> Vec<NameWord> {
        words(text, |letter| letter)
    }

    /// Splits a name like [`Self::of`], but tolerates a misprint in every word of a spelled-out
    /// legal form.
    pub fn of_misprinted(name: &str) -> Self {
        Self::split(&words(name, in_cyrillic), Misprints::Any)
    }

    pub fn split(words: &[NameWord], misprints: Misprints) -> Self {
        let mut found = Self::default();
        let mut rest = words;
        while let Some((word, after)) = rest.split_first() {
            let no_initials = rest.iter().take_while(|word| !word.is_initial);
            let texts: Vec<&str> = no_initials.map(|word| word.text.as_str()).collect();
            if let Some((form, length)) = legal_form(&texts, misprints) {
                found.forms.push(form.to_owned());
                rest = rest.get(length..).unwrap_or_default();
            } else {
                found.words.push(word.clone());
                rest = after;
            }
        }
        if found.words.is_empty() && found.forms.len() > 1 {
            let others = found.forms.drain(1..).map(NameWord::plain);
            found.words = others.collect();
        }
        found
    }
}

impl NameWord {
    pub fn plain(text: String) -> Self {
        Self {
            text,
            is_initial: false,
            has_hyphen: false,
        }
    }

    fn initial(text: String) -> Self {
        Self {
            text,
            is_initial: true,
            has_hyphen: false,
        }
    }
}

/// Splits a text into lower-case words and applies `map` to each letter. Spaces, hyphens and
/// quotation marks separate words; other punctuation is dropped. № becomes the word n, which is
/// dropped in front of a number.
fn words(text: &str, map: fn(char) -> char) -> Vec<NameWord> {
    let mut words = Vec::new();
    let mut word = String::new();
    // `hyphens` has the indexes of words that follow a hyphen. `hyphen` is the index of the next
    // word if a hyphen precedes that word.
    let (mut hyphen, mut hyphens) = (None, Vec::new());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' => {
                end_word(&mut words, &mut word);
                hyphen = Some(words.len());
            }
            '"' | '«' | '»' | '“' | '”' | '„' | '‟' | '″' => {
                end_word(&mut words, &mut word)
            }
            letter if letter.is_whitespace() => {
                end_word(&mut words, &mut word);
                hyphen = None;
            }
            '№' => {
                end_word(&mut words, &mut word);
                words.push(NameWord::plain("n".to_owned()));
            }
            // й in decomposed form: и and a combining breve.
            '\u{306}' if word.ends_with('и') => {
                word.pop();
                word.push('й');
            }
            letter if letter.is_alphanumeric() => {
                hyphens.extend(hyphen.take());
                if word == "n" && letter.is_numeric() {
                    end_word(&mut words, &mut word);
                }
                word.push(map(letter));
            }
            '.' => word.push('.'),
            _ => {}
        }
    }
    end_word(&mut words, &mut word);
    for at in hyphens.into_iter().filter(|at| *at > 0) {
        if let Some(word) = words.get_mut(at) {
            word.has_hyphen = true;
        }
    }
    join_abbreviations(without_number_signs(words))
}

fn without_number_signs(words: Vec<NameWord>) -> Vec<NameWord> {
    let mut rest = words.into_iter().peekable();
    let mut kept = Vec::with_capacity(rest.len());
    while let Some(word) = rest.next() {
        let is_number = |next: &NameWord| next.text.starts_with(char::is_numeric);
        if word.text != "n" || !rest.peek().is_some_and(is_number) {
            kept.push(word);
        }
    }
    kept
}

/// Ends a word, which may contain full stops. Splits off initials; otherwise drops the full stops.
fn end_word(words: &mut Vec<NameWord>, word: &mut String) {
    let word = std::mem::take(word);
    let is_letter = |part: &str| part.chars().all(char::is_alphabetic) && part.chars().count() == 1;
    let parts: Vec<&str> = word.split('.').filter(|part| !part.is_empty()).collect();
    let initials = parts.iter().take_while(|part| is_letter(part)).count();
    let is_initials = word.contains('.') && initials <= MAX_INITIALS;
    let (initials, rest) = parts.split_at(if is_initials { initials } else { 0 });
    words.extend(
        initials
            .iter()
            .map(|part| NameWord::initial((*part).to_owned())),
    );
    if !rest.is_empty() {
        words.push(NameWord::plain(rest.concat()));
    }
}

/// Joins a run of single letters into one word if a person cannot have that many initials.
fn join_abbreviations(words: Vec<NameWord>) -> Vec<NameWord> {
    let mut joined = Vec::with_capacity(words.len());
    for run in words.chunk_by(|one, next| one.is_initial && next.is_initial) {
        if run.len() > MAX_INITIALS {
            let letters = run.iter().map(|word| word.text.as_str());
            joined.push(NameWord::plain(letters.collect()));
        } else {
            joined.extend_from_slice(run);
        }
    }
    joined
}

/// Replaces a Latin letter with the Cyrillic one that looks the same, and ё with е.
fn in_cyrillic(letter: char) -> char {
    match letter {
        'ё' | 'ë' => 'е',
        letter => look_alike(letter).unwrap_or(letter),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_of_a_name_are_equal() {
        for (expected, spellings) in [
            (
                " елка \t ооо ",
                &[
                    "ООО \"ЁЛКА\"",
                    "ооо елка",
                    "  ООО\t«Ёлка»\n",
                    "ООО“ЁЛКА”",
                    "Общество с  ограниченной ответственностью „Ёлка“",
                    "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ\"ЕЛКА\"",
                    "Е\u{308}лка, О.О.О.",
                    "OOO EЛKA",
                ][..],
            ),
            (
                " банк \t пао ",
                &["Публичное акционерное общество БАНК", "ПАО Банк"],
            ),
            (
                " дартаньян \t мку ",
                &[
                    "Муниципальное казённое учреждение Д'Артаньян",
                    "МКУ Д’АРТАНЬЯН",
                ],
            ),
            (
                " юг строй \t ао ",
                &[
                    "АО \"ЮГ\"-СТРОЙ",
                    "Акционерное общество Юг–Строй",
                    "ЮГ СТРОЙ (АО)",
                ],
            ),
            (" йога ", &["И\u{306}ога", "йога!"]),
            (
                " иванов \t кфх ",
                &["Крестьянское (фермерское) хозяйство Иванов"],
            ),
            // A word that only begins like a legal form, or a part of a legal form, stays a word.
            (
                " акционерное обществознание ",
                &["АКЦИОНЕРНОЕ ОБЩЕСТВОЗНАНИЕ"],
            ),
            (" общество охотников ", &["Общество охотников"]),
            (" ", &["", " ", "\"«»'"]),
        ] {
            for spelling in spellings {
                assert_eq!(searched_name(spelling), expected, "{spelling}");
            }
        }
    }

    #[test]
    fn each_form_in_full_is_its_abbreviation() {
        let mut forms = std::collections::HashMap::new();
        let rows = include_str!("../../data/legal-forms.tsv").lines().skip(1);
        for row in rows {
            let (short, full) = row.split_once('\t').expect("two columns");
            let first = forms.entry(full).or_insert(short);
            let expected = format!(" причал \t {} ", first.replace(' ', "").to_lowercase());
            for form in [full, short] {
                let name = format!("{} «Причал»", form.to_uppercase());
                assert_eq!(searched_name(&name), expected, "{form}");
            }
        }
        assert!(forms.len() > 500);
    }

    #[test]
    fn initials_are_not_legal_forms() {
        for (expected, spellings) in [
            (
                " сухушев а о ",
                &[
                    "Сухушев А.О.",
                    "Сухушев А. О.",
                    "СУХУШЕВ А.О",
                    "сухушев а.о.",
                ][..],
            ),
            (
                " и п сухушев ",
                &["И.П. Сухушев", "И. П. Сухушев", "И.П.Сухушев"],
            ),
            (
                " ромашка \t ооо ",
                &["О.О.О. Ромашка", "О. О. О. «Ромашка»", "ООО. Ромашка"],
            ),
            (" сухушев \t ао ", &["Сухушев АО"]),
            (" имкирова ", &["им.Кирова"]),
            (" 12 ", &["1.2"]),
        ] {
            for spelling in spellings {
                assert_eq!(searched_name(spelling), expected, "{spelling}");
            }
        }
    }

    #[test]
    fn a_number_sign_is_the_letter_n_except_before_a_number() {
        for text in [
            "Школа № 5",
            "школа №5",
            "ШКОЛА N5",
            "школа N 5",
            "Школа-№5",
            "Школа 5",
        ] {
            assert_eq!(searched_name(text), " школа 5 ", "{text}");
        }
        assert_eq!(searched_name("Nord № А N95а"), " nоrd n а 95а ");
    }

    #[test]
    fn in_a_name_of_legal_forms_only_the_first_counts_as_one() {
        assert_eq!(searched_name("ООО «Бук»"), " бук \t ооо ");
        assert_eq!(searched_name("ООО"), " \t ооо ");
    }

    proptest! {
        #[test]
        fn case_punctuation_and_white_space_do_not_matter(
            words in proptest::collection::vec("[а-яё0-9a-z]{2,9}", 1..6),
            marks in proptest::collection::vec(0..8_usize, 6),
        ) {
            let marked: Vec<String> = words
                .iter()
                .zip(marks)
                .map(|(word, mark)| {
                    let [open, close] = [["«", "» "], ["\"", "\""], ["„", "“"], ["", "\t"],
                        ["“", "”"], ["(", ")"], ["", " \u{a0}"], ["‘", "’."]][mark];
                    format!("{open}{}{close}", word.to_uppercase())
                })
                .collect();
            prop_assert_eq!(searched_name(&marked.join(" - ")), searched_name(&words.join(" ")));
        }

        #[test]
        fn any_text_is_words_of_letters_and_digits_with_single_spaces(text in ".{0,60}") {
            let searched = searched_name(&text);
            let is_plain = |letter: char| letter == ' ' || letter == FORMS || letter.is_alphanumeric();
            prop_assert!(searched.chars().all(is_plain), "{:?}", searched);
            prop_assert!(searched.starts_with(' ') && searched.ends_with(' '));
            prop_assert!(!searched.contains("  "), "{:?}", searched);
        }
    }
}
