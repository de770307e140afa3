//! Responses if the data is in PostgreSQL and no server can be reached.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use procurement_lookup::api::{Answerer, Api, DataSource, Endpoint, Request, Response};
use procurement_lookup::store::{KeyRing, KeyStore, KeyTerms, RemoteServers};
use tempfile::TempDir;

use super::{RNP, every_endpoint, service};
use crate::postgresql::{PublishedFile, Way};
use crate::service::{TODAY, body, calendar, header};

/// An API that reads from a PostgreSQL server. [`Remote::new`] gives it an address at which nothing
/// listens.
struct Remote {
    api: Arc<Api>,
    answerer: Answerer,
    key: String,
    _folder: TempDir,
}

impl Remote {
    fn new() -> Self {
        Self::at(address())
    }

    fn at(address: RemoteServers) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let keys = KeyStore::File(folder.path().join("keys.sqlite"));
        let key = keys
            .issue("first", KeyTerms::default(), SystemTime::UNIX_EPOCH)
            .expect("a key");
        let keys = KeyRing::new(&keys).expect("the keys");
        let api = Api::new(DataSource::Server(address), keys, calendar(TODAY));
        let mut api = api.caching(1 << 20);
        api.is_audited = true;
        let api = Arc::new(api);
        Self {
            answerer: api.answerer().expect("nobody is asked yet"),
            api,
            key,
            _folder: folder,
        }
    }

    fn ask(
        &mut self,
        method: &'static str,
        target: &str,
        headers: &[(&'static str, &str)],
    ) -> Response {
        let target = target.replace("KEY", &self.key);
        self.answerer.answer(&Request {
            method,
            target: &target,
            headers: headers
                .iter()
                .map(|(name, value)| (*name, (*value).into()))
                .collect(),
            ..Request::default()
        })
    }
}

fn address() -> RemoteServers {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("its address").port();
    drop(listener);
    let address = format!("postgresql://nobody@127.0.0.1:{port}/nothing");
    RemoteServers::parse(&address, &|_| None).expect("an address")
}

fn check_unavailable(response: &Response, about: &str) {
    assert_eq!(response.status, 503, "{about}");
    assert_eq!(header(response, "Retry-After"), Some("1"), "{about}");
    assert_eq!(
        header(response, "Cache-Control"),
        Some("no-store"),
        "{about}"
    );
    for absent in ["ETag", "X-Data-Updated", "X-Receipt"] {
        assert_eq!(header(response, absent), None, "{about}");
    }
    // The failure is logged once, not for every request.
    assert_eq!(response.note.failure, None, "{about}");
    assert_eq!(response.note.error.as_deref(), Some("503"), "{about}");
    let shown = String::from_utf8_lossy(&response.body);
    for secret in ["127.0.0.1", "postgres", "nobody", "SELECT"] {
        assert!(!shown.contains(secret), "{about}: {shown}");
    }
}

#[test]
fn each_endpoint_answers_503_in_every_format() {
    let mut service = Remote::new();
    for target in &every_endpoint() {
        for method in ["GET", "HEAD"] {
            for tag in ["", "*"] {
                let headers = [("If-None-Match", tag)];
                let response = service.ask(method, target, &headers);
                check_unavailable(&response, target);
                let expected = "<code>503</code><error>Сервис временно недоступен.</error></";
                assert!(body(&response).contains(expected), "{response:?}");
                let lookup = response.note.lookup.expect("what was looked up");
                assert_eq!(lookup.result, None, "{target}");
            }
        }
        let json = service.ask("GET", &format!("{target}&format=json"), &[]);
        check_unavailable(&json, target);
        let expected = r#"{"code":503,"error":"Сервис временно недоступен."}"#;
        assert_eq!(body(&json), expected, "{target}");
        let csv = service.ask("GET", &format!("{target}&format=csv&receipt=1"), &[]);
        check_unavailable(&csv, target);
        let expected = "\u{feff}code,error\r\n503,Сервис временно недоступен.\r\n";
        assert_eq!(body(&csv), expected, "{target}");
        let xlsx = service.ask("GET", &format!("{target}&format=xlsx"), &[]);
        check_unavailable(&xlsx, target);
        assert!(xlsx.body.starts_with(b"PK"), "{target}: a workbook");
    }
}

#[test]
fn invalid_requests_are_refused_before_the_data_is_needed() {
    let mut service = Remote::new();
    for target in &every_endpoint() {
        let without_key = target.replace("KEY", "");
        let status = service.ask("GET", &without_key, &[]).status;
        let path = target.split('?').next().expect("a path");
        let has_statuses = Endpoint::at(path).expect("an endpoint").has_statuses;
        assert_eq!(status == 401, has_statuses, "{target}");
    }
    let bad = "/rnp/check-supplier?supplierINN=1&apikey=KEY";
    assert_eq!(service.ask("GET", bad, &[]).status, 400);
    assert_eq!(service.ask("GET", "/nowhere", &[]).status, 404);
}

#[test]
fn the_page_reports_the_outage_in_the_readers_language() {
    let mut service = Remote::new();
    for (language, words) in [
        ("en", "The server cannot reach its data"),
        ("ru", "Сервер временно не может получить данные"),
    ] {
        let response = service.ask("GET", "/", &[("Accept-Language", language)]);
        check_unavailable(&response, language);
        assert_eq!(
            header(&response, "Content-Type"),
            Some("text/html; charset=utf-8")
        );
        assert!(body(&response).contains(words), "{}", body(&response));
    }
    check_unavailable(&service.ask("GET", "/about.json", &[]), "/about.json");
    for target in ["/docs/", "/openapi.json"] {
        assert_eq!(service.ask("GET", target, &[]).status, 200, "{target}");
    }
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_server_that_comes_back_is_used_again() {
    let service = service();
    let published = PublishedFile::new(&service.database());
    let way = Way::new(&published.database, None);
    let mut remote = Remote::at(way.server_address().into());
    let known = remote.api.probe_data().expect("the server is there");
    assert!(known.is_reachable);
    let page = remote.ask("GET", "/", &[]);
    assert_eq!(page.status, 200);
    let target = format!("{RNP}?supplierINN=9600000021&apikey=KEY");
    let before = remote.ask("GET", &target, &[]);
    assert_eq!(before.status, 200, "{before:?}");
    way.close();
    // The response is in the cache, but may be outdated, so the service does not send it.
    check_unavailable(&remote.ask("GET", &target, &[]), &target);
    let state = remote.api.probe_data().expect("what was known last");
    assert!(!state.is_reachable);
    // The page does not query the server. It uses the last known state, in which no server is
    // reachable.
    check_unavailable(&remote.ask("GET", "/", &[]), "/");
    assert_eq!(
        (state.version(), state.updated),
        (known.version(), known.updated)
    );
    way.open();
    let deadline = Instant::now() + Duration::from_secs(5);
    let after = loop {
        let response = remote.ask("GET", &target, &[]);
        if response.status == 200 || Instant::now() > deadline {
            break response;
        }
        check_unavailable(&response, &target);
    };
    assert_eq!(after.status, 200);
    assert_eq!(after.body, before.body);
    assert!(remote.api.probe_data().expect("it is there").is_reachable);
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_publication_of_another_release_gives_503() {
    let service = service();
    let published = PublishedFile::new(&service.database());
    let database = &published.database;
    let mut remote = Remote::at(database.server_address().into());
    let target = format!("{RNP}?supplierINN=9600000021&apikey=KEY");
    let before = remote.ask("GET", &target, &[]);
    assert_eq!(before.status, 200, "{before:?}");
    let format = database.sql("SELECT format FROM procurement_lookup.publication");
    for other in ["999999", "1"] {
        database.sql(&format!(
            "UPDATE procurement_lookup.publication SET format = {other}, number = number + 1"
        ));
        for target in every_endpoint().iter().chain([&target]) {
            check_unavailable(&remote.ask("GET", target, &[]), target);
        }
        let mut started_now = Remote::at(database.server_address().into());
        let state = remote.api.probe_data();
        let error = state.expect_err("no state is known yet");
        assert!(error.is_outage(), "{error}");
        assert!(
            error.to_string().contains(&format!("has format {other}")),
            "{error}"
        );
        check_unavailable(&started_now.ask("GET", &target, &[]), &target);
    }
    database.sql(&format!(
        "UPDATE procurement_lookup.publication SET format = {format}, number = number + 1"
    ));
    let after = remote.ask("GET", &target, &[]);
    assert_eq!(after.status, 200, "{after:?}");
    assert_eq!(after.body, before.body);
}
