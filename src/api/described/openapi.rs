//! The OpenAPI document (3.1), generated from the tables of [`crate::api`] and the schemas in
//! [`crate::render::schema`].

use serde_json::{Map, Value, json};

use super::super::endpoints::{Endpoint, Group};
use super::super::request::parameter::ParameterRow;
use super::super::request::parameter_table::{ERRORS, FORMAT, RECEIPT};
use super::super::response::signing_key::PEM;
use super::component;
use super::headers::{self, COMMON_HEADERS, OPEN_HEADERS, headers_of};
use super::openapi_responses::{OpenApi, refusals};
use super::parameter_schema;
use crate::manual;
use crate::model::{Language, Regime, Words};
use crate::render::schema::json_schema::{self, Schemas};
use crate::render::schema::{answers, outputs};

const SCHEMAS: &str = "#/components/schemas/";

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
            "headers": headers::components(language),
            "responses": writer.shared_responses(),
            "securitySchemes": writer.security(),
        },
    })
}

impl OpenApi {
    fn info(&self) -> Value {
        let text = Words(
            "Контракты поставщиков по 44-ФЗ, закупки по 44-ФЗ, 223-ФЗ и ПП РФ № 615, реестр недобросовестных поставщиков. Только GET и HEAD. Ответы — XML (по умолчанию), JSON (format=json), CSV (format=csv) или XLSX (format=xlsx). Без format формат определяется заголовком Accept, если в нём указан один тип: application/json, text/csv или тип XLSX; иначе ответ приходит в XML. Пути с параметром errors отвечают на ошибочный запрос статусом HTTP 200: проверяйте поле error или задайте errors=http. Неизвестные параметры не учитываются, их имена перечисляет заголовок X-Ignored-Parameters; если значение пусто, считается, что параметра нет. На неизвестный путь приходит 404 (UnknownPath), на другой метод — 405 (MethodNotAllowed). Схемы XML — /schemas/*.xsd, схемы JSON — /schemas/*.schema.json, справочник — /docs.",
            "Contracts of suppliers under 44-FZ, purchases under 44-FZ, 223-FZ and PP-615, and \
             the registry of unfair suppliers. The service answers only GET and HEAD. Answers are \
             XML (the default), JSON (format=json), CSV (format=csv) or XLSX (format=xlsx). \
             Without format, the answer is JSON, CSV or XLSX if the header Accept has only that \
             type (application/json, text/csv or the type of XLSX), and XML otherwise. Endpoints \
             with the parameter errors answer errors in the request with HTTP 200: look for the \
             field error, or send errors=http. Unknown parameters are ignored and named in \
             X-Ignored-Parameters; an empty value counts as missing. An unknown path gets a 404 \
             (UnknownPath), another method a 405 (MethodNotAllowed). XML schemas are at \
             /schemas/*.xsd, JSON schemas at /schemas/*.schema.json, and a reference to read at \
             /docs.",
        );
        json!({
            "title": env!("CARGO_PKG_NAME"),
            "version": env!("CARGO_PKG_VERSION"),
            "summary": self.say(Words(
                "Государственные контракты, закупки и РНП по HTTP GET",
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
                "Ключ в заголовке; так он не попадает в адреса.",
                "The key in a header, which keeps it out of URLs.",
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
        let all = Endpoint::ALL.into_iter().flat_map(Endpoint::parameters);
        let named = all.filter_map(|parameter| parameter_schema::named_schema(parameter.values));
        schemas.extend(named.map(|(name, schema)| (name.to_owned(), schema)));
        let files = answers()
            .iter()
            .flat_map(|one| [".xsd", ".schema.json"].map(|end| one.file.to_owned() + end));
        let of_outputs = outputs()
            .iter()
            .map(|one| one.file.to_owned() + ".schema.json");
        let files: Vec<String> = files.chain(of_outputs).collect();
        let files = json!({ "type": "string", "enum": files });
        schemas.insert("SchemaFile".to_owned(), files);
        Value::Object(schemas)
    }

    fn paths(&self) -> Value {
        let mut paths: Map<String, Value> = Endpoint::ALL
            .into_iter()
            .map(|endpoint| (endpoint.path.to_owned(), self.path(endpoint)))
            .collect();
        if let Value::Object(open) = self.open_paths() {
            paths.extend(open);
        }
        Value::Object(paths)
    }

    fn open_paths(&self) -> Value {
        let about = json!({ "schema": component("schemas", "About"), "example": about_example() });
        let document = json!({ "schema": { "type": "object" } });
        let text = json!({ "schema": { "type": "string" } });
        let page = json!({ "text/html": text });
        let schemas = json!({ "application/xml": text, "application/schema+json": document });
        let json = |content| json!({ "application/json": content });
        let language = || component("parameters", "lang");
        let topics = json!({ "type": "string", "enum": manual::topics().collect::<Vec<_>>() });
        let topic = self.part("topic", topics, "Тема главы.", "Topic of the chapter.");
        let files = component("schemas", "SchemaFile");
        let file = self.part("file", files, "Имя схемы.", "Name of the schema.");
        json!({
            "/about.json": self.open(&ABOUT, &[], json(about)),
            "/signing-key.pem": self.open(&SIGNING_KEY, &[], json!({ PEM: text })),
            "/openapi.json": self.open(&OPENAPI, &[language()], json(document)),
            "/docs": self.open(&REFERENCE, &[language()], page.clone()),
            "/schemas/{file}": self.open(&SCHEMA, &[file, language()], schemas),
            "/docs/{topic}": self.open(&CHAPTER, &[topic, language()], page),
        })
    }

    fn part(&self, name: &str, schema: Value, russian: &str, english: &str) -> Value {
        json!({
            "name": name,
            "in": "path",
            "required": true,
            "description": self.language.pick(russian, english),
            "schema": schema,
        })
    }

    fn open(&self, resource: &OpenResource, parameters: &[Value], content: Value) -> Value {
        let headers = headers_of(&[COMMON_HEADERS, OPEN_HEADERS]);
        let operation = |id: String, text: Words, content: Option<Value>| {
            let found = self.response(resource.title, headers.clone(), content);
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
                "summary": self.say(resource.title),
                "description": self.say(text),
                "security": [],
                "responses": responses,
            })
        };
        let if_none_match = [component("parameters", "ifNoneMatch")];
        let all = [&if_none_match, parameters].concat();
        json!({
            "parameters": all,
            "get": operation(resource.id.to_owned(), resource.text, Some(content)),
            "head": operation(head_id(resource.id), HEAD_TEXT, None),
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
            (head_id(endpoint.id), self.say(HEAD_TEXT))
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
        let own = endpoint.parameters().map(|parameter| {
            let is_shared = SHARED.iter().any(|shared| {
                shared.name == parameter.name && shared.is_required == parameter.is_required
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

    fn parameter(&self, parameter: &ParameterRow) -> Value {
        let mut value = json!({
            "name": parameter.name,
            "in": "query",
            "required": parameter.is_required,
            "description": self.say(parameter.meaning),
            "schema": parameter_schema::schema(parameter.values),
            "example": parameter_schema::example(parameter.values, parameter.example),
        });
        if let (Some(members), Some(alias)) = (value.as_object_mut(), parameter.alias) {
            let words = Words("Допустимо и написание", "Also spelt");
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
                "Язык пояснений, ru или en; без параметра или с другим значением язык определяется по Accept-Language.",
                "Language of the explanations, ru or en. If missing or different, Accept-Language \
                 decides.",
            )),
            "schema": { "type": "string" },
            "example": "en",
        });
        map.insert("lang".to_owned(), lang);
        map.insert(
            "ifNoneMatch".to_owned(),
            json!({
                "name": "If-None-Match",
                "in": "header",
                "required": false,
                "description": self.say(Words(
                    "ETag прежнего ответа. Если ответ с тех пор не изменился, придёт 304 без тела.",
                    "ETag of an earlier answer: if the answer is unchanged, the response is a 304 \
                     without a body.",
                )),
                "schema": { "type": "string" },
            }),
        );
        Value::Object(map)
    }
}

struct OpenResource {
    id: &'static str,
    title: Words,
    text: Words,
}

const ABOUT: OpenResource = OpenResource {
    id: "getAbout",
    title: Words("Что это за сервис", "About the service"),
    text: Words(
        "Версия программы, время последней загрузки, дни, за которые загружены документы, и чего в данных не хватает.",
        "The version of the program, when its data were last imported, which days they cover, and what they are known to lack.",
    ),
};

const SIGNING_KEY: OpenResource = OpenResource {
    id: "getSigningKey",
    title: Words(
        "Открытый ключ, которым проверяют подпись сервера; 404, если сервер не подписывает",
        "Public key for verifying receipts; 404 if the server signs none",
    ),
    text: Words(
        "Ключ Ed25519 в формате PEM для команды verify. Сохраните его заранее: подпись что-либо доказывает, только если ключ получен раньше ответа.",
        "An Ed25519 key as PEM, which the command verify takes. Save it beforehand: a receipt proves something only if the key was obtained before the answer.",
    ),
};

const OPENAPI: OpenResource = OpenResource {
    id: "getOpenapi",
    title: Words("Этот документ", "This document"),
    text: Words(
        "Описание всех путей в формате OpenAPI 3.1, по которому можно сгенерировать клиент.",
        "All resources as OpenAPI 3.1, from which you can generate clients.",
    ),
};

const REFERENCE: OpenResource = OpenResource {
    id: "getDocs",
    title: Words("Справочник", "The reference to read"),
    text: Words(
        "Все адреса, параметры, ошибки и поля ответов на одной странице.",
        "All paths, parameters, errors and fields of answers on one page.",
    ),
};

const SCHEMA: OpenResource = OpenResource {
    id: "getSchema",
    title: Words(
        "Схема ответа: XSD или JSON Schema",
        "The schema of an answer: XSD or JSON Schema",
    ),
    text: Words(
        "По этим схемам можно проверить любой ответ. Для каждого вида ответа есть схема XML и схема JSON.",
        "Every answer is valid against its schema. Each kind of answer has one for XML and one for JSON.",
    ),
};

const CHAPTER: OpenResource = OpenResource {
    id: "getChapter",
    title: Words("Глава руководства", "A chapter of the manual"),
    text: Words(
        "Ту же главу печатает команда manual.",
        "The command manual prints the same.",
    ),
};

const HEAD_TEXT: Words = Words(
    "Только заголовки того же ответа.",
    "Only the headers of the same answer.",
);

/// The document defines these parameters once, because several endpoints have them.
const SHARED: [ParameterRow; 3] = [FORMAT, ERRORS, RECEIPT];

/// For example, `getContracts` becomes `headGetContracts`.
fn head_id(id: &str) -> String {
    let mut letters = id.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    "head".chars().chain(first).chain(letters).collect()
}

fn about_schema(language: Language) -> Value {
    let described = |mut schema: Value, russian: &str, english: &str| {
        if let Some(members) = schema.as_object_mut() {
            let description = language.pick(russian, english);
            members.insert("description".to_owned(), description.into());
        }
        schema
    };
    let text = |ru, en| described(json!({ "type": "string" }), ru, en);
    let day = |ru, en| described(json!({ "type": "string", "format": "date" }), ru, en);
    let count = |ru, en| described(json!({ "type": "integer", "minimum": 1 }), ru, en);
    let list = |of, ru, en| described(json!({ "type": "array", "items": of }), ru, en);
    let run = object(json!({
        "subsystem": text("подсистема ЕИС, которая их выдаёт, например RGK", "subsystem of EIS \
             that publishes them, such as RGK"),
        "documents": text("вид документов, например contract", "document type, such as contract"),
        "region": text("код региона заказчика, например 77", "region code of the customers, such \
             as 77"),
        "from": day("первый день", "first day"),
        "to": day("последний день", "last day"),
    }));
    let first = object(json!({
        "subsystem": text("подсистема ЕИС, например RNP", "subsystem of EIS, such as RNP"),
        "documents": text("вид документов", "document type"),
        "region": text("код региона", "region code"),
        "day": day("день", "the day"),
    }));
    let law = json!({ "type": "string", "enum": Regime::ALL.map(Regime::code) });
    let missing = object(json!({
        "federalLaw": described(law, "закон", "the law"),
        "asOf": day(
            "день, на который реестр стал бы полным: последний, за который получены его документы",
            "day as of which the registry would be complete: the last one for which any of its \
             documents were fetched",
        ),
        "days": count("за сколько дней не хватает документов", "number of days without documents"),
        "cells": count(
            "скольких ячеек не хватает; ячейка — один день, один регион, один вид документов",
            "number of missing cells; a cell is a day, a region and a document type",
        ),
        "first": described(first, "самая ранняя из недостающих ячеек", "the earliest missing cell"),
    }));
    let law = json!({ "type": "string", "enum": Regime::ALL.map(Regime::code) });
    let unread = object(json!({
        "federalLaw": described(law, "закон", "the law"),
        "number": text(
            "номер записи; пусто, если его не удалось распознать",
            "number of the entry; empty if it cannot be determined",
        ),
        "archive": text("имя архива или файла", "name of the archive or file"),
        "entry": text(
            "имя файла в архиве; пусто, если архива нет",
            "name of the file in the archive; empty if there is no archive",
        ),
    }));
    object(json!({
        "name": text("название программы", "name of the program"),
        "version": text("её версия", "its version"),
        "demo": described(
            json!({ "type": "boolean" }),
            "демонстрационные ли это данные; с ними действует ключ demo",
            "whether the data is the demonstration data, for which the key demo is valid",
        ),
        "dataUpdated": described(
            json!({ "type": "string", "format": "date-time" }),
            "когда загрузка в последний раз что-то изменила, UTC",
            "time of the last import that changed anything, UTC",
        ),
        "contractsUpdated": described(
            json!({ "type": ["string", "null"], "format": "date-time" }),
            "когда загрузка в последний раз изменила контракты или закупки, UTC; null, если неизвестно",
            "when an import last changed contracts or purchases, UTC; null where that is not known",
        ),
        "registriesAsOf": described(
            json!({ "type": ["string", "null"], "format": "date" }),
            "последний день, на который загружены полные реестры; если по разным законам он различается, самый ранний; неполные реестры не учтены; null, если полных нет",
            "the last day for which all complete registries are known in full; incomplete \
             registries are left out; null if none is complete",
        ),
        "coverage": list(
            run,
            "какие официальные документы получены; пусто, если сведений об этом нет",
            "official documents that were fetched; empty if unknown",
        ),
        "missing": list(
            missing,
            "каких документов не хватает, чтобы реестр недобросовестных поставщиков был полным; перечислены законы, по которым документы реестра получены хотя бы за один день, но на последний такой день реестр не полон",
            "documents that registries of unfair suppliers lack to be complete as of the last day \
             for which any of their documents were fetched; complete registries and those without \
             any documents are left out",
        ),
        "unread": list(
            unread,
            "какие документы о включении в реестры недобросовестных поставщиков не удалось прочитать; не больше 100",
            "inclusions in registries of unfair suppliers that could not be read; at most 100",
        ),
        "contractsWithoutItems": described(
            json!({ "type": "integer", "minimum": 0 }),
            "у скольких контрактов известны только коды и суммы позиций: без наименований, единиц и цен такие позиции не участвуют в поиске по словам и в ценах за единицу; контракт с несколькими поставщиками учтён по одному разу на каждого",
            "number of contracts for whose items only codes and totals are known, but not the \
             names, units and prices; a contract with several suppliers counts once for each",
        ),
    }))
}

/// The schema of an object that has exactly these properties, all required.
fn object(properties: Value) -> Value {
    let required: Vec<_> = properties
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn about_example() -> Value {
    json!({
        "name": env!("CARGO_PKG_NAME"),
        "version": env!("CARGO_PKG_VERSION"),
        "demo": true,
        "dataUpdated": "2026-01-12T06:00:00Z",
        "contractsUpdated": "2026-01-12T06:00:00Z",
        "registriesAsOf": "2026-01-11",
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
        "unread": [{
            "federalLaw": "44",
            "number": "РНП.960512-26",
            "archive": "2026-01-11.zip",
            "entry": "unfairSupplier2022_960512.xml",
        }],
        "contractsWithoutItems": 0,
    })
}
