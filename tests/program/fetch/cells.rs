//! Which cells are asked for, and what is there afterwards.

use procurement_lookup::api::response::receipt::sha256;

use super::*;

const TWO_DAYS: &str = "--regions 77,25 --from 2025-03-01 --to 2025-03-02 --what contracts";

#[test]
fn every_cell_is_asked_for_once_the_newest_day_first() {
    let fetching = Fetching::start();
    fetching.run(TWO_DAYS).succeeds();
    let counts = fetching.service.counts();
    let cells: Vec<_> = counts.keys().filter(|key| !key.contains('#')).collect();
    assert_eq!(cells.len(), 2 * 2 * 4);
    assert!(counts.values().all(|count| *count == 1), "{counts:?}");
    assert_eq!(counts["2025-03-01/25/RGK/contractProcedureCancel"], 1);
    let requests = fetching.service.requests();
    let keys: Vec<&str> = requests
        .iter()
        .filter_map(|one| one.key.as_deref())
        .collect();
    let first_of_second = keys.iter().position(|key| key.starts_with("2025-03-01"));
    let last_of_first = keys.iter().rposition(|key| key.starts_with("2025-03-02"));
    assert!(last_of_first < first_of_second, "{keys:?}");
    assert_eq!(keys[1], format!("{}#0", keys[0]), "links are used at once");
    assert_eq!(fetching.service.most_at_once(), 1);
    for request in requests.iter().filter(|request| request.method == "POST") {
        let body = String::from_utf8_lossy(&request.body);
        let is_moscow = body.contains("<orgRegion>77<");
        let offset = if is_moscow { "+03:00<" } else { "+10:00<" };
        assert!(body.contains(offset), "{body}");
    }
}

#[test]
fn archives_are_named_by_their_bytes_below_their_day() {
    let fetching = Fetching::with_contents(Contents::notes(2));
    fetching.run(TWO_DAYS).succeeds();
    let archives = fetching.archives();
    assert_eq!(archives.len(), 2 * 2 * 2 * 4);
    for (path, bytes) in archives {
        let (day, name) = path.split_once('/').expect("a folder");
        assert!(["2025-03-01", "2025-03-02"].contains(&day), "{path}");
        assert_eq!(name, format!("{}.zip", sha256(&bytes)));
    }
}

#[test]
fn coverage_has_the_runs_of_days_that_are_done_or_empty() {
    let archives = vec![eis_service::Archive(Vec::new())];
    let contents = Contents::table(vec![("2025-03-01/*/*/*", archives)]);
    let fetching = Fetching::with_contents(contents);
    fetching.run(TWO_DAYS).succeeds();
    let coverage = fetching.coverage();
    let line = r#"{"type":"coverage","subsystem":"RGK","documents":"contract","region":"77","from":"2025-03-01","to":"2025-03-02"}"#;
    assert_eq!(coverage.lines().count(), 2 * 4, "{coverage}");
    assert!(coverage.lines().any(|one| one == line), "{coverage}");
}

#[test]
fn what_is_done_or_empty_is_not_asked_for_again() {
    let fetching = Fetching::start();
    fetching.run_day().succeeds();
    let files = fetching.archives();
    fetching.service.forget_requests();
    fetching.run_day().succeeds();
    assert_eq!(fetching.service.requests().len(), 0);
    assert_eq!(fetching.archives(), files);

    let fetching = Fetching::with_contents(Contents::none());
    fetching.run_day().succeeds();
    assert_eq!(fetching.service.requests().len(), 4);
    fetching.run_day().succeeds();
    assert_eq!(fetching.service.requests().len(), 4);
    assert!(fetching.archives().is_empty());
}

#[test]
fn an_archive_that_has_gone_is_asked_for_again() {
    let fetching = Fetching::start();
    fetching.run_day().succeeds();
    let archives = fetching.archives();
    let gone = archives.keys().next().expect("one");
    fs::remove_file(fetching.folder.path().join("documents").join(gone)).expect("removed");
    fetching.service.forget_requests();
    fetching.run_day().succeeds();
    assert_eq!(fetching.service.count("*"), 1);
    assert_eq!(fetching.archives(), archives);
}

#[test]
fn a_day_that_is_fresh_is_asked_for_again_and_keeps_what_it_has() {
    let fetching = Fetching::start();
    fetching.run(YESTERDAY).succeeds();
    assert_eq!(fetching.service.count("*"), 4);
    let first = fetching.archives();
    fetching.service.set_contents(Contents::notes(2));
    fetching.run(YESTERDAY).succeeds();
    assert_eq!(fetching.service.count("*"), 8);
    let second = fetching.archives();
    assert_eq!(second.len(), 8);
    assert!(first.keys().all(|path| second.contains_key(path)));
    let echo = AnswerFault::Echo;
    fetching.service.answer_fault("*", echo, Times::Always);
    fetching.run(YESTERDAY).fails("echo");
    assert_eq!(fetching.archives(), second);
    assert_eq!(fetching.coverage().lines().count(), 4);
}

#[test]
fn a_number_needs_no_region_and_is_always_asked_for() {
    let fetching = Fetching::start();
    let number = "--number 3960100124525000118 --subsystem RGK";
    fetching.run(number).succeeds();
    fetching.run(number).succeeds();
    let key = "number/RGK/3960100124525000118";
    assert_eq!(fetching.service.count(key), 2);
    assert_eq!(fetching.archives().len(), 1);
}
