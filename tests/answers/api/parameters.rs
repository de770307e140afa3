//! Parameters: their names, how their values are read, which values are taken.

use super::{
    BAD_INN, BAD_KEY, BAD_NUMBER, CONTRACTS, GOOD, P44, P223, P615, RNP, bad, check, has_statuses,
    service,
};
use crate::service::{body, header};

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
    check(&format!("{inn}&skip=1&skip=%FF"), &refused("skip"));
    check(&format!("{inn}&skip=%FF&skip=%FF"), &refused("skip"));
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
    check("supplierINN=%20+&supplierINN=9600000002&apikey=KEY&format=json");
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
    for format in ["csv", "CSV", "Csv"] {
        check(format, "200 csv");
    }
    for format in ["tsv", "json5", "xml,json", "text/xml", "0", "ｘｍｌ"] {
        for target in GOOD {
            let response = service.get(&format!("{target}&format={format}"));
            let status = if has_statuses(target) { 400 } else { 200 };
            assert_eq!(response.status, status, "{target}");
            let content_type = header(&response, "Content-Type");
            assert_eq!(content_type, Some("application/xml; charset=utf-8"));
            let error = "<code>400</code><error>Некорректный параметр format.</error></";
            assert!(body(&response).contains(error), "{}", body(&response));
        }
    }
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
        let response = service.get(&format!("{path}?purchaseNumber={number}&apikey=KEY"));
        match expected {
            Some(root) => assert!(
                body(&response).contains(&format!("<{root}><purchaseNumber>{number}<")),
                "{path} {number}"
            ),
            None => assert!(
                body(&response).contains("<code>400</code><error>Некорректный номер закупки."),
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
