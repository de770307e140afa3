//! `update`: fetching and importing in one command.

use super::super::succeed;
use super::*;

/// Looks up the contracts of a supplier.
fn lookup(fetching: &Fetching) -> String {
    let lookup = "lookup contracts 9602010010 --database data.sqlite --format json";
    succeed(fetching.folder.path(), lookup)
}

fn status(fetching: &Fetching) -> String {
    let file = fetching.folder.path().join("data.sqlite-update");
    fs::read_to_string(file).expect("the status")
}

#[test]
fn an_update_fetches_and_imports() {
    let fetching = Fetching::with_contents(documents());
    fetching.update(OF_DAY).succeeds();
    assert!(lookup(&fetching).contains(r#""totalcount":1"#));
    assert!(status(&fetching).contains(r#""is_failed":false"#));
    fetching.service.forget_requests();
    fetching.update(OF_DAY).succeeds();
    assert_eq!(fetching.service.requests().len(), 0);
}

#[test]
fn an_update_imports_fetched_archives_even_if_others_failed() {
    let fetching = Fetching::with_contents(documents());
    let pattern = "*/*/*/contractProcedureCancel";
    fetching.service.fault(pattern, Fault::Echo, Times::Always);
    fetching.update(OF_DAY).fails("echo");
    assert!(lookup(&fetching).contains(r#""totalcount":1"#));
    let status_text = status(&fetching);
    assert!(
        status_text.contains(r#""is_failed":true"#) && status_text.contains(r#""failed":1"#),
        "{status_text}"
    );

    fetching.service.clear_faults();
    fetching.update(OF_DAY).succeeds();
    assert!(status(&fetching).contains(r#""is_failed":false"#));
}

#[test]
fn a_rejected_token_makes_the_update_fail() {
    let fetching = Fetching::with_contents(documents());
    let error = Fault::ErrorInfo(5, "Токен не найден".to_owned());
    fetching.service.fault("*", error, Times::Always);
    fetching.update(OF_DAY).fails("the token was not accepted");
    assert!(status(&fetching).contains(r#""is_failed":true"#));
}

#[test]
fn without_a_token_existing_archives_are_imported() {
    let fetching = Fetching::with_contents(documents());
    fetching.run_day().succeeds();
    let mut command = fetching.bare_command("update --database data.sqlite");
    command
        .args(OF_DAY.split(' '))
        .env_remove("PROCUREMENT_LOOKUP_TOKEN");
    Outcome::of(&mut command).fails("there is no token");
    assert!(lookup(&fetching).contains(r#""totalcount":1"#));
    assert!(status(&fetching).contains(r#""is_failed":true"#));
}
