//! Statuses for paths and methods, and the root element of errors.

use super::{P44, P223, UNKNOWN_PATH, WRONG_METHOD, check, every_endpoint, outcome, service};
use crate::service::header;

#[test]
fn unknown_paths_are_not_found_whatever_the_method_and_key() {
    let mut service = service();
    let mut check = |method: &str, target: &str| {
        let response = service.ask(method, target, &[]);
        let expected = format!("404 {UNKNOWN_PATH}");
        assert_eq!(outcome(&response), expected, "{method} {target}");
    };
    for path in [
        "//",
        "",
        "*",
        "/web/",
        "/web/page.js",
        "/web/0123456789abcdef/page.js",
        "/web/../web/page.js",
        "/index.html",
        "/about",
        "/openapi",
        "/schemas/x.xsd",
        "/docs/nothing",
        "/docs/start/",
        "/docs//",
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
    let response = service.get("/nowhere");
    let xml = "404 <data><code>404</code><error>Not found.</error></data>";
    assert_eq!(outcome(&response), xml);
    assert_eq!(response.note.endpoint, None);
}

#[test]
fn a_target_may_be_in_absolute_form_and_have_a_fragment() {
    let mut service = service();
    for target in &every_endpoint() {
        for target in [
            format!("http://localhost:8044{target}"),
            format!("{target}&x=http://y/"),
            format!("{target}&x=1#y?z"),
        ] {
            check(&mut service, &target, "200 xml");
        }
    }
    let not_found = format!("404 {UNKNOWN_PATH}");
    check(&mut service, "http://localhost?format=json", &not_found);
}

#[test]
fn head_is_answered_as_get_and_any_other_method_is_refused() {
    let mut service = service();
    for target in &every_endpoint() {
        let target = format!("{target}&format=json");
        let (get, head) = (service.get(&target), service.ask("HEAD", &target, &[]));
        assert_eq!(get, head, "{target}");
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get"] {
            let response = service.ask(method, &target, &[]);
            assert_eq!(
                outcome(&response),
                format!("405 {WRONG_METHOD}"),
                "{method}"
            );
            assert_eq!(header(&response, "Allow"), Some("GET, HEAD"));
        }
        assert_eq!(header(&get, "Allow"), None);
    }
    let response = service.ask("POST", P44, &[]);
    let xml = "405 <data><code>405</code><error>Method not allowed.</error></data>";
    assert_eq!(outcome(&response), xml);
}

#[test]
fn methods_without_a_path_are_refused() {
    let mut service = service();
    for (method, target) in [
        ("OPTIONS", "*"),
        ("CONNECT", "localhost:80"),
        ("CONNECT", P44),
    ] {
        let response = service.ask(method, target, &[]);
        assert_eq!(response.status, 405, "{method} {target}");
    }
    assert_eq!(service.ask("GET", "*", &[]).status, 404);
}

#[test]
fn errors_of_demo223_have_the_root_of_the_given_number() {
    let mut service = service();
    let (n615, other) = ("096000000000000001", "096000000000000002");
    for (numbers, root) in [
        (&[n615][..], "Purchase615"),
        (&["%20096000000000000001"], "Purchase615"),
        (&[n615, n615], "Purchase615"),
        (&[n615, other], "Purchase223"),
        (&["09600000000000000x"], "Purchase223"),
        (&["%FF"], "Purchase223"),
        (&["39600000001"], "Purchase223"),
        (&[], "Purchase223"),
    ] {
        let number = |number: &&str| format!("purchaseNumber={number}&");
        let query: String = numbers.iter().map(number).collect();
        let found = outcome(&service.get(&format!("{P223}?{query}")));
        assert!(
            found.contains(&format!("<{root}><code>401<")),
            "{query}: {found}"
        );
    }
}
