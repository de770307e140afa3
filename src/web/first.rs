//! The start of the lookup page as it looks before a script has run: so that there is
//! something to see as soon as the page and its styles are there.
//!
//! The files in `first/` are what the scripts draw, saved by `scripts/try-page --bless`;
//! the browser tests hold them against each other. What changes is put in here.

use crate::model::{Language, timestamp};

/// What the start shows that is not the same for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Does the service answer from the demonstration data?
    pub demo: bool,
    /// The time of the last import that changed anything, in seconds since 1970.
    pub updated: i64,
}

/// Short names of months, as `days.js` has them.
const MONTHS: &str = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";

/// What stands in a page's `body` for the header, the view and the footer.
pub fn view(language: Language, shown: Shown) -> String {
    let saved = match (language, shown.demo) {
        (Language::Russian, true) => include_str!("first/ru-demo.html"),
        (Language::Russian, false) => include_str!("first/ru.html"),
        (Language::English, true) => include_str!("first/en-demo.html"),
        (Language::English, false) => include_str!("first/en.html"),
    };
    saved
        .replace("{version}", env!("CARGO_PKG_VERSION"))
        .replace("{updated}", &moscow(shown.updated, language))
}

/// A moment as day and time in Moscow: `21.11.2026, 23:55` or `21 Nov 2026, 23:55`.
fn moscow(updated: i64, language: Language) -> String {
    let there = timestamp(updated.saturating_add(3 * 3600));
    let part = |from: usize, to: usize| there.get(from..to).unwrap_or_default();
    let (year, month, day, time) = (part(0, 4), part(5, 7), part(8, 10), part(11, 16));
    match language {
        Language::Russian => format!("{day}.{month}.{year}, {time}"),
        Language::English => {
            let month: usize = month.parse().unwrap_or_default();
            let name = MONTHS.split(' ').nth(month.saturating_sub(1));
            let day = day.trim_start_matches('0');
            format!("{day} {} {year}, {time}", name.unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_moscows() {
        let check = |updated, russian, english| {
            assert_eq!(moscow(updated, Language::Russian), russian);
            assert_eq!(moscow(updated, Language::English), english);
        };
        check(0, "01.01.1970, 03:00", "1 Jan 1970, 03:00");
        // 31 August 2026, 21:05:59 UTC.
        check(1_788_210_359, "01.09.2026, 00:05", "1 Sep 2026, 00:05");
    }

    #[test]
    fn the_scripts_call_the_months_the_same() {
        assert!(include_str!("days.js").contains(MONTHS));
    }
}
