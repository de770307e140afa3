//! The fields of a record as a tree, built by a writer that records the calls.

use crate::model::encoded::Encoded;
use crate::model::{Amount, Date, EncodedItems, Moment};
use crate::render::fields::{FieldWriter, Name, Record, Rules, Sample};
use crate::render::meanings::{Meaning, UNDESCRIBED};

/// A field of an answer.
#[derive(Debug)]
pub struct Field {
    /// The name.
    pub name: &'static str,
    /// The kind of value.
    pub kind: FieldKind,
    /// Whether a field without a value is omitted.
    pub is_omitted: bool,
    /// The meaning, which also states whether the field always has a value.
    pub meaning: &'static Meaning,
    /// The value in the example.
    pub example: String,
}

/// The kind of a field's value.
#[derive(Debug)]
pub enum FieldKind {
    /// A text, with the regular expression for the whole text, if there is one.
    Text(Option<&'static str>),
    /// One of these codes.
    Code(&'static [&'static str]),
    /// A day.
    Date,
    /// A day, with or without a time.
    Moment,
    /// An exact decimal number.
    Amount,
    /// A whole number from 0 on.
    Whole,
    /// True or false.
    Flag,
    /// An object of these fields.
    Object(Vec<Field>),
    /// A list.
    List(List),
    /// The items of a list that has other fields beside them.
    Items(Vec<Field>),
}

/// A list in a separate field.
#[derive(Debug)]
pub struct List {
    /// The name of an item.
    pub item: &'static str,
    /// The fields of an item.
    pub fields: Vec<Field>,
    /// Whether a list without items is an empty value.
    pub is_none_if_empty: bool,
}

impl Field {
    /// Returns the inner fields. For a list, also returns the item's name, which precedes them in
    /// a path.
    pub fn within(&self) -> (&[Field], Option<&'static str>) {
        match &self.kind {
            FieldKind::Object(fields) | FieldKind::Items(fields) => (fields, None),
            FieldKind::List(list) => (&list.fields, Some(list.item)),
            _ => (&[], None),
        }
    }
}

/// Returns the fields that a record writes in a sample, in their order, with their meanings from
/// `table`. Each list in the record must have an item.
pub fn fields_of(
    record: &impl Record,
    rules: Rules,
    sample: Sample,
    table: &'static [&'static [Meaning]],
) -> Vec<Field> {
    let mut tree = Tree::new(rules, sample);
    record.write(&mut tree);
    give_meanings(&mut tree.fields, &mut Vec::new(), table);
    tree.fields
}

fn give_meanings(
    fields: &mut [Field],
    path: &mut Vec<&'static str>,
    table: &'static [&'static [Meaning]],
) {
    for field in fields {
        path.push(field.name);
        let all = table.iter().flat_map(|part| part.iter());
        let meant = all.filter(|meaning| meaning.is_of(path));
        let closest = meant.max_by_key(|meaning| meaning.path.len());
        field.meaning = closest.unwrap_or(&UNDESCRIBED);
        let depth = path.len();
        match &mut field.kind {
            FieldKind::Object(fields) | FieldKind::Items(fields) => {
                give_meanings(fields, path, table)
            }
            FieldKind::List(list) => {
                path.push(list.item);
                give_meanings(&mut list.fields, path, table);
            }
            _ => {}
        }
        path.truncate(depth - 1);
    }
}

/// Records fields as a tree.
struct Tree {
    fields: Vec<Field>,
    rules: Rules,
    sample: Sample,
    /// The name of the items written one by one.
    item: Option<&'static str>,
}

impl Tree {
    fn new(rules: Rules, sample: Sample) -> Self {
        Self {
            fields: Vec::new(),
            rules,
            sample,
            item: None,
        }
    }

    fn add(&mut self, name: &Name, kind: FieldKind, example: String) {
        self.fields.push(Field {
            name: name.text(),
            kind,
            is_omitted: false,
            meaning: &UNDESCRIBED,
            example,
        });
    }

    fn may_be_omitted(&mut self) {
        if let Some(field) = self.fields.last_mut() {
            field.is_omitted = true;
        }
    }

    /// Records the fields of `write` as a separate tree.
    fn inner(&self, write: impl FnOnce(&mut Self)) -> Vec<Field> {
        let mut inner = Self::new(self.rules, self.sample);
        write(&mut inner);
        inner.fields
    }

    fn add_list(&mut self, name: &Name, list: List) {
        self.add(name, FieldKind::List(list), String::new());
    }

