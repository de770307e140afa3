//! The manual's table of bounds, made of the constants that bound.

use std::fmt::Display;
use std::time::Duration;

use crate::api::response::receipt;
use crate::api::{self, Rates};
use crate::cli::serve::bounds::{
    HEAD_SIZES, LEAST_TIME, MAX_CONNECTIONS, MOST_TIME, PENDING_SIZES,
};
use crate::cli::serve::limits::MAX_NUMBER;
use crate::cli::serve::{LEAST_CACHE, MAX_WORKERS, MOST_CACHE, MOST_GRACE};
use crate::cli::{self, keys, log_writer, values, watch};
use crate::http::engine::Bounds;
use crate::model::{Language, MAX_DIGITS, MAX_EXPONENT, PROOF_DAYS};
use crate::render::MAX_CELL;
use crate::{fetch, http, import, store, web};

/// A row of the table: what is bounded, and by how much; with it the option that sets it, and
/// the range of that, if there is one.
pub type BoundRow = [String; 2];

/// The bounds, in a language.
pub fn bounds(language: Language) -> Vec<BoundRow> {
    let mut table = Table {
        language,
        rows: Vec::new(),
    };
    requests(&mut table);
    connections(&mut table);
    service(&mut table);
    operators(&mut table);
    files(&mut table);
    documents(&mut table);
    imports(&mut table);
    fetching(&mut table);
    servers(&mut table);
    table.rows
}

/// The table as far as it is written, and how values are.
struct Table {
    language: Language,
    rows: Vec<BoundRow>,
}

impl Table {
    fn row(&mut self, russian: &str, english: &str, bound: impl Display) {
        let what = self.language.pick(russian, english).to_owned();
        self.rows.push([what, bound.to_string()]);
    }

    /// A bound that an option sets, to a value from the least to the most.
    fn option(&self, bound: impl Display, name: &str, [least, most]: [String; 2]) -> String {
        let (from, to) = self.language.pick(("от ", " до "), ("", " to "));
        format!("{bound} (`--{name}`: {from}{least}{to}{most})")
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
            0 if millis == 0 => return "0".to_owned(),
            0 => (u64::from(millis), self.language.pick("мс", "ms")),
            _ if seconds.is_multiple_of(3600) => (seconds / 3600, self.language.pick("ч", "h")),
            _ => (seconds, self.language.pick("с", "s")),
        };
        format!("{number}\u{a0}{unit}")
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
    use api::bounds::{
        MAX_CHANGES_ON_A_PAGE, MAX_DECIMALS, MAX_HITS, MAX_IGNORED, MAX_IGNORED_LENGTH, MAX_LIMIT,
        MAX_SEARCH_TEXT, MAX_SUPPLIERS, MAX_WHOLE_DIGITS,
    };
    let most = t.count(MAX_LIMIT);
    t.row("контрактов на странице", "contracts on a page", most);
    let most = t.count(MAX_CHANGES_ON_A_PAGE);
    t.row(
        "изменений на одной странице `/changes`",
        "changes on a page of `/changes`",
        most,
    );
    let most = t.count(MAX_SUPPLIERS as u64);
    t.row(
        "поставщиков в одном `/rnp/check-suppliers`",
        "suppliers of one `/rnp/check-suppliers`",
        most,
    );
    t.row(
        "цифр в `customerInn`",
        "digits in `customerInn`",
        crate::model::MAX_CUSTOMER_INN,
    );
    t.row(
        "знаков в `q` поиска и в `number`",
        "characters of a search's `q`, and of `number`",
        MAX_SEARCH_TEXT,
    );
    t.row(
        "найденного в одном `/find`",
        "hits of one `/find`",
        MAX_HITS,
    );
    t.row(
        "цифр в `priceFrom`, `priceTo`",
        "digits of `priceFrom`, `priceTo`",
        format!("{MAX_WHOLE_DIGITS} + {MAX_DECIMALS}"),
    );
    t.row(
        "имён в `X-Ignored-Parameters`",
        "names in `X-Ignored-Parameters`",
        MAX_IGNORED,
    );
    t.row(
        "знаков имени в нём",
        "characters of a name in it",
        MAX_IGNORED_LENGTH,
    );
    let longest = t.count(MAX_CELL as u64);
    t.row(
        "знаков в ячейке XLSX",
        "characters in a cell of XLSX",
        longest,
    );
}

