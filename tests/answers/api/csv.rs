//! Answers as rows for a spreadsheet.

use super::{CONTRACTS, GOOD, P44, RNP, service};
use crate::service::{Service, body, header};
use procurement_lookup::model::Date;

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
fn a_page_has_a_row_for_each_contract_after_the_names() {
    let mut service = service();
    let table = asked(
        &mut service,
        &format!("{CONTRACTS}?supplierINN=9600000002&limit=2"),
    );
    assert_eq!(
        table[0][..4],
        ["supplierINN", "supplierIName", "regNum", "purchaseNumber"]
    );
    assert_eq!(table.len(), 3);
    assert_eq!(table[1][..3], ["9600000002", "ООО \"А\"", "3"]);
    assert_eq!(table[2][2], "2");
    let none = asked(&mut service, &format!("{CONTRACTS}?supplierINN=9600000999"));
    assert_eq!(none, table[..1]);
}

#[test]
fn a_file_is_named_after_what_was_asked() {
    let mut service = service();
    let names = GOOD.map(|target| {
        let response = service.get(&format!("{target}&format=csv"));
        header(&response, "Content-Disposition")
            .expect("it is a file")
            .to_owned()
    });
    let updated = service.get(GOOD[0]);
    let data = day_in_moscow(header(&updated, "X-Data-Updated").expect("a time"));
    let name = |name: &str| format!("attachment; filename=\"{name}.csv\"");
    assert_eq!(names[0], name(&format!("contracts-9600000002-{data}")));
    assert_eq!(names[1], name("rnp-9600000021-2025-06-15"));
    assert_eq!(names[6], name("rnp-2_suppliers-2025-06-15"));
    assert_eq!(names[2], name("purchase-0960000000025000001-2025-06-15"));
    let xml = service.get(GOOD[0]);
    assert_eq!(header(&xml, "Content-Disposition"), None);
}

/// The day of a time in UTC, `YYYY-MM-DDTHH:MM:SSZ`, in Moscow.
fn day_in_moscow(time: &str) -> Date {
    let day = Date::parse_iso(&time[..10]).expect("a day");
    let hour: u64 = time[11..13].parse().expect("an hour");
    day.plus_days((hour + 3) / 24)
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

/// The cells as a reader has them that takes quotes for text, or drops those that a cell
/// begins with.
fn cells(document: &str, separator: char) -> Vec<&str> {
    let text = document.trim_start_matches('\u{feff}');
    text.split([separator, '\r', '\n'])
        .flat_map(|cell| [cell, cell.trim_start_matches('"')])
        .collect()
}

#[test]
fn no_cell_begins_a_formula_whatever_separates_cells_and_what_was_put_there_can_be_removed() {
    for (text, expected) in [
        (r#"a\";=cmd"#, "a\";'=cmd"),
        (r#"x;\"=1+1"#, "x;\"'=1+1"),
        (r"x\n=1+1", "x\n'=1+1"),
        ("x;=1+1", "x;'=1+1"),
        ("x,=1+1", "x,'=1+1"),
        (r"x\t@A1", "x\t'@A1"),
        (r"x;\r\n", "x;'\r\n'"),
        ("'=1+1", "''=1+1"),
        ("a, 'b'; - c", "a, 'b'; - c"),
    ] {
        let line =
            format!(r#"{{"type":"supplier","supplier":{{"inn":"9600000021","name":"{text}"}}}}"#);
        let mut service = Service::over(&line);
        let target = format!("{RNP}?supplierINN=9600000021");
        assert_eq!(asked(&mut service, &target)[1][1], expected);
        let response = service.get(&format!("{target}&apikey=KEY&format=csv"));
        for separator in [',', ';', '\t'] {
            for cell in cells(body(&response), separator) {
                let begins = cell.starts_with(['=', '+', '-', '@', '\t']);
                assert!(!begins, "{cell:?} by {separator:?}");
            }
        }
    }
}

#[test]
fn a_supplier_without_an_entry_has_a_row_that_says_so() {
    let lines = r#"{"type":"supplier","supplier":{"inn":"9600000021","name":"Б"}}"#;
    let mut service = Service::over(lines);
    let table = asked(&mut service, &format!("{RNP}?supplierINN=9600000021"));
    assert_eq!(table.len(), 2);
    assert_eq!(table[1][..3], ["9600000021", "Б", "false"]);
    assert!(table[1][3..11].iter().all(String::is_empty));
}

#[test]
fn a_card_under_44_fz_has_the_fields_of_both_formats_each_once() {
    let mut service = service();
    let table = asked(
        &mut service,
        &format!("{P44}?purchaseNumber=0960000000025000001"),
    );
    let paths: Vec<&str> = table.iter().map(|row| row[0].as_str()).collect();
    for path in [
        "canceld",
        "procedureInfo.firstPartsDate",
        "procedureInfo.stage2.scoring",
    ] {
        let count = paths.iter().filter(|known| **known == path).count();
        assert_eq!(count, 1, "{path} in {paths:?}");
    }
}
