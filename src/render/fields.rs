//! How values are written, with the differences between XML and the JSON of each resource side by
//! side.
//!
//! | rule | XML | JSON: contract page, RNP | JSON: 44 card | JSON: 223 and 615 cards |
//! |---|---|---|---|---|
//! | empty value | `<name/>` | `null` | `null` | `""` |
//! | number, flag | its text | number, `true` | number, `true` | string |
//! | collection of several | `<name><item>…</item>…</name>` | `"name":[…]` | `"name":{"item":[…]}` | `"name":{"item":[…]}` |
//! | of one | same | `"name":[{…}]` | `"name":{"item":[{…}]}` | `"name":{"item":{…}}` |
//! | of none | `<name/>` | `"name":[]` or `null`, depending on the field | `"name":{"item":[]}` | `"name":""` |
//! | root | an element | bare | bare | wrapped under its name |
//! | date | `YYYY-MM-DD` on the page and RNP, `DD.MM.YYYY` on cards | same | same | same |
//!
//! A record describes itself once, as calls of [`FieldWriter`] in the order of the specification's
//! table. `as_xml.rs` and `as_json.rs` implement it for responses: their methods for fields are
//! inlined, so that tags become constants, and those that write values are not. `table.rs` writes
//! rows, and `schema/tree.rs` records the calls for the schemas. Methods that work the same in
//! every format have default bodies here.

use crate::model::encoded::Encoded;
use crate::model::{Amount, Date, EncodedItems, Moment};
use crate::xml;

/// How one family of resources writes its values: a column of the table in the module's
/// documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Contract page, RNP check, errors.
    Page,
    Card44,
    /// The 223 and 615 cards.
    TextCard,
}

impl Rules {
    /// Returns how JSON writes an empty value.
    pub(super) fn empty(self) -> &'static [u8] {
        match self {
            Self::Page | Self::Card44 => b"null",
            Self::TextCard => b"\"\"",
        }
    }

    /// Formats a day as these rules require.
    pub fn date(self, date: Date) -> [u8; 10] {
        match self {
            Self::Page => date.iso(),
            Self::Card44 | Self::TextCard => date.dotted(),
        }
    }
}

/// The name of a field, together with the bytes that each format writes around the value. Made by
/// [`name!`].
pub struct Name {
    pub(super) tag: xml::Tag,
    /// `<name>false</name>` and `<name>true</name>`
    pub(super) flags: [&'static str; 2],
    /// `,"name":`
    pub(super) member: &'static str,
}

impl Name {
    /// For use by [`name!`].
    pub const fn new(tag: xml::Tag, flags: [&'static str; 2], member: &'static str) -> Self {
        Self { tag, flags, member }
    }

    /// Returns just the name.
    pub fn text(&self) -> &'static str {
        let quoted = self.member.strip_prefix(",\"");
        let text = quoted.and_then(|quoted| quoted.strip_suffix("\":"));
        text.unwrap_or_default()
    }
}

/// Makes the [`Name`] of a literal. Names that the wire format misspells occur only in `render`.
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

/// Which of the two 44-FZ samples a field appears in: XML and JSON have different fields there.
/// Every other document shape has a single sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    Xml,
    Json,
    /// The fields of both samples, for JSON Lines.
    Both,
}

impl Sample {
    /// Returns whether the fields of `sample` are written.
    pub fn has(self, sample: Self) -> bool {
        self == sample || self == Self::Both
    }
}

#[derive(Clone, Copy, Debug)]
pub enum ValueKind {
    /// A text, optionally with a regular expression that matches all of it.
    Text(Option<&'static str>),
    /// A code from a fixed list defined by this program.
    Code(&'static [&'static str]),
    Date,
    /// A day, with or without a time.
    Moment,
    /// An exact decimal number.
    Amount,
    /// A non-negative integer.
    Whole,
    Flag,
}

impl ValueKind {
    /// Returns whether JSON writes the value as a number or flag rather than as a string.
    pub(super) fn is_typed(self) -> bool {
        matches!(self, Self::Amount | Self::Whole | Self::Flag)
    }
}

/// Receives the fields of a record in order.
pub trait FieldWriter {
    fn rules(&self) -> Rules;
    /// Returns which of the two 44-FZ samples is written.
    fn sample(&self) -> Sample;
    /// Writes a text; an empty text counts as missing.
    fn text(&mut self, name: &Name, value: &str);
    /// Writes a value that needs no escaping; `None` if it is missing.
    fn value(&mut self, name: &Name, kind: ValueKind, write: Option<impl FnOnce(&mut Vec<u8>)>);
    /// Writes an object, which may consist of empty fields.
    fn object(&mut self, name: &Name, fields: impl FnOnce(&mut Self));
    /// Writes a collection under the rules of the contract page. `items` calls
    /// [`FieldWriter::item`] for each item.
    fn stream(&mut self, name: &Name, items: impl FnOnce(&mut Self));
    /// Writes an item of a [`FieldWriter::stream`]; XML shows its name.
    fn item(&mut self, name: &Name, fields: impl FnOnce(&mut Self));
    /// Writes the items of a collection that has other fields as well.
    fn items<T>(&mut self, item: &Name, items: &[T], each: impl Fn(&mut Self, &T));
    /// Writes a text from a contract's record, on the contract page.
    fn encoded(&mut self, name: &Name, value: Encoded<'_>);

    /// Writes a text that entirely matches `form`, a regular expression valid in both XSD and
    /// ECMAScript. An empty text counts as missing.
    #[inline(always)]
    fn formed(&mut self, name: &Name, value: &str, _form: &'static str) {
        self.text(name, value);
    }
    /// Writes one of the codes `all`; an empty text counts as missing.
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
    /// Writes a non-negative integer.
    #[inline(always)]
    fn count(&mut self, name: &Name, value: Option<u64>) {
        let write = |count| move |out: &mut Vec<u8>| Amount::from(count).write_to(out);
        self.value(name, ValueKind::Whole, value.map(write));
    }
    #[inline(always)]
    fn flag(&mut self, name: &Name, value: Option<bool>) {
        // Copying a constant length is many times faster.
        let write = |flag| {
            move |out: &mut Vec<u8>| match flag {
                true => out.extend_from_slice(b"true"),
                false => out.extend_from_slice(b"false"),
            }
        };
        self.value(name, ValueKind::Flag, value.map(write));
    }
    /// Writes a number or a day from a contract's record, on the contract page.
    #[inline(always)]
    fn encoded_value(&mut self, name: &Name, kind: ValueKind, value: Encoded<'_>) {
        let write = |out: &mut Vec<u8>| value.write_to(out);
        self.value(name, kind, (!value.is_empty()).then_some(write));
    }
    /// Writes the field with `write` if it is present, and otherwise leaves it out.
    #[inline(always)]
    fn optional(&mut self, is_present: bool, write: impl FnOnce(&mut Self)) {
        if is_present {
            write(self);
        }
    }
    /// Writes a collection; `item` is the name of the items in XML.
    #[inline]
    fn list<T>(&mut self, name: &Name, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.stream(name, |to| {
            for value in items {
                to.item(item, |to| each(to, value));
            }
        });
    }
    /// Writes a collection from a contract's record. An empty collection counts as a missing value.
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

/// A record that writes itself field by field.
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

/// The fields of the second record follow those of the first.
impl<A: Record, B: Record> Record for (A, B) {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        self.0.write(fields);
        self.1.write(fields);
    }
}
