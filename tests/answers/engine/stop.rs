//! Shutting down a server.

use super::*;

#[test]
fn a_request_in_progress_is_answered() {
    each(|server| {
        let mut client = server.client();
        client.send(get("/wait"));
        server.until(|server| server.shared.handled.load(Ordering::SeqCst) == 1);
        server.inner.unblock();
        server.open_gate();
        let answer = client.answer();
        assert_eq!(answer.text(), "waited");
        assert!(answer.closes());
    });
}

#[test]
fn idle_connections_are_closed_at_once() {
    let server = TestServer::usual();
    let mut clients: Vec<Client> = (0..20).map(|_| server.client()).collect();
    for client in &mut clients {
        assert_eq!(client.get("/a").status, 200);
    }
    let address = server.address;
    let told = thread::spawn(move || {
        for mut client in clients {
            assert_eq!(client.rest(), "");
        }
    });
    server.stop();
    told.join().expect("nothing more is said");
    assert!(TcpStream::connect(address).is_err(), "no more are taken");
}

#[test]
fn the_first_request_of_a_new_connection_is_awaited() {
    let server = TestServer::usual();
    let mut clients: Vec<Client> = (0..20).map(|_| server.client()).collect();
    // Some connections may not be accepted before the shutdown starts.
    server.until(|server| server.figures().accepted > 0);
    server.inner.unblock();
    for client in &mut clients {
        let answer = client.get("/a");
        assert_eq!(answer.status, 200);
        assert!(answer.closes());
        client.is_closed();
    }
    drop(clients);
    server.stop();
}

#[test]
fn requests_that_have_arrived_on_fifty_connections_are_answered() {
    let server = TestServer::usual();
    let mut clients: Vec<Client> = (0..50).map(|_| server.client()).collect();
    for client in &mut clients {
        client.send(get("/wait"));
    }
    // Both workers are busy. The other request heads are still in the socket buffers, and some
    // connections may not even be accepted.
    server.until(|server| server.shared.handled.load(Ordering::SeqCst) == 2);
    server.inner.unblock();
    server.open_gate();
    for client in &mut clients {
        let answer = client.answer();
        assert_eq!(answer.text(), "waited");
        assert!(answer.closes());
        client.is_closed();
    }
    drop(clients);
    server.stop();
}

#[test]
fn pipelined_requests_are_answered_and_the_last_closes() {
    let server = TestServer::usual();
    let mut client = server.client();
    let count = 600;
    client.send(get("/wait").repeat(count));
    server.until(|server| server.shared.handled.load(Ordering::SeqCst) == 1);
    server.inner.unblock();
    server.open_gate();
    for number in 1..=count {
        let answer = client.answer();
        assert_eq!(answer.text(), "waited");
        assert_eq!(answer.closes(), number == count, "{number}");
    }
    client.is_closed();
    drop(client);
    server.stop();
}

#[test]
fn a_client_that_keeps_sending_does_not_prevent_stopping() {
    let server = TestServer::usual();
    let mut client = server.client();
    client.send(get("/a"));
    let stream = client.stream().try_clone().expect("the other half");
    let sender = thread::spawn(move || {
        let requests = get("/a").repeat(100);
        while (&stream).write_all(requests.as_bytes()).is_ok() {}
    });
    let reader = thread::spawn(move || {
        let mut rest = Vec::new();
        let _ = client.0.read_to_end(&mut rest);
        rest.len()
    });
    server.until(|server| server.shared.handled.load(Ordering::SeqCst) > 100);
    server.stop();
    sender.join().expect("the sender");
    assert!(reader.join().expect("the reader") > 0);
}

#[test]
fn an_answer_in_progress_is_completed() {
    let server = TestServer::usual();
    let mut client = server.client();
    client.send(get("/huge"));
    server.until(|server| server.figures().waiting > 0);
    server.inner.unblock();
    assert_eq!(client.answer().body.len(), HUGE);
    client.is_closed();
    drop(client);
    server.stop();
}

#[test]
fn the_rest_of_a_head_is_awaited_briefly() {
    let server = TestServer::usual();
    let mut client = server.client();
    client.send("GET /a HTTP/1.1\r\nHo");
    server.until(|server| server.figures().accepted == 1);
    server.inner.unblock();
    client.send("st: h\r\n\r\n");
    let answer = client.answer();
    assert_eq!(answer.status, 200);
    assert!(answer.closes());
    drop(client);
    server.stop();
}
