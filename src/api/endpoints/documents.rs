//! `/documents`: the official documents that the answer about a number follows from.

use super::super::error::Failure;
use super::super::request::parameter::Parameters;
use super::super::response::Finding;
use crate::render::{self, Body, DocumentList};
use crate::store::Database;

/// Appends the documents that the answer about a number follows from.
pub fn write(
    parameters: &Parameters<'_>,
    snapshot: &Database,
    out: &mut Body<'_>,
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
    render::answer(out, &list)?;
    Ok(Finding::Count(documents.len() as u64))
}
