//! A run that was stopped at any point is resumed by the same command. Only one process may fetch
//! at a time.

use std::process::{Child, Stdio};
use std::time::Instant;

use super::super::{PATIENCE, kill};
use super::*;

/// The third archive of the second cell.
const LINK: &str = "2025-03-03/77/RGK/contractProcedure#2";

const SECOND: &str = "2025-03-03/77/RGK/contractProcedure";

/// Starts a run with a service that has three archives per cell, and waits until the run is blocked
/// by the fault.
fn start_blocked(pattern: &str, fault: Fault, options: &[&str]) -> (Fetching, Child) {
    let fetching = Fetching::with_contents(Contents::notes(3));
    fetching.service.fault(pattern, fault, Times::Always);
    let mut command = fetching.day_command();
    command.args(options);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let running = command.spawn().expect("it starts");
    let start = Instant::now();
    while fetching.service.count(pattern) == 0 {
        assert!(start.elapsed() < PATIENCE, "{pattern}");
        crate::pause();
    }
    (fetching, running)
}

/// Checks that the next run repeats none of the requests that the stopped process finished, except
/// `again`.
#[track_caller]
fn assert_resumes(fetching: &Fetching, again: &str) {
    fetching.service.clear_faults();
    fetching.run_day().succeeds();
    for (key, count) in fetching.service.counts() {
        assert!(count == 1 || key == again, "{key}: {count}");
    }
    let files = fetching.files();
    let is_partial = |path: &&String| path.ends_with(".part");
    assert_eq!(files.keys().find(is_partial), None);
    assert_eq!(fetching.archives().len(), 3 * types());
}

#[test]
fn a_killed_run_is_resumed() {
    for (pattern, fault, archives) in [(LINK, Fault::StallInBody, 5), (SECOND, Fault::Stall, 3)] {
        let (fetching, running) = start_blocked(pattern, fault, &[]);
        // While a process is fetching, a second one is refused.
        fetching.run_day().fails("another process fetches");
        kill(&running, "KILL");
        running.wait_with_output().expect("its end");
        assert_eq!(fetching.archives().len(), archives);
        assert_resumes(&fetching, pattern);
    }
}

/// Requests for other regions make the links expire.
#[test]
fn a_killed_run_is_resumed_after_other_requests() {
    let (fetching, running) = start_blocked(LINK, Fault::StallInBody, &[]);
    kill(&running, "KILL");
    running.wait_with_output().expect("its end");
    fetching.service.clear_faults();
    let others = "--regions 78,79,83 --from 2025-03-03 --to 2025-03-03 --what contracts";
    fetching.run(others).succeeds();
    fetching.service.forget_requests();
    fetching.run_day().succeeds();
    assert_eq!(fetching.service.count(SECOND), 1);
    assert_eq!(fetching.archives().len(), 3 * types() * 4);
}

/// Archives of the first cell are deleted, so that the run requests that cell again before it could
/// use the links.
#[test]
fn links_of_an_earlier_run_are_not_used_after_a_new_request() {
    let (fetching, running) = start_blocked(LINK, Fault::StallInBody, &[]);
    kill(&running, "KILL");
    running.wait_with_output().expect("its end");
    fetching.service.clear_faults();
    let archives = fetching.archives();
    for path in archives.keys().take(4) {
        fs::remove_file(fetching.folder.path().join("documents").join(path)).expect("removed");
    }
    fetching.service.forget_requests();
    fetching.run_day().succeeds();
    assert_eq!(fetching.service.count(CELL), 1);
    assert_eq!(fetching.service.count(SECOND), 1);
    assert_eq!(fetching.archives().len(), 3 * types());
}

/// One of the cases is a service that sends nothing, for which a run would wait a minute.
#[test]
fn a_run_ends_immediately_on_a_signal_or_timeout_and_reports_what_is_left() {
    for (signal, pattern, fault) in [
        (Some("TERM"), SECOND, Fault::Stall),
        (Some("INT"), LINK, Fault::StallInBody),
        (Some("HUP"), LINK, Fault::Blocked),
        (None, LINK, Fault::StallInBody),
    ] {
        let time: &[&str] = if signal.is_some() {
            &[]
        } else {
            &["--for", "2s"]
        };
        let (fetching, running) = start_blocked(pattern, fault, time);
        if let Some(signal) = signal {
            kill(&running, signal);
        }
        let start = Instant::now();
        let outcome = Outcome::new(&running.wait_with_output().expect("its end"));
        assert!(start.elapsed() < PATIENCE, "{outcome:?}");
        assert_eq!(outcome.status, Some(1), "{outcome:?}");
        let left = format!("stopped: {} cells are left", types() - 1);
        assert!(outcome.out.contains(&left), "{outcome:?}");
        assert_eq!(fetching.coverage().lines().count(), 1);
        assert_resumes(&fetching, pattern);
    }
}

#[test]
fn a_path_that_is_not_a_folder_of_fetch_is_left_alone() {
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
