//! What the API answers, request by request, in this process and without sockets.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use procurement_lookup::api::{Api, DataSource, Reply, Request};
use procurement_lookup::model::Date;
use procurement_lookup::store::KeyRing;

use common::{Service, TODAY, body, calendar, header};

const CONTRACTS: &str = "/contract/monitor-supplier44";
const RNP: &str = "/rnp/check-supplier";
const P44: &str = "/purchase/demo44";
const P223: &str = "/purchase/demo223";
const P615: &str = "/purchase/demo615";

/// A request to each endpoint that is answered with data.
const GOOD: [&str; 6] = [
    "/contract/monitor-supplier44?supplierINN=9600000002&apikey=KEY",
    "/rnp/check-supplier?supplierINN=9600000021&apikey=KEY",
    "/purchase/demo44?purchaseNumber=0960000000025000001&apikey=KEY",
    "/purchase/demo223?purchaseNumber=39600000001&apikey=KEY",
    "/purchase/demo223?purchaseNumber=096000000000000001&apikey=KEY",
    "/purchase/demo615?purchaseNumber=096000000000000001&apikey=KEY",
];

const LINES: &str = r#"
{"type":"contract","supplier":{"inn":"9600000002","name":"ООО \"А\""},"contract":{"regNum":"1","signDate":"2025-01-01"}}
{"type":"contract","supplier":{"inn":"9600000002"},"contract":{"regNum":"2","signDate":"2025-01-02"}}
{"type":"contract","supplier":{"inn":"9600000002"},"contract":{"regNum":"3","signDate":"2025-01-03"}}
{"type":"rnpEntry","supplier":{"inn":"9600000021","name":"ООО \"Б\""},"entry":{"registrationNumber":"РНП.1","registrationDate":"2024-03-05","excludeDate":"2025-06-15"}}
{"type":"purchase44","purchase":{"purchaseNumber":"0960000000025000001"}}
{"type":"purchase223","purchase":{"purchaseNumber":"39600000001"}}
{"type":"purchase615","purchase":{"purchaseNumber":"096000000000000001"}}
"#;

const BAD_KEY: &str = r#"{"code":401,"error":"Некорректный API_KEY."}"#;
const BAD_INN: &str = r#"{"code":400,"error":"Некорректный ИНН поставщика."}"#;
const BAD_NUMBER: &str = r#"{"code":400,"error":"Некорректный номер закупки."}"#;
const WRONG_METHOD: &str = r#"{"code":405,"error":"Method not allowed."}"#;
const UNKNOWN_PATH: &str = r#"{"code":404,"error":"Not found."}"#;

fn service() -> Service {
    Service::over(LINES)
}

