//! `/changes`: whose answers imports have changed.

use super::super::error::Failure;
use super::super::request::parameter::{After, Parameters};
use super::super::response::Finding;
use crate::model::LogPosition;
use crate::render::{self, Body, ChangePage};
use crate::store::Database;

/// Appends the changes after a cursor, and the cursor to go on with.
pub fn write(
    parameters: &Parameters<'_>,
    snapshot: &Database,
    out: &mut Body<'_>,
) -> Result<Finding, Failure> {
    let revision = snapshot.version().revision.unsigned_abs();
    let position = match &parameters.after {
        After::Oldest => LogPosition::after_revision(snapshot.oldest_revision()?),
        After::Now => LogPosition::after_revision(revision),
        After::Cursor(cursor) if snapshot.has_changes_since(cursor)? => cursor.position.clone(),
        After::Cursor(_) => return Err(Failure::CursorGone),
    };
    let changes = snapshot.changes_after(&position, parameters.limit())?;
    let is_last = (changes.len() as u64) < parameters.limit();
    let next = match changes.last() {
        _ if is_last => LogPosition::after_revision(revision),
        Some(last) => LogPosition {
            revision: last.revision,
            row: Some((last.part as u8, last.id.clone())),
        },
        None => position,
    };
    let next = snapshot.cursor_at(next).to_string();
    let page = ChangePage {
        next: &next,
        revision,
        changes: &changes,
    };
    render::answer(out, &page)?;
    Ok(Finding::Changes(changes.len() as u64, next.into()))
}
