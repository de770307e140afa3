//! Compares the content index after arbitrary imports with a scan of the records.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::super::check::check;
use super::super::data_file::DataFile;
use super::super::facet_columns::{FacetColumn, FacetRow, FacetValue};
use super::super::file::{DATA, open_to_write};
use super::super::lines::PackedLine;
use super::super::purchase_facets::{PurchaseFacets, closing_minute};
use super::super::query::Source;
use super::super::writer::Writer;
use super::*;
use crate::model::{
    ContentCode, Contract, ContractItem, ContractStage, Date, Lot44, Moment, ProcedureDates,
    Purchase44, PurchaseNumber, PurchaseObject44, PurchaseStage, RecordFact, Supplier,
    content_words,
};

const SUPPLIERS: [&str; 2] = ["9600000001", "960000000002"];
const SUBJECTS: [&str; 4] = ["поставка бумаги", "Бумага А4", "ремонт", ""];
const CUSTOMERS: [&str; 3] = ["7701000001", "9701000002", ""];
/// Name, code and OKPD2 of items. The second item's OKPD2 differs from its code.
const ITEMS: [[&str; 3]; 3] = [
    ["Бумага «Снежок»", "17.12.14.110-00000001", ""],
    ["", "32.50", "17.12.14"],
    ["клей", "17.121", ""],
];
const DAYS: [Option<&str>; 3] = [None, Some("2025-01-31"), Some("2025-02-01")];

