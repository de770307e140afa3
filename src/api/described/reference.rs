//! The reference at `/docs`, generated from the same tables as the OpenAPI document. It has no
//! inline styles and loads one script, `web/docs.js`. Without JavaScript, the only difference is
//! that the curl commands do not show the server's own address.

use maud::{Markup, html};

use super::super::endpoints::{Endpoint, Group};
use super::super::error::{ErrorKind, MAX_FILE_ROWS, MAX_LIMIT};
use super::super::request::parameter::{DEFAULT_LIMIT, ParameterRow, Values};
use super::examples::{curl, indented_json, indented_xml};
use super::openapi_responses::error_body;
use crate::manual;
use crate::model::Language;
use crate::render::schema::tree::{Field, FieldKind, ValueKind};
use crate::render::schema::{Answer, AnswerSchema};
use crate::render::{Format, Root};

/// Each group is a section.
const GROUPS: [Group; 4] = [Group::Contracts, Group::Purchases, Group::Rnp, Group::Data];

/// Field names are indented by at most this many steps. `docs.css` has a class for each step.
const MOST_STEPS: usize = 8;

pub fn document(language: Language) -> String {
    let title = language.pick("Справочник API", "API reference");
    let body = html! {
        header {
            h1 { (title) }
            (manual::languages(language))
        }
        nav aria-label=(language.pick("Содержание", "Contents")) { (contents(language)) }
        main id="main" {
            (introduction(language))
            @for group in GROUPS { (endpoints(language, group)) }
            (errors(language))
            (service(language))
        }
    };
    manual::frame(language, title, Some("docs.js"), body)
}

fn errors_title(language: Language) -> &'static str {
    language.pick("Ошибки", "Errors")
}

fn contents(language: Language) -> Markup {
    html! {
        ul {
            @for group in GROUPS {
                li {
                    a href={ "#" (group.name()) } { (group.title().to(language)) }
                    ul {
                        @for one in in_group(group) {
                            li { a href={ "#" (one.id) } { (one.title.to(language)) } }
                        }
                    }
                }
            }
            li { a href="#errors" { (errors_title(language)) } }
            li {
                a href={ "#" (Group::Service.name()) } { (Group::Service.title().to(language)) }
            }
        }
    }
}

fn in_group(group: Group) -> impl Iterator<Item = &'static Endpoint> {
    let all = Endpoint::ALL.into_iter();
    all.filter(move |endpoint| endpoint.group == group)
}

fn introduction(language: Language) -> Markup {
    html! {
        p { (language.pick(
            "Контракты поставщиков по 44-ФЗ, карточки закупок и реестр недобросовестных поставщиков. Справочник и ответы составлены по одной и той же таблице полей.",
            "Contracts of suppliers under 44-FZ, cards of purchases, and the registry of unfair \
             suppliers. This reference is generated from the same tables as the answers.",
        )) }
        ul.links {
            li { a href="/openapi.json" { (language.pick("OpenAPI 3.1: описание для программ", "\
                 OpenAPI 3.1 document for programs")) } }
            li { a href={ "/docs/?lang=" (language.code()) } { (language.pick("Руководство", "The manual")) } }
            li { a href={ "/docs/api?lang=" (language.code()) } { (language.pick("Ключ, параметры, форматы и пустые значения: глава руководства", "\
                 Manual: key, parameters, formats and empty values")) } }
            li { a href="/" { (language.pick("Страница поиска", "The lookup page")) } }
        }
    }
}

fn endpoints(language: Language, group: Group) -> Markup {
    html! {
        section id=(group.name()) {
            h2 { (group.title().to(language)) }
            @for endpoint in in_group(group) { (operation(language, endpoint)) }
        }
    }
}

fn operation(language: Language, endpoint: &Endpoint) -> Markup {
    let names = [
        language.pick("Параметр", "Parameter"),
        language.pick("Значения", "Values"),
        language.pick("По умолчанию", "Default"),
        language.pick("Смысл", "Meaning"),
    ];
    html! {
        section id=(endpoint.id) {
            h3 { (endpoint.title.to(language)) }
            p.call { code { "GET " (endpoint.path) } }
            p { (endpoint.text.to(language)) }
            (lines(&curl(endpoint)))
            h4 { (language.pick("Параметры", "Parameters")) }
            (table(&names, html! {
                @for one in endpoint.parameters() { (parameter(language, one)) }
            }))
            @for one in endpoint.schemas() {
                h4 { (answer_title(language, one)) }
                (self::answer_parts(language, one))
            }
            h4 { (errors_title(language)) }
            (errors_table(language, Some(endpoint), endpoint.errors()))
        }
    }
}

