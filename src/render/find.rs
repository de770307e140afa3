//! Results of searches by name or number.

use super::answer::Tabular;
use super::fields::{FieldWriter, Record, name};
use super::rnp::AnswerOrigin;
use super::table::{Cells, row, table};
use crate::model::{Hit, HitKind, Verdict};

#[derive(Clone, Copy, Debug)]
pub struct FindAnswer<'a> {
    pub query: &'a str,
    pub total: u64,
    pub hits: &'a [Hit],
    pub from: &'a AnswerOrigin,
}

/// The hits of a search for several names.
#[derive(Clone, Copy, Debug)]
pub struct FindNamesAnswer<'a> {
    /// In the order of the request.
    pub names: &'a [NameHits<'a>],
    pub from: &'a AnswerOrigin,
}

#[derive(Clone, Debug)]
pub struct NameHits<'a> {
    pub query: &'a str,
    pub hits: Vec<Hit>,
}

impl Record for FindAnswer<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("query"), self.query);
        fields.count(name!("totalcount"), Some(self.total));
        write_hits(fields, self.hits);
    }
}

impl Record for FindNamesAnswer<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.list(name!("names"), name!("name"), self.names, |fields, name| {
            fields.text(name!("query"), name.query);
            write_hits(fields, &name.hits);
        });
    }
}

fn write_hits<F: FieldWriter>(fields: &mut F, hits: &[Hit]) {
    fields.list(name!("hits"), name!("hit"), hits, |fields, hit| {
        HitFields(Some(hit)).write(fields);
    });
}

/// `None` writes empty fields.
struct HitFields<'a>(Option<&'a Hit>);

impl Record for HitFields<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let hit = self.0;
        let verdict = hit.and_then(|hit| hit.verdict);
        fields.code(
            name!("kind"),
            hit.map_or("", |hit| hit.kind.code()),
            HitKind::CODES,
        );
        fields.text(name!("key"), hit.map_or("", |hit| &hit.key));
        fields.text(name!("name"), hit.map_or("", |hit| &hit.name));
        fields.text(
            name!("supplierINN"),
            hit.map_or("", |hit| &hit.supplier_inn),
        );
        fields.count(name!("contracts"), hit.and_then(|hit| hit.contracts));
        fields.code(
            name!("verdict"),
            verdict.map_or("", Verdict::code),
            Verdict::CODES,
        );
        fields.flag(name!("inRNP"), verdict.and_then(Verdict::is_listed));
        fields.count(name!("score"), hit.map(|hit| hit.score.into()));
    }
}

struct QueryField<'a>(&'a str);

impl Record for QueryField<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("query"), self.0);
    }
}

impl Tabular for FindAnswer<'_> {
    fn write_table(&self, out: &mut dyn Cells) {
        table(out, &(HitFields(None), self.from));
        for hit in self.hits {
            row(out, &(HitFields(Some(hit)), self.from));
        }
    }
}

impl Tabular for FindNamesAnswer<'_> {
    /// Writes one row per hit. A name without hits gets a row with empty fields.
    fn write_table(&self, out: &mut dyn Cells) {
        let cells = |query, hit| (QueryField(query), (HitFields(hit), self.from));
        table(out, &cells("", None));
        for name in self.names {
            let none = name.hits.is_empty().then_some(None);
            for hit in name.hits.iter().map(Some).chain(none) {
                row(out, &cells(name.query, hit));
            }
        }
    }
}
