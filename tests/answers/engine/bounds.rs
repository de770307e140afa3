//! The bounds of the engine as clients see them.

use super::*;

#[test]
fn a_connection_over_the_bound_gets_503() {
    let server = TestServer::start(Bounds {
        connections: 3,
        ..Bounds::default()
    });
    let mut clients: Vec<Client> = (0..3).map(|_| server.client()).collect();
    for client in &mut clients {
        assert_eq!(client.get("/a").status, 200);
    }
    let mut refused = server.client();
    assert_refused(&refused.rest(), "503");
    assert_eq!(server.refused("connections"), 1);
    for client in &mut clients {
        assert_eq!(client.get("/a").status, 200);
    }
    drop((clients.pop(), refused));
    server.until(|server| server.figures().open == 2);
    assert_eq!(server.client().get("/a").status, 200);
}

#[test]
fn an_address_over_its_bound_gets_503() {
    let server = TestServer::start(Bounds {
        connections_of_address: 2,
        ..Bounds::default()
    });
    let mut clients: Vec<Client> = (0..2).map(|_| server.client()).collect();
    for client in &mut clients {
        assert_eq!(client.get("/a").status, 200);
    }
    assert_refused(&server.client().rest(), "503");
    assert_eq!(server.refused("connections_of_address"), 1);
    let other = Ipv4Addr::new(127, 0, 0, 2);
    assert_eq!(server.client_from(other).get("/a").status, 200);
}

#[test]
fn shared_addresses_are_not_counted() {
    let server = TestServer::start(Bounds {
        connections_of_address: 1,
        uncounted: vec!["127.0.0.1/32".parse().expect("a net")],
        ..Bounds::default()
    });
    let mut clients: Vec<Client> = (0..5).map(|_| server.client()).collect();
    for client in &mut clients {
        assert_eq!(client.get("/a").status, 200);
    }
}

#[test]
fn a_head_that_is_too_large_gets_431() {
    let server = TestServer::start(Bounds {
        head: 1024,
        ..Bounds::default()
    });
    let head = |length: usize| {
        let start = "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nA: ";
        format!("{start}{}\r\n\r\n", "x".repeat(length - start.len() - 4))
    };
    assert!(
        server
            .exchange(head(1024).as_bytes())
            .starts_with("HTTP/1.1 200 ")
    );
    assert_refused(&server.exchange(head(1025).as_bytes()), "431");
    // A head that never ends is refused too.
    assert_refused(&server.exchange(&head(100_000).as_bytes()[..90_000]), "431");
    // Empty lines are refused too, although a few of them may precede a request.
    assert_refused(&server.exchange("\r\n".repeat(600).as_bytes()), "431");
    assert_eq!(server.refused("head"), 3);
}

#[test]
fn a_head_that_takes_too_long_gets_408() {
    let server = TestServer::start(Bounds {
        head_time: SHORT,
        ..Bounds::default()
    });
    assert_refused(&server.exchange(b"GET / HTTP/1.1\r\nHo"), "408");
    let mut client = server.client();
    assert_eq!(client.get("/a").status, 200);
    client.send("G");
    assert_refused(&client.rest(), "408");
    // Sending more bytes does not extend the time limit.
    let mut client = server.client();
    let start = Instant::now();
    client.send("GET / HTTP/1.1\r\nA: ");
    while start.elapsed() < PATIENCE && client.stream().write_all(b"x").is_ok() {
        thread::sleep(SHORT / 20);
    }
    assert!(start.elapsed() < PATIENCE);
}

#[test]
fn an_idle_connection_is_closed_silently() {
    let server = TestServer::start(Bounds {
        head_time: SHORT,
        idle_time: SHORT,
        ..Bounds::default()
    });
    assert_eq!(server.exchange(b""), "");
    assert_eq!(server.exchange(b"\r\n"), "");
    let mut client = server.client();
    assert_eq!(client.get("/a").status, 200);
    assert_eq!(client.rest(), "");
    assert_eq!(server.refused("head_time"), 0);
}

