//! JSON Schemas (draft 2020-12) of the answers. `fields.rs` says how the values of each family of
//! answers are written.

use serde_json::{Map, Value, json};

use super::answer_schema::AnswerSchema;
use super::tree::{Field, FieldKind, List, ValueKind};
use crate::model::Language;
use crate::render::fields::Rules;

pub type Schemas = Map<String, Value>;

/// Returns the schema of an answer as a self-contained document.
pub fn document(answer: &AnswerSchema, language: Language) -> Value {
    let mut parts = Schemas::new();
    let root = add(answer, language, "#/$defs/", &mut parts);
    let mut document = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": answer.name,
        "$ref": root.get("$ref"),
    });
    if let Some(members) = document.as_object_mut() {
        members.insert("$defs".to_owned(), Value::Object(parts));
    }
    document
}

/// Adds the schemas of an answer and its parts to `schemas`, and returns a reference to the
/// answer's schema. `at` is the path of `schemas` in the final document, and the start of every
/// reference.
pub fn add(answer: &AnswerSchema, language: Language, at: &str, schemas: &mut Schemas) -> Value {
    let mut writer = SchemaWriter {
        answer,
        language,
        at,
        schemas,
    };
    if answer.is_wrapped() {
        let root = answer.root();
        let card = [answer.name, "Card"].concat();
        let inner = writer.object(card, &answer.json);
        let wrapper = closed(
            Map::from_iter([(root.to_owned(), inner)]),
            vec![root.into()],
        );
        writer.named(answer.name.to_owned(), wrapper)
    } else {
        writer.object(answer.name.to_owned(), &answer.json)
    }
}

struct SchemaWriter<'a> {
    answer: &'a AnswerSchema,
    language: Language,
    at: &'a str,
    schemas: &'a mut Schemas,
}

/// Only the given members are allowed.
fn closed(properties: Map<String, Value>, required: Vec<Value>) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

impl SchemaWriter<'_> {
    fn named(&mut self, name: String, schema: Value) -> Value {
        let target = [self.at, &name].concat();
        debug_assert!(
            self.schemas.get(&name).is_none_or(|there| *there == schema),
            "two schemas are called {name}"
        );
        self.schemas.insert(name, schema);
        json!({ "$ref": target })
    }

    fn object(&mut self, name: String, fields: &[Field]) -> Value {
        let schema = self.members(&name, fields);
        self.named(name, schema)
    }

    fn members(&mut self, name: &str, fields: &[Field]) -> Value {
        let properties = fields.iter();
        let properties = properties.map(|field| (field.name.to_owned(), self.field(name, field)));
        let properties: Map<_, _> = properties.collect();
        let always = fields.iter().filter(|field| !field.is_omitted);
        closed(properties, always.map(|field| field.name.into()).collect())
    }

    fn part(&self, name: &str) -> String {
        let mut letters = name.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        let name: String = first.into_iter().chain(letters).collect();
        [self.answer.prefix, &name].concat()
    }

    fn field(&mut self, within: &str, field: &Field) -> Value {
        let mut schema = match &field.kind {
            FieldKind::Object(fields) => self.fields(within, field.name, fields),
            FieldKind::Items(fields) => self.array(within, field.name, fields, 0),
            FieldKind::List(list) => self.list(within, field.name, list),
            FieldKind::Value(kind) if self.answer.is_wrapped() => {
                string(self.answer, *kind, field.meaning.is_filled)
            }
            FieldKind::Value(kind @ ValueKind::Code(_)) => {
                let code = scalar(self.answer, *kind);
                let code = self.part_of(within, field.name, |_, _| code.clone());
                if field.meaning.is_filled {
                    code
                } else {
                    json!({ "anyOf": [code, { "type": "null" }] })
                }
            }
            FieldKind::Value(kind) => {
                let schema = scalar(self.answer, *kind);
                if field.meaning.is_filled || field.is_omitted {
                    filled(schema, *kind)
                } else {
                    nullable(schema)
                }
            }
        };
        if let Some(members) = schema.as_object_mut() {
            let words = field.meaning.words.to(self.language);
            members.insert("description".to_owned(), words.into());
        }
        schema
    }

    /// Adds the schema of a nested object or of a code. Nested schemas with the same name are
    /// shared if they are identical. Otherwise the later one gets the parent's name as a prefix.
    fn part_of(
        &mut self,
        within: &str,
        name: &str,
        schema: impl Fn(&mut Self, &str) -> Value,
    ) -> Value {
        let short = self.part(name);
        let made = schema(self, &short);
        match self.schemas.get(&short) {
            Some(there) if *there != made => {
                let own = short.trim_start_matches(self.answer.prefix);
                let long = [within, own].concat();
                let made = schema(self, &long);
                self.named(long, made)
            }
            _ => self.named(short, made),
        }
    }

    fn fields(&mut self, within: &str, name: &str, fields: &[Field]) -> Value {
        self.part_of(within, name, |writer, name| writer.members(name, fields))
    }

    fn array(&mut self, within: &str, item: &str, fields: &[Field], least: u8) -> Value {
        let items = self.fields(within, item, fields);
        match least {
            0 => json!({ "type": "array", "items": items }),
            _ => json!({ "type": "array", "items": items, "minItems": least }),
        }
    }

    fn list(&mut self, within: &str, name: &str, list: &List) -> Value {
        let List { item, fields, .. } = list;
        match self.answer.root.rules() {
            Rules::Page if list.is_none_if_empty => nullable(self.array(within, item, fields, 1)),
            Rules::Page => self.array(within, item, fields, 0),
            Rules::Card44 => {
                let items = self.array(within, item, fields, 0);
                self.container(within, name, item, items)
            }
            Rules::TextCard => {
                let one = self.fields(within, item, fields);
                let several = self.array(within, item, fields, 2);
                let items = json!({ "oneOf": [one, several] });
                let container = self.container(within, name, item, items);
                // Client generators try the other alternatives only if the string comes last and
                // states its type, which `const` would not do.
                json!({ "oneOf": [container, { "type": "string", "maxLength": 0 }] })
            }
        }
    }

    /// A list in the cards is an object whose only member is named after the items.
    fn container(&mut self, within: &str, name: &str, item: &str, items: Value) -> Value {
        let properties = Map::from_iter([(item.to_owned(), items)]);
        let schema = closed(properties, vec![item.into()]);
        self.part_of(within, name, |_, _| schema.clone())
    }
}

