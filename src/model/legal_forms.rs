//! Legal forms of organizations and types of institutions (`data/legal-forms.tsv`), and
//! abbreviations of other words in names (`data/name-abbreviations.tsv`).

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::word_distance::{is_one_mistake, is_within_two_mistakes};

/// Minimum length of a word in a spelled-out legal form in which one typo is tolerated.
const MIN_MISTAKEN: usize = 8;

/// The same as [`MIN_MISTAKEN`], but for [`Misprints::Any`].
const MIN_MISTAKEN_IN_TEXT: usize = 4;

/// Minimum length of a word in a spelled-out legal form in which two typos are tolerated.
const MIN_TWICE_MISTAKEN: usize = 12;

/// One way to write a legal form: spelled out, abbreviated, or with a common misprint.
#[derive(Debug)]
struct Spelling {
    words: Vec<String>,
    /// The abbreviation in lower case, without spaces.
    form: String,
}

#[derive(Debug, Default)]
struct LegalForms {
    spellings: HashMap<String, Vec<Spelling>>,
    /// First words of the spellings with several words, each with its number of letters.
    first_words: Vec<(String, usize)>,
}

static LEGAL_FORMS: LazyLock<LegalForms> = LazyLock::new(|| {
    let mut forms = LegalForms::default();
    for (abbreviation, spelling) in rows(include_str!("../../data/legal-forms.tsv")) {
        let form: String = abbreviation.concat();
        forms.add(vec![form.clone()], &form);
        forms.add(abbreviation, &form);
        forms.add(spelling, &form);
    }
    for spellings in forms.spellings.values_mut() {
        spellings.sort_by_key(|spelling| Reverse(spelling.words.len()));
    }
    let several = |spellings: &&Vec<Spelling>| spellings.iter().any(|one| one.words.len() > 1);
    let words = forms.spellings.iter();
    let words = words.filter(|(_, spellings)| several(spellings));
    forms.first_words = words
        .map(|(word, _)| (word.clone(), word.chars().count()))
        .collect();
    forms.first_words.sort_unstable();
    forms
});

/// Abbreviations, each with the words it stands for. An abbreviation with several meanings occurs
/// several times.
static ABBREVIATIONS: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(|| {
    let rows = rows(include_str!("../../data/name-abbreviations.tsv"));
    rows.map(|(abbreviation, words)| (abbreviation.concat(), words))
        .collect()
});

/// Parses a table with two columns and a heading. Cells are split into lower-case words.
fn rows(table: &str) -> impl Iterator<Item = (Vec<String>, Vec<String>)> {
    let words = |text: &str| text.to_lowercase().split(' ').map(str::to_owned).collect();
    let rows = table.lines().skip(1).filter_map(|row| row.split_once('\t'));
    rows.map(move |(abbreviation, full)| (words(abbreviation), words(full)))
}

impl LegalForms {
    fn add(&mut self, words: Vec<String>, form: &str) {
        let Some(first) = words.first().cloned() else {
            return;
        };
        let spellings = self.spellings.entry(first).or_default();
        if spellings.iter().all(|one| one.words != words) {
            let form = form.to_owned();
            spellings.push(Spelling { words, form });
        }
    }

    /// Returns the longest spelling at the start of `words`.
    fn find(&self, words: &[&str], misprints: Misprints) -> Option<&Spelling> {
        let first = words.first()?;
        let exact = self.spellings.get(*first);
        let begins = |spelling: &&Spelling| {
            let mut pairs = spelling.words.iter().zip(words);
            spelling.words.len() <= words.len()
                && pairs.all(|(full, word)| misprints.are_in(word, full, full.chars().count()))
        };
        if let Some(found) = exact.and_then(|spellings| spellings.iter().find(begins)) {
            return Some(found);
        }
        let similar = self.first_words.iter();
        let similar = similar.filter(|(full, letters)| misprints.are_in(first, full, *letters));
        let mut similar = similar.filter_map(|(full, _)| self.spellings.get(full));
        similar.find_map(|spellings| {
            let mut several = spellings.iter().filter(|spelling| spelling.words.len() > 1);
            several.find(begins)
        })
    }
}

/// Which misprints are tolerated in a spelled-out legal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misprints {
    /// One typo in a long word, two in a very long one. No other word is similar enough to be
    /// mistaken for one of the long words.
    Long,
    /// Like `Long`, but also one typo in any word of at least [`MIN_MISTAKEN_IN_TEXT`] letters.
    Any,
}

impl Misprints {
    /// Returns whether `word` is `full`, possibly misprinted. `letters` is the length of `full`.
    fn are_in(self, word: &str, full: &str, letters: usize) -> bool {
        if word == full {
            return true;
        }
        // A Cyrillic letter takes two bytes, and at most two letters may be missing.
        if word.len().abs_diff(full.len()) > 4 {
            return false;
        }
        let shortest = match self {
            Self::Long => MIN_MISTAKEN,
            Self::Any => MIN_MISTAKEN_IN_TEXT,
        };
        match letters {
            _ if letters < shortest => false,
            ..MIN_TWICE_MISTAKEN => is_one_mistake(word, full),
            _ => is_within_two_mistakes(word, full),
        }
    }
}

