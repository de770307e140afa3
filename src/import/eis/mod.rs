//! Official documents (EIS): one file a family of documents.
//!
//! A document is read into what it says ([`Document`]), which the store keeps by
//! what it is about, the newest version of each.

mod contract;
mod element;
#[allow(dead_code)]
mod notice44;
mod unfair_supplier;
mod value;

pub use element::{MAX_DEPTH, MAX_ELEMENTS, MAX_TEXT};

use element::{Element, FileProblem};

use crate::store::Document;

/// What came of one document of a file.
#[derive(Debug)]
pub enum Reading {
    /// A document that the data is made of.
    Document(Box<Document>),
    /// A document of a kind that is not taken in.
    PassedOver(String),
    /// A document that cannot be taken in: its kind, and what is wrong with it.
    Problem(String, String),
}

/// Reads the documents of a file, in their order.
///
/// # Errors
/// Where and why the file is not well-formed, or over a bound; the documents
/// before that place are read.
pub fn read_file(bytes: &[u8], mut each: impl FnMut(Reading)) -> Result<(), FileProblem> {
    let xml = std::str::from_utf8(bytes).map_err(|error| {
        FileProblem::new(format!(
            "not UTF-8 from byte {} on",
            error.valid_up_to() + 1
        ))
    })?;
    element::for_each_document(xml, |document| each(read(&document)))
}

fn read(document: &Element<'_>) -> Reading {
    let outcome = match document.name {
        "contract" if is_contract223(document) => {
            return Reading::PassedOver("contract (223-FZ)".to_owned());
        }
        "contract" => contract::read(document),
        "unfairSupplier" => unfair_supplier::read(document),
        kind => return Reading::PassedOver(kind.chars().take(80).collect()),
    };
    match outcome {
        Ok(read) => Reading::Document(Box::new(read)),
        Err(problem) => Reading::Problem(document.name.to_owned(), problem),
    }
}

/// A `contract` of 223-FZ, another document of the same name, has a `header` and
/// a `body`.
fn is_contract223(document: &Element<'_>) -> bool {
    document.at("body").is_some()
}
