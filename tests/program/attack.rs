//! Attacks on a running server. Each test named `tiny_http_fault_…` covers a fault that a server
//! based on tiny_http has and the bounded engine must not have.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use rustix::net::{AddressFamily, SocketFlags, SocketType};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::*;

/// Address of the attackers. The ordinary client has a different one.
const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const SECOND_ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);

/// Upper bound on the server's peak memory (`VmHWM`), in kilobytes.
const MAX_MEMORY: u64 = 150 * 1024;

/// The ordinary client's request, and a string that its response contains.
const TARGET: &str = "/rnp/check-supplier?supplierINN=9602006662&format=json&apikey=demo";
const EXPECTED: &str = r#""inRNP":true"#;

fn start(folder: &Path, options: &str) -> Server {
    raise_limit();
    // Turn off the rate limit, which would refuse most requests.
    Server::start(folder, &format!("--rnp-rate 0 --workers 2 {options}"))
}

/// Raises the limit on open files, because the test needs as many sockets as it simulates
/// attackers.
fn raise_limit() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    setrlimit(Resource::Nofile, raised).expect("a limit that may be raised");
}

fn connect_from(address: Ipv4Addr, server: &Server) -> TcpStream {
    let socket = rustix::net::socket_with(
        AddressFamily::INET,
        SocketType::STREAM,
        SocketFlags::CLOEXEC,
        None,
    );
    let socket = socket.expect("a socket");
    rustix::net::bind(&socket, &SocketAddrV4::new(address, 0)).expect("an address");
    let to: SocketAddrV4 = server.address.parse().expect("an address");
    rustix::net::connect(&socket, &to).expect("a connection");
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    stream.set_write_timeout(Some(PATIENCE)).expect("a limit");
    stream
}

/// Returns a number from the server's `/proc/PID/status`.
fn status(server: &Server, name: &str) -> u64 {
    let path = format!("/proc/{}/status", server.child.id());
    let text = fs::read_to_string(path).expect("a process");
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.trim_start_matches(':').split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .expect("a number")
}

/// Returns the number of the server's threads, once the thread that counts records at the start has
/// ended. A new thread has the name of its creator until it sets its own, so the main thread's name
/// must occur only once.
fn threads(server: &Server) -> usize {
    let process = format!("/proc/{}", server.child.id());
    let main = fs::read_to_string(format!("{process}/comm")).expect("a process");
    let start = Instant::now();
    loop {
        let tasks = fs::read_dir(format!("{process}/task")).expect("a process");
        let names = tasks
            .flatten()
            .map(|task| fs::read_to_string(task.path().join("comm")));
        let names: Vec<String> = names.flatten().collect();
        let is_starting = names.iter().filter(|name| **name == main).count() > 1;
        if !is_starting && !names.iter().any(|name| name.trim() == "count") {
            return names.len();
        }
        assert!(start.elapsed() < PATIENCE, "{names:?}");
        crate::pause();
    }
}

fn files(server: &Server) -> usize {
    let path = format!("/proc/{}/fd", server.child.id());
    fs::read_dir(path).expect("a process").count()
}

#[track_caller]
fn assert_serves(server: &Server) {
    let answer = server.get(TARGET);
    assert!(
        answer.starts_with("HTTP/1.1 200 ") && answer.contains(EXPECTED),
        "{answer}"
    );
}

fn request() -> String {
    format!("GET {TARGET} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
}

/// Returns the response, or the part that arrived before the connection was lost.
fn try_get(server: &Server) -> String {
    let mut stream = connect_from(ATTACKER, server);
    let mut answer = Vec::new();
    let _ = stream.write_all(request().as_bytes());
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// In tiny_http, the count of idle threads may be stale. A connection may then be queued although
/// no thread is free to take it.
#[test]
fn tiny_http_fault_64_or_1000_simultaneous_connections_are_all_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), "");
    for count in [64, 1000] {
        let mut streams: Vec<TcpStream> = (0..count)
            .map(|_| connect_from(ATTACKER, &server))
            .collect();
        for stream in &mut streams {
            stream.write_all(request().as_bytes()).expect("written");
        }
        for stream in &mut streams {
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("an answer");
            assert!(
                answer.starts_with("HTTP/1.1 200 ") && answer.contains(EXPECTED),
                "{answer}"
            );
        }
    }
}

