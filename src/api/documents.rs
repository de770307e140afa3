//! `/documents`: the official documents that the answer about a number follows from.

use super::error::Failure;
use super::parameter::Parameters;
use super::response::Finding;
use crate::render::{self, DocumentList};
use crate::store::Database;

/// Appends the documents that the answer about a number follows from.
pub fn write(
    parameters: &Parameters<'_>,
    snapshot: &Database,
    out: &mut Vec<u8>,
) -> Result<Finding, Failure> {
    let number = parameters.number()?;
    let documents = snapshot.sources(number)?;
    if documents.is_empty() {
        return Err(Failure::DocumentsNotFound);
    }
    let list = DocumentList {
        number,
        documents: &documents,
        // The demonstration's numbers are invented: EIS has no page of them.
        has_pages: !snapshot.is_bundled(),
    };
    render::answer(out, &list, parameters.format);
    Ok(Finding::Count(documents.len() as u64))
}
