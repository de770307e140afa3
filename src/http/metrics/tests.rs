//! The text of `/metrics`, compared whole, and read by a parser of the format that
//! knows nothing of how it was written.

use std::collections::{BTreeMap, HashSet};

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
    bytes: usize,
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

/// The text with figures of everything.
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
        // An hour before now.
        updated: 1_795_251_600,
        registries: Registries {
            all: Regime::ALL.map(registry),
            of_every_day: false,
        },
        coverage: runs.into(),
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
        engine: Some(engine),
        refused,
        cache,
        unaudited: 3,
        keys: keys(2),
        needs_keys: true,
        data: Some(data),
    };
    metrics.render(&observed, now())
}

/// The text where nothing else counts, and the data cannot be read.
fn text_alone(metrics: &Metrics) -> String {
    let observed = Observed {
        process: None,
        engine: None,
        refused: RefusedCounts::default(),
        cache: CacheFigures::default(),
        unaudited: 0,
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
    // The last request is still under way.
    std::mem::forget(metrics.begin(1));
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
fn the_text_is_as_the_format_has_it() {
    let text = text(&counted());
    if std::env::var_os("GOLDEN").is_some_and(|value| value == "bless") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/http/metrics/golden.txt");
        std::fs::write(path, &text).expect("the golden text is written");
        return;
    }
    assert_eq!(text, GOLDEN);
}

#[test]
fn what_was_counted_is_read_back() {
    let families = read(&text(&counted()));
    let value = |sample: &str| {
        let found = families.values().flat_map(|family| &family.samples);
        let mut found = found.filter(|found| found.text == sample);
        found.next().map(|found| found.value.as_str())
    };
    let total = "procurement_lookup_requests_total";
    let check =
        |sample: &str, expected: &str| assert_eq!(value(sample), Some(expected), "{sample}");
    check(&format!("{total}{{endpoint=\"/one\",code=\"200\"}}"), "2");
    let error = "{endpoint=\"/one\",code=\"200\",error=\"401\"}";
    check(&format!("{total}{error}"), "1");
    check(&format!("{total}{{endpoint=\"/one\",code=\"401\"}}"), "1");
    check(&format!("{total}{{endpoint=\"/other\",code=\"410\"}}"), "1");
    check(&format!("{total}{{endpoint=\"-\",code=\"404\"}}"), "2");
    check(
        "procurement_lookup_response_bytes_total{endpoint=\"/one\"}",
        "1616",
    );
    check("procurement_lookup_responses_broken_total", "1");
    check("procurement_lookup_requests_in_progress", "1");
    let duration = "procurement_lookup_request_duration_seconds";
    let bucket = |end: &str| format!("{duration}_bucket{{endpoint=\"/one\",le=\"{end}\"}}");
    check(&bucket("0.0001"), "1");
    check(&bucket("0.00025"), "3");
    check(&bucket("1"), "3");
    check(&bucket("2.5"), "4");
    check(&bucket("+Inf"), "4");
    check(&format!("{duration}_sum{{endpoint=\"/one\"}}"), "2.500450");
    check(&format!("{duration}_count{{endpoint=\"/one\"}}"), "4");
    check(
        &format!("{duration}_bucket{{endpoint=\"/other\",le=\"10\"}}"),
        "0",
    );
    check(
        &format!("{duration}_bucket{{endpoint=\"/other\",le=\"+Inf\"}}"),
        "1",
    );
    check("procurement_lookup_data_age_seconds", "3600");
    check("procurement_lookup_refused_total{bound=\"head_time\"}", "7");
    check("procurement_lookup_rate_limited_total{limit=\"rnp\"}", "2");
    check("process_start_time_seconds", "1795000000.250");
}

#[test]
fn histograms_are_cumulative_and_their_count_is_the_last_bucket() {
    let families = read(&text(&counted()));
    let mut histograms = 0;
    for (name, family) in families
        .iter()
        .filter(|(_, family)| family.kind == "histogram")
    {
        let mut counts: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for sample in &family.samples {
            let number = || sample.value.parse::<u64>().expect("a whole number");
            let endpoint = sample
                .labels
                .first()
                .map_or("", |(_, content)| content.as_str());
            if sample.name == format!("{name}_bucket") {
                counts.entry(endpoint).or_default().push(number());
            } else if sample.name == format!("{name}_count") {
                let counts = counts.get(endpoint).expect("its buckets come before");
                assert!(counts.is_sorted(), "{counts:?}");
                assert_eq!(counts.last(), Some(&number()));
                histograms += 1;
            }
        }
    }
    assert_eq!(histograms, 3);
}

#[test]
fn a_request_is_in_progress_until_it_ends_even_by_a_panic() {
    let metrics = metrics();
    let figure = |metrics: &Metrics| {
        let text = text_alone(metrics);
        text.contains("procurement_lookup_requests_in_progress 1\n")
    };
    let in_progress = metrics.begin(0);
    assert!(figure(&metrics));
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _in_progress = in_progress;
        panic!("on the way");
    }));
    assert!(ended.is_err());
    assert!(!figure(&metrics));
}