/// To skip the rest of a body, tiny_http allocates memory for all of it.
#[test]
fn tiny_http_fault_an_announced_body_of_a_terabyte_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), "");
    for (method, status) in [("GET", "413"), ("POST", "405"), ("HEAD", "413")] {
        for length in ["1000000000000", "18446744073709551615"] {
            let answer = server.exchange(&format!(
                "{method} {TARGET} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n"
            ));
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {status} ")),
                "{answer}"
            );
        }
    }
    assert!(status(&server, "VmHWM") < MAX_MEMORY);
    assert_serves(&server);
}

/// In tiny_http, each of these requests leaks a thread and two file descriptors.
#[test]
fn tiny_http_fault_http_2_request_lines_leak_no_threads_or_descriptors() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), "");
    assert_serves(&server);
    let before = (threads(&server), files(&server));
    for _ in 0..100 {
        let answer = server.exchange("GET / HTTP/2.0\r\nHost: x\r\n\r\n");
        assert!(answer.starts_with("HTTP/1.1 505 "), "{answer}");
    }
    assert_serves(&server);
    assert_eq!(threads(&server), before.0);
    // The last connection may not be closed yet.
    assert!(files(&server) <= before.1 + 3);
}

/// In tiny_http, the accept loop ends for good when no descriptors are left.
#[test]
fn tiny_http_fault_the_server_recovers_after_running_out_of_descriptors() {
    for limit in [64, 65] {
        let folder = tempfile::tempdir().expect("a folder");
        let script = format!("ulimit -n {limit} && exec \"$0\" \"$@\"");
        raise_limit();
        let server = Server::start_through(folder.path(), &script, "--rnp-rate 0");
        let mut streams: Vec<TcpStream> =
            (0..200).map(|_| connect_from(ATTACKER, &server)).collect();
        // It does not matter which of these are answered, as long as the server survives.
        for stream in &mut streams {
            let _ = stream.write_all(request().as_bytes());
        }
        drop(streams);
        let start = Instant::now();
        while !try_get(&server).contains(EXPECTED) {
            assert!(start.elapsed() < PATIENCE, "the server no longer answers");
        }
        let log = fs::read_to_string(&server.log).expect("its log");
        assert!(log.contains("the limit on open files is"), "{log}");
        let (status, _) = server.terminate();
        assert_eq!(status, Some(0));
    }
}

/// If the engine stops accepting connections for good, the process exits with an error, and the
/// service manager restarts it.
#[test]
fn a_server_that_no_longer_accepts_connections_exits() {
    let folder = tempfile::tempdir().expect("a folder");
    raise_limit();
    let script = "ulimit -n 40 && exec \"$0\" \"$@\"";
    let mut server = Server::start_through(folder.path(), script, "--engine tiny-http");
    // The server may have exited before the last connections are made.
    let connect = |_| TcpStream::connect(&server.address).ok();
    let streams: Vec<_> = (0..60).filter_map(connect).collect();
    let start = Instant::now();
    let status = loop {
        match server.child.try_wait().expect("its state") {
            Some(status) => break status,
            None => assert!(start.elapsed() < PATIENCE, "it keeps running"),
        }
        thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(1));
    let log = fs::read_to_string(&server.log).expect("its log");
    assert!(log.contains("requests can no longer be accepted"), "{log}");
    drop(streams);
}

