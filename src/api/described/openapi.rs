//! The OpenAPI document (3.1), of the tables beside this file and of the schemas that
//! [`crate::render::schema`] makes of the fields.

use serde_json::{Map, Value, json};

use super::failures::{self, Described};
use super::operations::{Group, Operation};
use super::parameters::{Parameter, parameters};
use super::words::Words;
use crate::api::endpoint::Endpoint;
use crate::model::Language;
use crate::render::Format;
use crate::render::schema::json_schema::{self, Schemas};
use crate::render::schema::{Answer, answer, answers};

const SCHEMAS: &str = "#/components/schemas/";

/// The document.
pub fn document(language: Language) -> Value {
    let writer = Writer { language };
    json!({
        "openapi": "3.1.0",
        "info": writer.info(),
        "servers": [{ "url": "/" }],
        "security": [{ "keyHeader": [] }, { "bearer": [] }, { "key": [] }, { "keyAlias": [] }],
        "tags": writer.tags(),
        "paths": writer.paths(),
        "components": {
            "schemas": writer.schemas(),
            "parameters": writer.shared_parameters(),
            "headers": writer.headers(),
            "responses": writer.shared_responses(),
            "securitySchemes": writer.security(),
        },
    })
}

struct Writer {
    language: Language,
}

/// A reference to a component.
fn component(kind: &str, name: &str) -> Value {
    let target = ["#/components/", kind, "/", name].concat();
    json!({ "$ref": target })
}

