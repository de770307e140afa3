//! Search by name: which names match a query, and how well (manual, "API", "Finding").

use super::declension::stems;
use super::legal_forms::{Misprints, other_spellings};
use super::name_comparison::{Comparison, MAX_PIECES, Name, QueryWord, SAME, contains, thirds};
use super::other_script::{
    Transliterated, has_latin, on_latin_layout, on_russian_layout, sound, transliterated,
};
use super::search_name::{ANYTHING, NameWord, NameWords, searched_name};

/// In letters and digits.
const MIN_LENGTH: usize = 3;

/// Length of the substrings that the index of names can look up.
const TRIGRAM: usize = 3;

/// Upper bound on the spellings of a query with abbreviations expanded or contracted.
const MAX_SPELLINGS: usize = 8;

/// Upper bound on the comparisons in one step. Real names need only the first few.
const MAX_WAYS: usize = 16;

/// Upper bound on initials in a query. Further single letters count as words.
const MAX_INITIALS: usize = 3;

/// Upper bound on the adjacent words of a query that are joined into one.
const MAX_JOINED: usize = 3;

/// Minimum number of words in a query of which one may be left out.
const MIN_WITH_ONE_TOO_MUCH: usize = 3;

/// A query to search names with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameQuery {
    text: String,
    words: NameWords,
    /// Whether the query is only a legal form, which is then searched for as a word.
    is_form: bool,
}

/// One step of a search. It runs only if no earlier step has found anything.
#[derive(Clone, Debug)]
pub struct NameStep {
    /// Alternative comparisons. The best score of any counts.
    pub ways: Vec<NameWay>,
}

/// One way to compare names with a query.
#[derive(Clone, Debug)]
pub struct NameWay {
    words: Vec<QueryWord>,
    forms: Vec<String>,
    /// Length of the query in letters and digits.
    length: usize,
    is_form: bool,
    comparison: Comparison,
    /// Lists of substrings, which may contain the wildcard [`ANYTHING`]. A matching name contains
    /// at least one substring of each list.
    required: Vec<Vec<String>>,
    /// Whether the name must have exactly the words of the query.
    is_all: bool,
    /// Score of a name that is equal to the query.
    highest: usize,
}

/// How good a match is. A better match compares as greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameScore {
    /// From 1 to 100; see [`NameStep::score`].
    pub score: u8,
    /// Whether the name has the legal forms of the query.
    pub has_forms: bool,
}

/// Returns how well two names of a party agree, from 0 to 100. Either name may have extra words, so
/// each is searched for with the other, and the better score counts. Returns `None` if one of the
/// names is too short to be compared.
pub fn name_agreement(one: &str, other: &str) -> Option<u8> {
    let scores = [(one, other), (other, one)].map(|(text, name)| {
        let query = NameQuery::new(text)?;
        Some(query.score(&searched_name(name)).unwrap_or_default())
    });
    let [Some(first), Some(second)] = scores else {
        return None;
    };
    Some(first.max(second))
}

impl NameQuery {
    /// Returns `None` if the text is too short to search for.
    pub fn new(text: &str) -> Option<Self> {
        let mut words = NameWords::of(text);
        let is_form = words.words.is_empty();
        if is_form {
            words.words = words.forms.drain(..).map(NameWord::plain).collect();
        }
        let texts = words.words.iter().map(|word| &word.text);
        let letters = texts.chain(&words.forms).flat_map(|text| text.chars());
        (letters.count() >= MIN_LENGTH).then(|| Self {
            text: text.to_owned(),
            words,
            is_form,
        })
    }