/// The body of an error about a parameter.
fn bad(parameter: &str) -> String {
    format!(r#"{{"code":400,"error":"Некорректный параметр {parameter}."}}"#)
}

/// A reply in few words: the status, then `xml` or `json` for data, else the body
/// without the XML declaration.
fn outcome(reply: &Reply) -> String {
    let content = match (header(reply, "Content-Type"), header(reply, "ETag")) {
        (None, Some(_)) if reply.body.is_empty() => "",
        (Some("application/xml; charset=utf-8"), Some(_)) => {
            assert!(body(reply).starts_with("<?xml"), "{reply:?}");
            "xml"
        }
        (Some("application/json; charset=utf-8"), Some(_)) => {
            assert!(body(reply).starts_with('{'), "{reply:?}");
            "json"
        }
        (Some(_), None) => body(reply)
            .strip_prefix(r#"<?xml version="1.0" encoding="UTF-8"?>"#)
            .unwrap_or(body(reply)),
        _ => panic!("{reply:?}"),
    };
    format!("{} {content}", reply.status).trim_end().to_owned()
}

fn check(service: &mut Service, target: &str, expected: &str) {
    check_with(service, target, &[], expected);
}

fn check_with(service: &mut Service, target: &str, headers: &[(&str, &str)], expected: &str) {
    let reply = service.ask("GET", target, headers);
    assert_eq!(outcome(&reply), expected, "{target} {headers:?}");
}

#[test]
fn each_endpoint_answers_with_data_in_xml_unless_json_is_asked_for() {
    let mut service = service();
    for target in GOOD {
        check(&mut service, target, "200 xml");
        check(&mut service, &format!("{target}&format=json"), "200 json");
    }
}

#[test]
fn checks_run_in_their_order() {
    let mut service = service();
    let mut check = |method: &str, target: &str, expected: &str| {
        let reply = service.ask(method, target, &[]);
        assert_eq!(outcome(&reply), expected, "{method} {target}");
    };
    // Everything is wrong with the first request; each next one mends what the
    // one before was refused for. An unknown format is answered in XML.
    let wrong = "supplierINN=1&skip=-1&limit=500&format=yaml";
    let (path, data) = (CONTRACTS, |code, text| {
        format!("<data><code>{code}</code><error>{text}</error></data>")
    });
    check(
        "POST",
        &format!("/contract?{wrong}"),
        &format!("404 {}", data(404, "Not found.")),
    );
    check(
        "POST",
        &format!("{path}?{wrong}"),
        &format!("405 {}", data(405, "Method not allowed.")),
    );
    check(
        "GET",
        &format!("{path}?{wrong}"),
        &format!("200 {}", data(401, "Некорректный API_KEY.")),
    );
    check(
        "GET",
        &format!("{path}?apikey=KEY&{wrong}"),
        &format!("200 {}", data(400, "Некорректный параметр format.")),
    );
    let path = format!("{path}?apikey=KEY&format=json");
    check(
        "GET",
        &format!("{path}&limit=500&skip=-1&supplierINN=1"),
        &format!("200 {BAD_INN}"),
    );
    check(
        "GET",
        &format!("{path}&limit=500&skip=-1&supplierINN=9600000002"),
        &format!("200 {}", bad("skip")),
    );
    check(
        "GET",
        &format!("{path}&limit=500&skip=1&supplierINN=9600000002"),
        "200 {\"code\":400,\"error\":\"Превышен лимит контрактов 500. Разрешено 200 макс.\"}",
    );
    check(
        "GET",
        &format!("{path}&limit=200&skip=1&supplierINN=9600000002"),
        "200 json",
    );
}

#[test]
fn checks_of_the_other_endpoints_run_in_the_same_order() {
    let mut service = service();
    for (path, parameter, status, expected) in [
        (RNP, "supplierINN", [401, 400, 405], BAD_INN),
        (P44, "purchaseNumber", [200, 200, 405], BAD_NUMBER),
        (P223, "purchaseNumber", [200, 200, 405], BAD_NUMBER),
        (P615, "purchaseNumber", [200, 200, 405], BAD_NUMBER),
    ] {
        let [bad_key, bad_request, bad_method] = status;
        let target = format!("{path}?{parameter}=1&format=json");
        let reply = service.ask("PUT", &target, &[]);
        assert_eq!(outcome(&reply), format!("{bad_method} {WRONG_METHOD}"));
        check(&mut service, &target, &format!("{bad_key} {BAD_KEY}"));
        let with_key = format!("{target}&apikey=KEY");
        check(
            &mut service,
            &with_key,
            &format!("{bad_request} {expected}"),
        );
        let reply = service.get(&format!("{path}?{parameter}=1&format=yaml&apikey=KEY"));
        assert!(body(&reply).contains("Некорректный параметр format."));
        assert_eq!(reply.status, bad_request);
    }
}

#[test]
fn parameters_have_aliases_and_case_counts() {
    let mut service = service();
    let mut check = |target: &str, expected: &str| check(&mut service, target, expected);
    for path in [CONTRACTS, RNP] {
        let inn = if path == RNP {
            "9600000021"
        } else {
            "9600000002"
        };
        let bad_request = if path == RNP { 400 } else { 200 };
        for (name, key) in [
            ("supplierINN", "apikey"),
            ("supplierInn", "apikey"),
            ("supplierINN", "api_key"),
            ("supplierInn", "api_key"),
        ] {
            check(&format!("{path}?{name}={inn}&{key}=KEY"), "200 xml");
        }
        for name in ["supplierinn", "SupplierINN", "inn"] {
            check(
                &format!("{path}?{name}={inn}&apikey=KEY&format=json"),
                &format!("{bad_request} {BAD_INN}"),
            );
        }
    }
    for name in ["apiKey", "api-key", "APIKEY", "key"] {
        check(
            &format!("{CONTRACTS}?supplierINN=9600000002&{name}=KEY&format=json"),
            &format!("200 {BAD_KEY}"),
        );
    }
    check(
        &format!("{P44}?purchasenumber=0960000000025000001&apikey=KEY&format=json"),
        &format!("200 {BAD_NUMBER}"),
    );
    // FORMAT is an unknown parameter: the answer is XML.
    check(&format!("{}&FORMAT=json", GOOD[0]), "200 xml");
}

#[test]
fn a_key_may_come_in_a_header() {
    let mut service = service();
    let target = "/rnp/check-supplier?supplierINN=9600000021&format=json";
    let mut check = |query: &str, headers: &[(&str, &str)], expected: &str| {
        check_with(&mut service, &format!("{target}{query}"), headers, expected);
    };
    let refused = format!("401 {BAD_KEY}");
    let good: [&[(&str, &str)]; 8] = [
        &[("X-API-Key", "KEY")],
        &[("x-api-key", "KEY")],
        &[("X-API-Key", "OTHERKEY")],
        &[("Authorization", "Bearer KEY")],
        &[("authorization", "bearer KEY")],
        &[("X-API-Key", "KEY"), ("Authorization", "Bearer KEY")],
        &[("X-API-Key", "KEY"), ("X-API-Key", "KEY")],
        &[("X-API-Key", "KEY"), ("Authorization", "Basic dTpw")],
    ];
    for headers in good {
        check("", headers, "200 json");
    }
    let bad: [&[(&str, &str)]; 10] = [
        &[],
        &[("X-API-Key", "")],
        &[("X-API-Key", "nobody's")],
        &[("X-API-Key", "REVOKEDKEY")],
        &[("Authorization", "Bearer REVOKEDKEY")],
        &[("Authorization", "KEY")],
        &[("Authorization", "Bearer")],
        &[("Authorization", "Basic KEY")],
        &[("X-API-Key", "KEY"), ("Authorization", "Bearer OTHERKEY")],
        &[("X-API-Key", "KEY"), ("X-API-Key", "OTHERKEY")],
    ];
    for headers in bad {
        check("", headers, &refused);
    }
    check("&apikey=KEY", &[("X-API-Key", "KEY")], "200 json");
    check("&apikey=", &[("X-API-Key", "KEY")], "200 json");
    check("&apikey=KEY", &[("X-API-Key", "")], "200 json");
    check("&apikey=OTHERKEY", &[("X-API-Key", "KEY")], &refused);
    check(
        "&apikey=KEY",
        &[("Authorization", "Bearer OTHERKEY")],
        &refused,
    );
    check("&apikey=wrong", &[("X-API-Key", "KEY")], &refused);
    check("&apikey=%FF", &[("X-API-Key", "KEY")], &refused);
}

#[test]
fn keys_in_the_query_must_be_valid_and_the_same() {
    let mut service = service();
    let target = "/contract/monitor-supplier44?supplierINN=9600000002&format=json";
    let mut check = |query: &str, expected: &str| {
        check(&mut service, &format!("{target}{query}"), expected);
    };
    let refused = format!("200 {BAD_KEY}");
    for query in [
        "&apikey=KEY",
        "&apikey=OTHERKEY",
        "&apikey=KEY&apikey=KEY",
        "&apikey=KEY&api_key=KEY",
        "&apikey=&api_key=KEY",
    ] {
        check(query, "200 json");
    }
    for query in [
        "",
        "&apikey",
        "&apikey=",
        "&apikey=%20",
        "&apikey=REVOKEDKEY",
        "&apikey=demo",
        "&apikey=first",
        "&apikey=KEY&apikey=OTHERKEY",
        "&apikey=KEY&api_key=OTHERKEY",
        "&apikey=KEY&apikey=REVOKEDKEY",
        "&apikey=KEY&api_key=%D0",
        "&apikey=%zz",
    ] {
        check(query, &refused);
    }
}

#[test]
fn a_parameter_given_twice_counts_if_it_says_the_same() {
    let mut service = service();
    let mut check = |query: &str, expected: &str| {
        let target = format!("{CONTRACTS}?apikey=KEY&format=json&{query}");
        check(&mut service, &target, expected);
    };
    let inn = "supplierINN=9600000002";
    check(&format!("{inn}&{inn}"), "200 json");
    check(&format!("{inn}&supplierInn=9600000002"), "200 json");
    check(&format!("{inn}&supplierInn=%39600000002"), "200 json");
    check(&format!("{inn}&supplierInn="), "200 json");
    check(&format!("{inn}&skip=1&skip=1&limit=5&limit=+5"), "200 json");
    check(&format!("{inn}&format=json"), "200 json");
    let refused = |name| format!("200 {}", bad(name));
    check(
        &format!("{inn}&supplierInn=9600000003"),
        &refused("supplierINN"),
    );
    check(&format!("supplierInn=1&{inn}"), &refused("supplierINN"));
    check(&format!("{inn}&skip=7&skip=007"), &refused("skip"));
    check(&format!("{inn}&limit=7&limit=8"), &refused("limit"));
    check(&format!("{inn}&limit=7&limit=500"), &refused("limit"));
    // An error about the format itself is in XML.
    let xml = "200 <data><code>400</code><error>Некорректный параметр format.</error></data>";
    check(&format!("{inn}&format=xml"), xml);
    check(&format!("{inn}&format=JSON"), xml);
    check(
        "supplierINN=9600000002&purchaseNumber=1&purchaseNumber=2",
        "200 json",
    );
}

#[test]
fn a_purchase_number_given_twice_counts_if_it_says_the_same() {
    let mut service = service();
    for (path, number, other) in [
        (P44, "0960000000025000001", "0960000000025000002"),
        (P223, "39600000001", "096000000000000001"),
        (P615, "096000000000000001", "096000000000000002"),
    ] {
        let target = format!("{path}?apikey=KEY&format=json&purchaseNumber={number}");
        check(
            &mut service,
            &format!("{target}&purchaseNumber={number}"),
            "200 json",
        );
        check(
            &mut service,
            &format!("{target}&purchaseNumber={other}"),
            &format!("200 {}", bad("purchaseNumber")),
        );
    }
    check(
        &mut service,
        &format!("{RNP}?apikey=KEY&format=json&supplierInn=9600000021&supplierINN=9600000002"),
        &format!("400 {}", bad("supplierINN")),
    );
}

#[test]
fn a_value_that_does_not_decode_is_refused_if_the_endpoint_asks_for_it() {
    let mut service = service();
    let mut check = |target: &str, expected: &str| check(&mut service, target, expected);
    for value in ["%", "%4", "%zz", "%FF", "%D0", "9600000002%C3%28"] {
        check(
            &format!("{CONTRACTS}?apikey=KEY&format=json&supplierINN={value}"),
            &format!("200 {}", bad("supplierINN")),
        );
        check(
            &format!("{RNP}?apikey=KEY&format=json&supplierInn={value}"),
            &format!("400 {}", bad("supplierINN")),
        );
        check(
            &format!("{P223}?apikey=KEY&format=json&purchaseNumber={value}"),
            &format!("200 {}", bad("purchaseNumber")),
        );
        for name in ["skip", "limit"] {
            check(
                &format!("{}&format=json&{name}={value}", GOOD[0]),
                &format!("200 {}", bad(name)),
            );
            check(
                &format!("{}&format=json&{name}={value}", GOOD[1]),
                "200 json",
            );
        }
        check(
            &format!("{}&format={value}", GOOD[1]),
            "400 <data><code>400</code><error>Некорректный параметр format.</error></data>",
        );
        check(&format!("{}&purchaseNumber={value}", GOOD[0]), "200 xml");
        check(&format!("{}&supplierINN={value}", GOOD[2]), "200 xml");
        check(&format!("{}&unknown={value}", GOOD[0]), "200 xml");
    }
    check(&format!("{}&%FF=1", GOOD[0]), "200 xml");
}

#[test]
fn values_are_decoded_and_trimmed_and_unknown_parameters_ignored() {
    let mut service = service();
    let mut check = |query: &str| {
        check(&mut service, &format!("{CONTRACTS}?{query}"), "200 json");
    };
    check("supplierINN=+9600000002%20&apikey=KEY&format=%20json%09");
    check("supplier%49NN=%39600000002&apikey=KEY&form%61t=j%73on");
    check("&&supplierINN=9600000002&&apikey=KEY&format=json&");
    check("supplierINN=9600000002&apikey=KEY&format=json&skip=&limit=&other");
    check("supplierINN=9600000002&apikey=KEY&format=json&asof=x&a=1&a=2&=");
}

#[test]
fn the_format_is_named_in_any_case() {
    let mut service = service();
    let mut check = |format: &str, expected: &str| {
        for target in GOOD {
            check(&mut service, &format!("{target}&format={format}"), expected);
        }
    };
    for format in ["xml", "XML", "Xml", ""] {
        check(format, "200 xml");
    }
    for format in ["json", "JSON", "jSoN"] {
        check(format, "200 json");
    }
    for format in ["csv", "json5", "xml,json", "text/xml", "0", "ｘｍｌ"] {
        for target in GOOD {
            let reply = service.get(&format!("{target}&format={format}"));
            let status = if target.starts_with(RNP) { 400 } else { 200 };
            assert_eq!(reply.status, status, "{target}");
            let content_type = header(&reply, "Content-Type");
            assert_eq!(content_type, Some("application/xml; charset=utf-8"));
            let error = "<code>400</code><error>Некорректный параметр format.</error></";
            assert!(body(&reply).contains(error), "{}", body(&reply));
        }
    }
}

#[test]
fn another_path_is_not_found_whatever_the_method_and_key() {
    let mut service = service();
    let mut check = |method: &str, target: &str| {
        let reply = service.ask(method, target, &[]);
        let expected = format!("404 {UNKNOWN_PATH}");
        assert_eq!(outcome(&reply), expected, "{method} {target}");
    };
    for path in [
        "/",
        "",
        "*",
        "/contract",
        "/contract/monitor-supplier44/",
        "/contract/monitor-supplier44/x",
        "//contract/monitor-supplier44",
        "/Contract/monitor-supplier44",
        "/contract/monitor-supplier223",
        "/rnp/check-supplier/",
        "/purchase/demo44/",
        "/purchase/demo223/",
        "/purchase/demo615/",
        "/purchase/../purchase/demo44",
    ] {
        for method in ["GET", "HEAD", "POST"] {
            check(method, &format!("{path}?format=json"));
        }
    }
    let reply = service.get("/nowhere");
    let xml = "404 <data><code>404</code><error>Not found.</error></data>";
    assert_eq!(outcome(&reply), xml);
    assert_eq!(reply.note.endpoint, None);
}

#[test]
fn a_target_may_be_in_absolute_form() {
    let mut service = service();
    for target in GOOD {
        check(
            &mut service,
            &format!("http://localhost:8044{target}"),
            "200 xml",
        );
    }
}

#[test]
fn head_is_answered_as_get_and_any_other_method_is_refused() {
    let mut service = service();
    for target in GOOD {
        let target = format!("{target}&format=json");
        let (get, head) = (service.get(&target), service.ask("HEAD", &target, &[]));
        assert_eq!(get, head, "{target}");
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get"] {
            let reply = service.ask(method, &target, &[]);
            assert_eq!(outcome(&reply), format!("405 {WRONG_METHOD}"), "{method}");
            assert_eq!(header(&reply, "Allow"), Some("GET, HEAD"));
        }
        assert_eq!(header(&get, "Allow"), None);
    }
    let reply = service.ask("POST", P44, &[]);
    let xml = "405 <data><code>405</code><error>Method not allowed.</error></data>";
    assert_eq!(outcome(&reply), xml);
}

#[test]
fn an_inn_is_ten_or_twelve_digits() {
    let mut service = service();
    for inn in [
        "1",
        "960000000",
        "96000000021",
        "9600000000021",
        "960000000x",
        "9600-000002",
        "%D9%A9600000002",
    ] {
        check(
            &mut service,
            &format!("{CONTRACTS}?supplierINN={inn}&apikey=KEY&format=json"),
            &format!("200 {BAD_INN}"),
        );
        check(
            &mut service,
            &format!("{RNP}?supplierINN={inn}&apikey=KEY&format=json"),
            &format!("400 {BAD_INN}"),
        );
    }
    // Control digits are not checked; whoever is unknown has no contracts, and is
    // unknown to the registry check.
    for inn in ["0000000000", "9600000009", "960000000009"] {
        check(
            &mut service,
            &format!("{CONTRACTS}?supplierINN={inn}&apikey=KEY&format=json"),
            "200 json",
        );
        check(
            &mut service,
            &format!("{RNP}?supplierINN={inn}&apikey=KEY&format=json"),
            "404 {\"code\":404,\"error\":\"Поставщик не найден.\"}",
        );
    }
}

#[test]
fn the_length_of_a_purchase_number_selects_the_shape() {
    let mut service = service();
    let (n44, n223, n615) = ("0960000000025000001", "39600000001", "096000000000000001");
    let mut check = |path: &str, number: &str, expected: Option<&str>| {
        let reply = service.get(&format!("{path}?purchaseNumber={number}&apikey=KEY"));
        match expected {
            Some(root) => assert!(
                body(&reply).contains(&format!("<{root}><purchaseNumber>{number}<")),
                "{path} {number}"
            ),
            None => assert!(
                body(&reply).contains("<code>400</code><error>Некорректный номер закупки."),
                "{path} {number}"
            ),
        }
    };
    check(P44, n44, Some("Purchase44"));
    check(P44, n223, None);
    check(P44, n615, None);
    check(P223, n44, None);
    check(P223, n223, Some("Purchase223"));
    check(P223, n615, Some("Purchase615"));
    check(P615, n44, None);
    check(P615, n223, None);
    check(P615, n615, Some("Purchase615"));
    for number in [
        "",
        "1",
        "29600000001",
        "3960000000",
        "396000000011",
        "3960000000x",
    ] {
        for path in [P44, P223, P615] {
            check(path, number, None);
        }
    }
}

#[test]
fn errors_of_demo223_have_the_root_of_the_number_given() {
    let mut service = service();
    let mut check = |query: &str, root: &str| {
        let reply = service.get(&format!("{P223}?{query}"));
        let start = format!("<{root}><code>");
        assert!(
            outcome(&reply).contains(&start),
            "{query}: {}",
            body(&reply)
        );
    };
    check("purchaseNumber=096000000000000001", "Purchase615");
    check("purchaseNumber=096000000000000001&apikey=x", "Purchase615");
    check("purchaseNumber=%20096000000000000001", "Purchase615");
    check(
        "purchaseNumber=096000000000000001&purchaseNumber=096000000000000001",
        "Purchase615",
    );
    check("apikey=KEY", "Purchase223");
    check("purchaseNumber=39600000001", "Purchase223");
    check(
        "purchaseNumber=0960000000025000001&apikey=KEY",
        "Purchase223",
    );
    check(
        "purchaseNumber=09600000000000000x&apikey=KEY",
        "Purchase223",
    );
    check(
        "purchaseNumber=096000000000000001&purchaseNumber=096000000000000002&apikey=KEY",
        "Purchase223",
    );
    check("purchaseNumber=%FF&apikey=KEY", "Purchase223");
}

/// The page of the supplier that has contracts 3, 2, 1.
fn page(service: &mut Service, query: &str) -> String {
    let target = format!("{}&format=json&{query}", GOOD[0]);
    let reply = service.get(&target);
    let value: serde_json::Value = serde_json::from_str(body(&reply)).expect("JSON");
    let numbers: Vec<&str> = value["contracts"]
        .as_array()
        .expect("contracts")
        .iter()
        .map(|contract| contract["regNum"].as_str().expect("regNum"))
        .collect();
    let (total, limit) = (&value["totalcount"], &value["limit"]);
    // The number may be larger than any type: as it is written.
    let skip = body(&reply)
        .split_once("\"skip\":")
        .and_then(|(_, rest)| rest.split_once(','))
        .expect("skip")
        .0;
    format!("{} of {total} skip {skip} limit {limit}", numbers.join(" "))
}

#[test]
fn pages_are_counted_from_the_newest() {
    let mut service = service();
    let mut check = |query: &str, expected: &str| {
        assert_eq!(page(&mut service, query), expected, "{query}");
    };
    check("", "3 2 1 of 3 skip 0 limit 100");
    check("limit=2", "3 2 of 3 skip 0 limit 2");
    check("skip=2&limit=2", "1 of 3 skip 2 limit 2");
    check("skip=1", "2 1 of 3 skip 1 limit 100");
    check("limit=0", " of 3 skip 0 limit 0");
    check("skip=3", " of 3 skip 3 limit 100");
    check("limit=200", "3 2 1 of 3 skip 0 limit 200");
    check("skip=007&limit=0200", " of 3 skip 7 limit 200");
    check("skip=000", "3 2 1 of 3 skip 0 limit 100");
    for skip in [
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890123456789012345678901234567890",
    ] {
        check(
            &format!("skip={skip}"),
            &format!(" of 3 skip {skip} limit 100"),
        );
    }
}

#[test]
fn skip_and_limit_are_plain_digits() {
    let mut service = service();
    for value in ["-1", "%2B1", "1.0", "1e2", "0x1", "one", "1%200", "%D9%A1"] {
        for name in ["skip", "limit"] {
            check(
                &mut service,
                &format!("{}&format=json&{name}={value}", GOOD[0]),
                &format!("200 {}", bad(name)),
            );
        }
    }
    for limit in ["201", "500", "0201", "99999999999999999999999999"] {
        let asked = limit.trim_start_matches('0');
        check(
            &mut service,
            &format!("{}&format=json&limit={limit}", GOOD[0]),
            &format!(
                "200 {{\"code\":400,\"error\":\"Превышен лимит контрактов {asked}. Разрешено 200 макс.\"}}"
            ),
        );
    }
}

fn etag(service: &mut Service, target: &str) -> String {
    let reply = service.get(target);
    assert_eq!(reply.status, 200, "{target}");
    header(&reply, "ETag").expect("an ETag").to_owned()
}

#[test]
fn an_etag_tells_formats_pages_and_suppliers_apart() {
    let mut service = service();
    let mut tags = Vec::new();
    for target in GOOD {
        for format in ["xml", "json"] {
            let target = format!("{target}&format={format}");
            let tag = etag(&mut service, &target);
            assert_eq!(tag, etag(&mut service, &target), "{target}");
            tags.push((target.replace(P615, P223), tag));
        }
    }
    for query in ["skip=1", "limit=1", "skip=1&limit=1", "skip=11", "limit=11"] {
        let target = format!("{}&{query}", GOOD[0]);
        tags.push((target.clone(), etag(&mut service, &target)));
    }
    let target = GOOD[0].replace("9600000002", "9600000021");
    tags.push((target.clone(), etag(&mut service, &target)));
    for (target, tag) in &tags {
        assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 10);
        for (other_target, other) in &tags {
            if target != other_target {
                assert_ne!(tag, other, "{target} and {other_target}");
            }
        }
    }
}