fn parameter(language: Language, parameter: &ParameterRow) -> Markup {
    html! {
        tr {
            td { code { (parameter.name) } }
            td { (values(language, parameter.values)) }
            td { (default(language, parameter)) }
            td {
                (parameter.meaning.to(language))
                @if let Some(alias) = parameter.alias {
                    (language.pick(" Допустимо и написание ", " Also spelt ")) (alias) "."
                }
            }
        }
    }
}

fn values(language: Language, values: Values) -> String {
    match values {
        Values::Pattern(pattern, _) | Values::Lines(pattern, _) => pattern.to_owned(),
        Values::OneOf(_, all) => all.join(", "),
        Values::SomeOf(all) => {
            let before = language.pick("через запятую: ", "separated by commas: ");
            [before, &all.join(", ")].concat()
        }
        Values::List(_, most) => {
            let before = language.pick("через запятую, до ", "separated by commas, up to ");
            [before, &most.to_string()].concat()
        }
        Values::Rows => format!("0…{MAX_LIMIT}; CSV, XLSX: 0…{MAX_FILE_ROWS}"),
        Values::Whole(None, _) => language
            .pick("целое число от 0", "a whole number from 0 on")
            .to_owned(),
        Values::Whole(Some(most), _) => ["0…", &most.to_string()].concat(),
        Values::Day => "YYYY-MM-DD".to_owned(),
        Values::Amount => language
            .pick("сумма: 2500000.50", "an amount: 2500000.50")
            .to_owned(),
        Values::Switch => "0, 1".to_owned(),
    }
}

fn default(language: Language, parameter: &ParameterRow) -> String {
    match parameter.values {
        Values::OneOf(_, all) => all.first().map(ToString::to_string).unwrap_or_default(),
        Values::Whole(_, default) => default.to_string(),
        Values::Rows => format!("{DEFAULT_LIMIT}; CSV, XLSX: {MAX_FILE_ROWS}"),
        Values::Switch => "0".to_owned(),
        _ if parameter.is_required => language.pick("обязателен", "required").to_owned(),
        _ => String::new(),
    }
}

fn answer_title(language: Language, answer: &AnswerSchema) -> Markup {
    html! { (language.pick("Ответ: ", "Answer: ")) (answer.name) }
}

/// Links to the schemas, an example in each format, and the table of fields. There are two tables
/// if the fields of XML and JSON differ.
fn answer_parts(language: Language, answer: &AnswerSchema) -> Markup {
    let csv = answer.csv_example.trim_start_matches('\u{feff}').to_owned();
    let examples = [
        ("XML", indented_xml(&answer.xml_example)),
        ("JSON", indented_json(&answer.json_example)),
        ("CSV", csv),
    ];
    html! {
        ul.links {
            @for (kind, ending) in [("XSD", ".xsd"), ("JSON Schema", ".schema.json")] {
                li { a href={ "/schemas/" (answer.file) (ending) } { (kind) ": " (answer.file) (ending) } }
            }
        }
        @for (format, text) in &examples {
            details {
                summary { (language.pick("Пример: ", "Example: ")) (format) }
                (lines(text))
            }
        }
        @if answer.has_two_lists() {
            p { (language.pick("Поля в XML:", "Fields in XML:")) }
            (fields_table(language, answer, &answer.xml))
            p { (language.pick("Поля в JSON:", "Fields in JSON:")) }
        }
        (fields_table(language, answer, &answer.json))
    }
}

fn fields_table(language: Language, answer: &AnswerSchema, fields: &[Field]) -> Markup {
    let names = [
        language.pick("Поле", "Field"),
        language.pick("Тип", "Type"),
        language.pick("Значение", "Value"),
        language.pick("Смысл", "Meaning"),
    ];
    table(&names, field_rows(language, answer, fields, 0))
}

/// Nested fields follow their parent, indented one step further.
fn field_rows(language: Language, answer: &AnswerSchema, fields: &[Field], depth: usize) -> Markup {
    let step = (depth > 0).then(|| ["step", &depth.min(MOST_STEPS).to_string()].concat());
    html! {
        @for field in fields {
            @let (within, item) = field.within();
            tr {
                td class=[step.as_deref()] {
                    code { (field.name) @if let Some(item) = item { "/" (item) } }
                }
                td { (kind(language, answer, field)) }
                td { (emptiness(language, field)) }
                td { (field.meaning.words.to(language)) }
            }
            (field_rows(language, answer, within, depth + 1))
        }
    }
}

fn emptiness(language: Language, field: &Field) -> &'static str {
    let may_be_empty = language.pick("может быть пустым", "may be empty");
    match &field.kind {
        _ if field.is_omitted => language.pick("может не быть", "may be omitted"),
        FieldKind::Object(_) => "",
        FieldKind::List(_) | FieldKind::Items(_) => may_be_empty,
        _ if field.meaning.is_filled => language.pick("всегда есть", "always there"),
        _ => may_be_empty,
    }
}

