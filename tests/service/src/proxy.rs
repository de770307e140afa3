//! An HTTP proxy that leads every host to one address.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use crate::http::parse_head;

/// A proxy that runs until this is dropped. It takes `CONNECT`, and plain requests with the
/// whole address.
pub struct Proxy {
    address: SocketAddr,
    state: Arc<State>,
    listener: Option<JoinHandle<()>>,
}

struct State {
    to: SocketAddr,
    stopped: AtomicBool,
    hosts: Mutex<Vec<String>>,
    connections: Mutex<Vec<TcpStream>>,
}

impl Proxy {
    /// Listens at an address, `127.0.0.1` and a free port unless given, and leads every
    /// host to `to`.
    ///
    /// # Errors
    /// Where it cannot listen.
    pub fn start(listen: Option<SocketAddr>, to: SocketAddr) -> io::Result<Self> {
        let free_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listener = TcpListener::bind(listen.unwrap_or(free_port))?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            to,
            stopped: AtomicBool::new(false),
            hosts: Mutex::default(),
            connections: Mutex::default(),
        });
        let accepting = Arc::clone(&state);
        Ok(Self {
            address,
            state,
            listener: Some(thread::spawn(move || accept(&listener, &accepting))),
        })
    }

    /// Where it listens, as a client wants it: `http://127.0.0.1:12345`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The hosts that were asked for, with their ports where a client said them: one for
    /// each connection.
    pub fn hosts(&self) -> Vec<String> {
        self.state.hosts.lock().expect("no panic").clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.state.stopped.store(true, Ordering::SeqCst);
        // The listener wakes up, and sees that. If it cannot be reached, it has ended.
        let _ = TcpStream::connect(self.address);
        if let Some(listener) = self.listener.take() {
            // Its panic has been printed.
            let _ = listener.join();
        }
        for connection in self.state.connections.lock().expect("no panic").iter() {
            // It may be closed already.
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

fn accept(listener: &TcpListener, state: &Arc<State>) {
    while let Ok((client, _)) = listener.accept() {
        if state.stopped.load(Ordering::SeqCst) {
            return;
        }
        let state = Arc::clone(state);
        // An error is the client's: it went away, or spoke no HTTP.
        thread::spawn(move || lead(client, &state).ok());
    }
}

fn lead(mut client: TcpStream, state: &State) -> io::Result<()> {
    client.set_nodelay(true)?;
    let mut head = Vec::new();
    let (request, length) = loop {
        let mut buffer = [0; 4096];
        let count = client.read(&mut buffer)?;
        head.extend(&buffer[..count]);
        match parse_head(&head)? {
            Some(whole) => break whole,
            None if count == 0 => return Ok(()),
            None => {}
        }
    };
    let is_tunnel = request.method == "CONNECT";
    let host = if is_tunnel {
        request.target.clone()
    } else {
        request.header("host").unwrap_or_default().to_owned()
    };
    state.hosts.lock().expect("no panic").push(host);
    let mut service = TcpStream::connect(state.to)?;
    service.set_nodelay(true)?;
    let mut connections = state.connections.lock().expect("no panic");
    connections.push(client.try_clone()?);
    connections.push(service.try_clone()?);
    drop(connections);
    if is_tunnel {
        client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
        service.write_all(&head[length..])?;
    } else {
        service.write_all(&head)?;
    }
    let (back_from, back_to) = (service.try_clone()?, client.try_clone()?);
    let back = thread::spawn(move || copy(back_from, back_to));
    copy(client, service);
    // Its panic has been printed.
    let _ = back.join();
    Ok(())
}

/// Until one side closes.
fn copy(mut from: TcpStream, mut to: TcpStream) {
    // A connection that breaks ends like one that is closed.
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}