    /// Returns the steps in the order in which to run them.
    pub fn steps(&self) -> impl Iterator<Item = NameStep> + '_ {
        let steps: [fn(&Self) -> Vec<NameWay>; 5] = [
            Self::as_written,
            Self::with_mistakes,
            Self::joined_or_divided,
            Self::in_other_script,
            Self::without_a_word,
        ];
        let steps = steps.into_iter().map(|ways| NameStep { ways: ways(self) });
        let steps = steps.take(if self.is_form { 1 } else { usize::MAX });
        steps.filter(|step| !step.ways.is_empty())
    }

    /// Returns the score that the first matching step gives to a name, or `None` if no step
    /// matches. The name must be normalized by [`super::searched_name`].
    pub fn score(&self, name: &str) -> Option<u8> {
        self.steps().find_map(|step| {
            let scores = step.ways.iter().filter_map(|way| way.score(name));
            scores.map(|found| found.score).max()
        })
    }

    /// First step: the query as written, and with abbreviations expanded or contracted.
    fn as_written(&self) -> Vec<NameWay> {
        let way = |words| NameWay {
            is_form: self.is_form,
            ..self.way(words, Comparison::Parts, 100)
        };
        spellings(&self.words.words).into_iter().map(way).collect()
    }

    /// Second step: typos in words and legal forms.
    fn with_mistakes(&self) -> Vec<NameWay> {
        let way = |words| self.way(words, Comparison::Mistakes, 100);
        let mut ways: Vec<NameWay> = spellings(&self.words.words).into_iter().map(way).collect();
        let NameWords { words, forms } = NameWords::of_misprinted(&self.text);
        if words != self.words.words {
            ways.extend(spellings(&words).into_iter().map(|words| NameWay {
                forms: forms.clone(),
                highest: 99,
                ..way(words)
            }));
        }
        ways.retain(|way| !way.parts().is_empty());
        ways
    }

    /// Third step: adjacent words joined, or one word split.
    fn joined_or_divided(&self) -> Vec<NameWay> {
        let words = &self.words.words;
        let has_initials = words.iter().any(|word| word.is_initial);
        let whole = (words.len() > 1 && !has_initials).then_some(Comparison::Whole);
        let divided = words
            .iter()
            .enumerate()
            .filter(|(_, word)| !word.is_initial);
        let divided = divided.map(|(at, _)| Comparison::Divided(at));
        let divided = whole.into_iter().chain(divided).filter_map(|comparison| {
            let way = self.way(words.clone(), comparison, 95);
            (!way.division_parts()?.is_empty()).then_some(way)
        });
        let joined = (2..=MAX_JOINED).flat_map(|count| {
            let starts = 0..(words.len() + 1).saturating_sub(count);
            starts.filter_map(move |at| joined(words, at, count))
        });
        let joined = joined.map(|words| self.way(words, Comparison::Parts, 95));
        let joined = joined.filter(|way| !way.parts().is_empty());
        divided.chain(joined).take(MAX_WAYS).collect()
    }

    /// Fourth step: transliterated from Latin, or typed on the wrong keyboard layout.
    fn in_other_script(&self) -> Vec<NameWay> {
        let mut ways = Vec::new();
        if has_latin(&self.text) {
            ways.extend(self.transliterated("ц"));
            if self.text.contains(['c', 'C']) {
                ways.extend(self.transliterated("к"));
            }
        }
        for text in on_russian_layout(&self.text) {
            let NameWords { words, forms } = NameWords::of(&text);
            let way = self.way(words, Comparison::Parts, 90);
            ways.push(NameWay { forms, ..way });
        }
        let words = self.words.words.iter();
        let latin = words.map(|word| on_latin_layout(&word.text).unwrap_or(word.text.clone()));
        let latin = latin.collect::<Vec<String>>().join(" ");
        if has_latin(&latin) && !has_latin(&self.text) {
            ways.push(self.way(NameWords::of(&latin).words, Comparison::Parts, 90));
        }
        ways.retain(|way| way.words.iter().any(|word| word.length >= TRIGRAM));
        ways
    }

    /// Transliterates the query. `c` is the reading of the ambiguous Latin letter c. Returns `None`
    /// if the possible readings share no substring that could be looked up.
    fn transliterated(&self, c: &'static str) -> Option<NameWay> {
        let mut readings = Vec::new();
        let words = NameWords::in_script(&self.text).into_iter().map(|word| {
            let read = transliterated(&word.text, c);
            let text = read.word.clone();
            readings.push(read);
            NameWord { text, ..word }
        });
        let NameWords { words, forms } =
            NameWords::split(&words.collect::<Vec<_>>(), Misprints::Long);
        let is_word = |read: &Transliterated| words.iter().any(|word| word.text == read.word);
        let required = readings
            .into_iter()
            .filter(|read| is_word(read) && !read.parts.is_empty());
        let required: Vec<Vec<String>> = required.map(|read| read.parts).collect();
        let sounds = words.iter().map(|word| NameWord {
            text: sound(&word.text),
            ..word.clone()
        });
        let way = self.way(sounds.collect(), Comparison::Sounds, 90);
        (!required.is_empty()).then_some(NameWay {
            forms,
            required,
            ..way
        })
    }

    /// Last step: one word left out. The name must then consist of exactly the other words.
    /// Hyphenated words count as one word, and so does the name of a town after "г.". Numbers are
    /// never left out, and neither is a word without which too little would remain.
    fn without_a_word(&self) -> Vec<NameWay> {
        let words = &self.words.words;
        if words.len() < MIN_WITH_ONE_TOO_MUCH {
            return Vec::new();
        }
        let ways =
            (0..words.len()).flat_map(|at| ends(words, at).into_iter().map(move |to| (at, to)));
        let ways = ways.filter_map(|(at, to)| {
            let way = self.way(without(words, at, to)?, Comparison::Parts, 85);
            Some(NameWay {
                is_all: true,
                length: length(words),
                ..way
            })
        });
        ways.take(MAX_WAYS).collect()
    }

    fn way(&self, words: Vec<NameWord>, comparison: Comparison, highest: usize) -> NameWay {
        let length = length(&words);
        let mut initials = 0;
        let words = words.into_iter().map(|word| {
            initials += usize::from(word.is_initial);
            QueryWord::new(word.text, word.is_initial && initials <= MAX_INITIALS)
        });
        NameWay {
            words: words.collect(),
            forms: self.words.forms.clone(),
            length,
            is_form: false,
            comparison,
            required: Vec::new(),
            is_all: false,
            highest,
        }
    }
}