/// tiny_http has no timeouts, limits neither request heads nor pipelining, and uses one thread per
/// connection.
#[test]
fn tiny_http_fault_all_limits_are_enforced() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = "--max-connections 50 --max-connections-per-address 20 --max-head-size 1KB \
                   --head-timeout 1s --idle-timeout 300ms --write-timeout 300ms \
                   --max-pending-bytes 1MB";
    let server = start(folder.path(), options);
    let before = threads(&server);
    let long = |length| "x".repeat(length);
    for (head, status) in [
        (
            format!("/ HTTP/1.1\r\nHost: x\r\nA: {}", long(12 << 10)),
            "431",
        ),
        (format!("/{} HTTP/1.1\r\nHost: x", long(9000)), "414"),
        // This head is incomplete.
        ("/ HTTP/1.1\r\nHo".to_owned(), "408"),
    ] {
        let end = if status == "408" { "" } else { "\r\n\r\n" };
        let answer = server.exchange(&format!("GET {head}{end}"));
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
        assert!(answer.contains("\r\nConnection: close\r\n"), "{answer}");
    }
    let request = format!("GET {TARGET} HTTP/1.1\r\nHost: x\r\n\r\n");
    let answers = server.exchange(&request.repeat(5));
    assert_eq!(answers.matches("HTTP/1.1 200 ").count(), 5, "{answers}");
    // Open the maximum number of connections from one address. It may take several attempts until
    // another one is refused, because idle connections are closed.
    let start = Instant::now();
    loop {
        let streams: Vec<TcpStream> = (0..20).map(|_| connect_from(ATTACKER, &server)).collect();
        let answer = try_get(&server);
        drop(streams);
        if answer.starts_with("HTTP/1.1 503 ") {
            assert!(answer.contains("\r\nRetry-After: "), "{answer}");
            break;
        }
        assert!(start.elapsed() < PATIENCE, "{answer}");
    }
    assert_eq!(threads(&server), before);
}

#[test]
fn a_key_that_is_not_valid_text_gets_401() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), "");
    let mut stream = connect_from(ATTACKER, &server);
    let target = TARGET.replace("&apikey=demo", "");
    let head = format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ");
    let bytes = [head.as_bytes(), b"d\xff\xfemo\r\n\r\n"].concat();
    stream.write_all(&bytes).expect("written");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
}

#[test]
fn an_ordinary_client_is_served_and_memory_stays_bounded_under_attack() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), "");
    let done = AtomicBool::new(false);
    let done = &done;
    let server_ref = &server;
    let attack = move |act: fn(TcpStream)| {
        while !done.load(Ordering::SeqCst) {
            act(connect_from(SECOND_ATTACKER, server_ref));
        }
    };
    thread::scope(|scope| {
        let idle: Vec<TcpStream> = (0..1000).map(|_| connect_from(ATTACKER, &server)).collect();
        let mut slow: Vec<TcpStream> = (0..200)
            .map(|_| connect_from(SECOND_ATTACKER, &server))
            .collect();
        let page = "/contract/monitor-supplier44?supplierINN=9602000445&limit=200&apikey=demo";
        let page = format!("GET {page} HTTP/1.1\r\nHost: x\r\n\r\n");
        let mut not_reading: Vec<TcpStream> = (0..50)
            .map(|_| connect_from(SECOND_ATTACKER, &server))
            .collect();
        for stream in &mut not_reading {
            stream
                .write_all(page.repeat(40).as_bytes())
                .expect("written");
        }
        let (end, ended) = mpsc::channel::<()>();
        scope.spawn(move || {
            // Send a byte every half second until the test ends.
            let half = Duration::from_millis(500);
            while ended.recv_timeout(half) == Err(mpsc::RecvTimeoutError::Timeout) {
                for stream in &mut slow {
                    let _ = stream.write_all(b"G");
                }
            }
        });
        scope.spawn(move || attack(flood));
        scope.spawn(move || attack(many_headers));
        scope.spawn(move || attack(one_header));
        for _ in 0..200 {
            assert_serves(&server);
        }
        done.store(true, Ordering::SeqCst);
        drop((end, idle, not_reading));
    });
    assert!(
        status(&server, "VmHWM") < MAX_MEMORY,
        "{} KB",
        status(&server, "VmHWM")
    );
    assert_serves(&server);
}

/// Sends many requests and reads only some of the responses.
fn flood(mut stream: TcpStream) {
    let requests = format!("GET {TARGET} HTTP/1.1\r\nHost: x\r\n\r\n").repeat(300);
    let _ = stream.write_all(requests.as_bytes());
    let _ = stream.read(&mut [0; 65_536]);
}

fn many_headers(mut stream: TcpStream) {
    let head = format!(
        "GET / HTTP/1.1\r\nHost: x\r\n{}\r\n",
        "A: b\r\n".repeat(10_000)
    );
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.read(&mut [0; 4096]);
}

/// Sends a header of 100 MB, or as much of it as the server accepts.
fn one_header(mut stream: TcpStream) {
    let part = [b'x'; 1 << 20];
    let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nA: ");
    for _ in 0..100 {
        if stream.write_all(&part).is_err() {
            return;
        }
    }
}
