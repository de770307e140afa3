//! The responses in the OpenAPI document: statuses, headers, and bodies in every format.

use serde_json::{Map, Value, json};

use super::super::endpoints::Endpoint;
use super::super::error::Failure;
use super::super::status::Status;
use crate::model::{Language, Words};
use crate::render::schema::{Answer, AnswerSchema};
use crate::render::{Format, Root};

/// Writes the document in a language.
pub(super) struct OpenApi {
    pub language: Language,
}

impl OpenApi {
    pub fn say(&self, words: Words) -> &'static str {
        words.to(self.language)
    }
}

/// Returns a reference to a component.
pub(super) fn component(kind: &str, name: &str) -> Value {
    let target = ["#/components/", kind, "/", name].concat();
    json!({ "$ref": target })
}

/// The headers of all responses.
pub(super) const COMMON_HEADERS: &[Header] = &[X_REQUEST_ID, X_DATA];
/// The headers of endpoints.
const ENDPOINT_HEADERS: &[Header] = &[X_IGNORED_PARAMETERS];
const LIMIT_HEADERS: &[Header] = &[RATELIMIT_LIMIT, RATELIMIT_REMAINING, RATELIMIT_RESET];
const DATA_HEADERS: &[Header] = &[ETAG, X_DATA_UPDATED, CACHE_CONTROL, VARY];
/// The headers of a check of one supplier, whose body the specification fixes.
const CHECK_HEADERS: &[Header] = &[X_REGISTRIES, X_RNP_VERDICT];
const CHANGES_HEADERS: &[Header] = &[X_NEXT];
/// The headers of a file, which may hold only some of the found rows.
const FILE_HEADERS: &[Header] = &[X_ROW_COUNT, X_TOTAL_COUNT];
/// The headers of resources that need no key.
pub(super) const OPEN_HEADERS: &[Header] = &[
    ETAG,
    CACHE_CONTROL,
    VARY,
    CONTENT_SECURITY_POLICY,
    X_FRAME_OPTIONS,
    REFERRER_POLICY,
];
const BODY_HEADERS: &[Header] = &[X_RECEIPT, CONTENT_DISPOSITION, CONTENT_ENCODING];
const REFUSAL_HEADERS: &[Header] = &[RETRY_AFTER];
/// The headers of errors in a request.
const ERROR_HEADERS: &[Header] = &[CACHE_CONTROL, X_ERROR_DETAIL];
const WRONG_KEY_HEADERS: &[Header] = &[WWW_AUTHENTICATE];
/// All groups of headers.
const ALL: &[&[Header]] = &[
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

/// The statuses of requests that are too large or too slow, or that exceed a limit on connections.
const REFUSED: &[&str] = &["408", "414", "431", "503"];

impl OpenApi {
    pub(super) fn responses(&self, endpoint: &Endpoint, with_body: bool) -> Value {
        let failures = endpoint.failures();
        // At endpoints that answer errors with 200, a parameter selects statuses.
        let has_statuses = endpoint.group.has_statuses();
        let is_in_body = |one: &&Failure| one.status(has_statuses) == Status::Ok;
        let in_body: Vec<_> = failures.iter().filter(is_in_body).collect();
        let status = |failure: &Failure| failure.status(true);
        let of_status = |code: Status| failures.iter().filter(move |one| status(one) == code);
        let found = if in_body.is_empty() {
            Words("Данные.", "Data.")
        } else {
            Words(
                "Данные или ошибка запроса: поле error.",
                "Data, or an error of the request: the field error.",
            )
        };
        let of_it = match endpoint.has_verdict {
            true => CHECK_HEADERS,
            false if endpoint == Endpoint::CHANGES => CHANGES_HEADERS,
            false if endpoint.takes("skip") => FILE_HEADERS,
            false => &[],
        };
        let of_error = match in_body.is_empty() {
            true => &[],
            false => ERROR_HEADERS,
        };
        let headers = headers_of(&[
            DATA_HEADERS,
            of_it,
            of_error,
            BODY_HEADERS,
            COMMON_HEADERS,
            ENDPOINT_HEADERS,
            LIMIT_HEADERS,
        ]);
        let data = with_body.then(|| self.data_content(endpoint, &in_body));
        let mut responses = Map::new();
        responses.insert("200".to_owned(), self.response(found, headers, data));
        responses.insert("304".to_owned(), component("responses", "NotModified"));
        let mut statuses: Vec<Status> = failures.iter().map(status).collect();
        statuses.sort_unstable();
        statuses.dedup();
        for code in statuses {
            let these: Vec<_> = of_status(code).collect();
            let content = with_body.then(|| self.refusal_content(endpoint.root, &these, code));
            let of_status = match code {
                Status::Unauthorized => WRONG_KEY_HEADERS,
                _ if these.iter().any(|one| one.retry_after().is_some()) => REFUSAL_HEADERS,
                _ => &[],
            };
            let headers = headers_of(&[
                of_status,
                ERROR_HEADERS,
                COMMON_HEADERS,
                ENDPOINT_HEADERS,
                LIMIT_HEADERS,
            ]);
            let words = these.first().map_or(found, |one| one.row().meaning);
            responses.insert(
                code.digits().to_owned(),
                self.response(words, headers, content),
            );
        }
        for (code, refusal) in refusals() {
            responses.entry(code).or_insert(refusal);
        }
        Value::Object(responses)
    }

    pub(super) fn response(&self, words: Words, headers: Value, content: Option<Value>) -> Value {
        let mut response = json!({ "description": self.say(words), "headers": headers });
        if let (Some(members), Some(content)) = (response.as_object_mut(), content) {
            members.insert("content".to_owned(), content);
        }
        response
    }

    /// Returns the content of a 200: data, and the errors with that status.
    fn data_content(&self, endpoint: &Endpoint, in_body: &[&Failure]) -> Value {
        let root = endpoint.root;
        let answers: Vec<&AnswerSchema> = endpoint.schemas().collect();
        let mut shapes: Vec<Value> = answers
            .iter()
            .map(|one| component("schemas", one.name))
            .collect();
        if !in_body.is_empty() {
            shapes.push(component("schemas", "Error"));
        }
        let schema = match shapes.as_slice() {
            [only] => only.clone(),
            _ => json!({ "oneOf": shapes }),
        };
        let mut json_examples = Map::new();
        let mut xml_examples = Map::new();
        let mut csv_examples = Map::new();
        for one in &answers {
            let value = serde_json::from_str(&one.json_example).unwrap_or(Value::Null);
            json_examples.insert(one.name.to_owned(), json!({ "value": value }));
            xml_examples.insert(one.name.to_owned(), json!({ "value": one.xml_example }));
            csv_examples.insert(one.name.to_owned(), json!({ "value": one.csv_example }));
        }
        json_examples.extend(self.error_examples(root, in_body, Format::Json));
        xml_examples.extend(self.error_examples(root, in_body, Format::Xml));
        csv_examples.extend(self.error_examples(root, in_body, Format::Csv));
        json!({
            "application/json": { "schema": schema, "examples": json_examples },
            "application/xml": { "schema": xml_schema(&answers), "examples": xml_examples },
            "text/csv": { "schema": { "type": "string" }, "examples": csv_examples },
            (WORKBOOK): workbook_schema(),
        })
    }

    fn error_content(&self, root: Root, these: &[&Failure]) -> Value {
        let error: Vec<&AnswerSchema> = Answer::Error.schema().into_iter().collect();
        json!({
            "application/json": {
                "schema": component("schemas", "Error"),
                "examples": self.error_examples(root, these, Format::Json),
            },
            "application/xml": {
                "schema": xml_schema(&error),
                "examples": self.error_examples(root, these, Format::Xml),
            },
            "text/csv": {
                "schema": { "type": "string" },
                "examples": self.error_examples(root, these, Format::Csv),
            },
            (WORKBOOK): workbook_schema(),
        })
    }

    /// Returns the content of an error, with the plain text of a refused connection if that has
    /// the same status.
    fn refusal_content(&self, root: Root, these: &[&Failure], code: Status) -> Value {
        let mut content = self.error_content(root, these);
        if let Some(types) = content.as_object_mut()
            && REFUSED.contains(&code.digits())
        {
            types.insert("text/plain".to_owned(), text_schema());
        }
        content
    }

    fn error_examples(&self, root: Root, these: &[&Failure], format: Format) -> Map<String, Value> {
        let example = |failure: &&Failure| {
            let row = failure.row();
            let body = error_body(failure, root, format);
            let value = match format {
                Format::Json => serde_json::from_str(&body).unwrap_or(Value::Null),
                _ => Value::String(body),
            };
            let example = json!({ "summary": self.say(row.meaning), "value": value });
            (row.name.to_owned(), example)
        };
        these.iter().map(example).collect()
    }

    pub(super) fn shared_responses(&self) -> Value {
        let mut responses = Map::new();
        let words = Words(
            "Ответ с этим ETag не изменился.",
            "The answer with that ETag is still the same.",
        );
        let headers = headers_of(&[
            DATA_HEADERS,
            CHECK_HEADERS,
            COMMON_HEADERS,
            ENDPOINT_HEADERS,
            LIMIT_HEADERS,
        ]);
        let of_open = headers_of(&[OPEN_HEADERS, COMMON_HEADERS]);
        let refused = Words(
            "Запрос слишком велик или слишком медлен, или соединений слишком много; что именно, сказано словами.",
            "The request is too large or too slow, or there are too many connections; the text says which.",
        );
        let plain = json!({ "text/plain": text_schema() });
        let refused = self.response(refused, json!({}), Some(plain));
        responses.insert("Refused".to_owned(), refused);
        responses.insert(
            "NotModified".to_owned(),
            self.response(words, headers, None),
        );
        responses.insert(
            "OpenNotModified".to_owned(),
            self.response(words, of_open, None),
        );
        let of_paths = headers_of(&[COMMON_HEADERS, ERROR_HEADERS]);
        let too_many = headers_of(&[
            REFUSAL_HEADERS,
            ERROR_HEADERS,
            COMMON_HEADERS,
            LIMIT_HEADERS,
        ]);
        let unavailable = Failure::Unavailable(String::new());
        for (name, failure, headers) in [
            ("UnknownPath", Failure::UnknownPath, of_paths.clone()),
            ("MethodNotAllowed", Failure::WrongMethod, of_paths),
            (
                "OpenTooManyRequests",
                Failure::TooManyRequests(1),
                too_many.clone(),
            ),
            ("OpenUnavailable", unavailable, too_many),
        ] {
            let code = failure.status(true);
            let content = self.refusal_content(Root::Data, &[&failure], code);
            let response = self.response(failure.row().meaning, headers, Some(content));
            responses.insert(name.to_owned(), response);
        }
        Value::Object(responses)
    }

    pub(super) fn headers(&self) -> Value {
        let header = |Header(name, words, kind): &Header| {
            let value = json!({ "description": self.say(*words), "schema": kind.schema() });
            ((*name).to_owned(), value)
        };
        Value::Object(ALL.iter().copied().flatten().map(header).collect())
    }
}

pub(super) fn refusals() -> impl Iterator<Item = (String, Value)> {
    let refused = REFUSED.iter();
    refused.map(|code| ((*code).to_owned(), component("responses", "Refused")))
}

pub(super) fn headers_of(lists: &[&[Header]]) -> Value {
    let names = lists.iter().flat_map(|list| list.iter());
    let pairs = names.map(|Header(name, ..)| ((*name).to_owned(), component("headers", name)));
    Value::Object(pairs.collect())
}

/// The media type of workbooks.
const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// Returns the schema of a workbook: bytes.
fn workbook_schema() -> Value {
    json!({ "schema": { "type": "string", "contentMediaType": WORKBOOK } })
}

/// Returns the schema of a plain text.
fn text_schema() -> Value {
    json!({ "schema": { "type": "string" } })
}

/// Returns the schema of an XML body: a string, because the XSD defines its form.
fn xml_schema(answers: &[&AnswerSchema]) -> Value {
    let file = answers.first().map_or("", |answer| answer.file);
    let url = ["/schemas/", file, ".xsd"].concat();
    json!({
        "type": "string",
        "contentMediaType": "application/xml",
        "externalDocs": { "url": url },
    })
}

/// Returns the error body of an endpoint whose errors have `root`.
pub(super) fn error_body(failure: &Failure, root: Root, format: Format) -> String {
    let mut body = Vec::new();
    failure.write(root, format, Language::default(), &mut body);
    String::from_utf8_lossy(&body).into_owned()
}

/// The kind of a header's value.
#[derive(Clone, Copy)]
enum HeaderKind {
    Text,
    Whole,
    Time,
}

impl HeaderKind {
    fn schema(self) -> Value {
        match self {
            Self::Text => json!({ "type": "string" }),
            Self::Whole => json!({ "type": "integer", "minimum": 0 }),
            Self::Time => json!({ "type": "string", "format": "date-time" }),
        }
    }
}

/// A header of responses: its name, its meaning, and the kind of its value.
#[derive(Clone, Copy)]
pub(super) struct Header(&'static str, Words, HeaderKind);

const ETAG: Header = Header(
    "ETag",
    Words(
        "Метка ответа: она меняется вместе с ним.",
        "The answer's tag: it changes when the answer does.",
    ),
    HeaderKind::Text,
);

const X_DATA_UPDATED: Header = Header(
    "X-Data-Updated",
    Words(
        "Когда загрузка в последний раз что-то изменила, UTC.",
        "When an import last changed anything, UTC.",
    ),
    HeaderKind::Time,
);

const X_REGISTRIES: Header = Header(
    "X-Registries",
    Words(
        "Основание заключения, реестр каждого закона: 44=complete:2026-11-20, 223=partial, 615=none. complete — известен полностью по этот день; partial — есть записи, но все ли, неизвестно; none — нет ничего; пусто — об этом законе не спрашивали.",
        "The ground of the verdict, each law's registry: 44=complete:2026-11-20, 223=partial, 615=none. complete: known in full up to that day; partial: there are entries, perhaps not all; none: there is nothing; empty: that law was not asked.",
    ),
    HeaderKind::Text,
);

const X_RNP_VERDICT: Header = Header(
    "X-RNP-Verdict",
    Words(
        "Заключение о поставщике на этот день: listed, previously-listed, not-listed, undetermined или invalid.",
        "The verdict on the supplier for the day: listed, previously-listed, not-listed, undetermined or invalid.",
    ),
    HeaderKind::Text,
);

const X_NEXT: Header = Header(
    "X-Next",
    Words(
        "Отметка, с которой продолжать, если формат CSV или XLSX; в XML и JSON это поле next.",
        "The cursor to go on with, in CSV and XLSX; XML and JSON have the field next.",
    ),
    HeaderKind::Text,
);

const X_ROW_COUNT: Header = Header(
    "X-Row-Count",
    Words(
        "Сколько строк в файле CSV или XLSX.",
        "How many rows the file has, in CSV and XLSX.",
    ),
    HeaderKind::Whole,
);

const X_TOTAL_COUNT: Header = Header(
    "X-Total-Count",
    Words(
        "Сколько всего найдено, если формат CSV или XLSX. Если больше X-Row-Count, файл неполон.",
        "How many were found, in CSV and XLSX. If it is more than X-Row-Count, rows are missing.",
    ),
    HeaderKind::Whole,
);

const X_DATA: Header = Header(
    "X-Data",
    Words(
        "demonstration: ответ по демонстрационным данным.",
        "demonstration: answered from the demonstration data.",
    ),
    HeaderKind::Text,
);

const X_IGNORED_PARAMETERS: Header = Header(
    "X-Ignored-Parameters",
    Words(
        "Имена параметров, которых у этого пути нет, через запятую; значений здесь нет.",
        "The names of parameters that this path does not have, separated by commas; never their values.",
    ),
    HeaderKind::Text,
);

const X_RECEIPT: Header = Header(
    "X-Receipt",
    Words(
        "Подпись сервера, если задано receipt=1 и у сервера есть ключ подписи: строка с запросом, временем, версией данных и SHA-256 ответа, затем подпись Ed25519 под ней: «; sig=» и 64 байта в base64. Открытый ключ — /signing-key.pem.",
        "The receipt, where receipt=1 asks for it and the server has a signing key: a line with the request, the time, the version of the data and the SHA-256 of the answer, then the Ed25519 signature over it: `; sig=` and 64 bytes in base64. The public key is at /signing-key.pem.",
    ),
    HeaderKind::Text,
);

const X_ERROR_DETAIL: Header = Header(
    "X-Error-Detail",
    Words(
        "Что не так с запросом, по-английски: параметр, что пришло (не больше 40 символов, ключа здесь нет) и что допустимо.",
        "What is wrong with the request: the parameter, what came (40 characters at most, never a key), what is allowed.",
    ),
    HeaderKind::Text,
);

const WWW_AUTHENTICATE: Header = Header(
    "WWW-Authenticate",
    Words(
        "Как представиться: ключом.",
        "How a client is to authenticate itself: by a key.",
    ),
    HeaderKind::Text,
);

const X_REQUEST_ID: Header = Header(
    "X-Request-Id",
    Words(
        "Номер запроса: по нему его находят в журнале сервиса.",
        "The id of the request, under which the service's log has it.",
    ),
    HeaderKind::Text,
);

const RETRY_AFTER: Header = Header(
    "Retry-After",
    Words(
        "Через сколько секунд повторить.",
        "After how many seconds to ask again.",
    ),
    HeaderKind::Whole,
);

const RATELIMIT_LIMIT: Header = Header(
    "RateLimit-Limit",
    Words(
        "Сколько запросов можно сделать подряд после паузы; если есть ограничение.",
        "How many requests can be made at once after a pause, where a limit applies.",
    ),
    HeaderKind::Whole,
);

const RATELIMIT_REMAINING: Header = Header(
    "RateLimit-Remaining",
    Words(
        "Сколько из них можно сделать сейчас.",
        "How many of them can be made now.",
    ),
    HeaderKind::Whole,
);

const RATELIMIT_RESET: Header = Header(
    "RateLimit-Reset",
    Words(
        "Через сколько секунд снова можно будет сделать их все.",
        "In how many seconds all of them can be made again.",
    ),
    HeaderKind::Whole,
);

const CACHE_CONTROL: Header = Header(
    "Cache-Control",
    Words("Как хранить ответ.", "How the answer may be kept."),
    HeaderKind::Text,
);

const CONTENT_SECURITY_POLICY: Header = Header(
    "Content-Security-Policy",
    Words(
        "Что странице позволено загружать и делать.",
        "What a page may load and do.",
    ),
    HeaderKind::Text,
);

const X_FRAME_OPTIONS: Header = Header(
    "X-Frame-Options",
    Words(
        "Страницу нельзя встроить в другую.",
        "A page may not be framed by another.",
    ),
    HeaderKind::Text,
);

const REFERRER_POLICY: Header = Header(
    "Referrer-Policy",
    Words(
        "Что страница говорит о себе другим.",
        "What a page tells others of itself.",
    ),
    HeaderKind::Text,
);

const VARY: Header = Header(
    "Vary",
    Words(
        "От каких заголовков запроса зависит ответ.",
        "The headers of the request that the answer depends on.",
    ),
    HeaderKind::Text,
);

const CONTENT_DISPOSITION: Header = Header(
    "Content-Disposition",
    Words(
        "Имя файла для CSV и XLSX.",
        "The name of a file, with CSV and XLSX.",
    ),
    HeaderKind::Text,
);

const CONTENT_ENCODING: Header = Header(
    "Content-Encoding",
    Words(
        "Чем сжат ответ, если сжат.",
        "What the answer is packed with, if it is.",
    ),
    HeaderKind::Text,
);