/// What clients may do to the engine `bounded`.
fn connections(t: &mut Table) {
    let bounds = Bounds::default();
    let range = || ["1".to_owned(), t.count(MAX_CONNECTIONS)];
    let all = t.count(bounds.connections as u64);
    let all = t.option(all, "max-connections", range());
    let one = t.count(bounds.connections_of_address as u64);
    let one = t.option(one, "max-connections-per-address", range());
    t.row("соединений всего", "connections in all", all);
    t.row(
        "соединений с одного адреса (у IPv6 — из одной сети /64)",
        "connections from one address (of IPv6, one /64)",
        one,
    );
    let range = [HEAD_SIZES.start(), HEAD_SIZES.end()].map(|size| t.size(*size as u64));
    let head = t.option(t.size(bounds.head as u64), "max-head-size", range);
    t.row(
        "размер первой строки и заголовков запроса",
        "size of the request line and headers",
        head,
    );
    t.row("число заголовков", "number of headers", Bounds::HEADERS);
    let url = t.size(bounds.url() as u64);
    t.row("длина адреса", "length of a URL", url);
    let time = |span, name| {
        t.option(
            t.time(span),
            name,
            [LEAST_TIME, MOST_TIME].map(|span| t.time(span)),
        )
    };
    let [head, idle, write] = [
        time(bounds.head_time, "head-timeout"),
        time(bounds.idle_time, "idle-timeout"),
        time(bounds.write_time, "write-timeout"),
    ];
    t.row(
        "сколько ждать заголовков запроса целиком",
        "time until a request's head is complete",
        head,
    );
    t.row(
        "сколько соединение простаивает между запросами",
        "idle time between requests",
        idle,
    );
    t.row(
        "сколько клиент не принимает ни байта ответа",
        "time in which a client takes nothing of its answer",
        write,
    );
    let range = [PENDING_SIZES.start(), PENDING_SIZES.end()].map(|size| t.size(*size as u64));
    let pending = t.option(t.size(bounds.pending as u64), "max-pending-bytes", range);
    t.row(
        "ответы, которые ждут своих клиентов, все вместе",
        "answers waiting for their clients, all together",
        pending,
    );
}

/// What else the service bounds.
fn service(t: &mut Table) {
    let grace = values::duration(&default("grace")).unwrap_or_default();
    let grace = t.option(
        t.time(grace),
        "grace",
        [Duration::ZERO, MOST_GRACE].map(|span| t.time(span)),
    );
    t.row(
        "сколько ждать начатых запросов при остановке",
        "time for requests under way when the server stops",
        grace,
    );
    t.row(
        "запросов, которые обрабатываются одновременно (`--workers`)",
        "requests answered at once (`--workers`)",
        MAX_WORKERS,
    );
    let cache = values::size(&default("answer-cache")).unwrap_or_default();
    let range = [LEAST_CACHE, MOST_CACHE].map(|size| t.size(size as u64));
    let cache = t.option(t.size(cache as u64), "answer-cache", range);
    t.row(
        "память для кэша ответов",
        "memory for cached answers",
        cache,
    );
    let longest = t.size(api::bounds::LONGEST_CACHED as u64);
    t.row("один ответ в кэше", "one cached answer", longest);
    let most = t.count(MAX_NUMBER);
    t.row(
        "значение `rate` или `burst`",
        "value of `rate` or `burst`",
        most,
    );
    let subjects = t.count(api::bounds::MAX_SUBJECTS as u64);
    t.row(
        "ключей или адресов, которые ограничение нагрузки считает по отдельности",
        "keys or addresses that a rate limit counts apart",
        subjects,
    );
    let open = Rates::default().open;
    let open = [open.per_second, open.burst].map(|number| t.count(number));
    t.row(
        "запросов с одного адреса к тому, что доступно без ключа: в секунду; сразу",
        "requests from one address to what needs no key: a second; at once",
        open.join("; "),
    );
}

