//! The headers of responses in the OpenAPI document.

use serde_json::{Value, json};

use super::component;
use crate::model::{Language, Words};

/// Name, meaning, and a function that returns the schema of the value.
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

pub(super) const COMMON_HEADERS: &[HeaderDescription] = &[X_REQUEST_ID, X_DATA];
pub(super) const ENDPOINT_HEADERS: &[HeaderDescription] = &[X_IGNORED_PARAMETERS];
pub(super) const LIMIT_HEADERS: &[HeaderDescription] =
    &[RATELIMIT_LIMIT, RATELIMIT_REMAINING, RATELIMIT_RESET];
pub(super) const DATA_HEADERS: &[HeaderDescription] = &[ETAG, X_DATA_UPDATED, CACHE_CONTROL, VARY];
/// Headers of RNP checks of one supplier. The specification fixes the body, which has no field for
/// the verdict.
pub(super) const CHECK_HEADERS: &[HeaderDescription] = &[X_REGISTRIES, X_RNP_VERDICT];
pub(super) const CHANGES_HEADERS: &[HeaderDescription] = &[X_NEXT];
/// Headers of file downloads. A file may contain only some of the matching rows.
pub(super) const FILE_HEADERS: &[HeaderDescription] = &[X_ROW_COUNT, X_TOTAL_COUNT];
/// Headers of resources that need no key.
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

pub(super) fn components(language: Language) -> Value {
    let header = |HeaderDescription(name, words, schema): &HeaderDescription| {
        let value = json!({ "description": words.to(language), "schema": schema() });
        ((*name).to_owned(), value)
    };
    Value::Object(ALL.iter().copied().flatten().map(header).collect())
}

pub(super) fn headers_of(lists: &[&[HeaderDescription]]) -> Value {
    let names = lists.iter().flat_map(|list| list.iter());
    let pairs =
        names.map(|HeaderDescription(name, ..)| ((*name).to_owned(), component("headers", name)));
    Value::Object(pairs.collect())
}

const ETAG: HeaderDescription = HeaderDescription::text(
    "ETag",
    "Метка ответа: меняется, когда меняется ответ.",
    "Tag of the answer, which changes whenever the answer may have changed.",
);

const X_DATA_UPDATED: HeaderDescription = HeaderDescription::time(
    "X-Data-Updated",
    "Когда загрузка в последний раз что-то изменила, UTC.",
    "Time of the last import that changed anything, UTC.",
);

const X_REGISTRIES: HeaderDescription = HeaderDescription::text(
    "X-Registries",
    "На чём основано заключение: состояние реестра по каждому закону, например 44=complete:2026-11-20, 223=partial, 615=none. complete — реестр по этот день загружен полностью; partial — записи есть, но неизвестно, все ли; none — записей нет; пусто — закон не запрошен.",
    "State of each law's registry, which the verdict is based on: 44=complete:2026-11-20, \
     223=partial, 615=none. complete: known in full up to that day; partial: there are some \
     entries, perhaps not all; none: nothing is known; empty: the law was not requested.",
);

const X_RNP_VERDICT: HeaderDescription = HeaderDescription::text(
    "X-RNP-Verdict",
    "Заключение о поставщике на день проверки: listed, previously-listed, not-listed, undetermined или invalid.",
    "Verdict on the supplier for the day: listed, previously-listed, not-listed, undetermined or \
     invalid.",
);

const X_NEXT: HeaderDescription = HeaderDescription::text(
    "X-Next",
    "Отметка, с которой продолжать, если формат CSV или XLSX; в XML и JSON это поле next.",
    "Cursor to continue with, for CSV and XLSX; XML and JSON have the field next.",
);

const X_ROW_COUNT: HeaderDescription = HeaderDescription::whole(
    "X-Row-Count",
    "Сколько строк в файле CSV или XLSX.",
    "Number of rows in the file, for CSV and XLSX.",
);

const X_TOTAL_COUNT: HeaderDescription = HeaderDescription::whole(
    "X-Total-Count",
    "Сколько всего результатов найдено, если формат CSV или XLSX. Если это число больше X-Row-Count, в файле не все результаты.",
    "Number of results, for CSV and XLSX. If it exceeds X-Row-Count, the file is incomplete.",
);

const X_DATA: HeaderDescription = HeaderDescription::text(
    "X-Data",
    "demonstration означает, что ответ дан по демонстрационным данным.",
    "demonstration: the answer comes from the demonstration data.",
);

