//! Output of commands as JSON: `check`, `keys list`, `keys log`, `import`, `fetch`.

use super::as_json::json_line;
use super::fields::{FieldWriter, Record, Rules, name};
use crate::model::{Basis, Date, Regime, RegistryState};

/// Appends the output of a command as a JSON line.
pub fn output_line(out: &mut Vec<u8>, output: &impl Record) {
    json_line(out, Rules::Page, output);
}

/// Counts of what `check` has verified in a data file.
#[derive(Clone, Debug, Default)]
pub struct CheckOutput {
    pub suppliers: u64,
    pub contracts: u64,
    pub contracts_without_items: u64,
    pub purchases: u64,
    pub rnp_entries: u64,
    pub documents: u64,
    pub refused: u64,
    /// Version of the derivation rules behind the stored records, then that of this program.
    pub rules: [u64; 2],
    /// Number of archives that only other releases have read, then the number of documents in
    /// them.
    pub read_before: [u64; 2],
    /// Time of the last change of the data, as `YYYY-MM-DDTHH:MM:SSZ`.
    pub updated: String,
    pub registries: Vec<RegistryOutput>,
    pub unread: Vec<UnreadOutput>,
}

#[derive(Clone, Debug)]
pub struct RegistryOutput {
    pub law: Regime,
    pub state: RegistryState,
    pub basis: Option<Basis>,
    pub complete_as_of: Option<Date>,
    pub entries: u64,
    /// What is missing from the registry: the day as of which it would otherwise be complete, the
    /// number of days without documents, and the number of missing cells.
    pub missing: Option<(Date, u64, u64)>,
}

/// An inclusion in a registry that the import could not parse and that no later document has
/// settled.
#[derive(Clone, Debug, Default)]
pub struct UnreadOutput {
    pub law: &'static str,
    pub number: String,
    /// Archive or file, followed by the file within the archive.
    pub place: String,
    /// INNs that the inclusion may be about. Empty if the supplier has no INN, or if
    /// `is_about_anybody` is set.
    pub inns: Vec<String>,
    pub is_about_anybody: bool,
}

impl Record for CheckOutput {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let [rules, program_rules] = self.rules;
        let [archives, documents] = self.read_before;
        fields.count(name!("suppliers"), Some(self.suppliers));
        fields.count(name!("contracts"), Some(self.contracts));
        fields.count(
            name!("contractsWithoutItems"),
            Some(self.contracts_without_items),
        );
        fields.count(name!("purchases"), Some(self.purchases));
        fields.count(name!("rnpEntries"), Some(self.rnp_entries));
        fields.count(name!("documents"), Some(self.documents));
        fields.count(name!("refused"), Some(self.refused));
        fields.count(name!("rules"), Some(rules));
        fields.count(name!("programRules"), Some(program_rules));
        fields.count(name!("archivesReadBefore"), Some(archives));
        fields.count(name!("documentsReadBefore"), Some(documents));
        fields.text(name!("dataUpdated"), &self.updated);
        let registries = &self.registries;
        fields.list(
            name!("registries"),
            name!("registry"),
            registries,
            |to, one| one.write(to),
        );
        fields.list(
            name!("unread"),
            name!("inclusion"),
            &self.unread,
            |to, one| one.write(to),
        );
    }
}

impl RegistryOutput {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let missing = self.missing;
        fields.code(name!("federalLaw"), self.law.code(), Regime::CODES);
        fields.code(name!("state"), self.state.code(), RegistryState::CODES);
        fields.code(
            name!("basis"),
            self.basis.map_or("", Basis::code),
            Basis::CODES,
        );
        fields.date(name!("completeAsOf"), self.complete_as_of);
        fields.count(name!("entries"), Some(self.entries));
        fields.date(name!("missingAsOf"), missing.map(|(day, ..)| day));
        fields.count(name!("missingDays"), missing.map(|(_, days, _)| days));
        fields.count(name!("missingCells"), missing.map(|(.., cells)| cells));
    }
}

impl UnreadOutput {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.code(name!("federalLaw"), self.law, Regime::CODES);
        fields.text(name!("registrationNumber"), &self.number);
        fields.text(name!("place"), &self.place);
        fields.list(
            name!("suppliers"),
            name!("supplier"),
            &self.inns,
            |to, inn| {
                to.text(name!("inn"), inn);
            },
        );
        fields.flag(name!("aboutAnybody"), Some(self.is_about_anybody));
    }
}

/// The keys of `keys list`.
#[derive(Clone, Debug, Default)]
pub struct KeyListOutput {
    pub keys: Vec<KeyOutput>,
}

/// Times are `YYYY-MM-DDTHH:MM:SSZ`, or empty if there is none.
#[derive(Clone, Debug, Default)]
pub struct KeyOutput {
    pub name: String,
    pub issued: String,
    pub ends: String,
    pub revoked: String,
    pub last_used: Option<Date>,
    /// Requests per second, and the size of a burst.
    pub limit: Option<[u64; 2]>,
    /// Whether the stored limit is damaged. Such a key is rejected.
    pub is_limit_damaged: bool,
}

impl Record for KeyListOutput {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.list(name!("keys"), name!("key"), &self.keys, |to, key| {
            to.text(name!("name"), &key.name);
            to.text(name!("issued"), &key.issued);
            to.text(name!("ends"), &key.ends);
            to.text(name!("revoked"), &key.revoked);
            to.date(name!("lastUsed"), key.last_used);
            to.count(name!("rate"), key.limit.map(|[rate, _]| rate));
            to.count(name!("burst"), key.limit.map(|[_, burst]| burst));
            to.flag(name!("limitDamaged"), Some(key.is_limit_damaged));
        });
    }
}

