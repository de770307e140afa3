//! Defines how values are written, with the differences between XML and the JSON of each resource
//! side by side.
//!
//! | rule | XML | JSON: contract page, RNP | JSON: 44 card | JSON: 223 and 615 cards |
//! |---|---|---|---|---|
//! | empty value | `<name/>` | `null` | `null` | `""` |
//! | number, flag | as text | number, `true` | number, `true` | string |
//! | list of several | `<name><item>…</item>…</name>` | `"name":[…]` | `"name":{"item":[…]}` | `"name":{"item":[…]}` |
//! | list of one | same | `"name":[{…}]` | `"name":{"item":[{…}]}` | `"name":{"item":{…}}` |
//! | empty list | `<name/>` | `"name":[]` or `null`, depending on the field | `"name":{"item":[]}` | `"name":""` |
//! | root | an element | none | none | an object with the root's name |
//! | date | `YYYY-MM-DD` on the page and RNP, `DD.MM.YYYY` on cards | same | same | same |
//!
//! A record describes itself once, as calls of [`FieldWriter`] in the order of the specification's
//! table. `as_xml.rs` and `as_json.rs` implement the trait for responses. Their methods for whole
//! fields are inlined so that tags become constants; their methods for values are not. `table.rs`
//! writes rows, and `schema/tree.rs` records the calls for the schemas. Methods that work the same
//! in every format have default bodies here.

use crate::model::encoded::Encoded;
use crate::model::{Amount, Date, EncodedItems, Moment};
use crate::xml;

/// How a family of resources writes values: a column of the table in the documentation of this
/// module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Contract page, RNP check, errors.
    Page,
    Card44,
    /// The 223 and 615 cards.
    TextCard,
}

impl Rules {
    /// Returns the JSON for an empty value.
    pub(super) fn empty(self) -> &'static [u8] {
        match self {
            Self::Page | Self::Card44 => b"null",
            Self::TextCard => b"\"\"",
        }
    }

    pub fn date(self, date: Date) -> [u8; 10] {
        match self {
            Self::Page => date.iso(),
            Self::Card44 | Self::TextCard => date.dotted(),
        }
    }
}

/// A field name, with the bytes that each format writes around the value. Made by [`name!`].
pub struct Name {
    pub(super) tag: xml::Tag,
    /// `<name>false</name>` and `<name>true</name>`
    pub(super) flags: [&'static str; 2],
    /// `,"name":`
    pub(super) member: &'static str,
}

impl Name {
    /// Called only by [`name!`].
    pub const fn new(tag: xml::Tag, flags: [&'static str; 2], member: &'static str) -> Self {
        Self { tag, flags, member }
    }

    /// Returns the bare name.
    pub fn text(&self) -> &'static str {
        let quoted = self.member.strip_prefix(",\"");
        let text = quoted.and_then(|quoted| quoted.strip_suffix("\":"));
        text.unwrap_or_default()
    }
}

/// Makes a [`Name`] from a literal.
macro_rules! name {
    ($name:literal) => {
        const {
            &$crate::render::fields::Name::new(
                $crate::xml::tag!($name),
                [
                    concat!("<", $name, ">false</", $name, ">"),
                    concat!("<", $name, ">true</", $name, ">"),
                ],
                concat!(",\"", $name, "\":"),
            )
        }
    };
}
pub(super) use name;

/// Which fields of a 44-FZ card to write. The specification's two samples of that card, one in XML
/// and one in JSON, have different fields. Everything else has the same fields in both formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    Xml,
    Json,
    /// The fields of both samples, for JSON Lines.
    Both,
}

impl Sample {
    pub fn has(self, sample: Self) -> bool {
        self == sample || self == Self::Both
    }
}

#[derive(Clone, Copy, Debug)]
pub enum ValueKind {
    /// A text. The regular expression, if any, matches the whole text.
    Text(Option<&'static str>),
    /// One of a fixed list of codes that this program defines.
    Code(&'static [&'static str]),
    Date,
    /// A day, with or without a time.
    Moment,
    Amount,
    Whole,
    Flag,
}

impl ValueKind {
    /// Returns whether JSON may write the value as a number or flag instead of a string.
    pub(super) fn is_typed(self) -> bool {
        matches!(self, Self::Amount | Self::Whole | Self::Flag)
    }
}

