//! Which of several mistakes is answered.

use super::{
    CONTRACTS, P44, P223, P615, RNP, UNKNOWN_PATH, WRONG_METHOD, check_lines, outcome, service,
};

#[test]
fn checks_run_in_their_order() {
    let mut service = service();
    for (path, parameter, bad_key, bad_parameter) in [
        (CONTRACTS, "supplierINN", "200 bad key", "200 bad INN"),
        (RNP, "supplierINN", "401 bad key", "400 bad INN"),
        (P44, "purchaseNumber", "200 bad key", "200 bad number"),
        (P223, "purchaseNumber", "200 bad key", "200 bad number"),
        (P615, "purchaseNumber", "200 bad key", "200 bad number"),
    ] {
        // The first request has every error. Each later one corrects the error that the one before
        // was refused for.
        let wrong = format!("{parameter}=1&format=json");
        let nowhere = service.ask("PUT", &format!("{path}/x?{wrong}"), &[]);
        assert_eq!(outcome(&nowhere), format!("404 {UNKNOWN_PATH}"));
        let put = service.ask("PUT", &format!("{path}?{wrong}"), &[]);
        assert_eq!(outcome(&put), format!("405 {WRONG_METHOD}"));
        let lines = format!("?{wrong} -> {bad_key}\n?{wrong}&apikey=KEY -> {bad_parameter}");
        check_lines(&mut service, path, &lines);
    }
    check_lines(
        &mut service,
        "/contract/monitor-supplier44?apikey=KEY",
        "&limit=500&skip=-1&supplierINN=1&format=yaml -> 200 bad format
         &limit=500&skip=-1&supplierINN=1&format=json -> 200 bad INN
         &limit=x&skip=-1&supplierINN=9600000002&format=json -> 200 bad skip
         &limit=x&skip=1&stage=x&supplierINN=9600000002&format=json -> 200 bad limit
         &limit=200&skip=1&supplierINN=9600000002&format=json -> 200 json",
    );
}
