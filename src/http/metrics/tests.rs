use std::collections::HashSet;

use super::*;
use crate::api::{DiskState, UpdateStatus};
use crate::model::{Basis, CompleteDays, Coverage, Date, Regime, Registries, Registry};

const GOLDEN: &str = include_str!("golden.txt");

fn metrics() -> Metrics {
    let started = SystemTime::UNIX_EPOCH + Duration::from_millis(1_795_000_000_250);
    Metrics::new(started, ["/one", "/other"], 2)
}

fn exchange(
    endpoint: Option<&'static str>,
    status: Status,
    micros: u64,
    bytes: u64,
) -> Exchange<'static> {
    Exchange {
        endpoint,
        error: None,
        status,
        bytes,
        duration: Duration::from_micros(micros),
        broken: false,
    }
}

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_255_200)
}

fn text(metrics: &Metrics) -> String {
    let engine = Figures {
        open: 3,
        accepted: 40,
        sent: 123_456,
        waiting: 5_000,
        refused: vec![("connections", 0), ("head_time", 7)],
    };
    let refused = RefusedCounts {
        rnp: 2,
        open: 9,
        ..RefusedCounts::default()
    };
    let cache = CacheFigures {
        hits: 900,
        misses: 100,
        bytes: 70_000,
    };
    let complete = CompleteDays {
        since: Date::new(2023, 10, 1).expect("a day"),
        as_of: Date::new(2026, 11, 19).expect("a day"),
        basis: Basis::Declared,
    };
    let registry = |law| Registry {
        law,
        complete: (law != Regime::ALL[2]).then_some(complete),
        entries: 0,
    };
    let run = |region: &str, from, to| Coverage {
        subsystem: "RGK".to_owned(),
        documents: "contract".to_owned(),
        region: region.to_owned(),
        from: Date::new(2026, 11, from).expect("a day"),
        to: Date::new(2026, 11, to).expect("a day"),
    };
    let runs = [run("50", 1, 17), run("77", 1, 10), run("77", 12, 19)];
    let data = DataState {
        identity: 1,
        revision: 12,
        // One hour before the time of the test.
        updated: 1_795_251_600,
        registries: Registries {
            all: Regime::ALL.map(registry),
            of_every_day: false,
        },
        coverage: runs.into(),
        unread: Default::default(),
        contracts_without_items: 0,
        contracts_updated: None,
        update: Some(UpdateStatus {
            finished: 1_795_250_000,
            is_failed: true,
            done: 120,
            empty: 30,
            failed: 2,
            left: 5,
        }),
        disk: Some(DiskState {
            file_bytes: 870_000_000,
            available_bytes: 5_000_000_000,
        }),
        new_file: Some(NewFile::Refused),
        switched: 1,
        refused: 4,
        is_reachable: true,
    };
    let process = ProcessFigures {
        cpu_micros: 1_500_000,
        resident_bytes: 40_000_000,
        open_fds: 20,
        max_fds: Some(8_192),
    };
    let observed = Observed {
        process: Some(process),
        busy_workers: 1,
        engine: Some(engine),
        refused,
        large: LargeFigures {
            all: 9,
            waiting: 4,
            in_turn: 2,
            refused: RefusedPlaces {
                of_key: 5,
                of_all: 6,
            },
        },
        cache,
        unaudited: 3,
        is_audit_late: true,
        keys: keys(2),
        needs_keys: true,
        data: Some(data),
    };
    metrics.render(&observed, now())
}

/// Renders the metrics, with all other figures empty and the data unreadable.
fn text_alone(metrics: &Metrics) -> String {
    let observed = Observed {
        process: None,
        busy_workers: 0,
        engine: None,
        refused: RefusedCounts::default(),
        large: LargeFigures::default(),
        cache: CacheFigures::default(),
        unaudited: 0,
        is_audit_late: false,
        keys: keys(0),
        needs_keys: true,
        data: None,
    };
    metrics.render(&observed, now())
}

fn keys(valid: usize) -> KeyState {
    KeyState {
        valid,
        ending: (0..valid)
            .map(|key| ("office".into(), 1_795_500_000 + key as i64))
            .take(1)
            .collect(),
        is_unread: false,
        is_missing: valid == 0,
        failing: None,
    }
}

fn counted() -> Metrics {
    let metrics = metrics();
    metrics.record(0, &exchange(Some("/one"), Status::Ok, 100, 1_000));
    metrics.record(1, &exchange(Some("/one"), Status::Ok, 101, 500));
    metrics.record(
        0,
        &exchange(Some("/one"), Status::Unauthorized, 2_499_999, 58),
    );
    let refused = Exchange {
        error: Some("401"),
        ..exchange(Some("/one"), Status::Ok, 250, 58)
    };
    metrics.record(1, &refused);
    metrics.record(1, &exchange(Some("/other"), Status::Gone, 99_000_000, 1));
    metrics.record(0, &exchange(None, Status::NotFound, 0, 7));
    let gone = Exchange {
        broken: true,
        ..exchange(Some("/not ours"), Status::NotFound, 10_000_000, 7)
    };
    metrics.record(0, &gone);
    metrics
}

#[test]
fn the_text_follows_the_format() {
    let text = text(&counted());
    if std::env::var_os("GOLDEN").is_some_and(|value| value == "bless") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/http/metrics/golden.txt");
        std::fs::write(path, &text).expect("the golden text is written");
        return;
    }
    assert_eq!(text, GOLDEN);
}

#[test]
fn without_data_metrics_are_missing_rather_than_zero() {
    let text = text_alone(&metrics());
    assert!(
        text.contains("\nprocurement_lookup_data_readable 0\n"),
        "{text}"
    );
    for missing in ["data_age_seconds", "connections"] {
        let sample = format!("\nprocurement_lookup_{missing} ");
        assert!(!text.contains(&sample), "{text}");
    }
}

#[test]
fn labels_and_help_are_escaped() {
    let mut out = Exposition::default();
    out.family("a", "gauge", "one\\two\nthree \"four\"");
    out.sample("a", &[("b", "one\\two\nthree \"four\"")], 1);
    assert_eq!(
        out.text(),
        "# HELP a one\\\\two\\nthree \"four\"\n# TYPE a gauge\n\
         a{b=\"one\\\\two\\nthree \\\"four\\\"\"} 1\n"
    );
}

#[test]
fn each_metric_that_an_alert_or_the_dashboard_names_exists() {
    let known: HashSet<&str> = GOLDEN
        .lines()
        .filter_map(|line| line.strip_prefix("# HELP ")?.split(' ').next())
        .collect();
    let texts = [
        include_str!("../../../scripts/deploy/monitoring/procurement-lookup.rules.yml"),
        include_str!("../../../scripts/deploy/monitoring/procurement-lookup.dashboard.json"),
    ];
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = 0;
    for name in texts.iter().flat_map(|text| text.split(|c| !is_part(c))) {
        if !["procurement_lookup_", "process_"]
            .iter()
            .any(|start| name.starts_with(start))
        {
            continue;
        }
        found += 1;
        let family = ["_bucket", "_count", "_sum"]
            .iter()
            .find_map(|end| name.strip_suffix(end));
        assert!(
            known.contains(name) || family.is_some_and(|name| known.contains(name)),
            "{name}"
        );
    }
    assert!(found > 30, "the files were not read");
}
