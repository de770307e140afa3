//! Reads queries that were transliterated, or typed on the wrong keyboard layout.

use super::search_name::ANYTHING;

/// The keys of a keyboard, as labelled on the Latin and, in the same order, on the Russian layout.
const LATIN_KEYS: &str = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`#";
const CYRILLIC_KEYS: &str = "йцукенгшщзхъфывапролджэячсмитьбюё№";

/// Keys pressed with Shift. Only keys that type a letter or a quotation mark on the Russian layout.
const LATIN_SHIFTED: &str = "{}:\"<>~@";
const CYRILLIC_SHIFTED: &str = "хъжэбюё\"";

/// Returns what the same keys would have typed on the Russian layout, or nothing if the text has no
/// Latin letter. The key `"` types э on that layout, but may also be meant as a quotation mark, so
/// a text with `"` gives two results.
pub(super) fn on_russian_layout(text: &str) -> Vec<String> {
    if !has_latin(text) {
        return Vec::new();
    }
    let typed = |text: &str| -> String {
        text.to_lowercase()
            .chars()
            .map(|letter| {
                other_key(letter, LATIN_KEYS, CYRILLIC_KEYS)
                    .or_else(|| other_key(letter, LATIN_SHIFTED, CYRILLIC_SHIFTED))
                    .unwrap_or(letter)
            })
            .collect()
    };
    let mut texts = vec![typed(&text.replace('"', " "))];
    if text.contains('"') {
        texts.push(typed(text));
    }
    texts
}

/// Returns what the same keys would have typed on the Latin layout, or `None` if that has no Latin
/// letter. `word` must be in lower case.
pub(super) fn on_latin_layout(word: &str) -> Option<String> {
    let key = |letter| other_key(letter, CYRILLIC_KEYS, LATIN_KEYS).unwrap_or(letter);
    let typed: String = word.chars().map(key).collect();
    (typed != word && has_latin(&typed)).then_some(typed)
}

fn other_key(letter: char, from: &str, to: &str) -> Option<char> {
    let at = from.chars().position(|key| key == letter)?;
    to.chars().nth(at)
}

pub(super) fn has_latin(text: &str) -> bool {
    text.chars().any(|letter| letter.is_ascii_alphabetic())
}

/// A word transliterated from Latin to Cyrillic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Transliterated {
    /// One reading of the word.
    pub word: String,
    /// Substrings for the lookup of names, at least one of which occurs in every possible reading.
    /// [`ANYTHING`] stands where readings may differ. Empty if the readings do not share three
    /// letters in a row.
    pub parts: Vec<String>,
}

/// The Cyrillic reading of one or more Latin letters.
struct Letter {
    cyrillic: &'static str,
    /// Whether the Latin letters have no other reading.
    is_certain: bool,
}

/// Latin letters, the Cyrillic letter they stand for, and whether that is their only reading.
/// Longer groups come first, so that they are tried first.
const GROUPS: &[(&str, &str, bool)] = &[
    ("shch", "щ", false),
    ("sch", "щ", false),
    ("shh", "щ", false),
    ("zh", "ж", true),
    ("kh", "х", true),
    ("ts", "ц", false),
    ("tz", "ц", false),
    ("ch", "ч", true),
    ("sh", "ш", true),
    ("ya", "я", false),
    ("ja", "я", false),
    ("ia", "я", false),
    ("yu", "ю", false),
    ("ju", "ю", false),
    ("iu", "ю", false),
    ("yo", "е", false),
    ("jo", "е", false),
    ("io", "е", false),
    ("ye", "е", false),
    ("je", "е", false),
    ("ie", "е", false),
    ("yy", "ый", false),
    ("yj", "ый", false),
    ("iy", "ий", false),
    ("ij", "ий", false),
    ("ii", "ий", false),
];

const SINGLE: &str = "abdfghklmnoprstuvwz";
const SINGLE_CYRILLIC: [&str; 19] = [
    "а", "б", "д", "ф", "г", "х", "к", "л", "м", "н", "о", "п", "р", "с", "т", "у", "в", "в", "з",
];

/// Minimum length of a substring that the index of names can look up.
const MIN_RUN: usize = 3;