    fn first<T>(&self, items: &[T], each: impl Fn(&mut Self, &T)) -> Vec<Field> {
        let first = items.first();
        first.map_or_else(Vec::new, |value| self.inner(|tree| each(tree, value)))
    }
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

fn amount_text(value: Option<Amount>) -> String {
    written(|out| value.iter().for_each(|amount| amount.write_to(out)))
}

impl FieldWriter for Tree {
    fn sample(&self) -> Sample {
        self.sample
    }

    fn text(&mut self, name: &Name, value: &str) {
        self.add(name, FieldKind::Text(None), value.to_owned());
    }

    fn formed(&mut self, name: &Name, value: &str, form: &'static str) {
        self.add(name, FieldKind::Text(Some(form)), value.to_owned());
    }

    fn text_if_any(&mut self, name: &Name, value: &str) {
        self.text(name, value);
        self.may_be_omitted();
    }

    fn list_if<T>(
        &mut self,
        _is_asked: bool,
        name: &Name,
        item: &Name,
        items: &[T],
        each: impl Fn(&mut Self, &T),
    ) {
        self.list(name, item, items, each);
        self.may_be_omitted();
    }

    fn code(&mut self, name: &Name, value: &'static str) {
        self.code_among(name, value, &[]);
    }

    fn code_among(&mut self, name: &Name, value: &'static str, all: &'static [&'static str]) {
        self.add(name, FieldKind::Code(all), value.to_owned());
    }

    fn date(&mut self, name: &Name, value: Option<Date>) {
        let rules = self.rules;
        let text = written(|out| value.iter().for_each(|day| out.extend(rules.date(*day))));
        self.add(name, FieldKind::Date, text);
    }

    fn moment(&mut self, name: &Name, value: Option<Moment>) {
        let text = written(|out| value.iter().for_each(|moment| moment.write_dotted(out)));
        self.add(name, FieldKind::Moment, text);
    }

    fn amount(&mut self, name: &Name, value: Option<Amount>) {
        self.add(name, FieldKind::Amount, amount_text(value));
    }

    fn count(&mut self, name: &Name, value: Option<u64>) {
        self.add(name, FieldKind::Whole, amount_text(value.map(Amount::from)));
    }

    fn count_if_any(&mut self, name: &Name, value: Option<u64>) {
        self.count(name, value);
        self.may_be_omitted();
    }

    fn digits(&mut self, name: &Name, value: &str) {
        self.add(name, FieldKind::Whole, value.to_owned());
    }

    fn flag(&mut self, name: &Name, value: Option<bool>) {
        let text = value.map_or_else(String::new, |value| value.to_string());
        self.add(name, FieldKind::Flag, text);
    }

    fn object(&mut self, name: &Name, fields: impl FnOnce(&mut Self)) {
        let fields = self.inner(fields);
        self.add(name, FieldKind::Object(fields), String::new());
    }

    fn list<T>(&mut self, name: &Name, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        let list = List {
            item: item.text(),
            fields: self.first(items, each),
            is_none_if_empty: false,
        };
        self.add_list(name, list);
    }

    fn stream(&mut self, name: &Name, items: impl FnOnce(&mut Self)) {
        let mut inner = Self::new(self.rules, self.sample);
        items(&mut inner);
        let list = List {
            item: inner.item.unwrap_or_default(),
            fields: inner.fields,
            is_none_if_empty: false,
        };
        self.add_list(name, list);
    }

    fn item(&mut self, name: &Name, fields: impl FnOnce(&mut Self)) {
        // The first item has all fields.
        if self.item.is_none() {
            self.item = Some(name.text());
            self.fields = self.inner(fields);
        }
    }

    fn items<T>(&mut self, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        let fields = self.first(items, each);
        self.add(item, FieldKind::Items(fields), String::new());
    }

    fn encoded(&mut self, name: &Name, value: Encoded<'_>) {
        self.text(name, &value.text());
    }

    fn encoded_date(&mut self, name: &Name, value: Encoded<'_>) {
        self.add(name, FieldKind::Date, value.text().into_owned());
    }

    fn encoded_number(&mut self, name: &Name, value: Encoded<'_>) {
        self.add(name, FieldKind::Amount, value.text().into_owned());
    }

    fn encoded_count(&mut self, name: &Name, value: Encoded<'_>) {
        self.add(name, FieldKind::Whole, value.text().into_owned());
    }

    fn encoded_items<const N: usize>(
        &mut self,
        name: &Name,
        item: &Name,
        mut items: EncodedItems<'_, N>,
        each: impl Fn(&mut Self, [Encoded<'_>; N]),
    ) {
        let first = items.next();
        let list = List {
            item: item.text(),
            fields: first.map_or_else(Vec::new, |values| self.inner(|tree| each(tree, values))),
            is_none_if_empty: true,
        };
        self.add_list(name, list);
    }
}
