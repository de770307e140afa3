//! Russian case endings, with which a search matches an inflected word to a name in the nominative.

/// Case endings, each with the nominative endings that it may replace. Endings that differ from the
/// nominative by one letter are left out, because those words match as typos anyway.
const ENDINGS: &[(&str, &[&str])] = &[
    ("ого", &["ый", "ий", "ой", "ое"]),
    ("ому", &["ый", "ий", "ой", "ое"]),
    ("его", &["ий", "ее"]),
    ("ему", &["ий", "ее"]),
    ("ым", &["ый", "ой", "ое", ""]),
    ("им", &["ий", "ее"]),
    ("ом", &["ый", "ий", "ой", "ое", ""]),
    ("ем", &["ий", "ее", "й", "ь", ""]),
    ("ой", &["ая", "а"]),
    ("ей", &["яя", "ая", "я"]),
    ("ую", &["ая"]),
    ("юю", &["яя"]),
    ("ца", &["ец"]),
    ("ьца", &["ец"]),
    ("ка", &["ок", "ек"]),
    ("ька", &["ек"]),
];

const MIN_STEM: usize = 3;

/// Returns the stems that a word may have: one for each case ending that it ends with.
pub(super) fn stems(word: &str) -> impl Iterator<Item = &str> {
    let stems = ENDINGS
        .iter()
        .filter_map(|(ending, _)| word.strip_suffix(ending));
    stems.filter(|stem| stem.chars().count() >= MIN_STEM)
}

/// Returns the number of letters before the ending if `word` is `nominative` in another case.
pub(super) fn common_stem(word: &str, nominative: &str) -> Option<usize> {
    let cases = ENDINGS.iter().filter_map(|(ending, others)| {
        let stem = word.strip_suffix(ending)?;
        let ending = nominative.strip_prefix(stem)?;
        let letters = stem.chars().count();
        (letters >= MIN_STEM && others.contains(&ending)).then_some(letters)
    });
    cases.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_follows_from_its_nominative() {
        for (word, nominative, letters) in [
            ("нового", "новый", Some(3)),
            ("северному", "северный", Some(6)),
            ("дальнего", "дальний", Some(5)),
            ("торговой", "торговая", Some(6)),
            ("причалом", "причал", Some(6)),
            ("стрельца", "стрелец", Some(5)),
            ("родничка", "родничок", Some(6)),
            ("нового", "новая", None),
            ("нового", "нов", None),
            ("ого", "ый", None),
            ("причал", "причалы", None),
        ] {
            assert_eq!(
                common_stem(word, nominative),
                letters,
                "{word}, {nominative}"
            );
        }
    }

    #[test]
    fn each_case_has_one_of_its_stems() {
        assert_eq!(stems("нового").collect::<Vec<_>>(), ["нов"]);
        assert_eq!(stems("стрельца").collect::<Vec<_>>(), ["стрель", "стрел"]);
        assert_eq!(stems("ого").count(), 0);
    }
}