/// The events of `keys log`.
#[derive(Clone, Debug, Default)]
pub struct KeyLogOutput {
    pub events: Vec<KeyEventOutput>,
}

/// A change of keys.
#[derive(Clone, Debug, Default)]
pub struct KeyEventOutput {
    /// Time of the change, as `YYYY-MM-DDTHH:MM:SSZ`.
    pub time: String,
    pub action: String,
    pub name: String,
    pub details: String,
}

impl Record for KeyLogOutput {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.list(
            name!("events"),
            name!("event"),
            &self.events,
            |to, event| {
                to.text(name!("time"), &event.time);
                to.text(name!("action"), &event.action);
                to.text(name!("name"), &event.name);
                to.text(name!("details"), &event.details);
            },
        );
    }
}

/// The summary of `import`.
#[derive(Clone, Debug, Default)]
pub struct ImportOutput {
    pub is_dry_run: bool,
    pub kinds: Vec<KindOutput>,
    pub passed_over: Vec<PassedOverOutput>,
    pub other_files: u64,
    pub without_supplier: u64,
    pub refused: u64,
    pub skipped: u64,
    pub archives_unchanged: u64,
    /// Entries that ended because a complete registry no longer contained them. `None` if the
    /// import contained no complete registry.
    pub rnp_ended: Option<u64>,
    pub rnp_forgotten: Option<u64>,
    /// Number of records derived again because the rules have changed, then how many of them
    /// differ.
    pub derived_again: Option<[u64; 2]>,
    pub suppliers_changed: u64,
    pub purchases_changed: u64,
    pub unread_inclusions: u64,
    pub is_interrupted: bool,
}

/// Counts of documents or lines of one kind.
#[derive(Clone, Debug, Default)]
pub struct KindOutput {
    pub kind: String,
    pub read: u64,
    pub new: u64,
    pub newer: u64,
    pub unchanged: u64,
    pub skipped: u64,
}

/// Number of documents of one kind that the import passed over.
#[derive(Clone, Debug, Default)]
pub struct PassedOverOutput {
    pub kind: String,
    pub count: u64,
    /// Whether the import reads this kind, but these documents state no purchase number.
    pub is_about_nothing: bool,
}

impl Record for ImportOutput {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.flag(name!("dryRun"), Some(self.is_dry_run));
        fields.list(name!("kinds"), name!("kind"), &self.kinds, |to, kind| {
            to.text(name!("name"), &kind.kind);
            to.count(name!("read"), Some(kind.read));
            to.count(name!("new"), Some(kind.new));
            to.count(name!("newer"), Some(kind.newer));
            to.count(name!("unchanged"), Some(kind.unchanged));
            to.count(name!("skipped"), Some(kind.skipped));
        });
        let passed_over = &self.passed_over;
        fields.list(
            name!("passedOver"),
            name!("passed"),
            passed_over,
            |to, one| {
                to.text(name!("name"), &one.kind);
                to.count(name!("count"), Some(one.count));
                to.flag(name!("withoutPurchase"), Some(one.is_about_nothing));
            },
        );
        fields.count(name!("otherFiles"), Some(self.other_files));
        fields.count(name!("withoutSupplier"), Some(self.without_supplier));
        fields.count(name!("refused"), Some(self.refused));
        fields.count(name!("skipped"), Some(self.skipped));
        fields.count(name!("archivesUnchanged"), Some(self.archives_unchanged));
        fields.count(name!("rnpEnded"), self.rnp_ended);
        fields.count(name!("rnpForgotten"), self.rnp_forgotten);
        fields.count(
            name!("derivedAgain"),
            self.derived_again.map(|[all, _]| all),
        );
        fields.count(
            name!("derivedOtherwise"),
            self.derived_again.map(|[_, changed]| changed),
        );
        fields.count(name!("suppliersChanged"), Some(self.suppliers_changed));
        fields.count(name!("purchasesChanged"), Some(self.purchases_changed));
        fields.count(name!("unreadInclusions"), Some(self.unread_inclusions));
        fields.flag(name!("interrupted"), Some(self.is_interrupted));
    }
}

/// The summary of `fetch`.
#[derive(Clone, Debug, Default)]
pub struct FetchOutput {
    pub subsystems: Vec<SubsystemOutput>,
    pub archives: u64,
    pub bytes: u64,
    pub is_complete: bool,
    /// Whether a signal or the time limit ended the run early.
    pub is_stopped: bool,
    /// Reason why the run ended early; empty if it did not.
    pub ended: String,
}

/// Number of cells of one EIS subsystem, by outcome.
#[derive(Clone, Debug, Default)]
pub struct SubsystemOutput {
    pub name: &'static str,
    pub done: u64,
    pub empty: u64,
    pub failed: u64,
    pub before: u64,
    pub left: u64,
}

impl Record for FetchOutput {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let subsystems = &self.subsystems;
        fields.list(
            name!("subsystems"),
            name!("subsystem"),
            subsystems,
            |to, one| {
                to.text(name!("name"), one.name);
                to.count(name!("done"), Some(one.done));
                to.count(name!("empty"), Some(one.empty));
                to.count(name!("failed"), Some(one.failed));
                to.count(name!("before"), Some(one.before));
                to.count(name!("left"), Some(one.left));
            },
        );
        fields.count(name!("archives"), Some(self.archives));
        fields.count(name!("bytes"), Some(self.bytes));
        fields.flag(name!("complete"), Some(self.is_complete));
        fields.flag(name!("stopped"), Some(self.is_stopped));
        fields.text(name!("ended"), &self.ended);
    }
}
