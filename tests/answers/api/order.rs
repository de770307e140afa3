//! Which of several mistakes is answered, and that without any there is data.

use super::{
    BAD_INN, BAD_KEY, BAD_NUMBER, CONTRACTS, P44, P223, P615, RNP, WRONG_METHOD, bad, check,
    outcome, service,
};
use crate::service::body;

#[test]
fn checks_run_in_their_order() {
    let mut service = service();
    let mut check = |method: &str, target: &str, expected: &str| {
        let response = service.ask(method, target, &[]);
        assert_eq!(outcome(&response), expected, "{method} {target}");
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
        let response = service.ask("PUT", &target, &[]);
        assert_eq!(outcome(&response), format!("{bad_method} {WRONG_METHOD}"));
        check(&mut service, &target, &format!("{bad_key} {BAD_KEY}"));
        let with_key = format!("{target}&apikey=KEY");
        check(
            &mut service,
            &with_key,
            &format!("{bad_request} {expected}"),
        );
        let response = service.get(&format!("{path}?{parameter}=1&format=yaml&apikey=KEY"));
        assert!(body(&response).contains("Некорректный параметр format."));
        assert_eq!(response.status, bad_request);
    }
}