fn length(words: &[NameWord]) -> usize {
    words.iter().map(|word| word.text.chars().count()).sum()
}

const MAX_TOWN: usize = 3;

fn is_town_mark(word: &NameWord) -> bool {
    word.text == "г"
}

/// Returns where a part that starts at `at` may end, if that part is to be left out. It is a single
/// word, several hyphenated words, or a town's name.
fn ends(words: &[NameWord], at: usize) -> Vec<usize> {
    let hyphens = words.iter().skip(at + 1).take_while(|word| word.has_hyphen);
    let hyphenated = at + 1 + hyphens.count();
    let mut ends = vec![at + 1];
    if words.get(at).is_some_and(is_town_mark) {
        ends.extend(at + 2..=words.len().min(at + 1 + MAX_TOWN));
    } else if hyphenated > at + 1 {
        ends.push(hyphenated);
    }
    ends
}

/// Removes the words from `from` to `to`. Returns `None` if these words must not be left out.
fn without(words: &[NameWord], from: usize, to: usize) -> Option<Vec<NameWord>> {
    let has_digit = |word: &NameWord| word.text.chars().any(char::is_numeric);
    let is_long = |word: &NameWord| {
        !word.is_initial && !has_digit(word) && word.text.chars().count() >= TRIGRAM
    };
    let (out, after) = (words.get(from..to)?, words.get(to..)?);
    let is_town = out.len() > 1 && out.first().is_some_and(is_town_mark);
    let is_kept = |word: &NameWord| word.is_initial || has_digit(word);
    let kept = out.iter().skip(usize::from(is_town)).any(is_kept);
    let rest = [words.get(..from)?, after].concat();
    let counted = rest.iter().filter(|word| is_long(word) || is_kept(word));
    let needed = if is_town || !out.iter().any(is_long) {
        1
    } else {
        2
    };
    let says_enough = counted.count() >= needed && rest.iter().any(is_long);
    (!kept && says_enough).then_some(rest)
}

/// Joins `count` words from `at` on. Returns `None` if any of them is an initial.
fn joined(words: &[NameWord], at: usize, count: usize) -> Option<Vec<NameWord>> {
    let (before, rest) = words.split_at_checked(at)?;
    let (run, after) = rest.split_at_checked(count)?;
    if run.iter().any(|word| word.is_initial) {
        return None;
    }
    let word = run.iter().map(|word| word.text.as_str()).collect();
    let word = NameWord::plain(word);
    Some([before, &[word], after].concat())
}

