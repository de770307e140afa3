//! A run ends within its time, whatever the service does.

use std::process::Stdio;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use eis_service::ArchiveFault;

use super::*;

/// The most that a run of two seconds may take here.
const MOST: Duration = Duration::from_secs(20);

/// Runs a command, and kills it after [`MOST`].
fn outcome(command: &mut Command) -> Outcome {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("it starts");
    let kill = format!("kill -KILL {}", child.id());
    let (end, ended) = channel();
    let watch = thread::spawn(move || {
        if ended.recv_timeout(MOST).is_err() {
            let killed = Command::new("sh").args(["-c", &kill]).status();
            assert!(killed.expect("kill").success());
        }
    });
    let output = child.wait_with_output().expect("its end");
    // The watch is over if it has killed the program.
    let _ = end.send(());
    watch.join().expect("the watch");
    Outcome::new(&output)
}

/// The run ends soon after its two seconds, though the cell would take hours; what is left is
/// said, and the next run obtains it.
#[track_caller]
fn check(fetching: &Fetching) {
    let mut command = program(fetching.folder.path());
    command
        .args("fetch --into documents --for 2s".split(' '))
        .args(["--endpoint", &fetching.service.endpoint()])
        .args(OF_DAY.split(' '))
        .env("PROCUREMENT_LOOKUP_TOKEN", TOKEN);
    let outcome = outcome(&mut command);
    assert_eq!(outcome.status, Some(1), "{outcome:?}");
    assert!(outcome.out.contains("4 cells are left"), "{outcome:?}");
    assert!(fetching.files().contains_key("coverage.jsonl"));
    fetching.service.clear_faults();
    fetching.run_day().succeeds();
    assert_eq!(fetching.archives().len(), 4);
}

#[test]
fn a_run_ends_within_its_time_also_while_a_body_stalls_or_a_link_is_blocked() {
    let stall = DeliveryFault::StallInBody;
    check(&Fetching::delivering("*", stall, Times::Always));
    let fetching = Fetching::start();
    let blocked = ArchiveFault::Blocked;
    fetching
        .service
        .archive_fault("*#*", blocked, Times::Always);
    check(&fetching);
}
