//! Workbooks, parsed part by part, have the same cells as the CSV responses.

use std::collections::BTreeSet;

use procurement_lookup::api::response::receipt::sha256;
use procurement_lookup::model::{Date, Language, Moment};
use procurement_lookup::render::codes::code_words;

use super::requests::answers;
use super::service;
use crate::api::csv;
use crate::service::{Service, body, header};
use crate::workbook::{Cell, part, rows};

/// Removes the apostrophes that protect a CSV cell from being read as a formula
/// (`render/as_csv.rs`).
fn restored(cell: &str) -> String {
    let mut text = String::new();
    let mut begins = true;
    for letter in cell.chars() {
        if letter == '\'' && begins {
            begins = false;
            continue;
        }
        // XML, the format inside workbooks, forbids some characters.
        let is_allowed = matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
        text.push(if is_allowed { letter } else { '\u{fffd}' });
        let separates = matches!(letter, ',' | ';' | '\t' | '\r' | '\n');
        begins = separates || (begins && letter == '"');
    }
    text
}

/// Converts a spreadsheet serial number (from 1 March 1900 on) to date and time.
fn moment(serial: &str) -> String {
    let (days, part) = serial.split_once('.').unwrap_or((serial, "0"));
    let days: u64 = days.parse().expect("a day");
    let date = Date::parse_iso("1899-12-30")
        .expect("a day")
        .plus_days(days);
    let part: f64 = format!("0.{part}").parse().expect("a part of a day");
    let minutes = (part * 1440.0).round() as u16;
    let mut text = Vec::new();
    let (hour, minute) = ((minutes / 60) as u8, (minutes % 60) as u8);
    let at = Moment::at(date, hour, minute).expect("a time");
    at.write_dotted(&mut text);
    String::from_utf8(text).expect("ASCII")
}

/// Returns whether a cell matches the value of a CSV column. In workbooks, flags and codes are
/// words.
fn is_same(cell: &Cell, name: &str, csv: &str) -> bool {
    let words = match csv {
        "true" => Some("да"),
        "false" => Some("нет"),
        code => code_words(name, code, Language::Russian),
    };
    match cell {
        Cell::Empty => csv.is_empty(),
        Cell::Text(text) => match words {
            Some(words) => text == words || name == "kind" && text == csv,
            None => *text == restored(csv) || *text == csv,
        },
        Cell::Number(serial, format) if format.contains("yy") => {
            let date = Date::parse_iso(csv).map(Moment::from_day);
            let expected = date.or_else(|| Moment::parse_dotted(csv)).expect("a day");
            let mut text = Vec::new();
            expected.write_dotted(&mut text);
            let expected = String::from_utf8(text).expect("ASCII");
            moment(serial).starts_with(&expected)
        }
        Cell::Number(number, _) => {
            let read = |text: &str| text.parse::<f64>().expect("a number");
            read(number).to_string() == csv && read(csv).to_string() == csv
        }
    }
}

fn answer(service: &mut Service, path: &str, query: &str, more: &str) -> Vec<u8> {
    let target = format!("{path}?{query}&apikey=KEY&{more}");
    let response = service.get(&target);
    assert_eq!(response.status, 200, "{target}");
    response.body
}

/// Converts the index of a CSV column to the index of the same column in the workbook, where the
/// term of execution takes two additional columns.
fn place(names: &[String], at: usize) -> usize {
    let before = names.iter().take(at);
    at + 2 * before.filter(|name| *name == "deliveryTerm").count()
}

/// Checks that the rows of a workbook match those of the CSV. Returns how many cells contain text,
/// days and other numbers.
fn check_rows(case: &str, table: &[Vec<String>], workbook: &[Vec<Cell>]) -> [usize; 3] {
    // Field names with these endings denote registry numbers, which workbooks store as text.
    const TEXTS: [&str; 7] = [
        "INN",
        "Inn",
        "Number",
        "regNum",
        "OKTMO",
        "ikz",
        "purchaseCode",
    ];
    let names = &table[0];
    let mut kinds = [0; 3];
    for (row, cells) in table[1..].iter().zip(&workbook[2..]) {
        for (at, csv) in row.iter().enumerate() {
            let cell = cells.get(place(names, at)).unwrap_or(&Cell::Empty);
            let is_text = TEXTS.iter().any(|end| names[at].ends_with(end));
            let is_kind = !is_text || !matches!(cell, Cell::Number(..));
            assert!(
                is_kind && is_same(cell, &names[at], csv),
                "{case}: {} is {cell:?}, not {csv:?}",
                names[at]
            );
            match cell {
                Cell::Text(_) => kinds[0] += 1,
                Cell::Number(_, format) if format.contains("yy") => kinds[1] += 1,
                Cell::Number(..) => kinds[2] += 1,
                Cell::Empty => {}
            }
        }
    }
    kinds
}

