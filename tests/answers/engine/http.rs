//! The parts of RFC 9112 that a server for GET and HEAD requests needs, and the order in which
//! requests are answered.

use super::*;

#[test]
fn connections_are_kept_alive() {
    each(|server| {
        let mut client = server.client();
        for target in ["/a", "/b?c=d"] {
            let answer = client.get(target);
            assert_eq!(answer.text(), format!("GET {target} Host=h"));
            assert!(
                answer.head.contains("\r\nConnection: keep-alive\r\n"),
                "{}",
                answer.head
            );
        }
        client.send("GET /c HTTP/1.1\r\nHost: h\r\nConnection: x, Close\r\n\r\n");
        assert!(client.answer().closes());
        client.is_closed();
    });
}

#[test]
fn http_1_0_connections_are_kept_alive_only_on_request() {
    each(|server| {
        let answer = server.exchange(b"GET /a HTTP/1.0\r\n\r\n");
        assert!(
            answer.contains("Connection: close") && answer.ends_with("GET /a"),
            "{answer}"
        );
        let mut client = server.client();
        for _ in 0..2 {
            client.send("GET /a HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
            let answer = client.answer();
            assert!(answer.head.contains("\r\nConnection: keep-alive\r\n"));
        }
    });
}

#[test]
fn six_hundred_pipelined_requests_are_answered_in_order() {
    each(|server| {
        let mut client = server.client();
        client.send(
            (0..600)
                .map(|number| get(&format!("/{number}")))
                .collect::<String>(),
        );
        for number in 0..600 {
            assert_eq!(client.answer().text(), format!("GET /{number} Host=h"));
        }
    });
}

#[test]
fn pipelined_pages_wait_one_at_a_time() {
    let server = TestServer::usual();
    let mut client = server.client();
    let pages = 100;
    client.send(get("/page").repeat(pages));
    // The sockets can buffer more than this although the client reads nothing, so several responses
    // have been written.
    server.until(|server| server.figures().sent > 1_000_000);
    let mut most = 0;
    for _ in 0..pages {
        most = most.max(server.figures().waiting);
        assert_eq!(client.answer().body.len(), PAGE);
    }
    assert!(most < 2 * PAGE as u64, "{most}");
    server.until(|server| server.figures().waiting == 0);
}

#[test]
fn an_answer_is_not_lost_if_the_client_keeps_sending() {
    let server = TestServer::usual();
    for (head, status) in [
        ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000", 405),
        (
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked",
            405,
        ),
        ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000", 413),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked",
            413,
        ),
        ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: x", 400),
    ] {
        let mut client = server.client();
        client.send(format!("{head}\r\n\r\n"));
        for _ in 0..250 {
            client.send([b'x'; 4000]);
        }
        let answer = client.answer();
        assert_eq!(answer.status, status, "{head}");
        assert!(answer.closes(), "{head}");
        client.is_closed();
    }
}

#[test]
fn a_body_is_never_taken_for_the_next_request() {
    let server = TestServer::usual();
    let inner = get("/smuggled");
    // The unit tests in `src/http/engine/bounded/head` cover every header that must be refused.
    let length = inner.len();
    for headers in [
        format!("Content-Length: {length}"),
        format!("Content-Length: {length}\r\nTransfer-Encoding: chunked"),
        "Transfer-Encoding: xchunked".to_owned(),
        "X: y\r\n Content-Length: 5".to_owned(),
    ] {
        for method in ["GET", "POST"] {
            let bytes = format!("{method} / HTTP/1.1\r\nHost: h\r\n{headers}\r\n\r\n{inner}");
            let answer = server.exchange(bytes.as_bytes());
            assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{bytes}: {answer}");
            assert!(answer.starts_with("HTTP/1.1 4"), "{bytes}: {answer}");
            assert!(answer.contains("Connection: close"), "{bytes}: {answer}");
        }
    }
    let both = "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    assert_refused(&server.exchange(both.as_bytes()), "400");
}

#[test]
fn refused_head_requests_get_no_body() {
    let server = TestServer::usual();
    let answer = server.exchange(b"HEAD / HTTP/1.1\r\nHost: h\r\nExpect: x\r\n\r\n");
    assert!(
        answer.starts_with("HTTP/1.1 417 ") && answer.ends_with("\r\n\r\n"),
        "{answer}"
    );
    assert!(!answer.contains("Content-Length: 0"), "{answer}");
}

