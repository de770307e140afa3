//! Which cells are requested, and the resulting files.

use eis_service::Archive;
use procurement_lookup::api::response::receipt::sha256;

use super::*;

#[test]
fn every_cell_is_requested_once_starting_with_the_newest_day() {
    let contents = Contents::table(vec![("2025-03-01/*/*/*", vec![Archive(Vec::new())])]);
    let fetching = Fetching::with_contents(contents);
    let two_days = "--regions 77,25 --from 2025-03-01 --to 2025-03-02 --what contracts";
    fetching.run(two_days).succeeds();
    let requests = fetching.service.requests();
    let keys = requests.into_iter().map(|request| request.key);
    let keys: Vec<String> = keys.map(|key| key.expect("a key")).collect();
    let (newest, oldest) = keys.split_at(2 * types());
    assert!(newest.iter().all(|key| key.starts_with("2025-03-02/")));
    assert_eq!(fetching.service.counts().len(), 3 * 2 * types(), "{keys:?}");
    // Each link is followed immediately, and there is only one request at a time.
    for pair in oldest.chunks(2) {
        assert!(pair[0].starts_with("2025-03-01/"), "{keys:?}");
        assert_eq!(pair[1], format!("{}#0", pair[0]));
    }

    // All archives contain the same bytes.
    let archives = fetching.archives();
    let (path, bytes) = archives.first_key_value().expect("an archive");
    assert_eq!(*path, format!("2025-03-01/{}.zip", sha256(bytes)));

    // Days without documents are covered too.
    let coverage = fetching.coverage();
    let line = r#"{"type":"coverage","subsystem":"RGK","documents":"contract","region":"77","from":"2025-03-01","to":"2025-03-02"}"#;
    assert_eq!(coverage.lines().count(), 2 * types(), "{coverage}");
    assert!(coverage.lines().any(|one| one == line), "{coverage}");

    fetching.run(two_days).succeeds();
    assert_eq!(fetching.service.requests().len(), keys.len());
    assert_eq!(fetching.archives(), archives);
}

#[test]
fn a_missing_archive_is_requested_again() {
    let fetching = Fetching::start();
    fetching.run_day().succeeds();
    let archives = fetching.archives();
    let missing = archives.keys().next().expect("one");
    fs::remove_file(fetching.folder.path().join("documents").join(missing)).expect("removed");
    fetching.service.forget_requests();
    fetching.run_day().succeeds();
    assert_eq!(fetching.service.count("*"), 1);
    assert_eq!(fetching.archives(), archives);
}

#[test]
fn a_recent_day_is_requested_again_and_keeps_its_archives() {
    let fetching = Fetching::start();
    fetching.run(YESTERDAY).succeeds();
    assert_eq!(fetching.service.count("*"), types());
    let first = fetching.archives();
    fetching.service.set_contents(Contents::notes(2));
    fetching.run(YESTERDAY).succeeds();
    assert_eq!(fetching.service.count("*"), 2 * types());
    let second = fetching.archives();
    assert_eq!(second.len(), 2 * types());
    assert!(first.keys().all(|path| second.contains_key(path)));
    fetching.service.fault("*", Fault::Echo, Times::Always);
    fetching.run(YESTERDAY).fails("echo");
    assert_eq!(fetching.archives(), second);
    assert_eq!(fetching.coverage().lines().count(), types());
}

#[test]
fn a_number_needs_no_region_and_is_always_requested() {
    let fetching = Fetching::start();
    let number = "--number 3960100124525000118 --subsystem RGK";
    fetching.run(number).succeeds();
    fetching.run(number).succeeds();
    let key = "number/RGK/3960100124525000118";
    assert_eq!(fetching.service.count(key), 2);
    assert_eq!(fetching.archives().len(), 1);
}

#[test]
fn the_json_summary_counts_cells_by_outcome() {
    let fetching = Fetching::faulty(CELL, Fault::SoapFault, Times::Always);
    let outcome = fetching.run(&format!("{OF_DAY} --format json"));
    assert_eq!(outcome.status, Some(1), "{}", outcome.err);
    let summary: serde_json::Value = serde_json::from_str(&outcome.out).expect("JSON");
    crate::summaries::follows(&summary, "fetch-summary");
    let of_all = |name: &str| -> u64 {
        let subsystems = summary["subsystems"].as_array().expect("subsystems");
        subsystems.iter().filter_map(|one| one[name].as_u64()).sum()
    };
    assert_eq!(of_all("failed"), 1, "{summary}");
    let settled = of_all("done") + of_all("empty");
    assert_eq!(settled, types() as u64 - 1, "{summary}");
    assert_eq!(summary["complete"], false);
    let both = fetching.run(&format!("{OF_DAY} --format json --dry-run"));
    assert_eq!(both.status, Some(2));
}
