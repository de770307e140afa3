//! The body of an error.

use super::Root;
use super::fields::{FieldWriter, Record, name};

/// An error as a client sees it (the contract, "Error bodies").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorBody<'a> {
    /// The root element in XML; JSON has none.
    pub root: Root,
    /// The code; some errors have none.
    pub code: Option<u16>,
    /// The text.
    pub text: &'a str,
}

impl Record for ErrorBody<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.count_if_any(name!("code"), self.code.map(u64::from));
        fields.text(name!("error"), self.text);
    }
}
