//! An API over a database whose content is imported from JSON Lines.

use std::fs;
use std::io::Read;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use procurement_lookup::api::response::signing_key::{PublicKey, SigningKey};
use procurement_lookup::api::{
    Answerer, Api, Calendar, Defaults, LargeBody, Peer, Request, Response, Signer,
};
use procurement_lookup::import::{Options, Summary};
use procurement_lookup::model::{Date, Moment};
use procurement_lookup::store::{KeyRing, KeyStore, KeyTerms};
use tempfile::TempDir;

use crate::import::folder::import_into;
use crate::source::Source;

/// The current date in the tests.
pub const TODAY: &str = "2025-06-15";

/// Signing time used by the tests.
pub const SIGNED_AT: &str = "2025-06-15T15:06:40Z";

/// Returns a calendar that always returns this day (`YYYY-MM-DD`).
pub fn calendar(day: &str) -> Calendar {
    let day = Date::parse_iso(day).expect("a day YYYY-MM-DD");
    Box::new(move || Moment::from_day(day))
}

/// The names for which keys are issued, and the placeholders for the keys in requests.
const KEYS: [(&str, &str); 3] = [
    ("first", "KEY"),
    ("second", "OTHERKEY"),
    ("gone", "REVOKEDKEY"),
];

/// A folder with a database and keys, and an API that uses them.
pub struct Service {
    folder: TempDir,
    /// Placeholders for keys in requests, and the keys that replace them.
    keys: Vec<(&'static str, String)>,
    /// The clock for rate limits. It only advances on demand.
    pub clock: FakeClock,
    pub api: Arc<Api>,
    answerer: Answerer,
    source: Source,
}

impl Service {
    /// Creates a service for imported lines, as of [`TODAY`].
    pub fn over(lines: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        take_in(&folder, lines);
        let keys = issue_keys(&folder);
        let clock = FakeClock::default();
        let source = Source::new(&folder.path().join("data.sqlite"));
        let api = api(&folder, &source, calendar(TODAY), &clock);
        let answerer = api.answerer().expect("the database opens to read");
        Self {
            folder,
            keys,
            clock,
            api,
            answerer,
            source,
        }
    }

    pub fn database(&self) -> PathBuf {
        self.folder.path().join("data.sqlite")
    }

    /// Imports more lines while the database is open.
    pub fn import(&self, lines: &str) -> Summary {
        take_in(&self.folder, lines)
    }

    /// Executes a statement on a copy of the database, then replaces the database with the copy.
    /// Returns the number of changed rows.
    pub fn sql(&self, statement: &str) -> usize {
        let copy = self.folder.path().join("altered.sqlite");
        fs::copy(self.database(), &copy).expect("a copy");
        let connection = rusqlite::Connection::open(&copy).expect("the copy opens");
        procurement_lookup::store::register_row_sum(&connection).expect("the function");
        let rows = connection.execute(statement, ());
        connection.close().expect("the copy closes");
        fs::rename(copy, self.database()).expect("the copy is moved");
        rows.expect("the statement is executed")
    }

    /// Alters the data with one of two statements: `in_file` changes the file, like
    /// [`Service::sql`]; if responses come from a server, `on_server` changes its tables instead.
    /// Returns the number of changed rows.
    pub fn alter(&self, in_file: &str, on_server: &str) -> usize {
        let on_server = self.source.sql_on_server(on_server);
        if on_server.is_some() {
            // `serve` does this every second. It may fail, because the data may be damaged now.
            let _ = self.api.probe_data();
        }
        on_server.unwrap_or_else(|| self.sql(in_file))
    }

    pub fn on(&mut self, calendar: Calendar) {
        self.set_on(calendar, |_| ());
    }

    /// Sets the current day and the default parameter values.
    pub fn serve(&mut self, day: &str, defaults: Defaults) {
        self.set_on(calendar(day), |api| api.defaults = defaults);
    }

    /// Enables receipts for the server name `lookup.example.org`, signed at [`SIGNED_AT`]. Returns
    /// the public key.
    pub fn sign(&mut self) -> PublicKey {
        let key = SigningKey::generate().expect("a key");
        let key = SigningKey::parse(&key).expect("its own PEM");
        let public = key.public().clone();
        let now = Box::new(|| 1_750_000_000);
        let signer = Signer::new(key, "lookup.example.org".to_owned(), now);
        self.set(|api| api.signer = Some(signer));
        public
    }

    /// Creates a service for these lines, with settings changed by `set`.
    pub fn over_with(lines: &str, set: impl FnOnce(&mut Api)) -> Self {
        let mut service = Self::over(lines);
        service.set(set);
        service
    }

    fn set(&mut self, set: impl FnOnce(&mut Api)) {
        self.set_on(calendar(TODAY), set);
    }

