//! An HTTP proxy that connects clients to one fixed address, whatever host they request.

use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::http::Connection;

/// A `CONNECT` proxy on a free port of 127.0.0.1.
pub struct Proxy {
    address: SocketAddr,
    hosts: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// Starts a proxy that connects every client to `to`.
    ///
    /// # Errors
    /// Returns an error if the port cannot be opened.
    pub fn start(to: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let hosts = Arc::new(Mutex::default());
        let requested = Arc::clone(&hosts);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let requested = Arc::clone(&requested);
                // Errors mean that the client disconnected or did not speak HTTP.
                thread::spawn(move || tunnel(client, to, &requested).ok());
            }
        });
        Ok(Self { address, hosts })
    }

    /// The address of the proxy as a URL, such as `http://127.0.0.1:12345`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requested hosts with ports, one per connection.
    pub fn hosts(&self) -> Vec<String> {
        self.hosts.lock().expect("no panic").clone()
    }
}

fn tunnel(client: TcpStream, to: SocketAddr, hosts: &Mutex<Vec<String>>) -> io::Result<()> {
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

/// Copies bytes in one direction until the sender closes.
fn copy(mut from: TcpStream, mut to: TcpStream) {
    // A broken connection is treated like a closed one.
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}
