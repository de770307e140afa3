//! Temporary databases on the server `TEST_POSTGRESQL`, such as
//! `postgresql://postgres@127.0.0.1/postgres`. Its user must be allowed to create databases. Tests
//! that need a database are ignored by default:
//!
//! ```text
//! TEST_POSTGRESQL=… cargo test --features postgresql -- --ignored --skip real_
//! ANSWERS_FROM=postgresql TEST_POSTGRESQL=… cargo test --features postgresql --test answers golden
//! ```
//!
//! `scripts/checking/postgresql` starts a server and runs these and further tests. The tests need
//! psql.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use procurement_lookup::api::DataSource;
use procurement_lookup::store::FileState;
use procurement_lookup::store::postgresql::{ServerAddress, publish};

/// The address of the server, with the database to connect to initially.
fn server() -> String {
    std::env::var("TEST_POSTGRESQL").expect("TEST_POSTGRESQL")
}

/// Executes statements in a database, with `schema` first in the search path. Returns the output of
/// psql: one value or command tag per line.
pub fn psql(address: &str, schema: &str, statements: &str) -> String {
    let output = Command::new("psql")
        .args([
            "-XAt",
            "-v",
            "ON_ERROR_STOP=1",
            "-d",
            address,
            "-c",
            statements,
        ])
        .env("PGOPTIONS", format!("-c search_path={schema},public"))
        .output()
        .expect("psql runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{statements}: {said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A temporary database that is dropped when the test ends.
pub struct TestDatabase(String);

impl TestDatabase {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        psql(&server(), "public", &format!("CREATE DATABASE {name}"));
        Self(name)
    }

    /// The address of the database, in the form of `--database`.
    pub fn address(&self) -> String {
        let server = server();
        let (address, parameters) = server.split_once('?').unwrap_or((&server, ""));
        let (hosts, _) = address
            .rsplit_once('/')
            .expect("an address with a database");
        format!("{hosts}/{}?{parameters}", self.0)
    }

    pub fn server_address(&self) -> ServerAddress {
        ServerAddress::parse(&self.address(), &|name| std::env::var(name).ok()).expect("an address")
    }

    pub fn address_of(&self, user: &str) -> String {
        let host = self.server_address().hosts()[0].to_string();
        format!("postgresql://{user}@{host}/{}", self.0)
    }

    /// Executes a statement on the published tables. Returns the output of psql.
    pub fn sql(&self, statement: &str) -> String {
        let schema = "SELECT data_schema FROM procurement_lookup.publication";
        let schema = psql(&self.address(), "public", schema);
        psql(&self.address(), schema.trim(), statement)
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let statement = format!("DROP DATABASE {} WITH (FORCE)", self.0);
        psql(&server(), "public", &statement);
    }
}

/// A file that is published to a database, and published again each time it is replaced.
pub struct PublishedFile {
    path: PathBuf,
    pub database: TestDatabase,
    state: Mutex<Option<FileState>>,
}

impl PublishedFile {
    pub fn new(path: &Path) -> Self {
        let published = Self {
            path: path.to_owned(),
            database: TestDatabase::new(),
            state: Mutex::default(),
        };
        published.follow();
        published
    }

    pub fn data(&self) -> DataSource {
        DataSource::Server(self.database.server_address().into())
    }

    /// Publishes the current file, unless it is already published or missing.
    pub fn follow(&self) {
        let state = FileState::at(&self.path).expect("a state");
        let mut published = self.state.lock().expect("the state");
        if state.is_some() && *published != state {
            let address = self.database.server_address();
            publish(&self.path, &address, false, &mut |_, _| ()).expect("it is published");
            *published = state;
        }
    }

    /// Executes a statement on the tables. Returns the number of changed rows.
    pub fn sql(&self, statement: &str) -> usize {
        let said = self.database.sql(statement);
        let (_, rows) = said.trim().rsplit_once(' ').expect("a command's tag");
        rows.parse().expect("a number of rows")
    }
}

/// Where a proxy cuts its first connection: after this many bytes from the client, or before the
/// response to COMMIT.
#[derive(Clone, Copy)]
pub enum Cut {
    After(usize),
    AtCommit,
}

/// TCP proxy in front of a database server. Closing the proxy drops its connections and rejects new
/// ones.
pub struct Way {
    address: String,
    /// The open connections; `None` once the proxy is closed.
    streams: Arc<Mutex<Option<Vec<TcpStream>>>>,
}

impl Way {
    pub fn new(database: &TestDatabase, cut: Option<Cut>) -> Self {
        let server = database.server_address().hosts()[0].clone();
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let user = server.login.get_user().expect("a user");
        let way = Self {
            address: format!("postgresql://{user}@127.0.0.1:{port}/{}", database.0),
            streams: Arc::new(Mutex::new(Some(Vec::new()))),
        };
        let streams = Arc::clone(&way.streams);
        thread::spawn(move || {
            for (number, client) in listener.incoming().map_while(Result::ok).enumerate() {
                if let Some(streams) = &mut *streams.lock().expect("the way") {
                    let upstream = TcpStream::connect((server.name.as_str(), server.port));
                    let upstream = upstream.expect("the server");
                    let copy = |stream: &TcpStream| stream.try_clone().expect("a socket");
                    streams.extend([copy(&client), copy(&upstream)]);
                    let (back, to) = (copy(&upstream), copy(&client));
                    let cut = cut.filter(|_| number == 0);
                    thread::spawn(move || pass(client, upstream, cut));
                    thread::spawn(move || pass(back, to, None));
                }
            }
        });
        way
    }

    pub fn server_address(&self) -> ServerAddress {
        ServerAddress::parse(&self.address, &|_| None).expect("an address")
    }

    pub fn close(&self) {
        let streams = self.streams.lock().expect("the way").take();
        for stream in streams.into_iter().flatten() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    pub fn open(&self) {
        *self.streams.lock().expect("the way") = Some(Vec::new());
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, cut: Option<Cut>) {
    let mut passed = 0;
    let mut bytes = [0; 4096];
    loop {
        let read = match from.read(&mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(read) => &bytes[..read],
        };
        // The query message consists of the statement and a terminating zero byte.
        let commits = read.ends_with(b"COMMIT\0");
        match cut {
            Some(Cut::AtCommit) if commits => {
                // Close the client's side first, so that the response is lost. The server still
                // executes the statement until it has nothing more to send.
                let _ = from.shutdown(Shutdown::Both);
                let _ = to.write_all(read);
                let _ = to.shutdown(Shutdown::Write);
                let _ = to.read_to_end(&mut Vec::new());
                return;
            }
            Some(Cut::After(after)) if passed + read.len() > after => {
                let _ = to.write_all(&read[..after - passed]);
                let _ = from.shutdown(Shutdown::Both);
                break;
            }
            _ => {}
        }
        passed += read.len();
        if to.write_all(read).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
