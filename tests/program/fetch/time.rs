//! A run ends within its time, whatever the service does.

use std::time::{Duration, Instant};

use eis_service::{ArchiveFault, DeliveryFault, Times};

use super::*;

/// The run ends soon after its two seconds, though the cell would take hours; what is left is
/// said, and the next run obtains it.
#[track_caller]
fn check(fetching: &Fetching) {
    let started = Instant::now();
    let mut command = program(fetching.folder.path());
    command
        .args(["fetch", "--into", "documents", "--for", "2s"])
        .args(["--endpoint", &fetching.service.endpoint()])
        .args(OF_DAY)
        .env("PROCUREMENT_LOOKUP_TOKEN", TOKEN);
    let outcome = Outcome::of(&mut command);
    assert!(started.elapsed() < Duration::from_secs(20), "{outcome:?}");
    assert_eq!(outcome.status, Some(1), "{outcome:?}");
    assert!(outcome.out.contains("4 cells are left"), "{outcome:?}");
    assert!(fetching.files().contains_key("coverage.jsonl"));
    fetching.service.clear_faults();
    fetching.run_day().succeeds();
    assert_eq!(fetching.archives().len(), 4);
}

#[test]
fn a_run_ends_within_its_time_also_inside_a_cell() {
    let stalled = Fetching::start();
    let stall = DeliveryFault::StallInBody;
    stalled.service.delivery_fault("*", stall, Times::Always);
    check(&stalled);

    let blocked = Fetching::start();
    let fault = ArchiveFault::Blocked;
    blocked.service.archive_fault("*#*", fault, Times::Always);
    check(&blocked);
}
