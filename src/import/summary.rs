use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::eis::may_be_label;
use super::parse::ReadDocument;
use crate::model::UnreadEntries;
use crate::store::{ChangeCount, RederiveOutcome, Tally, UnreadFiles};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// What was imported and how many were skipped, by kind of document (label) or of line.
    pub kinds: BTreeMap<String, (Tally, u64)>,
    pub counted: Counted,
    /// Lines, documents and files that were skipped and that no earlier import has reported.
    pub skipped: u64,
    /// Days of the files that could not be read.
    pub unread: UnreadFiles,
    /// Archives that an earlier import read and this one did not. Their documents count as
    /// unchanged.
    pub archives_unchanged: u64,
    /// RNP entries that ended because the imported registry lacks them. `None` if the import was
    /// not asked to replace the registry, or could not because something was skipped.
    pub rnp_entries_gone: Option<u64>,
    /// RNP inclusions that no import could parse and that no later document has settled.
    pub unread_entries: UnreadEntries,
    /// Outcome of deriving all records again. `None` if the derivation rules have not changed since
    /// the last import.
    pub derived_again: Option<RederiveOutcome>,
    pub rnp_entries_forgotten: Option<u64>,
    pub changed: ChangeCount,
    pub interrupted: bool,
    pub bytes: u64,
    pub time: Duration,
    /// Time that the writing thread spent working.
    pub writing_time: Duration,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Counts of what was read, whether or not it changed anything. Stored as JSON with each archive;
/// zeros are omitted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counted {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub documents: BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub passed_over: BTreeMap<String, u64>,
    /// Documents without facts, because they are about nothing that this program serves.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub about_nothing: BTreeMap<String, u64>,
    /// Files that are neither documents, archives nor JSON Lines.
    #[serde(skip_serializing_if = "is_zero")]
    pub other_files: u64,
    /// Contracts none of whose suppliers has an INN.
    #[serde(skip_serializing_if = "is_zero")]
    pub without_supplier: u64,
    /// Documents that could not be read, including those in archives that an earlier import read.
    #[serde(skip_serializing_if = "is_zero")]
    pub refused: u64,
}

impl Counted {
    pub(super) fn document(&mut self, document: &ReadDocument) {
        let kinds = match document.documents.is_empty() {
            true => &mut self.about_nothing,
            false => &mut self.documents,
        };
        add(kinds, document.kind, 1);
        self.without_supplier += u64::from(document.without_supplier);
    }

    /// Returns the number of documents and lines.
    pub fn records(&self) -> u64 {
        let kinds = [&self.documents, &self.passed_over, &self.about_nothing];
        kinds.into_iter().flat_map(BTreeMap::values).sum()
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Parses stored counts. Returns `None` if this program would never have written them, for
    /// example because a name is too long or not printable. The import then reads the archive
    /// again.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let counted: Self = serde_json::from_slice(bytes).ok()?;
        let Self {
            documents,
            passed_over,
            about_nothing,
            ..
        } = &counted;
        let is_bounded = [documents, passed_over, about_nothing]
            .into_iter()
            .all(|kinds| {
                kinds.len() <= MAX_KINDS + 1 && kinds.keys().all(|kind| may_be_label(kind))
            });
        is_bounded.then_some(counted)
    }
}

impl Summary {
    pub(super) fn skip(&mut self, kind: &str) {
        self.skipped += 1;
        self.kind(kind).1 += 1;
    }

    pub(super) fn add_tallies(&mut self, tallies: BTreeMap<&'static str, Tally>) {
        for (kind, tally) in tallies {
            let ours = &mut self.kind(kind).0;
            ours.new += tally.new;
            ours.newer += tally.newer;
            ours.unchanged += tally.unchanged;
        }
    }

    /// Once there are too many kinds, further ones share one entry.
    fn kind(&mut self, kind: &str) -> &mut (Tally, u64) {
        let kind = counted_as(&self.kinds, kind).to_owned();
        self.kinds.entry(kind).or_default()
    }

    pub(super) fn add_archive(&mut self, archive: Counted) {
        self.archives_unchanged += 1;
        for (kind, count) in archive.documents {
            add(&mut self.counted.documents, &kind, count);
            self.kind(&kind).0.unchanged += count;
        }
        for (kind, count) in archive.passed_over {
            add(&mut self.counted.passed_over, &kind, count);
        }
        for (kind, count) in archive.about_nothing {
            add(&mut self.counted.about_nothing, &kind, count);
        }
        self.counted.other_files += archive.other_files;
        self.counted.without_supplier += archive.without_supplier;
        self.counted.refused += archive.refused;
    }
}

/// Upper bound on the kinds that are counted by name. Any root element can be a kind, so the number
/// of kinds in a file is unlimited.
pub const MAX_KINDS: usize = 1000;

pub(super) fn add(kinds: &mut BTreeMap<String, u64>, kind: &str, count: u64) {
    let kind = counted_as(kinds, kind);
    match kinds.get_mut(kind) {
        Some(total) => *total += count,
        None => {
            kinds.insert(kind.to_owned(), count);
        }
    }
}

/// Returns the name under which to count a kind. Once there are too many kinds, further ones share
/// a name.
fn counted_as<'k, V>(kinds: &BTreeMap<String, V>, kind: &'k str) -> &'k str {
    if kinds.len() < MAX_KINDS || kinds.contains_key(kind) {
        kind
    } else {
        "(others)"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_of_several_archives_together_are_bounded() {
        let mut summary = Summary::default();
        for archive in 0..3 {
            let kinds = (0..900).map(|name| (format!("{archive}x{name}"), 1));
            summary.add_archive(Counted {
                documents: kinds.collect(),
                ..Counted::default()
            });
        }
        let others = summary.kinds["(others)"].0.unchanged;
        assert_eq!((summary.kinds.len(), others), (MAX_KINDS + 1, 1700));
    }
}
