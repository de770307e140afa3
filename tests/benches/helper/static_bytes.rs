//! Static bytes through `http::engine`: 400 bytes at `/400`, 300 KB at `/300k`, with the
//! headers that nginx sends with a file. What is measured is the engine alone: nothing is
//! looked up, rendered or logged.

use std::io::Write as _;
use std::net::TcpListener;
use std::thread;

use procurement_lookup::http::engine::{Bounds, Engine, Server, buffers};

use super::Result;

/// Answers on a free port of 127.0.0.1, and prints which.
pub fn serve(workers: usize, engine: &str) -> Result<()> {
    let engine = Engine::ALL.iter().find(|one| one.name() == engine);
    let engine = *engine.ok_or("no such engine")?;
    let body: &'static [u8] = vec![b'x'; 300 << 10].leak();
    let (small, large, other) = (&body[..400], body, &body[..0]);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("listening on http://{}", listener.local_addr()?);
    // One address has all the connections here; and what waits for a client costs
    // no memory, as it is the same bytes for all, so that 256 clients of 300 KB, who
    // are more than the bound is for, have it all the same.
    let bounds = Bounds {
        connections_of_address: Bounds::default().connections,
        pending: 1 << 30,
        ..Bounds::default()
    };
    let server = Server::new(engine, listener, bounds)?;
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Ok(request) = server.recv() {
                    let (status, body) = match request.url() {
                        "/400" => ("200 OK", small),
                        "/300k" => ("200 OK", large),
                        _ => ("404 Not Found", other),
                    };
                    // A client that is gone is the load generator that has ended.
                    let _ = request.respond(head(status, body.len()), body);
                }
            });
        }
    });
    Ok(())
}

/// The head of an answer with `length` bytes.
fn head(status: &str, length: usize) -> Vec<u8> {
    let mut head = buffers::take();
    // A vector takes whatever is written.
    let _ = write!(
        head,
        "HTTP/1.1 {status}\r\nServer: static-bytes\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n\
         Content-Type: text/plain\r\nContent-Length: {length}\r\n\
         Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT\r\nConnection: keep-alive\r\n\
         ETag: \"00000000-000\"\r\nAccept-Ranges: bytes\r\n\r\n"
    );
    head
}
