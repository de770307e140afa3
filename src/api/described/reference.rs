//! The reference to read, of the same tables as the OpenAPI document.

use std::iter;

use super::responses::error_body;
use crate::api::endpoint::{Endpoint, Group};
use crate::api::error::Failure;
use crate::api::parameter::{Parameter, Values};
use crate::api::words::Words;
use crate::model::Language;
use crate::render::schema::tree::{Field, FieldKind};
use crate::render::schema::{AnswerSchema, answer};
use crate::render::{Format, Root};
use crate::web::reference::{Block, Cell, Part, Reference, Row};

/// Where the curl lines ask; in a browser, where the reference came from (`web/docs.js`).
const BASE: &str = "http://127.0.0.1:8044";

/// The reference in a language.
pub fn reference(language: Language) -> Reference {
    let writer = Writer { language };
    let groups = Group::ALL
        .into_iter()
        .filter(|group| *group != Group::Service);
    let asked = iter::once(writer.asking());
    let parts = asked.chain(groups.map(|group| writer.group(group)));
    Reference {
        language,
        title: writer.say(Words("Справочник API", "API reference")),
        contents: language.pick("Содержание", "Contents"),
        start: writer.start(),
        parts: parts.chain([writer.errors(), writer.open()]).collect(),
    }
}

struct Writer {
    language: Language,
}

fn words(text: impl Into<String>) -> Cell {
    Cell::Words(text.into())
}

fn code(text: impl Into<String>) -> Cell {
    Cell::Code(text.into())
}

fn row(cells: Vec<Cell>) -> Row {
    Row { depth: 0, cells }
}

impl Writer {
    fn say(&self, words: Words) -> String {
        words.to(self.language).to_owned()
    }

    fn text(&self, russian: &'static str, english: &'static str) -> Block {
        Block::Text(self.say(Words(russian, english)))
    }

    fn names(&self, names: &[Words]) -> Vec<String> {
        names.iter().map(|name| self.say(*name)).collect()
    }

    fn start(&self) -> Vec<Block> {
        vec![
            self.text(
                "Контракты поставщиков по 44-ФЗ, карточки закупок и реестр недобросовестных поставщиков. Всё ниже сделано из той же таблицы полей, что и сами ответы.",
                "Contracts of suppliers under 44-FZ, cards of purchases, and the registry of unfair suppliers. All below is made from the same table of fields as the answers themselves.",
            ),
            Block::Links(vec![
                ("/openapi.json".to_owned(), self.say(Words("OpenAPI 3.1: описание для программ", "OpenAPI 3.1: the description for programs"))),
                ("/".to_owned(), self.say(Words("Страница поиска", "The lookup page"))),
            ]),
        ]
    }

    fn part(&self, id: &str, title: Words, blocks: Vec<Block>) -> Part {
        Part {
            id: id.to_owned(),
            title: self.say(title),
            blocks,
            parts: Vec::new(),
        }
    }

