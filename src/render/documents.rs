//! The official documents behind an answer (the manual, API, "Where it comes from").

use super::answer::Tabular;
use super::fields::{FieldWriter, Record, name};
use super::table::{Cells, row, table};
use crate::model::SourceDocument;

/// The documents behind the answer about a number.
#[derive(Clone, Copy, Debug)]
pub struct DocumentList<'a> {
    /// The number.
    pub number: &'a str,
    /// The documents, oldest first.
    pub documents: &'a [SourceDocument],
    /// Whether EIS has pages for them.
    pub has_pages: bool,
}

impl Record for DocumentList<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("number"), self.number);
        let (documents, item) = (name!("documents"), name!("document"));
        fields.list(documents, item, self.documents, |fields, document| {
            self.row(Some(document)).write(fields);
        });
    }
}

impl Tabular for DocumentList<'_> {
    /// Writes a row for each document.
    fn write_table(&self, out: &mut dyn Cells) {
        table(out, &self.row(None));
        for document in self.documents {
            row(out, &self.row(Some(document)));
        }
    }
}

impl DocumentList<'_> {
    fn row<'a>(&'a self, document: Option<&'a SourceDocument>) -> DocumentRow<'a> {
        DocumentRow {
            document,
            list: *self,
        }
    }
}

/// A document; none stands for the names of its fields.
struct DocumentRow<'a> {
    document: Option<&'a SourceDocument>,
    list: DocumentList<'a>,
}

impl Record for DocumentRow<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let document = self.document;
        let published = document.map(SourceDocument::published_text);
        let with_page = document.filter(|_| self.list.has_pages);
        let href = with_page.and_then(|one| one.href(self.list.documents));
        fields.text(name!("kind"), document.map_or("", |one| &one.kind));
        fields.text(name!("number"), document.map_or("", |one| &one.number));
        fields.count(name!("version"), document.and_then(|one| one.version));
        fields.text(name!("published"), &published.unwrap_or_default());
        fields.text(
            name!("subsystem"),
            document.map_or("", |one| &one.subsystem),
        );
        fields.text(name!("href"), &href.unwrap_or_default());
    }
}
