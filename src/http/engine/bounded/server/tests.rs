use std::io::Read;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;

use super::*;

#[test]
fn a_sleeping_worker_sees_new_deadlines() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let address = listener.local_addr().expect("an address");
    let bounds = Bounds {
        head_time: Duration::from_secs(3600),
        ..Bounds::default()
    };
    let server = BoundedServer::new(listener, bounds).expect("a server");
    let read = thread::scope(|scope| {
        scope.spawn(|| while server.recv().is_ok() {});
        let mut client = TcpStream::connect(address).expect("a connection");
        let patience = Some(Duration::from_secs(30));
        client.set_read_timeout(patience).expect("a limit");
        // A worker thread accepts the connection and then waits for an hour.
        let (token, connection) = loop {
            thread::yield_now();
            if let Ok(taken) = server.slots.take_due(0, NEVER) {
                break taken;
            }
        };
        let soon = server.deadlines.after(Duration::from_millis(50));
        server.put(token, connection, soon);
        let read = client.read(&mut [0]);
        server.unblock();
        read
    });
    assert_eq!(read.expect("an end in time"), 0);
}