/// Returns the longest legal form at the start of `words`, as an abbreviation in lower case, and
/// how many of the words it takes up.
pub(super) fn legal_form(words: &[&str], misprints: Misprints) -> Option<(&'static str, usize)> {
    let found = LEGAL_FORMS.find(words, misprints)?;
    Some((found.form.as_str(), found.words.len()))
}

/// Returns other spellings of the start of `words`, each with the number of words it replaces.
/// Abbreviations are expanded, and the words that they stand for are abbreviated.
pub(super) fn other_spellings<'a>(
    words: &'a [&str],
) -> impl Iterator<Item = (Vec<&'static str>, usize)> + 'a {
    ABBREVIATIONS.iter().filter_map(|(abbreviation, full)| {
        if words.first().is_some_and(|word| *word == abbreviation) {
            return Some((full.iter().map(String::as_str).collect(), 1));
        }
        let in_full = words.get(..full.len())?;
        (in_full.iter().zip(full).all(|(word, full)| word == full))
            .then(|| (vec![abbreviation.as_str()], full.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Option<(&'static str, usize)> {
        let words: Vec<&str> = text.split(' ').collect();
        legal_form(&words, Misprints::Long)
    }

    #[test]
    fn the_longest_form_is_found() {
        for (text, expected) in [
            ("ооо", Some(("ооо", 1))),
            ("ооо ооо", Some(("ооо", 1))),
            ("фгбоу во причал", Some(("фгбоуво", 2))),
            ("фгбоуво", Some(("фгбоуво", 1))),
            ("фгбоу причал", Some(("фгбоу", 1))),
            ("акционерное общество", Some(("ао", 2))),
            ("акционерное обществознание", None),
            ("глава кфх", Some(("главакфх", 2))),
            ("глава", None),
            ("причал", None),
            ("", None),
        ] {
            assert_eq!(form(text), expected, "{text}");
        }
    }

    #[test]
    fn a_full_legal_form_is_recognized_despite_misprints() {
        for (text, expected) in [
            ("общество с ограниченной ответсвенностю", Some("ооо")),
            ("опщество с огранниченной ответственностью", Some("ооо")),
            ("муницыпальное унитарное предприятие", Some("муп")),
            ("общество с ограниченной безответственностью", None),
            ("обшества", None),
        ] {
            assert_eq!(form(text).map(|(form, _)| form), expected, "{text}");
        }
        let words = ["часдная", "охраная", "организация"];
        assert_eq!(legal_form(&words, Misprints::Long), None);
        assert_eq!(legal_form(&words, Misprints::Any), Some(("чоо", 3)));
    }

    /// People use these abbreviations, but the official documents spell out the words.
    #[test]
    fn families_of_institutions_and_firms_are_known_by_their_abbreviations() {
        let families = "фгбоу во, фгаоу во, фгбну, фгквоу во, фгбу дпо, мбу до, мбудо, гбу до, \
                        мау до, ано дпо, ано во, чоу дпо, чу дпо, снт, днт, гск, жск, пгк, спок, \
                        бф, оо, мро, гкпоу, обу, буз, бу, ау, ку, бук, когбуз, спб гбу, спб гбуз, \
                        спб гку, мп, гп, гбусо, гаусо, моу, гоу, фкоу, фгу, гу, ппк, райпо, огбу, \
                        кгбуз, фкуз, глава кфх, мбоу сош, гбоу сош";
        for family in families.split(", ") {
            let words: Vec<&str> = family.split(' ').collect();
            let found = legal_form(&words, Misprints::Long);
            let (form, count) = found.unwrap_or_else(|| panic!("{family}"));
            let rest = &words[count..];
            let is_known = rest.is_empty() || other_spellings(rest).next().is_some();
            assert!(
                is_known && family.replace(' ', "").starts_with(form),
                "{family}"
            );
        }
        for family in "акб, кб, нпо, нпп, нпц, нии, пкф, тд, ук, ск, жк, нпф, сош".split(", ")
        {
            assert!(other_spellings(&[family]).next().is_some(), "{family}");
        }
    }

    #[test]
    fn both_tables_have_normalized_words() {
        let is_word = |word: &String| {
            !word.is_empty() && word.chars().all(char::is_alphanumeric) && !word.contains('ё')
        };
        let tables = [
            include_str!("../../data/legal-forms.tsv"),
            include_str!("../../data/name-abbreviations.tsv"),
        ];
        for (abbreviation, full) in tables.into_iter().flat_map(rows) {
            assert!(abbreviation.iter().chain(&full).all(is_word), "{full:?}");
        }
    }

    #[test]
    fn abbreviations_and_words_match_each_other() {
        let all = |words: &[&str]| other_spellings(words).collect::<Vec<_>>();
        assert_eq!(all(&["тд", "причал"]), [(vec!["торговый", "дом"], 1)]);
        assert_eq!(all(&["торговый", "дом", "причал"]), [(vec!["тд"], 2)]);
        assert_eq!(all(&["торговый"]), []);
        assert_eq!(all(&["ук"]).len() + all(&["ск"]).len(), 3);
    }
}
