//! Writes records as JSON.

use memchr::memchr2_iter;

use super::fields::{FieldWriter, Name, Record, Rules, Sample, ValueKind};
use crate::model::encoded::{Encoded, EncodedForm};
use crate::xml;

/// Appends a record as a JSON document.
pub fn json_document(out: &mut Vec<u8>, root: &Name, rules: Rules, record: &impl Record) {
    let sample = Sample::Json;
    let mut writer = JsonWriter { out, rules, sample };
    writer.braces(|writer| match rules {
        Rules::Page | Rules::Card44 => record.write(writer),
        Rules::TextCard => writer.object(root, |writer| record.write(writer)),
    });
}

/// Appends a record as a JSON line, without a root. A 44-FZ card gets the fields of both samples
/// (`Sample`).
pub fn json_line(out: &mut Vec<u8>, rules: Rules, record: &impl Record) {
    let sample = Sample::Both;
    let mut writer = JsonWriter { out, rules, sample };
    writer.braces(|writer| record.write(writer));
    out.push(b'\n');
}

struct JsonWriter<'a> {
    out: &'a mut Vec<u8>,
    rules: Rules,
    sample: Sample,
}

impl JsonWriter<'_> {
    #[inline(always)]
    fn name(&mut self, name: &Name) {
        self.out.extend_from_slice(name.member.as_bytes());
    }

    #[inline(always)]
    fn empty(&mut self) {
        self.out.extend_from_slice(self.rules.empty());
    }

    /// Writes a string in which nothing needs escaping.
    #[inline(always)]
    fn plain(&mut self, value: Encoded<'_>) {
        self.out.push(b'"');
        value.write_to(self.out);
        self.out.push(b'"');
    }

    /// Writes a list in brackets. Every part starts with a comma, and the opening bracket then
    /// overwrites the first comma, so no part needs to know whether it is the first.
    #[inline(always)]
    fn enclosed(&mut self, [start, end]: [u8; 2], parts: impl FnOnce(&mut Self)) {
        let at = self.out.len();
        parts(self);
        match self.out.get_mut(at) {
            Some(comma) => *comma = start,
            None => self.out.push(start),
        }
        self.out.push(end);
    }

    #[inline(always)]
    fn braces(&mut self, fields: impl FnOnce(&mut Self)) {
        self.enclosed(*b"{}", fields);
    }

    #[inline(always)]
    fn array<T>(&mut self, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.enclosed(*b"[]", |writer| {
            for value in items {
                writer.out.push(b',');
                writer.braces(|writer| each(writer, value));
            }
        });
    }
}

impl FieldWriter for JsonWriter<'_> {
    #[inline(always)]
    fn rules(&self) -> Rules {
        self.rules
    }

    #[inline(always)]
    fn sample(&self) -> Sample {
        self.sample
    }

    #[inline(always)]
    fn text(&mut self, name: &Name, value: &str) {
        self.name(name);
        if value.is_empty() {
            self.empty();
        } else {
            json_string(self.out, value.as_bytes());
        }
    }

    #[inline(always)]
    fn value(&mut self, name: &Name, kind: ValueKind, write: Option<impl FnOnce(&mut Vec<u8>)>) {
        self.name(name);
        match write {
            None => self.empty(),
            Some(write) if kind.is_typed() && self.rules != Rules::TextCard => write(self.out),
            Some(write) => {
                self.out.push(b'"');
                write(self.out);
                self.out.push(b'"');
            }
        }
    }

    #[inline(always)]
    fn object(&mut self, name: &Name, fields: impl FnOnce(&mut Self)) {
        self.name(name);
        self.braces(fields);
    }

    #[inline(always)]
    fn stream(&mut self, name: &Name, items: impl FnOnce(&mut Self)) {
        self.name(name);
        self.enclosed(*b"[]", items);
    }

    #[inline(always)]
    fn item(&mut self, _name: &Name, fields: impl FnOnce(&mut Self)) {
        self.out.push(b',');
        self.braces(fields);
    }

    #[inline]
    fn list<T>(&mut self, name: &Name, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.name(name);
        match self.rules {
            Rules::Page => self.array(items, each),
            Rules::TextCard if items.is_empty() => self.empty(),
            Rules::Card44 | Rules::TextCard => {
                self.braces(|writer| writer.items(item, items, each));
            }
        }
    }

    #[inline(always)]
    fn items<T>(&mut self, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.name(item);
        match items {
            [only] if self.rules == Rules::TextCard => {
                self.braces(|writer| each(writer, only));
            }
            _ => self.array(items, each),
        }
    }

    #[inline(always)]
    fn encoded(&mut self, name: &Name, value: Encoded<'_>) {
        self.name(name);
        match value.form() {
            _ if value.is_empty() => self.out.extend_from_slice(Rules::Page.empty()),
            EncodedForm::Halves | EncodedForm::Plain => self.plain(value),
            EncodedForm::Quoted => {
                self.out.push(b'"');
                escaped_quotes(self.out, value.bytes());
                self.out.push(b'"');
            }
            EncodedForm::Any => json_string(self.out, value.bytes()),
        }
    }

    #[inline(always)]
    fn encoded_value(&mut self, name: &Name, kind: ValueKind, value: Encoded<'_>) {
        self.name(name);
        if value.is_empty() {
            self.out.extend_from_slice(Rules::Page.empty());
        } else if kind.is_typed() {
            value.write_to(self.out);
        } else {
            self.plain(value);
        }
    }
}

/// Appends UTF-8 as a JSON string. Escapes only what JSON requires.
#[inline(never)]
pub fn json_string(out: &mut Vec<u8>, bytes: &[u8]) {
    let is_special = |byte| (byte < b' ') | (byte == b'"') | (byte == b'\\');
    let is_plain = !xml::any_byte(bytes, is_special);
    if !is_plain && xml::any_byte(bytes, |byte| byte < b' ') {
        let text = String::from_utf8_lossy(bytes);
        // Writing to a `Vec` cannot fail.
        let _ = serde_json::to_writer(out, &text);
        return;
    }
    out.push(b'"');
    if is_plain {
        out.extend_from_slice(bytes);
    } else {
        // Company names contain quotation marks, but hardly ever anything else that needs escaping.
        escaped_quotes(out, bytes);
    }
    out.push(b'"');
}

/// Appends UTF-8 without control characters, escaping quotation marks and backslashes.
fn escaped_quotes(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut written = 0;
    for at in memchr2_iter(b'"', b'\\', bytes) {
        out.extend_from_slice(&bytes[written..at]);
        out.push(b'\\');
        written = at;
    }
    out.extend_from_slice(&bytes[written..]);
}

#[cfg(test)]
mod tests {
    use super::json_string;

    #[test]
    fn each_character_round_trips_even_alone() {
        for letter in ('\0'..='\u{2ff}').chain(['\u{2028}', '\u{ffff}', '\u{1f600}']) {
            let mut out = Vec::new();
            json_string(&mut out, letter.to_string().as_bytes());
            let read: Result<char, _> = serde_json::from_slice(&out);
            assert_eq!(read.ok(), Some(letter));
        }
    }
}
