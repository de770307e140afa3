//! The OpenAPI document (3.1), generated from the neighbouring tables and from the schemas of
//! [`crate::render::schema`].

use serde_json::{Map, Value, json};

use super::super::endpoints::{Endpoint, Group};
use super::super::request::parameter::Parameter;
use super::super::request::parameter_table::{ERRORS, FORMAT, RECEIPT};
use super::super::response::signing_key::PEM;
use super::SCHEMAS;
use super::parameters;
use super::responses::{COMMON_HEADERS, OPEN_HEADERS, OpenApi, component, headers_of, refusals};
use crate::manual;
use crate::model::{Language, Regime, Words};
use crate::render::schema::answers;
use crate::render::schema::json_schema::{self, Schemas};

/// Returns the document in a language.
pub fn document(language: Language) -> Value {
    let writer = OpenApi { language };
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

impl OpenApi {
    fn info(&self) -> Value {
        let text = Words(
            "Контракты поставщиков по 44-ФЗ, закупки по 44-ФЗ, 223-ФЗ и ПП РФ № 615, реестр недобросовестных поставщиков. Только GET и HEAD. Ответы — XML (по умолчанию), JSON (format=json), CSV (format=csv) или XLSX (format=xlsx). Без format формат выбирает заголовок Accept, если в нём один тип: application/json, text/csv или тип XLSX; иначе — XML. Контракты и закупки отвечают HTTP 200 и на ошибки запроса: смотрите на поле error или задайте errors=http. Неизвестные параметры не учитываются, их имена — в заголовке X-Ignored-Parameters; пустое значение — то же, что его отсутствие. Путь, которого нет, — 404 (UnknownPath), другой метод — 405 (MethodNotAllowed). Схемы XML — /schemas/*.xsd, JSON — /schemas/*.schema.json, описание для чтения — /docs.",
            "Contracts of suppliers under 44-FZ, purchases under 44-FZ, 223-FZ and PP-615, and the registry of unfair suppliers. GET and HEAD only. Answers are XML (the default), JSON (format=json), CSV (format=csv) or XLSX (format=xlsx). Without format, the header Accept chooses if it has a single type: application/json, text/csv or the type of XLSX; otherwise XML. Contracts and purchases answer errors of the request with HTTP 200 as well: look at the field error, or ask with errors=http. Unknown parameters are ignored and named in X-Ignored-Parameters; an empty value counts as missing. A path that does not exist is 404 (UnknownPath), another method 405 (MethodNotAllowed). XML schemas are at /schemas/*.xsd, JSON schemas at /schemas/*.schema.json, a reference to read at /docs.",
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
        let all = Endpoint::ALL
            .into_iter()
            .flat_map(|endpoint| endpoint.parameters);
        let named = all.filter_map(|parameter| parameters::named_schema(parameter.values));
        schemas.extend(named.map(|(name, schema)| (name.to_owned(), schema)));
        let codes = Language::ALL.map(Language::code);
        let files = answers()
            .iter()
            .flat_map(|one| [".xsd", ".schema.json"].map(|end| one.file.to_owned() + end));
        let files: Vec<String> = files.collect();
        let among = |all: Value| json!({ "type": "string", "enum": all });
        schemas.insert("Language".to_owned(), among(json!(codes)));
        schemas.insert("SchemaFile".to_owned(), among(json!(files)));
        Value::Object(schemas)
    }

    fn paths(&self) -> Value {
        let mut paths: Map<String, Value> = Endpoint::ALL
            .into_iter()
            .map(|endpoint| (endpoint.path.to_owned(), self.path(endpoint)))
            .collect();
        paths.extend(self.open_paths());
        paths.extend(self.manual_paths());
        Value::Object(paths)
    }

    /// Returns the paths of the resources that need no key.
    fn open_paths(&self) -> [(String, Value); 5] {
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
        let key = self.open(
            "getSigningKey",
            Words(
                "Открытый ключ, которым проверяют подпись сервера; 404, если сервер не подписывает",
                "The public key that receipts are checked with; 404 if the server signs none",
            ),
            json!([]),
            json!({ PEM: text }),
        );
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
        let file = json!({
            "name": "file",
            "in": "path",
            "required": true,
            "description": self.say(Words("Имя схемы.", "Name of the schema.")),
            "schema": component("schemas", "SchemaFile"),
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
            ("/signing-key.pem".to_owned(), key),
            ("/openapi.json".to_owned(), openapi),
            ("/docs".to_owned(), docs),
            ("/schemas/{file}".to_owned(), schema),
        ]
    }

    /// Returns the paths of the manual.
    fn manual_paths(&self) -> [(String, Value); 2] {
        let page = json!({ "text/html": { "schema": { "type": "string" } } });
        let manual = self.open(
            "getManual",
            Words("Содержание руководства", "The contents of the manual"),
            json!([component("parameters", "lang")]),
            page.clone(),
        );
        let topic = json!({
            "name": "topic",
            "in": "path",
            "required": true,
            "description": self.say(Words("Тема главы.", "Topic of the chapter.")),
            "schema": { "type": "string", "enum": manual::topics().collect::<Vec<_>>() },
        });
        let chapter = self.open(
            "getChapter",
            Words("Глава руководства", "A chapter of the manual"),
            json!([topic, component("parameters", "lang")]),
            page,
        );
        [
            ("/docs/".to_owned(), manual),
            ("/docs/{topic}".to_owned(), chapter),
        ]
    }

    /// Describes a resource that needs no key.
    fn open(&self, id: &str, title: Words, parameters: Value, content: Value) -> Value {
        let headers = headers_of(&[COMMON_HEADERS, OPEN_HEADERS]);
        let operation = |id: String, content: Option<Value>| {
            let found = self.response(title, headers.clone(), content);
            let mut responses = Map::from_iter([
                ("200".to_owned(), found),
                ("304".to_owned(), component("responses", "OpenNotModified")),
            ]);
            responses.insert("404".to_owned(), component("responses", "UnknownPath"));
            let too_many = component("responses", "OpenTooManyRequests");
            responses.insert("429".to_owned(), too_many);
            responses.extend(refusals());
            let unavailable = component("responses", "OpenUnavailable");
            responses.insert("503".to_owned(), unavailable);
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

    fn path(&self, endpoint: &Endpoint) -> Value {
        json!({
            "parameters": self.parameters(endpoint),
            "get": self.operation(endpoint, true),
            "head": self.operation(endpoint, false),
        })
    }

    fn operation(&self, endpoint: &Endpoint, with_body: bool) -> Value {
        let (id, text) = if with_body {
            (endpoint.id.to_owned(), self.say(endpoint.text))
        } else {
            let text = Words(
                "Только заголовки того же ответа.",
                "The headers of the same answer alone.",
            );
            (head_id(endpoint.id), self.say(text))
        };
        json!({
            "operationId": id,
            "tags": [endpoint.group.name()],
            "summary": self.say(endpoint.title),
            "description": text,
            "responses": self.responses(endpoint, with_body),
        })
    }

    fn parameters(&self, endpoint: &Endpoint) -> Value {
        let own = endpoint.parameters.iter().map(|parameter| {
            let is_shared = SHARED.iter().any(|shared| {
                shared.name == parameter.name && shared.required == parameter.required
            });
            if is_shared {
                component("parameters", parameter.name)
            } else {
                self.parameter(parameter)
            }
        });
        own.chain([component("parameters", "ifNoneMatch")])
            .collect()
    }

    fn parameter(&self, parameter: &Parameter) -> Value {
        let mut value = json!({
            "name": parameter.name,
            "in": "query",
            "required": parameter.required.is_some(),
            "description": self.say(parameter.meaning),
            "schema": parameters::schema(parameter.values),
            "example": parameters::example(parameter.values, parameter.example),
        });
        if let (Some(members), Some(alias)) = (value.as_object_mut(), parameter.alias) {
            let words = Words("Допустимо и написание", "The spelling is also");
            let text = [self.say(parameter.meaning), self.say(words), alias].join(" ") + ".";
            members.insert("description".to_owned(), text.into());
            members.insert("x-aliases".to_owned(), json!([alias]));
        }
        value
    }

    fn shared_parameters(&self) -> Value {
        let mut map: Map<String, Value> = SHARED
            .iter()
            .map(|parameter| (parameter.name.to_owned(), self.parameter(parameter)))
            .collect();
        let lang = json!({
            "name": "lang",
            "in": "query",
            "required": false,
            "description": self.say(Words(
                "Язык пояснений; без него — по Accept-Language.",
                "Language of the explanations; without it by Accept-Language.",
            )),
            "schema": component("schemas", "Language"),
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
}

/// The parameters that endpoints share.
const SHARED: [Parameter; 3] = [FORMAT, ERRORS, RECEIPT];

/// Returns the operation id of a HEAD request.
fn head_id(id: &str) -> String {
    let mut letters = id.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    "head".chars().chain(first).chain(letters).collect()
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
    let coverage = say(Words(
        "какие официальные документы получены; пусто, если сведений об этом нет",
        "which official documents were obtained; empty where nothing is known of that",
    ));
    let run = coverage_schema(language);
    let missing = say(Words(
        "каких документов не хватает, чтобы реестр недобросовестных поставщиков был полным; по законам, документы реестра которых получены хотя бы за день и реестр которых на последний такой день не полон",
        "which documents a registry of unfair suppliers lacks to be complete; of each law of whose registry any documents were obtained, and whose registry is not complete as of the last day of them",
    ));
    let lack = missing_schema(language);
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": name },
            "version": { "type": "string", "description": version },
            "demo": { "type": "boolean", "description": demo },
            "dataUpdated": { "type": "string", "format": "date-time", "description": updated },
            "coverage": { "type": "array", "items": run, "description": coverage },
            "missing": { "type": "array", "items": lack, "description": missing },
        },
        "required": ["name", "version", "demo", "dataUpdated", "coverage", "missing"],
        "additionalProperties": false,
    })
}

/// Returns the schema of a run of covered days.
fn coverage_schema(language: Language) -> Value {
    let text = |words: Words| json!({ "type": "string", "description": words.to(language) });
    let day = |words: Words| json!({ "type": "string", "format": "date", "description": words.to(language) });
    json!({
        "type": "object",
        "properties": {
            "subsystem": text(Words(
                "подсистема ЕИС, которая их выдаёт, например RGK",
                "the part of EIS that gives them out, such as RGK",
            )),
            "documents": text(Words("вид документов, например contract", "the type of the documents, such as contract")),
            "region": text(Words("код региона заказчика, например 77", "the code of the customers' region, such as 77")),
            "from": day(Words("первый день", "the first day")),
            "to": day(Words("последний день", "the last day")),
        },
        "required": ["subsystem", "documents", "region", "from", "to"],
        "additionalProperties": false,
    })
}

/// Returns the schema of a registry's missing documents.
fn missing_schema(language: Language) -> Value {
    let text = |words: Words| json!({ "type": "string", "description": words.to(language) });
    let day = |words: Words| json!({ "type": "string", "format": "date", "description": words.to(language) });
    let count = |words: Words| json!({ "type": "integer", "minimum": 1, "description": words.to(language) });
    json!({
        "type": "object",
        "properties": {
            "federalLaw": {
                "type": "string",
                "enum": Regime::ALL.map(Regime::code),
                "description": Words("закон", "the law").to(language),
            },
            "asOf": day(Words(
                "на какой день реестр стал бы полным: последний день, за который получены его документы",
                "the day as of which the registry would be complete: the last one of which any of its documents were obtained",
            )),
            "days": count(Words("за сколько дней не хватает документов", "the number of days that lack documents")),
            "cells": count(Words(
                "сколько ячеек не хватает; ячейка — один день, один регион, один вид документов",
                "the number of missing cells; a cell is one day, one region, one type of documents",
            )),
            "first": {
                "type": "object",
                "properties": {
                    "subsystem": text(Words("подсистема ЕИС, например RNP", "the part of EIS, such as RNP")),
                    "documents": text(Words("вид документов", "the type of the documents")),
                    "region": text(Words("код региона", "the code of the region")),
                    "day": day(Words("день", "the day")),
                },
                "required": ["subsystem", "documents", "region", "day"],
                "additionalProperties": false,
                "description": Words("первая из них по дню", "the one of them with the earliest day").to(language),
            },
        },
        "required": ["federalLaw", "asOf", "days", "cells", "first"],
        "additionalProperties": false,
    })
}

fn about_example() -> Value {
    json!({
        "name": env!("CARGO_PKG_NAME"),
        "version": env!("CARGO_PKG_VERSION"),
        "demo": true,
        "dataUpdated": "2026-01-12T06:00:00Z",
        "coverage": [{
            "subsystem": "RGK",
            "documents": "contract",
            "region": "77",
            "from": "2026-01-01",
            "to": "2026-01-11",
        }],
        "missing": [{
            "federalLaw": "44",
            "asOf": "2026-01-11",
            "days": 1,
            "cells": 1,
            "first": {
                "subsystem": "RNP",
                "documents": "unfairSupplier2022",
                "region": "50",
                "day": "2026-01-11",
            },
        }],
    })
}