#[test]
fn if_none_match_is_answered_with_304_where_it_names_the_answer() {
    let mut service = service();
    for target in GOOD {
        let tag = etag(&mut service, target);
        let json_tag = etag(&mut service, &format!("{target}&format=json"));
        let mut check = |headers: &[&str], expected: &str| {
            let headers: Vec<(&str, &str)> = headers
                .iter()
                .map(|value| ("If-None-Match", *value))
                .collect();
            check_with(&mut service, target, &headers, expected);
        };
        let weak = format!("W/{tag}");
        for value in [
            tag.clone(),
            weak.clone(),
            "*".to_owned(),
            format!("\"a\", {tag}"),
            format!("\"a\",{weak},\"b\""),
            format!("W/\"a, b\" , {tag}"),
        ] {
            check(&[&value], "304");
        }
        check(&["\"a\"", &tag], "304");
        for value in ["\"a\"", "W/\"a\"", "", "\"a\", \"b\"", "\"*\"", &json_tag] {
            check(&[value], "200 xml");
        }
        check(&[], "200 xml");
        let headers = [("if-none-match", tag.as_str())];
        for method in ["GET", "HEAD"] {
            let reply = service.ask(method, target, &headers);
            assert_eq!(outcome(&reply), "304");
            assert_eq!(header(&reply, "ETag"), Some(tag.as_str()));
            assert_eq!(header(&reply, "Content-Type"), None);
            let cache = header(&reply, "Cache-Control");
            assert_eq!(cache, Some("private, no-cache"));
            assert!(header(&reply, "X-Data-Updated").is_some());
            assert!(reply.body.is_empty());
        }
    }
}

