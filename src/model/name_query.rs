//! Whether a name is the one that a text means, and how well (the manual, API, "Finding").

use super::search_name::{FORMS, words_and_forms};

/// From how many letters and digits on a text is searched for in names.
const MIN_LENGTH: usize = 3;

/// The length of the parts that an index of names has.
const TRIGRAM: usize = 3;

/// Stands for any characters, or none, in a part of a name ([`NameMatcher::parts`]).
pub const ANYTHING: char = '*';

/// From how many letters on a word may have a mistake.
const MIN_MISTAKEN: usize = 4;

/// A text to search for in names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameQuery {
    exact: QueryWords,
    /// The same with legal forms that stand in full with a mistake as their abbreviations.
    mistaken: QueryWords,
}

/// The words of a text, its legal forms apart.
#[derive(Clone, Debug, PartialEq, Eq)]
struct QueryWords {
    words: Vec<QueryWord>,
    forms: Vec<QueryWord>,
    /// The number of letters and digits of `words`.
    length: usize,
    /// Whether the text is nothing but legal forms, which then are its words.
    is_form: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct QueryWord {
    text: String,
    /// Its letters and digits.
    length: usize,
    /// Whether it may have a mistake: only letters, and enough of them.
    may_be_mistaken: bool,
}

impl QueryWord {
    fn new(text: String) -> Self {
        let length = text.chars().count();
        let may_be_mistaken = length >= MIN_MISTAKEN && text.chars().all(char::is_alphabetic);
        Self {
            text,
            length,
            may_be_mistaken,
        }
    }
}

/// One way of comparing names with a text.
#[derive(Clone, Copy, Debug)]
pub struct NameMatcher<'a> {
    query: &'a QueryWords,
    /// Whether a word may have one mistake.
    with_mistakes: bool,
}

/// The quality of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameScore {
    /// Whether the name has the legal forms of the text. Names without them count only if no name
    /// has them.
    pub has_forms: bool,
    /// From 1 to 100, as [`NameMatcher::score`] says.
    pub score: u8,
}

impl QueryWords {
    fn new(text: &str, is_same: impl Fn(&str, &str) -> bool) -> Self {
        let (words, forms) = words_and_forms(text, is_same);
        let is_form = words.is_empty();
        let (words, forms) = match is_form {
            true => (forms, words),
            false => (words, forms),
        };
        let words: Vec<QueryWord> = words.into_iter().map(QueryWord::new).collect();
        Self {
            length: words.iter().map(|word| word.length).sum(),
            words,
            forms: forms.into_iter().map(QueryWord::new).collect(),
            is_form,
        }
    }

    fn all(&self) -> impl Iterator<Item = &QueryWord> {
        self.words.iter().chain(&self.forms)
    }
}

impl NameQuery {
    /// The text as it is searched for; none if it is too short.
    pub fn new(text: &str) -> Option<Self> {
        let exact = QueryWords::new(text, |word, full| word == full);
        let length: usize = exact.all().map(|word| word.length).sum();
        let is_same = |word: &str, full: &str| {
            word == full || (full.chars().count() >= MIN_MISTAKEN && is_one_mistake(word, full))
        };
        (length >= MIN_LENGTH).then(|| Self {
            mistaken: QueryWords::new(text, is_same),
            exact,
        })
    }

    /// Returns the ways of comparing names with the text, the strict one first. The other one
    /// counts only if no name matches strictly.
    pub fn matchers(&self) -> impl Iterator<Item = NameMatcher<'_>> {
        let may_be_mistaken = self.exact.all().any(|word| word.may_be_mistaken);
        let mistaken = may_be_mistaken.then_some((&self.mistaken, true));
        let ways = [(&self.exact, false)].into_iter().chain(mistaken);
        ways.map(|(query, with_mistakes)| NameMatcher {
            query,
            with_mistakes,
        })
    }
}

