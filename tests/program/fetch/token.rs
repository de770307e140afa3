//! The token: where the program reads it from, and that it does not appear anywhere else.

#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;

use super::*;

#[test]
fn nothing_is_requested_without_a_token() {
    let fetching = Fetching::start();
    for token in [None, Some(""), Some("  ")] {
        let mut command = fetching.day_command();
        match token {
            Some(token) => command.env("PROCUREMENT_LOOKUP_TOKEN", token),
            None => command.env_remove("PROCUREMENT_LOOKUP_TOKEN"),
        };
        Outcome::of(&mut command).fails("--token-file");
    }
    assert_eq!(fetching.service.requests().len(), 0);
}

#[cfg(unix)]
#[test]
fn a_token_file_that_others_may_access_is_refused() {
    for (mode, is_accepted) in [
        (0o600, true),
        (0o400, true),
        (0o640, true),
        (0o644, false),
        (0o604, false),
        (0o660, false),
        (0o601, false),
    ] {
        let fetching = Fetching::start();
        let file = fetching.folder.path().join("token");
        fs::write(&file, format!("{TOKEN}\n")).expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("its mode");
        let mut command = fetching.day_command();
        command
            .args(["--token-file", "token"])
            .env_remove("PROCUREMENT_LOOKUP_TOKEN");
        let outcome = Outcome::of(&mut command);
        if is_accepted {
            outcome.succeeds();
        } else {
            outcome.fails("chmod 600");
            assert_eq!(fetching.service.requests().len(), 0);
        }
    }
}

#[test]
fn the_token_is_sent_with_each_request_and_appears_nowhere_else() {
    let quoting = Fault::ErrorInfo(99, "Токен {token}: отказано".to_owned());
    let fetching = Fetching::faulty("*/*/*/contractCancel", quoting, Times::Always);
    let status = Fault::Status(500);
    fetching.service.fault(CELL, status, Times::First(2));
    let mut command = fetching.day_command();
    let outcome = Outcome::of(command.env("RUST_LOG", "trace")).fails("отказано");
    for request in fetching.service.requests() {
        assert_eq!(request.token.as_deref(), Some(TOKEN));
        assert!(!request.target.contains(TOKEN));
    }
    for text in [&outcome.out, &outcome.err] {
        assert!(!text.to_lowercase().contains(TOKEN), "{text}");
    }
    for (path, bytes) in fetching.files() {
        let found = bytes
            .windows(TOKEN.len())
            .any(|window| window == TOKEN.as_bytes());
        assert!(!found, "{path}");
    }
}

#[test]
fn a_token_given_in_place_of_a_file_name_is_not_shown() {
    let fetching = Fetching::start();
    let options = format!("{OF_DAY} --token-file {TOKEN}");
    let outcome = fetching.run(&options).fails("--token-file");
    assert!(!outcome.err.contains(TOKEN), "{outcome:?}");
}