#[test]
fn a_workbook_has_the_cells_of_the_csv() {
    let mut service = service();
    let mut kinds = [0; 3];
    for [case, path, query] in answers() {
        let csv = answer(&mut service, path, query, "format=csv");
        let expected = csv::rows(std::str::from_utf8(&csv).expect("UTF-8"));
        let found = rows(&answer(&mut service, path, query, "format=xlsx"));
        assert_eq!(
            found.len(),
            expected.len() + 1,
            "{case}: a title, and the same rows"
        );
        let found = check_rows(case, &expected, &found);
        kinds = std::array::from_fn(|kind| kinds[kind] + found[kind]);
    }
    assert!(kinds.iter().all(|count| *count > 20), "{kinds:?}");
}

#[test]
fn every_column_has_a_heading_of_its_own_in_both_languages() {
    let mut service = service();
    for [case, path, query] in answers() {
        let csv = answer(&mut service, path, query, "format=csv");
        let names = &csv::rows(std::str::from_utf8(&csv).expect("UTF-8"))[0];
        for language in ["ru", "en"] {
            let more = format!("format=xlsx&lang={language}");
            let table = rows(&answer(&mut service, path, query, &more));
            let mut headings = BTreeSet::new();
            for heading in &table[1] {
                let Cell::Text(heading) = heading else {
                    panic!("{case}: {heading:?}");
                };
                assert!(!names.contains(heading), "{case}: no words for {heading}");
                assert!(headings.insert(heading), "{case}: two are called {heading}");
            }
            assert_eq!(headings.len(), place(names, names.len()), "{case}");
        }
    }
}

#[test]
fn the_first_row_states_request_day_and_data() {
    let mut service = service();
    for (target, start, end) in [
        (
            "/contract/monitor-supplier44?stage=E,EC&skip=0",
            "Контракты поставщика. ИНН поставщика: 9600000002; состояние: исполнен, исполняется. \
             Последняя загрузка данных: ",
            " (МСК).",
        ),
        (
            "/rnp/check-supplier?lang=EN",
            "Is a supplier in the RNP? Supplier’s INN: 9600000002. As of 15 June 2025. \
             Last import: ",
            " (Moscow).",
        ),
    ] {
        let target = format!("{target}&supplierINN=9600000002&apikey=KEY&format=xlsx");
        let table = rows(&service.get(&target).body);
        let Cell::Text(title) = &table[0][0] else {
            panic!("{:?}", table[0][0]);
        };
        assert!(title.starts_with(start) && title.ends_with(end), "{title}");
    }
}

