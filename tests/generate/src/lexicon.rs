//! Invented words by Zipf's law: as many different ones as the texts of real documents have,
//! which the vocabulary is too small for. They are inflected as Russian words are.

use super::chance::Chance;
use super::sizes::Sizes;

/// The most words.
pub const MAX_WORDS: u64 = 1_000_000;

const CONSONANTS: [&str; 16] = [
    "б", "в", "г", "д", "ж", "з", "к", "л", "м", "н", "п", "р", "с", "т", "ф", "х",
];
const VOWELS: [&str; 5] = ["а", "е", "и", "о", "у"];
/// How many syllables there are.
const SYLLABLES: u64 = 80;

/// The endings of nouns of two declensions, and of adjectives.
const ENDINGS: [&[&str]; 3] = [
    &["", "а", "у", "ом", "е", "ы", "ов", "ам", "ами", "ах"],
    &["а", "ы", "е", "у", "ой", "ам", "ами", "ах"],
    &[
        "ый", "ого", "ому", "ым", "ом", "ая", "ой", "ую", "ое", "ые", "ых", "ыми",
    ],
];

/// The words.
pub struct Lexicon(Sizes);

impl Lexicon {
    /// So many words; the nth is drawn 1/n times as often as the first.
    pub fn new(words: u64) -> Self {
        Self(Sizes::new(words.min(MAX_WORDS), 1))
    }

    /// Random words in random forms, separated by spaces.
    pub fn phrase(&self, chance: &mut Chance, count: u64) -> String {
        let mut one = |_| {
            let index = self.0.draw(chance);
            word(chance, index)
        };
        (0..count).map(&mut one).collect::<Vec<String>>().join(" ")
    }
}

/// The word of an index, in a random form. Frequent words are shorter, as in any language.
fn word(chance: &mut Chance, index: u64) -> String {
    let syllables = if index < 4_000 { 2 } else { 3 };
    let all = SYLLABLES.pow(syllables);
    // A prime, so that each index has a place of its own, in a mixed order.
    let mut rest = index * 7_919 % all;
    let mut word = String::with_capacity(24);
    for _ in 0..syllables {
        let (consonant, vowel) = (rest % SYLLABLES / 5, rest % 5);
        word += CONSONANTS[consonant as usize];
        word += VOWELS[vowel as usize];
        rest /= SYLLABLES;
    }
    word += CONSONANTS[(index % 16) as usize];
    let endings = ENDINGS[(index / 16 % 3) as usize];
    word + chance.pick::<&str>(endings)
}
