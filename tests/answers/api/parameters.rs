//! Parameters: their names and the validation of their values.

use super::{CONTRACTS, PAGE, RNP, check, check_lines, service};

const ASKED: &str = "/contract/monitor-supplier44?apikey=KEY&format=json&supplierINN=9600000002";

#[test]
fn parameters_have_aliases_and_case_counts() {
    let mut service = service();
    for (path, inn, bad_inn) in [
        (CONTRACTS, "9600000002", "200 bad INN"),
        (RNP, "9600000021", "400 bad INN"),
    ] {
        for key in ["apikey", "api_key"] {
            let lines = format!(
                "supplierINN={inn} -> 200 json
                 supplierInn={inn} -> 200 json
                 supplierinn={inn} -> {bad_inn}
                 SupplierINN={inn} -> {bad_inn}
                 inn={inn} -> {bad_inn}"
            );
            check_lines(
                &mut service,
                &format!("{path}?{key}=KEY&format=json&"),
                &lines,
            );
        }
    }
    check_lines(
        &mut service,
        "/contract/monitor-supplier44?supplierINN=9600000002&format=json&",
        "apiKey=KEY -> 200 bad key
         api-key=KEY -> 200 bad key
         APIKEY=KEY -> 200 bad key
         key=KEY -> 200 bad key",
    );
    // FORMAT is an unknown parameter, so the answer is XML.
    check(&mut service, &format!("{PAGE}&FORMAT=json"), "200 xml");
}

#[test]
fn a_repeated_parameter_must_have_the_same_value() {
    check_lines(
        &mut service(),
        ASKED,
        "&supplierINN=9600000002 -> 200 json
         &supplierInn=9600000002 -> 200 json
         &supplierInn=%39600000002 -> 200 json
         &supplierInn= -> 200 json
         &skip=1&skip=1&limit=5&limit=+5 -> 200 json
         &format=json -> 200 json
         &purchaseNumber=1&purchaseNumber=2 -> 200 json
         &supplierInn=9600000003 -> 200 bad supplierINN
         &skip=7&skip=007 -> 200 bad skip
         &skip=1&skip=%FF -> 200 bad skip
         &skip=%FF&skip=%FF -> 200 bad skip
         &limit=7&limit=500 -> 200 bad limit
         &format=xml -> 200 bad format
         &format=JSON -> 200 bad format",
    );
}

#[test]
fn undecodable_values_of_known_parameters_are_refused() {
    let mut service = service();
    for value in ["%", "%4", "%zz", "%FF", "%D0", "9600000002%C3%28"] {
        let lines = format!(
            "/contract/monitor-supplier44?apikey=KEY&format=json&supplierINN={value} -> 200 bad supplierINN
             /rnp/check-supplier?apikey=KEY&format=json&supplierInn={value} -> 400 bad supplierINN
             /purchase/demo223?apikey=KEY&format=json&purchaseNumber={value} -> 200 bad purchaseNumber
             {ASKED}&skip={value} -> 200 bad skip
             {ASKED}&limit={value} -> 200 bad limit
             {ASKED}&purchaseNumber={value} -> 200 json
             {ASKED}&unknown={value} -> 200 json
             {ASKED}&%FF=1 -> 200 json
             /rnp/check-supplier?supplierINN=9600000021&apikey=KEY&skip={value} -> 200 xml
             /rnp/check-supplier?supplierINN=9600000021&apikey=KEY&format={value} -> 400 bad format"
        );
        check_lines(&mut service, "", &lines);
    }
}

#[test]
fn values_are_decoded_and_trimmed_and_unknown_parameters_ignored() {
    check_lines(
        &mut service(),
        "/contract/monitor-supplier44?",
        "supplierINN=+9600000002%20&apikey=KEY&format=%20json%09 -> 200 json
         supplier%49NN=%39600000002&apikey=KEY&form%61t=j%73on -> 200 json
         &&supplierINN=9600000002&&apikey=KEY&format=json& -> 200 json
         supplierINN=9600000002&apikey=KEY&format=json&skip=&limit=&other -> 200 json
         supplierINN=9600000002&apikey=KEY&format=json&asof=x&a=1&a=2&= -> 200 json
         supplierINN=%20+&supplierINN=9600000002&apikey=KEY&format=json -> 200 json",
    );
}
