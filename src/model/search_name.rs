//! Names as they are searched: what may differ between two spellings of one name is the same
//! in both (the manual, API, "Finding").

use std::sync::LazyLock;

/// Separates the words of a searched name from its legal forms.
pub(super) const FORMS: char = '\t';

/// The text of a name that searches compare: its words, then, behind a tab, its legal forms as
/// abbreviations, each with a space before and after it.
pub fn searched_name(name: &str) -> String {
    let (words, forms) = words_and_forms(name, |word, full| word == full);
    let mut text = String::with_capacity(name.len() + 4);
    push_words(&mut text, &words);
    if !forms.is_empty() {
        text.push(FORMS);
        push_words(&mut text, &forms);
    }
    text
}

fn push_words(text: &mut String, words: &[String]) {
    text.push(' ');
    for word in words {
        text.push_str(word);
        text.push(' ');
    }
}

/// The words of a name, and its legal forms as abbreviations; `is_same` says whether a word of
/// the name is one of a legal form in full.
pub(super) fn words_and_forms(
    name: &str,
    is_same: impl Fn(&str, &str) -> bool,
) -> (Vec<String>, Vec<String>) {
    let words = words(name);
    let (mut others, mut forms) = (Vec::new(), Vec::new());
    let mut rest = words.as_slice();
    while let Some((word, after)) = rest.split_first() {
        let starts_with = |full: &[&str]| {
            let mut words = rest.iter().zip(full);
            rest.len() >= full.len() && words.all(|(word, full)| is_same(word, full))
        };
        match FULL_FORMS.iter().find(|(_, full)| starts_with(full)) {
            Some((short, full)) => {
                forms.push((*short).to_owned());
                rest = rest.get(full.len()..).unwrap_or_default();
            }
            None => {
                let is_form = LEGAL_FORMS.iter().any(|(short, _)| short == word);
                let list = if is_form { &mut forms } else { &mut others };
                list.push(word.clone());
                rest = after;
            }
        }
    }
    (others, forms)
}

/// The words of a text in lower case, with Latin letters that look like Cyrillic ones as these,
/// and without punctuation. Spaces, hyphens and quotation marks separate words.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' => end_word(&mut words, &mut word),
            '"' | '«' | '»' | '“' | '”' | '„' | '‟' | '″' => {
                end_word(&mut words, &mut word)
            }
            letter if letter.is_whitespace() => end_word(&mut words, &mut word),
            // The letter й, written as two characters.
            '\u{306}' if word.ends_with('и') => {
                word.pop();
                word.push('й');
            }
            letter if letter.is_alphanumeric() => word.push(look_alike(letter)),
            _ => {}
        }
    }
    end_word(&mut words, &mut word);
    words
}

