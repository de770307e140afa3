//! Commands before a long run: `--dry-run` and `--probe`. Also wrong options.

use eis_service::Archive;

use super::*;

const PROBE: &str = "--probe --regions 77 --to 2025-03-03";

#[test]
fn a_dry_run_counts_the_remaining_requests_and_sends_none() {
    let fetching = Fetching::start();
    let dry_run = || {
        let mut command = program(fetching.folder.path());
        command
            .args("fetch --into documents --dry-run --per-minute 2".split(' '))
            .args(OF_DAY.split(' '));
        Outcome::of(&mut command).succeeds().out
    };
    let printed = dry_run();
    assert!(
        printed.starts_with(&format!("{} requests", types())) && printed.contains("alone take"),
        "{printed}"
    );
    assert!(fetching.files().is_empty());
    assert_eq!(fetching.service.requests().len(), 0);
    fetching.run_day().succeeds();
    let printed = dry_run();
    assert!(printed.starts_with("0 requests"), "{printed}");
}

#[test]
fn a_probe_requests_one_cell_per_subsystem_and_one_archive() {
    let fetching = Fetching::start();
    let printed = fetching.run(PROBE).succeeds().out;
    for subsystem in [
        "RGK", "PRIZ", "RPEC", "RJ", "RVP", "RNP", "RNP223", "RI223", "RD223", "PPRF615", "RD615",
    ] {
        let pattern = format!("{DAY}/77/{subsystem}/*");
        assert_eq!(fetching.service.count(&pattern), 1, "{subsystem}");
        assert!(printed.contains(subsystem), "{printed}");
    }
    assert_eq!(fetching.service.count("wsdl"), 1);
    assert_eq!(fetching.service.count("*#*"), 1);
}

#[test]
fn a_probe_follows_a_link_right_after_the_response_with_it() {
    let contents = Contents::table(vec![("*/*/RNP223/*", vec![Archive(Vec::new())])]);
    let fetching = Fetching::with_contents(contents);
    let link = format!("{DAY}/77/RNP223/dishonestSupplier#0");
    fetching
        .service
        .fault(&link, Fault::Status(403), Times::First(1));
    let printed = fetching.run(PROBE).succeeds().out;
    assert!(printed.contains("bytes, a readable zip"), "{printed}");
    let requests = fetching.service.requests();
    let keys: Vec<_> = requests
        .iter()
        .filter_map(|one| one.key.as_deref())
        .collect();
    let at = keys.iter().position(|key| *key == link).expect("the link");
    let cell = link.trim_end_matches("#0");
    // If a link is refused, the cell is requested again.
    assert_eq!(keys[at - 1..at + 3], [cell, &link, cell, &link]);
}

#[test]
fn a_probe_reports_refusals_and_their_number() {
    let fetching = Fetching::faulty("*/*/RNP/*", Fault::Echo, Times::Always);
    let rate = Fault::ErrorInfo(13, "Превышен лимит".to_owned());
    let first = format!("{DAY}/77/RGK/*");
    fetching.service.fault(&first, rate, Times::First(2));
    let outcome = fetching.run(PROBE);
    assert_eq!(outcome.status, Some(1));
    for words in ["echo", "refused as too many: 2"] {
        assert!(outcome.out.contains(words), "{outcome:?}");
    }
    assert_eq!(
        fetching.service.count("*#*"),
        1,
        "the rest is still requested"
    );
}

#[test]
fn wrong_use_exits_with_status_2_and_sends_nothing() {
    let fetching = Fetching::start();
    for options in [
        "--to 2025-03-03",
        "--regions 00",
        "--regions=",
        "--regions 77 --from 2025-03-04 --to 2025-03-03",
        "--regions 77 --from 2025-02-30",
        "--regions 77 --to 2999-01-01",
        "--regions 77 --last 0",
        "--regions 77 --what everything",
        "--regions 77 --proxy nowhere",
        "--regions 77 --dry-run --probe",
        "--number 1",
        "--token 0f6e3c1a-52d7-4b8e-9c40-7a1b2c3d4e5f --regions 77",
        "--tunnel http://127.0.0.1:1 --proxy http://127.0.0.1:2 --regions 77",
    ] {
        let outcome = fetching.run(options);
        assert_eq!(outcome.status, Some(2), "{options}: {outcome:?}");
    }
    assert_eq!(fetching.service.requests().len(), 0);
    assert!(fetching.files().is_empty());
}
