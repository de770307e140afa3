//! Stopped at any moment, the same command goes on; one process at a time.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use eis_service::{Contents, DeliveryFault, Times};

use super::super::PATIENCE;
use super::*;

/// A run that is on its way.
struct Running(Child);

impl Running {
    fn start(fetching: &Fetching) -> Self {
        let mut command = fetching.day_command();
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Self(command.spawn().expect("it starts"))
    }

    fn signal(&self, signal: &str) {
        let kill = format!("kill {signal} {}", self.0.id());
        let status = Command::new("sh").args(["-c", &kill]).status();
        assert!(status.expect("kill").success());
    }

    fn wait(self) -> Outcome {
        Outcome::new(&self.0.wait_with_output().expect("its end"))
    }
}

/// Until the service has been asked for what matches.
#[track_caller]
fn until_asked(fetching: &Fetching, pattern: &str) {
    let start = Instant::now();
    while fetching.service.count(pattern) == 0 {
        assert!(start.elapsed() < PATIENCE, "{pattern}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Nothing that a killed process had finished is asked for again, save these.
#[track_caller]
fn goes_on(fetching: &Fetching, again: &[&str]) {
    fetching.service.clear_faults();
    fetching.run_day().succeeds();
    for (key, count) in fetching.service.counts() {
        let most = if again.contains(&&*key) { 2 } else { 1 };
        assert!(count <= most, "{key}: {count}");
    }
    let files = fetching.files();
    let is_left = |path: &&String| path.ends_with(".part");
    assert_eq!(files.keys().find(is_left), None);
    assert_eq!(fetching.archives().len(), 12);
}

/// The third archive of the second cell.
const LINK: &str = "2025-03-03/77/RGK/contractProcedure#2";

fn with_three_archives() -> Fetching {
    let fetching = Fetching::start();
    fetching.service.set_contents(Contents::notes(3));
    fetching
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    for fault in [DeliveryFault::Stall, DeliveryFault::StallInBody] {
        let fetching = with_three_archives();
        fetching.service.delivery_fault(LINK, fault, Times::Always);
        let running = Running::start(&fetching);
        until_asked(&fetching, LINK);
        running.signal("-KILL");
        running.wait();
        assert_eq!(fetching.archives().len(), 5);
        goes_on(&fetching, &[LINK]);
    }
}

#[test]
fn a_run_killed_while_it_asks_goes_on_where_it_was() {
    let fetching = with_three_archives();
    let cell = "2025-03-03/77/RGK/contractProcedure";
    fetching
        .service
        .delivery_fault(cell, DeliveryFault::Stall, Times::Always);
    let running = Running::start(&fetching);
    until_asked(&fetching, cell);
    running.signal("-KILL");
    running.wait();
    goes_on(&fetching, &[cell]);
}

#[test]
fn a_run_that_is_told_to_stop_says_what_is_left() {
    for signal in ["-TERM", "-INT", "-HUP"] {
        let fetching = with_three_archives();
        let slow = DeliveryFault::Slow(1, Duration::from_millis(20));
        fetching.service.delivery_fault(LINK, slow, Times::Always);
        let running = Running::start(&fetching);
        until_asked(&fetching, LINK);
        running.signal(signal);
        let outcome = running.wait();
        assert_eq!(outcome.status, Some(1), "{outcome:?}");
        assert!(outcome.out.contains("left"), "{outcome:?}");
        let coverage = fetching.files().remove("coverage.jsonl").expect("it");
        assert_eq!(coverage.iter().filter(|byte| **byte == b'\n').count(), 1);
        goes_on(&fetching, &[LINK]);
    }
}

#[test]
fn it_stops_at_once_also_while_the_service_sends_nothing() {
    let cell = "2025-03-03/77/RGK/contractProcedure";
    for (pattern, fault) in [
        (cell, DeliveryFault::Stall),
        (LINK, DeliveryFault::StallInBody),
    ] {
        let fetching = with_three_archives();
        fetching
            .service
            .delivery_fault(pattern, fault, Times::Always);
        let running = Running::start(&fetching);
        until_asked(&fetching, pattern);
        running.signal("-TERM");
        // Were it to wait for the service, that would be until the test has had enough.
        let outcome = running.wait();
        assert_eq!(outcome.status, Some(1), "{outcome:?}");
        assert!(outcome.out.contains("stopped"), "{outcome:?}");
    }
}

#[test]
fn a_second_process_is_told_so() {
    let fetching = with_three_archives();
    fetching
        .service
        .delivery_fault(LINK, DeliveryFault::Stall, Times::Always);
    let running = Running::start(&fetching);
    until_asked(&fetching, LINK);
    fetching.run_day().fails("documents");
    running.signal("-KILL");
    running.wait();
    goes_on(&fetching, &[LINK]);
}

#[test]
fn a_folder_that_is_none_or_another_s_is_left_alone() {
    let fetching = Fetching::start();
    let path = fetching.folder.path().join("documents");
    fs::write(&path, "a file").expect("a file");
    fetching.run_day().fails("documents");
    assert_eq!(fs::read(&path).expect("it"), b"a file");
    fs::remove_file(&path).expect("removed");

    fs::create_dir(&path).expect("a folder");
    let state = path.join("fetch.sqlite");
    fs::write(&state, "something else").expect("a file");
    fetching.run_day().fails("fetch.sqlite");
    assert_eq!(fs::read(&state).expect("it"), b"something else");
    assert_eq!(fetching.service.requests().len(), 0);
}
