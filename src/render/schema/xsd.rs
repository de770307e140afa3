//! Writes XML schemas (XSD 1.0). A field is one element, and a missing value is an empty element.

use super::answer_schema::{AMOUNT, Answer, AnswerSchema, written};
use super::tree::{Field, FieldKind, ValueKind};
use crate::model::Language;
use crate::render::answer::Root;
use crate::render::meanings::Meaning;
use crate::xml;

/// Returns the XML schema of an answer. The schema of a purchase card also describes errors,
/// because the endpoint returns both under the same root element.
pub fn document(answer: &AnswerSchema) -> String {
    let mut xsd = Xsd::default();
    let start = [
        ("xmlns:xs", "http://www.w3.org/2001/XMLSchema"),
        ("version", "1.0"),
    ];
    xsd.lines.push_str(xml::DECLARATION);
    xsd.lines.push('\n');
    xsd.within("schema", &start, |xsd| {
        xsd.within("element", &[("name", answer.root())], |xsd| {
            xsd.within("complexType", &[], |xsd| match answer.root {
                Root::Purchase44 | Root::Purchase223 | Root::Purchase615 => {
                    xsd.within("choice", &[], |xsd| {
                        xsd.sequence(answer, &answer.xml);
                        if let Some(error) = Answer::Error.schema() {
                            xsd.sequence(error, &error.xml);
                        }
                    });
                }
                Root::Response | Root::Data => xsd.sequence(answer, &answer.xml),
            });
        });
        xsd.numbers();
    });
    xsd.lines
}

#[derive(Default)]
struct Xsd {
    lines: String,
    depth: usize,
}

impl Xsd {
    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        for _ in 0..self.depth {
            self.lines.push_str("  ");
        }
        self.lines.push_str("<xs:");
        self.lines.push_str(name);
        for (name, value) in attributes {
            self.lines.push(' ');
            self.lines.push_str(name);
            self.lines.push_str("=\"");
            self.lines.push_str(&escaped(value).replace('"', "&quot;"));
            self.lines.push('"');
        }
    }

    fn close(&mut self, name: &str) {
        self.lines.push_str("</xs:");
        self.lines.push_str(name);
        self.lines.push_str(">\n");
    }

    fn within(&mut self, name: &str, attributes: &[(&str, &str)], parts: impl FnOnce(&mut Self)) {
        self.open(name, attributes);
        self.lines.push_str(">\n");
        self.depth += 1;
        parts(self);
        self.depth -= 1;
        for _ in 0..self.depth {
            self.lines.push_str("  ");
        }
        self.close(name);
    }

    fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.open(name, attributes);
        self.lines.push_str("/>\n");
    }

    fn meaning(&mut self, meaning: &Meaning) {
        self.within("annotation", &[], |xsd| {
            for language in Language::ALL {
                xsd.open("documentation", &[("xml:lang", language.code())]);
                xsd.lines.push('>');
                xsd.lines.push_str(&escaped(meaning.words.to(language)));
                xsd.close("documentation");
            }
        });
    }

    fn sequence(&mut self, answer: &AnswerSchema, fields: &[Field]) {
        self.within("sequence", &[], |xsd| {
            for field in fields {
                xsd.field(answer, field);
            }
        });
    }

    fn field(&mut self, answer: &AnswerSchema, field: &Field) {
        let mut attributes = vec![("name", field.name)];
        if field.is_omitted {
            attributes.push(("minOccurs", "0"));
        }
        if matches!(field.kind, FieldKind::Items(_)) {
            attributes.extend([("minOccurs", "0"), ("maxOccurs", "unbounded")]);
        }
        if let FieldKind::Value(kind) = field.kind {
            let is_filled = field.meaning.is_filled;
            let simple_type = match kind {
                ValueKind::Text(None) if !is_filled => Some("xs:string"),
                ValueKind::Amount if is_filled => Some("amount"),
                ValueKind::Amount => Some("amountOrNone"),
                ValueKind::Whole if is_filled || field.is_omitted => Some("whole"),
                ValueKind::Whole => Some("wholeOrNone"),
                _ => None,
            };
            attributes.extend(simple_type.map(|name| ("type", name)));
        }
        self.within("element", &attributes, |xsd| {
            xsd.meaning(field.meaning);
            match &field.kind {
                FieldKind::Object(fields) | FieldKind::Items(fields) => {
                    xsd.within("complexType", &[], |xsd| xsd.sequence(answer, fields));
                }
                FieldKind::List(list) => xsd.list(answer, list.item, &list.fields),
                FieldKind::Value(kind) => {
                    xsd.restriction(answer, *kind, field.meaning.is_filled);
                }
            }
        });
    }

    fn list(&mut self, answer: &AnswerSchema, item: &str, fields: &[Field]) {
        let several = [
            ("name", item),
            ("minOccurs", "0"),
            ("maxOccurs", "unbounded"),
        ];
        self.within("complexType", &[], |xsd| {
            xsd.within("sequence", &[], |xsd| {
                xsd.within("element", &several, |xsd| {
                    xsd.within("complexType", &[], |xsd| xsd.sequence(answer, fields));
                });
            });
        });
    }

    fn restriction(&mut self, answer: &AnswerSchema, kind: ValueKind, is_filled: bool) {
        match (kind, answer.pattern(kind)) {
            // The named types written by `numbers` describe these kinds.
            (ValueKind::Amount | ValueKind::Whole, _) => {}
            (ValueKind::Code(codes), _) => self.among(codes, is_filled),
            (ValueKind::Flag, _) => self.among(&["true", "false"], is_filled),
            (_, Some(pattern)) if is_filled => self.facets(&[("pattern", pattern)]),
            (_, Some(pattern)) => self.facets(&[("pattern", &["(", pattern, ")?"].concat())]),
            (ValueKind::Text(None), None) if is_filled => self.facets(&[("minLength", "1")]),
            (_, None) => {}
        }
    }

    fn among(&mut self, values: &[&str], is_filled: bool) {
        let none = (!is_filled).then_some("");
        let values = values.iter().copied().chain(none);
        let facets: Vec<_> = values.map(|value| ("enumeration", value)).collect();
        self.facets(&facets);
    }

    fn facets(&mut self, facets: &[(&str, &str)]) {
        self.within("simpleType", &[], |xsd| xsd.restricted(facets));
    }

    fn restricted(&mut self, facets: &[(&str, &str)]) {
        self.within("restriction", &[("base", "xs:string")], |xsd| {
            for (name, value) in facets {
                xsd.empty(name, &[("value", value)]);
            }
        });
    }

    /// Writes the named types for numbers, each with a variant for numbers that may be missing. The
    /// types are strings with a pattern, because amounts have up to 28 significant digits and XSD
    /// 1.0 guarantees only 18 for decimals.
    fn numbers(&mut self) {
        for (name, pattern) in [
            ("amount", AMOUNT),
            ("amountOrNone", &["(", AMOUNT, ")?"].concat()),
            ("whole", "[0-9]+"),
            ("wholeOrNone", "[0-9]*"),
        ] {
            self.within("simpleType", &[("name", name)], |xsd| {
                xsd.restricted(&[("pattern", pattern)]);
            });
        }
    }
}

fn escaped(text: &str) -> String {
    written(|out| xml::text(out, text))
}