#[test]
fn errors_have_no_etag_and_take_no_heed_of_if_none_match() {
    let mut service = service();
    for target in [
        "/nowhere?format=json",
        "/contract/monitor-supplier44?supplierINN=9600000002&format=json",
        "/contract/monitor-supplier44?apikey=KEY&format=json",
        "/rnp/check-supplier?supplierINN=9600000009&apikey=KEY&format=json",
        "/purchase/demo44?purchaseNumber=0960000000025000009&apikey=KEY&format=json",
        "/purchase/demo223?purchaseNumber=1&apikey=KEY&format=json",
    ] {
        let reply = service.ask("GET", target, &[("If-None-Match", "*")]);
        assert_eq!(reply, service.get(target), "{target}");
        assert!(body(&reply).contains("\"error\":"), "{target}");
        for name in ["ETag", "X-Data-Updated"] {
            assert_eq!(header(&reply, name), None, "{target}");
        }
    }
}

#[test]
fn etag_and_time_change_with_an_import_that_changes_something_alone() {
    let mut service = service();
    service.sql("UPDATE meta SET updated = 1700000000");
    let mut before = Vec::new();
    for target in GOOD {
        let reply = service.get(target);
        let updated = header(&reply, "X-Data-Updated");
        assert_eq!(updated, Some("2023-11-14T22:13:20Z"), "{target}");
        before.push((target, reply));
    }
    let again = service.import(LINES);
    assert!(
        again
            .kinds
            .values()
            .all(|(tally, _)| tally.new + tally.newer == 0)
    );
    for (target, reply) in &before {
        assert_eq!(service.get(target), *reply, "{target}");
    }
    service.import(&LINES.replace(
        r#""regNum":"3","signDate":"2025-01-03""#,
        r#""regNum":"3","signDate":"2024-01-03""#,
    ));
    for (target, old) in &before {
        let new = service.get(target);
        let updated = header(&new, "X-Data-Updated").expect("the time");
        assert_ne!(Some(updated), header(old, "X-Data-Updated"));
        assert_eq!(updated.len(), 20, "{updated}");
        if new.body != old.body {
            assert_ne!(header(&new, "ETag"), header(old, "ETag"), "{target}");
        }
    }
    assert_eq!(page(&mut service, ""), "2 1 3 of 3 skip 0 limit 100");
    let tag = header(&before[0].1, "ETag").expect("an ETag");
    check_with(&mut service, GOOD[0], &[("If-None-Match", tag)], "200 xml");
}

