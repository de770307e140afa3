//! The server from the clients' point of view.

use std::os::unix::net::UnixStream;

use super::*;

const ENGINES: &[&str] = if cfg!(target_os = "linux") {
    &["bounded", "tiny-http"]
} else {
    &["tiny-http"]
};

#[test]
fn a_server_answers_from_the_bundled_data_until_terminated() {
    for engine in ENGINES {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Server::start(folder.path(), &format!("--engine {engine}"));
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
            "there is only the log"
        );
    }
}

#[test]
fn ctrl_c_ends_a_server_despite_open_connections() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), "");
    let _idle = TcpStream::connect(&server.address).expect("a connection");
    let mut half = TcpStream::connect(&server.address).expect("a connection");
    half.write_all(b"GET /rnp/check-sup").expect("half a head");
    let closed = std::thread::spawn(move || drop(half.read_to_end(&mut Vec::new())));
    let (status, _) = server.end("INT");
    closed.join().expect("the connection is closed");
    assert_eq!(status, Some(0));
}

#[test]
fn a_port_in_use_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), "--admin-listen 127.0.0.1:0");
    let log = server.logged("address=", 1);
    let (_, admin) = log.split_once("address=").expect("an address");
    let admin = admin.split_whitespace().next().expect("an address");
    for (options, option, address) in [
        ("--listen", "--listen", server.address.as_str()),
        (
            "--listen 127.0.0.1:0 --admin-listen",
            "--admin-listen",
            admin,
        ),
    ] {
        let output = run(folder.path(), &format!("serve {options} {address}"));
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(stdout(&output), "", "nothing is answered");
        let error = stderr(&output);
        assert!(
            error.contains(&format!("cannot listen on {address}")) && error.contains(option),
            "{error}"
        );
    }
}

/// Starts a server on a Unix socket.
fn at_socket(folder: &Path, engine: &str) -> Server {
    let socket = format!("unix:{}/socket", folder.display());
    let mut command = program(folder);
    command.args(["serve", "--listen", &socket, "--engine", engine]);
    let server = Server::spawn(&mut command, folder);
    assert_eq!(server.address, socket);
    server
}

#[test]
fn on_a_unix_socket_the_proxy_states_the_client() {
    for engine in ENGINES {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("socket");
        let server = at_socket(folder.path(), engine);
        let mut stream = UnixStream::connect(&socket).expect("a connection");
        let request = format!(
            "GET {RNP}&apikey=demo HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\n\
             Connection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("written");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        let (status, log) = server.terminate();
        assert_eq!(status, Some(0));
        assert!(!socket.exists(), "the server removes its socket");
        assert!(log.contains("client=203.0.113.7"), "{log}");
    }
}

#[test]
fn issued_and_revoked_keys_take_effect_within_a_second() {
    let folder = folder();
    let server = Server::start(folder.path(), "--database data.sqlite");
    let keys = |line| {
        succeed(
            folder.path(),
            &format!("keys {line} --database data.sqlite"),
        )
    };
    let key = keys("issue office");
    let target = format!("{RNP}&apikey={}", key.trim_end());
    let second = Duration::from_secs(1);
    server.until(&target, second, |answer| answer.starts_with("HTTP/1.1 200"));
    keys("revoke office");
    server.until(&target, second, |answer| answer.starts_with("HTTP/1.1 401"));
}

#[test]
fn limits_apply_to_the_client_stated_by_the_proxy() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = "--wrong-key-limit 1 --trust-proxy 127.0.0.1";
    let server = Server::start(folder.path(), options);
    let ask = |header: &str| {
        server.exchange(&format!(
            "GET {RNP}&apikey=guess HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{header}\r\n\r\n"
        ))
    };
    for (header, status) in [
        ("X-Forwarded-For: 203.0.113.9", "401"),
        ("X-Forwarded-For: 203.0.113.9", "429"),
        ("X-Forwarded-For: 203.0.113.10", "401"),
    ] {
        let answer = ask(header);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
    }
}
