//! Addresses of PostgreSQL servers, given on the command line or in the environment.

use std::fs;
#[cfg(feature = "postgresql")]
use std::{
    io::{Read, Write},
    net::TcpListener,
    sync::Arc,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

#[cfg(feature = "postgresql")]
use super::succeed;
use super::{folder, program, run, stderr, stdout};

/// A secret that must not appear in any output.
const SECRET: &str = "s3cr3t-word";

#[test]
fn an_address_with_a_password_is_never_printed() {
    let folder = folder();
    let list = folder.path().join("list.txt");
    fs::write(&list, "9600000002\n").expect("a list");
    let user = format!("postgresql://somebody:{SECRET}@127.0.0.1:1/data");
    let query = format!("postgresql://127.0.0.1:1/data?password={SECRET}");
    let no_address = format!("host=127.0.0.1 password={SECRET}");
    let mut cases = Vec::new();
    for command in [
        "serve",
        "lookup supplier 9600000002",
        "export",
        "watch --since 2026-01-01 --list list.txt",
        "check",
        "import lines.jsonl",
        "update --regions 77 --into documents",
        "publish --to postgresql://127.0.0.1:1/data",
    ] {
        cases.extend([&user, &query].map(|address| (command, "--database", address)));
    }
    for command in ["serve", "keys list", "keys issue office"] {
        cases.push((command, "--keys", &user));
    }
    for address in [&user, &query, &no_address] {
        cases.push(("publish --database data.sqlite", "--to", address));
    }
    for (command, option, address) in cases {
        let words = || command.split(' ');
        let given = program(folder.path())
            .args(words())
            .args([option, address])
            .output();
        let variable = option.trim_start_matches('-').to_uppercase();
        let from_environment = program(folder.path())
            .args(words())
            .env(format!("PROCUREMENT_LOOKUP_{variable}"), address)
            .output();
        for output in [given, from_environment] {
            let output = output.expect("the program runs");
            assert_eq!(output.status.code(), Some(2), "{command}");
            let printed = [stdout(&output), stderr(&output)].concat();
            assert!(
                printed.contains(&format!("{option}: ")),
                "{command} {option}: {printed}"
            );
            assert!(!printed.contains(SECRET), "{command} {option}: {printed}");
            assert!(
                !printed.contains("panicked"),
                "{command} {option}: {printed}"
            );
        }
    }
    let files = fs::read_dir(folder.path()).expect("the folder");
    let mut names = files.map(|file| file.expect("a file").file_name());
    let is_made = |name: &std::ffi::OsString| {
        let name = name.to_string_lossy();
        name.contains("postgresql") || name.contains("127")
    };
    assert_eq!(names.find(is_made), None);
}

#[test]
fn commands_that_write_refuse_addresses_of_servers() {
    let folder = folder();
    let address = "--database postgresql://127.0.0.1:1/data";
    for command in ["check", "import lines.jsonl"] {
        let output = run(folder.path(), &format!("{command} {address}"));
        assert_eq!(output.status.code(), Some(2), "{command}");
        let printed = stderr(&output);
        assert!(printed.contains("this command takes a file"), "{printed}");
    }
}

#[cfg(not(feature = "postgresql"))]
#[test]
fn a_build_without_postgresql_says_so() {
    let folder = folder();
    for command in ["serve", "lookup supplier 9600000002", "export"] {
        let address = "--database postgresql://127.0.0.1:1/data";
        let output = run(folder.path(), &format!("{command} {address}"));
        assert_eq!(output.status.code(), Some(2), "{command}");
        let printed = stderr(&output);
        assert!(
            printed.contains("this program was built without PostgreSQL"),
            "{printed}"
        );
        assert_eq!(printed.lines().count(), 1, "{printed}");
    }
}

#[cfg(feature = "postgresql")]
#[test]
fn lookup_prints_the_503_response_of_the_endpoint() {
    let folder = folder();
    let address = "--database postgresql://nobody@127.0.0.1:1/data";
    let lookup = format!("lookup supplier 9600000002 --format json {address}");
    let output = run(folder.path(), &lookup);
    assert_eq!(output.status.code(), Some(1));
    let expected = r#"{"code":503,"error":"Сервис временно недоступен."}"#;
    assert_eq!(stdout(&output), expected);
    let export = run(folder.path(), &format!("export {address}"));
    assert_eq!(export.status.code(), Some(1));
    assert!(
        stderr(&export).contains("no server can be reached"),
        "{}",
        stderr(&export)
    );
}

#[cfg(feature = "postgresql")]
#[test]
fn a_service_starts_even_if_no_server_can_be_reached() {
    let folder = folder();
    let key = succeed(folder.path(), "keys issue first");
    let address = "--database postgresql://nobody@127.0.0.1:1/data";
    let server = super::Server::start(folder.path(), address);
    let target = "/rnp/check-supplier?supplierINN=9600000002&format=json&apikey=";
    for _ in 0..3 {
        let answer = server.get(&[target, key.trim()].concat());
        assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
        assert!(answer.contains("\r\nRetry-After: 1\r\n"), "{answer}");
    }
    let (status, log) = server.terminate();
    assert_eq!(status, Some(0), "{log}");
    assert_eq!(
        log.matches("answering requests with 503: ").count(),
        1,
        "{log}"
    );
    assert!(log.contains("answering requests once one is"), "{log}");
}

#[cfg(feature = "postgresql")]
#[test]
fn a_refusal_is_not_logged_as_a_recovery() {
    let folder = folder();
    let key = succeed(folder.path(), "keys issue first");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("its address").port();
    let refuses = Arc::new(AtomicBool::new(false));
    let refusing = Arc::clone(&refuses);
    thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let _ = client.read(&mut [0; 1000]);
            // Send an ErrorResponse of the protocol, or close the connection without a response.
            if refusing.load(Ordering::SeqCst) {
                let fields = b"SFATAL\0C28P01\0Mno\0\0";
                let length = u32::try_from(fields.len() + 4).expect("short");
                let response = [b"E", &length.to_be_bytes()[..], fields].concat();
                let _ = client.write_all(&response);
            }
        }
    });
    let address = format!("--database postgresql://nobody@127.0.0.1:{port}/data");
    let server = super::Server::start(folder.path(), &address);
    let target = "/rnp/check-supplier?supplierINN=9600000002&format=json&apikey=";
    let ask = || server.get(&[target, key.trim()].concat());
    let answer = ask();
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    refuses.store(true, Ordering::SeqCst);
    let deadline = Instant::now() + Duration::from_secs(10);
    while !ask().starts_with("HTTP/1.1 500 ") {
        assert!(Instant::now() < deadline, "the refusal is not reported");
    }
    let (_, log) = server.terminate();
    assert!(!log.contains("can be reached again"), "{log}");
}
