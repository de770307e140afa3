//! `/changes`: the subjects whose answers were changed by imports.

use super::super::error::{ErrorKind, Failure};
use super::super::request::parameter::After;
use super::super::request::parameter_table as table;
use super::super::response::LookupResult;
use super::super::response::answered::Answered;
use super::{Endpoint, Group, Lookup};
use crate::model::{LogPosition, Words};
use crate::render::schema::Answer;
use crate::render::{self, ChangePage, Root};

/// The changes made by imports.
pub(super) const CHANGES: Endpoint = Endpoint {
    path: "/changes",
    id: "getChanges",
    group: Group::Data,
    title: Words("Что изменилось при загрузках", "What imports changed"),
    text: Words(
        "Поставщики, заказчики, закупки и реестры, ответы о которых изменились при загрузках после отметки; сначала давние изменения. Передавайте next из ответа в after, пока changes не станет пустым: ничего не пропадёт, что бы тем временем ни загружалось. Позже продолжайте с последнего next.",
        "Suppliers, customers, purchases and registries whose answers imports have changed since a cursor, oldest changes first. Pass next of each answer as after until changes is empty: nothing is lost, whatever is imported meanwhile. Later go on with the last next.",
    ),
    own_parameters: &[&[table::AFTER, table::CHANGE_LIMIT]],
    answers: &[Answer::Changes],
    errors: &[ErrorKind::CursorGone],
    root: Root::Data,
    has_verdict: false,
    file: "changes",
    command: Some("changes"),
    depends_on_day: false,
    is_page: false,
    handler: write,
};

/// Writes the changes after a cursor, and the next cursor.
fn write(lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
    let (parameters, database) = (lookup.parameters, lookup.database);
    let revision = database.version().revision.unsigned_abs();
    let mut next = match &parameters.after {
        After::Oldest => LogPosition::after_revision(database.oldest_revision()?),
        After::Now => LogPosition::after_revision(revision),
        After::Cursor(cursor) if database.has_changes_since(cursor)? => cursor.position.clone(),
        After::Cursor(_) => return Err(ErrorKind::CursorGone.into()),
    };
    let changes = loop {
        let mut changes = database.changes_after(&next, parameters.limit())?;
        let is_last = (changes.len() as u64) < parameters.limit();
        next = match changes.last() {
            _ if is_last => LogPosition::after_revision(revision),
            Some(last) => LogPosition {
                revision: last.revision,
                row: Some((last.part as u8, last.id.clone())),
            },
            None => break changes,
        };
        // Nobody asks for what has no INN, and only a last page may be empty.
        changes.retain(|change| !change.subject.key().is_empty());
        if is_last || !changes.is_empty() {
            break changes;
        }
    };
    let next = database.cursor_at(next).to_string();
    let page = ChangePage {
        next: &next,
        revision,
        changes: &changes,
    };
    let body = lookup.write(buffer, |body| render::answer(body, &page))?;
    let mut answered = Answered::new(body, LookupResult::Count(changes.len() as u64));
    // Tables have no place for the cursor.
    answered.findings.next = parameters.format.is_table().then_some(next);
    Ok(answered)
}
