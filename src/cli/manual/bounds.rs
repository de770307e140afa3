//! The manual's table of bounds, made of the constants that bound.

use std::fmt::Display;
use std::time::Duration;

use crate::api::{self, Rates, Words};
use crate::cli::serve::bounds::{
    HEAD_SIZES, LEAST_TIME, MAX_CONNECTIONS, MOST_TIME, PENDING_SIZES,
};
use crate::cli::serve::limits::MAX_NUMBER;
use crate::cli::serve::{LEAST_CACHE, MAX_WORKERS, MOST_CACHE, MOST_GRACE};
use crate::cli::{self, keys, log_writer, values, verify};
use crate::http::engine::Bounds;
use crate::model::{Language, MAX_DIGITS, MAX_EXPONENT};
use crate::{generate, http, import, store};

/// A row of the table: what is bounded, by how much, which option sets it within which range,
/// and what happens past it.
pub type BoundRow = [String; 4];

/// The bounds, in a language.
pub fn bounds(language: Language) -> Vec<BoundRow> {
    let mut table = Table {
        language,
        rows: Vec::new(),
    };
    requests(&mut table);
    connections(&mut table);
    service(&mut table);
    files(&mut table);
    documents(&mut table);
    imports(&mut table);
    table.rows
}

/// The table as far as it is written, and how values are.
struct Table {
    language: Language,
    rows: Vec<BoundRow>,
}

const NOTHING: Words = Words("", "");
const ERROR: Words = Words("ошибка 400", "error 400");
const WRONG_USE: Words = Words("неправильный вызов", "wrong use");
const LINE_SKIPPED: Words = Words("строка пропускается", "the line is skipped");
const SKIPPED: Words = Words("документ пропускается", "the document is skipped");
const FILE_SKIPPED: Words = Words("файл пропускается", "the file is skipped");
const REFUSED_503: Words = Words("503 с `Retry-After`", "503 with `Retry-After`");
const CLOSED: Words = Words("соединение закрывается", "the connection is closed");

impl Table {
    fn row(&mut self, what: Words, bound: impl Display, past: Words) {
        self.settable(what, bound, "", past);
    }

    /// A row of a bound that an option sets.
    fn settable(&mut self, what: Words, bound: impl Display, option: &str, past: Words) {
        self.rows.push([
            what.to(self.language).to_owned(),
            bound.to_string(),
            option.to_owned(),
            past.to(self.language).to_owned(),
        ]);
    }

    /// An option with the least and the most that it takes.
    fn option(&self, name: &str, least: impl Display, most: impl Display) -> String {
        let to = self.language.pick("от", "from");
        let and = self.language.pick("до", "to");
        format!("`--{name}`, {to} {least} {and} {most}")
    }

