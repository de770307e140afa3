//! Tests that the bounds stated in the manual match the constants in the code.

use std::ops::RangeInclusive;
use std::time::Duration;

use Amount::{Count, Size, Time};

use crate::api::{self, Rates};
use crate::cli::serve::bounds::{
    HEAD_SIZES, LEAST_TIME, MAX_CONNECTIONS, MOST_TIME, PENDING_SIZES,
};
use crate::cli::serve::limits::MAX_NUMBER;
use crate::cli::serve::{LEAST_CACHE, MAX_WORKERS, MOST_CACHE, MOST_GRACE};
use crate::cli::{self, keys, log_writer, update, values, watch};
use crate::http::engine::Bounds;
use crate::manual::Chapter;
use crate::model::{Language, MAX_CUSTOMER_INN, MAX_DIGITS, MAX_KEY_NAME};
use crate::{fetch, http, import, render, store};

#[derive(Clone, Copy)]
enum Amount {
    Count(u64),
    Size(u64),
    Time(Duration),
}

fn count(number: impl TryInto<u64>) -> Amount {
    Count(number.try_into().unwrap_or(u64::MAX))
}

fn size(bytes: impl TryInto<u64>) -> Amount {
    Size(bytes.try_into().unwrap_or(u64::MAX))
}

impl Amount {
    /// Returns the amount in the largest unit that divides it evenly, as is usual in the language.
    fn text(self, language: Language) -> String {
        let (number, unit) = match self {
            Count(number) => (number, ""),
            Time(Duration::ZERO) => (0, ""),
            Size(bytes) => match bytes.trailing_zeros() {
                30.. => (bytes >> 30, language.pick("ГБ", "GB")),
                20.. => (bytes >> 20, language.pick("МБ", "MB")),
                10.. => (bytes >> 10, language.pick("КБ", "KB")),
                _ => (bytes, language.pick("байт", "bytes")),
            },
            Time(span) => match span.as_secs() {
                0 => (span.subsec_millis().into(), language.pick("мс", "ms")),
                seconds if seconds % 3600 == 0 => (seconds / 3600, language.pick("ч", "h")),
                seconds => (seconds, language.pick("с", "s")),
            },
        };
        let digits = number.to_string();
        let separator = language.pick("\u{a0}", ",");
        let mut text = String::new();
        for (at, digit) in digits.chars().enumerate() {
            let is_grouped = language == Language::English || digits.len() > 4;
            if at > 0 && (digits.len() - at).is_multiple_of(3) && is_grouped {
                text += separator;
            }
            text.push(digit);
        }
        match unit {
            "" => text,
            unit => text + "\u{a0}" + unit,
        }
    }
}

/// Returns the default of an option of `serve`, followed by the range of values.
fn option(name: &str, [least, most]: [Amount; 2]) -> [Amount; 3] {
    let command = cli::command();
    let serve = command.find_subcommand("serve").expect("a command");
    let found = serve
        .get_arguments()
        .find(|option| option.get_long() == Some(name));
    let option = found.expect(name);
    let default = option.get_default_values()[0].to_str().expect(name);
    let default = match least {
        Count(_) => count(default.parse::<u64>().expect(name)),
        Size(_) => size(values::size(default).expect(name)),
        Time(_) => Time(values::duration(default).expect(name)),
    };
    [default, least, most]
}

fn of_requests() -> Vec<Amount> {
    use api::bounds::*;
    let open = Rates::default().open;
    vec![
        count(MAX_LIMIT),
        count(MAX_FILE_ROWS),
        size(render::MAX_TABLE as u64),
        count(render::MAX_ROWS_IN_MEMORY),
        size(render::MAX_BYTES_IN_MEMORY),
        count(MAX_PLACES_OF_KEY),
        count(MAX_PLACES),
        count(CONTRACTS_OUT_OF_TURN as usize),
        count(MAX_CHANGES_ON_A_PAGE),
        count(MAX_SUPPLIERS),
        count(MAX_CUSTOMER_INN),
        count(MAX_SEARCH_TEXT),
        count(MAX_HITS),
        count(MAX_NAMES),
        count(MAX_WHOLE_DIGITS),
        count(MAX_DECIMALS),
        count(Bounds::HEADERS),
        size(Bounds::default().url()),
        size(Bounds::default().least_rate),
        count(MAX_NUMBER),
        count(open.per_second),
        count(open.burst),
        count(MAX_ORIGINS),
        count(http::MAX_TAKEN_OVER),
    ]
}

