//! Server errors: a handler that panics, a damaged database.

use std::sync::atomic::{AtomicBool, Ordering};

use procurement_lookup::model::Date;

use super::{GOOD, check, outcome, service};
use crate::service::TODAY;
use crate::source;

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
        PANICS.store(true, Ordering::Relaxed);
        check(
            &mut service,
            &xml,
            "500 <data><error>server error</error></data>",
        );
        check(&mut service, &json, r#"500 {"error":"server error"}"#);
        PANICS.store(false, Ordering::Relaxed);
        check(&mut service, GOOD[0], "200 xml");
    }
    PANICS.store(true, Ordering::Relaxed);
    let response = service.ask("GET", &json, &[("If-None-Match", "*")]);
    assert_eq!(outcome(&response), r#"500 {"error":"server error"}"#);
    assert_eq!(response.note.error.as_deref(), Some("error"));
    // What the panic said may quote the request, so it is not for the log either.
    assert_eq!(response.note.failure.as_deref(), Some("a panic"));
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
        service.alter(
            &format!("UPDATE contract SET record = x'{garbage}' WHERE id & 4294967295 = 1"),
            &format!("UPDATE contract SET record = '\\x{garbage}' WHERE reg_num = '2'"),
        );
        service.alter(
            "DELETE FROM contract_facet",
            "UPDATE contract SET customer_inn = '9600000191', is_customer_named = 1 \
             WHERE reg_num = '2'",
        );
        service.alter(
            &format!("UPDATE purchase SET record = x'{garbage}'"),
            &format!("UPDATE purchase SET record = '\\x{garbage}'"),
        );
        // A file whose entries are damaged is not opened.
        service.alter(
            "UPDATE supplier SET given_name = 'damaged' WHERE inn IN (SELECT inn FROM rnp_entry)",
            &format!("UPDATE rnp_entry SET record = '\\x{garbage}'"),
        );
        for (target, root) in GOOD.iter().zip([
            "data",
            "data",
            "Purchase44",
            "Purchase223",
            "Purchase615",
            "Purchase615",
            "data",
            "data",
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
    if !source::is_server() {
        assert!(procurement_lookup::store::check(&service.database()).is_err());
    }
}

#[test]
fn contracts_that_are_missing_are_a_server_error() {
    let mut service = service();
    check(&mut service, GOOD[0], "200 xml");
    service.alter(
        "DELETE FROM contract WHERE id & 4294967295 = 0",
        "DELETE FROM contract WHERE reg_num = '1'",
    );
    // Another page, as that one is kept.
    check(
        &mut service,
        &format!("{}&limit=50&format=json", GOOD[0]),
        r#"500 {"error":"server error"}"#,
    );
    check(
        &mut service,
        &format!("{}&limit=50", GOOD[0]),
        "500 <data><error>server error</error></data>",
    );
}