    /// A number, its digits in groups of three.
    fn count(&self, number: impl TryInto<u64>) -> String {
        let digits = number.try_into().unwrap_or(u64::MAX).to_string();
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

    /// A number of bytes in the largest unit of which it is a whole number.
    fn size(&self, bytes: impl TryInto<u64>) -> String {
        let bytes = bytes.try_into().unwrap_or(u64::MAX);
        let units = [(30, "ГБ", "GB"), (20, "МБ", "MB"), (10, "КБ", "KB")];
        let unit = units
            .into_iter()
            .find(|(shift, ..)| bytes.trailing_zeros() >= *shift && bytes > 0);
        let (shift, russian, english) = unit.unwrap_or((0, "байт", "bytes"));
        let unit = self.language.pick(russian, english);
        format!("{}\u{a0}{unit}", self.count(bytes >> shift))
    }

    fn time(&self, span: Duration) -> String {
        let (seconds, millis) = (span.as_secs(), span.subsec_millis());
        let (number, unit) = match seconds {
            0 => (u64::from(millis), self.language.pick("мс", "ms")),
            _ if seconds.is_multiple_of(3600) => (seconds / 3600, self.language.pick("ч", "h")),
            _ => (seconds, self.language.pick("с", "s")),
        };
        format!("{number}\u{a0}{unit}")
    }

    fn say(&self, russian: &str, english: &str) -> String {
        self.language.pick(russian, english).to_owned()
    }
}

/// The default of an option of `serve`.
fn default(option: &str) -> String {
    let command = cli::command();
    let serve = command.find_subcommand("serve");
    let mut options = serve.into_iter().flat_map(clap::Command::get_arguments);
    let option = options.find(|one| one.get_long() == Some(option));
    let values = option
        .map(clap::Arg::get_default_values)
        .unwrap_or_default();
    let first = values.first().map(|value| value.to_string_lossy());
    first.unwrap_or_default().into_owned()
}

/// What one request may ask for.
fn requests(t: &mut Table) {
    use api::bounds::{MAX_CUSTOMER_INN, MAX_LIMIT, MAX_SUPPLIERS};
    let [page, checks, digits] = [
        t.count(MAX_LIMIT),
        t.count(MAX_SUPPLIERS),
        t.count(MAX_CUSTOMER_INN),
    ];
    t.row(
        Words("контрактов на странице", "contracts a page"),
        page,
        ERROR,
    );
    t.row(
        Words(
            "поставщиков в одном `/rnp/check-suppliers`",
            "suppliers of one `/rnp/check-suppliers`",
        ),
        checks,
        ERROR,
    );
    t.row(
        Words("цифр в `customerInn`", "digits of `customerInn`"),
        digits,
        ERROR,
    );
}

/// What clients may do to the engine `bounded`.
fn connections(t: &mut Table) {
    let bounds = Bounds::default();
    let sockets = |name| t.option(name, 1, t.count(MAX_CONNECTIONS));
    let option = sockets("max-connections");
    t.settable(
        Words("соединений всего", "connections in all"),
        t.count(bounds.connections),
        &option,
        REFUSED_503,
    );
    let option = t.option("max-connections-per-address", 1, t.count(MAX_CONNECTIONS));
    t.settable(
        Words(
            "соединений с одного адреса (IPv6: с одной сети /64); адреса из `--trust-proxy` и сокет Unix не считаются",
            "connections from one address (of IPv6: one /64), save from `--trust-proxy` and over a Unix socket",
        ),
        t.count(bounds.connections_of_address),
        &option,
        REFUSED_503,
    );
    let option = t.option(
        "max-head-size",
        t.size(*HEAD_SIZES.start()),
        t.size(*HEAD_SIZES.end()),
    );
    t.settable(
        Words(
            "первая строка и заголовки запроса",
            "request line and headers",
        ),
        t.size(bounds.head),
        &option,
        Words("431", "431"),
    );
    t.row(
        Words("заголовков запроса", "headers of a request"),
        t.count(Bounds::HEADERS),
        Words("431", "431"),
    );
    t.row(
        Words("длина адреса запроса", "length of a URL"),
        t.size(bounds.url()),
        Words("414", "414"),
    );
    times(t, &bounds);
    let option = t.option(
        "max-pending-bytes",
        t.size(*PENDING_SIZES.start()),
        t.size(*PENDING_SIZES.end()),
    );
    t.settable(
        Words(
            "ответы, которые ждут своих клиентов, все вместе",
            "answers that wait for their clients, all together",
        ),
        t.size(bounds.pending),
        &option,
        Words(
            "обрываются те, кто дольше всех ничего не принимал",
            "those that have taken nothing for the longest are cut off",
        ),
    );
}

/// How long clients may take.
fn times(t: &mut Table, bounds: &Bounds) {
    let spans = [
        (
            "head-timeout",
            bounds.head_time,
            Words(
                "время от первого байта запроса до конца заголовков",
                "time from the first byte of a request to the end of its headers",
            ),
            Words("408", "408"),
        ),
        (
            "idle-timeout",
            bounds.idle_time,
            Words("время между запросами", "time between requests"),
            CLOSED,
        ),
        (
            "write-timeout",
            bounds.write_time,
            Words(
                "время, за которое клиент ничего не принял из ответа",
                "time without a byte of the answer being taken",
            ),
            CLOSED,
        ),
    ];
    for (name, span, what, past) in spans {
        let option = t.option(name, t.time(LEAST_TIME), t.time(MOST_TIME));
        t.settable(what, t.time(span), &option, past);
    }
}

/// What else the service bounds.
fn service(t: &mut Table) {
    let option = t.option("workers", 1, MAX_WORKERS);
    let cores = t.say("по числу ядер, не меньше 2", "one a core, at least 2");
    let at_once = Words(
        "запросов, которые обрабатываются одновременно",
        "requests that are answered at once",
    );
    t.settable(at_once, cores, &option, Words("ждут", "they wait"));
    let option = t.option("grace", 0, t.time(MOST_GRACE));
    t.settable(
        Words(
            "время на начатые запросы при остановке",
            "time for requests under way when the server ends",
        ),
        t.time(values::duration(&default("grace")).unwrap_or_default()),
        &option,
        Words("соединения обрываются", "they are cut off"),
    );
    let option = t.option("answer-cache", t.size(LEAST_CACHE), t.size(MOST_CACHE));
    t.settable(
        Words(
            "память для ответов, которые отдаются повторно",
            "memory for answers that are given again",
        ),
        t.size(values::size(&default("answer-cache")).unwrap_or_default()),
        &option,
        Words(
            "вытесняются давно не запрошенные",
            "those not asked for of late go",
        ),
    );
    let longest = t.size(api::bounds::LONGEST_CACHED);
    t.row(
        Words(
            "ответ, который остаётся в этой памяти",
            "an answer that is kept there",
        ),
        longest,
        Words("не остаётся", "it is not kept"),
    );
    let most = t.count(MAX_NUMBER);
    t.row(
        Words(
            "частота и запас, которые можно задать",
            "a rate or a burst that can be set",
        ),
        most,
        WRONG_USE,
    );
    let subjects = t.count(api::bounds::MAX_SUBJECTS);
    t.row(
        Words(
            "ключей или адресов, которые ограничение нагрузки считает по отдельности",
            "keys or addresses that a limit of load counts apart",
        ),
        subjects,
        Words("у новых общий счёт", "newcomers share one count"),
    );
    let open = Rates::default().open;
    let open = [open.per_second, open.burst].map(|number| t.count(number));
    t.row(
        Words(
            "запросов с одного адреса к тому, что открыто всем: в секунду; сразу после перерыва",
            "requests from one address to what is open to all: a second; at once after a pause",
        ),
        open.join("; "),
        Words("429 с `Retry-After`", "429 with `Retry-After`"),
    );
    operators(t);
}

/// Keys, proxies, the log.
fn operators(t: &mut Table) {
    use http::bounds::{MAX_ENTRIES, MAX_ENTRY, MAX_TAKEN_OVER};
    let [name, origins, waiting, id] = [
        t.count(keys::MAX_NAME as u64),
        t.count(api::bounds::MAX_ORIGINS as u64),
        t.count(log_writer::WAITING as u64),
        t.count(MAX_TAKEN_OVER as u64),
    ];
    t.row(
        Words("знаков в имени ключа", "characters of a key's name"),
        name,
        WRONG_USE,
    );
    t.row(
        Words("источников в `--cors`", "origins in `--cors`"),
        origins,
        WRONG_USE,
    );
    t.row(
        Words(
            "знаков в `X-Request-Id` от доверенного прокси",
            "characters of an `X-Request-Id` from a trusted proxy",
        ),
        id,
        Words("заменяется своим", "another takes its place"),
    );
    t.row(
        Words(
            "записей `X-Forwarded-For`; знаков в каждой",
            "entries of `X-Forwarded-For`; characters of each",
        ),
        format!("{MAX_ENTRIES}; {MAX_ENTRY}"),
        Words(
            "клиентом считается сам прокси",
            "the proxy itself counts as the client",
        ),
    );
    t.row(
        Words(
            "строк журнала, ждущих записи",
            "lines of the log that wait to be written",
        ),
        waiting,
        Words("теряются и считаются", "they are dropped, and counted"),
    );
    let receipt = t.size(verify::LONGEST_FILE);
    t.row(
        Words(
            "файл с подтверждением для `lookup --verify`",
            "a file with a receipt for `lookup --verify`",
        ),
        receipt,
        Words("остальное не читается", "the rest is not read"),
    );
}

/// Files, archives and folders that are imported.
fn files(t: &mut Table) {
    use import::{
        MAX_ARCHIVE, MAX_DOCUMENT_FILE, MAX_FOLDERS, MAX_FREE, MAX_LINE, MAX_NESTED, MAX_RATIO,
    };
    let [line, file, archive, free] = [
        t.size(MAX_LINE as u64),
        t.size(MAX_DOCUMENT_FILE),
        t.size(MAX_ARCHIVE),
        t.size(MAX_FREE),
    ];
    t.row(
        Words("строка JSON Lines", "a line of JSON"),
        line,
        LINE_SKIPPED,
    );
    t.row(
        Words(
            "файл XML, в том числе из архива после распаковки",
            "an XML file, or an entry of an archive, unpacked",
        ),
        file,
        FILE_SKIPPED,
    );
    t.row(
        Words(
            "архив внутри архива после распаковки",
            "an archive within an archive, unpacked",
        ),
        archive,
        FILE_SKIPPED,
    );
    t.row(
        Words("архивы один в другом", "archives nested"),
        MAX_NESTED,
        FILE_SKIPPED,
    );
    let times = t.say("раз", "times");
    t.row(
        Words(
            "рост файла архива при распаковке",
            "growth of an archive's entry when it is unpacked",
        ),
        format!("{MAX_RATIO} {times}"),
        FILE_SKIPPED,
    );
    let and = t.say("и ещё", "and");
    t.row(
        Words(
            "рост архива со всем, что в нём",
            "growth of an archive with all that is in it",
        ),
        format!("{MAX_RATIO} {times} {and} {free}"),
        Words("остальное в нём пропускается", "the rest of it is skipped"),
    );
    t.row(
        Words("папки одна в другой", "folders nested"),
        MAX_FOLDERS,
        Words("не читаются", "they are not read"),
    );
}

/// What documents and records may say.
fn documents(t: &mut Table) {
    use import::{
        MAX_DEPTH, MAX_DOCUMENTS, MAX_ELEMENTS, MAX_FACTS, MAX_KINDS, MAX_NUMBER, MAX_SUPPLIERS,
        MAX_TEXT,
    };
    let rows = [
        (
            Words(
                "вложенность элементов документа",
                "elements nested in a document",
            ),
            t.count(MAX_DEPTH as u64),
            SKIPPED,
        ),
        (
            Words("документов в файле", "documents of a file"),
            t.count(MAX_DOCUMENTS as u64),
            FILE_SKIPPED,
        ),
        (
            Words("элементов в документе", "elements of a document"),
            t.count(MAX_ELEMENTS as u64),
            SKIPPED,
        ),
        (
            Words("текст одного элемента", "text of one element"),
            t.size(MAX_TEXT as u64),
            SKIPPED,
        ),
        (
            Words(
                "сведения из одного документа",
                "what one document says that is kept",
            ),
            t.size(MAX_FACTS as u64),
            SKIPPED,
        ),
        (
            Words("поставщиков в одном контракте", "suppliers of a contract"),
            t.count(MAX_SUPPLIERS as u64),
            SKIPPED,
        ),
        (
            Words(
                "номер, о котором документ",
                "a number that a document is about",
            ),
            t.size(MAX_NUMBER as u64),
            SKIPPED,
        ),
        (
            Words(
                "видов документов, считаемых по названиям",
                "kinds of document counted by name",
            ),
            t.count(MAX_KINDS as u64),
            Words("считаются вместе", "counted together"),
        ),
        (
            Words(
                "значащих цифр в сумме; степень десяти",
                "significant digits of an amount; power of ten",
            ),
            format!("{MAX_DIGITS}; ±{MAX_EXPONENT}"),
            Words(
                "строка или документ пропускается",
                "the line or document is skipped",
            ),
        ),
        (
            Words("контрактов одного поставщика", "contracts of one supplier"),
            t.count(1_u64 << 32),
            NOTHING,
        ),
    ];
    for (what, bound, past) in rows {
        t.row(what, bound, past);
    }
}

/// What an import takes, and what `generate` makes.
fn imports(t: &mut Table) {
    let [staged, committed] = [
        t.size(store::STAGED_BYTES),
        t.size(store::COMMIT_BYTES as u64),
    ];
    t.row(
        Words(
            "временные файлы при загрузке JSON Lines",
            "temporary files of an import of JSON Lines",
        ),
        staged.clone(),
        Words(
            "загруженное сливается с базой",
            "what has come is merged into the file",
        ),
    );
    t.row(
        Words(
            "что прерванная загрузка делает заново: сведения из документов; строки JSON Lines",
            "what a killed import does anew: facts of documents; lines of JSON",
        ),
        format!("{committed}; {staged}"),
        NOTHING,
    );
    use generate::{MAX_CONTRACTS, MAX_PURCHASES, MAX_SUPPLIERS};
    let most = [MAX_SUPPLIERS, MAX_CONTRACTS, MAX_PURCHASES].map(|number| t.count(number));
    t.row(
        Words(
            "`generate`: поставщиков; контрактов; закупок",
            "`generate`: suppliers; contracts; purchases",
        ),
        most.join("; "),
        WRONG_USE,
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
        assert_eq!(english.count(4096_u64), "4,096");
        assert_eq!(russian.count(4096_u64), "4096");
        assert_eq!(russian.count(65_536_u64), "65\u{a0}536");
        assert_eq!(english.size(200_u64), "200\u{a0}bytes");
        assert_eq!(english.size(16_u64 << 10), "16\u{a0}KB");
        assert_eq!(russian.size(4_u64 << 30), "4\u{a0}ГБ");
        assert_eq!(english.time(Duration::from_millis(10)), "10\u{a0}ms");
        assert_eq!(russian.time(Duration::from_secs(3600)), "1\u{a0}ч");
    }

    #[test]
    fn the_table_has_the_same_rows_in_both_languages() {
        let [russian, english] = Language::ALL.map(bounds);
        assert_eq!(russian.len(), english.len());
        for (russian, english) in russian.iter().zip(&english) {
            assert_ne!(russian[0], english[0]);
            assert_eq!(russian[2].is_empty(), english[2].is_empty(), "{russian:?}");
        }
    }
}
