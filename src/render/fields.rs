//! How a value is written: the rules in which XML and the JSON of the several
//! resources differ, side by side.
//!
//! | rule | XML | JSON: contract page, RNP | JSON: 44 card | JSON: 223 and 615 cards |
//! |---|---|---|---|---|
//! | empty value | `<name/>` | `null` | `null` | `""` |
//! | number, flag | its text | number, `true` | number, `true` | string |
//! | collection of several | `<name><item>…</item>…</name>` | `"name":[…]` | `"name":{"item":[…]}` | `"name":{"item":[…]}` |
//! | of one | the same | `"name":[{…}]` | `"name":{"item":[{…}]}` | `"name":{"item":{…}}` |
//! | of none | `<name/>` | `"name":[]` or `null`, as the field has it | `"name":{"item":[]}` | `"name":""` |
//! | root | an element | bare | bare | wrapped under its name |
//! | date | `YYYY-MM-DD` on the page and RNP, `DD.MM.YYYY` on cards | the same | the same | the same |
//!
//! A resource is described once, as calls of [`Fields`] in the order of the
//! specification's table; [`Xml`] and [`Json`] are the two that listen.

use crate::model::{Amount, Date, Moment};
use crate::xml;

/// The rules of one family of resources: a column, or two, of the table above.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    dates: Dates,
    empty: &'static str,
    scalars: Scalars,
    collections: Collections,
    root: Root,
}

