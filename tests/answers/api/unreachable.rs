//! What is answered where the data is on servers of which none can be reached.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::SystemTime;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use procurement_lookup::api::{Answerer, Api, DataSource, Request, Response};
use procurement_lookup::store::{KeyRing, KeyStore, ServerAddress};
use tempfile::TempDir;

use super::{GOOD, has_statuses};
use crate::service::{TODAY, body, calendar, header};

/// An API over a server at whose address nobody listens.
struct Unreachable {
    api: Arc<Api>,
    answerer: Answerer,
    key: String,
    _folder: TempDir,
}

impl Unreachable {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let keys = KeyStore::File(folder.path().join("keys.sqlite"));
        let key = keys.issue("first", SystemTime::UNIX_EPOCH).expect("a key");
        let keys = KeyRing::new(&keys).expect("the keys");
        let api = Api::new(DataSource::Server(address()), keys, calendar(TODAY));
        let api = Arc::new(api.caching(1 << 20).audited());
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
            client: None,
        })
    }
}

fn address() -> ServerAddress {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("its address").port();
    drop(listener);
    let address = format!("postgresql://nobody@127.0.0.1:{port}/nothing");
    ServerAddress::parse(&address, &|_| None).expect("an address")
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
    // It is logged once, not with each request.
    assert_eq!(response.note.failure, None, "{about}");
    assert_eq!(response.note.error.as_deref(), Some("503"), "{about}");
    let shown = String::from_utf8_lossy(&response.body);
    for secret in ["127.0.0.1", "postgres", "nobody", "SELECT"] {
        assert!(!shown.contains(secret), "{about}: {shown}");
    }
}

#[test]
fn each_endpoint_answers_503_in_every_format() {
    let mut service = Unreachable::new();
    let receipt = "/receipt/verify?apikey=KEY&receipt=1";
    assert_eq!(service.ask("GET", receipt, &[]).status, 400);
    for target in GOOD {
        for method in ["GET", "HEAD"] {
            for tag in ["", "*"] {
                let headers = [("If-None-Match", tag)];
                let response = service.ask(method, target, &headers);
                check_unavailable(&response, target);
                let expected = "<code>503</code><error>Сервис временно недоступен.</error></";
                assert!(body(&response).contains(expected), "{response:?}");
                let lookup = response.note.lookup.expect("what was looked up");
                assert_eq!(lookup.finding, None, "{target}");
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
fn what_is_wrong_with_a_request_is_said_before_the_data_is_asked() {
    let mut service = Unreachable::new();
    for target in GOOD {
        let without_key = target.replace("KEY", "");
        let status = service.ask("GET", &without_key, &[]).status;
        assert_eq!(status == 401, has_statuses(target), "{target}");
    }
    let bad = "/rnp/check-supplier?supplierINN=1&apikey=KEY";
    assert_eq!(service.ask("GET", bad, &[]).status, 400);
    assert_eq!(service.ask("GET", "/nowhere", &[]).status, 404);
}

#[test]
fn the_page_says_so_in_the_readers_language_and_its_files_are_there() {
    let mut service = Unreachable::new();
    let credentials = format!("Basic {}", STANDARD.encode(format!("any:{}", service.key)));
    for target in ["/", "/lookup", "/lookup?q=9600000002"] {
        for (language, words) in [
            ("en", "The server cannot reach its data"),
            ("ru", "Сервер временно не может получить данные"),
        ] {
            let headers = [
                ("Accept-Language", language),
                ("Authorization", credentials.as_str()),
            ];
            let response = service.ask("GET", target, &headers);
            check_unavailable(&response, target);
            assert_eq!(
                header(&response, "Content-Type"),
                Some("text/html; charset=utf-8")
            );
            assert!(body(&response).contains(words), "{}", body(&response));
        }
    }
    check_unavailable(&service.ask("GET", "/about.json", &[]), "/about.json");
    for target in ["/docs/", "/openapi.json"] {
        assert!(service.ask("GET", target, &[]).status < 400, "{target}");
    }
}

#[test]
fn operators_learn_that_no_server_can_be_reached() {
    let service = Unreachable::new();
    for error in [
        service.api.data_state().expect_err("nobody is there"),
        service.api.probe_data().expect_err("nobody is there"),
        service.api.data_state().expect_err("nobody is there"),
    ] {
        assert!(error.is_unreachable(), "{error}");
    }
}