#[test]
fn each_kind_of_change_shows_in_the_answer_and_its_etag() {
    let mut service = service();
    let mut check = |target: &str, line: &str, shown: &str| {
        let before = service.get(target);
        assert!(!body(&before).contains(shown), "{target}");
        service.import(line);
        let after = service.get(target);
        assert!(body(&after).contains(shown), "{target}");
        assert_ne!(header(&before, "ETag"), header(&after, "ETag"), "{target}");
    };
    check(
        GOOD[0],
        r#"{"type":"supplier","supplier":{"inn":"9600000002","name":"ООО \"НОВОЕ ИМЯ\""}}"#,
        "НОВОЕ ИМЯ",
    );
    check(
        GOOD[1],
        r#"{"type":"rnpEntry","supplier":{"inn":"9600000021"},"entry":{"registrationNumber":"РНП.2"}}"#,
        "РНП.2",
    );
    check(
        GOOD[2],
        r#"{"type":"purchase44","purchase":{"purchaseNumber":"0960000000025000001","stage":"Новая"}}"#,
        "Новая",
    );
    check(
        GOOD[3],
        r#"{"type":"purchase223","purchase":{"purchaseNumber":"39600000001","stage":"Новая"}}"#,
        "Новая",
    );
    check(
        GOOD[4],
        r#"{"type":"purchase615","purchase":{"purchaseNumber":"096000000000000001","ETP":"Новая"}}"#,
        "Новая",
    );
}

