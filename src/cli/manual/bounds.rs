//! The manual's table of the bounds that a user can meet, from their constants. The Russian chapter
//! has its own words for the rows, in the same order.

use std::ops::RangeInclusive;
use std::time::Duration;

use Amount::{Count, Size, Time};

use crate::api::{self, Rates};
use crate::cli::serve::bounds::{
    HEAD_SIZES, LEAST_TIME, MAX_CONNECTIONS, MOST_TIME, PENDING_SIZES,
};
use crate::cli::serve::limits::MAX_NUMBER;
use crate::cli::serve::{LEAST_CACHE, MAX_WORKERS, MOST_CACHE, MOST_GRACE};
use crate::cli::{self, keys, log_writer, values, watch};
use crate::http::engine::Bounds;
use crate::model::{Language, MAX_CUSTOMER_INN, MAX_DIGITS, MAX_KEY_NAME};
use crate::{fetch, http, import, render, store, web};

/// A row of the table: the subject in English, and the bound, with the option that sets it and its
/// range if there is one.
pub type BoundRow = [String; 2];

/// Returns the bounds, their numbers in the form of a language.
pub fn bounds(language: Language) -> Vec<BoundRow> {
    let rows = Vec::new();
    let mut table = Table { language, rows };
    requests(&mut table);
    connections(&mut table);
    service(&mut table);
    documents(&mut table);
    imports(&mut table);
    fetching(&mut table);
    servers(&mut table);
    table.rows
}

/// An allowed amount.
#[derive(Clone, Copy)]
enum Amount {
    Count(u64),
    /// A number of bytes.
    Size(u64),
    Time(Duration),
}

fn count(number: impl TryInto<u64>) -> Amount {
    Count(number.try_into().unwrap_or(u64::MAX))
}

fn size(bytes: impl TryInto<u64>) -> Amount {
    Size(bytes.try_into().unwrap_or(u64::MAX))
}

/// The table as far as it is written.
struct Table {
    language: Language,
    rows: Vec<BoundRow>,
}

impl Table {
    /// Adds a row with several bounds in the order of its words.
    fn row<const N: usize>(&mut self, what: &str, bounds: [Amount; N]) {
        let bounds = bounds.map(|amount| self.text(amount)).join("; ");
        self.rows.push([what.to_owned(), bounds]);
    }

    /// Adds a row of a bound that an option of `serve` sets within a range. Its words are the help
    /// of the option.
    fn option(&mut self, name: &str, range: [Amount; 2]) {
        let command = cli::command();
        let serve = command.find_subcommand("serve");
        let mut options = serve.into_iter().flat_map(clap::Command::get_arguments);
        let option = options.find(|option| option.get_long() == Some(name));
        let help = option.and_then(clap::Arg::get_help);
        let mut what = help.map(ToString::to_string).unwrap_or_default();
        // Rows begin with a small letter.
        if let Some(first) = what.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        let default = option.and_then(|option| option.get_default_values().first()?.to_str());
        let default = default.unwrap_or_default();
        let default = match range[0] {
            Count(_) => count(default.parse::<u64>().unwrap_or_default()),
            Size(_) => size(values::size(default).unwrap_or_default()),
            Time(_) => Time(values::duration(default).unwrap_or_default()),
        };
        let [default, least, most] = [default, range[0], range[1]].map(|amount| self.text(amount));
        let [from, to] = self.language.pick(["от ", " до "], ["", " to "]);
        let bound = format!("{default} (`--{name}`: {from}{least}{to}{most})");
        self.rows.push([what, bound]);
    }

    fn text(&self, amount: Amount) -> String {
        match amount {
            Count(number) => self.digits(number),
            Size(bytes) => self.bytes(bytes),
            Time(span) => self.span(span),
        }
    }

