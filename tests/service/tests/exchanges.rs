//! Exchanges with the service over its own sockets, as a client would have them.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use eis_service::{AnswerFault, ArchiveFault, Config, Contents, DeliveryFault, Service, Times};

const CELL: &str = "2026-11-20/77/RGK/contract";
const ID: &str = "00000000-0000-4000-8000-000000000abc";

fn service() -> Service {
    Service::start(Config::default()).expect("a service")
}

/// A request for [`CELL`].
fn envelope() -> String {
    format!(
        r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:ws="http://zakupki.gov.ru/fz44/get-docs-ip/ws"><e:Header><individualPerson_token>secret</individualPerson_token></e:Header><e:Body><ws:getDocsByOrgRegionRequest><index><id>{ID}</id><createDateTime>2026-11-22T03:00:00</createDateTime><mode>PROD</mode></index><selectionParams><orgRegion>77</orgRegion><subsystemType>RGK</subsystemType><documentType44>contract</documentType44><periodInfo><exactDate>2026-11-20+03:00</exactDate></periodInfo></selectionParams></ws:getDocsByOrgRegionRequest></e:Body></e:Envelope>"#
    )
}

fn post(body: &str) -> String {
    format!(
        "POST /eis-integration/services/getDocsIP HTTP/1.1\r\nHost: service.example\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"http://zakupki.gov.ru/fz44/queue/ws/get-docs-ip\"\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn get(target: &str) -> String {
    format!(
        "GET {target} HTTP/1.1\r\nHost: service.example\r\nindividualPerson_token: secret\r\nConnection: close\r\n\r\n"
    )
}

/// All bytes that come for a request, and whether the connection was closed in order.
fn exchange(service: &Service, request: &str) -> (Vec<u8>, bool) {
    let mut stream = TcpStream::connect(service.address()).expect("a connection");
    let patience = Some(Duration::from_secs(10));
    stream.set_read_timeout(patience).expect("a time limit");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut bytes = Vec::new();
    let is_closed = stream.read_to_end(&mut bytes).is_ok();
    (bytes, is_closed)
}

fn answer(service: &Service) -> String {
    let (bytes, _) = exchange(service, &post(&envelope()));
    String::from_utf8(bytes).expect("UTF-8")
}

/// The targets of the links in an answer.
fn links(answer: &str) -> Vec<String> {
    let texts = answer.split("<archiveUrl>").skip(1);
    let link = |text: &str| {
        let (link, _) = text.split_once("</archiveUrl>").expect("its end");
        let link = link.trim_start_matches("<![CDATA[").trim_end_matches("]]>");
        let link = link.replace("&amp;", "&");
        link.strip_prefix("http://service.example")
            .expect("its host")
            .to_owned()
    };
    texts.map(link).collect()
}

fn body(bytes: &[u8]) -> &[u8] {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    &bytes[end.expect("a head") + 4..]
}

#[test]
fn a_cell_is_answered_by_links_that_lead_to_zips() {
    let service = service();
    service.set_contents(Contents::notes(2));
    let answer = answer(&service);
    assert!(answer.contains(&format!("<refId>{ID}</refId>")), "{answer}");
    let links = links(&answer);
    assert_eq!(links.len(), 2);
    let (first, _) = exchange(&service, &get(&links[0]));
    let (second, _) = exchange(&service, &get(&links[1]));
    assert!(body(&first).starts_with(b"PK"));
    assert_ne!(body(&first), body(&second));
    let (again, _) = exchange(&service, &get(&links[0]));
    assert_eq!(first, again);
    assert_eq!(service.count(CELL), 1);
    assert_eq!(service.count("*#0"), 2);
    assert_eq!(service.most_at_once(), 1);
}

#[test]
fn nothing_is_no_data_and_a_link_needs_the_token() {
    let service = service();
    let link = &links(&answer(&service))[0];
    let without = get(link).replace("individualPerson_token: secret\r\n", "");
    let (refused, _) = exchange(&service, &without);
    assert!(refused.starts_with(b"HTTP/1.1 403"));
    service.set_contents(Contents::none());
    assert!(answer(&service).contains("<dataInfo><noData>true</noData></dataInfo>"));
    service.set_token(Some("another".to_owned()));
    assert!(answer(&service).contains("<code>5</code>"));
}

#[test]
fn the_interface_needs_no_token() {
    let (bytes, _) = exchange(&service(), &get("/eis-integration/services/getDocsIP?wsdl"));
    let text = String::from_utf8(bytes).expect("UTF-8");
    assert!(text.contains("targetNamespace=\"http://zakupki.gov.ru/fz44/get-docs-ip/ws\""));
}

#[test]
fn more_than_the_rate_is_error_13() {
    let config = Config {
        rate_limit: Some((2, Duration::from_millis(300))),
        ..Config::default()
    };
    let service = Service::start(config).expect("a service");
    let is_over = || answer(&service).contains("<code>13</code>");
    assert_eq!([is_over(), is_over(), is_over()], [false, false, true]);
    std::thread::sleep(Duration::from_millis(350));
    assert!(!is_over());
}

#[test]
fn answers_have_the_fault_that_was_asked_for_and_then_none() {
    let error = AnswerFault::ErrorInfo(24, "token {token}".to_owned());
    for (fault, shows) in [
        (AnswerFault::Echo, "getDocsByOrgRegionRequest"),
        (AnswerFault::SoapFault(500), "soap:Fault"),
        (AnswerFault::Html, "<!DOCTYPE html>"),
        (AnswerFault::ForeignRefId, "<refId>ffffffff"),
        (error, "<message>token secret</message>"),
        (AnswerFault::Malformed, "</data>"),
        (AnswerFault::Doctype, "<!ENTITY"),
        (AnswerFault::Deep(1000), "<a><a>"),
        (AnswerFault::Huge(100_000), "          "),
        (AnswerFault::PlainLinks, "http://"),
        (AnswerFault::LinksWithUserinfo, "name:password@"),
        (
            AnswerFault::LinksTo("https://else.example".to_owned()),
            "https://else.example/dstore",
        ),
    ] {
        let service = service();
        let named = format!("{fault:?}");
        service.answer_fault("*/77/*/*", fault, Times::First(1));
        let wrong = answer(&service);
        assert!(wrong.contains(shows), "{named}: {wrong}");
        let right = answer(&service);
        assert_eq!(links(&right).len(), 1, "{named}: {right}");
    }
}

#[test]
fn archives_have_the_fault_that_was_asked_for_and_then_none() {
    for fault in [
        ArchiveFault::Html,
        ArchiveFault::Blocked,
        ArchiveFault::Truncated,
        ArchiveFault::WrongCrc,
        ArchiveFault::Gzip,
        ArchiveFault::GzipTwice,
        ArchiveFault::GzipCut,
        ArchiveFault::GzipBomb(1 << 20),
        ArchiveFault::EmptyZip,
        ArchiveFault::Empty,
    ] {
        let service = service();
        let named = format!("{fault:?}");
        service.archive_fault("*#0", fault, Times::First(1));
        let link = &links(&answer(&service))[0];
        let (wrong, _) = exchange(&service, &get(link));
        let (right, _) = exchange(&service, &get(link));
        assert_ne!(body(&wrong), body(&right), "{named}");
        assert!(body(&right).starts_with(b"PK\x03\x04"), "{named}");
    }
}

#[test]
fn a_delivery_has_the_fault_that_was_asked_for_and_then_none() {
    use DeliveryFault as F;
    let right = {
        let service = service();
        exchange(&service, &post(&envelope())).0
    };
    for (fault, closes) in [
        (F::Status(425), true),
        (F::RedirectWithin, true),
        (F::RedirectLoop, true),
        (F::RedirectTo("https://else.example/".to_owned()), true),
        (F::ResetBeforeHead, false),
        (F::ResetInHead, false),
        (F::ResetInBody, false),
        (F::LongContentLength, true),
        (F::Chunked, true),
        (F::ChunkedCut, true),
        (F::NoContentLength, true),
    ] {
        let service = service();
        let named = format!("{fault:?}");
        service.delivery_fault("*", fault, Times::First(1));
        let (wrong, is_closed) = exchange(&service, &post(&envelope()));
        assert_eq!(is_closed, closes, "{named}");
        assert!(wrong.len() != right.len(), "{named}");
        let (again, _) = exchange(&service, &post(&envelope()));
        assert_eq!(again.len(), right.len(), "{named}");
    }
}

#[test]
fn a_stalled_delivery_ends_with_the_service() {
    let service = service();
    service.delivery_fault("*", DeliveryFault::Stall, Times::Always);
    let mut stream = TcpStream::connect(service.address()).expect("a connection");
    stream
        .write_all(post(&envelope()).as_bytes())
        .expect("sent");
    let some_time = Some(Duration::from_millis(100));
    stream.set_read_timeout(some_time).expect("a time limit");
    assert!(stream.read(&mut [0]).is_err());
    drop(service);
    let patience = Some(Duration::from_secs(10));
    stream.set_read_timeout(patience).expect("a time limit");
    assert_eq!(stream.read(&mut [0]).unwrap_or_default(), 0);
}

#[test]
fn a_connection_takes_several_requests() {
    let service = service();
    let mut stream = TcpStream::connect(service.address()).expect("a connection");
    let kept = post(&envelope()).replace("Connection: close\r\n", "");
    for _ in 0..2 {
        stream.write_all(kept.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        while !answer.ends_with(b"Envelope>") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("an answer");
            answer.push(byte[0]);
        }
    }
    let requests = service.requests();
    let connections: Vec<u64> = requests.iter().map(|request| request.connection).collect();
    assert_eq!(connections, [1, 1]);
    assert_eq!(requests[0].token.as_deref(), Some("secret"));
}
