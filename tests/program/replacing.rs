//! `mv new.sqlite data.sqlite` while a server answers from it.

use super::*;

/// How soon another file is answered from.
const NOTICED: Duration = Duration::from_secs(1);

fn import_into(folder: &Path, database: &str, contracts: &[(&str, &str)]) -> Output {
    let lines: Vec<String> = contracts
        .iter()
        .map(|(number, inn)| contract(number, inn))
        .collect();
    fs::write(folder.join("lines.jsonl"), lines.join("\n")).expect("a file");
    run(folder, &["import", "--database", database, "lines.jsonl"])
}

fn mv(folder: &Path, from: &str) {
    fs::rename(folder.join(from), folder.join("data.sqlite")).expect("moved");
}

fn key(folder: &Path) -> String {
    let key = succeed(folder, &["keys", "issue", "x", "--keys", "keys.sqlite"]);
    format!("{CONTRACTS}&apikey={}", key.trim())
}

#[test]
fn a_file_moved_into_place_is_answered_from_on_the_next_request_and_logged() {
    let folder = folder();
    let target = key(folder.path());
    let server = Server::start(folder.path(), &["--database", "data.sqlite"]);
    let is_of = |number: &'static str| {
        move |answer: &str| answer.contains(&format!(r#""regNum":"{number}""#))
    };
    assert!(is_of("1")(&server.get(&target)));
    let new = import_into(folder.path(), "new.sqlite", &[("2", "9602003012")]);
    assert!(new.status.success(), "{}", stderr(&new));
    mv(folder.path(), "new.sqlite");
    assert!(is_of("2")(&server.get(&target)));
    // A further import into what is there now counts from the next request on.
    let more = import_into(folder.path(), "data.sqlite", &[("3", "9602003012")]);
    assert!(more.status.success(), "{}", stderr(&more));
    assert!(is_of("3")(&server.get(&target)));
    succeed(folder.path(), &["check", "--database", "data.sqlite"]);
    let (status, log) = server.terminate();
    assert_eq!(status, Some(0));
    assert_eq!(log.matches("data.sqlite: replaced").count(), 2, "{log}");
}

#[test]
fn an_import_right_after_the_move_ends_in_the_new_file_and_is_answered_from() {
    let folder = folder();
    let target = key(folder.path());
    let server = Server::start(folder.path(), &["--database", "data.sqlite"]);
    for round in 0..5 {
        let numbers: Vec<String> = (0..150).map(|n| format!("{round}-{n}")).collect();
        let contracts: Vec<(&str, &str)> = numbers
            .iter()
            .map(|number| (number.as_str(), "9602003012"))
            .collect();
        let new = import_into(folder.path(), "new.sqlite", &contracts[..100]);
        assert!(new.status.success(), "{}", stderr(&new));
        mv(folder.path(), "new.sqlite");
        let more = import_into(folder.path(), "data.sqlite", &contracts);
        assert!(more.status.success(), "{}", stderr(&more));
        server.until(&target, NOTICED, |answer| {
            answer.contains(r#""totalcount":150,"#)
                && answer.contains(&format!(r#""regNum":"{round}-9""#))
        });
        succeed(folder.path(), &["check", "--database", "data.sqlite"]);
    }
    let (status, log) = server.terminate();
    assert_eq!(status, Some(0));
    assert!(log.contains("level=info"), "{log}");
    assert!(!log.contains("level=error"), "{log}");
}

#[test]
fn a_file_of_another_kind_is_refused_in_one_line_and_the_old_one_answers() {
    let folder = folder();
    let target = key(folder.path());
    let server = Server::start(folder.path(), &["--database", "data.sqlite"]);
    fs::copy(folder.path().join("keys.sqlite"), folder.path().join("bad")).expect("a copy");
    mv(folder.path(), "bad");
    let log = || fs::read_to_string(&server.log).expect("the log");
    server.until(&target, NOTICED, |answer| {
        assert!(answer.contains(r#""totalcount":1,"#), "{answer}");
        log().contains("is refused")
    });
    let new = import_into(folder.path(), "new.sqlite", &[("2", "9602003012")]);
    assert!(new.status.success(), "{}", stderr(&new));
    mv(folder.path(), "new.sqlite");
    server.until(&target, NOTICED, |answer| {
        answer.contains(r#""regNum":"2""#)
    });
    assert_eq!(log().matches("is refused").count(), 1, "{}", log());
}
