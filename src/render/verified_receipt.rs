//! What a receipt and the data say of each other.

use super::answer::Tabular;
use super::as_csv::{row, table};
use super::fields::{FieldWriter, Record, Rules, form, name};
use crate::model::Date;

/// What a receipt and the data say of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptOutcome {
    /// The receipt is of this data, which answers so.
    Same,
    /// It is of other data; this one answers the same.
    SameAnswer,
    /// It is of other data; this one answers otherwise.
    Changed,
    /// It claims to be of this data, which answers otherwise, or is of another time.
    Mismatch,
}

impl ReceiptOutcome {
    /// The codes of all of them.
    pub(super) const CODES: &'static [&'static str] =
        &["same", "same-answer", "changed", "mismatch"];

    fn code(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::SameAnswer => "same-answer",
            Self::Changed => "changed",
            Self::Mismatch => "mismatch",
        }
    }
}

/// A receipt compared with the data.
#[derive(Clone, Copy, Debug)]
pub struct VerifiedReceipt<'a> {
    /// What they say of each other.
    pub outcome: ReceiptOutcome,
    /// The request of the receipt: path and query.
    pub ask: &'a str,
    /// The day that it was answered for.
    pub day: Date,
    /// SHA-256 of the answer, as hexadecimal digits.
    pub sha256: &'a str,
    /// The data it was answered from, as the receipt says.
    pub data: &'a str,
    /// When an import had last changed anything in that, as the receipt says.
    pub updated: &'a str,
    /// The data now.
    pub data_now: &'a str,
    /// When an import last changed anything in it, `YYYY-MM-DDTHH:MM:SSZ`.
    pub updated_now: &'a str,
}

impl Record for VerifiedReceipt<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.code_among(name!("outcome"), self.outcome.code(), ReceiptOutcome::CODES);
        fields.text(name!("ask"), self.ask);
        fields.date(name!("day"), Some(self.day));
        fields.formed(name!("sha256"), self.sha256, form::SHA256);
        fields.text(name!("data"), self.data);
        fields.text(name!("dataUpdated"), self.updated);
        fields.text(name!("dataNow"), self.data_now);
        fields.text(name!("dataUpdatedNow"), self.updated_now);
    }
}

impl Tabular for VerifiedReceipt<'_> {
    /// One row.
    fn write_table(&self, out: &mut Vec<u8>) {
        table(out, Rules::PAGE, self);
        row(out, Rules::PAGE, self);
    }
}