/// The headers of a reply, by what it is.
const OF_ALL: &[&str] = &["X-Request-Id"];
const OF_LIMITED: &[&str] = &["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
const OF_DATA: &[&str] = &["ETag", "X-Data-Updated", "Cache-Control", "Vary"];
const OF_BODIES: &[&str] = &["X-Receipt", "Content-Disposition", "Content-Encoding"];
const OF_REFUSALS: &[&str] = &["Retry-After"];

/// The statuses by which a request is refused that is too large or too slow, or comes when
/// too many others are there.
const REFUSED: &[&str] = &["408", "414", "431", "503"];

fn refusals() -> impl Iterator<Item = (String, Value)> {
    let refused = REFUSED.iter();
    refused.map(|code| ((*code).to_owned(), component("responses", "Refused")))
}

fn headers_of(lists: &[&[&str]]) -> Value {
    let names = lists.iter().flat_map(|list| list.iter());
    let pairs = names.map(|name| ((*name).to_owned(), component("headers", name)));
    Value::Object(pairs.collect())
}

impl Writer {
    fn say(&self, words: Words) -> &'static str {
        words.to(self.language)
    }

    fn info(&self) -> Value {
        let text = Words(
            "Контракты поставщиков по 44-ФЗ, закупки по 44-ФЗ, 223-ФЗ и ПП 615, реестр недобросовестных поставщиков. Только GET и HEAD. Ответы — XML (по умолчанию), JSON (format=json) или CSV (format=csv). Контракты и закупки отвечают HTTP 200 и на ошибки запроса: смотрите на поле error. Неизвестные параметры не учитываются, пустое значение — то же, что его отсутствие. Путь, которого нет, — 404 (UnknownPath), другой метод — 405 (MethodNotAllowed). Схемы XML — /schemas/*.xsd, JSON — /schemas/*.schema.json, описание для чтения — /docs.",
            "Contracts of suppliers under 44-FZ, purchases under 44-FZ, 223-FZ and PP-615, and the registry of unfair suppliers. GET and HEAD only. Answers are XML (the default), JSON (format=json) or CSV (format=csv). Contracts and purchases answer errors of the request with HTTP 200 as well: look at the field error. Unknown parameters are ignored, an empty value counts as missing. A path that does not exist is 404 (UnknownPath), another method 405 (MethodNotAllowed). XML schemas are at /schemas/*.xsd, JSON schemas at /schemas/*.schema.json, a reference to read at /docs.",
        );
        json!({
            "title": env!("CARGO_PKG_NAME"),
            "version": env!("CARGO_PKG_VERSION"),
            "summary": self.say(Words(
                "Государственные контракты, закупки и РНП: справки по HTTP GET",
                "State contracts, purchases and the RNP, answered over HTTP GET",
            )),
            "description": self.say(text),
            "license": { "name": "MIT", "identifier": "MIT" },
        })
    }

    fn tags(&self) -> Value {
        let tag =
            |group: Group| json!({ "name": group.name(), "description": self.say(group.title()) });
        Group::ALL.into_iter().map(tag).collect()
    }

    fn security(&self) -> Value {
        let key = |place: &str, name: &str, words: Words| json!({ "type": "apiKey", "in": place, "name": name, "description": self.say(words) });
        json!({
            "keyHeader": key("header", "X-API-Key", Words(
                "Ключ в заголовке: так он не попадает в адреса.",
                "The key in a header, where it stays out of URLs.",
            )),
            "bearer": { "type": "http", "scheme": "bearer" },
            "key": key("query", "apikey", Words("Ключ в параметре.", "The key in the query.")),
            "keyAlias": key("query", "api_key", Words(
                "Другое написание apikey.",
                "Another spelling of apikey.",
            )),
        })
    }

    fn schemas(&self) -> Value {
        let mut schemas = Schemas::new();
        for answer in answers() {
            json_schema::add(answer, self.language, SCHEMAS, &mut schemas);
        }
        schemas.insert("About".to_owned(), about_schema(self.language));
        Value::Object(schemas)
    }

    fn paths(&self) -> Value {
        let mut paths: Map<String, Value> = Operation::all()
            .map(|operation| (operation.endpoint.path().to_owned(), self.path(&operation)))
            .collect();
        paths.extend(self.open_paths());
        Value::Object(paths)
    }

    /// The resources that need no key.
    fn open_paths(&self) -> [(String, Value); 4] {
        let json = "application/json";
        let about = json!({ "schema": component("schemas", "About"), "example": about_example() });
        let document = json!({ "schema": { "type": "object" } });
        let text = json!({ "schema": { "type": "string" } });
        let about = self.open(
            "getAbout",
            Words("Что это за сервис", "What the service is"),
            json!([]),
            json!({ json: about }),
        );
        let language = json!([component("parameters", "lang")]);
        let openapi = self.open(
            "getOpenapi",
            Words("Этот документ", "This document"),
            language.clone(),
            json!({ json: document }),
        );
        let docs = self.open(
            "getDocs",
            Words("Описание для чтения", "The reference to read"),
            language,
            json!({ "text/html": text }),
        );
        let files = answers()
            .iter()
            .flat_map(|one| [".xsd", ".schema.json"].map(|end| one.file.to_owned() + end));
        let file = json!({
            "name": "file",
            "in": "path",
            "required": true,
            "description": self.say(Words("Имя схемы.", "Name of the schema.")),
            "schema": { "type": "string", "enum": files.collect::<Vec<_>>() },
        });
        let schema = self.open(
            "getSchema",
            Words(
                "Схема ответа: XSD или JSON Schema",
                "The schema of an answer: XSD or JSON Schema",
            ),
            json!([file, component("parameters", "lang")]),
            json!({ "application/xml": text, "application/schema+json": document }),
        );
        [
            ("/about.json".to_owned(), about),
            ("/openapi.json".to_owned(), openapi),
            ("/docs".to_owned(), docs),
            ("/schemas/{file}".to_owned(), schema),
        ]
    }

    /// A resource that needs no key.
    fn open(&self, id: &str, title: Words, parameters: Value, content: Value) -> Value {
        let headers = headers_of(&[OF_ALL, &["ETag", "Cache-Control", "Vary"]]);
        let operation = |id: String, content: Option<Value>| {
            let found = self.response(title, headers.clone(), content);
            let mut responses = Map::from_iter([
                ("200".to_owned(), found),
                ("304".to_owned(), component("responses", "NotModified")),
            ]);
            responses.insert("404".to_owned(), component("responses", "UnknownPath"));
            responses.extend(refusals());
            json!({
                "operationId": id,
                "tags": [Group::Service.name()],
                "summary": self.say(title),
                "security": [],
                "responses": responses,
            })
        };
        let mut all = vec![component("parameters", "ifNoneMatch")];
        all.extend(parameters.as_array().into_iter().flatten().cloned());
        json!({
            "parameters": all,
            "get": operation(id.to_owned(), Some(content)),
            "head": operation(head_id(id), None),
        })
    }

    fn path(&self, operation: &Operation) -> Value {
        json!({
            "parameters": self.parameters(operation.endpoint),
            "get": self.operation(operation, true),
            "head": self.operation(operation, false),
        })
    }

    fn operation(&self, operation: &Operation, with_body: bool) -> Value {
        let (id, text) = if with_body {
            (operation.id.to_owned(), self.say(operation.text))
        } else {
            let text = Words(
                "Только заголовки того же ответа.",
                "The headers of the same answer alone.",
            );
            (head_id(operation.id), self.say(text))
        };
        json!({
            "operationId": id,
            "tags": [operation.group.name()],
            "summary": self.say(operation.title),
            "description": text,
            "responses": self.responses(operation, with_body),
        })
    }

    fn parameters(&self, endpoint: Endpoint) -> Value {
        let own = parameters(endpoint)
            .into_iter()
            .map(|parameter| match parameter.name {
                "format" | "receipt" => component("parameters", parameter.name),
                _ => self.parameter(&parameter),
            });
        own.chain([component("parameters", "ifNoneMatch")])
            .collect()
    }

    fn parameter(&self, parameter: &Parameter) -> Value {
        let mut value = json!({
            "name": parameter.name,
            "in": "query",
            "required": parameter.is_required,
            "description": self.say(parameter.meaning),
            "schema": parameter.values.schema(),
            "example": parameter.values.example(parameter.example),
        });
        if let Some(members) = value.as_object_mut() {
            if parameter.values.are_lists() {
                members.insert("style".to_owned(), "form".into());
                members.insert("explode".to_owned(), false.into());
            }
            if let Some(alias) = parameter.alias {
                let words = Words("Допустимо и написание", "The spelling is also");
                let text = [
                    self.say(parameter.meaning),
                    " ",
                    self.say(words),
                    " ",
                    alias,
                    ".",
                ];
                members.insert("description".to_owned(), text.concat().into());
                members.insert("x-aliases".to_owned(), json!([alias]));
            }
        }
        value
    }

    fn shared_parameters(&self) -> Value {
        let shared = parameters(Endpoint::RnpCheck).into_iter();
        let shared = shared.filter(|parameter| matches!(parameter.name, "format" | "receipt"));
        let mut map: Map<String, Value> = shared
            .map(|parameter| (parameter.name.to_owned(), self.parameter(&parameter)))
            .collect();
        let languages: Vec<_> = Language::ALL.map(Language::code).into();
        let lang = json!({
            "name": "lang",
            "in": "query",
            "required": false,
            "description": self.say(Words(
                "Язык пояснений; без него — по Accept-Language.",
                "Language of the explanations; without it by Accept-Language.",
            )),
            "schema": { "type": "string", "enum": languages },
        });
        map.insert("lang".to_owned(), lang);
        map.insert("ifNoneMatch".to_owned(), json!({
            "name": "If-None-Match",
            "in": "header",
            "required": false,
            "description": self.say(Words(
                "ETag прежнего ответа: если он не изменился, ответ — 304 без тела.",
                "The ETag of an answer had before: if it is still the same, a 304 without a body.",
            )),
            "schema": { "type": "string" },
        }));
        Value::Object(map)
    }

    fn responses(&self, operation: &Operation, with_body: bool) -> Value {
        let endpoint = operation.endpoint;
        let failures = failures::of(endpoint);
        let status = |described: &Described| described.failure.status(Some(endpoint));
        let in_body: Vec<_> = failures.iter().filter(|one| status(one) == 200).collect();
        let found = if in_body.is_empty() {
            Words("Данные.", "Data.")
        } else {
            Words(
                "Данные или ошибка запроса: поле error.",
                "Data, or an error of the request: the field error.",
            )
        };
        let headers = headers_of(&[OF_DATA, OF_BODIES, OF_ALL, OF_LIMITED]);
        let data = with_body.then(|| self.data_content(operation, &in_body));
        let mut responses = Map::new();
        responses.insert("200".to_owned(), self.response(found, headers, data));
        responses.insert("304".to_owned(), component("responses", "NotModified"));
        let mut statuses: Vec<u16> = failures
            .iter()
            .map(status)
            .filter(|of| *of != 200)
            .collect();
        statuses.sort_unstable();
        statuses.dedup();
        for code in statuses {
            let these: Vec<_> = failures.iter().filter(|one| status(one) == code).collect();
            let content = with_body.then(|| self.error_content(Some(endpoint), &these));
            let retry = if code == 429 { OF_REFUSALS } else { &[] };
            let headers = headers_of(&[retry, &["Cache-Control"], OF_ALL, OF_LIMITED]);
            let words = these.first().map_or(found, |one| one.meaning);
            responses.insert(code.to_string(), self.response(words, headers, content));
        }
        responses.extend(refusals());
        Value::Object(responses)
    }

    fn response(&self, words: Words, headers: Value, content: Option<Value>) -> Value {
        let mut response = json!({ "description": self.say(words), "headers": headers });
        if let (Some(members), Some(content)) = (response.as_object_mut(), content) {
            members.insert("content".to_owned(), content);
        }
        response
    }

    /// What is answered with HTTP 200: data, and the errors that have that status too.
    fn data_content(&self, operation: &Operation, in_body: &[&Described]) -> Value {
        let endpoint = Some(operation.endpoint);
        let answers: Vec<&Answer> = operation.answers().collect();
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
        json_examples.extend(self.error_examples(endpoint, in_body, Format::Json));
        xml_examples.extend(self.error_examples(endpoint, in_body, Format::Xml));
        csv_examples.extend(self.error_examples(endpoint, in_body, Format::Csv));
        json!({
            "application/json": { "schema": schema, "examples": json_examples },
            "application/xml": { "schema": xml_schema(&answers), "examples": xml_examples },
            "text/csv": { "schema": { "type": "string" }, "examples": csv_examples },
        })
    }

    fn error_content(&self, endpoint: Option<Endpoint>, these: &[&Described]) -> Value {
        let error: Vec<&Answer> = answer("Error").into_iter().collect();
        json!({
            "application/json": {
                "schema": component("schemas", "Error"),
                "examples": self.error_examples(endpoint, these, Format::Json),
            },
            "application/xml": {
                "schema": xml_schema(&error),
                "examples": self.error_examples(endpoint, these, Format::Xml),
            },
            "text/csv": {
                "schema": { "type": "string" },
                "examples": self.error_examples(endpoint, these, Format::Csv),
            },
        })
    }

    fn error_examples(
        &self,
        endpoint: Option<Endpoint>,
        these: &[&Described],
        format: Format,
    ) -> Map<String, Value> {
        let example = |one: &&Described| {
            let body = failures::body(&one.failure, endpoint, format);
            let value = match format {
                Format::Json => serde_json::from_str(&body).unwrap_or(Value::Null),
                _ => Value::String(body),
            };
            let example = json!({ "summary": self.say(one.meaning), "value": value });
            (one.name.to_owned(), example)
        };
        these.iter().map(example).collect()
    }

    fn shared_responses(&self) -> Value {
        let mut responses = Map::new();
        let words = Words(
            "Ответ с этим ETag не изменился.",
            "The answer with that ETag is still the same.",
        );
        let headers = headers_of(&[&["ETag"], OF_ALL]);
        let refused = Words(
            "Запрос слишком велик или слишком медлен, или соединений слишком много; что именно, сказано словами.",
            "The request is too large or too slow, or there are too many connections; the text says which.",
        );
        let plain = json!({ "text/plain": { "schema": { "type": "string" } } });
        let refused = self.response(refused, json!({}), Some(plain));
        responses.insert("Refused".to_owned(), refused);
        responses.insert(
            "NotModified".to_owned(),
            self.response(words, headers, None),
        );
        for (name, one) in ["UnknownPath", "MethodNotAllowed"]
            .into_iter()
            .zip(failures::of_paths())
        {
            let content = self.error_content(None, &[&one]);
            let headers = headers_of(&[OF_ALL]);
            responses.insert(
                name.to_owned(),
                self.response(one.meaning, headers, Some(content)),
            );
        }
        Value::Object(responses)
    }

    fn headers(&self) -> Value {
        let header = |(name, words, schema): (&str, Words, Value)| {
            let value = json!({ "description": self.say(words), "schema": schema });
            (name.to_owned(), value)
        };
        Value::Object(header_table().into_iter().map(header).collect())
    }
}

