//! Keys in PostgreSQL: a running server notices changes within a second, and continues with the
//! known keys while PostgreSQL is unreachable.

use std::env;
use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::*;
use crate::store::postgresql::ServerAddress;

/// Maximum time until a change takes effect.
const SECOND: Duration = Duration::from_secs(1);

/// A database on the server in `TEST_POSTGRESQL`, dropped at the end of the test.
pub struct TestDatabase {
    name: String,
}

impl TestDatabase {
    pub fn create() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("keys_{}_{count}", process::id());
        on_server(&format!("CREATE DATABASE {name}"));
        Self { name }
    }

    pub fn address(&self) -> ServerAddress {
        address(&format!("{}/{}", server(), self.name))
    }

    /// Returns the address of the database, with another port on this machine.
    fn address_at(&self, port: u16) -> ServerAddress {
        let login = self.address().hosts()[0].login.clone();
        let user = login.get_user().expect("a user");
        address(&format!(
            "postgresql://{user}@127.0.0.1:{port}/{}",
            self.name
        ))
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        on_server(&format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

fn server() -> String {
    let address = env::var("TEST_POSTGRESQL").expect("TEST_POSTGRESQL");
    let (server, _) = address.rsplit_once('/').expect("a database");
    server.to_owned()
}

fn address(text: &str) -> ServerAddress {
    ServerAddress::parse(text, &|name| env::var(name).ok()).expect("an address")
}

fn on_server(sql: &str) {
    let mut session = address(&format!("{}/postgres", server()))
        .primary()
        .expect("a server");
    session
        .batch(sql, Duration::from_secs(10))
        .expect("it is done");
}

/// Forwards connections on a port of this machine to the server, until it is closed.
struct Forwarder {
    port: u16,
    is_open: Arc<AtomicBool>,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Forwarder {
    fn closed() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let to = address(&server()).hosts()[0].to_string();
        let is_open = Arc::new(AtomicBool::new(false));
        let streams: Arc<Mutex<Vec<TcpStream>>> = Arc::default();
        let forwarder = Self {
            port,
            is_open: Arc::clone(&is_open),
            streams: Arc::clone(&streams),
        };
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if !is_open.load(Ordering::SeqCst) {
                    continue;
                }
                let server = TcpStream::connect(&to).expect("the server");
                let copy = |from: &TcpStream, to: &TcpStream| {
                    let [mut from, mut to] =
                        [from, to].map(|stream| stream.try_clone().expect("a stream"));
                    thread::spawn(move || {
                        io::copy(&mut from, &mut to).and_then(|_| to.shutdown(Shutdown::Both))
                    });
                };
                copy(&client, &server);
                copy(&server, &client);
                streams
                    .lock()
                    .expect("the streams")
                    .extend([client, server]);
            }
        });
        forwarder
    }

    fn open(&self) {
        self.is_open.store(true, Ordering::SeqCst);
    }

    /// Closes all connections. New ones are closed immediately.
    fn close(&self) {
        self.is_open.store(false, Ordering::SeqCst);
        for stream in self.streams.lock().expect("the streams").drain(..) {
            stream.shutdown(Shutdown::Both).ok();
        }
    }
}

/// Waits up to a second for a key to become valid or invalid.
fn assert_soon(ring: &KeyRing, key: &str, is_valid: bool) {
    let deadline = Instant::now() + SECOND;
    while ring.holder_at(key, || 1).ok().flatten().is_some() != is_valid {
        assert!(Instant::now() < deadline, "a second has passed");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn issuing_and_revoking_take_effect_within_a_second() {
    let database = TestDatabase::create();
    let keys = KeyStore::Server(database.address().into());
    let ring = KeyRing::new(&keys).expect("the keys");
    let key = keys
        .issue("office", KeyTerms::default(), at(1))
        .expect("a key");
    assert_soon(&ring, &key, true);
    let holder = holder(&ring, &key, 1).expect("valid");
    assert_eq!(&*holder.name, "office");
    keys.revoke("office", at(1)).expect("revoked");
    assert_soon(&ring, &key, false);
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn known_keys_stay_valid_while_the_server_is_unreachable() {
    let database = TestDatabase::create();
    let forwarder = Forwarder::closed();
    let keys = KeyStore::Server(database.address().into());
    let key = keys
        .issue("office", KeyTerms::default(), at(1))
        .expect("a key");
    let through = KeyStore::Server(database.address_at(forwarder.port).into());
    let ring = KeyRing::new(&through).expect("no keys yet");
    assert_eq!(ring.count(), 0, "the server is unreachable");
    assert!(ring.holder_at(&key, || 1).is_err());
    forwarder.open();
    assert_soon(&ring, &key, true);
    forwarder.close();
    keys.revoke("office", at(1)).expect("revoked");
    // Without a connection, the ring cannot learn of the change.
    thread::sleep(SECOND);
    assert!(holder(&ring, &key, 1).is_some());
    forwarder.open();
    assert_soon(&ring, &key, false);
}
