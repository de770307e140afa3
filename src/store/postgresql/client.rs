//! A session with a PostgreSQL server: the only file that names the client and its runtime.
//!
//! The client is asynchronous, as only so each step can have a deadline. It runs on a runtime
//! of the session's own, on the thread that asks: between two questions nothing runs but the lookup
//! of a host's name that has taken too long, on a thread of its own until it ends.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::io::{self, Cursor};
use std::pin::{Pin, pin};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, TryStreamExt};
use tokio::net::lookup_host;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::config::SslMode;
use tokio_postgres::{Client, CopyInSink, NoTls, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::super::server_bounds::MAX_ADDRESSES_OF_HOST;
use super::address::Endpoint;

pub use tokio_postgres::config::Host;
pub use tokio_postgres::types::{FromSql, ToSql};
pub use tokio_postgres::{Config, Row};

/// A parameter of a statement.
pub type Param<'a> = &'a (dyn ToSql + Sync);

/// The crates, by their targets in the log, that may log the parameters of statements, and so
/// what clients ask for: no log shows what they say.
pub const LOGS_OF_SERVERS: &[&str] = &["tokio_postgres"];

/// How many prepared statements a session has at most; then it forgets all of them.
const MAX_STATEMENTS: usize = 100;

/// What a session is to be like: plans are made once for a statement, whatever its parameters,
/// and not compiled; dates are as ISO 8601 has them; rows of a union come in its order; an
/// answer's sorting has some memory; deadlines are the client's alone; no notices. A server whose client has gone
/// away in the middle of a statement ends it within a second, and one whose client has vanished
/// with its machine frees what it holds within a minute.
const OPTIONS: &str = "-c plan_cache_mode=force_generic_plan -c jit=off -c DateStyle=ISO \
     -c enable_parallel_append=off -c work_mem=32MB -c statement_timeout=0 \
     -c client_min_messages=error -c client_connection_check_interval=1000 \
     -c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";

/// When an idle connection is looked after, so that one whose server has vanished is known.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// Why a server has not done what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It cannot be reached, is going down, or has not answered in time ([`Session::late`]):
    /// another may do it.
    Lost(String),
    /// It refuses.
    Refused {
        /// The error's code (SQLSTATE), five characters; empty where it is not the server
        /// that refuses: its certificate is not accepted, there is no password for it, or what
        /// it has is not as it must be.
        code: String,
        /// What the server says, or what is wrong.
        message: String,
    },
}

/// A session with one server. Where a step has failed with [`Trouble::Lost`] every other one
/// does so too: what the server does then is not known.
pub struct Session {
    // Before the runtime, so that it is dropped first.
    client: Client,
    statements: HashMap<String, Statement>,
    steps: Steps,
    host: String,
    place: usize,
    since: Instant,
}

impl Session {
    /// Connects within `within`, the lookup of the host's name included, and logs in.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses.
    pub fn connect(endpoint: &Endpoint, within: Duration) -> Result<Self, Trouble> {
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build();
        let runtime = runtime.map_err(|error| Trouble::Lost(error.to_string()))?;
        let mut steps = Steps {
            runtime: Some(runtime),
            is_lost: false,
            late: None,
        };
        let client = steps.within(within, async {
            let config = config(endpoint, within).await?;
            // A connection that ends is told of by the statement that it ends.
            match &endpoint.tls {
                None => {
                    let (client, connection) = config.connect(NoTls).await?;
                    tokio::spawn(connection);
                    Ok(client)
                }
                Some(tls) => {
                    let tls = MakeRustlsConnect::new(tls.as_ref().clone());
                    let (client, connection) = config.connect(tls).await?;
                    tokio::spawn(connection);
                    Ok(client)
                }
            }
        })?;
        Ok(Self {
            client,
            statements: HashMap::new(),
            steps,
            host: endpoint.to_string(),
            place: endpoint.index,
            since: Instant::now(),
        })
    }

    /// The server's host and port.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The server's place in the address.
    pub fn place(&self) -> usize {
        self.place
    }

    /// Has a step failed with [`Trouble::Lost`]?
    pub fn is_lost(&self) -> bool {
        self.steps.is_lost
    }

    /// How long the last step was waited for, if it was not done in that time.
    pub fn late(&self) -> Option<Duration> {
        self.steps.late
    }

    /// When it was connected.
    pub fn since(&self) -> Instant {
        self.since
    }

    /// All rows of a query, which is prepared the first time.
    ///
    /// # Errors
    /// The server refuses it, is gone, or has not answered `within` this time.
    pub fn rows(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        within: Duration,
    ) -> Result<Vec<Row>, Trouble> {
        let (client, statements) = (&self.client, &mut self.statements);
        self.steps.within(within, async {
            let statement = prepared(client, statements, sql).await?;
            Ok(client.query(&statement, params).await?)
        })
    }