/// Pairs of consonants that never have a soft sign between them.
const CLUSTERS: &str = "ст ск сп сн св сл ср см тр др пр бр вр гр кр пл бл гл кл фл хл хр кс кт фт \
    нт нд нг рг рт рм рн рк рв рд рп рб мп мб вл зд зн тв дв шк пт пс бс вс вт гн кн кв";

/// Transliterates a lower-case word from Latin to Cyrillic. The Latin letter c is ambiguous, so the
/// caller says how to read it. Letters that are not Latin are kept.
pub(super) fn transliterated(word: &str, c: &'static str) -> Transliterated {
    let mut letters = Vec::new();
    let mut read = String::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let length = match letter_at(rest, &read, c) {
            Some((letter, length)) => {
                read.push_str(letter.cyrillic);
                letters.push(Some(letter));
                length
            }
            None => {
                read.push(first);
                letters.push(None);
                first.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    // One е of the word may stand for э or follow a soft sign. For each е, make the part in which
    // that letter is uncertain.
    let is_e = |letter: &Option<Letter>| letter.as_ref().is_some_and(|one| one.cyrillic == "е");
    let places = letters
        .iter()
        .enumerate()
        .filter(|(_, letter)| is_e(letter));
    let other = std::iter::once(None).chain(places.map(|(at, _)| Some(at)));
    let mut parts: Vec<String> = other.map(|other| part(&letters, other)).collect();
    if parts.iter().any(String::is_empty) {
        parts.clear();
    }
    parts.sort_unstable();
    parts.dedup();
    Transliterated { word: read, parts }
}

/// Returns the part that all readings share if the letter at `other` is uncertain too.
fn part(letters: &[Option<Letter>], other: Option<usize>) -> String {
    let mut runs = vec![String::from(" ")];
    for (at, letter) in letters.iter().enumerate() {
        let certain = letter
            .as_ref()
            .filter(|letter| letter.is_certain && other != Some(at));
        let run = runs.last().map_or("", String::as_str);
        if certain.is_none_or(|letter| may_hide_soft_sign(run, letter.cyrillic)) {
            runs.push(String::new());
        }
        if let (Some(letter), Some(run)) = (certain, runs.last_mut()) {
            run.push_str(letter.cyrillic);
        }
    }
    runs.retain(|run| run.chars().count() >= MIN_RUN);
    runs.join(&String::from(ANYTHING))
}

/// Reads the letter at the start of `rest` and returns it with its length in bytes. `before` is the
/// Cyrillic reading of the word up to there.
fn letter_at(rest: &str, before: &str, c: &'static str) -> Option<(Letter, usize)> {
    let letter = |cyrillic, is_certain| Letter {
        cyrillic,
        is_certain,
    };
    let group = GROUPS.iter().find(|(latin, ..)| rest.starts_with(latin));
    if let Some((latin, cyrillic, is_certain)) = group {
        return Some((letter(cyrillic, *is_certain), latin.len()));
    }
    let first = rest.chars().next()?;
    let next = rest.chars().nth(1);
    let is_before_consonant =
        next.is_some_and(|next| next.is_ascii_alphabetic() && !"aeiouyj".contains(next));
    let is_after_consonant = before.chars().next_back().is_some_and(is_consonant);
    let found = match first {
        'e' => letter("е", is_after_consonant),
        'i' => letter(
            "и",
            is_before_consonant && (is_after_consonant || before.is_empty()),
        ),
        'y' if is_after_consonant => letter("ы", is_before_consonant),
        'y' | 'j' => letter("й", false),
        'c' if next.is_some_and(|next| "eiy".contains(next)) => letter("ц", false),
        'c' => letter(c, false),
        'q' => letter("к", false),
        'x' => letter("кс", false),
        _ => {
            let at = SINGLE.chars().position(|one| one == first)?;
            letter(SINGLE_CYRILLIC.get(at)?, true)
        }
    };
    Some((found, first.len_utf8()))
}

fn is_consonant(letter: char) -> bool {
    "бвгджзклмнпрстфхцчшщ".contains(letter)
}

fn may_hide_soft_sign(run: &str, next: &str) -> bool {
    let Some(last) = run.chars().next_back() else {
        return false;
    };
    let is_pair = is_consonant(last) && next.chars().all(is_consonant);
    is_pair
        && !CLUSTERS
            .split(' ')
            .any(|pair| pair.starts_with(last) && pair.ends_with(next))
}

/// Returns how a word sounds, which is the same for all readings of a transliterated word. Soft
/// signs are dropped; и, й and ы become one sound, and so do е, ио and ие.
pub(super) fn sound(word: &str) -> String {
    let mut sound = String::with_capacity(word.len());
    for letter in word.chars() {
        for part in sound_of(letter).unwrap_or(&[letter]) {
            let (last, joined) = match (sound.chars().next_back(), *part) {
                (Some('i'), 'i') => (true, 'i'),
                (Some('i'), 'e' | 'o') => (true, 'e'),
                (Some('t'), 's') => (true, 'ц'),
                (Some('k'), 'h') => (true, 'h'),
                (Some('s' | 'ш'), 'ч') => (true, 'щ'),
                (_, part) => (false, part),
            };
            if last {
                sound.pop();
            }
            sound.push(joined);
        }
    }
    sound
}

fn sound_of(letter: char) -> Option<&'static [char]> {
    Some(match letter {
        'а' => &['a'],
        'б' => &['b'],
        'в' | 'w' => &['v'],
        'г' => &['g'],
        'д' => &['d'],
        'е' | 'э' => &['e'],
        'з' => &['z'],
        'и' | 'й' | 'ы' | 'y' | 'j' => &['i'],
        'к' => &['k'],
        'л' => &['l'],
        'м' => &['m'],
        'н' => &['n'],
        'о' => &['o'],
        'п' => &['p'],
        'р' => &['r'],
        'с' => &['s'],
        'т' => &['t'],
        'у' => &['u'],
        'ф' => &['f'],
        'х' => &['h'],
        'ъ' | 'ь' => &[],
        'ю' => &['i', 'u'],
        'я' => &['i', 'a'],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_converted_to_the_other_keyboard_layout() {
        assert_eq!(on_russian_layout("HJVFIRF"), ["ромашка"]);
        assert_eq!(on_russian_layout("JJJ @'yfcntq@"), ["ооо \"энастей\""]);
        assert_eq!(on_russian_layout("\"hjp"), [" роз", "эроз"]);
        assert_eq!(on_russian_layout("Ромашка 5").len(), 0);
        assert_eq!(on_latin_layout("тщкв").as_deref(), Some("nord"));
        assert_eq!(on_latin_layout("5"), None);
    }

    fn has(name: &str, part: &str) -> bool {
        let mut rest = name;
        part.split(ANYTHING)
            .all(|part| match rest.split_once(part) {
                Some((_, after)) => {
                    rest = after;
                    true
                }
                None => false,
            })
    }

    #[test]
    fn common_transliterations_of_a_word_match_it() {
        for (word, spellings) in [
            ("ромашка", &["romashka"][..]),
            (
                "строительный",
                &["stroitelnyy", "stroitel'nyj", "stroitelnyi", "stroitelny"],
            ),
            ("юность", &["yunost", "iunost", "junost"]),
            ("щербакова", &["shcherbakova", "scherbakova"]),
            ("центр", &["tsentr", "centr"]),
            ("мария", &["mariya", "maria", "mariia"]),
            ("елкина", &["yolkina", "elkina"]),
            ("регион", &["region"]),
            ("район", &["rayon", "raion", "rajon"]),
            ("хозяйство", &["khozyaystvo", "hozyaistvo", "hozjajstvo"]),
            ("электро", &["elektro"]),
            ("объект", &["obyekt", "obekt", "ob'ekt"]),
            ("дорэлектро", &["dorelektro"]),
            ("озерецк", &["ozereck", "ozeretsk"]),
        ] {
            for spelling in spellings {
                let spelling: String = spelling.chars().filter(|letter| *letter != '\'').collect();
                let found = transliterated(&spelling, "ц");
                assert_eq!(sound(&found.word), sound(word), "{spelling}: {found:?}");
                let name = format!(" {word} ");
                let has_part = found.parts.iter().any(|part| has(&name, part));
                assert!(has_part || found.parts.is_empty(), "{spelling}: {found:?}");
            }
        }
    }
}