fn end_word(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// The Cyrillic letter that a Latin one looks like, in lower or upper case; ё as е.
fn look_alike(letter: char) -> char {
    match letter {
        'ё' | 'ë' | 'e' => 'е',
        'a' => 'а',
        'b' => 'в',
        'c' => 'с',
        'h' => 'н',
        'k' => 'к',
        'm' => 'м',
        'o' => 'о',
        'p' => 'р',
        't' => 'т',
        'x' => 'х',
        'y' => 'у',
        letter => letter,
    }
}

/// The legal forms with their words in full.
static FULL_FORMS: LazyLock<Vec<(&str, Vec<&str>)>> = LazyLock::new(|| {
    let forms = LEGAL_FORMS.iter();
    forms
        .map(|(short, full)| (*short, full.split(' ').collect()))
        .collect()
});

/// Legal forms of organisations and persons, and types of institutions: abbreviated, and in
/// full. A form comes before those that its full form begins with.
#[rustfmt::skip]
const LEGAL_FORMS: &[(&str, &str)] = &[
    ("ооо", "общество с ограниченной ответственностью"),
    ("одо", "общество с дополнительной ответственностью"),
    ("ао", "акционерное общество"),
    ("пао", "публичное акционерное общество"),
    ("нао", "непубличное акционерное общество"),
    ("зао", "закрытое акционерное общество"),
    ("оао", "открытое акционерное общество"),
    ("ип", "индивидуальный предприниматель"),
    ("кфх", "крестьянское фермерское хозяйство"),
    ("фгуп", "федеральное государственное унитарное предприятие"),
    ("гуп", "государственное унитарное предприятие"),
    ("муп", "муниципальное унитарное предприятие"),
    ("фкп", "федеральное казенное предприятие"),
    ("гкп", "государственное казенное предприятие"),
    ("мкп", "муниципальное казенное предприятие"),
    ("фгбун", "федеральное государственное бюджетное учреждение науки"),
    ("фгбуз", "федеральное государственное бюджетное учреждение здравоохранения"),
    ("фгбук", "федеральное государственное бюджетное учреждение культуры"),
    ("фгбу", "федеральное государственное бюджетное учреждение"),
    ("фгау", "федеральное государственное автономное учреждение"),
    ("фгку", "федеральное государственное казенное учреждение"),
    ("фгбоу", "федеральное государственное бюджетное образовательное учреждение"),
    ("фгаоу", "федеральное государственное автономное образовательное учреждение"),
    ("фгкоу", "федеральное государственное казенное образовательное учреждение"),
    ("фбуз", "федеральное бюджетное учреждение здравоохранения"),
    ("фбу", "федеральное бюджетное учреждение"),
    ("фау", "федеральное автономное учреждение"),
    ("фку", "федеральное казенное учреждение"),
    ("гбуз", "государственное бюджетное учреждение здравоохранения"),
    ("гбук", "государственное бюджетное учреждение культуры"),
    ("гбу", "государственное бюджетное учреждение"),
    ("гауз", "государственное автономное учреждение здравоохранения"),
    ("гаук", "государственное автономное учреждение культуры"),
    ("гау", "государственное автономное учреждение"),
    ("гкуз", "государственное казенное учреждение здравоохранения"),
    ("гку", "государственное казенное учреждение"),
    ("гбоу", "государственное бюджетное образовательное учреждение"),
    ("гбоу", "государственное бюджетное общеобразовательное учреждение"),
    ("гбпоу", "государственное бюджетное профессиональное образовательное учреждение"),
    ("гаоу", "государственное автономное образовательное учреждение"),
    ("гапоу", "государственное автономное профессиональное образовательное учреждение"),
    ("гкоу", "государственное казенное образовательное учреждение"),
    ("гкоу", "государственное казенное общеобразовательное учреждение"),
    ("мбуз", "муниципальное бюджетное учреждение здравоохранения"),
    ("мбук", "муниципальное бюджетное учреждение культуры"),
    ("мбу", "муниципальное бюджетное учреждение"),
    ("маук", "муниципальное автономное учреждение культуры"),
    ("мау", "муниципальное автономное учреждение"),
    ("мкук", "муниципальное казенное учреждение культуры"),
    ("мку", "муниципальное казенное учреждение"),
    ("мбоу", "муниципальное бюджетное образовательное учреждение"),
    ("мбоу", "муниципальное бюджетное общеобразовательное учреждение"),
    ("мбдоу", "муниципальное бюджетное дошкольное образовательное учреждение"),
    ("маоу", "муниципальное автономное образовательное учреждение"),
    ("маоу", "муниципальное автономное общеобразовательное учреждение"),
    ("мадоу", "муниципальное автономное дошкольное образовательное учреждение"),
    ("мкоу", "муниципальное казенное образовательное учреждение"),
    ("мкоу", "муниципальное казенное общеобразовательное учреждение"),
    ("мкдоу", "муниципальное казенное дошкольное образовательное учреждение"),
    ("ано", "автономная некоммерческая организация"),
    ("нко", "некоммерческая организация"),
    ("нп", "некоммерческое партнерство"),
    ("чоу", "частное образовательное учреждение"),
    ("чу", "частное учреждение"),
    ("чоп", "частное охранное предприятие"),
    ("чоо", "частная охранная организация"),
    ("роо", "региональная общественная организация"),
    ("тсж", "товарищество собственников жилья"),
    ("тсн", "товарищество собственников недвижимости"),
    ("тоо", "товарищество с ограниченной ответственностью"),
    ("спк", "сельскохозяйственный производственный кооператив"),
    ("пк", "производственный кооператив"),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_of_one_name_are_the_same() {
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
            // Not a form, or not as a whole.
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
        for (short, full) in LEGAL_FORMS {
            let expected = format!(" \t {short} ");
            assert_eq!(searched_name(&full.to_uppercase()), expected, "{full}");
            assert_eq!(searched_name(short), expected);
        }
    }

    proptest! {
        #[test]
        fn neither_case_nor_punctuation_nor_white_space_matter(
            words in proptest::collection::vec("[а-яё0-9a-z]{1,9}", 1..6),
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
