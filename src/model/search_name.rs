//! Names as they are searched: what may differ between two spellings of one name is the same
//! in both.

/// What stands between a name with its legal forms abbreviated and the same with them in full.
const FULL: char = '\t';

/// The text that a name is found by a part of: in lower case, `ё` as `е`, dashes as hyphens,
/// one space between words, without quotation marks, and legal forms as their abbreviations;
/// behind a tab the same with them in full, where they are.
pub fn searched_name(name: &str) -> String {
    let plain = plain(name);
    match abbreviated(&plain) {
        short if short == plain => short,
        short => format!("{short}{FULL}{plain}"),
    }
}

/// A part of a name, as it is searched for in what [`searched_name`] makes: with legal forms as
/// their abbreviations, unless that leaves less than `least` characters.
pub fn name_part(part: &str, least: usize) -> String {
    let plain = plain(part);
    let short = abbreviated(&plain);
    match short.chars().nth(least.saturating_sub(1)) {
        Some(_) => short,
        None => plain,
    }
}

/// A text as it is compared, its legal forms as they are.
fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            'ё' | 'Ё' => plain.push('е'),
            // The letters ё and й, written as two characters.
            '\u{308}' if plain.ends_with('е') => {}
            '\u{306}' if plain.ends_with('и') => {
                plain.pop();
                plain.push('й');
            }
            '\u{2010}'..='\u{2015}' | '\u{2212}' => plain.push('-'),
            '\'' | '`' | '´' | '’' | '‘' | '‚' | '‹' | '›' | '′' => {}
            '"' | '«' | '»' | '“' | '”' | '„' | '‟' | '″' => {
                // Between two words without a space: ООО"ЛЕС".
                let parts = plain.ends_with(char::is_alphanumeric)
                    && letters.peek().is_some_and(|next| next.is_alphanumeric());
                if parts {
                    plain.push(' ');
                }
            }
            letter if letter.is_whitespace() => {
                if !plain.is_empty() && !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            letter => plain.extend(letter.to_lowercase()),
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// The text with legal forms that stand in full as their abbreviations.
fn abbreviated(plain: &str) -> String {
    let mut short = String::with_capacity(plain.len());
    let mut rest = plain;
    while !rest.is_empty() {
        let form = LEGAL_FORMS.iter().find_map(|(short, full)| {
            let after = rest.strip_prefix(full)?;
            (!after.starts_with(char::is_alphanumeric)).then_some((*short, after))
        });
        if let Some((form, after)) = form {
            short.push_str(form);
            rest = after;
        }
        let end = rest.find(' ').map_or(rest.len(), |space| space + 1);
        let (word, after) = rest.split_at(end);
        short.push_str(word);
        rest = after;
    }
    short
}

/// Is what stands in [`searched_name`] before a part of it nothing but legal forms, or nothing?
pub fn is_legal_form(before: &str) -> bool {
    let before = before.rsplit(FULL).next().unwrap_or_default();
    let is_word = before.is_empty() || before.ends_with(' ');
    let short = abbreviated(before);
    let mut words = short.split_whitespace();
    is_word && words.all(|word| LEGAL_FORMS.iter().any(|(short, _)| *short == word))
}

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
    ("кфх", "крестьянское (фермерское) хозяйство"),
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
                "ооо елка",
                &[
                    "ООО \"ЁЛКА\"",
                    "ооо елка",
                    "  ООО\t«Ёлка»\n",
                    "ООО“ЁЛКА”",
                    "Общество с  ограниченной ответственностью „Ёлка“",
                    "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ\"ЕЛКА\"",
                ][..],
            ),
            (
                "пао банк",
                &["Публичное акционерное общество БАНК", "ПАО Банк"],
            ),
            (
                "мку дартаньян",
                &[
                    "Муниципальное казённое учреждение Д'Артаньян",
                    "МКУ Д’АРТАНЬЯН",
                ],
            ),
            (
                "ао юг-строй",
                &["АО \"ЮГ\"-СТРОЙ", "Акционерное общество Юг–Строй"],
            ),
            // Not a form, or not as a whole.
            (
                "акционерное обществознание",
                &["АКЦИОНЕРНОЕ ОБЩЕСТВОЗНАНИЕ"],
            ),
            ("общество охотников", &["Общество охотников"]),
            ("", &["", " ", "\"«»'"]),
        ] {
            for spelling in spellings {
                assert_eq!(name_part(spelling, 1), expected, "{spelling}");
            }
        }
    }

    #[test]
    fn a_name_is_found_by_a_part_of_its_legal_form_in_full_and_in_short() {
        let found = |name: &str, part: &str| searched_name(name).contains(&name_part(part, 3));
        let full = "Публичное акционерное общество «Ёлка-2»";
        for part in [
            "акционерное",
            "АКЦИОНЕРНОЕ ОБЩЕСТВО",
            "общество ёлка",
            "ПАО Ёлка",
            "ао ёлка",
        ] {
            assert!(found(full, part), "{part}");
        }
        assert!(found("ПАО «Ёлка-2»", "публичное акционерное общество ёлка"));
        assert!(!found("ПАО «Ёлка-2»", "акционерное общество"));
        // Letters of two characters.
        assert!(found("Е\u{308}лка и И\u{306}ога", "ёлка и йога"));
    }

    #[test]
    fn a_name_begins_so_after_whole_legal_forms_alone() {
        for (before, expected) in [
            ("", true),
            ("ооо ", true),
            ("ооо лес\tобщество с ограниченной ответственностью ", true),
            ("ип", false),
            ("ооо лес ", false),
        ] {
            assert_eq!(is_legal_form(before), expected, "{before:?}");
        }
    }

    #[test]
    fn each_form_in_full_is_its_abbreviation() {
        for (short, full) in LEGAL_FORMS {
            assert_eq!(name_part(&full.to_uppercase(), 1), *short, "{full}");
            assert_eq!(name_part(short, 1), *short);
            assert!(is_legal_form(&format!("{short} ")));
        }
        assert!(is_legal_form("ано нко "));
        assert!(!is_legal_form("ооо лес "));
    }

    fn once(text: &str) -> String {
        name_part(text, 1)
    }

    proptest! {
        #[test]
        fn neither_case_nor_quotation_marks_nor_white_space_matter_and_once_is_enough(
            words in proptest::collection::vec("[а-яёa-z0-9.-]{1,9}", 1..6),
            marks in proptest::collection::vec(0..8_usize, 6),
        ) {
            let plain = words.join(" ");
            let marked: Vec<String> = words
                .iter()
                .zip(marks)
                .map(|(word, mark)| {
                    let [open, close] = [["«", "» "], ["\"", "\""], ["„", "“"], ["", "\t"],
                        ["“", "”"], ["'", "'"], ["", " \u{a0}"], ["‘", "’"]][mark];
                    format!("{open}{}{close}", word.to_uppercase())
                })
                .collect();
            let expected = once(&plain);
            prop_assert_eq!(once(&marked.join("  ")), expected.clone());
            prop_assert_eq!(once(&expected), expected);
        }

        #[test]
        fn any_text_is_in_its_own_form(text in ".{0,60}") {
            let once = once(&text);
            prop_assert!(!once.contains('\n') && !once.contains("  "), "{:?}", once);
            prop_assert_eq!(once.trim(), &once);
        }
    }
}