/// Keys, proxies, the log, receipts.
fn operators(t: &mut Table) {
    use http::bounds::{MAX_ENTRIES, MAX_ENTRY, MAX_TAKEN_OVER};
    t.row(
        "знаков в имени ключа",
        "characters in a key's name",
        keys::MAX_NAME,
    );
    t.row(
        "дней, которые прежний ключ может действовать вместе с новым (`--overlap`)",
        "days that an old key stays valid beside the new one (`--overlap`)",
        keys::MOST_OVERLAP.as_secs() / 86_400,
    );
    t.row(
        "источников в `--cors`",
        "origins in `--cors`",
        api::bounds::MAX_ORIGINS,
    );
    t.row(
        "знаков в `q` на `/` и `/lookup`",
        "characters of `q` at `/` and `/lookup`",
        web::MAX_QUERY,
    );
    t.row(
        "знаков в `X-Request-Id`, принятом от доверенного прокси",
        "characters of an `X-Request-Id` taken over from a trusted proxy",
        MAX_TAKEN_OVER,
    );
    t.row(
        "адресов в `X-Forwarded-For`, которые просматриваются; знаков в каждом",
        "entries of `X-Forwarded-For` that are looked at; characters of each",
        format!("{MAX_ENTRIES}; {MAX_ENTRY}"),
    );
    let waiting = t.count(log_writer::WAITING as u64);
    t.row(
        "строк журнала, которые ждут записи",
        "log lines waiting to be written",
        waiting,
    );
    t.row(
        "знаков в `--server-name`",
        "characters in `--server-name`",
        receipt::MAX_SERVER_NAME,
    );
    let longest = t.size(receipt::LONGEST_FILE);
    t.row(
        "начало файлов с подписью и ключом, которое читает `verify`",
        "start of the files with a receipt and a key that `verify` reads",
        longest,
    );
}

/// Files, archives and folders that are imported.
fn files(t: &mut Table) {
    use import::{
        MAX_ARCHIVE, MAX_DOCUMENT_FILE, MAX_ENTRIES, MAX_FOLDERS, MAX_FREE, MAX_LINE, MAX_NESTED,
        MAX_RATIO,
    };
    let line = t.size(MAX_LINE as u64);
    t.row("строка JSON", "a line of JSON", line);
    let file = t.size(MAX_DOCUMENT_FILE);
    t.row(
        "файл XML, в том числе в архиве после распаковки",
        "an XML file, or an entry of an archive, unpacked",
        file,
    );
    let archive = t.size(MAX_ARCHIVE);
    t.row(
        "архив внутри архива после распаковки",
        "an archive within an archive, unpacked",
        archive,
    );
    t.row("вложенность архивов", "archives nested", MAX_NESTED);
    let entries = t.count(MAX_ENTRIES as u64);
    t.row("файлов в архиве", "entries of an archive", entries);
    let times = t
        .language
        .pick("в 300 раз", "300 times")
        .replace("300", &MAX_RATIO.to_string());
    let free = t.size(MAX_FREE);
    let whole = t.language.pick("и ещё на ", "and another ");
    t.row(
        "рост файла в архиве при распаковке",
        "growth of an entry of an archive when unpacked",
        &times,
    );
    t.row(
        "рост архива со всем, что в нём",
        "growth of an archive with everything in it",
        format!("{times} {whole}{free}"),
    );
    t.row("вложенность папок", "folders nested", MAX_FOLDERS);
}

