//! Derives the fields of a record as a tree, by recording the calls that the record makes on a
//! `FieldWriter`.

use crate::model::EncodedItems;
use crate::model::encoded::Encoded;
pub use crate::render::fields::ValueKind;
use crate::render::fields::{FieldWriter, Name, Record, Rules, Sample};
use crate::render::meanings::{Meaning, UNDESCRIBED};

#[derive(Debug)]
pub struct Field {
    pub name: &'static str,
    pub kind: FieldKind,
    pub is_omitted: bool,
    pub meaning: &'static Meaning,
}

#[derive(Debug)]
pub enum FieldKind {
    Value(ValueKind),
    Object(Vec<Field>),
    List(List),
    /// The items of a list that also has fields of its own.
    Items(Vec<Field>),
}

/// A list that is a field of its own.
#[derive(Debug)]
pub struct List {
    pub item: &'static str,
    pub fields: Vec<Field>,
    /// Whether an empty list is written as a missing value, such as `null` in JSON.
    pub is_none_if_empty: bool,
}

impl Field {
    /// Returns the nested fields. For a list, also returns the name of an item, which comes before
    /// the field's name in a path.
    pub fn within(&self) -> (&[Field], Option<&'static str>) {
        match &self.kind {
            FieldKind::Object(fields) | FieldKind::Items(fields) => (fields, None),
            FieldKind::List(list) => (&list.fields, Some(list.item)),
            _ => (&[], None),
        }
    }
}

/// Returns the fields that a record writes for `sample`, in order, with their meanings from
/// `table`. Every list in the record must have at least one item.
pub fn fields_of(
    record: &impl Record,
    sample: Sample,
    table: &'static [&'static [Meaning]],
) -> Vec<Field> {
    let mut tree = Tree::new(sample);
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

struct Tree {
    fields: Vec<Field>,
    sample: Sample,
    item: Option<&'static str>,
}

impl Tree {
    fn new(sample: Sample) -> Self {
        Self {
            fields: Vec::new(),
            sample,
            item: None,
        }
    }

    fn add(&mut self, name: &Name, kind: FieldKind) {
        self.fields.push(Field {
            name: name.text(),
            kind,
            is_omitted: false,
            meaning: &UNDESCRIBED,
        });
    }

    /// Records `write` in a tree of its own.
    fn inner(&self, write: impl FnOnce(&mut Self)) -> Self {
        let mut inner = Self::new(self.sample);
        write(&mut inner);
        inner
    }

    fn add_list(&mut self, name: &Name, inner: Self, is_none_if_empty: bool) {
        let list = List {
            item: inner.item.unwrap_or_default(),
            fields: inner.fields,
            is_none_if_empty,
        };
        self.add(name, FieldKind::List(list));
    }
}

impl FieldWriter for Tree {
    fn rules(&self) -> Rules {
        // Values are not recorded, so any rules will do.
        Rules::Page
    }

    fn sample(&self) -> Sample {
        self.sample
    }

    fn text(&mut self, name: &Name, _: &str) {
        self.add(name, FieldKind::Value(ValueKind::Text(None)));
    }

    fn formed(&mut self, name: &Name, _: &str, form: &'static str) {
        self.add(name, FieldKind::Value(ValueKind::Text(Some(form))));
    }

    fn value(&mut self, name: &Name, kind: ValueKind, _: Option<impl FnOnce(&mut Vec<u8>)>) {
        self.add(name, FieldKind::Value(kind));
    }

    fn optional(&mut self, _: bool, write: impl FnOnce(&mut Self)) {
        write(self);
        if let Some(field) = self.fields.last_mut() {
            field.is_omitted = true;
        }
    }

    fn object(&mut self, name: &Name, fields: impl FnOnce(&mut Self)) {
        let inner = self.inner(fields);
        self.add(name, FieldKind::Object(inner.fields));
    }

    fn stream(&mut self, name: &Name, items: impl FnOnce(&mut Self)) {
        let inner = self.inner(items);
        self.add_list(name, inner, false);
    }

    fn item(&mut self, name: &Name, fields: impl FnOnce(&mut Self)) {
        // All items have the same fields, so the first item is enough.
        if self.item.is_none() {
            self.item = Some(name.text());
            self.fields = self.inner(fields).fields;
        }
    }

    fn items<T>(&mut self, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        let inner = self.inner(|tree| items.iter().take(1).for_each(|value| each(tree, value)));
        self.add(item, FieldKind::Items(inner.fields));
    }

    fn encoded(&mut self, name: &Name, _: Encoded<'_>) {
        self.text(name, "");
    }

    fn encoded_items<const N: usize>(
        &mut self,
        name: &Name,
        item: &Name,
        items: EncodedItems<'_, N>,
        each: impl Fn(&mut Self, [Encoded<'_>; N]),
    ) {
        let inner = self.inner(|tree| {
            for values in items {
                tree.item(item, |tree| each(tree, values));
            }
        });
        self.add_list(name, inner, true);
    }
}
