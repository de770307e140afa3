//! `update`: fetch and import as one job.

use super::super::{Server, succeed};
use super::*;

/// How many contracts of a supplier there are.
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
fn a_server_answers_from_an_update_without_a_restart() {
    let fetching = Fetching::with_contents(documents());
    let folder = fetching.folder.path();
    super::super::import(folder, &super::super::contract("1", "9602003012"));
    let key = succeed(folder, "keys issue x --keys keys.sqlite");
    let target = "/contract/monitor-supplier44?supplierINN=9602010010&format=json";
    let target = format!("{target}&apikey={}", key.trim());
    let server = Server::start(folder, "--database data.sqlite");
    assert!(server.get(&target).contains(r#""totalcount":0"#));
    fetching.update(OF_DAY).succeeds();
    let answer = server.get(&target);
    assert!(answer.contains(r#""totalcount":1"#), "{answer}");
}

#[test]
fn what_came_is_imported_although_something_failed() {
    let fetching = Fetching::with_contents(documents());
    let pattern = "*/*/*/contractProcedureCancel";
    let echo = AnswerFault::Echo;
    fetching.service.answer_fault(pattern, echo, Times::Always);
    fetching.update(OF_DAY).fails("echo");
    assert!(lookup(&fetching).contains(r#""totalcount":1"#));
    let said = status(&fetching);
    assert!(
        said.contains(r#""is_failed":true"#) && said.contains(r#""failed":1"#),
        "{said}"
    );

    fetching.service.clear_faults();
    fetching.update(OF_DAY).succeeds();
    assert!(status(&fetching).contains(r#""is_failed":false"#));
}

#[test]
fn a_token_that_is_not_accepted_is_the_status_of_the_update() {
    let fetching = Fetching::with_contents(documents());
    fetching.service.set_token(Some("another".to_owned()));
    fetching.update(OF_DAY).fails("the token was not accepted");
    assert!(status(&fetching).contains(r#""is_failed":true"#));
}

#[test]
fn without_a_token_what_is_there_is_imported() {
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