    /// What holds for all endpoints.
    fn asking(&self) -> Part {
        let blocks = vec![
            self.text(
                "Только GET и HEAD. Ключ передают в заголовке X-API-Key или Authorization: Bearer, или в параметре apikey (или api_key). С демонстрационными данными подходит ключ demo.",
                "GET and HEAD only. The key comes in the header X-API-Key or Authorization: Bearer, or in the parameter apikey (or api_key). With the demonstration data the key demo is valid.",
            ),
            self.text(
                "Значения — в UTF-8 и процентном кодировании. Пробелы вокруг значения не учитываются, пустое значение — то же, что его отсутствие, неизвестные параметры не учитываются. Параметр, указанный дважды по-разному, — ошибка.",
                "Values are percent-encoded UTF-8. White space around a value is dropped, an empty value counts as missing, unknown parameters are ignored. A parameter given twice with values that differ is an error.",
            ),
            self.text(
                "Суммы — точные десятичные числа, до 28 значащих цифр. У ответов с данными есть ETag: пришлите его в If-None-Match, и неизменившийся ответ придёт как 304 без тела. X-Data-Updated говорит, когда загрузка в последний раз что-то изменила.",
                "Amounts are exact decimals of up to 28 significant digits. Answers with data carry an ETag: send it back in If-None-Match, and an answer that is still the same comes as a 304 without a body. X-Data-Updated says when an import last changed anything.",
            ),
            Block::Heading(self.say(Words("Пустые значения", "Empty values"))),
            Block::Table(
                self.names(&[Words("Где", "Where"), Words("Пустое значение", "Empty value"), Words("Список", "List"), Words("Дата", "Date")]),
                vec![
                    row(vec![words("XML"), code("<name/>"), code("<items><item/></items>"), words(self.say(Words("как в JSON того же ответа", "as in the JSON of the same answer")))]),
                    row(vec![words(self.say(Words("JSON: контракты, РНП", "JSON: contracts, RNP"))), code("null"), code("\"items\":[…]"), code("2025-12-31")]),
                    row(vec![words(self.say(Words("JSON: закупка по 44-ФЗ", "JSON: purchase 44-FZ"))), code("null"), code("\"items\":{\"item\":[…]}"), code("31.12.2025")]),
                    row(vec![words(self.say(Words("JSON: закупки по 223-ФЗ и ПП РФ № 615; все значения — строки", "JSON: purchases 223-FZ and PP-615; all values are strings"))), code("\"\""), code("\"items\":{\"item\":{…}}"), code("31.12.2025")]),
                ],
            ),
            self.text(
                "В последнем случае один элемент списка — объект, несколько — массив, ни одного — пустая строка.",
                "In the last one, one item of a list is an object, several are an array, none is an empty string.",
            ),
        ];
        self.part(
            "requests",
            Words("Запросы и ответы", "Requests and answers"),
            blocks,
        )
    }

    fn group(&self, group: Group) -> Part {
        let endpoints = Endpoint::ALL.into_iter();
        let endpoints = endpoints.filter(|endpoint| endpoint.group == group);
        Part {
            parts: endpoints.map(|endpoint| self.operation(endpoint)).collect(),
            ..self.part(group.name(), group.title(), Vec::new())
        }
    }

    fn operation(&self, endpoint: &Endpoint) -> Part {
        let parameters = endpoint.parameters;
        let rows = parameters.iter().map(|one| self.parameter(one)).collect();
        let mut blocks = vec![
            Block::Call(["GET ", endpoint.path].concat()),
            Block::Text(self.say(endpoint.text)),
            Block::Code(curl(endpoint)),
            Block::Heading(self.say(Words("Параметры", "Parameters"))),
            Block::Table(
                self.names(&[
                    Words("Параметр", "Parameter"),
                    Words("Значения", "Values"),
                    Words("По умолчанию", "Default"),
                    Words("Смысл", "Meaning"),
                ]),
                rows,
            ),
        ];
        for one in endpoint.schemas() {
            blocks.extend(self.answer(one));
        }
        blocks.push(Block::Heading(self.say(Words("Ошибки", "Errors"))));
        let has_statuses = endpoint.group.has_statuses();
        blocks.push(self.failures(endpoint.root, has_statuses, &endpoint.failures()));
        self.part(endpoint.id, endpoint.title, blocks)
    }

    fn parameter(&self, parameter: &Parameter) -> Row {
        let mut meaning = self.say(parameter.meaning);
        if let Some(alias) = parameter.alias {
            let also = Words(" Допустимо и написание ", " The spelling is also ");
            meaning.push_str(&[&self.say(also), alias, "."].concat());
        }
        let default = match parameter.values {
            Values::OneOf(_, all) => all.first().map_or(String::new(), |one| (*one).to_owned()),
            Values::Whole(_, default) => default.to_string(),
            _ if parameter.required.is_some() => self.say(Words("обязателен", "required")),
            _ => String::new(),
        };
        row(vec![
            code(parameter.name),
            words(self.values(parameter.values)),
            words(default),
            words(meaning),
        ])
    }

    fn values(&self, values: Values) -> String {
        match values {
            Values::Pattern(pattern) => pattern.to_owned(),
            Values::OneOf(_, all) => all.join(", "),
            Values::SomeOf(all) => [
                &self.say(Words("через запятую: ", "with commas between: ")),
                all.join(", ").as_str(),
            ]
            .concat(),
            Values::List(_, most) => [
                &self.say(Words("через запятую, до ", "with commas between, up to ")),
                most.to_string().as_str(),
            ]
            .concat(),
            Values::Whole(None, _) => {
                self.say(Words("целое число от 0", "a whole number from 0 on"))
            }
            Values::Whole(Some(most), _) => ["0…", most.to_string().as_str()].concat(),
            Values::Day => "YYYY-MM-DD".to_owned(),
        }
    }