#[test]
fn another_file_with_the_same_data_has_other_etags() {
    let (mut one, mut other) = (service(), service());
    for target in GOOD {
        assert_ne!(etag(&mut one, target), etag(&mut other, target), "{target}");
    }
}

#[test]
fn an_entry_is_listed_from_its_registration_to_its_exclusion_day() {
    let mut service = service();
    let mut tags = Vec::new();
    for (day, listed) in [
        ("2024-03-04", false),
        ("2024-03-05", true),
        ("2025-06-14", true),
        ("2025-06-15", true),
        ("2025-06-16", false),
    ] {
        service.on(calendar(day));
        let reply = service.get(GOOD[1]);
        let expected = if listed {
            "<inRNP>true</inRNP><entries><entry><registrationNumber>РНП.1</registrationNumber>"
        } else {
            "<inRNP>false</inRNP><entries/>"
        };
        assert!(body(&reply).contains(expected), "{day}: {}", body(&reply));
        let tag = header(&reply, "ETag").expect("an ETag").to_owned();
        assert!(!tags.contains(&tag), "{day} has the ETag of another day");
        tags.push(tag);
    }
}

#[test]
fn the_key_demo_is_valid_with_the_bundled_data_alone() {
    let api = Api::new(DataSource::Bundled, KeyRing::empty(), calendar(TODAY));
    let mut bundled = Arc::new(api).answerer().expect("the bundled data");
    let mut ask = |key: &str| {
        bundled.answer(&Request {
            method: "GET".to_owned(),
            target: format!("{CONTRACTS}?supplierINN=9600000002&format=json&apikey={key}"),
            headers: Vec::new(),
        })
    };
    assert_eq!(outcome(&ask("demo")), "200 json");
    assert_eq!(ask("demo").note.key_name.as_deref(), Some("demo"));
    for key in ["", "DEMO", "demo1"] {
        assert_eq!(outcome(&ask(key)), format!("200 {BAD_KEY}"), "{key}");
    }
    let mut service = service();
    for target in GOOD {
        let target = format!("{}&format=json", target.replace("=KEY", "=demo"));
        let status = if target.starts_with(RNP) { 401 } else { 200 };
        check(&mut service, &target, &format!("{status} {BAD_KEY}"));
    }
}

