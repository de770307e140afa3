//! The server, from outside.

use super::*;

#[test]
fn answers_from_the_bundled_data_until_it_is_told_to_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let answer = server.get(&format!("{RNP}&apikey=demo"));
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    assert!(
        head.contains(&format!("Content-Length: {}\r\n", body.len())),
        "{head}"
    );
    assert!(
        head.contains("\r\nDate: ") && head.ends_with("Connection: close"),
        "{head}"
    );
    assert!(body.contains(r#""inRNP":false,"entries":[]"#), "{body}");
    let (status, _) = server.terminate();
    assert_eq!(status, Some(0));
    assert_eq!(
        fs::read_dir(folder.path()).expect("a folder").count(),
        1,
        "only the log is left"
    );
}

#[test]
fn ctrl_c_ends_it_too_whatever_connections_are_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let _idle = TcpStream::connect(&server.address).expect("a connection");
    let mut half = TcpStream::connect(&server.address).expect("a connection");
    half.write_all(b"GET /rnp/check-sup").expect("half a head");
    let (status, _) = server.end("-INT");
    assert_eq!(status, Some(0));
}

#[test]
fn a_port_that_is_taken_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let output = run(folder.path(), &["serve", "--listen", &server.address]);
    assert_eq!(output.status.code(), Some(1));
    let error = stderr(&output);
    assert!(
        error.contains(&format!("cannot listen on {}", server.address))
            && error.contains("--listen"),
        "{error}"
    );
}

#[test]
fn every_command_explains_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [
        &["serve"][..],
        &["import"],
        &["keys"],
        &["keys", "issue"],
        &["keys", "list"],
        &["keys", "revoke"],
        &["lookup"],
        &["lookup", "contracts"],
        &["lookup", "purchase"],
        &["lookup", "supplier"],
        &["check"],
    ] {
        let help = succeed(folder.path(), &[arguments, &["--help"]].concat());
        assert!(help.contains("Usage: procurement-lookup"), "{help}");
    }
}

#[test]
fn a_connection_is_kept_and_pipelined_requests_are_answered_in_their_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let answers = server.exchange(&format!(
        "GET {CONTRACTS}&apikey=demo HTTP/1.1\r\nHost: x\r\n\r\n\
         HEAD {CONTRACTS}&apikey=demo HTTP/1.1\r\nHost: x\r\n\r\n\
         GET {RNP}&apikey=demo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    ));
    let starts: Vec<usize> = answers
        .match_indices("HTTP/1.1 200 OK")
        .map(|(at, _)| at)
        .collect();
    assert_eq!(starts.len(), 3, "{answers}");
    let (first, second) = (&answers[..starts[1]], &answers[starts[1]..starts[2]]);
    assert!(
        first.ends_with("]}") && first.contains(r#""totalcount":1"#),
        "{first}"
    );
    let length = |answer: &str| {
        let (_, rest) = answer.split_once("Content-Length: ").expect("a length");
        rest.split("\r\n").next().map(str::to_owned)
    };
    assert!(second.ends_with("\r\n\r\n"), "HEAD has no body: {second}");
    assert_eq!(length(first), length(second));
    assert!(answers[starts[2]..].contains("inRNP"));
}

#[test]
fn a_client_of_http_1_0_is_answered_and_the_connection_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let answer = server.exchange(&format!("GET {RNP}&apikey=demo HTTP/1.0\r\n\r\n"));
    assert!(
        answer.starts_with("HTTP/1.1 200 OK") && answer.contains("Connection: close"),
        "{answer}"
    );
}

#[test]
fn no_key_stands_in_the_log() {
    let folder = folder();
    let key = succeed(
        folder.path(),
        &["keys", "issue", "office", "--database", "data.sqlite"],
    );
    let key = key.trim_end();
    // One worker, so that its lines are in the order of the requests.
    let arguments = ["--database", "data.sqlite", "--workers", "1"];
    let server = Server::start(folder.path(), &arguments);
    for target in [
        format!("{CONTRACTS}&apikey={key}"),
        format!("/{key}?apikey={key}"),
        format!("{CONTRACTS}&apikey={key}&api_key=another-secret"),
    ] {
        server.get(&target);
    }
    for header in ["X-API-Key: ", "Authorization: Bearer "] {
        let answer = server.exchange(&format!(
            "GET {CONTRACTS} HTTP/1.1\r\nHost: x\r\n{header}{key}\r\nConnection: close\r\n\r\n"
        ));
        assert!(answer.contains(r#""totalcount":1"#), "{answer}");
    }
    let (status, log) = server.terminate();
    assert_eq!(status, Some(0));
    assert!(
        !log.contains(key) && !log.contains("another-secret"),
        "{log}"
    );
    let lines: Vec<&str> = log
        .lines()
        .filter(|line| line.contains(" target=access "))
        .collect();
    assert_eq!(lines.len(), 5, "{log}");
    assert!(
        lines[0].contains("endpoint=/contract/monitor-supplier44 status=200"),
        "{log}"
    );
    assert!(lines[0].contains(" key=office"), "{log}");
    assert!(
        lines[1].contains("endpoint=- status=404 error=404"),
        "{log}"
    );
    assert!(lines[2].contains("error=401"), "{log}");
}

#[test]
fn keys_count_and_count_no_more_within_a_second_without_a_restart() {
    let folder = folder();
    let server = Server::start(folder.path(), &["--database", "data.sqlite"]);
    let keys = |arguments: &[&str]| {
        succeed(
            folder.path(),
            &[&["keys"], arguments, &["--database", "data.sqlite"]].concat(),
        )
    };
    let key = keys(&["issue", "office"]);
    let target = format!("{RNP}&apikey={}", key.trim_end());
    let second = Duration::from_secs(1);
    server.until(&target, second, |answer| answer.starts_with("HTTP/1.1 200"));
    keys(&["revoke", "office"]);
    server.until(&target, second, |answer| answer.starts_with("HTTP/1.1 401"));
    let again = keys(&["issue", "office"]);
    assert_ne!(again, key);
    let target = format!("{RNP}&apikey={}", again.trim_end());
    server.until(&target, second, |answer| answer.starts_with("HTTP/1.1 200"));
}

#[test]
fn the_limits_of_load_are_those_of_the_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = [
        "--rnp-rate",
        "3",
        "--rnp-burst",
        "7",
        "--wrong-key-limit",
        "1",
    ];
    let server = Server::start(folder.path(), &options);
    let answer = server.get(&format!("{RNP}&apikey=demo"));
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains("\r\nRateLimit-Limit: 7\r\n"), "{answer}");
    let [unauthorized, refused] = [(); 2].map(|()| server.get(&format!("{RNP}&apikey=guess")));
    assert!(unauthorized.starts_with("HTTP/1.1 401 "), "{unauthorized}");
    assert!(
        refused.starts_with("HTTP/1.1 429 Too Many Requests\r\n"),
        "{refused}"
    );
    assert!(refused.contains("\r\nRetry-After: "), "{refused}");
}