#[test]
fn a_request_that_is_dropped_is_answered_500() {
    each(|server| {
        let mut client = server.client();
        client.send(get("/dropped"));
        assert_eq!(client.answer().status, 500);
    });
    let answer = TestServer::usual().exchange(get("/dropped").as_bytes());
    assert!(answer.contains("\r\nDate: "), "{answer}");
    assert!(answer.contains("Connection: close"), "{answer}");
}

#[test]
fn header_bytes_outside_ascii_are_passed_on() {
    let server = TestServer::usual();
    let mut client = server.client();
    client.send(b"GET / HTTP/1.1\r\nHost: h\r\nA: \xff\xd1\x8f\r\n\r\n");
    assert_eq!(client.answer().text(), "GET / Host=h A=\u{fffd}я");
}

#[test]
fn a_client_that_half_closes_is_answered() {
    each(|server| {
        for targets in [&["/page"][..], &["/a", "/page", "/b"]] {
            let mut client = server.client();
            client.send(targets.iter().map(|target| get(target)).collect::<String>());
            let half = client.stream().shutdown(std::net::Shutdown::Write);
            half.expect("half a connection");
            for _ in targets {
                assert_eq!(client.answer().status, 200);
            }
            client.is_closed();
        }
    });
}

#[test]
fn requests_of_clients_that_are_gone_are_not_handled() {
    let server = TestServer::usual();
    let mut waiting = [server.client(), server.client()];
    for client in &mut waiting {
        client.send(get("/wait"));
    }
    server.until(|server| server.shared.handled.load(Ordering::SeqCst) == 2);
    for _ in 0..30 {
        let mut client = server.client();
        client.send(get("/page"));
        let reset = rustix::net::sockopt::set_socket_linger(
            client.stream(),
            Some(std::time::Duration::ZERO),
        );
        reset.expect("a reset when it is closed");
    }
    server.open_gate();
    assert_eq!(server.client().get("/a").status, 200);
    for client in &mut waiting {
        assert_eq!(client.answer().text(), "waited");
    }
    drop(waiting);
    server.until(|server| server.figures().open == 0);
    assert_eq!(server.figures().accepted, 33);
    assert_eq!(server.shared.handled.load(Ordering::SeqCst), 3);
}

#[test]
fn clients_that_disconnect_leave_nothing_behind() {
    let server = TestServer::usual();
    for target in ["/huge", "/page", "/a"] {
        for bytes in [get(target), get(target).repeat(5), "GET /".to_owned()] {
            let mut client = server.client();
            let is_answered = target == "/huge" && bytes.ends_with("\r\n\r\n");
            client.send(bytes);
            if is_answered {
                // Closing a connection that has unread bytes resets it.
                let _ = client.0.fill_buf();
            }
        }
    }
    server.until(|server| {
        let figures = server.figures();
        figures.accepted == 9 && figures.open == 0 && figures.waiting == 0
    });
    assert_eq!(server.client().get("/a").status, 200);
}

#[test]
fn pipelining_clients_do_not_delay_others() {
    const CLIENTS: usize = 50;
    let server = TestServer::with_workers(1, Bounds::default());
    let mut clients: Vec<Client> = (0..CLIENTS).map(|_| server.client()).collect();
    for client in &mut clients {
        client.send(get("/wait").repeat(400));
    }
    server.until(|server| server.shared.handled.load(Ordering::SeqCst) == 1);
    let mut ordinary = server.client();
    ordinary.send(get("/turn"));
    server.open_gate();
    // Besides the response in progress, each of the other clients may get one response before the
    // ordinary client is accepted, and one more before its request is read.
    let turn = ordinary.answer().turn();
    assert!(turn <= 2 * CLIENTS + 1, "{turn}");
    for client in &mut clients {
        for _ in 0..400 {
            assert_eq!(client.answer().text(), "waited");
        }
    }
}

#[test]
fn a_request_during_another_of_its_connection_is_answered_next() {
    // No time limit may expire during the test, so that only an event can lead the server to the
    // request.
    let server = TestServer::start(Bounds {
        idle_time: 10 * PATIENCE,
        head_time: 10 * PATIENCE,
        ..Bounds::default()
    });
    let mut client = server.client();
    client.send(get("/wait"));
    server.until(|server| server.shared.handled.load(Ordering::SeqCst) == 1);
    client.send(get("/a"));
    // By the time this request is answered, the other worker has received the event.
    assert_eq!(server.client().get("/a").status, 200);
    server.open_gate();
    assert_eq!(client.answer().text(), "waited");
    assert_eq!(client.answer().status, 200);
}