#[test]
fn without_data_its_figures_are_missing_and_not_nought() {
    let families = read(&text_alone(&metrics()));
    let readable = &families["procurement_lookup_data_readable"];
    assert_eq!(readable.samples[0].value, "0");
    assert!(!families.contains_key("procurement_lookup_data_age_seconds"));
    assert!(!families.contains_key("procurement_lookup_connections"));
}

#[test]
fn labels_and_help_are_escaped() {
    let mut out = Exposition::default();
    out.family("a", Kind::Gauge, "one\\two\nthree \"four\"");
    out.sample("a", &[("b", "one\\two\nthree \"four\"")], 1);
    assert_eq!(
        out.text(),
        "# HELP a one\\\\two\\nthree \"four\"\n# TYPE a gauge\n\
         a{b=\"one\\\\two\\nthree \\\"four\\\"\"} 1\n"
    );
}

struct Family {
    kind: String,
    samples: Vec<Sample>,
}

struct Sample {
    name: String,
    labels: Vec<(String, String)>,
    value: String,
    /// All before the value.
    text: String,
}

/// Reads the format, version 0.0.4, and fails on what it does not allow.
fn read(text: &str) -> BTreeMap<String, Family> {
    assert!(text.ends_with('\n'), "the last line has its end");
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut current = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').expect("a help");
            assert!(is_name(name) && !help.is_empty(), "{line}");
            current = name.to_owned();
            let kind = String::new();
            let samples = Vec::new();
            let earlier = families.insert(current.clone(), Family { kind, samples });
            assert!(earlier.is_none(), "{name} twice");
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').expect("a kind");
            assert_eq!(name, current, "the kind follows the help");
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
            families.get_mut(name).expect("its help").kind = kind.to_owned();
        } else {
            let sample = read_sample(line);
            assert!(seen.insert(sample.text.clone()), "{line} twice");
            let family = families.get_mut(&current).expect("a family");
            let ending = sample.name.strip_prefix(&current).expect("of its family");
            let endings = match family.kind.as_str() {
                "histogram" => &["_bucket", "_sum", "_count"][..],
                _ => &[""],
            };
            assert!(endings.contains(&ending), "{line}");
            family.samples.push(sample);
        }
    }
    families
}

fn read_sample(line: &str) -> Sample {
    let (text, value) = line.rsplit_once(' ').expect("a value");
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = value.split_once('.').unwrap_or((value, "0"));
    assert!(digits(whole) && digits(part), "{line}");
    let (name, mut rest) = match text.split_once('{') {
        Some((name, rest)) => (name, rest.strip_suffix('}').expect("the end of the labels")),
        None => (text, ""),
    };
    assert!(is_name(name), "{line}");
    let mut labels = Vec::new();
    while !rest.is_empty() {
        let (label, after) = rest.split_once("=\"").expect("a label");
        assert!(is_name(label) && !label.contains(':'), "{line}");
        let mut content = String::new();
        let mut chars = after.chars();
        loop {
            match chars.next().expect("the end of the label") {
                '"' => break,
                '\\' => content.push(match chars.next().expect("an escape") {
                    'n' => '\n',
                    c @ ('\\' | '"') => c,
                    c => panic!("an escape {c:?}"),
                }),
                c => content.push(c),
            }
        }
        labels.push((label.to_owned(), content));
        let after = chars.as_str();
        rest = after.strip_prefix(',').unwrap_or(after);
    }
    Sample {
        name: name.to_owned(),
        labels,
        value: value.to_owned(),
        text: text.to_owned(),
    }
}

fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    name.chars().all(allowed) && name.starts_with(|c: char| !c.is_ascii_digit())
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