fn anchored(pattern: &str) -> String {
    ["^(", pattern, ")$"].concat()
}

fn scalar(answer: &AnswerSchema, kind: ValueKind) -> Value {
    match (kind, answer.pattern(kind)) {
        (ValueKind::Code(codes), _) => json!({ "type": "string", "enum": codes }),
        (ValueKind::Amount, _) => json!({ "type": "number" }),
        (ValueKind::Whole, _) => json!({ "type": "integer", "minimum": 0 }),
        (ValueKind::Flag, _) => json!({ "type": "boolean" }),
        (ValueKind::Date, Some(day)) if answer.has_iso_days() => {
            let whole = ["^", day, "$"].concat();
            json!({ "type": "string", "format": "date", "pattern": whole })
        }
        (_, Some(pattern)) => json!({ "type": "string", "pattern": anchored(pattern) }),
        (_, None) => json!({ "type": "string" }),
    }
}

/// Narrows the schema of a field that always has a value. Only texts need it: they must not be
/// empty.
fn filled(mut schema: Value, kind: ValueKind) -> Value {
    if let (ValueKind::Text(None), Some(members)) = (kind, schema.as_object_mut()) {
        members.insert("minLength".to_owned(), 1.into());
    }
    schema
}

fn nullable(mut schema: Value) -> Value {
    if let Some(members) = schema.as_object_mut()
        && let Some(kind) = members.get("type").cloned()
    {
        members.insert("type".to_owned(), json!([kind, "null"]));
    }
    schema
}

/// Returns the schema of a value that is always written as a string, even if it is a number. A
/// missing value is an empty string.
fn string(answer: &AnswerSchema, kind: ValueKind, is_filled: bool) -> Value {
    match answer.pattern(kind) {
        Some(form) if is_filled => json!({ "type": "string", "pattern": anchored(form) }),
        Some(form) => {
            let form = ["(", form, ")?"].concat();
            json!({ "type": "string", "pattern": anchored(&form) })
        }
        None if is_filled => json!({ "type": "string", "minLength": 1 }),
        None => json!({ "type": "string" }),
    }
}