#[derive(Clone, Debug)]
enum Line {
    Contract(&'static str, Box<Contract>),
    Purchase(Purchase),
}

fn contracts() -> impl Strategy<Value = Line> {
    let stage = prop_oneof![Just(None), select(&ContractStage::ALL[..]).prop_map(Some)];
    let texts = (
        select(&SUBJECTS[..]),
        select(&CUSTOMERS[..]),
        select(&DAYS[..]),
    );
    let owner = (select(&SUPPLIERS[..]), 1..5, vec(select(&ITEMS[..]), 0..2));
    (owner, texts, stage, any::<[bool; 3]>()).prop_map(
        |((supplier, number, items), (subject, customer, day), stage, [penalties, court, ends])| {
            let item = |[name, code, okpd2]: [&str; 3]| ContractItem {
                name: name.to_owned(),
                code: code.to_owned(),
                okpd2: okpd2.to_owned(),
                ..ContractItem::default()
            };
            let mut contract = Contract {
                reg_num: format!("{number:019}"),
                subject: subject.to_owned(),
                customer_inn: customer.to_owned(),
                sign_date: day.and_then(Date::parse_iso),
                stage,
                penalties: penalties.then(|| 1.into()),
                end_date: ends.then(|| Date::new(2025, 12, 31)).flatten(),
                products: items.into_iter().map(item).collect(),
                ..Contract::default()
            };
            contract.termination.court_decision = court;
            Line::Contract(supplier, Box::new(contract))
        },
    )
}

fn purchases() -> impl Strategy<Value = Line> {
    let texts = (
        select(&SUBJECTS[..]),
        select(&CUSTOMERS[..]),
        select(&DAYS[..]),
    );
    let item = proptest::option::of(select(&ITEMS[..]));
    (1..5, texts, item, any::<bool>()).prop_map(
        |(number, (subject, customer, day), item, has_time)| {
            let lot = |[name, code, okpd2]: [&str; 3]| Lot44 {
                object_info: name.to_owned(),
                objects: vec![PurchaseObject44 {
                    name: name.to_owned(),
                    okpd2: okpd2.to_owned(),
                    ktru: code.to_owned(),
                    ..PurchaseObject44::default()
                }],
                ..Lot44::default()
            };
            let day = day.and_then(Date::parse_iso);
            let mut card = Purchase44 {
                purchase_number: PurchaseNumber::parse(&format!("{number:019}")).expect("a number"),
                publish_date: day,
                object_info: subject.to_owned(),
                max_price: day.map(|_| "0.001".parse().expect("an amount")),
                procedure: ProcedureDates::default(),
                href: String::new(),
                placing_way: String::new(),
                trading_platform: String::new(),
                stage: PurchaseStage::default(),
                responsible_org: Default::default(),
                lots: item.map(lot).into_iter().collect(),
                restrictions: Vec::new(),
                cancelled: String::new(),
                first_publish_date: None,
                region: String::new(),
                attachments: Vec::new(),
            };
            card.responsible_org.inn = customer.to_owned();
            card.procedure.end = day.and_then(|day| match has_time {
                true => Moment::at(day, 9, 30),
                false => Some(Moment::from_day(day)),
            });
            Line::Purchase(Purchase::Fz44(Box::new(card)))
        },
    )
}

/// The contract or purchase that the last line about each number states.
type LastImported = (
    BTreeMap<(&'static str, String), Contract>,
    BTreeMap<String, Purchase>,
);

fn import(path: &Path, batches: &[Vec<Line>], imported: &mut LastImported) {
    let mut writer = Writer::open(path).expect("a writer");
    for batch in batches {
        for line in batch {
            let packed = match line.clone() {
                Line::Contract(inn, contract) => {
                    let supplier = Supplier {
                        inn: Inn::parse(inn).expect("an INN"),
                        name: String::new(),
                    };
                    let packed = PackedLine::contract(supplier, &contract).expect("packed");
                    imported
                        .0
                        .insert((inn, contract.reg_num.clone()), *contract);
                    packed
                }
                Line::Purchase(purchase) => {
                    let packed = PackedLine::purchase(&purchase).expect("packed");
                    imported.1.insert(purchase.number().to_string(), purchase);
                    packed
                }
            };
            writer.line(packed).expect("added");
        }
        writer.write().expect("written");
    }
    writer.finish().expect("the import ends");
}

fn ids(file: &DataFile, tokens: &ContentTokens, kind: ContentKind) -> Vec<i64> {
    let find = |ids, at_most| file.content_ids(tokens, kind, ids, at_most).expect("ids");
    let ids = find(i64::MIN..=i64::MAX, usize::MAX);
    assert!(ids.is_sorted(), "{ids:?}");
    for range in [ids.get(1..), ids.get(..ids.len() / 2)]
        .into_iter()
        .flatten()
    {
        let [first, .., last] = range else {
            continue;
        };
        let found = find(*first..=*last, range.len() - 1);
        assert_eq!(found, range[..range.len() - 1]);
    }
    ids
}

fn is_paper(code: &str) -> bool {
    code == "17.12" || code.starts_with("17.12.")
}

fn has_paper(contract: &Contract) -> bool {
    let mut names = contract.products.iter().map(|item| &item.name);
    let has = |text: &String| text.to_lowercase().contains("бумаг");
    has(&contract.subject) || names.any(has)
}

fn is_for_paper(purchase: &Purchase) -> bool {
    let mut items = purchase.items().into_iter();
    let has = |text: &str| text.to_lowercase().contains("бумаг");
    has(purchase.subject()) || items.any(|item| has(item.name))
}

/// The contracts and the purchases that a query should find.
type Matches = (fn(&Contract) -> bool, fn(&Purchase) -> bool);

fn queries() -> Vec<(ContentTokens, Matches)> {
    let of = |ask: &dyn Fn(&mut ContentTokens)| {
        let mut asked = ContentTokens::default();
        ask(&mut asked);
        asked
    };
    let paper = |asked: &mut ContentTokens| {
        content_words("бумагою")
            .iter()
            .for_each(|word| asked.word(word));
    };
    vec![
        (ContentTokens::default(), (|_| true, |_| true)),
        (of(&paper), (has_paper, is_for_paper)),
        (
            of(&|asked| asked.codes(&[ContentCode::parse("17.12").expect("a code")])),
            (
                |contract| {
                    let mut items = contract.products.iter();
                    items.any(|item| is_paper(&item.code) || is_paper(&item.okpd2))
                },
                |purchase| {
                    let mut items = purchase.items().into_iter();
                    items.any(|item| item.codes.iter().any(|code| is_paper(code)))
                },
            ),
        ),
        (
            of(&|asked| asked.customer("7701000001")),
            (
                |contract| contract.customer_inn == "7701000001",
                |purchase| purchase.customer().inn == "7701000001",
            ),
        ),
        (
            of(&|asked| {
                paper(asked);
                asked.facts(
                    &[RecordFact::Penalties, RecordFact::TerminatedByCourt],
                    true,
                );
            }),
            (
                |contract| {
                    let is_annulled = contract.stage == Some(ContractStage::Annulled);
                    let has_fact = contract.penalties.is_some()
                        || contract.termination.court_decision
                        || contract.stage == Some(ContractStage::InExecution)
                            && contract.end_date.is_some();
                    has_paper(contract) && has_fact && !is_annulled
                },
                |_| false,
            ),
        ),
    ]
}

fn compare(path: &Path, imported: &LastImported) -> std::result::Result<(), TestCaseError> {
    check(path).expect("sound");
    let file = DataFile::open(path, None).expect("the file");
    for (tokens, (is_contract, is_purchase)) in queries() {
        let found = ids(&file, &tokens, ContentKind::Contracts);
        let mut numbers = Vec::new();
        let columns = [FacetColumn::Facts];
        let suppliers = file.suppliers_of(&found).expect("suppliers");
        let mut suppliers = suppliers.iter();
        let mut each = |row: &dyn FacetRow| {
            let supplier = suppliers.next().expect("a supplier");
            let key = (supplier.inn.key().to_owned(), row.reg_num()?.to_string());
            numbers.push((key, row.value(0)? == FacetValue::Number(0)));
            Ok(())
        };
        file.facets_of(&found, &columns, &mut each).expect("facets");
        numbers.sort();
        let expected = imported
            .0
            .iter()
            .filter(|(_, contract)| is_contract(contract));
        let expected = expected.map(|((inn, number), contract)| {
            let is_annulled = contract.stage == Some(ContractStage::Annulled);
            let has_none = contract.penalties.is_none() && !contract.termination.court_decision;
            (((*inn).to_owned(), number.clone()), has_none || is_annulled)
        });
        prop_assert_eq!(numbers, Vec::from_iter(expected));
        let found = ids(&file, &tokens, ContentKind::Purchases);
        let mut numbers = file.purchase_numbers(&found).expect("numbers");
        let mut records = numbers.iter();
        let mut each = |number: &str, _: &[u8]| {
            assert_eq!(records.next().map(String::as_str), Some(number));
            Ok(())
        };
        file.purchase_records(&found, &mut each).expect("records");
        numbers.sort();
        let expected = imported
            .1
            .iter()
            .filter(|(_, purchase)| is_purchase(purchase));
        let expected: Vec<_> = expected.map(|(number, _)| number.clone()).collect();
        prop_assert_eq!(numbers, expected);
    }
    let all = ids(&file, &ContentTokens::default(), ContentKind::Purchases);
    let mut numbers = file.purchase_numbers(&all).expect("numbers").into_iter();
    let mut each = |facets: &PurchaseFacets| {
        let purchase = &imported.1[&numbers.next().expect("a number")];
        assert_eq!(facets.closes, purchase.closes().map(closing_minute));
        let day = purchase.published().map_or(0, |day| day.number());
        assert_eq!((facets.law, facets.published), (44, day));
        let text = facets.price_text.as_deref();
        assert_eq!(text, purchase.price().map(|_| "0.001"));
        Ok(())
    };
    file.purchase_facets_of(&all, &mut each).expect("facets");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn the_index_matches_the_records_after_arbitrary_imports(
        first in vec(vec(prop_oneof![contracts(), purchases()], 0..8), 1..3),
        then in vec(vec(prop_oneof![contracts(), purchases()], 0..8), 1..3),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.sqlite");
        let mut imported = LastImported::default();
        import(&path, &first, &mut imported);
        compare(&path, &imported)?;
        import(&path, &then, &mut imported);
        compare(&path, &imported)?;
    }
}

fn import_one_of_each(path: &Path) {
    let contract = Contract {
        reg_num: "1".repeat(19),
        subject: "бумага".to_owned(),
        ..Contract::default()
    };
    let mut runner = TestRunner::deterministic();
    let purchase = purchases().new_tree(&mut runner).expect("a purchase");
    let lines = vec![
        Line::Contract(SUPPLIERS[0], Box::new(contract)),
        purchase.current(),
    ];
    import(path, &[lines], &mut LastImported::default());
}

#[test]
fn a_check_finds_wrong_postings_and_facets() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.sqlite");
    for (fault, words) in [
        (
            "INSERT INTO content_index (rowid, tokens) VALUES (7, 'wx')",
            "index of contents",
        ),
        (
            "INSERT INTO content_index (content_index, rowid, tokens) \
             SELECT 'delete', -id, 'wбумаг' FROM contract",
            "index of contents",
        ),
        (
            "INSERT INTO content_index (content_index, rowid, tokens) \
             SELECT 'delete', -id, 'wбумаг' FROM contract; \
             INSERT INTO content_index (rowid, tokens) SELECT -id, 'wбумага' FROM contract",
            "index of contents",
        ),
        (
            "INSERT INTO content_index (content_index, rowid, tokens) \
             SELECT 'delete', -id, 'wбумаг' FROM contract; \
             INSERT INTO content_index (rowid, tokens) SELECT -id + 1, 'wбумаг' FROM contract",
            "index of contents",
        ),
        ("DELETE FROM purchase_facet", "facets"),
        ("UPDATE purchase_facet SET closes = 1", "facets"),
        ("UPDATE purchase_facet SET law = 223", "facets"),
        (
            "INSERT INTO purchase_facet (id, law, published) VALUES (7, 44, 0)",
            "facets",
        ),
        ("UPDATE contract_facet SET facts = 1", "facets"),
        ("UPDATE search_rules SET words = 0", "searches"),
    ] {
        let _ = std::fs::remove_file(&path);
        import_one_of_each(&path);
        check(&path).expect("sound");
        let file = open_to_write(&path).expect("a connection");
        file.execute_batch(fault).expect(fault);
        drop(file);
        let error = check(&path).expect_err(fault).to_string();
        assert!(error.contains(words), "{fault}: {error}");
    }
}

#[test]
fn an_import_rebuilds_tokens_made_by_other_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.sqlite");
    import_one_of_each(&path);
    let digest = |path: &Path| {
        let file = DATA.open_to_read(path).expect("the file");
        (
            IndexDigest::of_index(&file).expect("a digest"),
            search_rules::is_current(&file, Searched::Content).expect("a version"),
        )
    };
    let before = digest(&path);
    let file = open_to_write(&path).expect("a connection");
    file.execute_batch(
        "UPDATE search_rules SET words = 0, sum = row_sum(0, names); DELETE FROM purchase_facet; \
         UPDATE contract_facet SET facts = 7; \
         INSERT INTO content_index (content_index) VALUES ('delete-all'); \
         INSERT INTO content_index (rowid, tokens) VALUES (7, 'wx')",
    )
    .expect("a file with tokens of other rules");
    drop(file);
    assert_ne!(digest(&path), before);
    import(&path, &[Vec::new()], &mut LastImported::default());
    assert_eq!(digest(&path), before);
    check(&path).expect("sound");
}

#[cfg(feature = "postgresql")]
mod postgresql;
