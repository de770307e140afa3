//! `update`: fetch and import as one job.

use std::path::Path;

use eis_service::{AnswerFault, Contents, Times};

use super::super::{Server, succeed};
use super::*;

const CONTRACTS: &str = "/contract/monitor-supplier44?supplierINN=9602010010&format=json";

/// A service that has the invented documents.
fn start() -> Fetching {
    let fetching = Fetching::start();
    let documents = concat!(env!("CARGO_MANIFEST_DIR"), "/data/documents");
    let documents = Contents::documents(Path::new(documents)).expect("documents");
    fetching.service.set_contents(documents);
    fetching
}

fn update(fetching: &Fetching) -> Outcome {
    let mut command = program(fetching.folder.path());
    command
        .args(["update", "--database", "data.sqlite"])
        .args(["--into", "documents", "--pause", "1ms"])
        .args(["--per-minute", "0"])
        .args(["--endpoint", &fetching.service.endpoint()])
        .args(OF_DAY)
        .env("PROCUREMENT_LOOKUP_TOKEN", TOKEN);
    Outcome::of(&mut command)
}

/// How many contracts of a supplier there are.
fn lookup(fetching: &Fetching) -> String {
    let asked = ["lookup", "contracts", "9602010010"];
    let options = ["--database", "data.sqlite", "--format", "json"];
    succeed(fetching.folder.path(), &[&asked[..], &options].concat())
}

fn status(fetching: &Fetching) -> String {
    let file = fetching.folder.path().join("data.sqlite-update");
    fs::read_to_string(file).expect("the status")
}

#[test]
fn an_update_fetches_and_imports() {
    let fetching = start();
    update(&fetching).succeeds();
    assert!(lookup(&fetching).contains(r#""totalcount":1"#));
    assert!(status(&fetching).contains(r#""is_failed":false"#));
    fetching.service.forget_requests();
    update(&fetching).succeeds();
    assert_eq!(fetching.service.requests().len(), 0);
}

#[test]
fn a_server_answers_from_an_update_without_a_restart() {
    let fetching = start();
    let folder = fetching.folder.path();
    super::super::import(folder, &super::super::contract("1", "9602003012"));
    let key = succeed(folder, &["keys", "issue", "x", "--keys", "keys.sqlite"]);
    let target = format!("{CONTRACTS}&apikey={}", key.trim());
    let server = Server::start(folder, &["--database", "data.sqlite"]);
    assert!(server.get(&target).contains(r#""totalcount":0"#));
    update(&fetching).succeeds();
    let answer = server.get(&target);
    assert!(answer.contains(r#""totalcount":1"#), "{answer}");
}

#[test]
fn what_came_is_imported_although_something_failed() {
    let fetching = start();
    let pattern = "*/*/*/contractProcedureCancel";
    let echo = AnswerFault::Echo;
    fetching.service.answer_fault(pattern, echo, Times::Always);
    update(&fetching).fails("echo");
    assert!(lookup(&fetching).contains(r#""totalcount":1"#));
    let said = status(&fetching);
    assert!(
        said.contains(r#""is_failed":true"#) && said.contains(r#""failed":1"#),
        "{said}"
    );

    fetching.service.clear_faults();
    update(&fetching).succeeds();
    assert!(status(&fetching).contains(r#""is_failed":false"#));
}

#[test]
fn a_token_that_is_not_accepted_is_the_status_of_the_update() {
    let fetching = start();
    fetching.service.set_token(Some("another".to_owned()));
    update(&fetching).fails("the token was not accepted");
    assert!(status(&fetching).contains(r#""is_failed":true"#));
}

#[test]
fn without_a_token_what_is_there_is_imported() {
    let fetching = start();
    fetching.run_day().succeeds();
    let mut command = program(fetching.folder.path());
    command
        .args(["update", "--database", "data.sqlite"])
        .args(["--into", "documents"])
        .args(OF_DAY);
    Outcome::of(&mut command).fails("there is no token");
    assert!(lookup(&fetching).contains(r#""totalcount":1"#));
    assert!(status(&fetching).contains(r#""is_failed":true"#));
}
