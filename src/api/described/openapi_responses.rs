//! Responses in the OpenAPI document: statuses, headers, and bodies in every format.

use serde_json::{Map, Value, json};

use super::super::endpoints::{AnswerHeaders, Endpoint};
use super::super::error::{ErrorKind, write_error};
use super::super::status::Status;
use super::component;
use super::headers::{
    BODY_HEADERS, CHANGES_HEADERS, CHECK_HEADERS, COMMON_HEADERS, DATA_HEADERS, ENDPOINT_HEADERS,
    ERROR_HEADERS, FILE_HEADERS, LIMIT_HEADERS, OPEN_HEADERS, REFUSAL_HEADERS, WRONG_KEY_HEADERS,
    headers_of,
};
use crate::model::{Language, Words};
use crate::render::schema::{Answer, AnswerSchema};
use crate::render::{Format, Root};

/// Generates the OpenAPI document in one language.
pub(super) struct OpenApi {
    pub language: Language,
}

impl OpenApi {
    pub fn say(&self, words: Words) -> &'static str {
        words.to(self.language)
    }
}

/// Statuses of connections and requests that the HTTP engine refuses before any endpoint is
/// involved. Their bodies are plain text.
const REFUSED: &[&str] = &["408", "414", "431", "503"];

impl OpenApi {
    pub(super) fn responses(&self, endpoint: &Endpoint, with_body: bool) -> Value {
        let errors: Vec<ErrorKind> = endpoint.errors().collect();
        // At endpoints that report errors with status 200, the parameter `errors` turns HTTP
        // statuses on.
        let has_statuses = endpoint.has_statuses;
        let is_in_body = |one: &ErrorKind| one.status(has_statuses) == Status::Ok;
        let in_body: Vec<_> = errors.iter().copied().filter(is_in_body).collect();
        let found = if in_body.is_empty() {
            Words("Данные.", "Data.")
        } else {
            Words(
                "Данные или ошибка запроса: поле error.",
                "Data, or an error in the request: the field error.",
            )
        };
        let of_it = match endpoint.headers {
            AnswerHeaders::Verdict => CHECK_HEADERS,
            AnswerHeaders::Next => CHANGES_HEADERS,
            AnswerHeaders::RowCount => FILE_HEADERS,
            AnswerHeaders::None => &[],
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
        let mut statuses: Vec<Status> = errors.iter().map(|one| one.row().status).collect();
        statuses.sort_unstable();
        statuses.dedup();
        for code in statuses {
            let of_status = errors.iter().filter(|one| one.row().status == code);
            let these: Vec<_> = of_status.copied().collect();
            let content = with_body.then(|| self.error_content(endpoint.root, &these, code));
            let of_status = match code {
                Status::Unauthorized => WRONG_KEY_HEADERS,
                _ if these.iter().any(|one| one.row().has_wait) => REFUSAL_HEADERS,
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

    /// The body of a response with status 200: the data, or one of the errors that are sent with
    /// this status.
    fn data_content(&self, endpoint: &Endpoint, in_body: &[ErrorKind]) -> Value {
        let answers: Vec<&AnswerSchema> = endpoint.schemas().collect();
        let names = answers.iter().map(|one| one.name);
        let names = names.chain((!in_body.is_empty()).then_some("Error"));
        let shapes: Vec<Value> = names.map(|name| component("schemas", name)).collect();
        let schema = match shapes.as_slice() {
            [only] => only.clone(),
            _ => json!({ "oneOf": shapes }),
        };
        content(schema, &answers, |format| {
            let example = |one: &&AnswerSchema| {
                let value = match format {
                    Format::Json => serde_json::from_str(&one.json_example).unwrap_or(Value::Null),
                    Format::Xml => one.xml_example.as_str().into(),
                    Format::Csv => one.csv_example.as_str().into(),
                    Format::Xlsx => Value::Null,
                };
                (one.name.to_owned(), json!({ "value": value }))
            };
            let errors = self.error_examples(endpoint.root, in_body, format);
            answers.iter().map(example).chain(errors).collect()
        })
    }

    /// The body of the errors with this status. Plain text is added if the HTTP engine refuses
    /// requests with the same status.
    fn error_content(&self, root: Root, these: &[ErrorKind], code: Status) -> Value {
        let error: Vec<&AnswerSchema> = Answer::Error.schema().into_iter().collect();
        let mut content = content(component("schemas", "Error"), &error, |format| {
            self.error_examples(root, these, format)
        });
        if let Some(types) = content.as_object_mut()
            && REFUSED.contains(&code.digits())
        {
            types.insert("text/plain".to_owned(), text_schema());
        }
        content
    }

    fn error_examples(
        &self,
        root: Root,
        these: &[ErrorKind],
        format: Format,
    ) -> Map<String, Value> {
        let example = |kind: &ErrorKind| {
            let row = kind.row();
            let body = error_body(*kind, root, format);
            let value = match format {
                Format::Json => serde_json::from_str(&body).unwrap_or(Value::Null),
                Format::Xml | Format::Csv | Format::Xlsx => Value::String(body),
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
            "The answer with that ETag is unchanged.",
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
            "Запрос слишком велик или приходит слишком медленно либо соединений слишком много; причина указана в тексте.",
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
        for (name, kind, headers) in [
            ("UnknownPath", ErrorKind::UnknownPath, of_paths),
            (
                "OpenTooManyRequests",
                ErrorKind::TooManyRequests,
                too_many.clone(),
            ),
            ("OpenUnavailable", ErrorKind::Unavailable, too_many),
        ] {
            let row = kind.row();
            let content = self.error_content(Root::Data, &[kind], row.status);
            let response = self.response(row.meaning, headers, Some(content));
            responses.insert(name.to_owned(), response);
        }
        Value::Object(responses)
    }
}

pub(super) fn refusals() -> impl Iterator<Item = (String, Value)> {
    let refused = REFUSED.iter();
    refused.map(|code| ((*code).to_owned(), component("responses", "Refused")))
}

fn content(
    schema: Value,
    answers: &[&AnswerSchema],
    examples: impl Fn(Format) -> Map<String, Value>,
) -> Value {
    let workbook = Format::Xlsx.content_type();
    json!({
        "application/json": { "schema": schema, "examples": examples(Format::Json) },
        "application/xml": { "schema": xml_schema(answers), "examples": examples(Format::Xml) },
        "text/csv": { "schema": { "type": "string" }, "examples": examples(Format::Csv) },
        (workbook): { "schema": { "type": "string", "contentMediaType": workbook } },
    })
}

fn text_schema() -> Value {
    json!({ "schema": { "type": "string" } })
}

/// An XML body is described as a plain string that refers to the XSD, which has the structure.
fn xml_schema(answers: &[&AnswerSchema]) -> Value {
    let file = answers.first().map_or("", |answer| answer.file);
    let url = ["/schemas/", file, ".xsd"].concat();
    json!({
        "type": "string",
        "contentMediaType": "application/xml",
        "externalDocs": { "url": url },
    })
}

/// Writes the body of an example error whose root element is `root`.
pub(super) fn error_body(kind: ErrorKind, root: Root, format: Format) -> String {
    let mut body = Vec::new();
    let (text, language) = (kind.row().text, Language::default());
    write_error(kind, text, root, format, language, &mut body);
    String::from_utf8_lossy(&body).into_owned()
}