#[test]
fn a_file_has_all_results_or_says_that_it_is_incomplete() {
    let line = |number: u32| {
        format!(
            r#"{{"type":"contract","supplier":{{"inn":"9600000002"}},"contract":{{"regNum":"{number}","signDate":"2025-01-02","customerInn":"9600000101"}}}}"#
        )
    };
    // This is more rows than a workbook built in memory may have.
    let lines: Vec<String> = (0..2_050).map(line).collect();
    let mut service = Service::over(&lines.join("\n"));
    let last = ("&skip=2040", 10, "-skip_2040-10_of_2050");
    let limited = ("&limit=2040", 2_040, "-limit_2040-2040_of_2050");
    for (path, name, inn, large) in [
        (
            "/contract/monitor-supplier44",
            "supplierINN",
            "9600000002",
            ("", 2_050, ""),
        ),
        (
            "/contract/monitor-customer44",
            "customerINN",
            "9600000101",
            limited,
        ),
    ] {
        let target = format!("{path}?{name}={inn}&apikey=KEY");
        for (query, count, name) in [large, last] {
            let [as_csv, as_xlsx] = ["csv", "xlsx"]
                .map(|format| service.get(&format!("{target}&format={format}{query}")));
            for response in [&as_csv, &as_xlsx] {
                let of = |name: &str| header(response, name).expect("a header");
                assert_eq!(of("X-Row-Count"), count.to_string());
                assert_eq!(of("X-Total-Count"), "2050");
                let found = of("Content-Disposition");
                assert!(found.contains(&[inn, name, "-20"].concat()), "{found}");
            }
            assert_eq!(csv::rows(body(&as_csv)).len(), count + 1, "{query}");
            let table = rows(&as_xlsx.body);
            assert_eq!(table.len(), count + 2, "{query}");
            let title = format!("{:?}", table[0][0]);
            let says_so = title.contains(&format!(" Строк {count} из 2050."));
            assert_eq!(says_so, count < 2_050, "{title}");
            let numbers = table[2..].iter().map(|row| format!("{:?}", row[2]));
            assert_eq!(numbers.collect::<BTreeSet<_>>().len(), count, "each once");
        }
        let page = service.get(&format!("{target}&format=json"));
        assert_eq!(header(&page, "X-Row-Count"), None);
        let more = service.get(&format!("{target}&format=csv&limit=100001"));
        assert!(body(&more).contains("Разрешено 100000 макс."));
    }
}

#[test]
fn the_language_is_part_of_the_request() {
    let mut service = service();
    let target = "/contract/monitor-supplier44?supplierINN=9600000002&apikey=KEY&format=xlsx";
    let russian = service.get(target);
    let english = service.ask("GET", target, &[("Accept-Language", "en")]);
    assert_ne!(russian.body, english.body);
    assert_ne!(header(&russian, "ETag"), header(&english, "ETag"));
    for response in [&russian, &english] {
        let vary = header(response, "Vary");
        assert_eq!(vary, Some("Accept-Encoding, Accept-Language"));
    }
    let asked = service.get(&format!("{target}&lang=en"));
    assert_eq!(asked.body, english.body);
    assert_eq!(header(&asked, "ETag"), header(&english, "ETag"));
    assert_eq!(header(&asked, "Vary"), Some("Accept-Encoding"));
    // Other formats have no language, but the parameter is still validated.
    let json = target.replace("xlsx", "json");
    let plain = service.get(&json);
    assert_eq!(
        service.ask("GET", &json, &[("Accept-Language", "en")]),
        plain
    );
    assert_eq!(service.get(&format!("{json}&lang=en")), plain);
    let wrong = service.get(&format!("{json}&lang=de"));
    assert!(body(&wrong).contains("Некорректный параметр lang."));
}

#[test]
fn errors_are_workbooks_and_receipts_cover_their_bytes() {
    let mut service = service();
    let xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    let error = service.get("/purchase/demo44?purchaseNumber=1&apikey=KEY&format=xlsx&errors=http");
    assert_eq!(error.status, 400);
    assert_eq!(header(&error, "Content-Type"), Some(xlsx));
    assert_eq!(header(&error, "Content-Disposition"), None);
    let text = |text: &str| Cell::Text(text.to_owned());
    let code = Cell::Number("400".to_owned(), "0".to_owned());
    assert_eq!(
        rows(&error.body)[2],
        [code, text("Некорректный номер закупки.")]
    );
    service.sign();
    let target = "/rnp/check-supplier?supplierINN=9600000021&apikey=KEY&format=xlsx&receipt=1";
    let first = service.get(target);
    let receipt = header(&first, "X-Receipt").expect("a receipt");
    assert!(receipt.contains(&sha256(&first.body)), "{receipt}");
    // A workbook contains no time of creation, and is not compressed a second time.
    let packed = service.ask("GET", target, &[("Accept-Encoding", "gzip")]);
    assert_eq!(packed.body, first.body);
    assert_eq!(header(&packed, "Content-Encoding"), None);
    let name = "attachment; filename=\"rnp-9600000021-2025-06-15.xlsx\"";
    assert_eq!(header(&first, "Content-Disposition"), Some(name));
    let sheet = part(&first.body, "xl/worksheets/sheet1.xml");
    for setting in ["<autoFilter ref=\"A2:", "state=\"frozen\"", "<cols>"] {
        assert!(sheet.contains(setting), "{setting}");
    }
}