    /// Formats a number with its digits in groups of three.
    fn digits(&self, number: u64) -> String {
        let digits = number.to_string();
        let separator = self.language.pick('\u{a0}', ',');
        let is_short = self.language == Language::Russian && digits.len() < 5;
        let mut out = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) && !is_short {
                out.push(separator);
            }
            out.push(digit);
        }
        out
    }

    /// Formats a number of bytes in the largest unit that divides it.
    fn bytes(&self, bytes: u64) -> String {
        let units = [(30, "ГБ", "GB"), (20, "МБ", "MB"), (10, "КБ", "KB")];
        let unit = units
            .into_iter()
            .find(|(shift, ..)| bytes.trailing_zeros() >= *shift && bytes > 0);
        let (shift, russian, english) = unit.unwrap_or((0, "байт", "bytes"));
        let unit = self.language.pick(russian, english);
        format!("{}\u{a0}{unit}", self.digits(bytes >> shift))
    }

    fn span(&self, span: Duration) -> String {
        let (seconds, millis) = (span.as_secs(), span.subsec_millis());
        let (number, unit) = match seconds {
            0 if millis == 0 => return "0".to_owned(),
            0 => (u64::from(millis), self.language.pick("мс", "ms")),
            _ if seconds.is_multiple_of(3600) => (seconds / 3600, self.language.pick("ч", "h")),
            _ => (seconds, self.language.pick("с", "s")),
        };
        format!("{number}\u{a0}{unit}")
    }
}

fn requests(t: &mut Table) {
    use api::bounds::*;
    t.row("contracts on a page", [count(MAX_LIMIT)]);
    t.row("contracts in a file, CSV or XLSX", [count(MAX_FILE_ROWS)]);
    t.row(
        "size of the cells of such a file",
        [size(render::MAX_TABLE as u64)],
    );
    t.row(
        "a file on disk instead of in memory: rows beyond; such files at a time",
        [count(render::MAX_ROWS_IN_MEMORY), count(MAX_BODY_FILES)],
    );
    t.row(
        "changes on a page of `/changes`",
        [count(MAX_CHANGES_ON_A_PAGE)],
    );
    t.row(
        "suppliers of one `/rnp/check-suppliers`",
        [count(MAX_SUPPLIERS)],
    );
    t.row("digits in `customerInn`", [count(MAX_CUSTOMER_INN)]);
    t.row(
        "characters of a search's `q`, and of `number`; of `q` at `/`",
        [count(MAX_SEARCH_TEXT), count(web::MAX_QUERY)],
    );
    t.row("hits of one `/find`", [count(MAX_HITS)]);
    t.row("names of one `/find/names`", [count(MAX_NAMES)]);
    t.row(
        "digits of `priceFrom`, `priceTo`: before the point; after it",
        [count(MAX_WHOLE_DIGITS), count(MAX_DECIMALS)],
    );
}

/// The bounds of the engine `bounded`.
fn connections(t: &mut Table) {
    let connections = [count(1_u64), count(MAX_CONNECTIONS)];
    let times = [Time(LEAST_TIME), Time(MOST_TIME)];
    let sizes = |range: RangeInclusive<usize>| [size(*range.start()), size(*range.end())];
    t.option("max-connections", connections);
    t.option("max-connections-per-address", connections);
    t.option("max-head-size", sizes(HEAD_SIZES));
    t.row(
        "number of headers; length of a URL",
        [count(Bounds::HEADERS), size(Bounds::default().url())],
    );
    t.option("head-timeout", times);
    t.option("idle-timeout", times);
    t.option("write-timeout", times);
    t.option("max-pending-bytes", sizes(PENDING_SIZES));
}

/// The settings of operators, and other bounds of the service.
fn service(t: &mut Table) {
    t.option("grace", [Time(Duration::ZERO), Time(MOST_GRACE)]);
    t.row(
        "requests answered at once (`--workers`)",
        [count(MAX_WORKERS)],
    );
    t.option("answer-cache", [size(LEAST_CACHE), size(MOST_CACHE)]);
    t.row("value of `rate` or `burst`", [count(MAX_NUMBER)]);
    let open = Rates::default().open;
    t.row(
        "requests from one address to what needs no key: a second; at once",
        [count(open.per_second), count(open.burst)],
    );
    t.row("characters in a key's name", [count(MAX_KEY_NAME)]);
    t.row(
        "days that an old key stays valid beside the new one (`--overlap`)",
        [count(keys::MOST_OVERLAP.as_secs() / 86_400)],
    );
    t.row("origins in `--cors`", [count(api::bounds::MAX_ORIGINS)]);
    t.row(
        "characters of an `X-Request-Id` taken over from a trusted proxy",
        [count(http::MAX_TAKEN_OVER)],
    );
    t.row(
        "log lines waiting to be written",
        [count(log_writer::WAITING)],
    );
}