/// What a function is called that asks for the headers alone.
fn head_id(id: &str) -> String {
    let mut letters = id.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    "head".chars().chain(first).chain(letters).collect()
}

/// The schema of a body in XML: a text, whose form the XSD says.
fn xml_schema(answers: &[&Answer]) -> Value {
    let file = answers.first().map_or("", |answer| answer.file);
    let url = ["/schemas/", file, ".xsd"].concat();
    json!({
        "type": "string",
        "contentMediaType": "application/xml",
        "externalDocs": { "url": url },
    })
}

fn header_table() -> Vec<(&'static str, Words, Value)> {
    let text = || json!({ "type": "string" });
    let whole = || json!({ "type": "integer", "minimum": 0 });
    vec![
        (
            "ETag",
            Words(
                "Метка ответа: она меняется вместе с ним.",
                "The answer's tag: it changes when the answer does.",
            ),
            text(),
        ),
        (
            "X-Data-Updated",
            Words(
                "Когда загрузка в последний раз что-то изменила, UTC.",
                "When an import last changed anything, UTC.",
            ),
            json!({ "type": "string", "format": "date-time" }),
        ),
        (
            "X-Receipt",
            Words(
                "Квитанция об ответе, если задано receipt=1.",
                "A receipt of the answer, where receipt=1 asks for it.",
            ),
            text(),
        ),
        (
            "X-Request-Id",
            Words(
                "Номер запроса: по нему его находят в журнале сервиса.",
                "The id of the request, under which the service's log has it.",
            ),
            text(),
        ),
        (
            "Retry-After",
            Words(
                "Через сколько секунд повторить.",
                "After how many seconds to ask again.",
            ),
            whole(),
        ),
        (
            "RateLimit-Limit",
            Words(
                "Сколько запросов можно сделать подряд после паузы; если есть ограничение.",
                "How many requests can be made at once after a pause, where a limit applies.",
            ),
            whole(),
        ),
        (
            "RateLimit-Remaining",
            Words(
                "Сколько из них можно сделать сейчас.",
                "How many of them can be made now.",
            ),
            whole(),
        ),
        (
            "RateLimit-Reset",
            Words(
                "Через сколько секунд снова можно будет сделать их все.",
                "In how many seconds all of them can be made again.",
            ),
            whole(),
        ),
        (
            "Cache-Control",
            Words("Как хранить ответ.", "How the answer may be kept."),
            text(),
        ),
        (
            "Vary",
            Words(
                "От каких заголовков запроса зависит ответ.",
                "The headers of the request that the answer depends on.",
            ),
            text(),
        ),
        (
            "Content-Disposition",
            Words("Имя файла для CSV.", "The name of a file, with CSV."),
            text(),
        ),
        (
            "Content-Encoding",
            Words(
                "Чем сжат ответ, если сжат.",
                "What the answer is packed with, if it is.",
            ),
            text(),
        ),
    ]
}

fn about_schema(language: Language) -> Value {
    let say = |words: Words| words.to(language);
    let name = say(Words("название программы", "name of the program"));
    let version = say(Words("её версия", "its version"));
    let demo = say(Words(
        "это демонстрационные данные; тогда подходит ключ demo",
        "the data is the demonstration data, and the key demo is valid",
    ));
    let updated = say(Words(
        "когда загрузка в последний раз что-то изменила, UTC",
        "when an import last changed anything, UTC",
    ));
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": name },
            "version": { "type": "string", "description": version },
            "demo": { "type": "boolean", "description": demo },
            "dataUpdated": { "type": "string", "format": "date-time", "description": updated },
        },
        "required": ["name", "version", "demo", "dataUpdated"],
        "additionalProperties": false,
    })
}

fn about_example() -> Value {
    json!({
        "name": env!("CARGO_PKG_NAME"),
        "version": env!("CARGO_PKG_VERSION"),
        "demo": true,
        "dataUpdated": "2026-01-12T06:00:00Z",
    })
}
