//! Contracts by registry number, compared with a model.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use super::{check_lines, csv, service};
use crate::properties::few_cases;
use crate::service::{Service, body};

const SUPPLIERS: [&str; 4] = ["9600000002", "960000000003", "9600000021", "9600000001"];

/// Contract numbers that are easily confused: a leading zero, a letter, a space.
const NUMBERS: [&str; 5] = ["1", "01", "1a", "3960000000225000001", "№ 1"];

/// Latest imported price of each contract, keyed by the index of its number in [`NUMBERS`] and by
/// the INN of its supplier.
type Model = BTreeMap<(usize, &'static str), u32>;

fn line(number: usize, inn: &str, price: u32) -> String {
    let number = NUMBERS[number];
    format!(
        r#"{{"type":"contract","supplier":{{"inn":"{inn}","name":"ООО {inn}"}},"contract":{{"regNum":"{number}","signDate":"2025-01-02","contractPrice":{price}}}}}"#
    )
}

/// Returns the supplier and price of each contract with this number, or the error status.
fn found(service: &mut Service, number: &str) -> Result<Vec<(String, u32)>, u16> {
    let number = number.replace('№', "%E2%84%96").replace(' ', "%20");
    let target = format!("/contract/by-number?regNum={number}&apikey=KEY");
    let json = service.get(&format!("{target}&format=json"));
    if json.status != 200 {
        return Err(json.status.number());
    }
    let value: Value = serde_json::from_str(body(&json)).expect("JSON");
    let contracts = value["contracts"].as_array().expect("contracts");
    let rows = csv::rows(body(&service.get(&format!("{target}&format=csv"))));
    assert_eq!(rows.len(), contracts.len() + 1);
    let one = |contract: &Value| {
        let price = contract["contractPrice"].as_u64().expect("a price");
        let inn = contract["supplierINN"].as_str().expect("an INN");
        assert_eq!(contract["supplierName"], format!("ООО {inn}"));
        assert_eq!(contract["regNum"], value["regNum"]);
        (inn.to_owned(), price as u32)
    };
    Ok(contracts.iter().map(one).collect())
}

proptest! {
    #![proptest_config(few_cases(10))]

    #[test]
    fn a_contract_is_listed_once_for_each_of_its_suppliers_by_inn(
        lines in vec((0..NUMBERS.len(), select(&SUPPLIERS[..]), 1..1_000_u32), 1..30)
    ) {
        let mut model = Model::new();
        let mut text = Vec::new();
        for (number, inn, price) in lines {
            model.insert((number, inn), price);
            text.push(line(number, inn, price));
        }
        let mut service = Service::over(&text.join("\n"));
        for (at, number) in NUMBERS.into_iter().enumerate() {
            let of_it = model.iter().filter(|((one, _), _)| *one == at);
            let expected: Vec<_> = of_it.map(|((_, inn), price)| ((*inn).to_owned(), *price)).collect();
            let expected = if expected.is_empty() { Err(404) } else { Ok(expected) };
            prop_assert_eq!(found(&mut service, number), expected, "{}", number);
        }
    }
}

#[test]
fn an_unknown_number_is_a_404_and_a_missing_one_a_400() {
    check_lines(
        &mut service(),
        "/contract/by-number?apikey=KEY&format=json",
        "&regNum=0 -> 404 {\"code\":404,\"error\":\"Контракт не найден.\"}
         &regNum= -> 400 {\"code\":400,\"error\":\"Некорректный параметр regNum.\"}
         &regNum=1 -> 200 json",
    );
}
