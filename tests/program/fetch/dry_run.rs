//! What is said before a night is spent: `--dry-run`, `--probe`, wrong use.

use eis_service::{AnswerFault, Times};

use super::*;

#[test]
fn a_dry_run_counts_what_is_left_and_asks_for_nothing() {
    let fetching = Fetching::start();
    let dry_run = || {
        let mut command = program(fetching.folder.path());
        command
            .args(["fetch", "--into", "documents", "--dry-run"])
            .args(OF_DAY)
            .args(["--per-minute", "2"]);
        Outcome::of(&mut command).succeeds().out
    };
    let said = dry_run();
    assert!(
        said.starts_with("4 requests") && said.contains("take 2m"),
        "{said}"
    );
    assert!(fetching.files().is_empty());
    assert_eq!(fetching.service.requests().len(), 0);
    fetching.run_day().succeeds();
    let said = dry_run();
    assert!(said.starts_with("0 requests"), "{said}");
}

#[test]
fn a_probe_asks_for_one_cell_of_each_subsystem_and_one_archive() {
    let fetching = Fetching::start();
    let probe = ["--probe", "--regions", "77", "--to", DAY];
    let said = fetching.run(&probe).succeeds().out;
    for subsystem in [
        "RGK", "PRIZ", "RNP", "RNP223", "RI223", "RD223", "PPRF615", "RD615",
    ] {
        let pattern = format!("{DAY}/77/{subsystem}/*");
        assert_eq!(fetching.service.count(&pattern), 1, "{subsystem}");
        assert!(said.contains(subsystem), "{said}");
    }
    assert_eq!(fetching.service.count("wsdl"), 1);
    assert_eq!(fetching.service.count("*#*"), 1);
}

#[test]
fn a_probe_that_is_not_answered_says_by_what() {
    let fetching = Fetching::start();
    fetching
        .service
        .answer_fault("*/*/RNP/*", AnswerFault::Echo, Times::Always);
    let probe = ["--probe", "--regions", "77", "--to", DAY];
    let outcome = fetching.run(&probe);
    assert_eq!(outcome.status, Some(1));
    assert!(outcome.out.contains("echo"), "{outcome:?}");
    assert_eq!(fetching.service.count("*#*"), 1, "the rest is asked for");
}

#[test]
fn wrong_use_is_told_from_what_fails() {
    let fetching = Fetching::start();
    for arguments in [
        &["--to", DAY][..],
        &["--regions", "00"],
        &["--regions", ""],
        &["--regions", "77", "--from", "2025-03-04", "--to", DAY],
        &["--regions", "77", "--from", "2025-02-30"],
        &["--regions", "77", "--to", "2999-01-01"],
        &["--regions", "77", "--last", "0"],
        &["--regions", "77", "--what", "everything"],
        &["--regions", "77", "--proxy", "nowhere"],
        &["--regions", "77", "--dry-run", "--probe"],
        &["--number", "1"],
    ] {
        let outcome = fetching.run(arguments);
        assert_eq!(outcome.status, Some(2), "{arguments:?}: {outcome:?}");
    }
    assert_eq!(fetching.service.requests().len(), 0);
    assert!(fetching.files().is_empty());
}

#[test]
fn a_probe_says_how_often_it_was_refused_for_the_rate() {
    let fetching = Fetching::start();
    let rate = AnswerFault::ErrorInfo(13, "Превышен лимит".to_owned());
    fetching.service.answer_fault("*", rate, Times::First(2));
    let outcome = fetching.run(&["--probe", "--to", DAY]).succeeds();
    assert!(
        outcome.out.contains("refused as too many: 2"),
        "{outcome:?}"
    );
}
