//! Compares a query with a name by pairing each word of the query with a word of the name.

use std::borrow::Cow;

use super::assignment::heaviest;
use super::declension::common_stem;
use super::other_script::sound;
use super::search_name::{ANYTHING, FORMS};
use super::word_distance::is_one_mistake;

/// Minimum number of letters in a word in which a typo is tolerated.
const MIN_MISTAKEN: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QueryWord {
    pub text: String,
    /// In letters and digits.
    pub length: usize,
    pub may_be_mistaken: bool,
    pub is_initial: bool,
}

impl QueryWord {
    pub fn new(text: String, is_initial: bool) -> Self {
        let letters = text.chars().filter(|letter| letter.is_alphabetic());
        Self {
            length: text.chars().count(),
            may_be_mistaken: letters.count() >= MIN_MISTAKEN,
            is_initial,
            text,
        }
    }
}

/// How the words of a query may differ from the words of a name that they are paired with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// A query's word may be a part of the name's word.
    Parts,
    /// A query's word may be a part of the name's word, contain a typo, or be in another
    /// grammatical case.
    Mistakes,
    /// Like `Parts`, except that the query's word with this index corresponds to several adjacent
    /// words of the name.
    Divided(usize),
    /// Query and name consist of the same letters in the same order, but are split into words
    /// differently.
    Whole,
    /// A query's word sounds like the name's word, or like the beginning of it.
    Sounds,
}

pub(super) struct Name<'a> {
    pub words: Vec<Cow<'a, str>>,
    pub forms: Vec<Cow<'a, str>>,
}

impl<'a> Name<'a> {
    /// Splits a name normalized by [`super::searched_name`].
    pub fn new(name: &'a str) -> Self {
        let (words, forms) = name.split_once(FORMS).unwrap_or((name, ""));
        let list = |text: &'a str| text.split(' ').filter(|word| !word.is_empty());
        Self {
            words: list(words).map(Cow::Borrowed).collect(),
            forms: list(forms).map(Cow::Borrowed).collect(),
        }
    }

    pub fn with_sounds(self) -> Self {
        let sounds =
            |words: Vec<Cow<'a, str>>| words.iter().map(|word| sound(word).into()).collect();
        Self {
            words: sounds(self.words),
            forms: self.forms,
        }
    }

    /// Returns the number of letters and digits in the words.
    pub fn length(&self) -> usize {
        self.words.iter().map(|word| word.chars().count()).sum()
    }
}

/// Returns whether a name contains a text, in which [`ANYTHING`] is a wildcard.
pub(super) fn contains(name: &str, text: &str) -> bool {
    let mut rest = name;
    text.split(ANYTHING).all(|part| match rest.find(part) {
        Some(at) => {
            rest = rest.get(at + part.len()..).unwrap_or_default();
            true
        }
        None => false,
    })
}

/// Score per letter, in thirds of a point, of a query's word that equals the name's word.
pub(super) const SAME: usize = 3;

/// Score per letter, in thirds of a point, of a query's word that begins a longer word of the name.
const BEGINNING: usize = 2;

/// Scores a name against a query, in thirds of a point. Returns `None` unless each word of the
/// query can be paired with a different word of the name. Of all pairings, takes the one with the
/// highest score.
///
/// A letter counts one point if the words are equal, two thirds if the query's word begins the
/// name's word, and one third if it is inside. A typo costs one letter. An initial counts one third
/// of a point per letter of the name's word, but at least one point.
pub(super) fn thirds(
    words: &[QueryWord],
    comparison: Comparison,
    name: &Name<'_>,
) -> Option<usize> {
    match comparison {
        Comparison::Whole => thirds_of_all(words, name),
        Comparison::Divided(at) => divisions(words.get(at)?, name)
            .filter_map(|(from, to)| {
                let others = words.iter().enumerate().filter(|(other, _)| *other != at);
                let others: Vec<&QueryWord> = others.map(|(_, word)| word).collect();
                let mut pairs = Pairs::new(&others, Comparison::Parts, name);
                pairs.is_taken.get_mut(from..to)?.fill(true);
                Some(pairs.heaviest(0, 0)? + SAME * words.get(at)?.length)
            })
            .max(),
        _ => {
            let words: Vec<&QueryWord> = words.iter().collect();
            Pairs::new(&words, comparison, name).heaviest(0, 0)
        }
    }
}

/// Upper bound on the words of a name that one word of the query may correspond to.
pub(super) const MAX_PIECES: usize = 6;

