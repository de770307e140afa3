//! Stopped at any moment, the same command goes on; one process at a time.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::super::{PATIENCE, kill};
use super::*;

/// A run that is on its way.
struct Running(Child);

impl Running {
    fn start(fetching: &Fetching) -> Self {
        let mut command = fetching.day_command();
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Self(command.spawn().expect("it starts"))
    }

    fn wait(self) -> Outcome {
        Outcome::new(&self.0.wait_with_output().expect("its end"))
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

/// The cell of it.
const SECOND: &str = "2025-03-03/77/RGK/contractProcedure";

/// A run of a service that gives out three archives a cell, when it has got to where a fault
/// holds it up.
fn held_up(pattern: &str, fault: DeliveryFault) -> (Fetching, Running) {
    let fetching = Fetching::with_contents(Contents::notes(3));
    fetching
        .service
        .delivery_fault(pattern, fault, Times::Always);
    let running = Running::start(&fetching);
    let start = Instant::now();
    while fetching.service.count(pattern) == 0 {
        assert!(start.elapsed() < PATIENCE, "{pattern}");
        std::thread::sleep(Duration::from_millis(5));
    }
    (fetching, running)
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    for (pattern, fault, archives) in [
        (LINK, DeliveryFault::Stall, 5),
        (LINK, DeliveryFault::StallInBody, 5),
        (SECOND, DeliveryFault::Stall, 3),
    ] {
        let (fetching, running) = held_up(pattern, fault);
        // Meanwhile a second process is told so.
        fetching.run_day().fails("documents");
        kill(&running.0, "KILL");
        running.wait();
        assert_eq!(fetching.archives().len(), archives);
        goes_on(&fetching, &[pattern]);
    }
}

#[test]
fn a_run_that_is_told_to_stop_says_what_is_left() {
    for signal in ["TERM", "INT", "HUP"] {
        let slow = DeliveryFault::Slow(1, Duration::from_millis(20));
        let (fetching, running) = held_up(LINK, slow);
        kill(&running.0, signal);
        let outcome = running.wait();
        assert_eq!(outcome.status, Some(1), "{outcome:?}");
        assert!(outcome.out.contains("left"), "{outcome:?}");
        assert_eq!(fetching.coverage().lines().count(), 1);
        goes_on(&fetching, &[LINK]);
    }
}

#[test]
fn it_stops_at_once_also_while_the_service_sends_nothing() {
    for (pattern, fault) in [
        (SECOND, DeliveryFault::Stall),
        (LINK, DeliveryFault::StallInBody),
    ] {
        let (_fetching, running) = held_up(pattern, fault);
        kill(&running.0, "TERM");
        // Were it to wait for the service, that would be until the test has had enough.
        let outcome = running.wait();
        assert_eq!(outcome.status, Some(1), "{outcome:?}");
        assert!(outcome.out.contains("stopped"), "{outcome:?}");
    }
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
