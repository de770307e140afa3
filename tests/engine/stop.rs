//! The end of a server.

use super::*;

#[test]
fn idle_connections_are_closed_at_once() {
    let engine = Engine::usual();
    let mut clients: Vec<Client> = (0..20).map(|_| engine.client()).collect();
    for client in &mut clients[..10] {
        assert_eq!(client.get("/a").status, 200);
    }
    engine.until(|engine| engine.server.figures().accepted == 20);
    engine.stop();
    for client in &mut clients {
        assert_eq!(client.rest(), "");
    }
}

#[test]
fn requests_that_have_arrived_on_fifty_connections_are_answered() {
    let engine = Engine::usual();
    let mut clients: Vec<Client> = (0..50).map(|_| engine.client()).collect();
    for client in &mut clients {
        client.send(get("/wait"));
    }
    // Both workers are busy; the other heads lie in their sockets, some of which
    // may not even be accepted.
    engine.until(|engine| engine.shared.handled.load(Ordering::SeqCst) == 2);
    engine.server.unblock();
    engine.open_gate();
    for client in &mut clients {
        let answer = client.answer();
        assert_eq!(answer.text(), "waited");
        assert!(answer.closes());
        client.is_closed();
    }
    engine.stop();
}

#[test]
fn requests_that_were_pipelined_are_answered_and_the_last_says_that_it_closes() {
    let engine = Engine::usual();
    let mut client = engine.client();
    let count = 600;
    client.send(get("/wait").repeat(count));
    engine.until(|engine| engine.shared.handled.load(Ordering::SeqCst) == 1);
    engine.server.unblock();
    engine.open_gate();
    for number in 1..=count {
        let answer = client.answer();
        assert_eq!(answer.text(), "waited");
        assert_eq!(answer.closes(), number == count, "{number}");
    }
    client.is_closed();
    engine.stop();
}

#[test]
fn a_client_that_goes_on_sending_does_not_keep_it_from_stopping() {
    let engine = Engine::usual();
    let mut client = engine.client();
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
    engine.until(|engine| engine.shared.handled.load(Ordering::SeqCst) > 100);
    engine.stop();
    sender.join().expect("the sender");
    assert!(reader.join().expect("the reader") > 0);
}

#[test]
fn an_answer_that_is_being_taken_is_taken_whole() {
    let engine = Engine::usual();
    let mut client = engine.client();
    client.send(get("/huge"));
    engine.until(|engine| engine.server.figures().waiting > 0);
    engine.server.unblock();
    assert_eq!(client.answer().body.len(), HUGE);
    client.is_closed();
    engine.stop();
}

#[test]
fn half_a_head_is_not_waited_for_long() {
    let engine = Engine::usual();
    let mut client = engine.client();
    client.send("GET / HTTP/1.1\r\nHo");
    engine.until(|engine| engine.server.figures().accepted == 1);
    let start = Instant::now();
    engine.stop();
    assert!(start.elapsed() < Duration::from_secs(8));
    assert_refused(&client.rest(), "408");
}

#[test]
fn the_rest_of_a_head_that_comes_soon_is_waited_for() {
    let engine = Engine::usual();
    let mut client = engine.client();
    client.send("GET /a HTTP/1.1\r\nHo");
    engine.until(|engine| engine.server.figures().accepted == 1);
    engine.server.unblock();
    client.send("st: h\r\n\r\n");
    let answer = client.answer();
    assert_eq!(answer.status, 200);
    assert!(answer.closes());
    engine.stop();
}

#[test]
fn no_more_connections_are_taken() {
    let engine = Engine::usual();
    let address = engine.address;
    engine.stop();
    assert!(TcpStream::connect(address).is_err());
}
