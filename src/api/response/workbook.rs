//! The title row of a workbook, which states the request, the day and the data in words.

use percent_encoding::percent_decode_str;

use super::super::request::reader::SharedParameters;
use crate::model::{Date, Language, Words, timestamp};
use crate::render::Workbook;
use crate::render::codes::code_words;
use crate::store::Database;
use crate::web;

pub fn for_answer(
    title: Words,
    sheet: &'static str,
    shared: &SharedParameters,
    database: &Database,
) -> Workbook {
    let updated = database.version().updated;
    let language = shared.language;
    let say = |key: &str, name: &str, value: &str| {
        web::text(language, key).replace(&["{", name, "}"].concat(), value)
    };
    let mut sentences = vec![filters(shared, language).join("; ")];
    sentences.extend(
        shared
            .day
            .map(|day| say("rnp.onDay", "day", &day_words(day, language))),
    );
    sentences.push(say("data.updated", "time", &moscow(updated, language)));
    if database.is_bundled() {
        sentences.push(say("data.demo", "", ""));
    }
    let mut title = title.to(language).to_owned();
    for sentence in sentences.iter().filter(|sentence| !sentence.is_empty()) {
        title += if title.ends_with('?') { " " } else { ". " };
        title += sentence;
    }
    title.push('.');
    Workbook {
        sheet,
        title,
        language,
        time: updated,
    }
}

/// Describes the filters in words, such as `ИНН поставщика: 9602003012`.
fn filters(shared: &SharedParameters, language: Language) -> Vec<String> {
    let said = |(name, value): (&str, &str)| {
        let value = percent_decode_str(value).decode_utf8_lossy();
        filter(name, &value, language)
    };
    let mut filters: Vec<String> = shared.pairs().filter_map(said).collect();
    if let Some(first) = filters.first_mut() {
        let initial = first
            .chars()
            .next()
            .map(|letter| letter.to_uppercase().to_string());
        let length = first.chars().next().map_or(0, char::len_utf8);
        first.replace_range(..length, &initial.unwrap_or_default());
    }
    filters
}

/// Describes a parameter in words. Returns `None` if the rest of the title row already says it, or
/// if it does not affect the cells.
fn filter(name: &str, value: &str, language: Language) -> Option<String> {
    let text = web::filter_text(language, name, value)?;
    Some(text.replace("{value}", &said_value(name, value, language)))
}

fn said_value(name: &str, value: &str, language: Language) -> String {
    let each = |words: &dyn Fn(&str) -> &'static str| {
        value.split(',').map(words).collect::<Vec<_>>().join(", ")
    };
    match name {
        "stage" => each(&|code| code_words("contractStage", code, language).unwrap_or_default()),
        "laws" => each(&|code| web::text(language, &["law.", code].concat())),
        "supplierINN" => value.replace(',', ", "),
        "q" => value.replace('\n', ", "),
        "priceFrom" | "priceTo" => price(value, language),
        _ => {
            Date::parse_iso(value).map_or_else(|| value.to_owned(), |day| day_words(day, language))
        }
    }
}

/// Formats an amount of roubles with thousands separators: `1 500 000,50 ₽`, `₽1,500,000.50`.
fn price(amount: &str, language: Language) -> String {
    let (whole, decimals) = amount.split_once('.').unwrap_or((amount, ""));
    let mut text = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push_str(language.pick("\u{a0}", ","));
        }
        text.push(digit);
    }
    if !decimals.is_empty() {
        text.extend([language.pick(",", "."), decimals]);
    }
    match language {
        Language::Russian => text + "\u{a0}₽",
        Language::English => "₽".to_owned() + &text,
    }
}

/// Formats a day: `20.11.2026`, `20 November 2026`.
fn day_words(date: Date, language: Language) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let (year, month, day) = date.parts();
    match language {
        Language::Russian => format!("{day:02}.{month:02}.{year:04}"),
        Language::English => {
            let month = MONTHS.get(usize::from(month).saturating_sub(1));
            format!("{day} {} {year}", month.unwrap_or(&""))
        }
    }
}

/// Formats a time, in seconds since 1970, as day and time in Moscow.
fn moscow(seconds: i64, language: Language) -> String {
    let there = timestamp(seconds.saturating_add(3 * 3600));
    let day = there.get(..10).and_then(Date::parse_iso);
    let time = there.get(11..16).unwrap_or_default();
    let day = day.map_or(String::new(), |day| day_words(day, language));
    [&day, ", ", time].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Endpoint;

    #[test]
    fn the_first_row_names_each_parameter_that_changes_the_rows() {
        // The title row states the day and the number of rows elsewhere.
        const OTHERWISE: [&str; 2] = ["asOf", "limit"];
        const NO_CELL: [&str; 5] = ["format", "lang", "errors", "receipt", "strict"];
        for parameter in Endpoint::ALL
            .iter()
            .flat_map(|endpoint| endpoint.parameters())
        {
            for language in Language::ALL {
                let said = filter(parameter.name, parameter.example, language);
                let is_silent = [&OTHERWISE[..], &NO_CELL]
                    .concat()
                    .contains(&parameter.name);
                assert_eq!(said.is_none(), is_silent, "{}", parameter.name);
                let on_the_wire = [parameter.name, "="].concat();
                assert!(!said.is_some_and(|said| said.contains(&on_the_wire)));
            }
        }
    }

    #[test]
    fn dates_and_prices_follow_the_language() {
        let check = |name, value, expected: [&str; 2]| {
            let said = Language::ALL.map(|language| filter(name, value, language));
            assert_eq!(said, expected.map(|it| Some(it.to_owned())));
        };
        check(
            "signedFrom",
            "2026-11-02",
            ["заключены с 02.11.2026", "signed from 2 November 2026"],
        );
        check(
            "priceTo",
            "1500000.5",
            [
                "цена до 1\u{a0}500\u{a0}000,5\u{a0}₽",
                "price up to ₽1,500,000.5",
            ],
        );
        check(
            "priceFrom",
            "900",
            ["цена от 900\u{a0}₽", "price from ₽900"],
        );
        check(
            "laws",
            "44,615",
            [
                "РНП: 44-ФЗ, ПП\u{a0}РФ №\u{a0}615",
                "RNP: Law 44-FZ, Decree 615",
            ],
        );
        check(
            "stage",
            "EC,E",
            [
                "состояние: исполнен, исполняется",
                "status: completed, in execution",
            ],
        );
    }
}
