//! XML: a reader with bounds ([`Element`]), and a writer.

mod reader;
mod writer;

pub use reader::{
    Element, FileError, MAX_DEPTH, MAX_DOCUMENTS, MAX_ELEMENTS, MAX_TEXT, SCHEME_VERSION,
    for_each_document,
};
pub(crate) use writer::tag;
pub use writer::{DECLARATION, Tag, any_byte, element, element_by, text};
