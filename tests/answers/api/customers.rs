//! `/contract/monitor-customer44`: the contracts of a customer.

use std::cmp::Reverse;

use proptest::prelude::*;
use serde_json::Value;

use super::*;

const CUSTOMERS: &str = "/contract/monitor-customer44";

/// A contract as it is imported, in few numbers: the supplier, the registry number, day of
/// signing, price and stage.
type Line = (u8, u16, u8, u8, u8);

fn line((supplier, number, day, price, stage): Line) -> String {
    let date = match day {
        0 => String::new(),
        day => format!("2025-01-{day:02}"),
    };
    let stage = ["", "E", "EC"][usize::from(stage)];
    let price = match price {
        0 => "null".to_owned(),
        price => format!("{price}.5"),
    };
    format!(
        r#"{{"type":"contract","supplier":{{"inn":"960000000{supplier}","name":"П{supplier}"}},"contract":{{"regNum":"{number}","customerInn":"9600000100","customerName":"З{number}","signDate":"{date}","updateDate":"{date}","contractPrice":{price},"contractStage":"{stage}"}}}}
{{"type":"contract","supplier":{{"inn":"9600000099"}},"contract":{{"regNum":"{number}","customerInn":"96000001000"}}}}
"#
    )
}

fn page(service: &mut Service, query: &str) -> Value {
    let target = format!("{CUSTOMERS}?customerINN=9600000100&apikey=KEY&format=json{query}");
    serde_json::from_str(body(&service.get(&target))).expect("JSON")
}

/// Each contract of the pages as supplier, registry number, day and price.
fn pages(
    service: &mut Service,
    query: &str,
    limit: usize,
) -> Vec<(String, String, String, Option<u64>)> {
    let mut all = Vec::new();
    loop {
        let page = page(
            service,
            &format!("{query}&skip={}&limit={limit}", all.len()),
        );
        let contracts = page["contracts"].as_array().expect("contracts");
        let total = page["totalcount"].as_u64().expect("a count") as usize;
        assert_eq!(contracts.len(), limit.min(total - all.len()), "{query}");
        if contracts.is_empty() {
            return all;
        }
        all.extend(contracts.iter().map(|one| {
            let text = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
            let price = one["contractPrice"]
                .as_f64()
                .map(|price| (price * 10.0) as u64);
            assert_eq!(
                text("supplierName"),
                format!("П{}", &text("supplierINN")[9..])
            );
            (text("supplierINN"), text("regNum"), text("signDate"), price)
        }));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pages_visit_each_contract_once_in_the_order_of_signing_then_number(
        batches in proptest::collection::vec(
            proptest::collection::vec((1..5_u8, 0..40_u16, 0..6_u8, 0..4_u8, 0..3_u8), 0..50), 1..4),
        limit in 1..9_usize,
    ) {
        let mut service = Service::over("");
        let mut stored = std::collections::BTreeMap::new();
        for batch in batches {
            service.import(&batch.iter().copied().map(line).collect::<String>());
            for one in batch {
                stored.insert((one.0, one.1), one);
            }
        }
        let row = |one: &Line| (
            format!("960000000{}", one.0),
            one.1.to_string(),
            if one.2 == 0 { String::new() } else { format!("2025-01-{:02}", one.2) },
            (one.3 > 0).then(|| u64::from(one.3) * 10 + 5),
        );
        let mut expected: Vec<_> = stored.values().map(row).collect();
        let key = |(inn, number, day, _): &(String, String, String, Option<u64>)| {
            (day.clone(), number.clone(), inn.clone())
        };
        expected.sort_by_key(|one| Reverse(key(one)));
        prop_assert_eq!(&pages(&mut service, "", limit), &expected);
        expected.sort_by_key(|one| (one.2.is_empty(), key(one)));
        prop_assert_eq!(&pages(&mut service, "&sort=signDate", limit), &expected);
        prop_assert_eq!(&pages(&mut service, "&sort=updateDate", limit), &expected);
        expected.sort_by_key(|one| (Reverse(one.3), Reverse(key(one))));
        prop_assert_eq!(&pages(&mut service, "&sort=-contractPrice", limit), &expected);
        let executed = stored.values().filter(|one| one.4 == 1 && one.2 > 2 && one.3 > 1);
        let mut expected: Vec<_> = executed.map(row).collect();
        expected.sort_by_key(|one| Reverse(key(one)));
        let query = "&stage=E&signedFrom=2025-01-03&updatedFrom=2025-01-03&priceFrom=2&priceTo=3.5";
        prop_assert_eq!(&pages(&mut service, query, limit), &expected);
        let mut expected: Vec<_> = stored.values().filter(|one| (2..4).contains(&one.2)).map(row).collect();
        expected.sort_by_key(|one| Reverse(key(one)));
        prop_assert_eq!(&pages(&mut service, "&signedFrom=2025-01-02&signedTo=2025-01-03", limit), &expected);
        procurement_lookup::store::check(&service.database()).expect("a sound file");
    }
}

#[test]
fn a_contract_has_its_supplier_first_and_the_customer_its_latest_name() {
    let mut service = Service::over(
        &[(1, 7, 3, 1, 1), (2, 8, 2, 0, 0), (1, 9, 0, 0, 0)]
            .map(line)
            .concat(),
    );
    let target = format!("{CUSTOMERS}?customerInn=9600000100&apikey=KEY&limit=1&skip=1");
    let response = service.get(&target);
    let text = body(&response);
    let beginning = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><response>\
        <customerINN>9600000100</customerINN><customerName>З7</customerName>\
        <totalcount>3</totalcount><skip>1</skip><limit>1</limit><contracts><contract>\
        <supplierINN>9600000002</supplierINN><supplierName>П2</supplierName>\
        <regNum>8</regNum><purchaseNumber/>";
    assert!(text.starts_with(beginning), "{text}");
    assert!(
        text.ends_with("</contract></contracts></response>"),
        "{text}"
    );
    let response = service.get(&format!("{target}&format=csv"));
    let text = body(&response);
    let (names, row) = text.split_once("\r\n").expect("two rows");
    assert!(
        names.starts_with("\u{feff}supplierINN,supplierName,regNum,"),
        "{names}"
    );
    assert!(row.starts_with("9600000002,П2,8,"), "{row}");
}
