//! The same over a Unix socket.

use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;

/// A server on each engine, at a path.
fn each_at_a_path(test: impl Fn(&TestServer, &Path)) {
    for engine in Engine::ALL {
        eprintln!("on {}", engine.name());
        let (_folder, path, server) = at_a_path(*engine);
        test(&server, &path);
    }
}

fn at_a_path(engine: Engine) -> (TempDir, PathBuf, TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("socket");
    let listener = UnixListener::bind(&path).expect("a socket");
    let nowhere = (Ipv4Addr::LOCALHOST, 0).into();
    let server = TestServer::on(listener, nowhere, engine, 2, Bounds::default());
    (folder, path, server)
}

fn connect(path: &Path) -> UnixStream {
    let stream = UnixStream::connect(path).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    stream
}

/// All that comes until the server closes the connection.
fn rest(mut stream: &UnixStream) -> String {
    let mut rest = String::new();
    stream.read_to_string(&mut rest).expect("a regular end");
    rest
}

#[test]
fn requests_are_answered_whose_client_has_no_address() {
    each_at_a_path(|_, path| {
        let mut stream = connect(path);
        let head = "GET /peer HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).expect("written");
        let answer = rest(&stream);
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.ends_with("\r\n\r\nNone"), "{answer}");
    });
}

#[test]
fn a_client_that_sends_no_more_has_all_its_pipelined_requests_answered() {
    each_at_a_path(|_, path| {
        let mut stream = connect(path);
        let requests = get("/page").repeat(20);
        stream.write_all(requests.as_bytes()).expect("written");
        let half = stream.shutdown(std::net::Shutdown::Write);
        half.expect("half a connection");
        let answer = rest(&stream);
        assert_eq!(answer.matches("HTTP/1.1 200 OK").count(), 20);
        assert!(answer.len() > 20 * PAGE);
    });
}

#[test]
fn nothing_is_left_of_clients_that_go_in_the_middle() {
    let (_folder, path, server) = at_a_path(Engine::Bounded);
    for target in ["/huge", "/page", "/a"] {
        for bytes in [get(target), get(target).repeat(5), "GET /".to_owned()] {
            connect(&path).write_all(bytes.as_bytes()).expect("written");
        }
    }
    server.until(|server| {
        let figures = server.figures();
        figures.accepted == 9 && figures.open == 0 && figures.waiting == 0
    });
}

#[test]
fn when_it_stops_idle_connections_are_closed_and_no_more_are_taken() {
    let (_folder, path, server) = at_a_path(Engine::Bounded);
    let idle = connect(&path);
    server.until(|server| server.figures().accepted == 1);
    server.stop();
    assert_eq!(rest(&idle), "");
    assert!(UnixStream::connect(&path).is_err());
}
