//! A session with a PostgreSQL server. No other file names the client library or its runtime.
//!
//! The client is asynchronous because only that allows a deadline for each step. Each session has
//! its own runtime on the calling thread. Nothing runs between steps, except possibly the lookup of
//! a host name that has exceeded its deadline, on another thread.

use std::collections::HashMap;
use std::error::Error as _;
use std::fmt;
use std::future::Future;
use std::io;
use std::ops::ControlFlow;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use rustls::ClientConfig;
use tokio::net::lookup_host;
use tokio::runtime::{Builder, Runtime};
use tokio::task::yield_now;
use tokio::time::timeout;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::config::SslMode;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, NoTls, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::super::error::{Error, Reason, Result};
use super::super::server_bounds::{MAX_ADDRESSES_OF_HOST, SHORT_STATEMENT};

pub use tokio_postgres::config::Host;
pub use tokio_postgres::types::{FromSql, ToSql};
pub use tokio_postgres::{Config, Row};

/// A parameter of a statement.
pub type Param<'a> = &'a (dyn ToSql + Sync);

/// Log targets of crates whose records may contain statement parameters, and thus clients'
/// requests. The program's log drops all records with these targets.
pub const SERVER_LOG_TARGETS: &[&str] = &["tokio_postgres"];

/// Number of rows per step of [`Session::each_row_while`].
const ROWS_AT_ONCE: i32 = 5_000;

/// Maximum number of prepared statements per session. When it is reached, all of them are dropped.
const MAX_STATEMENTS: usize = 100;

/// Settings of a session. Every statement gets one generic plan and no JIT compilation. Dates are
/// in ISO 8601. Parallel append is off, so that UNION ALL returns rows in order. Sorting gets some
/// extra memory. The server sets no deadlines of its own and sends no notices. If the client
/// disconnects during a statement, the server cancels the statement within a second; if the
/// client's machine disappears, the server frees the resources within a minute.
const OPTIONS: &str = "-c plan_cache_mode=force_generic_plan -c jit=off -c DateStyle=ISO \
     -c enable_parallel_append=off -c work_mem=32MB -c statement_timeout=0 \
     -c client_min_messages=error -c client_connection_check_interval=1000 \
     -c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";

/// Idle time before keepalive probes are sent, which detect that a server has disappeared.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// A server, and how to log in to it.
#[derive(Clone, Debug)]
pub struct ServerHost {
    /// The address of all servers, for error messages.
    pub address: Arc<str>,
    /// Position of the server in the address.
    pub index: usize,
    /// Host name or IP address, or the folder of a Unix socket.
    pub name: String,
    pub port: u16,
    /// User, database and password. `Debug` hides the password.
    pub login: Config,
    /// `None` for an unencrypted connection.
    pub tls: Option<Arc<ClientConfig>>,
}

impl fmt::Display for ServerHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.contains(':') {
            true => write!(f, "[{}]:{}", self.name, self.port),
            false => write!(f, "{}:{}", self.name, self.port),
        }
    }
}

/// A session with one server. The server counts as lost if it cannot be reached, is shutting down,
/// or misses a deadline ([`Session::late`]). The current step then fails with
/// `Reason::Unreachable`, and so do all later steps, because the state of the session is unknown.
pub struct Session {
    // Declared before the runtime, so that it is dropped first.
    client: Client,
    statements: HashMap<String, Statement>,
    /// The schema set by [`Session::use_schema`]; empty before that.
    schema: String,
    steps: Steps,
    index: usize,
    since: Instant,
}

