//! The HTTP engine: any bytes on a connection, in chunks of any size. The requests that the engine
//! accepts must not depend on the chunks. The client must receive one well-formed response per
//! request, in order, followed by at most one error response.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use procurement_lookup::api::{Note, Response, Status};
use procurement_lookup::http::engine::bounded::head::Inbox;
use procurement_lookup::http::engine::{Bounds, Engine, Persistence, Request, Server};

/// Low bounds that short inputs can exceed.
fn bounds() -> Bounds {
    Bounds {
        head: 512,
        ..Bounds::default()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct AcceptedRequest {
    line: String,
    is_head: bool,
    closes: bool,
}

/// The first byte of the input is the size of the chunks.
pub fn run(data: &[u8]) {
    let Some((step, bytes)) = data.split_first() else {
        return;
    };
    let step = usize::from(*step).max(1);
    let in_one_chunk = requests(bytes, bytes.len().max(1));
    let (accepted, is_refused) = requests(bytes, step);
    assert_eq!(in_one_chunk, (accepted.clone(), is_refused));
    let received = exchange(bytes, step);
    let mut rest = received.as_slice();
    for request in &accepted {
        let (status, body) = next_response(&mut rest, request.is_head);
        assert_eq!(status, 200);
        if !request.is_head {
            assert_eq!(String::from_utf8_lossy(body), request.line);
        }
    }
    let closes = accepted.last().is_some_and(|request| request.closes);
    if is_refused && !closes {
        // The error response to a HEAD request has no body, so the received bytes end with its head.
        let is_head = rest.ends_with(b"\r\n\r\n");
        let (status, _) = next_response(&mut rest, is_head);
        assert!([400, 413, 414, 417, 431, 505].contains(&status), "{status}");
    }
    assert!(rest.is_empty(), "{:?}", String::from_utf8_lossy(rest));
}

/// Parses `bytes` in chunks of `step`. Returns the accepted requests, and whether the engine
/// refuses the bytes that follow them.
fn requests(bytes: &[u8], step: usize) -> (Vec<AcceptedRequest>, bool) {
    let bounds = bounds();
    let mut inbox = Inbox::default();
    let mut accepted = Vec::new();
    for piece in bytes.chunks(step) {
        inbox.buffer(piece.len()).extend_from_slice(piece);
        loop {
            match inbox.next(&bounds) {
                Ok(None) => break,
                Err(_) => return (accepted, true),
                Ok(Some(head)) => {
                    let (method, target) = (inbox.method(&head), inbox.target(&head));
                    assert!(target.bytes().all(|byte| byte.is_ascii_graphic()));
                    assert!(inbox.headers(&head).count() <= Bounds::HEADERS);
                    let hosts = inbox.headers(&head);
                    let hosts = hosts.filter(|(name, _)| name.eq_ignore_ascii_case("host"));
                    assert!(hosts.count() <= 1);
                    accepted.push(AcceptedRequest {
                        line: format!("{method} {target}"),
                        is_head: method == "HEAD",
                        closes: head.persistence == Persistence::Close,
                    });
                    if head.persistence == Persistence::Close {
                        return (accepted, false);
                    }
                }
            }
        }
    }
    (accepted, false)
}

/// Starts, once per process, a server that responds with method and target.
fn server() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let server = Server::new(Engine::Bounded, listener, bounds()).expect("a server");
        thread::spawn(move || {
            while let Ok(request) = server.recv() {
                answer(request);
            }
        });
        address
    })
}

fn answer(request: Request<'_>) {
    let parts = request.parts();
    let body = format!("{} {}", parts.method, parts.target).into_bytes();
    let response = Response {
        status: Status::Ok,
        headers: Vec::new(),
        body,
        large: None,
        note: Note::default(),
    };
    // This fails if the client has closed the connection.
    let _ = request.respond(response, None);
}

/// Sends `bytes` in chunks and closes the sending side; returns everything received.
fn exchange(bytes: &[u8], step: usize) -> Vec<u8> {
    let mut stream = TcpStream::connect(server()).expect("a connection");
    stream.set_nodelay(true).expect("an option");
    let patience = Some(Duration::from_secs(20));
    stream.set_read_timeout(patience).expect("an option");
    for piece in bytes.chunks(step.max(bytes.len() / 8)) {
        // The server closes the connection after refusing a request, but its response can still be
        // read.
        if stream.write_all(piece).is_err() {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Write);
    let mut received = Vec::new();
    stream
        .read_to_end(&mut received)
        .expect("the server closes");
    received
}

/// Removes the first response from `rest` and returns its status and body.
fn next_response<'a>(rest: &mut &'a [u8], is_head: bool) -> (u16, &'a [u8]) {
    let text = String::from_utf8_lossy(rest).into_owned();
    let end = text.find("\r\n\r\n").expect("a whole head") + 4;
    let head = text.get(..end).expect("a head");
    let status = head
        .strip_prefix("HTTP/1.1 ")
        .and_then(|head| head.get(..3));
    let status = status.and_then(|status| status.parse().ok());
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("Content-Length: "))
        .and_then(|length| length.parse::<usize>().ok());
    let (status, length) = (status.expect("a status"), length.expect("a length"));
    let length = if is_head { 0 } else { length };
    let (body, after) = rest[end..].split_at(length);
    *rest = after;
    (status, body)
}

pub fn seeds() -> Vec<Vec<u8>> {
    let requests = [
        "GET /a?b=c HTTP/1.1\r\nHost: h\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: h:80\r\nConnection: close\r\n\r\n",
        "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n\r\nHEAD /3 HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\nGET",
        "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
        "GET /x HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
        "GET http://h/p?q HTTP/1.1\r\nHost: [::1]:8\r\nExpect: 100-continue\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n",
        "GET / HTTP/1.1\nHost: h\n\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\nCONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX-API-Key: \u{448}\r\nA: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\nE: 5\r\nF: 6\r\n\r\n",
        "\r\n\r\nHEAD /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
    ];
    let seed = |(number, request): (usize, &&str)| {
        let step = [255, 1, 7][number % 3];
        [&[step], request.as_bytes()].concat()
    };
    requests.iter().enumerate().map(seed).collect()
}