/// Receives the fields of a record in order.
pub trait FieldWriter {
    fn rules(&self) -> Rules;
    /// Returns which fields of a 44-FZ card to write.
    fn sample(&self) -> Sample;
    /// Writes a text; an empty text counts as missing.
    fn text(&mut self, name: &Name, value: &str);
    /// Writes a value that needs no escaping. `write` is `None` if the value is missing.
    fn value(&mut self, name: &Name, kind: ValueKind, write: Option<impl FnOnce(&mut Vec<u8>)>);
    /// Writes an object. It is written even if all its fields are empty.
    fn object(&mut self, name: &Name, fields: impl FnOnce(&mut Self));
    /// Writes a list. `items` must call [`FieldWriter::item`] for each item.
    fn stream(&mut self, name: &Name, items: impl FnOnce(&mut Self));
    /// Writes an item within [`FieldWriter::stream`]. Only XML writes `name`.
    fn item(&mut self, name: &Name, fields: impl FnOnce(&mut Self));
    /// Writes the items of a list that also has fields of its own.
    fn items<T>(&mut self, item: &Name, items: &[T], each: impl Fn(&mut Self, &T));
    /// Writes a text straight from a contract's encoded record.
    fn encoded(&mut self, name: &Name, value: Encoded<'_>);

    /// Writes a text of a given form. `form` is a regular expression for the whole text, valid in
    /// both XSD and ECMAScript. An empty text counts as missing.
    #[inline(always)]
    fn formed(&mut self, name: &Name, value: &str, _form: &'static str) {
        self.text(name, value);
    }
    /// Writes a code out of `all`; an empty text counts as missing.
    #[inline(always)]
    fn code(&mut self, name: &Name, value: &'static str, all: &'static [&'static str]) {
        let write = |out: &mut Vec<u8>| out.extend_from_slice(value.as_bytes());
        let write = (!value.is_empty()).then_some(write);
        self.value(name, ValueKind::Code(all), write);
    }
    #[inline(always)]
    fn date(&mut self, name: &Name, value: Option<Date>) {
        let rules = self.rules();
        let write = |date| move |out: &mut Vec<u8>| out.extend_from_slice(&rules.date(date));
        self.value(name, ValueKind::Date, value.map(write));
    }
    /// Writes a day, with or without a time.
    #[inline(always)]
    fn moment(&mut self, name: &Name, value: Option<Moment>) {
        let write = |moment: Moment| move |out: &mut Vec<u8>| moment.write_dotted(out);
        self.value(name, ValueKind::Moment, value.map(write));
    }
    #[inline(always)]
    fn amount(&mut self, name: &Name, value: Option<Amount>) {
        let write = |amount: Amount| move |out: &mut Vec<u8>| amount.write_to(out);
        self.value(name, ValueKind::Amount, value.map(write));
    }
    #[inline(always)]
    fn count(&mut self, name: &Name, value: Option<u64>) {
        let write = |count| move |out: &mut Vec<u8>| Amount::from(count).write_to(out);
        self.value(name, ValueKind::Whole, value.map(write));
    }
    #[inline(always)]
    fn flag(&mut self, name: &Name, value: Option<bool>) {
        // The two arms are separate so that each copies a constant length, which is many times
        // faster than a variable one.
        let write = |flag| {
            move |out: &mut Vec<u8>| match flag {
                true => out.extend_from_slice(b"true"),
                false => out.extend_from_slice(b"false"),
            }
        };
        self.value(name, ValueKind::Flag, value.map(write));
    }
    /// Writes a number or a day straight from a contract's encoded record.
    #[inline(always)]
    fn encoded_value(&mut self, name: &Name, kind: ValueKind, value: Encoded<'_>) {
        let write = |out: &mut Vec<u8>| value.write_to(out);
        self.value(name, kind, (!value.is_empty()).then_some(write));
    }
    /// Calls `write` if the field is present. Otherwise the field is left out, except from tables,
    /// where every row needs the same columns.
    #[inline(always)]
    fn optional(&mut self, is_present: bool, write: impl FnOnce(&mut Self)) {
        if is_present {
            write(self);
        }
    }
    /// Writes a list. XML writes each item under the name `item`.
    #[inline]
    fn list<T>(&mut self, name: &Name, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.stream(name, |to| {
            for value in items {
                to.item(item, |to| each(to, value));
            }
        });
    }
    /// Writes a list straight from a contract's encoded record. An empty list counts as a missing
    /// value.
    fn encoded_items<const N: usize>(
        &mut self,
        name: &Name,
        item: &Name,
        items: EncodedItems<'_, N>,
        each: impl Fn(&mut Self, [Encoded<'_>; N]),
    ) {
        if items.is_empty() {
            return self.value(name, ValueKind::Text(None), None::<fn(&mut Vec<u8>)>);
        }
        self.stream(name, |to| {
            for values in items {
                to.item(item, |to| each(to, values));
            }
        });
    }
}

/// Regular expressions for [`FieldWriter::formed`].
pub(super) mod form {
    pub const INN: &str = "[0-9]{10}|[0-9]{12}";
    pub const NUMBER44: &str = "[0-9]{19}";
    pub const NUMBER223: &str = "3[0-9]{10}";
    pub const NUMBER615: &str = "[0-9]{18}";
    pub const MD5: &str = "[0-9a-f]{32}";
}

/// Something that writes its own fields.
pub trait Record {
    /// Writes the fields in the order of the specification.
    fn write<F: FieldWriter>(&self, fields: &mut F);
}

impl<R: Record> Record for &R {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        (**self).write(fields);
    }
}

/// `None` writes nothing.
impl<R: Record> Record for Option<R> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        if let Some(record) = self {
            record.write(fields);
        }
    }
}

/// Writes the fields of both, one after the other.
impl<A: Record, B: Record> Record for (A, B) {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        self.0.write(fields);
        self.1.write(fields);
    }
}