#[test]
fn time_in_a_handler_does_not_count() {
    let server = TestServer::start(Bounds {
        head_time: SHORT,
        idle_time: SHORT,
        write_time: SHORT,
        ..Bounds::default()
    });
    let mut slow = server.client();
    slow.send(get("/wait"));
    server.until(|server| server.shared.handled.load(Ordering::SeqCst) == 1);
    // Another client's time runs out while it waits for the worker.
    assert_eq!(server.exchange(b""), "");
    server.open_gate();
    assert_eq!(slow.answer().text(), "waited");
}

#[test]
fn a_client_that_reads_nothing_is_cut_off() {
    let server = TestServer::start(Bounds {
        write_time: SHORT,
        ..Bounds::default()
    });
    // First a response that is larger than the socket buffer, then many smaller ones that fill the
    // buffer together.
    for (number, bytes) in [(1, get("/huge")), (2, get("/page").repeat(100))] {
        let mut client = server.client();
        client.send(bytes);
        server.until(|server| server.refused("write_time") == number);
        server.until(|server| server.figures().open == 0);
        // Whatever the sockets have buffered may still arrive, but that is less than the whole
        // response.
        let mut rest = Vec::new();
        let _ = client.0.read_to_end(&mut rest);
        assert!(rest.len() < HUGE);
    }
    assert!(server.shared.handled.load(Ordering::SeqCst) < 100);
    assert_eq!(server.figures().waiting, 0);
}

#[test]
fn a_client_that_reads_too_slowly_is_cut_off() {
    let server = TestServer::start(Bounds {
        write_time: SHORT,
        // At this rate, a client must read more than the whole response within `write_time`.
        least_rate: 10 * HUGE,
        ..Bounds::default()
    });
    let (mut slow, mut other) = (server.client(), server.client());
    slow.send(get("/huge"));
    let (mut part, mut taken) = ([0; 1024], 0);
    // Read one kilobyte each time another client receives a response.
    while let Ok(read @ 1..) = slow.0.read(&mut part) {
        taken += read;
        assert_eq!(other.get("/a").status, 200);
    }
    assert!(taken < HUGE, "{taken}");
    assert_eq!(server.refused("write_time"), 1);
}

#[test]
fn the_worst_client_is_cut_off_if_too_many_bytes_wait() {
    let server = TestServer::start(Bounds {
        pending: HUGE + HUGE / 2,
        ..Bounds::default()
    });
    let mut first = server.client();
    first.send(get("/huge"));
    server.until(|server| server.figures().waiting > 0);
    let mut second = server.client();
    second.send(get("/huge"));
    server.until(|server| server.refused("pending") == 1);
    assert!(second.try_answer().is_err());
    assert!(server.figures().waiting <= (HUGE + HUGE / 2) as u64);
    assert_eq!(server.client().get("/a").status, 200);
    assert_eq!(first.answer().body.len(), HUGE);
}

#[test]
fn a_slow_client_gets_all_answers() {
    let server = TestServer::start(Bounds {
        write_time: Duration::from_millis(300),
        ..Bounds::default()
    });
    let take = |requests: String, length: usize| {
        let mut client = server.client();
        client.send(requests);
        // Read so slowly that the server's socket is only occasionally ready for more.
        let mut taken = vec![0; 16 << 10];
        for _ in 0..100 {
            client.0.read_exact(&mut taken).expect("not cut off");
            thread::sleep(Duration::from_millis(10));
        }
        let mut rest = length - 100 * taken.len();
        while rest > 0 {
            let read = client.0.read(&mut taken).expect("not cut off");
            assert!(read > 0, "{rest} bytes are missing");
            rest = rest.saturating_sub(read);
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| take(get("/page").repeat(60), 60 * PAGE));
        take(get("/huge"), HUGE);
    });
}