    /// Passes each row of a query to `each`, as they come; the server is waited for
    /// `within` this time before each.
    ///
    /// # Errors
    /// As [`Session::rows`], or what `each` returns.
    pub fn each_row<E: From<Trouble>>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        within: Duration,
        mut each: impl FnMut(&Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let (client, statements) = (&self.client, &mut self.statements);
        let params = params.iter().copied();
        let rows = self.steps.within(within, async {
            let statement = prepared(client, statements, sql).await?;
            Ok(client.query_raw(&statement, params).await?)
        })?;
        let mut rows = pin!(rows);
        loop {
            let next = async { Ok(rows.try_next().await?) };
            match self.steps.within(within, next)? {
                Some(row) => each(&row)?,
                None => return Ok(()),
            }
        }
    }

    /// Executes a statement, which is prepared the first time. Returns how many rows it
    /// changed.
    ///
    /// # Errors
    /// As [`Session::rows`].
    pub fn execute(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        within: Duration,
    ) -> Result<u64, Trouble> {
        let (client, statements) = (&self.client, &mut self.statements);
        self.steps.within(within, async {
            let statement = prepared(client, statements, sql).await?;
            Ok(client.execute(&statement, params).await?)
        })
    }

    /// Executes statements that are not prepared and have no parameters.
    ///
    /// # Errors
    /// As [`Session::rows`].
    pub fn batch(&mut self, sql: &str, within: Duration) -> Result<(), Trouble> {
        let done = async { Ok(self.client.batch_execute(sql).await?) };
        self.steps.within(within, done)
    }

    /// Begins a `COPY … FROM STDIN`.
    ///
    /// # Errors
    /// As [`Session::rows`].
    pub fn copy_in(&mut self, sql: &str, within: Duration) -> Result<CopyIn<'_>, Trouble> {
        let begun = async { Ok(self.client.copy_in(sql).await?) };
        let sink = self.steps.within(within, begun)?;
        Ok(CopyIn {
            steps: &mut self.steps,
            sink: Box::pin(sink),
            within,
        })
    }

    /// Forgets what was prepared: the tables have another schema.
    pub fn forget_statements(&mut self) {
        self.statements.clear();
    }
}

/// How to connect to a server, whose name is looked up.
async fn config(endpoint: &Endpoint, within: Duration) -> Result<Config, Trouble> {
    let mut config = endpoint.login.clone();
    config
        .port(endpoint.port)
        .application_name("procurement-lookup")
        .options(OPTIONS)
        .keepalives_idle(KEEPALIVE)
        .ssl_mode(match endpoint.tls {
            None => SslMode::Disable,
            Some(_) => SslMode::Require,
        });
    if endpoint.host.starts_with('/') {
        config.host(&endpoint.host);
        return Ok(config);
    }
    // Each address has its part of the time, so that one that does not answer is not the last
    // that is tried.
    let lost = |error: io::Error| Trouble::Lost(format!("its name cannot be looked up: {error}"));
    let addresses = lookup_host((endpoint.host.as_str(), endpoint.port)).await;
    let mut tried = 0;
    for address in addresses.map_err(lost)?.take(MAX_ADDRESSES_OF_HOST) {
        config.host(&endpoint.host).hostaddr(address.ip());
        tried += 1;
    }
    match within.checked_div(tried) {
        Some(part) => config.connect_timeout(part),
        None => return Err(Trouble::Lost("its name stands for no address".to_owned())),
    };
    Ok(config)
}

async fn prepared(
    client: &Client,
    statements: &mut HashMap<String, Statement>,
    sql: &str,
) -> Result<Statement, Trouble> {
    if let Some(statement) = statements.get(sql) {
        return Ok(statement.clone());
    }
    let statement = client.prepare(sql).await?;
    if statements.len() >= MAX_STATEMENTS {
        statements.clear();
    }
    statements.insert(sql.to_owned(), statement.clone());
    Ok(statement)
}

/// A `COPY … FROM STDIN` under way. Dropped, it is as if it had not begun.
pub struct CopyIn<'a> {
    steps: &'a mut Steps,
    sink: Pin<Box<CopyInSink<Cursor<Vec<u8>>>>>,
    within: Duration,
}

impl CopyIn<'_> {
    /// Sends bytes; they should be some tens of kilobytes.
    ///
    /// # Errors
    /// As [`Session::rows`].
    pub fn send(&mut self, bytes: Vec<u8>) -> Result<(), Trouble> {
        let sent = async { Ok(self.sink.feed(Cursor::new(bytes)).await?) };
        self.steps.within(self.within, sent)
    }

    /// Ends it. Returns how many rows it was.
    ///
    /// # Errors
    /// As [`Session::rows`].
    pub fn finish(mut self) -> Result<u64, Trouble> {
        let finished = async { Ok(self.sink.as_mut().finish().await?) };
        self.steps.within(self.within, finished)
    }
}

