//! Extracts days from the execution term of a contract, which is free text.

use super::{Date, EncodedContract};

/// First and last day of an execution term. `None` where the text does not state one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExecutionTerm {
    pub starts: Option<Date>,
    pub ends: Option<Date>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    First,
    Last,
}

/// Words that say whether the day after them is the first or the last of the term.
const ROLES: &[(&str, Role)] = &[
    ("с", Role::First),
    ("со", Role::First),
    ("начало", Role::First),
    ("начала", Role::First),
    ("..", Role::Last),
    ("-", Role::Last),
    ("–", Role::Last),
    ("—", Role::Last),
    ("по", Role::Last),
    ("до", Role::Last),
    ("позднее", Role::Last),
    ("окончание", Role::Last),
    ("окончания", Role::Last),
];

/// Words that do not change what a day means.
const WORDS: &str = "в год года г включительно дата дня даты момента срок срока не исполнения \
    поставки товара товаров выполнения работ оказания услуг заключения подписания контракта \
    договора государственного муниципального";

/// In the genitive, as in dates.
const MONTHS: [&str; 12] = [
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
];

impl ExecutionTerm {
    /// Parses a text that consists of one or two days and the words in `ROLES` and `WORDS` (manual,
    /// "API", "Overdue contracts"): `2024-12-31+03:00`, `2024-01-15..2024-12-31`, `с 15.01.2024 по
    /// 31.12.2024`, `не позднее 31 декабря 2024 года`. Any other text gives no days.
    ///
    /// A lone `YYYY-MM-DD` gives no days either. A contract that states only one day has this form,
    /// whether that is the first day or the last.
    pub fn parse(text: &str) -> Self {
        Self::parse_words(text).unwrap_or_default()
    }

    fn parse_words(text: &str) -> Option<Self> {
        if Date::parse_iso(text).is_some() {
            return None;
        }
        let text = text.to_lowercase().replace("..", " .. ");
        let mut words = text.split_whitespace();
        let (mut term, mut role, mut lone) = (Self::default(), None, None);
        while let Some(word) = words.next() {
            let trimmed = word.trim_matches([',', ';', ':', '.', '(', ')']);
            if let Some(day) = read_day(trimmed, &mut words) {
                let place = match role.take() {
                    Some(Role::First) => &mut term.starts,
                    Some(Role::Last) => &mut term.ends,
                    None => &mut lone,
                };
                if place.replace(day).is_some() {
                    return None;
                }
                continue;
            }
            let named = ROLES
                .iter()
                .find(|(name, _)| *name == word || *name == trimmed);
            match named {
                Some((_, named)) => role = Some(*named),
                None if trimmed.is_empty() || WORDS.split(' ').any(|one| one == trimmed) => {}
                None => return None,
            }
        }
        // A day without a word before it is the first day if another day follows, and the last day
        // otherwise.
        match (lone, term.starts, term.ends) {
            (Some(_), Some(_), _) => return None,
            (Some(day), None, None) => term.ends = Some(day),
            (Some(day), None, Some(_)) => term.starts = Some(day),
            (None, ..) => {}
        }
        let is_reversed = term.starts.zip(term.ends).is_some_and(|(a, b)| a > b);
        (!is_reversed).then_some(term)
    }
}

/// Parses a day that starts with `word`. If the month is spelled out, takes the month and the year
/// from `rest`; otherwise, leaves `rest` unchanged.
fn read_day<'a>(word: &str, rest: &mut (impl Iterator<Item = &'a str> + Clone)) -> Option<Date> {
    let (head, tail) = word.split_at_checked(10).unwrap_or((word, ""));
    let iso = Date::parse_iso(head).filter(|_| is_offset(tail));
    let dotted = || Date::parse_dotted(head).filter(|_| matches!(tail, "" | "г"));
    if let Some(day) = iso.or_else(dotted) {
        return Some(day);
    }
    let day = word.trim_matches(['«', '»', '"']).parse().ok()?;
    let mut following = rest.clone();
    let month = following.next()?;
    let month = MONTHS.iter().zip(1..).find(|(name, _)| **name == month)?.1;
    let year = following.next()?.trim_end_matches(['.', ',', ';']);
    let year = year.strip_suffix('г').unwrap_or(year);
    let date = Date::new(year.parse().ok()?, month, day)?;
    *rest = following;
    Some(date)
}

/// Returns whether the text is a UTC offset in lower case: `z`, an offset such as `+03:00`, or
/// nothing.
fn is_offset(text: &str) -> bool {
    let is_digits = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    let offset = text.strip_prefix(['+', '-']);
    let parts = offset.and_then(|offset| offset.split_once(':'));
    matches!(text, "" | "z") || parts.is_some_and(|(h, m)| is_digits(h) && is_digits(m))
}

impl EncodedContract<'_> {
    /// Returns the last day of execution: `endDate`, or else the last day that `deliveryTerm`
    /// states.
    pub fn execution_end(&self) -> Option<Date> {
        match &*self.end_date.text() {
            "" => ExecutionTerm::parse(&self.delivery_term.text()).ends,
            day => Date::parse_iso(day),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_only_from_texts_without_other_words() {
        for (text, expected) in [
            ("2024-12-31+03:00", "..2024-12-31"),
            ("2024-12-31Z", "..2024-12-31"),
            ("2024-01-15..2024-12-31", "2024-01-15..2024-12-31"),
            (
                "2024-01-15+03:00..2024-12-31+03:00",
                "2024-01-15..2024-12-31",
            ),
            ("31.12.2024", "..2024-12-31"),
            ("31.12.2024г.", "..2024-12-31"),
            ("15.01.2024 - 31.12.2024", "2024-01-15..2024-12-31"),
            ("с 15.01.2024 по 31.12.2024", "2024-01-15..2024-12-31"),
            ("не позднее 31.05.2021.", "..2021-05-31"),
            ("до 1 марта 2025 г.", "..2025-03-01"),
            (
                "Со дня подписания контракта по «31» декабря 2024 года включительно",
                "..2024-12-31",
            ),
            (
                "Срок исполнения контракта: начало 15.01.2024, окончание 31.12.2024",
                "2024-01-15..2024-12-31",
            ),
            ("с 15.01.2024", "2024-01-15.."),
            // This may be the first day of a contract that does not state the last one.
            ("2024-12-31", ".."),
            // 31 June does not exist.
            ("со дня подписания контракта по 31 июня 2014 года", ".."),
            ("по 31.06.2024", ".."),
            ("2024-12-31+3:00", ".."),
            // Unknown words may change what the day means.
            ("оплата до 31.12.2024", ".."),
            ("в течение 10 дней с 31.12.2024", ".."),
            ("по 31.12.2024, а в части оплаты по 31.01.2025", ".."),
            ("по 30.06.2024 и по 31.12.2024", ".."),
            ("31.12.2024 с 15.01.2024", ".."),
            ("с 31.12.2024 по 15.01.2024", ".."),
            ("171 календарный день", ".."),
            ("  два пробела  ", ".."),
            ("", ".."),
        ] {
            let term = ExecutionTerm::parse(text);
            let day = |day: Option<Date>| day.map_or(String::new(), |day| day.to_string());
            let found = [day(term.starts), day(term.ends)].join("..");
            assert_eq!(found, expected, "{text}");
        }
    }
}
