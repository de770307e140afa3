//! An HTTP proxy that leads every host to one address.

use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::http::Connection;

/// A proxy on a free port of 127.0.0.1, which takes `CONNECT`.
pub struct Proxy {
    address: SocketAddr,
    hosts: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// Leads every host to `to`.
    ///
    /// # Errors
    /// Where it cannot listen.
    pub fn start(to: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let hosts = Arc::new(Mutex::default());
        let asked = Arc::clone(&hosts);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let asked = Arc::clone(&asked);
                // An error is the client's: it went away, or spoke no HTTP.
                thread::spawn(move || lead(client, to, &asked).ok());
            }
        });
        Ok(Self { address, hosts })
    }

    /// Where it listens, as a client wants it: `http://127.0.0.1:12345`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The hosts that were asked for, with their ports: one for each connection.
    pub fn hosts(&self) -> Vec<String> {
        self.hosts.lock().expect("no panic").clone()
    }
}

fn lead(client: TcpStream, to: SocketAddr, hosts: &Mutex<Vec<String>>) -> io::Result<()> {
    let mut connection = Connection::new(client, None)?;
    let Some(request) = connection.next_request()? else {
        return Ok(());
    };
    hosts.lock().expect("no panic").push(request.target);
    let service = TcpStream::connect(to)?;
    service.set_nodelay(true)?;
    let mut client = connection.socket;
    client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
    let (back_from, back_to) = (service.try_clone()?, client.try_clone()?);
    thread::spawn(move || copy(back_from, back_to));
    copy(client, service);
    Ok(())
}

/// Until one side closes.
fn copy(mut from: TcpStream, mut to: TcpStream) {
    // A connection that breaks ends like one that is closed.
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}
