//! The official documents behind an answer (manual, "API", "Where it comes from").

use super::answer::Tabular;
use super::fields::{FieldWriter, Record, name};
use super::table::{Cells, row, table};
use crate::model::{PurchasePages, SourceDocument};

/// The documents behind the answer about one registry number.
#[derive(Clone, Debug)]
pub struct DocumentList<'a> {
    pub number: &'a str,
    /// Oldest first.
    pub documents: &'a [SourceDocument],
    /// EIS pages of the purchases. `None` for the demonstration data, whose purchases do not exist
    /// in EIS.
    pub pages: Option<PurchasePages<'a>>,
}

impl Record for DocumentList<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("number"), self.number);
        let (documents, item) = (name!("documents"), name!("document"));
        fields.list(documents, item, self.documents, |fields, document| {
            DocumentFields(self, document).write(fields);
        });
    }
}

impl Tabular for DocumentList<'_> {
    fn write_table(&self, out: &mut dyn Cells) {
        table(out, &DocumentFields(self, &SourceDocument::default()));
        for document in self.documents {
            row(out, &DocumentFields(self, document));
        }
    }
}

struct DocumentFields<'a>(&'a DocumentList<'a>, &'a SourceDocument);

impl Record for DocumentFields<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let Self(list, document) = self;
        let href = list.pages.as_ref().map(|pages| document.href(pages));
        fields.text(name!("kind"), &document.kind);
        fields.text(name!("number"), &document.number);
        fields.count(name!("version"), document.version);
        fields.text(name!("published"), &document.published_text());
        fields.text(name!("subsystem"), &document.subsystem);
        fields.text(name!("href"), &href.flatten().unwrap_or_default());
    }
}
