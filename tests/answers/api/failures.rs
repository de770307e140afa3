//! Server errors: a handler that panics, and a damaged database.

use std::sync::atomic::{AtomicBool, Ordering};

use procurement_lookup::model::{Date, Moment};

use super::{CHECK, LINES, PAGE, check, check_lines, outcome, service};
use crate::service::{Service, TODAY};
use crate::source;

#[test]
fn a_panic_is_a_server_error_and_service_continues() {
    static PANICS: AtomicBool = AtomicBool::new(true);
    let mut service = service();
    service.on(Box::new(|| {
        assert!(!PANICS.load(Ordering::Relaxed), "a secret /path of ours");
        Moment::from_day(Date::parse_iso(TODAY).expect("a day"))
    }));
    let (xml, json) = (CHECK.to_owned(), format!("{CHECK}&format=json"));
    for _ in 0..2 {
        PANICS.store(true, Ordering::Relaxed);
        check(
            &mut service,
            &xml,
            "500 <data><error>server error</error></data>",
        );
        check(&mut service, &json, r#"500 {"error":"server error"}"#);
        PANICS.store(false, Ordering::Relaxed);
        check(&mut service, PAGE, "200 xml");
    }
    PANICS.store(true, Ordering::Relaxed);
    let response = service.ask("GET", &json, &[("If-None-Match", "*")]);
    assert_eq!(outcome(&response), r#"500 {"error":"server error"}"#);
    assert_eq!(response.note.error.as_deref(), Some("error"));
    // A panic message may quote the request, so it must not be logged.
    assert_eq!(response.note.failure.as_deref(), Some("a panic"));
    PANICS.store(false, Ordering::Relaxed);
    check(&mut service, &xml, "200 xml");
    check(&mut service, &json, "200 json");
}

#[test]
fn a_damaged_record_is_a_server_error_on_its_pages() {
    let mut service = service();
    service.alter(
        "UPDATE contract SET record = x'2f746d70' WHERE id = \
         (SELECT id FROM contract_facet WHERE reg_num = '2')",
        "UPDATE contract SET record = '\\x2f746d70' WHERE reg_num = '2'",
    );
    // The second of the supplier's three contracts is damaged.
    check_lines(
        &mut service,
        &format!("{PAGE}&format=json"),
        "&limit=1 -> 200 json
         &skip=2 -> 200 json
         &skip=1&limit=1 -> 500 {\"error\":\"server error\"}",
    );
    if !source::is_server() {
        assert!(procurement_lookup::store::check(&service.database()).is_err());
    }
}

#[test]
fn check_finds_rows_missing_from_one_of_two_tables() {
    let lines = LINES.replace(
        r#""purchaseNumber":"39600000001""#,
        r#""purchaseNumber":"39600000001","winners":{"winner":[{"inn":"9600000021"}]}"#,
    );
    for damage in [
        "INSERT INTO contract_facet SELECT id + 100, sign_date, update_date, stage, customer_inn, \
         is_customer_named, price, price_text, has_subcontractors, not_overdue_to, facts, reg_num FROM contract_facet",
        "DELETE FROM purchase_winner",
        "UPDATE purchase_winner SET day = day + 1",
        "INSERT INTO purchase_winner VALUES ('9600000009', 0, '39600000001')",
        "UPDATE searched_name SET name = ' х '",
        "UPDATE searched_name SET contracts = 5 WHERE inn = 9600000002",
        "DELETE FROM searched_name WHERE inn = 9600000002",
        "INSERT INTO searched_name VALUES (4294967296, 9600000002, 0, ' х ')",
        "INSERT INTO name_index (rowid, name) VALUES (999, ' х ')",
        "INSERT INTO name_index (name_index, rowid, name) \
         SELECT 'delete', id, name FROM searched_name WHERE inn = 9600000002",
        "DELETE FROM registry WHERE federal_law = '615'",
    ] {
        let service = Service::over(&lines);
        procurement_lookup::store::check(&service.database()).expect("a sound file");
        assert!(service.sql(damage) > 0, "{damage}");
        let checked = procurement_lookup::store::check(&service.database());
        assert!(checked.is_err(), "{damage}");
    }
}

#[test]
fn missing_contracts_are_a_server_error() {
    let mut service = service();
    check(&mut service, PAGE, "200 xml");
    service.alter(
        "DELETE FROM contract WHERE id IN (SELECT id FROM contract_facet WHERE reg_num = '1')",
        "DELETE FROM contract WHERE reg_num = '1'",
    );
    // Request another page, because the first one is cached.
    check(
        &mut service,
        &format!("{PAGE}&limit=50&format=json"),
        r#"500 {"error":"server error"}"#,
    );
    check(
        &mut service,
        &format!("{PAGE}&limit=50"),
        "500 <data><error>server error</error></data>",
    );
}
