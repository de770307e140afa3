//! Describes the JSON that commands print.

use std::sync::LazyLock;

use super::answer_schema::{Answer, AnswerSchema};
use super::samples;
use crate::model::{Basis, ChangedPart, Regime, RegistryState, Verdict};
use crate::render::answer::Root;
use crate::render::fields::Record;
use crate::render::outputs::{
    CheckOutput, FetchOutput, ImportOutput, KeyEventOutput, KeyListOutput, KeyLogOutput, KeyOutput,
    KindOutput, PassedOverOutput, RegistryOutput, SubsystemOutput, UnreadOutput,
};
use crate::render::watched::{EntryChange, StageCounts, WatchedEvent};

const TIME: &str = "2026-01-12T02:14:09Z";

/// Returns the descriptions of the outputs of commands.
pub fn outputs() -> &'static [AnswerSchema] {
    static OUTPUTS: LazyLock<Vec<AnswerSchema>> = LazyLock::new(|| {
        let outputs = [
            Some(described(Answer::CheckOutput, &check())),
            Some(described(Answer::KeyListOutput, &key_list())),
            Some(described(Answer::KeyLogOutput, &key_log())),
            Some(described(Answer::ImportOutput, &import())),
            Some(described(Answer::FetchOutput, &fetch())),
            watch_event(),
        ];
        outputs.into_iter().flatten().collect()
    });
    &OUTPUTS
}

fn described(answer: Answer, output: &impl Record) -> AnswerSchema {
    AnswerSchema::of_output(answer, Root::Data, output)
}

fn check() -> CheckOutput {
    CheckOutput {
        suppliers: 40,
        contracts: 1044,
        contracts_without_items: 12,
        purchases: 112,
        rnp_entries: 20,
        documents: 3507,
        refused: 1,
        rules: [1, 1],
        read_before: [2, 310],
        updated: TIME.to_owned(),
        registries: vec![RegistryOutput {
            law: Regime::Fz44,
            state: RegistryState::Complete,
            basis: Some(Basis::Documents),
            complete_as_of: samples::day("2026-01-11"),
            entries: 14,
            missing: samples::day("2026-01-11").map(|day| (day, 3, 12)),
        }],
        unread: vec![UnreadOutput {
            law: Regime::Fz223.code(),
            number: "РНП.26000123".to_owned(),
            place: "rnp-2026-01-11.zip/unfair.xml".to_owned(),
            inns: vec![samples::SUPPLIER_INN.to_owned()],
            is_about_anybody: false,
        }],
    }
}

fn key_list() -> KeyListOutput {
    KeyListOutput {
        keys: vec![KeyOutput {
            name: "office".to_owned(),
            issued: TIME.to_owned(),
            ends: "2027-01-12T02:14:09Z".to_owned(),
            revoked: "2026-06-01T08:00:00Z".to_owned(),
            last_used: samples::day("2026-05-31"),
            limit: Some([50, 100]),
            is_limit_damaged: false,
        }],
    }
}

fn key_log() -> KeyLogOutput {
    KeyLogOutput {
        events: vec![KeyEventOutput {
            time: TIME.to_owned(),
            action: "issued".to_owned(),
            name: "office".to_owned(),
            details: "ends 2027-01-12T02:14:09Z".to_owned(),
        }],
    }
}

fn import() -> ImportOutput {
    ImportOutput {
        is_dry_run: false,
        kinds: vec![KindOutput {
            kind: "contract".to_owned(),
            read: 100,
            new: 60,
            newer: 30,
            unchanged: 9,
            skipped: 1,
        }],
        passed_over: vec![PassedOverOutput {
            kind: "epClarificationDoc".to_owned(),
            count: 7,
            is_about_nothing: false,
        }],
        other_files: 2,
        without_supplier: 3,
        refused: 1,
        skipped: 1,
        archives_unchanged: 12,
        rnp_ended: Some(4),
        rnp_forgotten: Some(5),
        derived_again: Some([1000, 6]),
        suppliers_changed: 40,
        purchases_changed: 8,
        unread_inclusions: 1,
        is_interrupted: false,
    }
}

fn fetch() -> FetchOutput {
    FetchOutput {
        subsystems: vec![SubsystemOutput {
            name: "RGK",
            done: 12,
            empty: 2,
            failed: 1,
            before: 80,
            left: 3,
        }],
        archives: 14,
        bytes: 1_048_576,
        is_complete: false,
        is_stopped: true,
        ended: "the token is not accepted".to_owned(),
    }
}

fn watch_event() -> Option<AnswerSchema> {
    let contracts = StageCounts {
        total: 7,
        in_execution: 3,
        completed: 3,
        terminated: 1,
        annulled: 0,
    };
    let event = WatchedEvent {
        id: "urn:procurement-lookup:7f3a51c60d249b8e-12:9602000445",
        row: 1,
        inn: samples::SUPPLIER_INN,
        name: samples::SUPPLIER_NAME,
        previous_name: "ООО \"ФАРМСТРОЙ\"",
        revision: 12,
        changed_at: TIME,
        changes: &[(
            ChangedPart::Rnp,
            "new entry РНП.26000123 (Law 44-FZ) of 2026-01-11".to_owned(),
        )],
        entries: &[EntryChange {
            change: "came",
            number: "РНП.26000123".to_owned(),
            law: "44".to_owned(),
            registered: "2026-01-11".to_owned(),
            until: "2028-01-10".to_owned(),
        }],
        contracts_before: Some(StageCounts {
            total: 5,
            in_execution: 2,
            ..contracts
        }),
        contracts,
        verdict_before: Some(Verdict::NotListed.code()),
        verdict: Verdict::Listed,
        from: &samples::answer_origin()?,
    };
    Some(described(Answer::WatchEvent, &event))
}
