//! The headers of responses in the OpenAPI document.

use serde_json::{Value, json};

use super::component;
use crate::model::{Language, Words};

/// Name, meaning, and schema of the value.
#[derive(Clone, Copy)]
pub(super) struct HeaderDescription(&'static str, Words, fn() -> Value);

impl HeaderDescription {
    const fn text(name: &'static str, russian: &'static str, english: &'static str) -> Self {
        let schema = || json!({ "type": "string" });
        Self(name, Words(russian, english), schema)
    }

    const fn whole(name: &'static str, russian: &'static str, english: &'static str) -> Self {
        let schema = || json!({ "type": "integer", "minimum": 0 });
        Self(name, Words(russian, english), schema)
    }

    const fn time(name: &'static str, russian: &'static str, english: &'static str) -> Self {
        let schema = || json!({ "type": "string", "format": "date-time" });
        Self(name, Words(russian, english), schema)
    }
}

/// On all responses.
pub(super) const COMMON_HEADERS: &[HeaderDescription] = &[X_REQUEST_ID, X_DATA];
/// On responses of endpoints.
pub(super) const ENDPOINT_HEADERS: &[HeaderDescription] = &[X_IGNORED_PARAMETERS];
pub(super) const LIMIT_HEADERS: &[HeaderDescription] =
    &[RATELIMIT_LIMIT, RATELIMIT_REMAINING, RATELIMIT_RESET];
pub(super) const DATA_HEADERS: &[HeaderDescription] = &[ETAG, X_DATA_UPDATED, CACHE_CONTROL, VARY];
/// On the check of one supplier, whose body the specification fixes.
pub(super) const CHECK_HEADERS: &[HeaderDescription] = &[X_REGISTRIES, X_RNP_VERDICT];
pub(super) const CHANGES_HEADERS: &[HeaderDescription] = &[X_NEXT];
/// On files, which may contain only some of the rows found.
pub(super) const FILE_HEADERS: &[HeaderDescription] = &[X_ROW_COUNT, X_TOTAL_COUNT];
/// On resources that need no key.
pub(super) const OPEN_HEADERS: &[HeaderDescription] = &[
    ETAG,
    CACHE_CONTROL,
    VARY,
    CONTENT_SECURITY_POLICY,
    X_FRAME_OPTIONS,
    REFERRER_POLICY,
];
pub(super) const BODY_HEADERS: &[HeaderDescription] = &[
    X_RECEIPT,
    CONTENT_DISPOSITION,
    ACCEPT_RANGES,
    CONTENT_ENCODING,
];
pub(super) const REFUSAL_HEADERS: &[HeaderDescription] = &[RETRY_AFTER];
/// On errors in a request.
pub(super) const ERROR_HEADERS: &[HeaderDescription] = &[CACHE_CONTROL, X_ERROR_DETAIL];
pub(super) const WRONG_KEY_HEADERS: &[HeaderDescription] = &[WWW_AUTHENTICATE];
const ALL: &[&[HeaderDescription]] = &[
    DATA_HEADERS,
    CHECK_HEADERS,
    CHANGES_HEADERS,
    FILE_HEADERS,
    COMMON_HEADERS,
    ENDPOINT_HEADERS,
    BODY_HEADERS,
    ERROR_HEADERS,
    WRONG_KEY_HEADERS,
    REFUSAL_HEADERS,
    LIMIT_HEADERS,
    OPEN_HEADERS,
];

/// Describes all headers, by name.
pub(super) fn components(language: Language) -> Value {
    let header = |HeaderDescription(name, words, schema): &HeaderDescription| {
        let value = json!({ "description": words.to(language), "schema": schema() });
        ((*name).to_owned(), value)
    };
    Value::Object(ALL.iter().copied().flatten().map(header).collect())
}

/// Returns references to the headers in these groups.
pub(super) fn headers_of(lists: &[&[HeaderDescription]]) -> Value {
    let names = lists.iter().flat_map(|list| list.iter());
    let pairs =
        names.map(|HeaderDescription(name, ..)| ((*name).to_owned(), component("headers", name)));
    Value::Object(pairs.collect())
}

const ETAG: HeaderDescription = HeaderDescription::text(
    "ETag",
    "Метка ответа: она меняется вместе с ним.",
    "The answer's tag: it changes when the answer does.",
);

const X_DATA_UPDATED: HeaderDescription = HeaderDescription::time(
    "X-Data-Updated",
    "Когда загрузка в последний раз что-то изменила, UTC.",
    "When an import last changed anything, UTC.",
);

const X_REGISTRIES: HeaderDescription = HeaderDescription::text(
    "X-Registries",
    "Основание заключения, реестр каждого закона: 44=complete:2026-11-20, 223=partial, 615=none. complete — известен полностью по этот день; partial — есть записи, но все ли, неизвестно; none — нет ничего; пусто — об этом законе не спрашивали.",
    "The ground of the verdict, each law's registry: 44=complete:2026-11-20, 223=partial, 615=none. complete: known in full up to that day; partial: there are entries, perhaps not all; none: there is nothing; empty: that law was not asked.",
);

const X_RNP_VERDICT: HeaderDescription = HeaderDescription::text(
    "X-RNP-Verdict",
    "Заключение о поставщике на этот день: listed, previously-listed, not-listed, undetermined или invalid.",
    "The verdict on the supplier for the day: listed, previously-listed, not-listed, undetermined or invalid.",
);

const X_NEXT: HeaderDescription = HeaderDescription::text(
    "X-Next",
    "Отметка, с которой продолжать, если формат CSV или XLSX; в XML и JSON это поле next.",
    "The cursor to go on with, in CSV and XLSX; XML and JSON have the field next.",
);

const X_ROW_COUNT: HeaderDescription = HeaderDescription::whole(
    "X-Row-Count",
    "Сколько строк в файле CSV или XLSX.",
    "How many rows the file has, in CSV and XLSX.",
);

const X_TOTAL_COUNT: HeaderDescription = HeaderDescription::whole(
    "X-Total-Count",
    "Сколько всего найдено, если формат CSV или XLSX. Если больше X-Row-Count, файл неполон.",
    "How many were found, in CSV and XLSX. If it is more than X-Row-Count, rows are missing.",
);

const X_DATA: HeaderDescription = HeaderDescription::text(
    "X-Data",
    "demonstration: ответ по демонстрационным данным.",
    "demonstration: answered from the demonstration data.",
);

const X_IGNORED_PARAMETERS: HeaderDescription = HeaderDescription::text(
    "X-Ignored-Parameters",
    "Имена параметров, которых у этого пути нет, через запятую; значений здесь нет.",
    "The names of parameters that this path does not have, separated by commas; never their values.",
);

const X_RECEIPT: HeaderDescription = HeaderDescription::text(
    "X-Receipt",
    "Подпись сервера, если задано receipt=1 и у сервера есть ключ подписи: строка с запросом, временем, версией данных и SHA-256 ответа, затем подпись Ed25519 под ней: «; sig=» и 64 байта в base64. Открытый ключ — /signing-key.pem.",
    "The receipt, where receipt=1 asks for it and the server has a signing key: a line with the request, the time, the version of the data and the SHA-256 of the answer, then the Ed25519 signature over it: `; sig=` and 64 bytes in base64. The public key is at /signing-key.pem.",
);

const X_ERROR_DETAIL: HeaderDescription = HeaderDescription::text(
    "X-Error-Detail",
    "Что не так с запросом, по-английски: параметр, что пришло (не больше 40 символов, ключа здесь нет) и что допустимо.",
    "What is wrong with the request: the parameter, what came (40 characters at most, never a key), what is allowed.",
);

const WWW_AUTHENTICATE: HeaderDescription = HeaderDescription::text(
    "WWW-Authenticate",
    "Как представиться: ключом.",
    "How a client is to authenticate itself: by a key.",
);

const X_REQUEST_ID: HeaderDescription = HeaderDescription::text(
    "X-Request-Id",
    "Номер запроса: по нему его находят в журнале сервиса.",
    "The id of the request, under which the service's log has it.",
);

const RETRY_AFTER: HeaderDescription = HeaderDescription::whole(
    "Retry-After",
    "Через сколько секунд повторить.",
    "After how many seconds to ask again.",
);

const RATELIMIT_LIMIT: HeaderDescription = HeaderDescription::whole(
    "RateLimit-Limit",
    "Сколько запросов можно сделать подряд после паузы; если есть ограничение.",
    "How many requests can be made at once after a pause, where a limit applies.",
);

const RATELIMIT_REMAINING: HeaderDescription = HeaderDescription::whole(
    "RateLimit-Remaining",
    "Сколько из них можно сделать сейчас.",
    "How many of them can be made now.",
);

const RATELIMIT_RESET: HeaderDescription = HeaderDescription::whole(
    "RateLimit-Reset",
    "Через сколько секунд снова можно будет сделать их все.",
    "In how many seconds all of them can be made again.",
);

const CACHE_CONTROL: HeaderDescription = HeaderDescription::text(
    "Cache-Control",
    "Как хранить ответ.",
    "How the answer may be kept.",
);

const CONTENT_SECURITY_POLICY: HeaderDescription = HeaderDescription::text(
    "Content-Security-Policy",
    "Что странице позволено загружать и делать.",
    "What a page may load and do.",
);

const X_FRAME_OPTIONS: HeaderDescription = HeaderDescription::text(
    "X-Frame-Options",
    "Страницу нельзя встроить в другую.",
    "A page may not be framed by another.",
);

const REFERRER_POLICY: HeaderDescription = HeaderDescription::text(
    "Referrer-Policy",
    "Что страница говорит о себе другим.",
    "What a page tells others of itself.",
);

const VARY: HeaderDescription = HeaderDescription::text(
    "Vary",
    "От каких заголовков запроса зависит ответ.",
    "The headers of the request that the answer depends on.",
);

const CONTENT_DISPOSITION: HeaderDescription = HeaderDescription::text(
    "Content-Disposition",
    "Имя файла для CSV и XLSX.",
    "The name of a file, with CSV and XLSX.",
);

const ACCEPT_RANGES: HeaderDescription = HeaderDescription::text(
    "Accept-Ranges",
    "`none` с файлами: часть файла запросить нельзя.",
    "`none`, with files: a part of one cannot be requested.",
);

const CONTENT_ENCODING: HeaderDescription = HeaderDescription::text(
    "Content-Encoding",
    "Чем сжат ответ, если сжат.",
    "What the answer is packed with, if it is.",
);