/// The steps of a session, each of which has a deadline.
struct Steps {
    /// None once it is dropped.
    runtime: Option<Runtime>,
    is_lost: bool,
    /// How long the last step was waited for, if that was not long enough.
    late: Option<Duration>,
}

impl Steps {
    /// What a step comes to, if it does `within` this time.
    fn within<T>(
        &mut self,
        within: Duration,
        step: impl Future<Output = Result<T, Trouble>>,
    ) -> Result<T, Trouble> {
        self.late = None;
        let Some(runtime) = self.runtime.as_ref().filter(|_| !self.is_lost) else {
            return Err(Trouble::Lost("the session was lost before".to_owned()));
        };
        // The future of a timeout is made where there is a clock: on the runtime.
        let outcome = runtime.block_on(async { timeout(within, step).await });
        self.late = outcome.is_err().then_some(within);
        let outcome =
            outcome.unwrap_or_else(|_| Err(Trouble::Lost(format!("no answer within {within:?}"))));
        self.is_lost = matches!(outcome, Err(Trouble::Lost(_)));
        outcome
    }
}

impl Drop for Steps {
    /// Ends the runtime without waiting for the lookup of a name, which has no deadline of its
    /// own.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Errors (SQLSTATE) with which a server ends a session or does not begin one: it is starting,
/// going down or full.
const GONE: [&str; 5] = ["57P01", "57P02", "57P03", "57P05", "53300"];

/// Errors (SQLSTATE) of a query that another server may answer: a standby cancelled it to go on
/// following, a deadlock, something of the server's is used up, or its disk has failed.
const OF_THIS_SERVER: [&str; 8] = [
    "40001", "40P01", "53100", "53200", "53400", "58030", "XX001", "XX002",
];

impl From<tokio_postgres::Error> for Trouble {
    fn from(error: tokio_postgres::Error) -> Self {
        if let Some(refusal) = error.as_db_error() {
            let (code, message) = (refusal.code().code(), refusal.message());
            if GONE.contains(&code) || code.starts_with("08") {
                return Self::Lost(message.to_owned());
            }
            return Self::Refused {
                code: code.to_owned(),
                message: message.to_owned(),
            };
        }
        let what = error.to_string();
        let Some(source) = error.source() else {
            return Self::Lost(what);
        };
        match source.downcast_ref::<io::Error>() {
            Some(io) if is_of_certificate(io) => {
                Self::refused(format!("its certificate is not accepted: {io}"))
            }
            Some(io) if of_tls(io).is_some() => {
                Self::refused(format!("TLS cannot be spoken with it: {io}"))
            }
            Some(io) => Self::Lost(io.to_string()),
            None if source.to_string() == NO_PASSWORD => Self::refused(
                "it asks for a password, and none is given for it in PGPASSWORD or a passfile"
                    .to_owned(),
            ),
            None if REFUSALS.contains(&what.as_str()) => Self::refused(source.to_string()),
            None => Self::Lost(format!("{what}: {source}")),
        }
    }
}

/// The client's words where a server asks for a password and there is none.
const NO_PASSWORD: &str = "password missing";

/// The client's words for what it does not accept of a server.
const REFUSALS: [&str; 3] = [
    "error performing TLS handshake",
    "invalid configuration",
    "authentication error",
];

fn is_of_certificate(error: &io::Error) -> bool {
    matches!(of_tls(error), Some(rustls::Error::InvalidCertificate(_)))
}

fn of_tls(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}

impl Trouble {
    /// Something that was read is not as it must be.
    pub fn refused(message: String) -> Self {
        Self::Refused {
            code: String::new(),
            message,
        }
    }

    /// Does the server refuse with this code?
    pub fn is(&self, sqlstate: &str) -> bool {
        matches!(self, Self::Refused { code, .. } if code == sqlstate)
    }

    /// Does the server refuse as there is no such table, or no such schema?
    pub fn is_of_missing_table(&self) -> bool {
        self.is("42P01") || self.is("3F000")
    }

    /// Does the server refuse a query for reasons of its own, so that another may answer it?
    pub fn is_of_this_server(&self) -> bool {
        OF_THIS_SERVER.iter().any(|code| self.is(code))
    }

    /// Whether another session may do what this one did not.
    pub fn may_pass_elsewhere(&self) -> bool {
        matches!(self, Self::Lost(_)) || self.is_of_this_server()
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(reason) => f.write_str(reason),
            Self::Refused { message, .. } => f.write_str(message),
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Session").field(&self.host).finish()
    }
}