/// Returns the query with all combinations of expanded and contracted abbreviations, up to
/// [`MAX_SPELLINGS`]. The first is the query itself.
fn spellings(words: &[NameWord]) -> Vec<Vec<NameWord>> {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let mut found = Vec::new();
    spell(words, &texts, Vec::new(), &mut found);
    found
}

fn spell(words: &[NameWord], texts: &[&str], spelt: Vec<NameWord>, found: &mut Vec<Vec<NameWord>>) {
    if found.len() >= MAX_SPELLINGS {
        return;
    }
    let Some((word, rest)) = words.split_first() else {
        found.push(spelt);
        return;
    };
    let mut as_it_is = spelt.clone();
    as_it_is.push(word.clone());
    spell(rest, texts.get(1..).unwrap_or_default(), as_it_is, found);
    if word.is_initial {
        return;
    }
    for (others, count) in other_spellings(texts) {
        let plain = others
            .into_iter()
            .map(|text| NameWord::plain(text.to_owned()));
        let spelt = spelt.iter().cloned().chain(plain).collect();
        let rest = words.get(count..).unwrap_or_default();
        spell(rest, texts.get(count..).unwrap_or_default(), spelt, found);
    }
}

impl NameStep {
    /// Scores a name normalized by [`super::searched_name`]. The name was found by looking up the
    /// substrings of the comparison with index `way`. Returns `None` if the name does not match, or
    /// if an earlier comparison already finds it.
    ///
    /// The score is 100 if the names are equal apart from legal forms. Otherwise, it is the share
    /// of matched letters in the query or in the name, whichever is longer. Later steps give lower
    /// scores.
    pub fn score(&self, way: usize, name: &str) -> Option<NameScore> {
        let (before, ways) = self.ways.split_at_checked(way)?;
        if before.iter().any(|way| way.score(name).is_some()) {
            return None;
        }
        let first = ways.first()?.score(name)?;
        let others = ways.iter().skip(1).filter_map(|way| way.score(name));
        Some(others.fold(first, NameScore::max))
    }
}

impl NameWay {
    /// Returns lists of substrings to look up, of at least three characters, which may contain the
    /// wildcard [`ANYTHING`]. Every matching name, normalized by [`super::searched_name`], contains
    /// at least one substring of each list.
    pub fn parts(&self) -> Vec<Vec<String>> {
        match self.comparison {
            Comparison::Sounds => {
                return self.required.clone();
            }
            Comparison::Whole => return self.division_parts().into_iter().collect(),
            _ => {}
        }
        let divided = match self.comparison {
            Comparison::Divided(at) => Some(at),
            _ => None,
        };
        // Legal forms are not looked up, because they would rule out too few names.
        let words = self.words.iter().enumerate().filter(|_| !self.is_form);
        let words = words.filter(|(at, word)| word.length >= TRIGRAM && divided != Some(*at));
        let parts = words.map(|(_, word)| {
            if self.comparison == Comparison::Mistakes && word.may_be_mistaken {
                let stems = stems(&word.text).map(|stem| format!(" {stem}"));
                parts_with_mistake(&word.text)
                    .into_iter()
                    .chain(stems)
                    .collect()
            } else {
                vec![word.text.clone()]
            }
        });
        let division = divided.and_then(|_| self.division_parts());
        parts.chain(division).collect()
    }

    /// Returns substrings to look up for the word that the name may split. A name with the split
    /// word contains at least one of them.
    fn division_parts(&self) -> Option<Vec<String>> {
        let letters: Vec<char> = match self.comparison {
            Comparison::Whole => self
                .words
                .iter()
                .flat_map(|word| word.text.chars())
                .collect(),
            Comparison::Divided(at) => self.words.get(at)?.text.chars().collect(),
            _ => return None,
        };
        Some(parts_divided(&letters))
    }

