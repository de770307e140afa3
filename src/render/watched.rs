//! An event of `watch`: all that changed at a supplier since the last report.

use super::as_json::json_line;
use super::fields::{FieldWriter, Name, Record, Rules, name};
use super::page::SupplierFields;
use super::rnp::AnswerOrigin;
use crate::model::{ChangedPart, Regime, Verdict};

/// An event.
#[derive(Clone, Debug)]
pub struct WatchedEvent<'a> {
    /// Identifies the event: the same change of the same data has the same id.
    pub id: &'a str,
    /// The supplier's row in the list, from 1.
    pub row: u64,
    /// The supplier's INN.
    pub inn: &'a str,
    /// The supplier's name; may be empty.
    pub name: &'a str,
    /// The name before; empty if it is unknown or the same.
    pub previous_name: &'a str,
    /// The last revision in which something changed.
    pub revision: u64,
    /// The time of that revision, `YYYY-MM-DDTHH:MM:SSZ`.
    pub changed_at: &'a str,
    /// What changed, in words.
    pub changes: &'a [(ChangedPart, String)],
    /// The entries in the registries that came, changed or went.
    pub entries: &'a [EntryChange],
    /// The contracts before; `None` if they are unknown.
    pub contracts_before: Option<StageCounts>,
    /// The contracts now.
    pub contracts: StageCounts,
    /// The verdict before; `None` if it is unknown.
    pub verdict_before: Option<&'static str>,
    /// The verdict now.
    pub verdict: Verdict,
    /// The ground of the verdict, and the data.
    pub from: &'a AnswerOrigin,
}

/// A change of an entry in the registries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryChange {
    /// The kind of change, one of [`EntryChange::CODES`].
    pub change: &'static str,
    /// The number of the entry.
    pub number: String,
    /// The law: `44`, `223` or `615` in official documents.
    pub law: String,
    /// Day of inclusion, `YYYY-MM-DD`; may be empty.
    pub registered: String,
    /// The last day on which the entry is in force, `YYYY-MM-DD`; may be empty.
    pub until: String,
}

impl EntryChange {
    /// The kinds of change: the entry is new, has another content, got a last day, or is gone.
    pub const CODES: &'static [&'static str] = &["came", "changed", "ended", "gone"];
}

/// The numbers of a supplier's contracts by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageCounts {
    /// All contracts, those without a stage included.
    pub total: u64,
    /// In execution.
    pub in_execution: u64,
    /// Completed.
    pub completed: u64,
    /// Terminated.
    pub terminated: u64,
    /// Annulled.
    pub annulled: u64,
}

/// The numbers of contracts; none are empty fields.
impl Record for Option<StageCounts> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.count(name!("total"), self.map(|counts| counts.total));
        fields.count(name!("inExecution"), self.map(|counts| counts.in_execution));
        fields.count(name!("completed"), self.map(|counts| counts.completed));
        fields.count(name!("terminated"), self.map(|counts| counts.terminated));
        fields.count(name!("annulled"), self.map(|counts| counts.annulled));
    }
}

impl Record for WatchedEvent<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("id"), self.id);
        fields.count(name!("row"), Some(self.row));
        SupplierFields::new(self.inn, self.name).write(fields);
        fields.text(name!("previousName"), self.previous_name);
        fields.count(name!("revision"), Some(self.revision));
        fields.text(name!("changedAt"), self.changed_at);
        let changes = self.changes;
        fields.list(
            name!("changes"),
            name!("change"),
            changes,
            |to, (part, text)| {
                to.code(name!("what"), part.code(), ChangedPart::CODES);
                to.text(name!("text"), text);
            },
        );
        fields.list(name!("entries"), name!("entry"), self.entries, write_entry);
        fields.object(name!("contracts"), |fields| {
            let new = |before: StageCounts| self.contracts.total.saturating_sub(before.total);
            fields.count(name!("new"), self.contracts_before.map(new));
            counts(fields, name!("before"), self.contracts_before);
            counts(fields, name!("after"), Some(self.contracts));
        });
        fields.object(name!("verdicts"), |fields| {
            let before = self.verdict_before.unwrap_or("");
            fields.code(name!("before"), before, Verdict::CODES);
            fields.code(name!("after"), self.verdict.code(), Verdict::CODES);
        });
        fields.flag(name!("inRNP"), self.verdict.is_listed());
        self.from.write(fields);
    }
}

fn write_entry<F: FieldWriter>(fields: &mut F, entry: &EntryChange) {
    fields.code(name!("change"), entry.change, EntryChange::CODES);
    fields.text(name!("registrationNumber"), &entry.number);
    let law = Regime::from_code(&entry.law).map_or("", Regime::code);
    fields.code(name!("federalLaw"), law, Regime::CODES);
    fields.text(name!("registrationDate"), &entry.registered);
    fields.text(name!("excludeDate"), &entry.until);
}

fn counts<F: FieldWriter>(fields: &mut F, name: &Name, counts: Option<StageCounts>) {
    fields.object(name, |fields| counts.write(fields));
}

/// Appends an event as a line of JSON.
pub fn event_line(out: &mut Vec<u8>, event: &WatchedEvent<'_>) {
    json_line(out, Rules::Page, event);
}