    fn answer(&self, answer: &AnswerSchema) -> Vec<Block> {
        let title = [&self.say(Words("Ответ: ", "AnswerSchema: ")), answer.name].concat();
        let example = |kind: &str| [&self.say(Words("Пример: ", "Example: ")), kind].concat();
        let schema = |ending: &str, kind: &str| {
            (
                ["/schemas/", answer.file, ending].concat(),
                [kind, ": ", answer.file, ending].concat(),
            )
        };
        let mut blocks = vec![
            Block::Heading(title),
            Block::Links(vec![
                schema(".xsd", "XSD"),
                schema(".schema.json", "JSON Schema"),
            ]),
            Block::Example(example("XML"), indented(&answer.xml_example)),
            Block::Example(example("JSON"), pretty(&answer.json_example)),
            Block::Example(
                example("CSV"),
                answer.csv_example.trim_start_matches('\u{feff}').to_owned(),
            ),
        ];
        if answer.has_two_lists() {
            blocks.push(self.text("Поля в XML:", "Fields in XML:"));
            blocks.push(self.fields(answer, &answer.xml));
            blocks.push(self.text("Поля в JSON:", "Fields in JSON:"));
        }
        blocks.push(self.fields(answer, &answer.json));
        blocks
    }

    fn fields(&self, answer: &AnswerSchema, fields: &[Field]) -> Block {
        let mut rows = Vec::new();
        self.add_fields(answer, fields, 0, &mut rows);
        let names = [
            Words("Поле", "Field"),
            Words("Тип", "Type"),
            Words("Значение", "Value"),
            Words("Смысл", "Meaning"),
        ];
        Block::Table(self.names(&names), rows)
    }

    fn add_fields(
        &self,
        answer: &AnswerSchema,
        fields: &[Field],
        depth: usize,
        rows: &mut Vec<Row>,
    ) {
        for field in fields {
            let name = field.within().1.map_or_else(
                || field.name.to_owned(),
                |item| [field.name, "/", item].concat(),
            );
            rows.push(Row {
                depth,
                cells: vec![
                    code(name),
                    words(self.kind(answer, field)),
                    words(self.emptiness(field)),
                    words(field.meaning.text(self.language)),
                ],
            });
            self.add_fields(answer, field.within().0, depth + 1, rows);
        }
    }

    fn emptiness(&self, field: &Field) -> String {
        match &field.kind {
            _ if field.is_omitted => self.say(Words("может не быть", "may be left out")),
            FieldKind::Object(_) => String::new(),
            FieldKind::List(_) | FieldKind::Items(_) => {
                self.say(Words("может быть пустым", "may be empty"))
            }
            _ if field.meaning.is_filled => self.say(Words("всегда есть", "always there")),
            _ => self.say(Words("может быть пустым", "may be empty")),
        }
    }

    fn kind(&self, answer: &AnswerSchema, field: &Field) -> String {
        match &field.kind {
            FieldKind::Text(None) => self.say(Words("текст", "text")),
            FieldKind::Text(Some(form)) => [&self.say(Words("текст ", "text ")), *form].concat(),
            FieldKind::Code(codes) => codes.join(", "),
            FieldKind::Date if answer.has_iso_days() => {
                self.say(Words("дата YYYY-MM-DD", "date YYYY-MM-DD"))
            }
            FieldKind::Date => self.say(Words("дата DD.MM.YYYY", "date DD.MM.YYYY")),
            FieldKind::Moment => self.say(Words(
                "дата DD.MM.YYYY, может быть со временем HH:MM",
                "date DD.MM.YYYY, perhaps with a time HH:MM",
            )),
            FieldKind::Amount => self.say(Words("десятичное число", "decimal number")),
            FieldKind::Whole => self.say(Words("целое число", "whole number")),
            FieldKind::Flag => "true, false".to_owned(),
            FieldKind::Object(_) => self.say(Words("объект", "object")),
            FieldKind::List(_) | FieldKind::Items(_) => self.say(Words("список", "list")),
        }
    }