impl NameMatcher<'_> {
    /// Returns lists of texts of three characters or more, maybe with [`ANYTHING`] in them. A
    /// matching name, as [`super::searched_name`] makes it, has at least one text of each list.
    pub fn parts(&self) -> Vec<Vec<String>> {
        // A legal form rules out too few names to be looked up.
        let words = self.query.words.iter().filter(|_| !self.query.is_form);
        let words = words.filter(|word| word.length >= TRIGRAM);
        words
            .map(|word| match self.with_mistakes && word.may_be_mistaken {
                true => parts_with_mistake(&word.text),
                false => vec![word.text.clone()],
            })
            .collect()
    }

    /// Returns the score of a name, as [`super::searched_name`] makes it; none if it does not match.
    /// 100 is the same name, legal forms aside. Otherwise it is the share of the
    /// longer one, name or text, that the words of the text make up: a letter within a word of
    /// the name counts half of one at its beginning, and a mistake takes a letter away.
    pub fn score(&self, name: &str) -> Option<NameScore> {
        let (words, _) = name.split_once(FORMS).unwrap_or((name, ""));
        let scored = if self.query.is_form { name } else { words };
        let mut half_letters = 0;
        for word in &self.query.words {
            half_letters += self.half_letters(word, name)?;
        }
        let mut forms = self.query.forms.iter();
        let has_forms = forms.all(|form| self.half_letters(form, name).is_some());
        let length = scored
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .count();
        let score = if length == self.query.length && self.is_same(scored) {
            100
        } else {
            let longer = length.max(self.query.length).max(1);
            let score = half_letters * 50 / longer;
            u8::try_from(score.clamp(1, 99)).unwrap_or(99)
        };
        Some(NameScore { has_forms, score })
    }

    /// The letters of a word that a name has, a half of them at a time; none if the name does
    /// not have the word.
    fn half_letters(&self, word: &QueryWord, name: &str) -> Option<usize> {
        let mut parts = name.match_indices(word.text.as_str()).peekable();
        if parts.peek().is_some() {
            let begins =
                parts.any(|(at, _)| name.get(..at).is_some_and(|name| name.ends_with(' ')));
            return Some(if begins { 2 * word.length } else { word.length });
        }
        let has_mistake = self.with_mistakes
            && word.may_be_mistaken
            && words_of(name).any(|one| is_one_mistake(one, &word.text));
        has_mistake.then(|| 2 * (word.length - 1))
    }

    /// Whether these are the words of the text, in any order.
    fn is_same(&self, words: &str) -> bool {
        let mut words: Vec<&str> = words_of(words).collect();
        let texts = self.query.words.iter().map(|word| word.text.as_str());
        let mut texts: Vec<&str> = texts.collect();
        words.sort_unstable();
        texts.sort_unstable();
        words == texts
    }
}

fn words_of(name: &str) -> impl Iterator<Item = &str> {
    name.split([' ', FORMS]).filter(|word| !word.is_empty())
}

/// The least length of a word that is searched by thirds.
const MIN_IN_THIRDS: usize = 9;

/// Returns the parts of a word of four letters or more; a name with the word, or with one mistake
/// in it, contains at least one of them. They are the word and the parts that a mistake leaves
/// intact, each with the space at its end of the word. A mistake in the middle of a long word
/// leaves its beginning and its end.
fn parts_with_mistake(word: &str) -> Vec<String> {
    let mut letters: Vec<char> = word.chars().collect();
    let text = |letters: &[char]| String::from_iter(letters);
    let mut parts = vec![word.to_owned()];
    if letters.len() >= MIN_IN_THIRDS {
        let (third, two_thirds) = (letters.len() / 3, letters.len() - letters.len() / 3);
        let (beginning, end) = (&letters[..two_thirds], &letters[third..]);
        // Two neighbours on both sides of a cut may have been exchanged.
        let (first, last) = (&letters[..third - 1], &letters[two_thirds + 1..]);
        parts.push(format!(" {}", text(beginning)));
        parts.push(format!("{} ", text(end)));
        parts.push(format!(" {}{ANYTHING}{} ", text(first), text(last)));
        return parts;
    }
    let middle = letters.len().div_ceil(2);
    let (first, second) = letters.split_at(middle);
    parts.push(format!(" {}", text(first)));
    parts.push(format!("{} ", text(second)));
    letters.swap(middle - 1, middle);
    let exchanged = text(&letters);
    if exchanged != word {
        parts.push(format!(" {exchanged} "));
    }
    parts
}

/// Whether two different words differ by one letter more, less or other, or by two neighbours
/// that were exchanged.
fn is_one_mistake(one: &str, other: &str) -> bool {
    // A letter has up to 4 bytes.
    if one.len().abs_diff(other.len()) > 4 {
        return false;
    }
    let same = |(a, b): &(char, char)| a == b;
    let letter = |(a, _): (char, char)| a.len_utf8();
    let start: usize = one
        .chars()
        .zip(other.chars())
        .take_while(same)
        .map(letter)
        .sum();
    let (one, other) = (one.split_at(start).1, other.split_at(start).1);
    let ends = one.chars().rev().zip(other.chars().rev());
    let end: usize = ends.take_while(same).map(letter).sum();
    let mut one = one.split_at(one.len() - end).0.chars();
    let mut other = other.split_at(other.len() - end).0.chars();
    match (one.next(), one.next(), other.next(), other.next()) {
        (_, None, _, None) => true,
        (Some(a), Some(b), Some(c), Some(d)) => {
            (a, b) == (d, c) && one.next().is_none() && other.next().is_none()
        }
        _ => false,
    }
}
