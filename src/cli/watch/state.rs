//! The state of a supplier at the last report, and what has changed since.

use serde::{Deserialize, Serialize};

use crate::api::check_supplier;
use crate::cli::BoxedError;
use crate::model::{ContractFilter, ContractStage, Ground, Inn, RnpEntry, Sha256, Verdict};
use crate::render::{EntryChange, StageCounts};
use crate::store::Database;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SupplierState {
    /// The supplier's name; empty if unknown.
    pub name: String,
    pub verdict: String,
    /// Numbers of contracts, in this order: all, in execution, completed, terminated, annulled.
    contracts: [u64; 5],
    /// RNP entries of any date.
    entries: Vec<EntryState>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct EntryState {
    number: String,
    law: String,
    registered: String,
    until: String,
    /// The first 8 bytes of the SHA-256 of the whole entry.
    digest: u64,
}

impl SupplierState {
    /// Reads the current state of a supplier, and the verdict.
    pub fn read(
        database: &Database,
        ground: &Ground,
        inn: &Inn,
    ) -> Result<(Self, Verdict), BoxedError> {
        let checked = check_supplier(database, ground, inn.as_str())?;
        let entries = database.rnp_entries(inn)?;
        let mut contracts = StageCounts::default();
        if let Some(supplier) = database.supplier(inn)?.filter(|one| one.contracts > 0) {
            let summary = database.summary(&supplier, &ContractFilter::default(), 0, ground)?;
            contracts.total = summary.count;
            for share in &summary.stages {
                let count = match share.key {
                    Some(ContractStage::InExecution) => &mut contracts.in_execution,
                    Some(ContractStage::Completed) => &mut contracts.completed,
                    Some(ContractStage::Terminated) => &mut contracts.terminated,
                    Some(ContractStage::Annulled) => &mut contracts.annulled,
                    None => continue,
                };
                *count = share.count;
            }
        }
        let state = Self {
            name: checked.name,
            verdict: checked.verdict.code().to_owned(),
            contracts: [
                contracts.total,
                contracts.in_execution,
                contracts.completed,
                contracts.terminated,
                contracts.annulled,
            ],
            entries: entries.iter().map(EntryState::new).collect(),
        };
        Ok((state, checked.verdict))
    }

    pub fn contracts(&self) -> StageCounts {
        let [total, in_execution, completed, terminated, annulled] = self.contracts;
        StageCounts {
            total,
            in_execution,
            completed,
            terminated,
            annulled,
        }
    }

    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Returns the code of the verdict, or `None` if this release does not know it.
    pub fn verdict_code(&self) -> Option<&'static str> {
        let mut codes = Verdict::CODES.iter();
        codes.find(|code| **code == self.verdict).copied()
    }

    /// Returns the changes of RNP entries from `before` to this state. Removed entries come last.
    pub fn entry_changes(&self, before: &Self) -> Vec<EntryChange> {
        let mut changes = Vec::new();
        for entry in &self.entries {
            let earlier = before.entries.iter().find(|one| one.number == entry.number);
            let change = match earlier {
                None => "came",
                Some(earlier) if earlier == entry => continue,
                Some(earlier) if earlier.until != entry.until && !entry.until.is_empty() => "ended",
                Some(_) => "changed",
            };
            changes.push(entry.changed(change));
        }
        let is_gone = |entry: &&EntryState| {
            let mut now = self.entries.iter();
            now.all(|one| one.number != entry.number)
        };
        let gone = before.entries.iter().filter(is_gone);
        changes.extend(gone.map(|entry| entry.changed("gone")));
        changes
    }
}

impl EntryState {
    fn new(entry: &RnpEntry) -> Self {
        let all = serde_json::to_vec(entry).unwrap_or_default();
        let [a, b, c, d, e, f, g, h, ..] = Sha256::of(all);
        Self {
            number: entry.registration_number.clone(),
            law: entry.federal_law.clone(),
            registered: entry
                .registration_date
                .map_or(String::new(), |day| day.to_string()),
            until: entry
                .last_day()
                .map_or(String::new(), |day| day.to_string()),
            digest: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
        }
    }

    fn changed(&self, change: &'static str) -> EntryChange {
        EntryChange {
            change,
            number: self.number.clone(),
            law: self.law.clone(),
            registered: self.registered.clone(),
            until: self.until.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(entries: &[(&str, &str, u64)]) -> SupplierState {
        let entry = |(number, until, digest): &(&str, &str, u64)| EntryState {
            number: (*number).to_owned(),
            until: (*until).to_owned(),
            digest: *digest,
            ..EntryState::default()
        };
        SupplierState {
            entries: entries.iter().map(entry).collect(),
            ..SupplierState::default()
        }
    }

    #[test]
    fn every_field_of_an_entry_is_compared() {
        let entry = RnpEntry {
            registration_number: "A".to_owned(),
            ..RnpEntry::default()
        };
        let other = RnpEntry {
            reason: "уклонение".to_owned(),
            ..entry.clone()
        };
        assert_ne!(EntryState::new(&entry), EntryState::new(&other));
    }

    #[test]
    fn entries_are_added_changed_ended_and_removed() {
        let before = state(&[
            ("A", "", 1),
            ("B", "", 2),
            ("C", "", 3),
            ("D", "", 4),
            ("E", "2026-01-01", 5),
        ]);
        let now = state(&[
            ("F", "", 9),
            ("A", "", 1),
            ("B", "", 7),
            ("C", "2026-11-20", 8),
            ("E", "", 6),
        ]);
        let changes = now.entry_changes(&before);
        let found: Vec<_> = changes
            .iter()
            .map(|it| (it.change, it.number.as_str()))
            .collect();
        let expected = [
            ("came", "F"),
            ("changed", "B"),
            ("ended", "C"),
            ("changed", "E"),
            ("gone", "D"),
        ];
        assert_eq!(found, expected);
        assert_eq!(now.entry_changes(&now), []);
    }
}
