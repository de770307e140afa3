//! The engines over sockets, with a trivial handler. Tests that apply to both engines use [`each`].
//! The bounds, and cases that tiny_http handles wrongly (manual, "Known limits"), are only tested
//! on the bounded engine. Bounds are set low, so that tests are fast.
mod api;
mod bounds;
mod http;
mod large;
mod raw;
mod stop;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use procurement_lookup::api::{Note, Response, Status};
use procurement_lookup::http::engine::{Bounds, Engine, Figures, Request, Server};
use rustix::net::{AddressFamily, SocketFlags, SocketType};

/// Time after which a test gives up waiting.
const PATIENCE: Duration = Duration::from_secs(30);

/// Short time limit, for tests that wait until it expires.
const SHORT: Duration = Duration::from_millis(200);

/// Size of the response to `/page`, in bytes.
const PAGE: usize = 350_000;
const HUGE: usize = 32 << 20;

#[derive(Default)]
struct Shared {
    /// Whether requests for `/wait` may be answered yet.
    gate: (Mutex<bool>, Condvar),
    /// Number of requests that have reached a handler.
    handled: AtomicUsize,
}

/// A server that stops when the test ends.
struct TestServer {
    inner: Arc<Server>,
    shared: Arc<Shared>,
    address: SocketAddr,
    workers: Vec<JoinHandle<()>>,
}

impl TestServer {
    fn start(bounds: Bounds) -> Self {
        Self::with_workers(2, bounds)
    }

    /// With a single worker, the order of requests is deterministic.
    fn with_workers(count: usize, bounds: Bounds) -> Self {
        Self::new(Engine::Bounded, count, bounds)
    }

    fn new(engine: Engine, workers: usize, bounds: Bounds) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let server = Server::new(engine, listener, bounds).expect("a server");
        let (server, shared) = (Arc::new(server), Arc::<Shared>::default());
        let workers = (0..workers)
            .map(|_| {
                let (server, shared) = (Arc::clone(&server), Arc::clone(&shared));
                thread::spawn(move || {
                    while let Ok(request) = server.recv() {
                        handle(request, &shared);
                    }
                })
            })
            .collect();
        Self {
            inner: server,
            shared,
            address,
            workers,
        }
    }

    fn usual() -> Self {
        Self::start(Bounds::default())
    }

    fn figures(&self) -> Figures {
        self.inner.figures().expect("an engine that counts")
    }

    fn open_gate(&self) {
        let (open, changed) = &self.shared.gate;
        *open.lock().expect("the gate") = true;
        changed.notify_all();
    }

    fn client(&self) -> Client {
        Client::of(TcpStream::connect(self.address).expect("a connection"))
    }

    /// Connects a client from another local address.
    fn client_from(&self, address: Ipv4Addr) -> Client {
        let (family, kind) = (AddressFamily::INET, SocketType::STREAM);
        let socket = rustix::net::socket_with(family, kind, SocketFlags::CLOEXEC, None);
        let socket = socket.expect("a socket");
        rustix::net::bind(&socket, &SocketAddrV4::new(address, 0)).expect("an address");
        rustix::net::connect(&socket, &self.address).expect("a connection");
        Client::of(TcpStream::from(socket))
    }

    /// Sends `bytes` and returns everything that arrives until the server closes the connection.
    fn exchange(&self, bytes: &[u8]) -> String {
        let mut client = self.client();
        client.send(bytes);
        client.rest()
    }

    #[track_caller]
    fn until(&self, wanted: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !wanted(self) {
            assert!(start.elapsed() < PATIENCE, "{:?}", self.inner.figures());
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn refused(&self, name: &str) -> u64 {
        let figures = self.figures();
        let of_name = figures.refused.iter().find(|(other, _)| *other == name);
        of_name.expect("a reason").1
    }

    fn stop(mut self) {
        self.inner.unblock();
        self.join();
    }

    fn join(&mut self) {
        for worker in self.workers.drain(..) {
            worker.join().expect("a worker that has ended well");
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.open_gate();
        self.inner.unblock();
        if !thread::panicking() {
            self.join();
        }
    }
}

fn each(test: impl Fn(&TestServer)) {
    for engine in Engine::ALL {
        eprintln!("on {}", engine.name());
        test(&TestServer::new(*engine, 2, Bounds::default()));
    }
}

fn handle(request: Request<'_>, shared: &Shared) {
    let turn = shared.handled.fetch_add(1, Ordering::SeqCst);
    let parts = request.parts();
    let (method, url) = (parts.method.to_owned(), parts.target.to_owned());
    let body = match url.as_str() {
        "/dropped" => return,
        "/wait" => {
            let (open, changed) = &shared.gate;
            let open = open.lock().expect("the gate");
            drop(changed.wait_while(open, |open| !*open).expect("the gate"));
            "waited".to_owned()
        }
        "/turn" => turn.to_string(),
        "/page" => "x".repeat(PAGE),
        "/huge" => "x".repeat(HUGE),
        _ => {
            let headers = parts.headers.iter();
            let headers = headers.map(|(name, value)| format!(" {name}={value}"));
            format!("{method} {url}{}", headers.collect::<String>())
        }
    };
    let status = match method.as_str() {
        "GET" | "HEAD" => Status::Ok,
        _ => Status::MethodNotAllowed,
    };
    let response = Response {
        status,
        headers: Vec::new(),
        body: body.into_bytes(),
        large: None,
        note: Note::default(),
    };
    // The client may have disconnected.
    let _ = request.respond(response, None);
}

struct Client(BufReader<TcpStream>);

#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn closes(&self) -> bool {
        self.head.contains("\r\nConnection: close\r\n")
    }

    /// Returns how many requests had reached a handler before this one, from the response to
    /// `/turn`.
    fn turn(&self) -> usize {
        self.text().parse().expect("a number")
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }
}

