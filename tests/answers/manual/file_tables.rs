//! The chapter on the tables of the data file: its queries run, it names every table and every
//! column of the views, and the views agree with the records.

use std::collections::{BTreeMap, BTreeSet};

use procurement_lookup::manual::Chapter;
use procurement_lookup::model::{Amount, Language, RecordFact};
use procurement_lookup::store::{Database, Error};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};

use super::root;
use super::tables::Table;

/// The three views, each with the index of its heading in the chapter.
const VIEWS: [(&str, usize); 3] = [("v_contract", 0), ("v_purchase", 1), ("v_rnp_entry", 2)];

/// Opens the demonstration data without registering the program's SQL functions.
fn demonstration() -> Connection {
    let path = root().join("data/demo.sqlite");
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the data")
}

fn chapter(language: Language) -> &'static str {
    let chapter = Chapter::on("tables").expect("a chapter");
    chapter.text(language)
}

fn rows(data: &Connection, sql: &str) -> Vec<Vec<Value>> {
    let mut statement = data.prepare(sql).expect(sql);
    let columns = statement.column_count();
    let rows = statement.query_map((), |row| (0..columns).map(|at| row.get(at)).collect());
    rows.expect(sql).map(|row| row.expect(sql)).collect()
}

fn text(value: &Value) -> &str {
    match value {
        Value::Text(text) => text,
        Value::Null => "",
        other => panic!("not a text: {other:?}"),
    }
}

#[test]
fn every_query_of_the_chapter_finds_something() {
    let data = demonstration();
    for language in Language::ALL {
        let blocks = chapter(language).split("```sql\n").skip(1);
        let queries: Vec<&str> = blocks.filter_map(|rest| rest.split("```").next()).collect();
        assert!(queries.len() > 8, "{queries:?}");
        for query in queries {
            assert!(!rows(&data, query).is_empty(), "{query}");
        }
    }
}

#[test]
fn the_chapter_names_every_column_of_a_view_and_every_table() {
    let data = demonstration();
    for language in Language::ALL {
        let views = chapter(language).split("\n### ").skip(1);
        let views: Vec<&str> = views.collect();
        for (view, at) in VIEWS {
            let described = Table::parse(views[at].split("\n## ").next().expect("a section"));
            let described: Vec<_> = described.rows.iter().map(|row| row[0].clone()).collect();
            let sql = format!("SELECT '`' || name || '`' FROM pragma_table_info('{view}')");
            let columns: Vec<_> = rows(&data, &sql)
                .iter()
                .map(|row| text(&row[0]).to_owned())
                .collect();
            assert_eq!(described, columns, "{view}");
        }
        let sections = chapter(language).split("\n## ");
        let tables = sections
            .map(Table::parse)
            .filter(|table| table.rows.len() > 20);
        let described = tables.last().expect("the list of tables");
        let described: BTreeSet<_> = described.rows.iter().map(|row| row[0].clone()).collect();
        let sql = "SELECT '`' || name || '`' FROM sqlite_schema WHERE type = 'table' AND \
                   name NOT GLOB 'content_index_*' AND name NOT GLOB 'name_index_*' AND \
                   name NOT GLOB 'sqlite_*'";
        let tables: BTreeSet<_> = rows(&data, sql)
            .iter()
            .map(|row| text(&row[0]).to_owned())
            .collect();
        assert_eq!(described, tables);
    }
}

#[test]
fn the_view_of_contracts_equals_the_records() {
    let mut viewed = BTreeMap::new();
    let sql = "SELECT supplier_inn, reg_num, sign_date, update_date, stage, customer_inn, \
               supplier_name, price, has_subcontractors, terminated_by_supplier, \
               terminated_by_customer, terminated_by_court, terminated_mutually, has_penalties, \
               has_guarantee_claims FROM v_contract";
    for row in rows(&demonstration(), sql) {
        let texts: Vec<String> = row[..7]
            .iter()
            .map(|value| text(value).to_owned())
            .collect();
        let price: Option<Amount> = text(&row[7]).parse().ok();
        let flags: Vec<bool> = row[8..]
            .iter()
            .map(|flag| *flag == Value::Integer(1))
            .collect();
        viewed.insert(texts, (price, flags));
    }
    let mut recorded = BTreeMap::new();
    let database = Database::bundled().expect("the data");
    database
        .suppliers(|inn, supplier| {
            database.contracts(supplier, &mut |contract| {
                let stage = contract.stage.map_or("", |stage| stage.code());
                let texts = [
                    inn.as_str(),
                    &contract.reg_num.text(),
                    &contract.sign_date.text(),
                    &contract.update_date.text(),
                    stage,
                    &contract.customer_inn.text(),
                    supplier.name(),
                ];
                let facts: Vec<RecordFact> = RecordFact::of(contract).collect();
                let facts = RecordFact::ALL.iter().map(|fact| facts.contains(fact));
                let flags: Vec<bool> = [contract.has_subcontractors]
                    .into_iter()
                    .chain(facts)
                    .collect();
                let price: Option<Amount> = contract.price.text().parse().ok();
                recorded.insert(texts.map(str::to_owned).to_vec(), (price, flags));
            })?;
            Ok::<(), Error>(())
        })
        .expect("all contracts");
    assert!(recorded.len() > 1_000, "{}", recorded.len());
    assert_eq!(viewed, recorded);
}

#[test]
fn the_view_of_purchases_equals_the_cards() {
    let data = demonstration();
    let sql = "SELECT number, published, price, closes FROM v_purchase";
    let mut viewed: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in rows(&data, sql) {
        viewed.insert(text(&row[0]).to_owned(), row);
    }
    let mut seen = 0;
    let database = Database::bundled().expect("the data");
    database
        .purchases(|purchase| {
            let number = purchase.number();
            let row = &viewed[number.as_str()];
            let published = purchase
                .published()
                .map_or(String::new(), |day| day.to_string());
            assert_eq!(text(&row[1]), published, "{number:?}");
            assert_eq!(text(&row[2]).parse().ok(), purchase.price(), "{number:?}");
            let closes = purchase.closes();
            if let Some((moment, (hour, minute))) = closes.and_then(|it| Some((it, it.time()?))) {
                let expected = format!("{} {hour:02}:{minute:02}", moment.date());
                assert_eq!(text(&row[3]), expected, "{number:?}");
                seen += 1;
            }
            Ok::<(), Error>(())
        })
        .expect("all purchases");
    assert!(seen > 30, "{seen}");
}