/// What documents and records may say.
fn documents(t: &mut Table) {
    use import::{
        MAX_DEPTH, MAX_DOCUMENT_TYPE, MAX_DOCUMENTS, MAX_ELEMENTS, MAX_FACTS, MAX_KINDS,
        MAX_NUMBER, MAX_SUBSYSTEM, MAX_SUPPLIERS, MAX_TEXT,
    };
    let [documents, elements, kinds] =
        [MAX_DOCUMENTS, MAX_ELEMENTS, MAX_KINDS].map(|number| t.count(number as u64));
    let [text, facts, number] = [MAX_TEXT, MAX_FACTS, MAX_NUMBER].map(|size| t.size(size as u64));
    t.row(
        "вложенность элементов документа",
        "elements nested in a document",
        MAX_DEPTH,
    );
    t.row("документов в файле", "documents in a file", documents);
    t.row("элементов в документе", "elements in a document", elements);
    t.row("текст одного элемента", "text of one element", text);
    t.row(
        "что сохраняется из одного документа",
        "what is kept of one document",
        facts,
    );
    t.row(
        "поставщиков в одном контракте документа",
        "suppliers of one contract in a document",
        MAX_SUPPLIERS,
    );
    t.row(
        "номер, о котором документ",
        "a number that a document is about",
        number,
    );
    t.row(
        "видов документов, которые считаются по названию",
        "kinds of document counted by name",
        kinds,
    );
    t.row(
        "значащих цифр в сумме; степень десяти",
        "significant digits in an amount; power of ten",
        format!("{MAX_DIGITS}; ±{MAX_EXPONENT}"),
    );
    let contracts = t.count(1_u64 << 32);
    t.row(
        "контрактов одного поставщика",
        "contracts of one supplier",
        contracts,
    );
    t.row(
        "знаков в строке `coverage`: подсистема ЕИС; вид документов",
        "characters of a `coverage` line: part of EIS; type of documents",
        format!("{MAX_SUBSYSTEM}; {MAX_DOCUMENT_TYPE}"),
    );
    let runs = t.count(store::MAX_RUNS as u64);
    t.row(
        "промежутков дней, за которые получены документы",
        "runs of days of which documents were obtained",
        runs,
    );
    let days = t.count(PROOF_DAYS);
    t.row(
        "дней перед датой РНП, за которые нужны документы, чтобы подтвердить его полноту",
        "days before a day of the RNP, whose documents it takes to prove it complete",
        days,
    );
}

/// The bounds of an import's input.
fn imports(t: &mut Table) {
    let [committed, staged] =
        [store::COMMIT_BYTES as u64, store::STAGED_BYTES].map(|size| t.size(size));
    t.row(
        "временные файлы при загрузке JSON Lines",
        "temporary files while importing JSON Lines",
        &staged,
    );
    t.row(
        "что прерванная загрузка делает заново: сведения из документов; строки JSON Lines",
        "what a killed import repeats: facts of documents; JSON Lines",
        format!("{committed}; {staged}"),
    );
    let [days, changes] = [store::MAX_DAYS, store::MAX_CHANGES].map(|number| t.count(number));
    t.row(
        "изменения для `/changes` и `watch`: дней; всего (последняя загрузка — целиком)",
        "changes kept for `/changes` and `watch`: days; in all (the last import as a whole)",
        format!("{days}; {changes}"),
    );
    let size = t.size(watch::MAX_SIZE);
    t.row(
        "список для `watch`: строк; размер",
        "list of `watch`: rows; size",
        format!("{}; {size}", t.count(watch::MAX_ROWS as u64)),
    );
}

/// What `fetch` takes from the service of EIS, and how long it waits for it.
fn fetching(t: &mut Table) {
    use crate::xml::MAX_DEPTH;
    use cli::fetch::MAX_SMALL_FILE;
    use fetch::{
        ANSWER_TIMEOUT, CONNECT_TIMEOUT, IDLE_TIMEOUT, LEAST_RATE, MAX_ANSWER, MAX_ATTEMPTS,
        MAX_DOWNLOAD, MAX_LINK, MAX_LINKS, MAX_NUMBER_LENGTH, MAX_REDIRECTS, MAX_WAITS, RATE_SPAN,
    };
    let [answer, archive, link, small] =
        [MAX_ANSWER, MAX_DOWNLOAD, MAX_LINK as u64, MAX_SMALL_FILE].map(|size| t.size(size));
    let [connect, idle, answer_time, rate_span, update] = [
        CONNECT_TIMEOUT,
        IDLE_TIMEOUT,
        ANSWER_TIMEOUT,
        RATE_SPAN,
        cli::update::FETCHES_FOR,
    ]
    .map(|span| t.time(span));
    let rate = t.size(LEAST_RATE);
    let links = t.count(MAX_LINKS as u64);
    t.row(
        "ответ сервиса ЕИС; ссылок в нём; вложенность его элементов; длина ссылки",
        "an answer of the EIS service; links in it; nesting of its elements; length of a link",
        format!("{answer}; {links}; {MAX_DEPTH}; {link}"),
    );
    t.row(
        "архив, получаемый `fetch`, и он же после распаковки gzip",
        "an archive that `fetch` takes, and unpacked from gzip",
        archive,
    );
    t.row(
        "ожидание соединения с сервисом ЕИС; ожидание данных от него",
        "waiting for a connection to the EIS service; for data from it",
        format!("{connect}; {idle}"),
    );
    t.row(
        "ответ сервиса ЕИС приходит целиком; архив: сколько и за какое время, не меньше",
        "an answer of the EIS service comes whole within; an archive comes at no less than",
        format!("{answer_time}; {rate} / {rate_span}"),
    );
    t.row(
        "сколько `update` получает документы, прежде чем загрузить их",
        "how long `update` fetches before it imports",
        update,
    );
    t.row(
        "запросов об одном и том же при сбоях; повторов подряд после отказа подождать",
        "requests for the same after failures; repetitions running after being told to wait",
        format!("{MAX_ATTEMPTS}; {MAX_WAITS}"),
    );
    t.row(
        "перенаправлений подряд; знаков в `--number`; файл токена или сертификатов",
        "redirects in a row; characters of `--number`; a file of a token or of certificates",
        format!("{MAX_REDIRECTS}; {MAX_NUMBER_LENGTH}; {small}"),
    );
}

