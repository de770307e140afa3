//! The real server under attack, with faults that a server on tiny_http has, and that the bounded
//! engine must not have.

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

#[track_caller]
fn assert_serves(server: &Server) {
    let answer = server.get(QUESTION);
    assert!(
        answer.starts_with("HTTP/1.1 200 ") && answer.contains(ANSWER),
        "{answer}"
    );
}

/// An answer, or what came of it.
fn try_get(mut stream: &TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = write!(stream, "GET {QUESTION} HTTP/1.0\r\n\r\n");
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// A task is queued behind a stale count of waiting threads.
#[test]
fn burst_64_and_1000_connections_at_once_are_all_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = start(folder.path(), "");
    for count in [64, 1000] {
        let mut streams: Vec<TcpStream> = (0..count)
            .map(|_| connect_from(ATTACKER, &server))
            .collect();
        for stream in &mut streams {
            let request =
                format!("GET {QUESTION} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            stream.write_all(request.as_bytes()).expect("written");
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

/// The accept loop ends for good.
#[test]
fn descriptors_that_run_out_come_back() {
    for limit in [64, 65] {
        let folder = tempfile::tempdir().expect("a folder");
        let script = format!("ulimit -n {limit} && exec \"$0\" \"$@\"");
        raise_limit();
        let server = Server::start_through(folder.path(), &script, "--rnp-rate 0");
        let streams: Vec<TcpStream> = (0..200).map(|_| connect_from(ATTACKER, &server)).collect();
        // Whether one is answered while they are there is a matter of luck; that the
        // server goes on is not.
        streams[..20]
            .iter()
            .for_each(|stream| drop(try_get(stream)));
        drop(streams);
        let start = Instant::now();
        while !try_get(&connect_from(ATTACKER, &server)).contains(ANSWER) {
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
    assert!(log.contains("requests cannot be taken any more"), "{log}");
    drop(streams);
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

/// Requests without end, some answers of which are read.
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
