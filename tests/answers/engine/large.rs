//! Large responses over sockets: they never occupy all workers, each key may have only a few of
//! them at a time, and nothing is generated for a client that does not read.

use std::net::{Ipv4Addr, Shutdown};
use std::sync::atomic::{AtomicBool, Ordering};

use procurement_lookup::api::bounds::{CONTRACTS_OUT_OF_TURN, MAX_PLACES_OF_KEY};
use procurement_lookup::api::{LargeBody, Place, Rate, Rates, Request, Turn};
use procurement_lookup::http::{Address, Running};

use super::api::{Stream, connect, exchange, serve};
use super::*;
use crate::api::csv;
use crate::service::{Service, header};
use crate::workbook;

const CSV: &str = "/contract/monitor-supplier44?supplierINN=9600000002&format=csv&apikey=KEY";

/// Returns the body of a response, whether it is large or not.
fn bytes(response: Response) -> Vec<u8> {
    match response.large {
        Some(LargeBody::File(file)) => {
            let mut bytes = Vec::new();
            let mut reader = file.reader().expect("a file");
            reader.read_to_end(&mut bytes).expect("all of it");
            bytes
        }
        Some(LargeBody::Unwritten | LargeBody::Abandoned) => panic!("not written"),
        None => response.body,
    }
}

/// Lines for 2,050 contracts of one supplier. The delivery term of each, which no search covers, has
/// `times` repetitions of two words.
fn long_table(times: usize) -> String {
    let line = |number: u32| {
        format!(
            r#"{{"type":"contract","supplier":{{"inn":"9600000002"}},"contract":{{"regNum":"{number}","deliveryTerm":"{}"}}}}"#,
            "Поставка лекарств ".repeat(times)
        )
    };
    let lines: Vec<String> = (0..2_050).map(line).collect();
    lines.join("\n")
}

#[test]
fn large_files_are_sent_completely_by_each_engine() {
    let mut service = Service::over(&long_table(20));
    let tcp = Address::Tcp((Ipv4Addr::LOCALHOST, 0).into());
    let serve = |engine: &Engine| serve(&service.api, *engine, &tcp);
    let servers: Vec<_> = Engine::ALL.iter().map(serve).collect();
    for encoding in ["identity", "gzip", "zstd"] {
        let expected = service.ask("GET", CSV, &[("Accept-Encoding", encoding)]);
        let expected_body = bytes(expected);
        let length = format!("\r\nContent-Length: {}\r\n", expected_body.len());
        let target = service.with_keys(CSV);
        let headers = format!("Accept-Encoding: {encoding}\r\n");
        for (address, _) in &servers {
            let (head, body) = exchange(address, "GET", &target, &headers);
            assert!(head.contains(&length), "{head}");
            assert!(body == expected_body, "{encoding} {head}");
            let (head, body) = exchange(address, "HEAD", &target, &headers);
            assert!(
                !head.contains("Content-Length") && body.is_empty(),
                "{head}"
            );
        }
    }
    for (_, running) in servers {
        assert!(running.stop(PATIENCE), "it ends");
    }
}

fn serve_tcp(service: &Service, engine: Engine) -> (Address, Running) {
    let tcp = Address::Tcp((Ipv4Addr::LOCALHOST, 0).into());
    serve(&service.api, engine, &tcp)
}

