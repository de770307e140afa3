//! Imports with one thread and with several.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::*;

/// More purchases than one round of deriving records can hold.
const PURCHASES: usize = 1_100;

fn purchase_number(purchase: usize) -> String {
    format!("0396{purchase:015}")
}

/// Returns the documents of all purchases by kind: notices, contracts with a few suppliers,
/// procedures. Some purchases have no notice, and one of them has most of the contracts.
pub fn documents() -> [String; 3] {
    let mut all = [(); 3].map(|()| String::new());
    let [notices, contracts, procedures] = &mut all;
    for at in 0..PURCHASES {
        let purchase = purchase_number(if at % 3 == 0 { 0 } else { at });
        let (number, day) = (format!("2960000003025{at:06}"), at % 28 + 1);
        if at % 5 != 1 {
            *notices += &format!(
                "<epNotificationEF2020><versionNumber>1</versionNumber><commonInfo>\
                 <purchaseNumber>{}</purchaseNumber>\
                 <publishDTInEIS>2025-01-{day:02}T10:00:00+03:00</publishDTInEIS>\
                 <purchaseObjectInfo>Парты {at}</purchaseObjectInfo></commonInfo></epNotificationEF2020>",
                purchase_number(at)
            );
        }
        *contracts += &format!(
            "<contract><id>{at}</id><regNum>{number}</regNum>\
             <publishDate>2025-02-{day:02}T12:00:00+03:00</publishDate>\
             <foundation><fcsOrder><order><notificationNumber>{purchase}</notificationNumber>\
             <lotNumber>1</lotNumber></order></fcsOrder></foundation>\
             <customer><fullName>Школа {}</fullName><inn>960000{:04}</inn></customer>\
             <signDate>2025-02-{day:02}</signDate><contractSubject>Стулья {at}</contractSubject>\
             <priceInfo><price>{at}.5</price><priceRUR>{at}.5</priceRUR></priceInfo><suppliers><supplier>\
             <legalEntityRF><INN>961000{:04}</INN><fullName>Ромашка {at}</fullName></legalEntityRF>\
             </supplier></suppliers></contract>",
            at % 11,
            at % 11,
            at * at % 37
        );
        *procedures += &format!(
            "<contractProcedure><id>{at}</id><regNum>{number}</regNum>\
             <publishDate>2025-03-{day:02}T12:00:00+03:00</publishDate>\
             <currentContractStage>EC</currentContractStage></contractProcedure>"
        );
    }
    all.map(|documents| format!("<export>{documents}</export>"))
}

/// Returns the rows of all tables, including full-text indexes, but without the tables that contain
/// the identity of the data and the times of imports.
pub fn tables(folder: &Folder) -> Vec<(String, Vec<Vec<Value>>)> {
    let file = Connection::open(folder.database()).expect("the file opens");
    let names = "SELECT name, sql FROM sqlite_schema WHERE sql LIKE 'CREATE TABLE%' \
                 AND name NOT IN ('meta', 'revision', 'archive') ORDER BY name";
    let mut names = file.prepare(names).expect("the schema");
    let names = names.query_map((), |row| Ok((row.get(0)?, row.get(1)?)));
    let names: Vec<(String, String)> = names
        .expect("names")
        .map(|name| name.expect("one"))
        .collect();
    let rows = |(name, sql): (String, String)| {
        let order = if sql.contains("WITHOUT ROWID") {
            "1"
        } else {
            "rowid"
        };
        let sql = format!("SELECT * FROM \"{name}\" ORDER BY {order}");
        let mut rows = file.prepare(&sql).expect("a table");
        let columns = rows.column_count();
        let rows = rows.query_map((), |row| (0..columns).map(|at| row.get(at)).collect());
        let rows = rows.expect("rows").map(|row| row.expect("a row"));
        (name, rows.collect())
    };
    names.into_iter().map(rows).collect()
}

#[test]
fn the_rows_do_not_depend_on_the_number_of_threads() {
    let names = ["1.xml", "2.xml", "3.xml"];
    let imported = |threads: &str, names: &[&str]| {
        let folder = Folder::new();
        for (name, documents) in ["1.xml", "2.xml", "3.xml"].iter().zip(documents()) {
            folder.write(name, documents);
        }
        for names in names.chunks(2) {
            let output = command(&folder, names)
                .env("RAYON_NUM_THREADS", threads)
                .output()
                .expect("it runs");
            assert_eq!(output.status.code(), Some(0), "{output:?}");
        }
        store::check(&folder.database()).expect("the database is sound");
        folder
    };
    let all = |folder: &Folder| {
        let length = fs::metadata(folder.database()).expect("a file").len();
        (tables(folder), length)
    };
    let (one, several) = (imported("1", &names), imported("5", &names));
    let (one, several) = (all(&one), all(&several));
    for (one, several) in one.0.iter().zip(&several.0) {
        assert!(one == several, "{}", one.0);
    }
    let rows = |name: &str| {
        one.0
            .iter()
            .find(|table| table.0 == name)
            .expect("a table")
            .1
            .len()
    };
    assert_eq!(rows("contract"), PURCHASES);
    assert!(rows("purchase") > PURCHASES / 2 && rows("content_index_data") > 2);
    assert_eq!((one.0.len(), one.1), (several.0.len(), several.1));
}