impl Session {
    /// Connects and logs in within this time, which includes the lookup of the host name.
    ///
    /// # Errors
    /// Returns an error if the server is unreachable or refuses the login.
    pub fn connect(host: &ServerHost, within: Duration) -> Result<Self> {
        let mut steps = Steps::new(host)?;
        let client = steps.within(within, async {
            let config = config(host, within).await?;
            // If the connection ends with an error, the next statement reports it.
            match &host.tls {
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
            schema: String::new(),
            steps,
            index: host.index,
            since: Instant::now(),
        })
    }

    /// Returns the server's position in the address.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns whether the server was lost during a step.
    pub fn is_lost(&self) -> bool {
        self.steps.is_lost
    }

    /// Returns the deadline of the last step, if the step missed it.
    pub fn late(&self) -> Option<Duration> {
        self.steps.late
    }

    /// Returns when the session was connected.
    pub fn since(&self) -> Instant {
        self.since
    }

    /// Creates the error for a publication in another release's format.
    pub fn other_release(&self, sentence: String) -> Error {
        self.steps.error(Reason::OtherRelease(sentence))
    }

    /// Creates an error about this server.
    pub fn refused(&self, what: impl fmt::Display) -> Error {
        let reason = Reason::Refused(what.to_string());
        self.steps.error(reason)
    }

    /// Returns a column of a row.
    ///
    /// # Errors
    /// Returns an error if the column has another type.
    pub fn get<'a, T: FromSql<'a>>(&self, row: &'a Row, at: usize) -> Result<T> {
        row.try_get(at).map_err(|error| self.refused(error))
    }

    /// Sets the search path for the following statements. Sends a statement only if the schema
    /// differs from the previous one.
    ///
    /// # Errors
    /// See [`Session::rows`].
    pub fn use_schema(&mut self, schema: &str) -> Result<()> {
        if self.schema != schema {
            self.batch(&format!("SET search_path TO {schema}"), SHORT_STATEMENT)?;
            schema.clone_into(&mut self.schema);
        }
        Ok(())
    }

    /// Returns all rows of a statement. The statement is prepared when it is first used.
    ///
    /// # Errors
    /// Returns an error if the server refuses the statement, is lost, or does not respond in time.
    pub fn rows(&mut self, sql: &str, params: &[Param<'_>], within: Duration) -> Result<Vec<Row>> {
        let (client, statements) = (&self.client, &mut self.statements);
        self.steps.within(within, async {
            let statement = prepared(client, statements, sql).await?;
            Ok(client.query(&statement, params).await?)
        })
    }

    /// Returns the first value of the first row, if there is one.
    ///
    /// # Errors
    /// See [`Session::rows`].
    pub fn value<T: for<'a> FromSql<'a>>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        within: Duration,
    ) -> Result<Option<T>> {
        let rows = self.rows(sql, params, within)?;
        rows.first().map(|row| self.get(row, 0)).transpose()
    }

    /// Passes each row to `each` as it arrives. The time limit `within` applies to each row.
    ///
    /// # Errors
    /// See [`Session::rows`]; also returns errors of `each`.
    pub fn each_row(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        within: Duration,
        mut each: impl FnMut(&Row) -> Result<()>,
    ) -> Result<()> {
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

    /// Passes rows to `each` until it breaks. The server is at most a few thousand rows ahead.
    ///
    /// Runs in a transaction, so no other transaction may be open. The time limit `within` applies
    /// to every few thousand rows.
    ///
    /// # Errors
    /// See [`Session::rows`]; also returns errors of `each`.
    pub fn each_row_while(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        within: Duration,
        mut each: impl FnMut(&Row) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let (client, statements, steps) = (&mut self.client, &mut self.statements, &mut self.steps);
        let (transaction, portal) = steps.within(within, async move {
            let statement = prepared(client, statements, sql).await?;
            let transaction = client.transaction().await?;
            let portal = transaction.bind(&statement, params).await?;
            Ok((transaction, portal))
        })?;
        let mut pass = || {
            let first = async { Ok(transaction.query_portal(&portal, ROWS_AT_ONCE).await?) };
            let mut rows = steps.within(within, first)?;
            loop {
                // Ask for the next rows first: the server reads them while `each` takes these.
                let next = match i32::try_from(rows.len()) {
                    Ok(ROWS_AT_ONCE) => Some(steps.within(within, async {
                        let next = transaction.query_portal_raw(&portal, ROWS_AT_ONCE).await?;
                        yield_now().await;
                        Ok(next)
                    })?),
                    _ => None,
                };
                for row in &rows {
                    if each(row)?.is_break() {
                        return Ok(());
                    }
                }
                let Some(next) = next else {
                    return Ok(());
                };
                rows = steps.within(within, async { Ok(next.try_collect().await?) })?;
            }
        };
        let passed = pass();
        let ended = steps.within(within, async { Ok(transaction.rollback().await?) });
        passed.and(ended)
    }

    /// Executes statements without parameters and without preparing them.
    ///
    /// # Errors
    /// See [`Session::rows`].
    pub fn batch(&mut self, sql: &str, within: Duration) -> Result<()> {
        let done = async { Ok(self.client.batch_execute(sql).await?) };
        self.steps.within(within, done)
    }

    /// Starts a `COPY … FROM STDIN` into a table. `options` is empty or begins with a comma.
    ///
    /// # Errors
    /// See [`Session::rows`].
    pub fn copy_in(&mut self, table: &str, options: &str, within: Duration) -> Result<CopyIn<'_>> {
        let client = &self.client;
        let writer = self.steps.within(within, async {
            let columns = client.prepare(&format!("SELECT * FROM {table}")).await?;
            let types = columns
                .columns()
                .iter()
                .map(|column| column.type_().clone());
            let types: Vec<Type> = types.collect();
            let sql = format!("COPY {table} FROM STDIN (FORMAT binary{options})");
            let sink = client.copy_in(&sql).await?;
            Ok(BinaryCopyInWriter::new(sink, &types))
        })?;
        Ok(CopyIn {
            steps: &mut self.steps,
            writer: Box::pin(writer),
            within,
        })
    }
}

/// Looks up a server's host name, and returns the configuration for connecting to the server.
async fn config(host: &ServerHost, within: Duration) -> std::result::Result<Config, Reason> {
    let mut config = host.login.clone();
    config
        .port(host.port)
        .application_name("procurement-lookup")
        .options(OPTIONS)
        .keepalives_idle(KEEPALIVE)
        .ssl_mode(match host.tls {
            None => SslMode::Disable,
            Some(_) => SslMode::Require,
        });
    if host.name.starts_with('/') {
        config.host(&host.name);
        return Ok(config);
    }
    // Split the time among the IP addresses, so that one that does not respond leaves time for the
    // others.
    let lost =
        |error: io::Error| Reason::Unreachable(format!("its name cannot be looked up: {error}"));
    let addresses = lookup_host((host.name.as_str(), host.port)).await;
    let mut tried = 0;
    for address in addresses.map_err(lost)?.take(MAX_ADDRESSES_OF_HOST) {
        config.host(&host.name).hostaddr(address.ip());
        tried += 1;
    }
    match within.checked_div(tried) {
        Some(part) => config.connect_timeout(part),
        None => {
            return Err(Reason::Unreachable("its name has no address".to_owned()));
        }
    };
    Ok(config)
}

async fn prepared(
    client: &Client,
    statements: &mut HashMap<String, Statement>,
    sql: &str,
) -> std::result::Result<Statement, Reason> {
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

/// A `COPY … FROM STDIN` in progress. Dropping it cancels the copy.
pub struct CopyIn<'a> {
    steps: &'a mut Steps,
    writer: Pin<Box<BinaryCopyInWriter>>,
    within: Duration,
}

impl CopyIn<'_> {
    /// Sends a row with a value for each column.
    ///
    /// # Errors
    /// See [`Session::rows`].
    pub fn row(&mut self, values: &[Param<'_>]) -> Result<()> {
        let sent = async { Ok(self.writer.as_mut().write(values).await?) };
        self.steps.within(self.within, sent)
    }

    /// Completes the copy.
    ///
    /// # Errors
    /// See [`Session::rows`].
    pub fn finish(mut self) -> Result<()> {
        let finished = async { Ok(self.writer.as_mut().finish().await?) };
        self.steps.within(self.within, finished).map(drop)
    }
}

/// Runs the steps of a session, each with a deadline.
struct Steps {
    /// `None` only while being dropped.
    runtime: Option<Runtime>,
    /// Address and host, for error messages.
    address: Arc<str>,
    host: String,
    is_lost: bool,
    /// The deadline of the last step, if the step missed it.
    late: Option<Duration>,
}

impl Steps {
    fn new(host: &ServerHost) -> Result<Self> {
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build();
        let mut steps = Self {
            runtime: None,
            address: Arc::clone(&host.address),
            host: host.to_string(),
            is_lost: false,
            late: None,
        };
        let lost = |error: io::Error| steps.error(Reason::Unreachable(error.to_string()));
        steps.runtime = Some(runtime.map_err(lost)?);
        Ok(steps)
    }

