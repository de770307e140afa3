//! Replacing the file with `mv new.sqlite data.sqlite` while a server uses it.

use super::*;

/// Maximum delay before a server answers from the new file.
const NOTICED: Duration = Duration::from_secs(1);

fn import_into(folder: &Path, database: &str, contracts: impl IntoIterator<Item = String>) {
    let lines = contracts
        .into_iter()
        .map(|number| contract(&number, "9602003012") + "\n");
    fs::write(folder.join("lines.jsonl"), lines.collect::<String>()).expect("a file");
    succeed(folder, &format!("import --database {database} lines.jsonl"));
}

fn mv(folder: &Path, from: &str) {
    fs::rename(folder.join(from), folder.join("data.sqlite")).expect("moved");
}

/// Starts a server with the file in the folder. Also returns a request target with a valid key.
fn start(folder: &Path) -> (Server, String) {
    let key = succeed(folder, "keys issue x --keys keys.sqlite");
    let server = Server::start(folder, "--database data.sqlite");
    (server, format!("{CONTRACTS}&apikey={}", key.trim()))
}

#[test]
fn a_server_switches_to_a_moved_or_imported_file_and_logs_it() {
    let folder = folder();
    let (server, target) = start(folder.path());
    for round in 0..3 {
        let numbers = |count| (0..count).map(move |number| format!("{round}-{number}"));
        import_into(folder.path(), "new.sqlite", numbers(100));
        mv(folder.path(), "new.sqlite");
        let answer = server.get(&target);
        assert!(
            answer.contains(&format!(r#""regNum":"{round}-9""#)),
            "{answer}"
        );
        // An import into the new file takes effect with the next request.
        import_into(folder.path(), "data.sqlite", numbers(150));
        let answer = server.get(&target);
        assert!(answer.contains(r#""totalcount":150,"#), "{answer}");
        succeed(folder.path(), "check --database data.sqlite");
    }
    let (status, log) = server.terminate();
    assert_eq!(status, Some(0));
    assert_eq!(log.matches("data.sqlite: replaced").count(), 6, "{log}");
    assert!(!log.contains("level=error"), "{log}");
}

#[test]
fn a_file_of_another_kind_is_refused_in_one_log_line_and_the_old_one_stays() {
    let folder = folder();
    let (server, target) = start(folder.path());
    fs::copy(folder.path().join("keys.sqlite"), folder.path().join("bad")).expect("a copy");
    mv(folder.path(), "bad");
    let log = || fs::read_to_string(&server.log).expect("the log");
    server.until(&target, NOTICED, |answer| {
        assert!(answer.contains(r#""totalcount":1,"#), "{answer}");
        log().contains("is refused")
    });
    import_into(folder.path(), "new.sqlite", ["2".to_owned()]);
    mv(folder.path(), "new.sqlite");
    server.until(&target, NOTICED, |answer| {
        answer.contains(r#""regNum":"2""#)
    });
    assert_eq!(log().matches("is refused").count(), 1, "{}", log());
}
