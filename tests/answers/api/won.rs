//! Purchases that a supplier won: which cards count, their order, and how imports change the list.

use super::{check, csv};
use crate::service::{Service, body};

const WON: &str = "/purchase/won-by-supplier";

fn card223(number: &str, winners: &str) -> String {
    format!(
        r#"{{"type":"purchase223","purchase":{{"purchaseNumber":"{number}","docPublishDate":"01.02.2025","purchaseObjectInfo":"Уголь","mainCustomer":{{"inn":"9600000101","fullName":"Завод"}},"winners":{{"winner":[{winners}]}}}}}}"#
    )
}

fn card615(number: &str, winner: &str) -> String {
    format!(
        r#"{{"type":"purchase615","purchase":{{"purchaseNumber":"{number}","docPublishDate":"01.03.2025","purchaseObjectInfo":"Крыша","responsibleOrg":{{"inn":"9600000102","fullName":"Фонд"}},{winner}}}}}"#
    )
}

fn rows(service: &mut Service, query: &str) -> Vec<[String; 3]> {
    let response = service.get(&format!("{WON}?{query}&apikey=KEY&format=csv"));
    let table = csv::rows(body(&response));
    let row = |row: &Vec<String>| [3, 5, 6].map(|at| row[at].clone());
    table.iter().skip(1).map(row).collect()
}

#[test]
fn purchases_of_a_winner_are_newest_first_and_follow_the_cards() {
    let lines = [
        card223(
            "32500000001",
            r#"{"inn":"9600000001","date":"05.04.2025","price":"10.50"},{"inn":"9600000001","date":"06.04.2025","price":2},{"inn":"9600000002"}"#,
        ),
        // Without a date of winning, purchases are sorted by publication date, then by number.
        card223("32500000002", r#"{"inn":"9600000001"}"#),
        card223("32500000003", r#"{"inn":"9600000001"}"#),
        card223("32500000004", r#"{"inn":"no INN"}"#),
        card615(
            "029600000102500001",
            r#""winner":{"inn":"9600000001","protocolDate":"07.03.2025","price":7}"#,
        ),
        // If no winner is named, the suppliers of the contract count as winners.
        card615(
            "029600000102500002",
            r#""contract":{"regNum":"1","price":8,"suppliers":{"supplier":[{"inn":"9600000002"}]}}"#,
        ),
        r#"{"type":"supplier","supplier":{"inn":"9600000001","name":"ООО \"А\""}}"#.to_owned(),
    ];
    let mut service = Service::over(&lines.join("\n"));
    let all = [
        ["32500000001", "2025-04-06", "12.5"],
        ["029600000102500001", "2025-03-07", "7"],
        ["32500000003", "2025-02-01", ""],
        ["32500000002", "2025-02-01", ""],
    ];
    assert_eq!(rows(&mut service, "supplierINN=9600000001"), all);
    assert_eq!(
        rows(&mut service, "supplierINN=9600000001&skip=1&limit=2"),
        all[1..3]
    );
    let other = [
        ["32500000001", "2025-02-01", ""],
        ["029600000102500002", "2025-03-01", "8"],
    ];
    assert_eq!(
        rows(&mut service, "supplierINN=9600000002"),
        [other[1], other[0]]
    );
    let json = format!("{WON}?supplierINN=9600000001&apikey=KEY&format=json&limit=1&skip=1");
    assert_eq!(
        body(&service.get(&json)),
        concat!(
            r#"{"supplierINN":"9600000001","supplierName":"ООО \"А\"","totalcount":4,"skip":1,"limit":1,"purchases":["#,
            r#"{"kind":"purchase615","purchaseNumber":"029600000102500001","subject":"Крыша","date":"2025-03-07","price":7,"customerInn":"9600000102","customerName":"Фонд"}]}"#,
        )
    );
    check(
        &mut service,
        &format!("{WON}?apikey=KEY"),
        "200 <data><code>400</code><error>Некорректный ИНН поставщика.</error></data>",
    );
    // The card has no field for winners under 223-FZ.
    let card = "/purchase/demo223?purchaseNumber=32500000001&apikey=KEY&format=json";
    assert!(!body(&service.get(card)).contains("winner"));
    // A later card names another winner.
    service.import(&card223("32500000001", r#"{"inn":"9600000002"}"#));
    assert_eq!(rows(&mut service, "supplierINN=9600000001"), all[1..]);
    procurement_lookup::store::check(&service.database()).expect("a sound file");
}
