//! The manual's table of the bounds that a user can meet, from their constants.

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
use crate::{fetch, http, import, store, web};

/// A row of the table: the subject and the bound, with the option that sets it and its range, if
/// there is one.
pub type BoundRow = [String; 2];

/// Returns the bounds, in a language.
pub fn bounds(language: Language) -> Vec<BoundRow> {
    let rows = Vec::new();
    let mut table = Table { language, rows };
    requests(&mut table);
    connections(&mut table);
    service(&mut table);
    files(&mut table);
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
    fn row<const N: usize>(&mut self, russian: &str, english: &str, bounds: [Amount; N]) {
        let bounds = bounds.map(|amount| self.text(amount)).join("; ");
        self.push(russian, english, bounds);
    }

    /// Adds a row of a bound that an option of `serve` sets within a range.
    fn option(&mut self, russian: &str, english: &str, name: &str, range: [Amount; 2]) {
        let command = cli::command();
        let serve = command.find_subcommand("serve");
        let mut options = serve.into_iter().flat_map(clap::Command::get_arguments);
        let option = options.find(|option| option.get_long() == Some(name));
        let values = option.map(clap::Arg::get_default_values);
        let default = values.and_then(|values| values.first()?.to_str());
        let default = default.unwrap_or_default();
        let default = match range[0] {
            Count(_) => count(default.parse::<u64>().unwrap_or_default()),
            Size(_) => size(values::size(default).unwrap_or_default()),
            Time(_) => Time(values::duration(default).unwrap_or_default()),
        };
        let [default, least, most] = [default, range[0], range[1]].map(|amount| self.text(amount));
        let [from, to] = self.language.pick(["от ", " до "], ["", " to "]);
        let bound = format!("{default} (`--{name}`: {from}{least}{to}{most})");
        self.push(russian, english, bound);
    }

    fn push(&mut self, russian: &str, english: &str, bound: String) {
        let what = self.language.pick(russian, english).to_owned();
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

/// The bounds of a request.
fn requests(t: &mut Table) {
    use api::bounds::{
        MAX_BODY_FILES, MAX_CHANGES_ON_A_PAGE, MAX_DECIMALS, MAX_FILE_ROWS, MAX_HITS, MAX_LIMIT,
        MAX_NAMES, MAX_SEARCH_TEXT, MAX_SUPPLIERS, MAX_WHOLE_DIGITS,
    };
    t.row(
        "контрактов на странице",
        "contracts on a page",
        [count(MAX_LIMIT)],
    );
    t.row(
        "контрактов в одном файле CSV или XLSX",
        "contracts in a file, CSV or XLSX",
        [count(MAX_FILE_ROWS)],
    );
    t.row(
        "размер ячеек такого файла",
        "size of the cells of such a file",
        [size(crate::render::MAX_TABLE as u64)],
    );
    t.row(
        "файл на диске, а не в памяти: строк больше, чем; таких файлов одновременно",
        "a file on disk instead of in memory: rows beyond; such files at a time",
        [
            count(crate::render::MAX_ROWS_IN_MEMORY),
            count(MAX_BODY_FILES as u64),
        ],
    );
    t.row(
        "изменений на одной странице `/changes`",
        "changes on a page of `/changes`",
        [count(MAX_CHANGES_ON_A_PAGE)],
    );
    t.row(
        "поставщиков в одном `/rnp/check-suppliers`",
        "suppliers of one `/rnp/check-suppliers`",
        [count(MAX_SUPPLIERS)],
    );
    t.row(
        "цифр в `customerInn`",
        "digits in `customerInn`",
        [count(MAX_CUSTOMER_INN)],
    );
    t.row(
        "знаков в `q` поиска и в `number`; в `q` на `/`",
        "characters of a search's `q`, and of `number`; of `q` at `/`",
        [count(MAX_SEARCH_TEXT), count(web::MAX_QUERY)],
    );
    t.row(
        "найденного в одном `/find`",
        "hits of one `/find`",
        [count(MAX_HITS)],
    );
    t.row(
        "наименований в одном `/find/names`",
        "names of one `/find/names`",
        [count(MAX_NAMES)],
    );
    t.row(
        "цифр в `priceFrom`, `priceTo`: до точки; после неё",
        "digits of `priceFrom`, `priceTo`: before the point; after it",
        [count(MAX_WHOLE_DIGITS), count(MAX_DECIMALS)],
    );
}

/// The bounds of the engine `bounded`.
fn connections(t: &mut Table) {
    let connections = [count(1_u64), count(MAX_CONNECTIONS)];
    let times = [Time(LEAST_TIME), Time(MOST_TIME)];
    let sizes = |range: RangeInclusive<usize>| [size(*range.start()), size(*range.end())];
    t.option(
        "соединений всего",
        "connections in all",
        "max-connections",
        connections,
    );
    t.option(
        "соединений с одного адреса (у IPv6 — из одной сети /64)",
        "connections from one address (of IPv6, one /64)",
        "max-connections-per-address",
        connections,
    );
    t.option(
        "размер первой строки и заголовков запроса",
        "size of the request line and headers",
        "max-head-size",
        sizes(HEAD_SIZES),
    );
    t.row(
        "число заголовков; длина адреса",
        "number of headers; length of a URL",
        [count(Bounds::HEADERS), size(Bounds::default().url())],
    );
    t.option(
        "сколько ждать заголовков запроса целиком",
        "time until a request's head is complete",
        "head-timeout",
        times,
    );
    t.option(
        "сколько соединение простаивает между запросами",
        "idle time between requests",
        "idle-timeout",
        times,
    );
    t.option(
        "сколько клиент не принимает ни байта ответа",
        "time in which a client takes nothing of its answer",
        "write-timeout",
        times,
    );
    t.option(
        "ответы, которые ждут своих клиентов, все вместе",
        "answers waiting for their clients, all together",
        "max-pending-bytes",
        sizes(PENDING_SIZES),
    );
}

/// The settings of operators, and other bounds of the service.
fn service(t: &mut Table) {
    let graces = [Time(Duration::ZERO), Time(MOST_GRACE)];
    t.option(
        "сколько ждать начатых запросов при остановке",
        "time for requests under way when the server stops",
        "grace",
        graces,
    );
    t.row(
        "запросов, которые обрабатываются одновременно (`--workers`)",
        "requests answered at once (`--workers`)",
        [count(MAX_WORKERS)],
    );
    let caches = [size(LEAST_CACHE), size(MOST_CACHE)];
    t.option(
        "память для кэша ответов",
        "memory for cached answers",
        "answer-cache",
        caches,
    );
    t.row(
        "значение `rate` или `burst`",
        "value of `rate` or `burst`",
        [count(MAX_NUMBER)],
    );
    let open = Rates::default().open;
    t.row(
        "запросов с одного адреса к тому, что доступно без ключа: в секунду; сразу",
        "requests from one address to what needs no key: a second; at once",
        [count(open.per_second), count(open.burst)],
    );
    t.row(
        "знаков в имени ключа",
        "characters in a key's name",
        [count(MAX_KEY_NAME)],
    );
    t.row(
        "дней, которые прежний ключ может действовать вместе с новым (`--overlap`)",
        "days that an old key stays valid beside the new one (`--overlap`)",
        [count(keys::MOST_OVERLAP.as_secs() / 86_400)],
    );
    t.row(
        "источников в `--cors`",
        "origins in `--cors`",
        [count(api::bounds::MAX_ORIGINS)],
    );
    t.row(
        "знаков в `X-Request-Id`, принятом от доверенного прокси",
        "characters of an `X-Request-Id` taken over from a trusted proxy",
        [count(http::MAX_TAKEN_OVER)],
    );
    t.row(
        "строк журнала, которые ждут записи",
        "log lines waiting to be written",
        [count(log_writer::WAITING)],
    );
}

/// The bounds of imported files, archives and folders.
fn files(t: &mut Table) {
    use import::{
        MAX_ARCHIVE, MAX_DOCUMENT_FILE, MAX_ENTRIES, MAX_FOLDERS, MAX_FREE, MAX_LINE, MAX_NESTED,
        MAX_RATIO,
    };
    t.row("строка JSON", "a line of JSON", [size(MAX_LINE)]);
    t.row(
        "файл XML, в том числе в архиве после распаковки",
        "an XML file, or an entry of an archive, unpacked",
        [size(MAX_DOCUMENT_FILE)],
    );
    t.row(
        "архив внутри архива после распаковки",
        "an archive within an archive, unpacked",
        [size(MAX_ARCHIVE)],
    );
    t.row(
        "вложенность архивов; файлов в архиве",
        "archives nested; entries of an archive",
        [count(MAX_NESTED), count(MAX_ENTRIES)],
    );
    t.row("во сколько раз растёт файл в архиве при распаковке; у архива со всем, что в нём, — и ещё на", "times that an entry of an archive grows when unpacked; of an archive with all in it, and another", [count(MAX_RATIO), size(MAX_FREE)]);
    t.row("вложенность папок", "folders nested", [count(MAX_FOLDERS)]);
}

/// The bounds of documents and records.
fn documents(t: &mut Table) {
    use import::{MAX_DEPTH, MAX_DOCUMENTS, MAX_ELEMENTS, MAX_FACTS, MAX_SUPPLIERS, MAX_TEXT};
    t.row(
        "вложенность элементов документа; элементов в нём",
        "elements nested in a document; elements of it",
        [count(MAX_DEPTH), count(MAX_ELEMENTS)],
    );
    t.row(
        "документов в файле",
        "documents in a file",
        [count(MAX_DOCUMENTS)],
    );
    t.row(
        "текст одного элемента; что сохраняется из одного документа",
        "text of one element; what is kept of one document",
        [size(MAX_TEXT), size(MAX_FACTS)],
    );
    t.row(
        "поставщиков в одном контракте документа",
        "suppliers of one contract in a document",
        [count(MAX_SUPPLIERS)],
    );
    t.row(
        "значащих цифр в сумме",
        "significant digits in an amount",
        [count(MAX_DIGITS)],
    );
}

/// The bounds of an import: its input, repeated work and stored changes.
fn imports(t: &mut Table) {
    use store::{COMMIT_BYTES, MAX_CHANGES, MAX_DAYS, STAGED_BYTES};
    t.row(
        "временные файлы при загрузке JSON Lines",
        "temporary files while importing JSON Lines",
        [size(STAGED_BYTES)],
    );
    t.row(
        "что прерванная загрузка делает заново: сведения из документов; строки JSON Lines",
        "what a killed import repeats: facts of documents; JSON Lines",
        [size(COMMIT_BYTES), size(STAGED_BYTES)],
    );
    t.row(
        "изменения для `/changes` и `watch`: дней; всего (последняя загрузка — целиком)",
        "changes kept for `/changes` and `watch`: days; in all (the last import as a whole)",
        [count(MAX_DAYS), count(MAX_CHANGES)],
    );
    t.row(
        "список для `watch`: строк; размер",
        "list of `watch`: rows; size",
        [count(watch::MAX_ROWS), size(watch::MAX_SIZE)],
    );
}

/// The bounds of `fetch`: the size of answers from EIS, and the waits.
fn fetching(t: &mut Table) {
    use fetch::{
        ANSWER_TIMEOUT, CONNECT_TIMEOUT, IDLE_TIMEOUT, LEAST_RATE, MAX_ANSWER, MAX_ATTEMPTS,
        MAX_DOWNLOAD, MAX_WAITS, RATE_SPAN,
    };
    t.row(
        "ответ сервиса ЕИС; архив, получаемый `fetch`, и он же после распаковки gzip",
        "an answer of the EIS service; an archive that `fetch` takes, and unpacked from gzip",
        [size(MAX_ANSWER), size(MAX_DOWNLOAD)],
    );
    t.row(
        "ожидание соединения с сервисом ЕИС; данных от него; ответа целиком",
        "waiting for a connection to the EIS service; for data from it; for an answer as a whole",
        [
            Time(CONNECT_TIMEOUT),
            Time(IDLE_TIMEOUT),
            Time(ANSWER_TIMEOUT),
        ],
    );
    t.row(
        "архив приходит не медленнее: сколько; за какое время",
        "an archive comes at no less than: so much; in so long",
        [size(LEAST_RATE), Time(RATE_SPAN)],
    );
    t.row(
        "сколько `update` получает документы, прежде чем загрузить их",
        "how long `update` fetches before it imports",
        [Time(cli::update::FETCHES_FOR)],
    );
    t.row(
        "запросов об одном и том же при сбоях; повторов подряд после отказа подождать",
        "requests for the same after failures; repetitions running after being told to wait",
        [count(MAX_ATTEMPTS), count(MAX_WAITS)],
    );
}

/// The waits for a PostgreSQL server.
fn servers(t: &mut Table) {
    use store::server_bounds::{
        ALL_ATTEMPTS, ATTEMPT, MOST_LAG, ROWS_A_SECOND, SERVER_SILENCE, SHORT_STATEMENT, SORTING,
        STATEMENT,
    };
    t.row(
        "соединение с сервером PostgreSQL для ответа; со всеми по очереди",
        "connecting to a PostgreSQL server for an answer; to all in turn",
        [Time(ATTEMPT), Time(ALL_ATTEMPTS)],
    );
    t.row(
        "запрос к PostgreSQL об одном ключе; сортировка ключей перед выгрузкой",
        "a statement to PostgreSQL about one key; sorting the keys before an export",
        [Time(SHORT_STATEMENT), Time(SORTING)],
    );
    t.row(
        "прочие соединения с PostgreSQL и запросы к нему, которые читают много или изменяют",
        "other connections to PostgreSQL, and statements that read much or change anything",
        [Time(STATEMENT)],
    );
    t.row("сколько `publish` ждёт сервер на каждом шаге; при создании индексов — ещё секунду на столько строк", "how long `publish` waits for a server at each step; while it makes indexes a second more for so many rows", [Time(SERVER_SILENCE), count(ROWS_A_SECOND)]);
    t.row(
        "сколько из PostgreSQL не отвечают по более давней публикации, чем уже виденная",
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

    #[test]
    fn the_table_has_the_same_rows_in_both_languages() {
        let [russian, english] = Language::ALL.map(bounds);
        assert_eq!(russian.len(), english.len());
        for (russian, english) in russian.iter().zip(&english) {
            assert_ne!(russian[0], english[0]);
            let option = |row: &BoundRow| row.join(" ").split('`').nth(1).map(str::to_owned);
            assert_eq!(option(russian), option(english), "{russian:?}");
        }
    }
}