/// Finds runs of adjacent words in the name that give the query's word when joined. A run is a
/// start and an end (exclusive).
fn divisions<'a>(
    word: &'a QueryWord,
    name: &'a Name<'_>,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    (0..name.words.len()).filter_map(move |from| {
        let mut rest = word.text.as_str();
        for (pieces, piece) in name.words.iter().skip(from).take(MAX_PIECES).enumerate() {
            rest = rest.strip_prefix(piece.as_ref())?;
            if rest.is_empty() {
                return (pieces > 0).then_some((from, from + pieces + 1));
            }
        }
        None
    })
}

fn thirds_of_all(words: &[QueryWord], name: &Name<'_>) -> Option<usize> {
    let of_text = words.iter().flat_map(|word| word.text.chars());
    let of_name = name.words.iter().flat_map(|word| word.chars());
    let is_divided = name.words.len() <= MAX_PIECES && of_text.eq(of_name);
    is_divided.then(|| words.iter().map(|word| SAME * word.length).sum())
}

struct Pairs<'a> {
    name: &'a Name<'a>,
    initials: Vec<&'a str>,
    /// Scores of each word of the query that is not an initial, against each word and each legal
    /// form of the name. `None` means that they do not match.
    weights: Vec<Vec<Option<usize>>>,
    /// Which words of the name are already paired with an initial.
    is_taken: Vec<bool>,
}

impl<'a> Pairs<'a> {
    fn new(words: &[&'a QueryWord], comparison: Comparison, name: &'a Name<'a>) -> Self {
        let (initials, words): (Vec<&QueryWord>, Vec<&QueryWord>) =
            words.iter().partition(|word| word.is_initial);
        let all = || name.words.iter().chain(&name.forms);
        let weights = words.iter().map(|word| {
            let weights = all().map(|one| weight(word, one, comparison));
            weights.collect()
        });
        Self {
            name,
            initials: initials
                .into_iter()
                .map(|word| word.text.as_str())
                .collect(),
            weights: weights.collect(),
            is_taken: vec![false; all().count()],
        }
    }

    /// Tries all ways to pair the initials from index `initial` on with words of the name from
    /// index `from` on, keeping the order. Once all initials are paired, scores the other words.
    fn heaviest(&mut self, initial: usize, from: usize) -> Option<usize> {
        let has_no_pair = |weights: &Vec<Option<usize>>| weights.iter().all(Option::is_none);
        if self.weights.iter().any(has_no_pair) {
            return None;
        }
        let Some(letter) = self.initials.get(initial).copied() else {
            return self.heaviest_words();
        };
        let mut best = None;
        for at in from..self.name.words.len() {
            let word = &self.name.words[at];
            if word.starts_with(letter) && !self.is_taken[at] {
                self.is_taken[at] = true;
                let rest = self.heaviest(initial + 1, at + 1);
                self.is_taken[at] = false;
                best = best.max(rest.map(|rest| rest + word.chars().count().max(SAME)));
            }
        }
        best
    }

    fn heaviest_words(&self) -> Option<usize> {
        if !self.is_taken.contains(&true) {
            return heaviest(&self.weights);
        }
        let free = |weights: &Vec<Option<usize>>| {
            let weights = weights.iter().zip(&self.is_taken);
            weights
                .map(|(weight, taken)| weight.filter(|_| !taken))
                .collect()
        };
        let weights: Vec<Vec<Option<usize>>> = self.weights.iter().map(free).collect();
        heaviest(&weights)
    }
}

fn weight(word: &QueryWord, one: &str, comparison: Comparison) -> Option<usize> {
    if one == word.text {
        return Some(SAME * word.length);
    }
    let part = if one.starts_with(word.text.as_str()) {
        Some(BEGINNING * word.length)
    } else if comparison != Comparison::Sounds && one.contains(word.text.as_str()) {
        Some(word.length)
    } else {
        None
    };
    if comparison != Comparison::Mistakes || !word.may_be_mistaken {
        return part;
    }
    let is_mistaken = is_one_mistake(one, &word.text) && digits(one).eq(digits(&word.text));
    let intact = is_mistaken.then(|| word.length - 1);
    let intact = intact.or_else(|| common_stem(&word.text, one));
    part.max(intact.map(|letters| SAME * letters))
}

fn digits(word: &str) -> impl Iterator<Item = char> + '_ {
    word.chars().filter(|letter| letter.is_numeric())
}