impl Client {
    fn of(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        stream.set_write_timeout(Some(PATIENCE)).expect("a limit");
        Self(BufReader::new(stream))
    }

    fn stream(&self) -> &TcpStream {
        self.0.get_ref()
    }

    fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream().write_all(bytes.as_ref()).expect("written");
    }

    fn get(&mut self, target: &str) -> Answer {
        self.send(get(target));
        self.answer()
    }

    fn try_answer(&mut self) -> io::Result<Answer> {
        self.try_answer_to(false)
    }

    /// Reads a response. Responses to HEAD requests have no body.
    fn try_answer_to(&mut self, is_head: bool) -> io::Result<Answer> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.0.read_line(&mut head)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let status = head.get(9..12).and_then(|status| status.parse().ok());
        let (_, rest) = head.split_once("Content-Length: ").expect("a length");
        let length = rest.split("\r\n").next().expect("a line").parse();
        let length = if is_head {
            0
        } else {
            length.expect("a length")
        };
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        Ok(Answer {
            status: status.expect("a status"),
            head,
            body,
        })
    }

    #[track_caller]
    fn answer(&mut self) -> Answer {
        self.try_answer().expect("an answer")
    }

    /// Returns everything that arrives until the server closes the connection.
    #[track_caller]
    fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        self.0.read_to_end(&mut rest).expect("a regular end");
        String::from_utf8(rest).expect("UTF-8")
    }

    /// Checks that the connection was closed or reset, and that nothing more arrives.
    #[track_caller]
    fn is_closed(&mut self) {
        match self.0.read(&mut [0; 64]) {
            Ok(0) => {}
            Ok(_) => panic!("something more has come"),
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::ConnectionReset),
        }
    }
}

fn get(target: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nHost: h\r\n\r\n")
}

/// Checks that the server refused a request: the status, a sentence in plain text, a date, and
/// `Connection: close`.
#[track_caller]
fn assert_refused(answer: &str, status: &str) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    for line in [
        "Connection: close",
        "Content-Type: text/plain; charset=utf-8",
        &format!("Content-Length: {}", body.len()),
    ] {
        assert!(head.lines().any(|other| other == line), "{line}: {answer}");
    }
    assert!(head.contains("\r\nDate: "), "{answer}");
    assert!(
        body.ends_with(".\n") && body.lines().count() == 1,
        "{answer}"
    );
    let retries = head.contains("\r\nRetry-After: ");
    assert_eq!(retries, status == "503", "{answer}");
}