    fn set_on(&mut self, calendar: Calendar, set: impl FnOnce(&mut Api)) {
        let api = api(&self.folder, &self.source, calendar, &self.clock);
        let mut api = Arc::into_inner(api).expect("nobody else has it");
        set(&mut api);
        self.api = Arc::new(api);
        self.answerer = self.api.answerer().expect("the database opens to read");
    }

    /// Sends a GET without headers. As parameter values, `KEY` and `OTHERKEY` stand for valid keys,
    /// and `REVOKEDKEY` for a revoked one.
    pub fn get(&mut self, target: &str) -> Response {
        self.ask("GET", target, &[])
    }

    /// Sends a request with headers. Replaces placeholders for keys as [`Service::get`] does, and
    /// also at the end of header values.
    pub fn ask(&mut self, method: &str, target: &str, headers: &[(&str, &str)]) -> Response {
        self.ask_from(None, method, target, headers)
    }

    /// Sends a request from a client address.
    pub fn ask_from<'a>(
        &mut self,
        client: Option<IpAddr>,
        method: &'a str,
        target: &str,
        headers: &[(&'a str, &str)],
    ) -> Response {
        let header = |(name, value): &(&'a str, &str)| (*name, self.header_value(value).into());
        let target = self.with_keys(target);
        let request = Request {
            method,
            target: &target,
            headers: headers.iter().map(header).collect(),
            peer: client.map_or(Peer::Local, Peer::Direct),
            received: None,
            user_header: None,
        };
        self.source.follow();
        let mut response = self.answerer.answer(&request);
        if let Some(LargeBody::File(file)) = &response.large {
            let reader = file.reader().expect("the file of a long body");
            let read = { reader }.read_to_end(&mut response.body);
            read.expect("its bytes");
            response.large = None;
        }
        response
    }

    /// Replaces the placeholders of keys in a target.
    pub fn with_keys(&self, target: &str) -> String {
        let pair = |pair: &str| match pair.split_once('=') {
            Some((name, value)) => format!("{name}={}", self.key(value)),
            None => pair.to_owned(),
        };
        match target.split_once('?') {
            None => target.to_owned(),
            Some((path, query)) => {
                let pairs: Vec<String> = query.split('&').map(pair).collect();
                format!("{path}?{}", pairs.join("&"))
            }
        }
    }

    fn header_value(&self, value: &str) -> String {
        match value.rsplit_once(' ') {
            Some((before, last)) => format!("{before} {}", self.key(last)),
            None => self.key(value).to_owned(),
        }
    }

    /// Returns the key for the placeholder `text`, or `text` itself if it is no placeholder.
    pub fn key<'a>(&'a self, text: &'a str) -> &'a str {
        let named = self.keys.iter().find(|(name, _)| *name == text);
        named.map_or(text, |(_, key)| key.as_str())
    }
}

fn take_in(folder: &TempDir, lines: &str) -> Summary {
    let path = folder.path().join("lines.jsonl");
    fs::write(&path, lines).expect("the lines are written");
    let database = folder.path().join("data.sqlite");
    let (summary, problems) = import_into(&database, &[path], &Options::default());
    assert_eq!(problems, [""; 0]);
    summary
}

fn issue_keys(folder: &TempDir) -> Vec<(&'static str, String)> {
    let now = SystemTime::UNIX_EPOCH;
    let file = KeyStore::File(folder.path().join("keys.sqlite"));
    let keys = KEYS.map(|(name, text)| {
        (
            text,
            file.issue(name, KeyTerms::default(), now).expect("a key"),
        )
    });
    file.revoke("gone", now).expect("the key is revoked");
    keys.into()
}

/// A clock that only advances on demand.
#[derive(Clone, Default)]
pub struct FakeClock(Arc<Mutex<Duration>>);

impl FakeClock {
    pub fn advance(&self, span: Duration) {
        *self.0.lock().expect("the clock") += span;
    }

    fn now(&self) -> Duration {
        *self.0.lock().expect("the clock")
    }
}

fn api(folder: &TempDir, source: &Source, calendar: Calendar, clock: &FakeClock) -> Arc<Api> {
    let keys = KeyRing::new(&KeyStore::File(folder.path().join("keys.sqlite"))).expect("the keys");
    let clock = clock.clone();
    let ticks = Arc::new(move || clock.now());
    let api = Api::new(source.data(), keys, calendar).counting_in(ticks);
    Arc::new(api.caching(1 << 20))
}

pub fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    let named = response.headers.iter().find(|(given, _)| *given == name);
    named.map(|(_, value)| &**value)
}

pub fn body(response: &Response) -> &str {
    std::str::from_utf8(&response.body).expect("the body is UTF-8")
}