/// What is read of a PostgreSQL server's address, and how long a server is waited for.
fn servers(t: &mut Table) {
    use store::server_bounds::{
        ALL_ATTEMPTS, ATTEMPT, MAX_ADDRESS, MAX_ADDRESSES_OF_HOST, MAX_CERTIFICATES, MAX_HOSTS,
        MAX_PASSFILE, MOST_LAG, ROWS_A_SECOND, SERVER_SILENCE, SHORT_STATEMENT, SORTING, STATEMENT,
    };
    let [address, settings, certificates] =
        [MAX_ADDRESS as u64, MAX_PASSFILE, MAX_CERTIFICATES].map(|size| t.size(size));
    let [attempt, all, statement, lag] =
        [ATTEMPT, ALL_ATTEMPTS, STATEMENT, MOST_LAG].map(|span| t.time(span));
    let [short, sorting] = [SHORT_STATEMENT, SORTING].map(|span| t.time(span));
    t.row(
        "адрес PostgreSQL; серверов в нём; адресов у имени сервера",
        "an address of PostgreSQL; hosts in it; addresses of a host's name",
        format!("{address}; {MAX_HOSTS}; {MAX_ADDRESSES_OF_HOST}"),
    );
    t.row(
        "файл паролей PostgreSQL; файл `sslrootcert`",
        "a passfile of PostgreSQL; a file of `sslrootcert`",
        format!("{settings}; {certificates}"),
    );
    t.row(
        "соединение с сервером PostgreSQL для ответа; со всеми по очереди",
        "connecting to a PostgreSQL server for an answer; to all in turn",
        format!("{attempt}; {all}"),
    );
    t.row(
        "запрос к PostgreSQL об одном ключе; сортировка ключей перед выгрузкой",
        "a statement to PostgreSQL about one key; sorting the keys before an export",
        format!("{short}; {sorting}"),
    );
    t.row(
        "прочие соединения с PostgreSQL и запросы к нему, которые читают много или изменяют",
        "other connections to PostgreSQL, and statements that read much or change anything",
        statement,
    );
    t.row(
        "сколько `publish` ждёт сервер на каждом шаге; при создании индексов — ещё секунду на столько строк",
        "how long `publish` waits for a server at each step; while it makes indexes a second more for so many rows",
        format!("{}; {}", t.time(SERVER_SILENCE), t.count(ROWS_A_SECOND)),
    );
    t.row(
        "сколько из PostgreSQL не отвечают по более давней публикации, чем уже виденная",
        "how long an older publication than was seen in PostgreSQL is not answered from",
        lag,
    );
    t.row(
        "сколько раз составляется ответ, если данные в PostgreSQL тем временем публикуются заново",
        "how often an answer is made whose data is published anew in PostgreSQL meanwhile",
        api::bounds::MOST_BEGINNINGS,
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
            let option = |row: &BoundRow| row.join(" ").split('`').nth(1).map(str::to_owned);
            assert_eq!(option(russian), option(english), "{russian:?}");
        }
    }
}
