//! What a search finds.

use super::answer::Tabular;
use super::fields::{FieldWriter, Record, name};
use super::rnp::AnswerOrigin;
use super::table::{Cells, row, table};
use crate::model::{Hit, HitKind, Verdict};

/// The hits of a search.
#[derive(Clone, Copy, Debug)]
pub struct FindAnswer<'a> {
    /// The text that was searched for.
    pub query: &'a str,
    /// How many there are in all.
    pub total: u64,
    /// The first of them, the best one first.
    pub hits: &'a [Hit],
    /// The last columns of each row of a table.
    pub from: &'a AnswerOrigin,
}

impl Record for FindAnswer<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("query"), self.query);
        fields.count(name!("totalcount"), Some(self.total));
        fields.list(name!("hits"), name!("hit"), self.hits, |fields, hit| {
            hit.write(fields);
        });
    }
}

impl Record for Hit {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.code_among(name!("kind"), self.kind.code(), HitKind::CODES);
        fields.text(name!("key"), &self.key);
        fields.text(name!("name"), &self.name);
        fields.text(name!("supplierINN"), &self.supplier_inn);
        fields.count(name!("contracts"), self.contracts);
        let verdict = self.verdict;
        fields.code_among(
            name!("verdict"),
            verdict.map_or("", Verdict::code),
            Verdict::CODES,
        );
        fields.flag(name!("inRNP"), verdict.and_then(Verdict::is_listed));
    }
}

impl Tabular for FindAnswer<'_> {
    /// A row for each hit.
    fn write_table(&self, out: &mut dyn Cells) {
        let blank = Hit {
            kind: HitKind::Supplier,
            key: String::new(),
            name: String::new(),
            supplier_inn: String::new(),
            contracts: None,
            verdict: None,
        };
        table(out, &(blank, self.from));
        for hit in self.hits {
            row(out, &(hit, self.from));
        }
    }
}