    /// Like [`NameStep::score`], for this comparison only.
    fn score(&self, name: &str) -> Option<NameScore> {
        let is_part = |word: &QueryWord| name.contains(word.text.as_str());
        let is_possible = match self.comparison {
            Comparison::Parts => self.words.iter().all(is_part),
            Comparison::Sounds => self
                .required
                .iter()
                .all(|parts| parts.iter().any(|part| contains(name, part))),
            _ => true,
        };
        if !is_possible {
            return None;
        }
        let mut name = Name::new(name);
        if self.comparison == Comparison::Sounds {
            name = name.with_sounds();
        }
        if self.is_all && name.words.len() != self.words.len() {
            return None;
        }
        let thirds = thirds(&self.words, self.comparison, &name)?;
        if self.is_form {
            let forms = std::mem::take(&mut name.forms);
            name.words.extend(forms);
        }
        let has_forms = self
            .forms
            .iter()
            .all(|form| name.forms.iter().any(|one| one == form));
        let longer = name.length().max(self.length).max(1);
        let score = if self.is_same(&name) {
            self.highest
        } else {
            (thirds * self.highest / (SAME * longer)).min(99)
        };
        let score = u8::try_from(score.clamp(1, self.highest)).unwrap_or(100);
        Some(NameScore { score, has_forms })
    }

    /// Returns whether the name has exactly the words of the query, in any order.
    fn is_same(&self, name: &Name<'_>) -> bool {
        if name.words.len() != self.words.len() || name.length() != self.length {
            return false;
        }
        let mut words: Vec<&str> = name.words.iter().map(AsRef::as_ref).collect();
        let texts = self.words.iter().map(|word| word.text.as_str());
        let mut texts: Vec<&str> = texts.collect();
        words.sort_unstable();
        texts.sort_unstable();
        words == texts
    }
}

/// Minimum length of a word whose lookup relies on thirds instead of halves.
const MIN_IN_THIRDS: usize = 9;

