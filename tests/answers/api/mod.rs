//! Responses of the API to single requests, in this process and without sockets.

mod asking;
mod by_number;
mod changes;
mod cors;
pub mod csv;
mod encodings;
mod entries;
mod etags;
mod failures;
mod filters;
mod find;
mod kept_answers;
mod keys;
mod limits;
mod open;
mod pages;
mod parameters;
mod purchases;
mod receipts;
mod registries;
mod replacing;
mod risk;
mod statuses;
#[cfg(feature = "postgresql")]
mod unreachable;
mod won;

use procurement_lookup::api::Response;

use crate::golden::requests::places;
use crate::service::{Service, body, header};

const CONTRACTS: &str = "/contract/monitor-supplier44";
const RNP: &str = "/rnp/check-supplier";
const MANY: &str = "/rnp/check-suppliers";
const P44: &str = "/purchase/demo44";
const P223: &str = "/purchase/demo223";
const P615: &str = "/purchase/demo615";

/// Valid requests for contracts, an RNP check and a purchase.
const PAGE: &str = "/contract/monitor-supplier44?supplierINN=9600000002&apikey=KEY";
const CHECK: &str = "/rnp/check-supplier?supplierINN=9600000021&apikey=KEY";
const CARD: &str = "/purchase/demo223?purchaseNumber=39600000001&apikey=KEY";

const LINES: &str = r#"
{"type":"contract","supplier":{"inn":"9600000002","name":"ООО \"А\""},"contract":{"regNum":"1","signDate":"2025-01-01"}}
{"type":"contract","supplier":{"inn":"9600000002"},"contract":{"regNum":"2","signDate":"2025-01-02"}}
{"type":"contract","supplier":{"inn":"9600000002"},"contract":{"regNum":"3","signDate":"2025-01-03"}}
{"type":"contract","supplier":{"inn":"9600000003"},"contract":{"regNum":"3960000000225000001","signDate":"2025-01-01"}}
{"type":"rnpEntry","supplier":{"inn":"9600000021","name":"ООО \"Б\""},"entry":{"registrationNumber":"РНП.1","registrationDate":"2024-03-05","excludeDate":"2025-06-15"}}
{"type":"purchase44","purchase":{"purchaseNumber":"0960000000025000001"}}
{"type":"purchase223","purchase":{"purchaseNumber":"39600000001"}}
{"type":"purchase615","purchase":{"purchaseNumber":"096000000000000001"}}
"#;

const BAD_KEY: &str = r#"{"code":401,"error":"Некорректный API_KEY."}"#;
const BAD_INN: &str = r#"{"code":400,"error":"Некорректный ИНН поставщика."}"#;
const BAD_NUMBER: &str = r#"{"code":400,"error":"Некорректный номер закупки."}"#;
const BAD_FORMAT: &str =
    "<data><code>400</code><error>Некорректный параметр format.</error></data>";
const WRONG_METHOD: &str = r#"{"code":405,"error":"Method not allowed."}"#;
const UNKNOWN_PATH: &str = r#"{"code":404,"error":"Not found."}"#;

/// Returns a valid request to each endpoint, for the data of [`LINES`].
fn every_endpoint() -> Vec<String> {
    places()
        .map(|[_, path, query, _]| format!("{path}?{query}&apikey=KEY"))
        .collect()
}

fn service() -> Service {
    Service::over(LINES)
}

fn bad(parameter: &str) -> String {
    format!(r#"{{"code":400,"error":"Некорректный параметр {parameter}."}}"#)
}

/// Summarises a response: the status, followed by `xml`, `json` or `csv` for data, otherwise by the
/// body without the XML declaration.
fn outcome(response: &Response) -> String {
    let content = match (header(response, "Content-Type"), header(response, "ETag")) {
        (None, Some(_)) if response.body.is_empty() => "",
        (Some("application/xml; charset=utf-8"), Some(_)) => {
            assert!(body(response).starts_with("<?xml"), "{response:?}");
            "xml"
        }
        (Some("application/json; charset=utf-8"), Some(_)) => {
            assert!(body(response).starts_with('{'), "{response:?}");
            "json"
        }
        (Some("text/csv; charset=utf-8"), Some(_)) => {
            assert!(body(response).starts_with('\u{feff}'), "{response:?}");
            "csv"
        }
        (Some(_), None) => body(response)
            .strip_prefix(r#"<?xml version="1.0" encoding="UTF-8"?>"#)
            .unwrap_or(body(response)),
        _ => panic!("{response:?}"),
    };
    format!("{} {content}", response.status)
        .trim_end()
        .to_owned()
}

fn etag(service: &mut Service, target: &str) -> String {
    let response = service.get(target);
    assert_eq!(response.status, 200, "{target}");
    header(&response, "ETag").expect("an ETag").to_owned()
}

fn check(service: &mut Service, target: &str, expected: &str) {
    check_with(service, target, &[], expected);
}

fn check_with(service: &mut Service, target: &str, headers: &[(&str, &str)], expected: &str) {
    let response = service.ask("GET", target, headers);
    assert_eq!(outcome(&response), expected, "{target} {headers:?}");
}

/// Checks requests, one per line: the part of the target after `start`, ` -> `, and the outcome. An
/// error is written as `STATUS bad NAME`, where the name stands for the message about the key, an
/// INN, a number, the format or a parameter.
fn check_lines(service: &mut Service, start: &str, lines: &str) {
    for line in lines.trim().lines() {
        let (target, expected) = line.trim().split_once("-> ").expect(line);
        let target = [start, target.trim_end()].concat();
        let error = expected.split_once(" bad ");
        let expected = error.map_or(expected.to_owned(), |(status, name)| {
            let body = match name {
                "key" => BAD_KEY.to_owned(),
                "INN" => BAD_INN.to_owned(),
                "number" => BAD_NUMBER.to_owned(),
                // The format is unknown, so the error is XML.
                "format" => BAD_FORMAT.to_owned(),
                name => bad(name),
            };
            format!("{status} {body}")
        });
        check(service, &target, &expected);
    }
}