    /// Runs a step and fails if it does not finish within the time limit.
    fn within<T>(
        &mut self,
        within: Duration,
        step: impl Future<Output = std::result::Result<T, Reason>>,
    ) -> Result<T> {
        self.late = None;
        let Some(runtime) = self.runtime.as_ref().filter(|_| !self.is_lost) else {
            let lost = "the session was lost before".to_owned();
            return Err(self.error(Reason::Unreachable(lost)));
        };
        // A timeout must be created inside the runtime, which provides the clock.
        let outcome = runtime.block_on(async { timeout(within, step).await });
        self.late = outcome.is_err().then_some(within);
        let late = |_| Err(Reason::Unreachable(format!("no answer within {within:?}")));
        let outcome = outcome.unwrap_or_else(late);
        self.is_lost = matches!(outcome, Err(Reason::Unreachable(_)));
        outcome.map_err(|reason| self.error(reason))
    }

    fn error(&self, mut reason: Reason) -> Error {
        if let Reason::Unreachable(text)
        | Reason::Refused(text)
        | Reason::Sql { message: text, .. } = &mut reason
        {
            *text = format!("{}: {text}", self.host);
        }
        Error::at_address(&self.address, reason)
    }
}

impl Drop for Steps {
    /// Shuts down the runtime without waiting for a name lookup, which may take any length of time.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// SQLSTATEs with which a server ends or refuses a session because it is starting, shutting down,
/// or has no free connection.
const GONE: [&str; 5] = ["57P01", "57P02", "57P03", "57P05", "53300"];

/// SQLSTATEs of statements that may succeed on another server: a standby has cancelled the
/// statement to continue replication, there was a deadlock, the server has run out of a resource,
/// or its disk has failed.
const SERVER_SPECIFIC: [&str; 8] = [
    "40001", "40P01", "53100", "53200", "53400", "58030", "XX001", "XX002",
];

impl From<tokio_postgres::Error> for Reason {
    fn from(error: tokio_postgres::Error) -> Self {
        if let Some(refusal) = error.as_db_error() {
            let (code, message) = (refusal.code().code(), refusal.message());
            if GONE.contains(&code) || code.starts_with("08") {
                return Self::Unreachable(message.to_owned());
            }
            return Self::Sql {
                code: code.to_owned(),
                message: format!("{message}{}", remedy(code)),
            };
        }
        let what = error.to_string();
        let Some(source) = error.source() else {
            return Self::Unreachable(what);
        };
        match source.downcast_ref::<io::Error>() {
            Some(io) => match io.get_ref().and_then(|inner| inner.downcast_ref()) {
                Some(rustls::Error::InvalidCertificate(_)) => {
                    Self::Refused(format!("its certificate is not accepted: {io}"))
                }
                Some(_) => Self::Refused(format!("TLS cannot be spoken with it: {io}")),
                None => Self::Unreachable(io.to_string()),
            },
            None if source.to_string() == NO_PASSWORD => Self::Refused(
                "it asks for a password, and none is given for it in PGPASSWORD or a passfile"
                    .to_owned(),
            ),
            None if REFUSALS.contains(&what.as_str()) => Self::Refused(source.to_string()),
            None => Self::Unreachable(format!("{what}: {source}")),
        }
    }
}

/// Returns advice on an error, by SQLSTATE
/// (<https://www.postgresql.org/docs/current/errcodes-appendix.html>). Empty if there is none.
fn remedy(code: &str) -> &'static str {
    match code {
        "42501" => {
            "; answering needs USAGE on the schemas and SELECT on their tables, noting days of use of keys `GRANT INSERT, UPDATE ON procurement_lookup_keys.used`, publishing and issuing keys CREATE and TEMPORARY in the database, and to own what was made before"
        }
        "25006" => "; give the address of the primary",
        "53100" => "; the server's disk is full: make room there, then run this again",
        "53200" => "; the server is out of memory",
        "54000" => {
            "; a number in the data is longer than PostgreSQL can index, some 2,700 bytes: such data can be served from the file alone"
        }
        _ => "",
    }
}

/// The client library's message if a server asks for a password and none is configured.
const NO_PASSWORD: &str = "password missing";

/// The client library's messages when it rejects a server.
const REFUSALS: [&str; 3] = [
    "error performing TLS handshake",
    "invalid configuration",
    "authentication error",
];

/// Returns whether a statement failed because a table or its schema no longer exists, or because
/// the table is not the one for which the statement was prepared.
pub fn is_missing_table(error: &Error) -> bool {
    matches!(error.sqlstate(), Some("42P01" | "3F000" | "0A000"))
}

/// Returns whether the statement may succeed on another server.
pub fn may_pass_elsewhere(error: &Error) -> bool {
    let is_server_specific = |code: &str| SERVER_SPECIFIC.contains(&code);
    error.is_unreachable() || error.sqlstate().is_some_and(is_server_specific)
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Session").field(&self.steps.host).finish()
    }
}

#[cfg(test)]
mod tests;