fn kind(language: Language, answer: &AnswerSchema, field: &Field) -> String {
    let words = match &field.kind {
        FieldKind::Object(_) => language.pick("объект", "object"),
        FieldKind::List(_) | FieldKind::Items(_) => language.pick("список", "list"),
        FieldKind::Value(kind) => match kind {
            ValueKind::Text(None) => language.pick("текст", "text"),
            ValueKind::Text(Some(form)) => {
                return [language.pick("текст ", "text "), form].concat();
            }
            ValueKind::Code(codes) => return codes.join(", "),
            ValueKind::Date if answer.has_iso_days() => {
                language.pick("дата YYYY-MM-DD", "date YYYY-MM-DD")
            }
            ValueKind::Date => language.pick("дата DD.MM.YYYY", "date DD.MM.YYYY"),
            ValueKind::Moment => language.pick(
                "дата DD.MM.YYYY, может быть со временем HH:MM",
                "date DD.MM.YYYY, possibly with a time HH:MM",
            ),
            ValueKind::Amount => language.pick("десятичное число", "decimal number"),
            ValueKind::Whole => language.pick("целое число", "whole number"),
            ValueKind::Flag => "true, false",
        },
    };
    words.to_owned()
}

/// The table of an endpoint's errors, or of those that occur outside endpoints.
fn errors_table(
    language: Language,
    endpoint: Option<&Endpoint>,
    errors: impl IntoIterator<Item = ErrorKind>,
) -> Markup {
    let root = endpoint.map_or(Root::Data, |endpoint| endpoint.root);
    let has_statuses = endpoint.is_some_and(|endpoint| endpoint.has_statuses);
    let names = [
        "HTTP",
        language.pick("Тело в JSON", "JSON body"),
        language.pick("Что значит и что делать", "Meaning and remedy"),
    ];
    let rows = html! {
        @for (kind, row) in errors.into_iter().map(|kind| (kind, kind.row())) {
            tr {
                td { code { (kind.status(has_statuses)) } }
                td { code { (error_body(kind, root, Format::Json)) } }
                td { (row.meaning.to(language)) " " (row.remedy.to(language)) }
            }
        }
    };
    table(&names, rows)
}

fn errors(language: Language) -> Markup {
    html! {
        section id="errors" {
            h2 { (errors_title(language)) }
            p { (language.pick(
                "Ошибка указана в поле error, перед которым может стоять code, и приходит в запрошенном формате. На путях с параметром errors она приходит со статусом HTTP 200, если не задано errors=http; на остальных путях — со своим статусом HTTP.",
                "An answer with an error has the field error, and often a code, in the requested \
                 format. Endpoints with the parameter errors answer errors in the request with \
                 HTTP 200, unless errors=http is given. All other endpoints use HTTP statuses.",
            )) }
            (errors_table(language, None, [ErrorKind::UnknownPath, ErrorKind::WrongMethod]))
            @if let Some(error) = Answer::Error.schema() {
                h3 { (answer_title(language, error)) }
                (answer_parts(language, error))
            }
        }
    }
}

fn service(language: Language) -> Markup {
    let links = [
        (
            "/about.json",
            language.pick("Что это за сервис", "About the service"),
        ),
        (
            "/openapi.json",
            language.pick(
                "Описание для программ, OpenAPI 3.1; ?lang=ru — по-русски",
                "OpenAPI 3.1 document for programs; in Russian with ?lang=ru",
            ),
        ),
        ("/docs", language.pick("Этот справочник", "This reference")),
        ("/docs/", language.pick("Руководство", "The manual")),
        ("/", language.pick("Страница поиска", "The lookup page")),
    ];
    // Links to the manual and to the reference keep the language of the current page.
    let query = |path: &str| match path {
        "/docs" | "/docs/" => ["?lang=", language.code()].concat(),
        _ => String::new(),
    };
    let signing_key = language.pick(
        "Открытый ключ для проверки подписи сервера, если он подписывает ответы",
        "Public key for verifying receipts, if the server signs answers",
    );
    html! {
        section id=(Group::Service.name()) {
            h2 { (Group::Service.title().to(language)) }
            ul.links {
                @for (path, words) in links {
                    li { a href={ (path) (query(path)) } { (path) ": " (words) } }
                }
                // This is not a link, because it would be dead on servers without a signing key.
                li { "/signing-key.pem: " (signing_key) }
            }
        }
    }
}

/// The block is focusable so that it can be scrolled with the keyboard.
fn lines(text: &str) -> Markup {
    html! { pre tabindex="0" { code { (text) } } }
}

/// The table is focusable so that it can be scrolled with the keyboard.
fn table(names: &[&str], rows: Markup) -> Markup {
    html! {
        div.table tabindex="0" {
            table {
                thead { tr { @for name in names { th scope="col" { (name) } } } }
                tbody { (rows) }
            }
        }
    }
}