#[test]
fn a_note_names_endpoint_key_and_error_and_never_the_key() {
    let mut service = service();
    let mut check =
        |target: &str, endpoint: Option<&str>, key: Option<&str>, error: Option<&str>| {
            let reply = service.get(target);
            assert_eq!(reply.note.endpoint, endpoint, "{target}");
            assert_eq!(reply.note.key_name.as_deref(), key, "{target}");
            assert_eq!(reply.note.error.as_deref(), error, "{target}");
            let secret = service.key("KEY");
            assert!(!format!("{reply:?}").contains(secret), "{target}");
        };
    check(GOOD[0], Some(CONTRACTS), Some("first"), None);
    check(
        &GOOD[1].replace("=KEY", "=OTHERKEY"),
        Some(RNP),
        Some("second"),
        None,
    );
    check(
        &format!("{P44}?purchaseNumber=1&apikey=KEY"),
        Some(P44),
        Some("first"),
        Some("400"),
    );
    check(
        &format!("{P44}?purchaseNumber=0960000000025000009&apikey=KEY"),
        Some(P44),
        Some("first"),
        Some("error"),
    );
    check(P223, Some(P223), None, Some("401"));
    check("/nowhere?apikey=KEY", None, None, Some("404"));
}

#[test]
fn a_handler_that_panics_is_a_server_error_and_the_next_request_is_answered() {
    static PANICS: AtomicBool = AtomicBool::new(true);
    let mut service = service();
    service.on(Box::new(|| {
        assert!(!PANICS.load(Ordering::Relaxed), "a secret /path of ours");
        Date::parse_iso(TODAY).expect("a day")
    }));
    let (xml, json) = (GOOD[1].to_owned(), format!("{}&format=json", GOOD[1]));
    for _ in 0..2 {
        check(
            &mut service,
            &xml,
            "500 <data><error>server error</error></data>",
        );
        check(&mut service, GOOD[0], "200 xml");
        check(&mut service, &json, r#"500 {"error":"server error"}"#);
        check(&mut service, GOOD[2], "200 xml");
    }
    let reply = service.ask("GET", &json, &[("If-None-Match", "*")]);
    assert_eq!(outcome(&reply), r#"500 {"error":"server error"}"#);
    assert_eq!(reply.note.error.as_deref(), Some("error"));
    PANICS.store(false, Ordering::Relaxed);
    check(&mut service, &xml, "200 xml");
    check(&mut service, &json, "200 json");
}

#[test]
fn a_damaged_record_is_a_server_error_that_shows_nothing() {
    let mut service = service();
    for garbage in [
        "",
        "00",
        "01",
        "ff",
        "ffffffffffffffffffffffffffffffffffff",
        "2f746d70",
    ] {
        service.sql(&format!(
            "UPDATE contract SET record = x'{garbage}' WHERE id & 4294967295 = 1"
        ));
        service.sql(&format!("UPDATE purchase SET record = x'{garbage}'"));
        service.sql(&format!("UPDATE rnp_entry SET record = x'{garbage}'"));
        for (target, root) in GOOD.iter().zip([
            "data",
            "data",
            "Purchase44",
            "Purchase223",
            "Purchase615",
            "Purchase615",
        ]) {
            check(
                &mut service,
                target,
                &format!("500 <{root}><error>server error</error></{root}>"),
            );
            check(
                &mut service,
                &format!("{target}&format=json"),
                r#"500 {"error":"server error"}"#,
            );
        }
    }
    // The second of the three contracts is the damaged one.
    check(&mut service, &format!("{}&limit=1", GOOD[0]), "200 xml");
    check(&mut service, &format!("{}&skip=2", GOOD[0]), "200 xml");
    check(
        &mut service,
        &format!("{}&skip=1&limit=1&format=json", GOOD[0]),
        r#"500 {"error":"server error"}"#,
    );
    assert!(procurement_lookup::store::check(&service.database()).is_err());
}

#[test]
fn a_file_that_lacks_what_it_must_have_is_a_server_error() {
    for damage in [
        "DELETE FROM contract WHERE id & 4294967295 = 0",
        "DELETE FROM meta",
        "DROP TABLE contract",
        "ALTER TABLE supplier RENAME COLUMN contracts TO others",
    ] {
        let mut service = service();
        check(&mut service, GOOD[0], "200 xml");
        service.sql(damage);
        check(
            &mut service,
            &format!("{}&format=json", GOOD[0]),
            r#"500 {"error":"server error"}"#,
        );
        check(
            &mut service,
            GOOD[0],
            "500 <data><error>server error</error></data>",
        );
    }
}
