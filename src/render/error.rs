use super::answer::{Root, Tabular};
use super::fields::{FieldWriter, Record, name};
use super::table::{Cells, row, table};

/// An error as shown to the client (manual, "API", "Errors").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorBody<'a> {
    /// Root element in XML. JSON has no root.
    pub root: Root,
    /// `None` if the error has no code.
    pub code: Option<u16>,
    pub text: &'a str,
}

impl Record for ErrorBody<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let code = self.code.map(u64::from);
        fields.optional(code.is_some(), |fields| fields.count(name!("code"), code));
        fields.text(name!("error"), self.text);
    }
}

impl Tabular for ErrorBody<'_> {
    fn root(&self) -> Root {
        self.root
    }

    fn write_table(&self, out: &mut dyn Cells) {
        table(out, self);
        row(out, self);
    }
}
