//! Invented words, which are inflected like Russian ones and whose frequencies follow Zipf's law.
//! They supplement the vocabulary, which has far fewer different words than real documents.

use super::rng::Rng;
use super::sizes::Zipf;

/// Maximum number of words.
pub const MAX_WORDS: u64 = 1_000_000;

const CONSONANTS: [&str; 16] = [
    "б", "в", "г", "д", "ж", "з", "к", "л", "м", "н", "п", "р", "с", "т", "ф", "х",
];
const VOWELS: [&str; 5] = ["а", "е", "и", "о", "у"];
const SYLLABLES: u64 = 80;

/// Endings of nouns in two declensions, and of adjectives.
const ENDINGS: [&[&str]; 3] = [
    &["", "а", "у", "ом", "е", "ы", "ов", "ам", "ами", "ах"],
    &["а", "ы", "е", "у", "ой", "ам", "ами", "ах"],
    &[
        "ый", "ого", "ому", "ым", "ом", "ая", "ой", "ую", "ое", "ые", "ых", "ыми",
    ],
];

/// Draws words by frequency.
pub struct Lexicon(Zipf);

impl Lexicon {
    /// Creates a lexicon of this many words. Word n is drawn 1/n times as often as word 1.
    pub fn new(words: u64) -> Self {
        Self(Zipf::new(words.min(MAX_WORDS), 1))
    }

    /// Random words in random forms, separated by spaces.
    pub fn phrase(&self, rng: &mut Rng, count: u64) -> String {
        let mut one = |_| {
            let index = self.0.draw(rng);
            word(rng, index)
        };
        (0..count).map(&mut one).collect::<Vec<String>>().join(" ")
    }
}

/// Returns word number `index` in a random form. Frequent words are shorter, as in real languages.
fn word(rng: &mut Rng, index: u64) -> String {
    let syllables = if index < 4_000 { 2 } else { 3 };
    let all = SYLLABLES.pow(syllables);
    // Multiplying by the prime mixes the order. Because the prime and `all` are coprime, different
    // indexes give different words.
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
    word + rng.pick::<&str>(endings)
}
