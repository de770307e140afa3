//! Fields as JSON members.

use memchr::memchr2_iter;

use super::fields::{Collections, Fields, Name, Resource, Root, Rules, Scalars, flag_text};
use crate::model::kept::{Form, Kept};
use crate::model::{Amount, Date, KeptItems, Moment};
use crate::xml;

/// Appends the JSON document of a resource.
pub fn json_document(out: &mut Vec<u8>, root: &Name, rules: Rules, resource: &impl Resource) {
    let mut writer = Json {
        out,
        rules,
        follows: false,
    };
    writer.braces(|writer| match rules.root {
        Root::Bare => resource.tell(writer),
        Root::Wrapped => writer.object(root, |writer| resource.tell(writer)),
    });
}

/// Writes fields as JSON members.
struct Json<'a> {
    out: &'a mut Vec<u8>,
    rules: Rules,
    /// Does a member stand before the next one in its object?
    follows: bool,
}

impl Json<'_> {
    #[inline(always)]
    fn name(&mut self, name: &Name) {
        // Each of a length that is known here, as that is copied many times faster.
        if self.follows {
            self.out.extend_from_slice(name.next.as_bytes());
        } else {
            self.out.extend_from_slice(name.first.as_bytes());
        }
        self.follows = true;
    }

    #[inline(always)]
    fn empty(&mut self) {
        self.out.extend_from_slice(self.rules.empty.as_bytes());
    }

    /// A number or a flag: bare or as a string.
    #[inline(always)]
    fn scalar(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let quoted = self.rules.scalars == Scalars::Strings;
        if quoted {
            self.out.push(b'"');
        }
        write(self.out);
        if quoted {
            self.out.push(b'"');
        }
    }

    /// A text that needs no escaping.
    #[inline(always)]
    fn plain(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.out.push(b'"');
        write(self.out);
        self.out.push(b'"');
    }

    #[inline(always)]
    fn braces(&mut self, fields: impl FnOnce(&mut Self)) {
        self.out.push(b'{');
        self.follows = false;
        fields(self);
        self.follows = true;
        self.out.push(b'}');
    }

    #[inline(always)]
    fn array<T>(&mut self, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.brackets(|writer| {
            for value in items {
                writer.element(|writer| each(writer, value));
            }
        });
    }

    #[inline(always)]
    fn brackets(&mut self, elements: impl FnOnce(&mut Self)) {
        self.out.push(b'[');
        self.follows = false;
        elements(self);
        self.follows = true;
        self.out.push(b']');
    }

    #[inline(always)]
    fn element(&mut self, fields: impl FnOnce(&mut Self)) {
        if self.follows {
            self.out.push(b',');
        }
        self.braces(fields);
    }
}

impl Fields for Json<'_> {
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
    fn date(&mut self, name: &Name, value: Option<Date>) {
        self.name(name);
        match value {
            None => self.empty(),
            Some(date) => {
                let text = self.rules.date(date);
                self.plain(|out| out.extend_from_slice(&text));
            }
        }
    }

    #[inline(always)]
    fn moment(&mut self, name: &Name, value: Option<Moment>) {
        self.name(name);
        match value {
            None => self.empty(),
            Some(moment) => self.plain(|out| moment.write_dotted(out)),
        }
    }

    #[inline(always)]
    fn amount(&mut self, name: &Name, value: Option<Amount>) {
        self.name(name);
        match value {
            None => self.empty(),
            Some(amount) => self.scalar(|out| amount.write_to(out)),
        }
    }

    #[inline(always)]
    fn digits(&mut self, name: &Name, value: &str) {
        self.name(name);
        self.scalar(|out| out.extend_from_slice(value.as_bytes()));
    }

    #[inline(always)]
    fn flag(&mut self, name: &Name, value: Option<bool>) {
        self.name(name);
        match value {
            None => self.empty(),
            Some(_) => self.scalar(|out| out.extend_from_slice(flag_text(value).as_bytes())),
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
        self.brackets(items);
    }

    #[inline(always)]
    fn item(&mut self, _name: &Name, fields: impl FnOnce(&mut Self)) {
        self.element(fields);
    }

    #[inline]
    fn list<T>(&mut self, name: &Name, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.name(name);
        match self.rules.collections {
            Collections::Arrays => self.array(items, each),
            Collections::ObjectsWhereOne if items.is_empty() => self.empty(),
            _ => self.braces(|writer| writer.items(item, items, each)),
        }
    }

    #[inline(always)]
    fn items<T>(&mut self, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.name(item);
        match items {
            [only] if self.rules.collections == Collections::ObjectsWhereOne => {
                self.braces(|writer| each(writer, only));
            }
            _ => self.array(items, each),
        }
    }

    #[inline(always)]
    fn kept(&mut self, name: &Name, value: Kept<'_>) {
        self.name(name);
        if value.is_empty() {
            return self.empty();
        }
        match value.form() {
            Form::Quoted | Form::Any => json_string(self.out, value.bytes()),
            Form::Halves | Form::Plain => self.plain(|out| value.write_to(out)),
        }
    }

    #[inline(always)]
    fn kept_number(&mut self, name: &Name, value: Kept<'_>) {
        self.name(name);
        if value.is_empty() {
            self.empty();
        } else {
            value.write_to(self.out);
        }
    }

    fn kept_items<const N: usize>(
        &mut self,
        name: &Name,
        _item: &Name,
        items: KeptItems<'_, N>,
        each: impl Fn(&mut Self, [Kept<'_>; N]),
    ) {
        self.name(name);
        if items.is_empty() {
            return self.empty();
        }
        self.brackets(|writer| {
            for values in items {
                writer.element(|writer| each(writer, values));
            }
        });
    }
}

/// Appends UTF-8 as a JSON string; only what JSON requires is escaped.
#[inline(never)]
pub fn json_string(out: &mut Vec<u8>, bytes: &[u8]) {
    let is_special = |byte| (byte < b' ') | (byte == b'"') | (byte == b'\\');
    out.push(b'"');
    if xml::any_byte(bytes, is_special) {
        escaped_json(out, bytes);
    } else {
        out.extend_from_slice(bytes);
    }
    out.push(b'"');
}

fn escaped_json(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut written = 0;
    let mut escape = |at: usize, escaped: &[u8]| {
        out.extend_from_slice(&bytes[written..at]);
        out.extend_from_slice(escaped);
        written = at + 1;
    };
    if !xml::any_byte(bytes, |byte| byte < b' ') {
        // Names of companies have quotes: almost always nothing else.
        for at in memchr2_iter(b'"', b'\\', bytes) {
            escape(at, if bytes[at] == b'"' { b"\\\"" } else { b"\\\\" });
        }
    } else {
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                b'"' => escape(at, b"\\\""),
                b'\\' => escape(at, b"\\\\"),
                b'\n' => escape(at, b"\\n"),
                b'\r' => escape(at, b"\\r"),
                b'\t' => escape(at, b"\\t"),
                0x08 => escape(at, b"\\b"),
                0x0c => escape(at, b"\\f"),
                0..=0x1f => escape(at, format!("\\u{byte:04x}").as_bytes()),
                _ => {}
            }
        }
    }
    out.extend_from_slice(&bytes[written..]);
}
