//! An event: everything that changed for a supplier since the last report.

use super::atom::FeedEvent;
use super::state::SupplierState;
use super::words::{self, plain};
use super::{ChangedSupplier, Watch};
use crate::cli::BoxedError;
use crate::model::{ChangedPart, Language, Verdict, timestamp};
use crate::render::{self, AnswerOrigin, EntryChange, WatchedEvent};

pub struct Event {
    /// The same change of the same data always has the same id.
    pub id: String,
    pub state: SupplierState,
    row: u64,
    inn: String,
    before: Option<SupplierState>,
    verdict: Verdict,
    revision: u64,
    changed_at: String,
    parts: Vec<ChangedPart>,
    changes: Vec<(ChangedPart, String)>,
    entries: Vec<EntryChange>,
}

impl Event {
    /// Compares the supplier with its state at the last report.
    pub fn new(watch: &Watch<'_>, changed: &ChangedSupplier) -> Result<Self, BoxedError> {
        let inn = &changed.supplier.inn;
        let (state, verdict) = SupplierState::read(watch.database, &watch.from.ground, inn)?;
        let before = watch.before(inn);
        let revision = changed.revision();
        let made = watch.database.revision(revision)?;
        let parts: Vec<ChangedPart> = changed.changes.iter().map(|change| change.part).collect();
        let entries = match before.filter(|_| parts.contains(&ChangedPart::Rnp)) {
            Some(before) => state.entry_changes(before),
            None => Vec::new(),
        };
        let identity = made.map_or(0, |made| made.identity.cast_unsigned());
        Ok(Self {
            id: format!("urn:procurement-lookup:{identity:016x}-{revision}:{inn}"),
            row: changed.row,
            inn: inn.as_str().to_owned(),
            verdict,
            revision,
            changed_at: made.map_or_else(String::new, |made| timestamp(made.time)),
            changes: words::changes(&parts, before, &state, &entries, watch.language),
            parts,
            entries,
            before: before.cloned(),
            state,
        })
    }

    /// Returns the event as one line of JSON, without the line feed.
    pub fn json(&self, from: &AnswerOrigin) -> String {
        let before = self.before.as_ref();
        let previous_name = before.map_or("", |before| before.name.as_str());
        let mut line = Vec::new();
        render::event_line(
            &mut line,
            &WatchedEvent {
                id: &self.id,
                row: self.row,
                inn: &self.inn,
                name: &self.state.name,
                previous_name: if previous_name == self.state.name {
                    ""
                } else {
                    previous_name
                },
                revision: self.revision,
                changed_at: &self.changed_at,
                changes: &self.changes,
                entries: &self.entries,
                contracts_before: before.map(SupplierState::contracts),
                contracts: self.state.contracts(),
                verdict_before: before.and_then(SupplierState::verdict_code),
                verdict: self.verdict,
                from,
            },
        );
        String::from_utf8_lossy(line.trim_ascii_end()).into_owned()
    }

    /// Returns the event as lines for people, each with a line feed.
    pub fn text(&self, language: Language) -> String {
        let mut text = words::head(self.row, &self.inn, &plain(&self.state.name), language);
        text.push('\n');
        for (_, line) in &self.changes {
            text.push_str(&format!("  {line}\n"));
        }
        let revision = words::revision(self.revision, &self.changed_at, language);
        text.push_str(&format!("  {revision}\n"));
        text
    }

    pub fn feed_event(&self, language: Language) -> FeedEvent {
        let lines: Vec<&str> = self.changes.iter().map(|(_, line)| line.as_str()).collect();
        FeedEvent {
            id: self.id.clone(),
            title: words::title(&self.inn, &plain(&self.state.name), &self.parts, language),
            updated: self.changed_at.clone(),
            parts: self.parts.iter().map(|part| part.code()).collect(),
            text: lines.join("\n"),
        }
    }
}
