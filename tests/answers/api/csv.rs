//! Answers as rows for a spreadsheet.

use super::CONTRACTS;
use crate::service::{Service, body, header};

/// The rows of a CSV document, as RFC 4180 has them.
pub fn rows(document: &str) -> Vec<Vec<String>> {
    let text = document
        .strip_prefix('\u{feff}')
        .expect("a byte order mark");
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {
                assert_eq!(chars.next(), Some('\n'));
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c => cell.push(c),
        }
    }
    assert!(
        !quoted && row.is_empty() && cell.is_empty(),
        "it ends in a row"
    );
    let width = rows.first().map_or(0, Vec::len);
    assert!(rows.iter().all(|row| row.len() == width), "{rows:?}");
    rows
}

fn asked(service: &mut Service, target: &str) -> Vec<Vec<String>> {
    let response = service.get(&format!("{target}&apikey=KEY&format=csv"));
    assert_eq!(
        header(&response, "Content-Type"),
        Some("text/csv; charset=utf-8")
    );
    rows(body(&response))
}

#[test]
fn what_a_spreadsheet_would_execute_is_text() {
    let line = r#"{"type":"contract","supplier":{"inn":"9600000002","name":"=1+1"},
        "contract":{"regNum":"1","purchaseObjectInfo":"=HYPERLINK(\"http://x\",\"y\")",
        "customerName":"@SUM(A1)","budgetName":"-2+3","OKTMO":"+7","deliveryTerm":"\tx",
        "contractPrice":-5.10,"signDate":"2025-01-01",
        "products":[{"code":"=A1","sum":1},{"code":"b","sum":null}]}}"#;
    let mut service = Service::over(&line.replace('\n', " "));
    let table = asked(&mut service, &format!("{CONTRACTS}?supplierINN=9600000002"));
    let cell = |name: &str| {
        let column = table[0].iter().position(|known| known == name).expect(name);
        table[1][column].as_str()
    };
    assert_eq!(cell("supplierIName"), "'=1+1");
    assert_eq!(
        cell("purchaseObjectInfo"),
        "'=HYPERLINK(\"http://x\",\"y\")"
    );
    assert_eq!(cell("customerName"), "'@SUM(A1)");
    assert_eq!(cell("budgetName"), "'-2+3");
    assert_eq!(cell("OKTMO"), "'+7");
    assert_eq!(cell("deliveryTerm"), "'\tx");
    assert_eq!(cell("contractPrice"), "-5.1");
    assert_eq!(cell("products"), "'=A1 | 1; b | ");
    assert_eq!(cell("bankGuaranteePayments"), "");
}