const X_IGNORED_PARAMETERS: HeaderDescription = HeaderDescription::text(
    "X-Ignored-Parameters",
    "Имена параметров, которых у этого пути нет, через запятую; значений здесь нет.",
    "Names of parameters that this path does not have, separated by commas; never their values.",
);

const X_RECEIPT: HeaderDescription = HeaderDescription::text(
    "X-Receipt",
    "Подпись сервера, если задано receipt=1 и у сервера есть ключ подписи: строка с запросом, временем, версией данных и SHA-256 ответа, за ней «; sig=» и подпись Ed25519 под этой строкой, 64 байта в base64. Открытый ключ — /signing-key.pem.",
    "Receipt, if requested with receipt=1 and the server has a signing key: a line with the \
     request, the time, the version of the data and the SHA-256 of the answer, followed by its \
     Ed25519 signature: `; sig=` and 64 bytes in base64. The public key is at /signing-key.pem.",
);

const X_ERROR_DETAIL: HeaderDescription = HeaderDescription::text(
    "X-Error-Detail",
    "Объяснение по-английски, что не так с запросом: параметр, полученное значение (не больше 40 символов, ключ здесь не показывается) и что допустимо.",
    "What is wrong with the request: the parameter, its value (at most 40 characters, never a \
     key), and what is allowed.",
);

const WWW_AUTHENTICATE: HeaderDescription = HeaderDescription::text(
    "WWW-Authenticate",
    "Способ аутентификации: ключ.",
    "How to authenticate: with a key.",
);

const X_REQUEST_ID: HeaderDescription = HeaderDescription::text(
    "X-Request-Id",
    "Идентификатор запроса, по которому запрос можно найти в журнале сервиса.",
    "Id of the request, which is also in the log of the service.",
);

const RETRY_AFTER: HeaderDescription = HeaderDescription::whole(
    "Retry-After",
    "Через сколько секунд повторить запрос.",
    "Number of seconds after which to try again.",
);

const RATELIMIT_LIMIT: HeaderDescription = HeaderDescription::whole(
    "RateLimit-Limit",
    "Сколько запросов можно послать подряд после паузы, если есть ограничение.",
    "Number of requests allowed at once after a pause, if a rate limit applies.",
);

const RATELIMIT_REMAINING: HeaderDescription = HeaderDescription::whole(
    "RateLimit-Remaining",
    "Сколько запросов можно послать сейчас.",
    "Number of requests allowed now.",
);

const RATELIMIT_RESET: HeaderDescription = HeaderDescription::whole(
    "RateLimit-Reset",
    "Через сколько секунд снова можно будет послать RateLimit-Limit запросов подряд.",
    "Number of seconds until as many requests as in RateLimit-Limit are allowed at once again.",
);

const CACHE_CONTROL: HeaderDescription = HeaderDescription::text(
    "Cache-Control",
    "Можно ли хранить ответ в кэше.",
    "How the answer may be cached.",
);

const CONTENT_SECURITY_POLICY: HeaderDescription = HeaderDescription::text(
    "Content-Security-Policy",
    "Что браузер разрешает странице загружать и выполнять.",
    "Content security policy of a page.",
);

const X_FRAME_OPTIONS: HeaderDescription = HeaderDescription::text(
    "X-Frame-Options",
    "Запрет встраивать страницу в другую.",
    "Forbids embedding the page in another one.",
);

const REFERRER_POLICY: HeaderDescription = HeaderDescription::text(
    "Referrer-Policy",
    "Что страница сообщает о себе другим сайтам.",
    "What the page reveals about itself to other sites.",
);

const VARY: HeaderDescription = HeaderDescription::text(
    "Vary",
    "От каких заголовков запроса зависит ответ.",
    "Request headers that the answer depends on.",
);

const CONTENT_DISPOSITION: HeaderDescription = HeaderDescription::text(
    "Content-Disposition",
    "Имя файла, если формат CSV или XLSX.",
    "File name, for CSV and XLSX.",
);

const ACCEPT_RANGES: HeaderDescription = HeaderDescription::text(
    "Accept-Ranges",
    "`none`, если ответ — файл: запросить часть файла нельзя.",
    "`none` for files: parts of a file cannot be requested.",
);

const CONTENT_ENCODING: HeaderDescription = HeaderDescription::text(
    "Content-Encoding",
    "Способ сжатия ответа, если ответ сжат.",
    "Compression of the answer, if any.",
);
