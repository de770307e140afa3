//! An event of `watch`: everything that has changed for a supplier since the previous event.

use super::as_json::json_line;
use super::fields::{FieldWriter, Name, Record, Rules, name};
use super::page::SupplierFields;
use super::rnp::AnswerOrigin;
use crate::model::{ChangedPart, Regime, Verdict};

#[derive(Clone, Debug)]
pub struct WatchedEvent<'a> {
    /// Identifies the event. The same change in the same data always has the same id.
    pub id: &'a str,
    /// Line number in the list of watched suppliers, from 1.
    pub row: u64,
    pub inn: &'a str,
    /// Empty if unknown.
    pub name: &'a str,
    /// Name before the change; empty if unknown or unchanged.
    pub previous_name: &'a str,
    /// The last import that changed anything about the supplier.
    pub revision: u64,
    /// Time of [`Self::revision`], `YYYY-MM-DDTHH:MM:SSZ`.
    pub changed_at: &'a str,
    /// The changed parts, each with a description for people.
    pub changes: &'a [(ChangedPart, String)],
    pub entries: &'a [EntryChange],
    /// `None` if unknown.
    pub contracts_before: Option<StageCounts>,
    pub contracts: StageCounts,
    /// `None` if unknown.
    pub verdict_before: Option<&'static str>,
    pub verdict: Verdict,
    pub from: &'a AnswerOrigin,
}

/// A change of an RNP entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryChange {
    /// One of [`EntryChange::CODES`].
    pub change: &'static str,
    pub number: String,
    /// `44`, `223` or `615` in official documents; any text in imported JSON Lines.
    pub law: String,
    /// Day of inclusion as `YYYY-MM-DD`; may be empty.
    pub registered: String,
    /// Last day in force as `YYYY-MM-DD`; may be empty.
    pub until: String,
}

impl EntryChange {
    /// Kinds of change: the entry is new, its content changed, it got an end date, or it is gone.
    pub const CODES: &'static [&'static str] = &["came", "changed", "ended", "gone"];
}

/// The number of a supplier's contracts by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageCounts {
    /// Includes contracts without a known stage.
    pub total: u64,
    pub in_execution: u64,
    pub completed: u64,
    pub terminated: u64,
    pub annulled: u64,
}

/// `None` writes empty fields.
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

/// Appends an event as a JSON line.
pub fn event_line(out: &mut Vec<u8>, event: &WatchedEvent<'_>) {
    json_line(out, Rules::Page, event);
}
