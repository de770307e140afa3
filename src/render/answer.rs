//! Formats and root elements of answers, and the trait of answers that can also be written as a
//! table.

use std::io;

use super::as_csv::CsvTable;
use super::as_json::json_document;
use super::as_xlsx::Workbook;
use super::as_xml::xml_document;
use super::fields::{Name, Record, Rules, name};
use super::table::{Bounded, Cells, RenderError, RowCount, TableFile};
use crate::model::Purchase;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Xml,
    Json,
    /// `text/csv`: only the rows of an answer, for spreadsheets.
    Csv,
    /// A workbook with the same rows as [`Format::Csv`], typed cells and headings.
    Xlsx,
}

impl Format {
    const ALL: [Self; 4] = [Self::Xml, Self::Json, Self::Csv, Self::Xlsx];

    /// Values of the `format` parameter, the default first.
    pub const NAMES: [&'static str; 4] = ["xml", "json", "csv", "xlsx"];

    /// Parses a `format` parameter, ignoring case.
    pub fn parse(text: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|format| text.eq_ignore_ascii_case(format.name()))
    }

    pub fn content_type(self) -> &'static str {
        match self {
            Self::Xml => "application/xml; charset=utf-8",
            Self::Json => "application/json; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }

    /// Returns the value of the `format` parameter.
    pub fn name(self) -> &'static str {
        Self::NAMES.get(self as usize).copied().unwrap_or_default()
    }

    /// Returns whether the format is a table. Clients save tables as files.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Csv | Self::Xlsx)
    }
}

/// The root element of an XML document. The JSON of 223-FZ and PP-615 cards has a root of the same
/// name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    Response,
    Data,
    Purchase44,
    Purchase223,
    Purchase615,
}

impl Root {
    pub(super) fn name(self) -> &'static Name {
        match self {
            Self::Response => name!("response"),
            Self::Data => name!("data"),
            Self::Purchase44 => name!("Purchase44"),
            Self::Purchase223 => name!("Purchase223"),
            Self::Purchase615 => name!("Purchase615"),
        }
    }

    pub(super) fn of_card(purchase: &Purchase) -> Self {
        match purchase {
            Purchase::Fz44(_) => Self::Purchase44,
            Purchase::Fz223(_) => Self::Purchase223,
            Purchase::Pp615(_) => Self::Purchase615,
        }
    }

    pub(super) fn rules(self) -> Rules {
        match self {
            Self::Response | Self::Data => Rules::Page,
            Self::Purchase44 => Rules::Card44,
            Self::Purchase223 | Self::Purchase615 => Rules::TextCard,
        }
    }
}

/// An answer that is written under `Rules::Page` and can also be written as a table.
pub trait Tabular: Record {
    /// Returns how many of the rows found are in the answer. `None` means that the answer is never
    /// cut off.
    fn row_count(&self) -> Option<RowCount> {
        None
    }

    fn root(&self) -> Root {
        Root::Response
    }

    /// Writes a row with the names of the columns, then the rows of the answer.
    fn write_table(&self, out: &mut dyn Cells);
}

/// Where a response body goes.
pub struct Body<'a> {
    pub out: &'a mut Vec<u8>,
    /// Receives a table that is too large for memory, in which case `out` stays empty. With `None`,
    /// every table stays in memory.
    pub file: Option<&'a mut dyn TableFile>,
    pub format: Format,
    /// Returns the settings of a workbook, such as the title. Called only if the format is XLSX.
    pub workbook: &'a dyn Fn() -> Workbook,
}

impl Body<'_> {
    pub(super) fn table(
        &mut self,
        count: Option<RowCount>,
        write: impl FnOnce(&mut dyn Cells),
    ) -> Result<(), RenderError> {
        match self.format {
            Format::Xlsx => {
                let book = (self.workbook)();
                book.write_to(self.out, self.file.as_deref_mut(), count, write)
            }
            Format::Csv => {
                let mut table = CsvTable::begin(self.out);
                Bounded::write(&mut table, self.file.as_deref_mut(), write)?;
                let failed = |error: io::Error| RenderError::NotWritten(error.to_string());
                table.finish().map_err(failed)
            }
            Format::Xml | Format::Json => unreachable!("a document is no table"),
        }
    }
}

/// Writes the body of an answer in the format requested.
///
/// # Errors
/// Returns an error if the table is too large or the workbook cannot be written.
#[inline(always)]
pub fn answer(body: &mut Body<'_>, answer: &impl Tabular) -> Result<(), RenderError> {
    let root = answer.root().name();
    match body.format {
        Format::Xml => xml_document(body.out, root, Rules::Page, answer),
        Format::Json => json_document(body.out, root, Rules::Page, answer),
        Format::Csv | Format::Xlsx => {
            body.table(answer.row_count(), |table| answer.write_table(table))?
        }
    }
    Ok(())
}
