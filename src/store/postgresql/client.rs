//! A session with a PostgreSQL server: the only file that names the client and its runtime.
//!
//! The client is asynchronous, as only so each step can have a deadline. It runs on a runtime
//! of the session's own, on the thread that asks: between two questions nothing runs.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::io::Cursor;
use std::pin::{Pin, pin};
use std::time::Duration;

use futures_util::{SinkExt, TryStreamExt};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::config::SslMode;
use tokio_postgres::{Client, CopyInSink, NoTls, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::address::Endpoint;

pub use tokio_postgres::Row;
pub use tokio_postgres::types::{FromSql, ToSql};

/// A parameter of a statement.
pub type Param<'a> = &'a (dyn ToSql + Sync);

/// How many prepared statements a session has at most; then it forgets all of them.
const MAX_STATEMENTS: usize = 100;

/// What a session is to be like: plans are made once for a statement, whatever its parameters,
/// and not compiled; dates are as ISO 8601 has them.
const OPTIONS: &str = "-c plan_cache_mode=force_generic_plan -c jit=off -c DateStyle=ISO";

/// When an idle connection is looked after, so that one whose server has vanished is known.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// Why a server has not done what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It cannot be reached, is going down, or has not answered in time: another may do it.
    Lost(String),
    /// It refuses.
    Refused {
        /// The error's code (SQLSTATE), five characters.
        code: String,
        /// What the server says.
        message: String,
    },
}

/// A session with one server.
pub struct Session {
    // Before the runtime, so that it is dropped first.
    client: Client,
    statements: HashMap<String, Statement>,
    runtime: Runtime,
    host: String,
}

impl Session {
    /// Connects within `within`, and logs in.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses.
    pub fn connect(endpoint: &Endpoint, within: Duration) -> Result<Self, Trouble> {
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build();
        let runtime = runtime.map_err(|error| Trouble::Lost(error.to_string()))?;
        let mut config = tokio_postgres::Config::new();
        config
            .host(&endpoint.host)
            .port(endpoint.port)
            .user(&endpoint.user)
            .dbname(&endpoint.database)
            .application_name("procurement-lookup")
            .options(OPTIONS)
            .connect_timeout(within)
            .keepalives_idle(KEEPALIVE);
        if let Some(password) = &endpoint.password {
            config.password(password);
        }
        let client = runtime.block_on(in_time(within, async {
            match &endpoint.tls {
                None => {
                    config.ssl_mode(SslMode::Disable);
                    let (client, connection) = config.connect(NoTls).await?;
                    tokio::spawn(connection);
                    Ok(client)
                }
                Some(tls) => {
                    config.ssl_mode(SslMode::Require);
                    let tls = MakeRustlsConnect::new(tls.as_ref().clone());
                    let (client, connection) = config.connect(tls).await?;
                    tokio::spawn(connection);
                    Ok(client)
                }
            }
        }));
        Ok(Self {
            client: client?,
            statements: HashMap::new(),
            runtime,
            host: endpoint.to_string(),
        })
    }

    /// The server's host and port.
    pub fn host(&self) -> &str {
        &self.host
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
        let statement = self.statement(sql, within)?;
        let rows = self.client.query(&statement, params);
        self.runtime.block_on(in_time(within, rows))
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
        let statement = self.statement(sql, within)?;
        let params = params.iter().copied();
        self.runtime.block_on(async {
            let rows = in_time(within, self.client.query_raw(&statement, params)).await?;
            let mut rows = pin!(rows);
            while let Some(row) = in_time(within, rows.try_next()).await? {
                each(&row)?;
            }
            Ok(())
        })
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
        let statement = self.statement(sql, within)?;
        let changed = self.client.execute(&statement, params);
        self.runtime.block_on(in_time(within, changed))
    }

    /// Executes statements that are not prepared and have no parameters.
    ///
    /// # Errors
    /// As [`Session::rows`].
    pub fn batch(&mut self, sql: &str, within: Duration) -> Result<(), Trouble> {
        let done = self.client.batch_execute(sql);
        self.runtime.block_on(in_time(within, done))
    }

    /// Begins a `COPY … FROM STDIN`.
    ///
    /// # Errors
    /// As [`Session::rows`].
    pub fn copy_in(&mut self, sql: &str, within: Duration) -> Result<CopyIn<'_>, Trouble> {
        let begun = self.client.copy_in(sql);
        let sink = self.runtime.block_on(in_time(within, begun))?;
        Ok(CopyIn {
            runtime: &self.runtime,
            sink: Box::pin(sink),
            within,
        })
    }

    /// Forgets what was prepared: the tables have another schema.
    pub fn forget_statements(&mut self) {
        self.statements.clear();
    }

    fn statement(&mut self, sql: &str, within: Duration) -> Result<Statement, Trouble> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self.client.prepare(sql);
        let statement = self.runtime.block_on(in_time(within, prepared))?;
        if self.statements.len() >= MAX_STATEMENTS {
            self.statements.clear();
        }
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

/// A `COPY … FROM STDIN` under way. Dropped, it is as if it had not begun.
pub struct CopyIn<'a> {
    runtime: &'a Runtime,
    sink: Pin<Box<CopyInSink<Cursor<Vec<u8>>>>>,
    within: Duration,
}

impl CopyIn<'_> {
    /// Sends bytes; they should be some tens of kilobytes.
    ///
    /// # Errors
    /// As [`Session::rows`].
    pub fn send(&mut self, bytes: Vec<u8>) -> Result<(), Trouble> {
        let sent = self.sink.feed(Cursor::new(bytes));
        self.runtime.block_on(in_time(self.within, sent))
    }

    /// Ends it. Returns how many rows it was.
    ///
    /// # Errors
    /// As [`Session::rows`].
    pub fn finish(mut self) -> Result<u64, Trouble> {
        let finished = self.sink.as_mut().finish();
        self.runtime.block_on(in_time(self.within, finished))
    }
}

/// What it comes to, if it does `within` this time.
async fn in_time<T>(
    within: Duration,
    future: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, Trouble> {
    match timeout(within, future).await {
        Ok(result) => result.map_err(|error| Trouble::new(&error)),
        Err(_) => Err(Trouble::Lost(format!("no answer within {within:?}"))),
    }
}

/// Errors (SQLSTATE) after which another server may do it, or the same one a little later: it
/// is starting, going down or full, or a standby cancelled the statement to go on following.
const PASSING: [&str; 8] = [
    "57P01", "57P02", "57P03", "57P05", "57014", "53300", "40001", "40P01",
];

impl Trouble {
    fn new(error: &tokio_postgres::Error) -> Self {
        let Some(refusal) = error.as_db_error() else {
            return match error.source() {
                Some(source) => Self::Lost(format!("{error}: {source}")),
                None => Self::Lost(error.to_string()),
            };
        };
        let (code, message) = (refusal.code().code(), refusal.message());
        if PASSING.contains(&code) || code.starts_with("08") {
            return Self::Lost(message.to_owned());
        }
        Self::Refused {
            code: code.to_owned(),
            message: message.to_owned(),
        }
    }

    /// Does the server refuse with this code?
    pub fn is(&self, sqlstate: &str) -> bool {
        matches!(self, Self::Refused { code, .. } if code == sqlstate)
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