/// Returns substrings to look up for a word of at least four letters. A name with the word, even
/// with one typo, contains at least one of them. They are the word itself and the parts that a typo
/// elsewhere leaves intact, including the space before or after the word. In a long word, a typo in
/// the middle leaves both the beginning and the end intact.
fn parts_with_mistake(word: &str) -> Vec<String> {
    let mut letters: Vec<char> = word.chars().collect();
    let text = |letters: &[char]| String::from_iter(letters);
    let mut parts = vec![word.to_owned()];
    if letters.len() >= MIN_IN_THIRDS {
        let (third, two_thirds) = (letters.len() / 3, letters.len() - letters.len() / 3);
        let (beginning, end) = (&letters[..two_thirds], &letters[third..]);
        // Leaves out the letter at each cut, because the typo may have swapped the letters there.
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

/// Minimum number of letters in a word that a name may split.
const MIN_DIVIDED: usize = 4;

/// Returns substrings to look up for a word that a name splits into several, or nothing if the word
/// is too short. A matching name contains at least one of them: the first two and the last two
/// letters, with one piece of the middle in between. The middle is cut into as many pieces as the
/// name may have words. Splitting a word takes one cut fewer, so at least one piece stays whole.
fn parts_divided(letters: &[char]) -> Vec<String> {
    if letters.len() < MIN_DIVIDED {
        return Vec::new();
    }
    let text = |letters: &[char]| String::from_iter(letters);
    let (beginning, rest) = letters.split_at(2);
    let (middle, end) = rest.split_at(rest.len() - 2);
    let whole_or_cut = |two: &[char]| {
        [
            text(two),
            format!("{} {}", text(&two[..1]), text(&two[1..])),
        ]
    };
    let length = middle.len() / MAX_PIECES;
    let mut pieces = vec![String::from(ANYTHING)];
    if length >= TRIGRAM {
        let pieces_of = middle.chunks_exact(length).take(MAX_PIECES);
        pieces = pieces_of
            .map(|piece| format!("{ANYTHING}{}{ANYTHING}", text(piece)))
            .collect();
    }
    let mut parts = Vec::new();
    for beginning in whole_or_cut(beginning) {
        for end in whole_or_cut(end) {
            let part = |piece: &String| format!(" {beginning}{piece}{end} ");
            parts.extend(pieces.iter().map(part));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::searched_name;
    use super::*;

    /// The number of the step that finds the name, counted from 1, and the score.
    fn found(text: &str, name: &str) -> Option<(usize, u8)> {
        let name = searched_name(name);
        let query = NameQuery::new(text)?;
        query.steps().zip(1..).find_map(|(step, number)| {
            let scores = (0..step.ways.len()).filter_map(|way| step.score(way, &name));
            let scores: Vec<NameScore> = scores.collect();
            assert!(scores.len() < 2, "{text}: more than one way was the first");
            Some((number, scores.first()?.score))
        })
    }

    #[track_caller]
    fn check(name: &str, cases: &[(&str, Option<(usize, u8)>)]) {
        for (text, expected) in cases {
            assert_eq!(found(text, name), *expected, "{text}");
        }
    }

    #[test]
    fn two_names_of_one_party_agree_whichever_of_them_has_more_words() {
        for (one, other, expected) in [
            ("ООО Рога и копыта", "ООО \"ФАРМСТРОЙ-35\"", Some(0)),
            ("Фармстрой-35, ООО", "ООО \"ФАРМСТРОЙ-35\"", Some(100)),
            (
                "Сторожевой берег",
                "ООО ЧОО \"СТОРОЖЕВОЙ БЕРЕГ\"",
                Some(100),
            ),
            ("Речной сад, филиал", "ООО РЕЧНОЙ САД", Some(60)),
            ("ИП Сомов Г.В.", "СОМОВ ГЛЕБ ВИКТОРОВИЧ", Some(50)),
            ("Ян", "ООО ЯНТАРЬ", None),
        ] {
            assert_eq!(name_agreement(one, other), expected, "{one}, {other}");
            assert_eq!(name_agreement(other, one), expected, "{other}, {one}");
        }
    }

    #[test]
    fn initials_match_given_name_and_patronymic_in_order() {
        check(
            "Сухушев Антон Олегович",
            &[
                ("Сухушев Антон Олегович", Some((1, 100))),
                ("ИП Сухушев А.О.", Some((1, 56))),
                ("А. О. Сухушев", Some((1, 56))),
                ("ип сухушев а.", Some((1, 43))),
                ("Сухушев О.А.", None),
                ("Сухушев А.П.", None),
                ("Сухушев С.А.", None),
                ("А.О.", None),
                ("Сухушев А.О. Заречинск", Some((5, 48))),
            ],
        );
        check("ИП Сухушев А.О.", &[("Сухушев А.О.", Some((1, 100)))]);
        check("Сухушев Иван Петрович", &[("ИП Сухушев А.О.", None)]);
    }

    #[test]
    fn each_word_of_a_name_matches_only_one_of_the_query() {
        check(
            "Ручейников Артём Фёдорович",
            &[
                ("Ручейников Фёдор Фёдорович", None),
                ("Ручейников Фёдор", Some((1, 55))),
                ("Артём Артём", None),
            ],
        );
        check("Фёдоров Фёдор", &[("Фёдор Фёдоров", Some((1, 100)))]);
    }

    #[test]
    fn each_step_lowers_the_score() {
        check(
            "ООО «Северный причал»",
            &[
                ("ЗАО Северный причал", Some((1, 100))),
                ("северный причал плюс", Some((5, 66))),
                ("северный прчал", Some((2, 85))),
                ("северного причала", Some((2, 75))),
                ("северныйпричал", Some((3, 95))),
                ("север ный причал", Some((3, 95))),
                ("Severnyj Prichal", Some((4, 90))),
                ("ctdthysq ghbxfk", Some((4, 90))),
                ("северный причал Заречинск", Some((5, 51))),
                ("северный причал, г. Верхний Заречинск", Some((5, 38))),
                ("северный причал Усть-Лесное", Some((5, 49))),
                ("северный вокзал", None),
                ("северный причал 5", None),
            ],
        );
    }

    #[test]
    fn remaining_words_must_form_the_whole_name() {
        check(
            "Причал",
            &[
                ("Причал, г. Заречинск", Some((5, 31))),
                ("Причал Заречинск", None),
                ("Причал Рем-Строй", None),
            ],
        );
        check(
            "Школа № 5 города Заречинска",
            &[
                ("Школа № 6 города Заречинска", None),
                ("Школа № 5 города Озерецка", None),
            ],
        );
        check(
            "Ручейников Артём Фёдорович",
            &[("Ручейников Артём Олегович", None)],
        );
    }

    #[test]
    fn a_misprinted_legal_form_is_recognized() {
        check(
            "ООО ЧОО «Северный причал»",
            &[
                (
                    "Часдная охранная организация Северный причал",
                    Some((2, 99)),
                ),
                (
                    "опщество с огранниченной ответственностью северный причал",
                    Some((1, 100)),
                ),
            ],
        );
    }

    #[test]
    fn abbreviations_equal_their_words() {
        check(
            "ООО «Торговый дом Причал»",
            &[
                ("тд причал", Some((1, 100))),
                ("причал", Some((1, 35))),
                ("ск причал", None),
            ],
        );
        check(
            "ООО «СК Причал»",
            &[
                ("Строительная компания Причал", Some((1, 100))),
                ("Страховая компания Причал", Some((1, 100))),
                ("СК Причал", Some((1, 100))),
            ],
        );
        check(
            "ФЕДЕРАЛЬНОЕ ГОСУДАРСТВЕННОЕ БЮДЖЕТНОЕ ОБРАЗОВАТЕЛЬНОЕ УЧРЕЖДЕНИЕ ВЫСШЕГО ОБРАЗОВАНИЯ «ПРИЧАЛ»",
            &[
                ("ФГБОУ ВО Причал", Some((1, 100))),
                ("фгбоуво причал", Some((1, 100))),
            ],
        );
    }

    fn text() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            6 => "[абвдеи]{1,7}",
            2 => "[abeistyz]{2,7}",
            1 => "[АБ]\\.([АБ]\\.)?",
            1 => "(ООО|АО|ТД|торговый дом|№ 5|N5|нового|новый|г\\.|станция)",
        ];
        let space = proptest::sample::select(vec![" ", " ", "-", ". ", "\""]);
        proptest::collection::vec((word, space), 1..6).prop_map(|words| {
            words
                .into_iter()
                .flat_map(|(word, space)| [word, space.to_owned()])
                .collect()
        })
    }

    proptest! {
        /// A lookup by substrings, in the index of a file or of PostgreSQL, must never miss a
        /// matching name.
        #[test]
        fn a_matching_name_has_a_part_of_each_list(
            texts in proptest::collection::vec(text(), 2),
            is_other in 0..4_usize,
        ) {
            // In most cases, the name resembles the query.
            let name = match is_other {
                0 => texts[1].clone(),
                1 => texts[0].replace(' ', ""),
                2 => texts[0].replacen('б', "", 1),
                _ => texts[0].replacen('е', " и", 1),
            };
            let name = searched_name(&name);
            let Some(query) = NameQuery::new(&texts[0]) else { return Ok(()) };
            let mut is_found = false;
            for (step, number) in query.steps().zip(1..) {
                prop_assert!(step.ways.len() <= MAX_WAYS.max(2 * MAX_SPELLINGS));
                for way in &step.ways {
                    let parts = way.parts();
                    prop_assert!(number == 1 || !parts.is_empty(), "{:?}", way);
                    let is_long = |part: &String| {
                        part.split(ANYTHING).any(|run| run.chars().count() >= TRIGRAM)
                    };
                    prop_assert!(parts.iter().flatten().all(is_long), "{:?}", parts);
                    if let Some(score) = way.score(&name) {
                        let has_one = |list: &Vec<String>| list.iter().any(|part| contains(&name, part));
                        prop_assert!(parts.iter().all(has_one), "{} {:?}", name, parts);
                        prop_assert!((1..=100).contains(&score.score));
                        prop_assert!(number == 1 || score.score < 100 || is_found);
                    }
                }
                is_found |= step.ways.iter().any(|way| way.score(&name).is_some());
            }
        }
    }

    #[test]
    fn numbers_must_match_exactly() {
        check(
            "Альфа2025",
            &[("альфф2025", Some((2, 88))), ("альфа2024", None)],
        );
    }
}
