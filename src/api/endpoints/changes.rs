//! `/changes`: what each import has changed.

use super::super::error::{ErrorKind, Failure};
use super::super::request::groups::ChangesAfter;
use super::super::request::parameter_table as table;
use super::super::request::reader::Reader;
use super::super::response::LookupResult;
use super::super::response::answered::Answered;
use super::{AnswerHeaders, Endpoint, Group, Lookup, LookupCommand, Question};
use crate::model::{LogPosition, LoggedChange, Words};
use crate::render::schema::Answer;
use crate::render::{self, ChangePage, Root};
use crate::store::Database;

pub(super) const CHANGES: Endpoint = Endpoint {
    path: "/changes",
    id: "getChanges",
    group: Group::Data,
    title: Words("Что изменилось при загрузках", "What imports have changed"),
    text: Words(
        "Поставщики, заказчики, закупки и реестры, ответы о которых изменились после указанной отметки из-за новых загрузок; сначала самые ранние изменения. Передавайте next из ответа в after, пока список changes не окажется пустым: ни одно изменение не пропадёт, даже если тем временем идут загрузки. Позже продолжайте с последнего next.",
        "Lists what imports have changed since a cursor: suppliers, customers, purchases and \
         registries whose answers are now different, oldest changes first. Pass the field next of \
         each answer in the parameter after, until changes is empty. You miss no change, even if \
         imports run meanwhile. Later, continue from the last next.",
    ),
    own_parameters: &[&[table::AFTER, table::CHANGE_LIMIT]],
    read: |reader| Ok(Box::new(Changes::read(reader)?)),
    errors: &[ErrorKind::CursorGone],
    has_statuses: true,
    answers: &[Answer::Changes],
    root: Root::Data,
    headers: AnswerHeaders::Next,
    rests_on_registries: false,
    file: "changes",
    command: Some(LookupCommand::named("changes")),
};

struct Changes {
    after: ChangesAfter,
    limit: u64,
}

impl Changes {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        Ok(Self {
            after: reader.after()?,
            limit: reader.limit(&table::CHANGE_LIMIT)?,
        })
    }

    fn page(&self, database: &Database) -> Result<(Vec<LoggedChange>, LogPosition), Failure> {
        let revision = database.version().revision.unsigned_abs();
        let mut next = match &self.after {
            ChangesAfter::Oldest => LogPosition::after_revision(database.oldest_revision()?),
            ChangesAfter::Now => LogPosition::after_revision(revision),
            ChangesAfter::Cursor(cursor) if database.has_changes_since(cursor)? => {
                cursor.position.clone()
            }
            ChangesAfter::Cursor(_) => return Err(ErrorKind::CursorGone.into()),
        };
        loop {
            let mut changes = database.changes_after(&next, self.limit)?;
            let is_last = (changes.len() as u64) < self.limit;
            next = match changes.last() {
                _ if is_last => LogPosition::after_revision(revision),
                Some(last) => LogPosition {
                    revision: last.revision,
                    row: Some((last.part as u8, last.id.clone())),
                },
                None => return Ok((changes, next)),
            };
            // Changes whose subject has no INN are dropped, because no request can ask about such a
            // subject. If that leaves the page empty, read the next one: only the last page may be
            // empty.
            changes.retain(|change| !change.subject.key().is_empty());
            if is_last || !changes.is_empty() {
                return Ok((changes, next));
            }
        }
    }
}

impl Question for Changes {
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let database = lookup.database;
        let (changes, next) = self.page(database)?;
        let next = database.cursor_at(next).to_string();
        let page = ChangePage {
            next: &next,
            revision: database.version().revision.unsigned_abs(),
            changes: &changes,
        };
        let body = lookup.write(buffer, |body| render::answer(body, &page))?;
        let mut answered = Answered::new(body, LookupResult::Count(changes.len() as u64));
        // A table has no place for the cursor, so it goes into a header.
        answered.findings.next = lookup.shared.format.is_table().then_some(next);
        Ok(answered)
    }
}
