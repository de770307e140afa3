//! The lines of a batch. The last of several lines about a subject wins; an official document about
//! the subject outranks all lines.
//!
//! A line may replace a stored value that a later line restores, possibly in another batch.
//! Replaced values are therefore counted and logged only after all lines are written
//! (`replaced_lines.rs`).

use std::collections::BTreeMap;

use super::batch::BatchWriter;
use super::contracts::ContractEdit;
use super::documents::Documents;
use super::error::Result;
use super::file::OpenFile;
use super::lines::LineSubject;
use super::record;
use super::replaced_lines::ReplacedLines;
use super::stored_values::stored;
use super::tally::{Effect, Tally};
use crate::model::DocumentSubject;

/// Consecutive lines about one subject. Each replaces the previous one.
#[derive(Debug)]
struct LineSequence {
    /// The value in the file before these lines.
    stored: Option<Vec<u8>>,
    last: Option<Vec<u8>>,
    tally: Tally,
}

impl LineSequence {
    fn new(stored: Option<Vec<u8>>) -> Self {
        Self {
            stored,
            last: None,
            tally: Tally::default(),
        }
    }

    fn add(&mut self, value: Vec<u8>) {
        let effect = match self.last.as_ref().or(self.stored.as_ref()) {
            None => Effect::New,
            Some(before) if *before == value => Effect::Unchanged,
            Some(_) => Effect::Newer,
        };
        self.tally.count(effect);
        self.last = Some(value);
    }

    /// Returns the value to write, or `None` if the file already has it, and the tally of the
    /// lines.
    fn end(self) -> (Option<Vec<u8>>, Tally) {
        let is_other = self.last != self.stored;
        (self.last.filter(|_| is_other), self.tally)
    }
}

impl BatchWriter<'_> {
    /// Writes lines. The documents of the batch must have been written already.
    pub(super) fn write_lines(&mut self, lines: BTreeMap<LineSubject, Vec<Vec<u8>>>) -> Result<()> {
        let has_documents = !Documents(self.db).is_empty()?;
        let mut contracts: BTreeMap<i64, Vec<ContractEdit>> = BTreeMap::new();
        let mut replaced = Vec::new();
        for (about, values) in lines {
            if has_documents && is_outranked(self.db, &about)? {
                self.count_unchanged(&about, values.len());
                continue;
            }
            let stored = stored(self.db, &about)?;
            let is_stored = stored.is_some();
            let id = stored.as_ref().and_then(|stored| stored.contract);
            let mut lines = LineSequence::new(stored.map(|stored| stored.value));
            values.into_iter().for_each(|value| lines.add(value));
            let (value, mut tally) = lines.end();
            if is_stored && tally.newer > 0 {
                replaced.push((about.clone(), std::mem::take(&mut tally.newer)));
            }
            if let Some(kind) = about.kind() {
                self.written.tally(kind, tally);
            }
            match (about, value) {
                (_, None) => {}
                (LineSubject::Contract(supplier, _), Some(value)) => {
                    contracts.entry(supplier).or_default().push(ContractEdit {
                        stored: id,
                        contract: Some(record::decode(&self.db.path, &value)?),
                        is_logged: !is_stored,
                    });
                }
                (about, Some(value)) if is_stored => self.unlogged(|it| it.put(&about, value))?,
                (about, Some(value)) => self.put(&about, value)?,
            }
        }
        ReplacedLines(self.db).add(&replaced)?;
        self.edit_contracts(contracts)
    }

    fn count_unchanged(&mut self, about: &LineSubject, lines: usize) {
        if let Some(kind) = about.kind() {
            let tally = Tally {
                unchanged: lines as u64,
                ..Tally::default()
            };
            self.written.tally(kind, tally);
        }
    }

    /// Runs `put` and discards what it counts and logs: replaced values are logged at the end of
    /// the import (`replaced_lines.rs`).
    fn unlogged(&mut self, put: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let kept = std::mem::take(&mut self.written);
        let done = put(self);
        self.written = kept;
        done
    }

    fn put(&mut self, about: &LineSubject, value: Vec<u8>) -> Result<()> {
        match about {
            LineSubject::Name(inn) => {
                let name = String::from_utf8_lossy(&value).into_owned();
                let row = self.suppliers.row(inn)?;
                self.edit_supplier(row, |row| row.given_name = name)
            }
            LineSubject::Supplier(inn) => {
                let row = self.suppliers.row(inn)?;
                self.edit_supplier(row, |row| row.stated = true)
            }
            LineSubject::RnpEntry(number) => {
                let entry = record::decode(&self.db.path, &value)?;
                self.put_entry(number, &entry)
            }
            LineSubject::Purchase(number) => {
                let purchase = record::purchase(&self.db.path, number, &value)?;
                self.put_purchase(&purchase, &value)
            }
            LineSubject::Contract(..) => Ok(()),
        }
    }
}

fn is_outranked(db: &OpenFile, about: &LineSubject) -> Result<bool> {
    let (subject, number) = match about {
        LineSubject::Name(_) | LineSubject::Supplier(_) => return Ok(false),
        LineSubject::RnpEntry(number) => (DocumentSubject::RnpEntry, number),
        LineSubject::Purchase(number) => (DocumentSubject::Purchase, number),
        LineSubject::Contract(_, reg_num) => (DocumentSubject::Contract, reg_num),
    };
    Documents(db).has_founding(subject, number)
}
