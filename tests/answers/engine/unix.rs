//! The same over a Unix socket.

use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;

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
    for engine in Engine::ALL {
        let (_folder, path, _server) = at_a_path(*engine);
        let mut stream = connect(&path);
        let head = "GET /peer HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).expect("written");
        let answer = rest(&stream);
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.ends_with("\r\n\r\nNone"), "{answer}");
    }
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