/// The bounds of imported files and of the documents in them.
fn documents(t: &mut Table) {
    use import::*;
    t.row("a line of JSON", [size(MAX_LINE)]);
    t.row(
        "an XML file, or an entry of an archive, unpacked",
        [size(MAX_DOCUMENT_FILE)],
    );
    t.row(
        "an archive within an archive, unpacked",
        [size(MAX_ARCHIVE)],
    );
    t.row(
        "archives nested; entries of an archive",
        [count(MAX_NESTED), count(MAX_ENTRIES)],
    );
    t.row("times that an entry of an archive grows when unpacked; of an archive with all in it, and another", [count(MAX_RATIO), size(MAX_FREE)]);
    t.row("folders nested", [count(MAX_FOLDERS)]);
    t.row(
        "elements nested in a document; elements of it",
        [count(MAX_DEPTH), count(MAX_ELEMENTS)],
    );
    t.row("documents in a file", [count(MAX_DOCUMENTS)]);
    t.row(
        "text of one element; what is kept of one document",
        [size(MAX_TEXT), size(MAX_FACTS)],
    );
    t.row(
        "suppliers of one contract in a document",
        [count(MAX_SUPPLIERS)],
    );
    t.row("significant digits in an amount", [count(MAX_DIGITS)]);
}

/// The bounds of an import: its input, repeated work and stored changes.
fn imports(t: &mut Table) {
    use store::{COMMIT_BYTES, MAX_CHANGES, MAX_DAYS};
    t.row(
        "what a killed import repeats: facts of documents, records of JSON Lines",
        [size(COMMIT_BYTES)],
    );
    t.row(
        "changes kept for `/changes` and `watch`: days; in all (the last import as a whole)",
        [count(MAX_DAYS), count(MAX_CHANGES)],
    );
    t.row(
        "list of `watch`: rows; size",
        [count(watch::MAX_ROWS), size(watch::MAX_SIZE)],
    );
}

/// The bounds of `fetch`: the size of answers from EIS, and the waits.
fn fetching(t: &mut Table) {
    use fetch::*;
    t.row(
        "an answer of the EIS service; an archive that `fetch` takes, and unpacked from gzip",
        [size(MAX_ANSWER), size(MAX_DOWNLOAD)],
    );
    t.row(
        "waiting for a connection to the EIS service; for data from it; for an answer as a whole",
        [
            Time(CONNECT_TIMEOUT),
            Time(IDLE_TIMEOUT),
            Time(ANSWER_TIMEOUT),
        ],
    );
    t.row(
        "an archive comes at no less than: so much; in so long",
        [size(LEAST_RATE), Time(RATE_SPAN)],
    );
    t.row(
        "how long `update` fetches before it imports",
        [Time(cli::update::FETCHES_FOR)],
    );
    t.row(
        "requests for the same after failures; repetitions running after being told to wait",
        [count(MAX_ATTEMPTS), count(MAX_WAITS)],
    );
}

/// The waits for a PostgreSQL server.
fn servers(t: &mut Table) {
    use store::server_bounds::*;
    t.row(
        "connecting to a PostgreSQL server for an answer; to all in turn",
        [Time(ATTEMPT), Time(ALL_ATTEMPTS)],
    );
    t.row(
        "a statement to PostgreSQL about one key; sorting the keys before an export",
        [Time(SHORT_STATEMENT), Time(SORTING)],
    );
    t.row(
        "other connections to PostgreSQL, and statements that read much or change anything",
        [Time(STATEMENT)],
    );
    t.row("how long `publish` waits for a server at each step; while it makes indexes a second more for so many rows", [Time(SERVER_SILENCE), count(ROWS_A_SECOND)]);
    t.row(
        "how long an older publication than was seen in PostgreSQL is not answered from",
        [Time(MOST_LAG)],
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_their_readers_write_them() {
        let table = |language| Table {
            language,
            rows: Vec::new(),
        };
        let (english, russian) = (table(Language::English), table(Language::Russian));
        assert_eq!(english.text(count(4096_u64)), "4,096");
        assert_eq!(russian.text(count(4096_u64)), "4096");
        assert_eq!(russian.text(count(65_536_u64)), "65\u{a0}536");
        assert_eq!(english.text(size(200_u64)), "200\u{a0}bytes");
        assert_eq!(english.text(size(16_u64 << 10)), "16\u{a0}KB");
        assert_eq!(russian.text(size(4_u64 << 30)), "4\u{a0}ГБ");
        assert_eq!(english.text(Time(Duration::from_millis(10))), "10\u{a0}ms");
        assert_eq!(russian.text(Time(Duration::from_secs(3600))), "1\u{a0}ч");
    }
}
