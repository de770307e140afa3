//! XML: what is read, with its bounds ([`Element`]), and what is written.

mod reader;
mod writer;

pub use reader::{
    Element, FileError, MAX_DEPTH, MAX_DOCUMENTS, MAX_ELEMENTS, MAX_TEXT, for_each_document,
};
pub(crate) use writer::tag;
pub use writer::{DECLARATION, Tag, any_byte, element, element_by, text};