fn of_the_server() -> Vec<Amount> {
    let connections = [count(1_u64), count(MAX_CONNECTIONS)];
    let times = [Time(LEAST_TIME), Time(MOST_TIME)];
    let sizes = |range: RangeInclusive<usize>| [size(*range.start()), size(*range.end())];
    let mut amounts = [
        option("max-connections", connections),
        option("max-connections-per-address", connections),
        option("max-head-size", sizes(HEAD_SIZES)),
        option("head-timeout", times),
        option("idle-timeout", times),
        option("write-timeout", times),
        option("max-pending-bytes", sizes(PENDING_SIZES)),
        option("grace", [Time(Duration::ZERO), Time(MOST_GRACE)]),
        option("answer-cache", [size(LEAST_CACHE), size(MOST_CACHE)]),
    ]
    .concat();
    // The table also states that 0 means no cache.
    amounts.push(count(0_u64));
    amounts.extend([
        count(MAX_WORKERS),
        count(MAX_KEY_NAME),
        count(keys::MOST_OVERLAP.as_secs() / 86_400),
        count(log_writer::WAITING),
        size(http::MAX_AUDIT_WAITING),
        Time(http::AUDIT_LATE),
    ]);
    amounts
}

fn of_imports() -> Vec<Amount> {
    use import::*;
    use store::{COMMIT_BYTES, MAX_CHANGES, MAX_DAYS};
    vec![
        size(MAX_LINE),
        size(MAX_DOCUMENT_FILE),
        size(MAX_ARCHIVE),
        count(MAX_NESTED),
        count(MAX_ENTRIES),
        count(MAX_RATIO),
        size(MAX_FREE),
        count(MAX_FOLDERS),
        count(MAX_DEPTH),
        count(MAX_ELEMENTS),
        count(MAX_DOCUMENTS),
        size(MAX_TEXT),
        size(MAX_FACTS),
        count(MAX_SUPPLIERS),
        count(MAX_DIGITS),
        size(COMMIT_BYTES),
        count(MAX_DAYS),
        count(MAX_CHANGES),
        count(watch::list::MAX_ROWS),
        size(watch::list::MAX_SIZE),
    ]
}

fn of_other_services() -> Vec<Amount> {
    use fetch::*;
    use store::server_bounds::*;
    vec![
        size(MAX_ANSWER),
        size(MAX_DOWNLOAD),
        Time(CONNECT_TIMEOUT),
        Time(IDLE_TIMEOUT),
        Time(ANSWER_TIMEOUT),
        size(LEAST_RATE),
        Time(RATE_SPAN),
        Time(update::FETCHES_FOR),
        count(MAX_ATTEMPTS),
        count(MAX_WAITS),
        Time(ATTEMPT),
        Time(ALL_ATTEMPTS),
        Time(SHORT_STATEMENT),
        Time(SORTING),
        Time(STATEMENT),
        Time(SERVER_SILENCE),
        count(ROWS_A_SECOND),
        Time(MAX_LAG),
    ]
}

/// Returns the amounts that the manual's table of bounds states, sorted.
fn stated(language: Language) -> Vec<String> {
    let chapter = Chapter::on("configuration").expect("a chapter");
    let heading = language.pick("## Пределы", "## Bounds");
    let lines = chapter.lines(language);
    let section = lines.skip_while(|line| *line != heading).skip(1);
    let rows = section
        .take_while(|line| !line.starts_with('#'))
        .filter_map(|line| line.trim_end_matches(" |").rsplit_once(" | "));
    let mut stated = Vec::new();
    for (_, bound) in rows {
        let words = bound.split([' ', ';', '(', ')', ':']);
        let amounts = words.filter(|word| word.starts_with(|first: char| first.is_ascii_digit()));
        stated.extend(amounts.map(|amount| amount.trim_end_matches(',').to_owned()));
    }
    stated.sort();
    stated
}

#[test]
fn the_manual_states_every_bound_of_the_code_and_no_other() {
    let amounts = [
        of_requests(),
        of_the_server(),
        of_imports(),
        of_other_services(),
    ]
    .concat();
    for language in Language::ALL {
        let texts = amounts.iter().map(|amount| amount.text(language));
        let mut expected: Vec<String> = texts.collect();
        expected.sort();
        assert_eq!(stated(language), expected);
    }
}
