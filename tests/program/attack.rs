//! The real server under attack: each row is a fault that a server on tiny_http has, and that
//! the bounded engine must not have.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use rustix::net::{AddressFamily, SocketFlags, SocketType};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::*;

/// Whence the attackers come, so that the ordinary client has its own address.
const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const SECOND_ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);

/// The most memory that a server may have had (`VmHWM`), in kilobytes.
const MOST_MEMORY: u64 = 150 * 1024;

/// The ordinary client's question, and what is in the answer.
const QUESTION: &str = "/rnp/check-supplier?supplierINN=9602006662&format=json&apikey=demo";
const ANSWER: &str = r#""inRNP":true"#;

fn start(folder: &Path, options: &str) -> Server {
    raise_limit();
    // A limit of load is of no use here.
    Server::start(folder, &format!("--rnp-rate 0 --workers 2 {options}"))
}

/// The test itself needs as many sockets as the attackers have.
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

/// What the system says of the process under `name`, a number.
fn status(server: &Server, name: &str) -> u64 {
    let path = format!("/proc/{}/status", server.child.id());
    let text = fs::read_to_string(path).expect("a process");
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.trim_start_matches(':').split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .expect("a number")
}

/// How many threads there are, once the one has ended that counts the records at the start.
/// Until a thread has set its name it has that of the one that started it, so the main
/// thread's name must stand once.
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
        thread::yield_now();
    }
}

fn files(server: &Server) -> usize {
    let path = format!("/proc/{}/fd", server.child.id());
    fs::read_dir(path).expect("a process").count()
}

#[track_caller]
fn assert_serves(server: &Server) {
    let answer = server.get(QUESTION);
    assert!(
        answer.starts_with("HTTP/1.1 200 ") && answer.contains(ANSWER),
        "{answer}"
    );
}

/// The ordinary client's request.
fn request() -> String {
    format!("GET {QUESTION} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
}

/// An answer, or what came of it.
fn try_get(server: &Server) -> String {
    let mut stream = connect_from(ATTACKER, server);
    let mut answer = Vec::new();
    let _ = stream.write_all(request().as_bytes());
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Row 1: a task is queued behind a stale count of waiting threads.
#[test]
fn row_burst_64_and_1000_connections_at_once_are_all_answered() {
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
                answer.starts_with("HTTP/1.1 200 ") && answer.contains(ANSWER),
                "{answer}"
            );
        }
    }
}

/// Row 2: the rest of a body is allocated to be skipped.
#[test]
fn row_body_of_a_terabyte_that_is_announced_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), "");
    for (method, status) in [("GET", "413"), ("POST", "405"), ("HEAD", "413")] {
        for length in ["1000000000000", "18446744073709551615"] {
            let answer = server.exchange(&format!(
                "{method} {QUESTION} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n"
            ));
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {status} ")),
                "{answer}"
            );
        }
    }
    assert!(status(&server, "VmHWM") < MOST_MEMORY);
    assert_serves(&server);
}

/// Row 3: each leaks a thread and two descriptors.
#[test]
fn row_http_2_request_lines_leave_no_thread_and_no_descriptor() {
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
    // The last one may be closing still.
    assert!(files(&server) <= before.1 + 3);
}

/// Row 4: the accept loop ends for good.
#[test]
fn row_descriptors_that_run_out_come_back() {
    for limit in [64, 65] {
        let folder = tempfile::tempdir().expect("a folder");
        let script = format!("ulimit -n {limit} && exec \"$0\" \"$@\"");
        raise_limit();
        let server = Server::start_through(folder.path(), &script, "--rnp-rate 0");
        let mut streams: Vec<TcpStream> =
            (0..200).map(|_| connect_from(ATTACKER, &server)).collect();
        // Whether they are answered is a matter of luck; that the server goes on is not.
        for stream in &mut streams {
            let _ = stream.write_all(request().as_bytes());
        }
        drop(streams);
        let start = Instant::now();
        while !try_get(&server).contains(ANSWER) {
            assert!(start.elapsed() < PATIENCE, "it answers no more");
        }
        let log = fs::read_to_string(&server.log).expect("its log");
        assert!(log.contains("the limit of open files is"), "{log}");
        let (status, _) = server.terminate();
        assert_eq!(status, Some(0));
    }
}

/// Where the engine stops accepting for good, the process ends with an error, so that the
/// service manager starts another.
#[test]
fn a_server_that_accepts_nothing_any_more_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    raise_limit();
    let script = "ulimit -n 40 && exec \"$0\" \"$@\"";
    let mut server = Server::start_through(folder.path(), script, "--engine tiny-http");
    // The last ones may find it gone.
    let connect = |_| TcpStream::connect(&server.address).ok();
    let streams: Vec<_> = (0..60).filter_map(connect).collect();
    let start = Instant::now();
    let status = loop {
        match server.child.try_wait().expect("its state") {
            Some(status) => break status,
            None => assert!(start.elapsed() < PATIENCE, "it goes on"),
        }
        thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(1));
    let log = fs::read_to_string(&server.log).expect("its log");
    assert!(log.contains("requests can no longer be accepted"), "{log}");
    drop(streams);
}

/// Row 5: no limit of time, a thread for each connection, heads of any size,
/// pipelining without bound.
#[test]
fn row_bounds_are_those_of_the_options_and_the_fixed_ones() {
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
        // A head that is not sent to its end.
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
    let request = format!("GET {QUESTION} HTTP/1.1\r\nHost: x\r\n\r\n");
    let answers = server.exchange(&request.repeat(5));
    assert_eq!(answers.matches("HTTP/1.1 200 ").count(), 5, "{answers}");
    // As many as there may be from an address: that one more is refused may take
    // some, as idle ones are closed.
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
fn a_key_that_does_not_decode_is_answered_401() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), "");
    let mut stream = connect_from(ATTACKER, &server);
    let target = QUESTION.replace("&apikey=demo", "");
    let head = format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ");
    let bytes = [head.as_bytes(), b"d\xff\xfemo\r\n\r\n"].concat();
    stream.write_all(&bytes).expect("written");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
}

#[test]
fn under_attack_an_ordinary_client_is_answered_and_memory_stays_bounded() {
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
        let mut deaf: Vec<TcpStream> = (0..50)
            .map(|_| connect_from(SECOND_ATTACKER, &server))
            .collect();
        for stream in &mut deaf {
            stream
                .write_all(page.repeat(40).as_bytes())
                .expect("written");
        }
        let (end, ended) = mpsc::channel::<()>();
        scope.spawn(move || {
            // A byte each half second, until the test is over.
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
        drop((end, idle, deaf));
    });
    assert!(
        status(&server, "VmHWM") < MOST_MEMORY,
        "{} KB",
        status(&server, "VmHWM")
    );
    assert_serves(&server);
}

/// Requests without end; some of their answers are read.
fn flood(mut stream: TcpStream) {
    let requests = format!("GET {QUESTION} HTTP/1.1\r\nHost: x\r\n\r\n").repeat(300);
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

/// 100 MB of one header, or what of it is taken.
fn one_header(mut stream: TcpStream) {
    let part = [b'x'; 1 << 20];
    let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nA: ");
    for _ in 0..100 {
        if stream.write_all(&part).is_err() {
            return;
        }
    }
}