    fn failures(&self, root: Root, has_statuses: bool, all: &[Failure]) -> Block {
        let failure = |failure: &Failure| {
            let one = failure.row();
            let body = error_body(failure, root, Format::Json);
            let meaning = [self.say(one.meaning), self.say(one.remedy)].join(" ");
            row(vec![
                code(one.status(has_statuses).to_string()),
                code(body),
                words(meaning),
            ])
        };
        let names = [
            Words("HTTP", "HTTP"),
            Words("Тело в JSON", "Body in JSON"),
            Words("Что значит и что делать", "What it means, and what to do"),
        ];
        Block::Table(self.names(&names), all.iter().map(failure).collect())
    }

    fn errors(&self) -> Part {
        let mut blocks = vec![
            self.text(
                "Ошибка — это поле error, перед ним бывает code. Она приходит в том формате, который запрошен. Контракты и закупки отвечают HTTP 200 и на ошибки запроса, РНП — статусом HTTP.",
                "An error is the field error, before which there may be a code. It comes in the format that was asked for. Contracts and purchases answer errors of the request with HTTP 200, the RNP with a status of HTTP.",
            ),
            self.failures(Root::Data, false, &[Failure::UnknownPath, Failure::WrongMethod]),
        ];
        if let Some(error) = answer("Error") {
            blocks.extend(self.answer(error));
        }
        self.part("errors", Words("Ошибки", "Errors"), blocks)
    }

    fn open(&self) -> Part {
        let links = [
            (
                "/about.json",
                Words("Что это за сервис", "What the service is"),
            ),
            (
                "/openapi.json",
                Words(
                    "Описание для программ, OpenAPI 3.1; ?lang=ru — по-русски",
                    "The description for programs, OpenAPI 3.1; in Russian by ?lang=ru",
                ),
            ),
            ("/docs", Words("Этот справочник", "This reference")),
            ("/", Words("Страница поиска", "The lookup page")),
        ];
        let link = |(path, words): (&str, Words)| {
            (path.to_owned(), [path, ": ", &self.say(words)].concat())
        };
        self.part(
            Group::Service.name(),
            Group::Service.title(),
            vec![Block::Links(links.into_iter().map(link).collect())],
        )
    }
}

/// A line that asks for an example, of the demonstration data.
fn curl(endpoint: &Endpoint) -> String {
    let shown = endpoint
        .parameters
        .iter()
        .filter(|one| one.required.is_some() || one.name == "format");
    let mut pairs: Vec<_> = shown
        .map(|one| [one.name, "=", one.example].concat())
        .collect();
    pairs.reverse();
    let query = pairs.join("&");
    [
        "curl -H 'X-API-Key: demo' '",
        BASE,
        endpoint.path,
        "?",
        &query,
        "'",
    ]
    .concat()
}

fn pretty(json: &str) -> String {
    let value: Option<serde_json::Value> = serde_json::from_str(json).ok();
    value.map_or_else(|| json.to_owned(), |value| super::pretty(&value))
}

/// XML of the program's own with a line for each element that has others in it. `>` stands
/// nowhere but at the end of tags, as texts are escaped.
fn indented(xml: &str) -> String {
    let mut lines = String::new();
    let mut depth: usize = 0;
    // Is the element under way one that has nothing but text up to here?
    let mut is_leaf = false;
    for piece in xml.split_inclusive('>').flat_map(pieces) {
        if !piece.starts_with('<') {
            lines.push_str(piece);
            continue;
        }
        let ends = piece.starts_with("</");
        depth = depth.saturating_sub(usize::from(ends));
        let stays_on_its_line = lines.is_empty() || (ends && is_leaf);
        if !stays_on_its_line {
            lines.push('\n');
            lines.extend(iter::repeat_n("  ", depth));
        }
        lines.push_str(piece);
        is_leaf = !ends && !piece.ends_with("/>") && !piece.starts_with("<?");
        depth += usize::from(is_leaf);
    }
    lines
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let at = text.find('<').unwrap_or(text.len());
    let (before, tag) = text.split_at(at);
    [before, tag].into_iter().filter(|piece| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn xml_gets_a_line_for_each_element() {
        assert_eq!(
            indented("<?xml?><a><b>1</b><c/><d><e>x &lt;</e></d><f></f></a>"),
            "<?xml?>\n<a>\n  <b>1</b>\n  <c/>\n  <d>\n    <e>x &lt;</e>\n  </d>\n  <f></f>\n</a>"
        );
    }
}