#[derive(Clone, Copy, Debug)]
enum Dates {
    Iso,
    Dotted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scalars {
    Typed,
    Strings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Collections {
    /// `"name":[…]`
    Arrays,
    /// `"name":{"item":[…]}`
    ArraysUnderItemName,
    /// `"name":{"item":…}`, an array only where there are several
    ObjectsWhereOne,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Bare,
    Wrapped,
}

impl Rules {
    /// Contract page, RNP check, and errors.
    pub const PAGE: Self = Self {
        dates: Dates::Iso,
        empty: "null",
        scalars: Scalars::Typed,
        collections: Collections::Arrays,
        root: Root::Bare,
    };

    /// The card of a purchase under 44-FZ.
    pub const CARD44: Self = Self {
        dates: Dates::Dotted,
        empty: "null",
        scalars: Scalars::Typed,
        collections: Collections::ArraysUnderItemName,
        root: Root::Bare,
    };

    /// The cards of purchases under 223-FZ and PP-615.
    pub const TEXT_CARD: Self = Self {
        dates: Dates::Dotted,
        empty: "\"\"",
        scalars: Scalars::Strings,
        collections: Collections::ObjectsWhereOne,
        root: Root::Wrapped,
    };

    fn date(self, date: Date) -> [u8; 10] {
        match self.dates {
            Dates::Iso => date.iso(),
            Dates::Dotted => date.dotted(),
        }
    }
}

/// Who is told the fields of a resource, one by one, in their order.
pub trait Fields {
    /// A text; an empty one is no value.
    fn text(&mut self, name: &str, value: &str);
    /// A day.
    fn date(&mut self, name: &str, value: Option<Date>);
    /// A day, perhaps with the time of day.
    fn moment(&mut self, name: &str, value: Option<Moment>);
    /// A decimal number.
    fn amount(&mut self, name: &str, value: Option<Amount>);
    /// A whole number from 0 on, as its decimal digits, of whatever size.
    fn digits(&mut self, name: &str, value: &str);
    /// A flag.
    fn flag(&mut self, name: &str, value: Option<bool>);
    /// An object; one without values is an object of empty fields.
    fn object(&mut self, name: &str, fields: impl FnOnce(&mut Self));
    /// A collection, and the name of its items in XML.
    fn list<T>(&mut self, name: &str, item: &str, items: &[T], each: impl Fn(&mut Self, &T));
    /// A collection that counts as an empty value when it has no items.
    fn list_or_empty<T>(
        &mut self,
        name: &str,
        item: &str,
        items: &[T],
        each: impl Fn(&mut Self, &T),
    );
    /// The items of a collection that has fields of its own beside them.
    fn items<T>(&mut self, item: &str, items: &[T], each: impl Fn(&mut Self, &T));

    /// A whole number.
    fn count(&mut self, name: &str, value: Option<u64>) {
        self.amount(name, value.map(Amount::from));
    }
}

/// What can be told as fields: a resource.
pub trait Resource {
    /// Tells the fields in the order of the specification.
    fn tell<F: Fields>(&self, fields: &mut F);
}

/// The XML document of a resource.
pub fn xml_document(root: &str, rules: Rules, resource: &impl Resource) -> Vec<u8> {
    let mut out = Vec::with_capacity(4096);
    out.extend_from_slice(xml::DECLARATION.as_bytes());
    let mut writer = Xml { out, rules };
    writer.object(root, |writer| resource.tell(writer));
    writer.out
}

/// The JSON document of a resource.
pub fn json_document(root: &str, rules: Rules, resource: &impl Resource) -> Vec<u8> {
    let out = Vec::with_capacity(4096);
    let mut writer = Json {
        out,
        rules,
        follows: false,
    };
    writer.braces(|writer| match rules.root {
        Root::Bare => resource.tell(writer),
        Root::Wrapped => writer.object(root, |writer| resource.tell(writer)),
    });
    writer.out
}

/// Writes fields as XML elements.
struct Xml {
    out: Vec<u8>,
    rules: Rules,
}

impl Xml {
    fn leaf(&mut self, name: &str, content: impl FnOnce(&mut Vec<u8>)) {
        xml::element(&mut self.out, name, content);
    }
}

impl Fields for Xml {
    fn text(&mut self, name: &str, value: &str) {
        self.leaf(name, |out| xml::text(out, value));
    }

    fn date(&mut self, name: &str, value: Option<Date>) {
        let rules = self.rules;
        self.leaf(name, |out| {
            if let Some(date) = value {
                out.extend_from_slice(&rules.date(date));
            }
        });
    }

    fn moment(&mut self, name: &str, value: Option<Moment>) {
        self.leaf(name, |out| {
            if let Some(moment) = value {
                moment.write_dotted(out);
            }
        });
    }

    fn amount(&mut self, name: &str, value: Option<Amount>) {
        self.leaf(name, |out| {
            if let Some(amount) = value {
                amount.write_to(out);
            }
        });
    }

    fn digits(&mut self, name: &str, value: &str) {
        self.leaf(name, |out| out.extend_from_slice(value.as_bytes()));
    }

    fn flag(&mut self, name: &str, value: Option<bool>) {
        self.leaf(name, |out| {
            out.extend_from_slice(flag_text(value).as_bytes())
        });
    }

    fn object(&mut self, name: &str, fields: impl FnOnce(&mut Self)) {
        let rules = self.rules;
        xml::element(&mut self.out, name, |out| {
            let mut inner = Self {
                out: std::mem::take(out),
                rules,
            };
            fields(&mut inner);
            *out = inner.out;
        });
    }

    fn list<T>(&mut self, name: &str, item: &str, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.object(name, |writer| writer.items(item, items, each));
    }

    fn list_or_empty<T>(
        &mut self,
        name: &str,
        item: &str,
        items: &[T],
        each: impl Fn(&mut Self, &T),
    ) {
        self.list(name, item, items, each);
    }

    fn items<T>(&mut self, item: &str, items: &[T], each: impl Fn(&mut Self, &T)) {
        for value in items {
            self.object(item, |writer| each(writer, value));
        }
    }
}

/// Writes fields as JSON members.
struct Json {
    out: Vec<u8>,
    rules: Rules,
    /// Does a member stand before the next one in its object?
    follows: bool,
}

impl Json {
    fn name(&mut self, name: &str) {
        if self.follows {
            self.out.push(b',');
        }
        self.follows = true;
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    fn empty(&mut self) {
        self.out.extend_from_slice(self.rules.empty.as_bytes());
    }

    /// A number or a flag: bare or as a string.
    fn scalar(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let quoted = self.rules.scalars == Scalars::Strings;
        if quoted {
            self.out.push(b'"');
        }
        write(&mut self.out);
        if quoted {
            self.out.push(b'"');
        }
    }

    /// A text that needs no escaping.
    fn plain(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.out.push(b'"');
        write(&mut self.out);
        self.out.push(b'"');
    }

    fn braces(&mut self, fields: impl FnOnce(&mut Self)) {
        self.out.push(b'{');
        self.follows = false;
        fields(self);
        self.follows = true;
        self.out.push(b'}');
    }

    fn array<T>(&mut self, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.out.push(b'[');
        for (index, value) in items.iter().enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            self.braces(|writer| each(writer, value));
        }
        self.out.push(b']');
    }
}

impl Fields for Json {
    fn text(&mut self, name: &str, value: &str) {
        self.name(name);
        if value.is_empty() {
            self.empty();
        } else {
            json_string(&mut self.out, value);
        }
    }

    fn date(&mut self, name: &str, value: Option<Date>) {
        self.name(name);
        match value {
            None => self.empty(),
            Some(date) => {
                let text = self.rules.date(date);
                self.plain(|out| out.extend_from_slice(&text));
            }
        }
    }

    fn moment(&mut self, name: &str, value: Option<Moment>) {
        self.name(name);
        match value {
            None => self.empty(),
            Some(moment) => self.plain(|out| moment.write_dotted(out)),
        }
    }

    fn amount(&mut self, name: &str, value: Option<Amount>) {
        self.name(name);
        match value {
            None => self.empty(),
            Some(amount) => self.scalar(|out| amount.write_to(out)),
        }
    }

    fn digits(&mut self, name: &str, value: &str) {
        self.name(name);
        self.scalar(|out| out.extend_from_slice(value.as_bytes()));
    }

    fn flag(&mut self, name: &str, value: Option<bool>) {
        self.name(name);
        match value {
            None => self.empty(),
            Some(_) => self.scalar(|out| out.extend_from_slice(flag_text(value).as_bytes())),
        }
    }

    fn object(&mut self, name: &str, fields: impl FnOnce(&mut Self)) {
        self.name(name);
        self.braces(fields);
    }

    fn list<T>(&mut self, name: &str, item: &str, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.name(name);
        match self.rules.collections {
            Collections::Arrays => self.array(items, each),
            Collections::ObjectsWhereOne if items.is_empty() => self.empty(),
            _ => self.braces(|writer| writer.items(item, items, each)),
        }
    }

    fn list_or_empty<T>(
        &mut self,
        name: &str,
        item: &str,
        items: &[T],
        each: impl Fn(&mut Self, &T),
    ) {
        if items.is_empty() {
            self.name(name);
            self.empty();
        } else {
            self.list(name, item, items, each);
        }
    }

    fn items<T>(&mut self, item: &str, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.name(item);
        match items {
            [only] if self.rules.collections == Collections::ObjectsWhereOne => {
                self.braces(|writer| each(writer, only));
            }
            _ => self.array(items, each),
        }
    }
}

fn flag_text(value: Option<bool>) -> &'static str {
    match value {
        None => "",
        Some(true) => "true",
        Some(false) => "false",
    }
}

/// Appends `value` as a JSON string; only what JSON requires is escaped.
fn json_string(out: &mut Vec<u8>, value: &str) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        // Writing to memory does not fail; were it to, the answer stays JSON.
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}