/// Sends a GET without waiting for the response.
fn begin(address: &Address, service: &Service, target: &str) -> Box<dyn Stream> {
    let mut stream = connect(address);
    let target = service.with_keys(target);
    let head = format!("GET {target} HTTP/1.1\r\nHost: h\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("written");
    stream
}

fn status(stream: &mut Box<dyn Stream>) -> String {
    let mut start = [0; 12];
    let read = stream.read_exact(&mut start);
    read.expect("the start of an answer");
    String::from_utf8_lossy(&start).into_owned()
}

/// Waits until `count` large responses have a place, whether queued or in progress.
#[track_caller]
fn until_places(service: &Service, count: usize) {
    let start = Instant::now();
    while service.api.places().0 != count {
        assert!(start.elapsed() < PATIENCE, "{:?}", service.api.places());
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn large_answers_leave_a_worker_to_the_others() {
    let service = Service::over(&long_table(20));
    for engine in Engine::ALL {
        let (address, running) = serve_tcp(&service, *engine);
        let book = CSV.replace("csv", "xlsx");
        let of_key = |key| begin(&address, &service, &book.replace("=KEY", key));
        let mut books = ["=KEY", "=KEY", "=OTHERKEY"].map(of_key);
        until_places(&service, 3);
        // One response is in progress. Two are queued, without occupying a worker.
        let target =
            service.with_keys("/rnp/check-supplier?supplierINN=9600000002&apikey=OTHERKEY");
        let (head, _) = exchange(&address, "GET", &target, "");
        assert!(head.contains("X-RNP-Verdict"), "{head}");
        assert_eq!(service.api.places().0, 3, "none of them is done");
        for book in &mut books {
            assert_eq!(status(book), "HTTP/1.1 200");
        }
        drop(books);
        assert!(running.stop(PATIENCE), "it ends");
    }
}

#[test]
fn a_key_has_a_bounded_number_of_unread_large_answers() {
    // The response is larger than the socket buffers.
    let service = Service::over(&long_table(80));
    let (address, running) = serve_tcp(&service, Engine::default());
    let start = || {
        let mut stream = begin(&address, &service, CSV);
        assert_eq!(status(&mut stream), "HTTP/1.1 200");
        stream
    };
    let mut held: Vec<_> = (0..MAX_PLACES_OF_KEY).map(|_| start()).collect();
    let (head, body) = exchange(&address, "GET", &service.with_keys(CSV), "");
    assert!(head.starts_with("HTTP/1.1 429 "), "{head}");
    assert!(head.contains("\r\nRetry-After: 5\r\n"), "{head}");
    assert!(
        head.contains("\r\nX-Error-Detail: this key has 4 large answers"),
        "{head}"
    );
    let body = String::from_utf8(body).expect("UTF-8");
    assert!(body.contains("Слишком много больших ответов по этому ключу."));
    let (places, refused) = service.api.places();
    assert_eq!((places, refused.of_key, refused.of_all), (4, 1, 0));
    // Short responses still get through, and so do large ones of other keys.
    for other in [
        CSV.replace("csv", "csv&limit=5"),
        CSV.replace("apikey=KEY", "apikey=OTHERKEY"),
    ] {
        let (head, _) = exchange(&address, "GET", &service.with_keys(&other), "");
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    }
    // A client that disconnects frees its place.
    held.pop();
    until_places(&service, MAX_PLACES_OF_KEY - 1);
    held.push(start());
    drop(held);
    assert!(running.stop(PATIENCE), "it ends");
}

#[test]
fn head_and_304_write_no_large_answer() {
    // Results are recorded only for the audit trail.
    let mut service = Service::over_with(&long_table(80), |api| api.is_audited = true);
    let (address, running) = serve_tcp(&service, Engine::default());
    let target = service.with_keys(CSV);
    let held: Vec<_> = (0..MAX_PLACES_OF_KEY)
        .map(|_| {
            let mut stream = begin(&address, &service, CSV);
            assert_eq!(status(&mut stream), "HTTP/1.1 200");
            stream
        })
        .collect();
    // All places are taken, but HEAD requests and 304 responses need none.
    let (head, body) = exchange(&address, "HEAD", &target, "Accept-Encoding: gzip\r\n");
    assert!(
        head.starts_with("HTTP/1.1 200 ") && body.is_empty(),
        "{head}"
    );
    assert!(head.contains("\r\nContent-Encoding: gzip\r\n"), "{head}");
    assert!(head.contains("\r\nX-Row-Count: 2050\r\n"), "{head}");
    assert!(!head.contains("Content-Length"), "{head}");
    let (_, etag) = head.split_once("\r\nETag: ").expect("a tag");
    let (etag, _) = etag.split_once("\r\n").expect("its end");
    for known in [etag, "*"] {
        let headers = format!("Accept-Encoding: gzip\r\nIf-None-Match: {known}\r\n");
        let (head, _) = exchange(&address, "GET", &target, &headers);
        assert!(head.starts_with("HTTP/1.1 304 "), "{head}");
        assert!(head.contains(etag), "{head}");
    }
    drop(held);
    until_places(&service, 0);
    let whole = service.ask("GET", CSV, &[("Accept-Encoding", "gzip")]);
    assert_eq!(header(&whole, "ETag"), Some(etag));
    assert!(running.stop(PATIENCE), "it ends");
}

#[test]
fn a_client_that_disconnects_ends_its_large_answer() {
    let service = Service::over(&long_table(20));
    let (address, running) = serve_tcp(&service, Engine::default());
    let Address::Tcp(address) = address else {
        panic!("not TCP");
    };
    let mut client = Client::of(TcpStream::connect(address).expect("a connection"));
    client.send(get(&service.with_keys(&CSV.replace("csv", "xlsx"))));
    client.stream().shutdown(Shutdown::Write).expect("it ends");
    assert_eq!(client.rest(), "");
    until_places(&service, 0);
    assert!(running.stop(PATIENCE), "it ends");
}

/// Returns the place in the queue of a request whose large response has to wait.
fn waiting(service: &Service, request: &Request<'_>) -> Place {
    let mut answerer = service.api.answerer().expect("the data");
    let turn = Turn::new(None, &|| false);
    let answered = answerer.answer_in_turn(Vec::new(), request, turn);
    answered.expect_err("it waits")
}

#[test]
fn a_waiting_request_is_counted_once() {
    let service = Service::over(&long_table(1));
    let rate = Rate {
        per_second: 1,
        burst: 2,
    };
    service.api.set_limits(Rates {
        key: rate,
        ..Rates::OFF
    });
    let target = service.with_keys(CSV);
    let request = Request {
        method: "GET",
        target: &target,
        ..Request::default()
    };
    let mut answerer = service.api.answerer().expect("the data");
    for (left, is_gone) in [("1", false), ("0", true)] {
        let place = waiting(&service, &request);
        let is_gone = || is_gone;
        let turn = Turn::new(Some(place), &is_gone);
        let answered = answerer.answer_in_turn(Vec::new(), &request, turn);
        let response = answered.expect("its turn has come");
        assert_eq!(header(&response, "RateLimit-Remaining"), Some(left));
        assert_eq!(response.length().is_none(), is_gone());
    }
    assert_eq!(service.api.places().0, 0);
    let refused = answerer.answer(&request);
    assert_eq!(refused.status, 429);
}

#[test]
fn answers_over_many_contracts_take_turns_without_disk() {
    let count = CONTRACTS_OUT_OF_TURN + 1;
    let line = |number: u64| {
        let customer = 9_600_000_003 + number % 2;
        format!(
            r#"{{"type":"contract","supplier":{{"inn":"{}"}},"contract":{{"regNum":"{number}","purchaseObjectInfo":"Бумага","customerInn":"{customer}"}}}}"#,
            if number < 10 {
                "9600000005"
            } else {
                "9600000002"
            }
        )
    };
    let lines: Vec<String> = (0..count + 10).map(line).collect();
    let service = Service::over(&lines.join("\n"));
    let mut answerer = service.api.answerer().expect("the data");
    let is_gone = AtomicBool::new(false);
    let mut ask = |method, target: &str, place| {
        let target = service.with_keys(target);
        let request = Request {
            method,
            target: &target,
            ..Request::default()
        };
        let has_gone = || is_gone.load(Ordering::SeqCst);
        answerer.answer_in_turn(Vec::new(), &request, Turn::new(place, &has_gone))
    };
    let large = [
        "/contract/summary-supplier44?supplierINN=9600000002&apikey=KEY",
        "/contract/monitor-supplier44?supplierINN=9600000002&sort=contractPrice&limit=1&apikey=KEY",
        "/contract/monitor-supplier44?supplierINN=9600000002&customerInn=9600000003&limit=1&apikey=KEY",
        "/contract/search?supplierINN=9600000002&sort=contractPrice&limit=1&apikey=KEY",
        "/contract/summary?region=96&apikey=KEY",
        "/contract/prices?q=%D0%B1%D1%83%D0%BC%D0%B0%D0%B3%D0%B0&apikey=KEY",
    ];
    let methods = ["HEAD", "GET", "HEAD", "GET", "GET"];
    let waits = |method| {
        large.map(|target| {
            let place = ask(method, target, None).expect_err("it waits");
            (method, target, place)
        })
    };
    let mut waiting: Vec<_> = methods.into_iter().flat_map(waits).collect();
    assert_eq!(service.api.places().0, 30);
    for short in [
        "/contract/monitor-supplier44?supplierINN=9600000002&limit=1&apikey=KEY",
        "/contract/summary-supplier44?supplierINN=9600000005&apikey=KEY",
        "/contract/monitor-customer44?customerInn=9600000004&limit=1&apikey=KEY",
        "/contract/search?region=96&limit=1&apikey=KEY",
    ] {
        let response = ask("GET", short, None).expect("short");
        assert_eq!(response.status, 200, "{short}");
    }
    // Nothing is generated for a client that disconnected while it was waiting.
    is_gone.store(true, Ordering::SeqCst);
    for (method, target, place) in waiting.drain(..2 * large.len()) {
        let response = ask(method, target, Some(place)).expect("its turn has come");
        assert_eq!(response.large, Some(LargeBody::Abandoned), "{target}");
        assert!(response.is_cut(method), "{method} {target}");
    }
    is_gone.store(false, Ordering::SeqCst);
    for (method, target, place) in waiting {
        let response = ask(method, target, Some(place)).expect("its turn has come");
        assert_eq!(response.status, 200, "{target}");
        assert!(header(&response, "ETag").is_some() && !response.is_cut(method));
    }
    assert_eq!(service.api.places().0, 0);
}

#[test]
fn the_card_of_a_large_purchase_is_written_to_disk() {
    let lots: Vec<_> = (1..=900)
        .map(|number| format!(r#"{{"lotNumber":{number},"lotObjectInfo":"Лот"}}"#))
        .collect();
    let service = Service::over(&format!(
        r#"{{"type":"purchase44","purchase":{{"purchaseNumber":"0960000000025000001","lots":{{"lot":[{}]}}}}}}"#,
        lots.join(",")
    ));
    let target = "/purchase/demo44?purchaseNumber=0960000000025000001&apikey=KEY&format=";
    let ask = |method, format: &str| {
        let target = service.with_keys(&[target, format].concat());
        let request = Request {
            method,
            target: &target,
            ..Request::default()
        };
        service.api.answerer().expect("the data").answer(&request)
    };
    let get = |format: &str| {
        let response = ask("GET", format);
        assert!(matches!(response.large, Some(LargeBody::File(_))));
        bytes(response)
    };
    let in_csv = csv::rows(&String::from_utf8(get("csv")).expect("UTF-8"));
    let in_book = workbook::rows(&get("xlsx"));
    assert!(in_csv.len() > 2_000);
    // The first row of the workbook is its title.
    assert_eq!(in_book.len(), in_csv.len() + 1);
    assert_eq!(ask("HEAD", "csv").large, Some(LargeBody::Unwritten));
}
