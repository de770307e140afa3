//! Importing official documents: every field that is mapped, in the form of each
//! schema version; versions, suppliers and lines that outrank each other; files and
//! archives that are not as they should be; and, where they are at hand, the real
//! ones.
//!
//! The documents in `tests/documents` are invented, after the form of real ones.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use procurement_lookup::api::{Answerer, Api, DataSource, Endpoint};
use procurement_lookup::import::{Event, MAX_DEPTH, MAX_ELEMENTS, MAX_RATIO, Summary, import};
use procurement_lookup::model::Date;
use procurement_lookup::store::{self, DataVersion, Database, KeyRing, Writer};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A document of `tests/documents`.
fn sample(name: &str) -> String {
    let path = format!("{}/tests/documents/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A folder with files to import and a database.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn database(&self) -> PathBuf {
        self.0.path().join("data.sqlite")
    }

    fn import_paths(&self, paths: &[PathBuf], replace_rnp: bool) -> (Summary, Vec<String>) {
        let writer = Writer::open(&self.database()).expect("the database opens");
        let prefix = format!("{}/", self.0.path().display());
        let mut problems = Vec::new();
        let summary = import(paths, writer, replace_rnp, &mut |event| {
            if let Event::Problem(what) = event {
                let what = what.strip_prefix(&prefix).unwrap_or(what);
                problems.push(what.to_owned());
            }
        });
        let summary = summary.expect("the import ends well");
        store::check(&self.database()).expect("the database is as it must be");
        (summary, problems)
    }

    /// Imports a file with this name and content; the summary, and the problems
    /// told, without the folder's path.
    fn import(&self, name: &str, content: impl AsRef<[u8]>) -> (Summary, Vec<String>) {
        let path = self.0.path().join(name);
        fs::write(&path, content).expect("the file is written");
        self.import_paths(&[path], false)
    }

    /// Imports a document in which nothing is wrong.
    fn take(&self, xml: impl AsRef<[u8]>) -> Summary {
        let (summary, problems) = self.import("x.xml", xml);
        assert_eq!(problems, [""; 0]);
        summary
    }

    /// Imports lines in which nothing is wrong.
    fn take_lines(&self, lines: &str) -> Summary {
        let (summary, problems) = self.import("x.jsonl", lines);
        assert_eq!(problems, [""; 0]);
        summary
    }

    fn answers(&self) -> Answers {
        self.answers_on("2025-06-15")
    }

    fn answers_on(&self, day: &str) -> Answers {
        let day = Date::parse_iso(day).expect("a day");
        let source = DataSource::File(self.database());
        let api = Api::new(source, KeyRing::empty(), Box::new(move || day));
        Answers(Arc::new(api).answerer().expect("the data opens"))
    }

    fn version(&self) -> DataVersion {
        let mut database = Database::open(&self.database()).expect("the database opens");
        let snapshot = database.snapshot().expect("its state");
        snapshot.version().expect("its version")
    }
}

struct Answers(Answerer);

/// A JSON object, its values as they are written.
type Fields = BTreeMap<String, Box<RawValue>>;

#[derive(Deserialize)]
struct Page {
    #[serde(rename = "supplierIName")]
    name: Option<String>,
    contracts: Vec<Fields>,
}

#[derive(Deserialize)]
struct Registry {
    #[serde(rename = "supplierName")]
    name: Option<String>,
    #[serde(rename = "inRNP")]
    listed: bool,
    entries: Vec<Fields>,
}

impl Answers {
    fn json(&mut self, endpoint: Endpoint, inn: &str) -> String {
        let parameters = [("format", "json"), ("supplierINN", inn)];
        let body = self.0.look_up_offline(endpoint, &parameters);
        String::from_utf8(body.unwrap_or_else(|error| error)).expect("UTF-8")
    }

    fn page(&mut self, inn: &str) -> Page {
        let json = self.json(Endpoint::Contracts, inn);
        serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"))
    }

    fn registry(&mut self, inn: &str) -> Registry {
        let json = self.json(Endpoint::RnpCheck, inn);
        serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"))
    }

    fn name(&mut self, inn: &str) -> String {
        self.page(inn).name.unwrap_or_default()
    }

    /// A field of each of a supplier's contracts.
    fn of_contracts(&mut self, inn: &str, field: &str) -> Vec<String> {
        let contracts = self.page(inn).contracts;
        contracts
            .iter()
            .map(|contract| contract[field].get().to_owned())
            .collect()
    }

    /// A field of the only contract of a supplier.
    fn of_contract(&mut self, inn: &str, field: &str) -> String {
        let mut values = self.of_contracts(inn, field);
        assert_eq!(values.len(), 1, "{inn} has one contract");
        values.remove(0)
    }
}

// --- Every field -------------------------------------------------------------

/// What a contract has where its document says nothing.
const EMPTY_CONTRACT: &[(&str, &str)] = &[
    ("purchaseNumber", "null"),
    ("purchaseCode", "null"),
    ("purchaseObjectInfo", "null"),
    ("notificationPrice", "null"),
    ("deliveryTerm", "null"),
    ("customerInn", "null"),
    ("customerName", "null"),
    ("contractPrice", "null"),
    ("signDate", "null"),
    ("endDate", "null"),
    ("contractStage", "\"E\""),
    ("fulfilmentSum", "null"),
    ("paid", "{\"total\":null}"),
    ("advanceInPercents", "null"),
    ("penaltiesTotal", "null"),
    ("penaltiesPayments", "null"),
    ("ContractStages", "0"),
    ("updateDate", "null"),
    ("subContractors", "false"),
    ("subContractorsSum", "0"),
    ("purchaseContractGuarantee", "null"),
    ("contractGuarantee", "null"),
    ("bankSupportContractRequired", "false"),
    ("treasurySupportContractRequired", "false"),
    ("budgetName", "null"),
    ("OKTMO", "null"),
    ("products", "null"),
    ("terminationBoth", "false"),
    ("terminationSupplier", "false"),
    ("terminationCostomer", "false"),
    ("terminationJudge", "false"),
    ("terminationCourt", "false"),
    ("bankGuaranteePayments", "null"),
];

/// The document gives each of the suppliers (INN and name) this one contract: what
/// is not among `fields` is empty.
fn check_contract(document: &str, suppliers: &[(&str, &str)], fields: &[(&str, &str)]) {
    let folder = Folder::new();
    let summary = folder.take(document);
    let (tally, skipped) = summary.kinds["contract"];
    assert_eq!((tally.new, skipped), (1, 0));
    assert_eq!(summary.without_supplier, 0);
    let contents = store::check(&folder.database()).expect("a database");
    assert_eq!(contents.suppliers, suppliers.len() as u64);
    let expected: BTreeMap<&str, &str> = EMPTY_CONTRACT.iter().chain(fields).copied().collect();
    let mut answers = folder.answers();
    for (inn, name) in suppliers {
        let page = answers.page(inn);
        assert_eq!(page.name.as_deref(), Some(*name));
        assert_eq!(page.contracts.len(), 1, "{inn}");
        let contract: BTreeMap<&str, &str> = page.contracts[0]
            .iter()
            .map(|(name, value)| (name.as_str(), value.get()))
            .collect();
        assert_eq!(contract, expected, "{inn}");
    }
}

#[test]
fn a_contract_of_schema_4_5() {
    check_contract(
        &sample("contract_4.5.xml"),
        &[
            (
                "9600000023",
                "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"СКРЕПКА\"",
            ),
            ("960000000162", "Ольхова Вера Игнатьевна"),
        ],
        &[
            ("regNum", r#""0196000001114000031""#),
            ("purchaseNumber", r#""0196000001114000013""#),
            (
                "purchaseObjectInfo",
                r#""Бумага для оргтехники; Папка \"Дело\" & скрепка № 5""#,
            ),
            ("customerInn", r#""9600000016""#),
            (
                "customerName",
                r#""Государственное учреждение \"Заречинский архив\"""#,
            ),
            ("contractPrice", "145000.5"),
            ("signDate", r#""2014-10-02""#),
            ("endDate", r#""2016-02-29""#),
            ("contractStage", r#""EC""#),
            ("updateDate", r#""2014-10-03""#),
            ("budgetName", r#""Бюджет Верхнереченской области""#),
            (
                "products",
                r#"[{"code":"21.12.14.110","sum":42100},{"code":"2109000","sum":1234.5},{"code":null,"sum":500}]"#,
            ),
        ],
    );
}

#[test]
fn a_contract_of_schema_6_0() {
    check_contract(
        &sample("contract_6.0.xml"),
        &[("9600000048", "Филиал АО \"Речные сети\" - \"Заречэнерго\"")],
        &[
            ("regNum", r#""3960000003016000003""#),
            ("purchaseNumber", r#""0196000002215000080""#),
            ("purchaseObjectInfo", r#""Освещение улиц""#),
            ("deliveryTerm", r#""2016-01-22..2016-12-31""#),
            ("customerInn", r#""9600000030""#),
            ("customerName", r#""АДМИНИСТРАЦИЯ ГОРОДА ЗАРЕЧИНСКА""#),
            ("contractPrice", "6987268.99"),
            ("signDate", r#""2016-01-22""#),
            ("endDate", r#""2016-12-31""#),
            ("ContractStages", "2"),
            ("updateDate", r#""2016-01-25""#),
            ("budgetName", r#""Бюджет города \"Заречинск\"""#),
            ("OKTMO", r#""96701000001-г Заречинск""#),
            (
                "products",
                r#"[{"code":"35.12.10.110","sum":6987268.9874}]"#,
            ),
        ],
    );
}

#[test]
fn a_contract_of_schema_6_3() {
    check_contract(
        &sample("contract_6.3.xml"),
        &[(
            "9600000062",
            "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"РЕАКТИВ\"",
        )],
        &[
            ("regNum", r#""2960000005516001262""#),
            ("purchaseNumber", r#""0196000003316005027""#),
            (
                "purchaseObjectInfo",
                r#""Реактив первый Фасовка: 400 шт.; Реактив второй""#,
            ),
            ("deliveryTerm", r#""2016-12-31""#),
            ("customerInn", r#""9600000055""#),
            (
                "customerName",
                r#""УЧРЕЖДЕНИЕ ЗДРАВООХРАНЕНИЯ \"ЗАРЕЧИНСКАЯ БОЛЬНИЦА № 2\"""#,
            ),
            ("contractPrice", "1207680.35"),
            ("signDate", r#""2016-11-21""#),
            ("endDate", r#""2016-12-31""#),
            ("contractStage", r#""ET""#),
            ("updateDate", r#""2016-11-21""#),
            ("contractGuarantee", "60384.02"),
            ("budgetName", r#""Средства бюджетных учреждений""#),
            (
                "products",
                r#"[{"code":"21.20.23.111","sum":12271},{"code":"21.20.23.110-00000042","sum":3500.35}]"#,
            ),
        ],
    );
}

#[test]
fn a_contract_without_a_supplier_is_kept_and_found_under_none() {
    let folder = Folder::new();
    let xml = sample("contract_7.0.xml");
    let summary = folder.take(&xml);
    assert_eq!(summary.without_supplier, 1);
    assert_eq!(summary.kinds["contract"].0.new, 1);
    let contents = store::check(&folder.database()).expect("a database");
    assert_eq!((contents.documents, contents.contracts), (1, 0));
    // It is a version like any other: a line about it is outranked.
    folder.take_lines(&line("9600000023", "2960000007017000004"));
    assert_eq!(folder.answers().page("9600000023").contracts.len(), 0);

    let supplier = "<suppliers><supplier><legalEntityRF><fullName>АО</fullName>\
                    <INN>9600000023</INN></legalEntityRF></supplier></suppliers>";
    check_contract(
        &xml.replace("<suppliers/>", supplier),
        &[("9600000023", "АО")],
        &[
            ("regNum", r#""2960000007017000004""#),
            ("purchaseNumber", r#""0196000004416005002""#),
            ("deliveryTerm", r#""2017-01-01..2017-07-30""#),
            ("customerInn", r#""9600000070""#),
            ("customerName", r#""УЧРЕЖДЕНИЕ \"ЦЕНТР \"ПРИСТАНЬ\"""#),
            ("contractPrice", "214562.64"),
            ("signDate", r#""2017-01-09""#),
            ("endDate", r#""2017-07-30""#),
            ("updateDate", r#""2017-01-16""#),
        ],
    );
}

#[test]
fn a_contract_of_schema_11_with_every_kind_of_supplier() {
    check_contract(
        &sample("contract_11.xml"),
        &[
            ("9600000087", "«Стекло Интернешнл»"),
            ("960000000236", "Ивин Пётр"),
            ("960000000300", "Дальний Ян Ким"),
            ("9600000094", "ООО \"ВИТРИНА\""),
        ],
        &[
            ("regNum", r#""2960000001621000001""#),
            ("purchaseNumber", r#""0196000005521000001""#),
            ("purchaseObjectInfo", r#""Поставка витрин""#),
            ("deliveryTerm", r#""2021-03-01..2021-12-31""#),
            ("customerInn", r#""9600000016""#),
            ("customerName", r#""МУЗЕЙ РЕКИ""#),
            ("contractPrice", "1000000"),
            ("signDate", r#""2021-03-01""#),
            ("endDate", r#""2021-12-31""#),
            ("contractStage", r#""IN""#),
            ("advanceInPercents", "30"),
            ("updateDate", r#""2021-03-05""#),
            ("subContractors", "true"),
            ("subContractorsSum", "125000"),
            ("contractGuarantee", "50000"),
            ("bankSupportContractRequired", "true"),
            ("treasurySupportContractRequired", "true"),
            ("budgetName", r#""Бюджет Верхнереченской области""#),
            ("OKTMO", r#""96000000""#),
            (
                "products",
                r#"[{"code":"31.09.11.190-00000002","sum":1000000}]"#,
            ),
        ],
    );
}

#[test]
fn a_contract_of_schema_15_3() {
    check_contract(
        &sample("contract_15.3.xml"),
        &[
            ("960000000483", "Березин Глеб Ильич"),
            ("9600000055", "АКЦИОНЕРНОЕ ОБЩЕСТВО \"СТЕНА\""),
        ],
        &[
            ("regNum", r#""1960000001625003831""#),
            ("purchaseNumber", r#""0196000006625000112""#),
            ("purchaseCode", r#""251960000001696000100100288850000244""#),
            (
                "purchaseObjectInfo",
                r#"" Поставка перегородок\nс монтажом. ""#,
            ),
            ("deliveryTerm", r#""2025-10-07..2025-12-03""#),
            ("customerInn", r#""9600000016""#),
            (
                "customerName",
                r#""ФИЛИАЛ УЧРЕЖДЕНИЯ \"ЦЕНТР ОБЕСПЕЧЕНИЯ\"""#,
            ),
            ("contractPrice", "667600"),
            ("signDate", r#""2025-10-07""#),
            ("endDate", r#""2025-12-03""#),
            ("advanceInPercents", "30"),
            ("ContractStages", "3"),
            ("updateDate", r#""2025-10-09""#),
            ("subContractors", "true"),
            ("subContractorsSum", "100.1"),
            ("contractGuarantee", "33380"),
            ("treasurySupportContractRequired", "true"),
            ("budgetName", r#""Областной бюджет""#),
            (
                "products",
                r#"[{"code":"31.09.14.110","sum":220070.48},{"code":"31.09.14.120","sum":12894.50284174137}]"#,
            ),
        ],
    );
}

/// A change of a sample document, and a field of its contract then.
fn check_change(name: &str, inn: &str, change: (&str, &str), field: &str, expected: &str) {
    let document = sample(name);
    assert!(document.contains(change.0), "{change:?}");
    let folder = Folder::new();
    folder.take(document.replace(change.0, change.1));
    assert_eq!(
        folder.answers().of_contract(inn, field),
        expected,
        "{change:?}"
    );
}

#[test]
fn a_contract_says_the_same_in_other_ways() {
    let check_6_0 = |change, field, expected| {
        check_change("contract_6.0.xml", "9600000048", change, field, expected);
    };
    let check_11 = |change, field, expected| {
        check_change("contract_11.xml", "9600000094", change, field, expected);
    };
    let check_4_5 = |change, field, expected| {
        check_change("contract_4.5.xml", "9600000023", change, field, expected);
    };
    // Free text in place of the number of a purchase; under 94-FZ it is elsewhere.
    check_6_0(
        ("0196000002215000080", "25-06/347/6"),
        "purchaseNumber",
        "null",
    );
    check_6_0(
        ("0196000002215000080", "31400000001"),
        "purchaseNumber",
        "null",
    );
    check_4_5(
        ("oos:fcsOrder>", "oos:oosOrder>"),
        "purchaseNumber",
        "\"0196000001114000013\"",
    );
    // A price of another currency is no price in roubles.
    check_6_0(
        ("<priceRUR>6987268.99</priceRUR>", ""),
        "contractPrice",
        "6987268.99",
    );
    check_11(
        ("<code>RUB</code>", "<code>EUR</code>"),
        "contractPrice",
        "null",
    );
    check_4_5(
        ("<oos:code>RUB<", "<oos:code>EUR<"),
        "contractPrice",
        "null",
    );
    check_11(
        (
            "<price>1000000</price>",
            "<rightToConcludeContractPriceInfo><price>77.7</price></rightToConcludeContractPriceInfo>",
        ),
        "contractPrice",
        "77.7",
    );
    // The term of 94-FZ, an end of a month.
    check_4_5(
        ("oos:executionDate>", "oos:execution>"),
        "endDate",
        "\"2016-02-29\"",
    );
    check_4_5(
        ("<oos:year>2016<", "<oos:year>2015<"),
        "endDate",
        "\"2015-02-28\"",
    );
    // The stage, said or not.
    check_11(
        ("<currentContractStage>IN</currentContractStage>", ""),
        "contractStage",
        "\"E\"",
    );
    check_11(
        (
            "<currentContractStage>IN</currentContractStage>",
            "<isInvalid>true</isInvalid>",
        ),
        "contractStage",
        "\"IN\"",
    );
    // Budgets, the guarantee, the advance, subcontractors, the flags.
    check_6_0(
        (
            "<budgetFunds>",
            "<budgetFunds><budget><name> \n </name></budget>",
        ),
        "budgetName",
        "\"Средства учреждений\"",
    );
    check_11(
        ("bankGuarantee>", "cashAccount>"),
        "contractGuarantee",
        "null",
    );
    check_11(
        (
            "<guaranteeAmount>50000.00<",
            "<guaranteeAmountRUR>7e3</guaranteeAmountRUR><guaranteeAmount>5<",
        ),
        "contractGuarantee",
        "7000",
    );
    check_11(
        (
            "<priceValueRUR>300000</priceValueRUR>",
            "<sumInPercents>12.50</sumInPercents>",
        ),
        "advanceInPercents",
        "12.5",
    );
    check_11(
        (
            "<sumInPercents>12.5</sumInPercents>",
            "<subContractors><subContractor/></subContractors>",
        ),
        "subContractors",
        "true",
    );
    check_11(
        (
            "<bankSupportContractRequired>true</bankSupportContractRequired>",
            "<bankSupportContractRequired>0</bankSupportContractRequired>",
        ),
        "bankSupportContractRequired",
        "false",
    );
    // The day is the one written, whatever the zone.
    check_6_0(
        ("2016-01-25T23:40:59.025+10:00", "2016-01-26T00:30:00-11:00"),
        "updateDate",
        "\"2016-01-26\"",
    );
}

#[test]
fn a_long_list_of_names_is_cut_at_a_word() {
    let product =
        |number: usize| format!("<product><name>Изделие особое {number:04}</name></product>");
    let products: String = (0..200).map(product).collect();
    let document = sample("contract_7.0.xml")
        .replace("<products/>", &format!("<products>{products}</products>"))
        .replace(
            "<suppliers/>",
            "<suppliers><supplier><inn>9600000023</inn></supplier></suppliers>",
        );
    let folder = Folder::new();
    folder.take(document);
    let subject = folder
        .answers()
        .of_contract("9600000023", "purchaseObjectInfo");
    let subject: String = serde_json::from_str(&subject).expect("a text");
    let all: Vec<String> = (0..200).map(|n| format!("Изделие особое {n:04}")).collect();
    let all = all.join("; ");
    let length = subject.chars().count();
    assert!((1980..=2000).contains(&length), "{length}");
    let rest = all.strip_prefix(&subject).expect("the beginning of all");
    assert!(rest.starts_with([' ', ';']), "cut at a word: {rest:.30}");
}

#[test]
fn prefixes_do_not_matter() {
    let document = sample("contract_15.3.xml");
    let mut pages = Vec::new();
    let without = ["ns2:", "ns3:", "ns4:"]
        .iter()
        .fold(document.clone(), |text, prefix| text.replace(prefix, ""));
    let other = document.replace("ns3:", "длинный.префикс-1:");
    for xml in [document, without, other] {
        let folder = Folder::new();
        folder.take(xml);
        pages.push(folder.answers().json(Endpoint::Contracts, "9600000055"));
    }
    assert!(pages[0].contains("1960000001625003831"), "{}", pages[0]);
    assert_eq!(pages[0], pages[1]);
    assert_eq!(pages[0], pages[2]);
}

#[test]
fn a_document_may_be_the_root_itself() {
    let folder = Folder::new();
    folder.take(
        "<contract><regNum>1</regNum><suppliers><supplier><inn>9600000023</inn></supplier></suppliers></contract>",
    );
    assert_eq!(
        folder.answers().of_contract("9600000023", "regNum"),
        "\"1\""
    );
}

#[test]
fn text_is_kept_as_it_stands() {
    let folder = Folder::new();
    folder.take(
        "<contract><regNum>1</regNum>\
         <contractSubject>\r\n <![CDATA[<b>&amp;]]> &lt;&#x41;&gt; <!-- no text --><?no text?>&quot;\t</contractSubject>\
         <suppliers><supplier><inn>9600000023</inn></supplier></suppliers></contract>",
    );
    assert_eq!(
        folder
            .answers()
            .of_contract("9600000023", "purchaseObjectInfo"),
        r#""\n <b>&amp; <A> \"\t""#
    );
}

// --- The registry of unfair suppliers ----------------------------------------

/// The document gives the supplier this entry on this day, or an entry that is not
/// listed then.
fn check_entry(document: &str, inn: &str, day: &str, fields: Option<&[(&str, &str)]>) {
    let folder = Folder::new();
    folder.take(document);
    let registry = folder.answers_on(day).registry(inn);
    let Some(fields) = fields else {
        assert!(!registry.listed && registry.entries.is_empty());
        return;
    };
    assert!(registry.listed);
    assert_eq!(registry.entries.len(), 1);
    for (name, value) in &registry.entries[0] {
        let expected = fields
            .iter()
            .find(|(field, _)| field == name)
            .map_or("null", |(_, value)| value);
        assert_eq!(value.get(), expected, "{name}");
    }
}

const UNFAIR_5_0: &[(&str, &str)] = &[
    ("registrationNumber", r#""РНП.96001-15""#),
    ("registrationDate", r#""2015-01-13""#),
    ("reason", r#""WINNER_DEVIATION""#),
    ("excludeDate", r#""2017-01-13""#),
    ("federalLaw", r#""44""#),
];

const UNFAIR_11: &[(&str, &str)] = &[
    ("registrationNumber", r#""РНП.96002-21""#),
    ("registrationDate", r#""2021-03-01""#),
    ("reason", r#""CANCEL_CONTRACT""#),
    ("contractNumber", r#""2960000001620000009""#),
    ("excludeDate", r#""2023-03-01""#),
    ("federalLaw", r#""44""#),
    ("customerName", r#""УЧРЕЖДЕНИЕ \"ЗАКАЗЧИК\"""#),
    ("customerINN", r#""9600000016""#),
];

#[test]
fn an_entry_of_schema_5_0() {
    let document = sample("unfairSupplier_5.0.xml");
    let check = |day, fields| check_entry(&document, "9600000030", day, fields);
    check("2015-01-12", None);
    check("2015-01-13", Some(UNFAIR_5_0));
    check("2017-01-13", Some(UNFAIR_5_0));
    check("2017-01-14", None);
    let folder = Folder::new();
    folder.take(&document);
    let registry = folder.answers().registry("9600000030");
    assert_eq!(
        registry.name.as_deref(),
        Some("Общество с ограниченной ответственностью \"Обет\"")
    );
}

#[test]
fn an_entry_of_schema_11() {
    let document = sample("unfairSupplier_11.xml");
    let check = |day, fields| check_entry(&document, "9600000062", day, fields);
    check("2021-02-28", None);
    check("2021-03-01", Some(UNFAIR_11));
    check("2023-03-01", Some(UNFAIR_11));
    check("2023-03-02", None);
    // Founders are natural persons: they are not taken in.
    let folder = Folder::new();
    folder.take(&document);
    let founder = folder.answers().json(Endpoint::RnpCheck, "960000000162");
    assert!(founder.contains(r#""code":404"#), "{founder}");
    let bytes = fs::read(folder.database()).expect("the database");
    let name = "Тайный".as_bytes();
    assert!(!bytes.windows(name.len()).any(|window| window == name));
}

#[test]
fn an_exclusion_ends_an_entry() {
    let document = sample("unfairSupplier_11.xml").replace(
        "<autoExDateInfo>",
        "<exclude><excludeDate>2022-05-05</excludeDate></exclude><autoExDateInfo>",
    );
    let mut fields = UNFAIR_11.to_vec();
    fields.retain(|(name, _)| *name != "excludeDate");
    fields.push(("excludeDate", r#""2022-05-05""#));
    check_entry(&document, "9600000062", "2022-05-05", Some(&fields));
    check_entry(&document, "9600000062", "2022-05-06", None);
}

#[test]
fn the_state_of_an_entry_counts() {
    for (state, listed) in [
        ("PUBLISHED", true),
        ("ON_EXCLUSION", true),
        ("ARCHIVED", false),
        ("TEMP_EXCLUDED", false),
        ("REVIEW_CANCELED", false),
    ] {
        let document = sample("unfairSupplier_11.xml").replace("PUBLISHED", state);
        let folder = Folder::new();
        folder.take(document);
        let mut answers = folder.answers_on("2022-01-01");
        let json = answers.json(Endpoint::RnpCheck, "9600000062");
        if state == "REVIEW_CANCELED" {
            assert!(json.contains(r#""code":404"#), "it never was in: {json}");
        } else {
            assert_eq!(answers.registry("9600000062").listed, listed, "{state}");
        }
    }
}

#[test]
fn an_entry_about_nobody_with_an_inn_is_counted() {
    let document =
        sample("unfairSupplier_11.xml").replace("<inn>9600000062</inn>", "<inn>77</inn>");
    let folder = Folder::new();
    let summary = folder.take(document);
    assert_eq!(summary.without_supplier, 1);
    let contents = store::check(&folder.database()).expect("a database");
    assert_eq!((contents.documents, contents.rnp_entries), (1, 0));
}

#[test]
fn a_later_edition_of_an_entry_replaces_an_earlier_one_in_either_order() {
    let first = sample("unfairSupplier_11.xml");
    let second = first
        .replace("2021-03-02T10", "2021-06-02T10")
        .replace("CANCEL_CONTRACT", "WINNER_DEVIATION")
        .replace("9600000062", "9600000070");
    for order in [[&first, &second], [&second, &first]] {
        let folder = Folder::new();
        for document in order {
            folder.take(document);
        }
        let mut answers = folder.answers_on("2022-01-01");
        let entries = answers.registry("9600000070").entries;
        assert_eq!(entries[0]["reason"].get(), "\"WINNER_DEVIATION\"");
        let json = answers.json(Endpoint::RnpCheck, "9600000062");
        assert!(json.contains(r#""code":404"#), "no longer about it: {json}");
    }
}

#[test]
fn replacing_the_registry_reaches_entries_of_documents() {
    let folder = Folder::new();
    folder.take(sample("unfairSupplier_5.0.xml"));
    folder.take(sample("unfairSupplier_11.xml"));
    let path = folder.0.path().join("x.xml");
    let (summary, _) = folder.import_paths(std::slice::from_ref(&path), true);
    assert_eq!(summary.rnp_entries_gone, Some(1));
    let mut answers = folder.answers_on("2016-01-01");
    let json = answers.json(Endpoint::RnpCheck, "9600000030");
    assert!(json.contains(r#""code":404"#), "{json}");
    // The document of an entry that went can come again.
    fs::write(&path, sample("unfairSupplier_5.0.xml")).expect("the file is written");
    let (summary, _) = folder.import_paths(&[path], false);
    assert_eq!(summary.kinds["unfairSupplier"].0.new, 1);
    assert!(
        folder
            .answers_on("2016-01-01")
            .registry("9600000030")
            .listed
    );
}

// --- What replaces what ------------------------------------------------------

/// A version of a contract, in few words.
struct Version<'a> {
    number: &'a str,
    version: u32,
    published: &'a str,
    /// INN and name.
    suppliers: &'a [(&'a str, &'a str)],
}

impl Version<'_> {
    fn xml(&self) -> String {
        let supplier = |(inn, name): &(&str, &str)| {
            format!(
                "<supplier><legalEntityRF><fullName>{name}</fullName><INN>{inn}</INN></legalEntityRF></supplier>"
            )
        };
        let suppliers: String = self.suppliers.iter().map(supplier).collect();
        format!(
            "<export><contract><publishDate>{}</publishDate><versionNumber>{}</versionNumber>\
             <regNum>{}</regNum><signDate>2020-01-01</signDate><suppliers>{suppliers}</suppliers></contract></export>",
            self.published, self.version, self.number
        )
    }
}

/// A version of contract 1 with supplier A.
fn version(version: u32, published: &str) -> String {
    Version {
        number: "1",
        version,
        published,
        suppliers: &[(A, "А")],
    }
    .xml()
}

const A: &str = "9600000016";
const B: &str = "9600000023";

fn line(inn: &str, number: &str) -> String {
    format!(
        r#"{{"type":"contract","supplier":{{"inn":"{inn}"}},"contract":{{"regNum":"{number}","updateDate":"1999-09-09"}}}}"#
    )
}

#[test]
fn the_newest_version_counts_in_whatever_order_they_come() {
    for (older, newer) in [
        // By the number of the version, whenever it was published.
        (
            version(0, "2021-01-01T00:00:00Z"),
            version(1, "2020-12-31T00:00:00Z"),
        ),
        (
            version(9, "2020-01-01T00:00:00Z"),
            version(10, "2020-01-02T00:00:00Z"),
        ),
        // Of equal numbers, by the instant of publication, across zones.
        (
            version(1, "2020-01-02T08:00:00+10:00"),
            version(1, "2020-01-01T23:00:00Z"),
        ),
        (
            version(1, "2020-01-02T08:00:00.100Z"),
            version(1, "2020-01-02T08:00:00.101Z"),
        ),
    ] {
        let mut outcomes = Vec::new();
        for order in [[&older, &newer], [&newer, &older]] {
            // In two imports, and in one.
            let two = Folder::new();
            for document in order {
                two.take(document);
            }
            let one = Folder::new();
            let paths = [0, 1].map(|index| {
                let path = one.0.path().join(format!("{index}.xml"));
                fs::write(&path, order[index]).expect("the file is written");
                path
            });
            one.import_paths(&paths, false);
            for folder in [&two, &one] {
                outcomes.push(folder.answers().json(Endpoint::Contracts, A));
            }
        }
        let alone = Folder::new();
        alone.take(&newer);
        let expected = alone.answers().json(Endpoint::Contracts, A);
        assert_eq!(outcomes, [0; 4].map(|_| expected.clone()));
    }
}

#[test]
fn a_newer_version_is_counted_as_such() {
    let folder = Folder::new();
    let tally = |xml: &str| folder.take(xml).kinds["contract"].0;
    assert_eq!(tally(&version(1, "2020-01-01T00:00:00Z")).new, 1);
    assert_eq!(tally(&version(2, "2020-01-02T00:00:00Z")).newer, 1);
    assert_eq!(tally(&version(1, "2020-01-01T00:00:00Z")).unchanged, 1);
    assert_eq!(tally(&version(2, "2020-01-02T00:00:00Z")).unchanged, 1);
}

#[test]
fn a_supplier_that_a_newer_version_drops_loses_the_contract() {
    let first = Version {
        number: "1",
        version: 0,
        published: "2020-01-01T00:00:00Z",
        suppliers: &[(A, "А"), (B, "Б")],
    };
    let second = Version {
        version: 1,
        suppliers: &[(B, "Б")],
        ..first
    };
    for order in [[&first, &second], [&second, &first]] {
        let folder = Folder::new();
        for document in order {
            folder.take(document.xml());
        }
        let mut answers = folder.answers();
        assert_eq!(answers.page(A).contracts.len(), 0);
        assert_eq!(answers.page(B).contracts.len(), 1);
    }
}

#[test]
fn a_line_about_the_same_contract_is_outranked_in_either_order() {
    let document = version(0, "2020-01-01T00:00:00Z");
    let (of_a, of_b) = (line(A, "1"), line(B, "1"));
    for documents_first in [true, false] {
        let folder = Folder::new();
        if documents_first {
            folder.take(&document);
        }
        for lines in [&of_a, &of_b] {
            let summary = folder.take_lines(lines);
            let (tally, _) = summary.kinds["contract (JSON line)"];
            assert_eq!(tally.unchanged == 1, documents_first);
        }
        if !documents_first {
            folder.take(&document);
        }
        let mut answers = folder.answers();
        assert_eq!(answers.of_contract(A, "updateDate"), "\"2020-01-01\"");
        assert_eq!(answers.page(B).contracts.len(), 0);
        // A line about another one goes in.
        folder.take_lines(&line(A, "2"));
        assert_eq!(folder.answers().page(A).contracts.len(), 2);
    }
}

#[test]
fn a_line_about_the_same_entry_is_outranked_in_either_order() {
    let document = sample("unfairSupplier_11.xml");
    let line = r#"{"type":"rnpEntry","supplier":{"inn":"9600000062"},"entry":{"registrationNumber":"РНП.96002-21","reason":"line"}}"#;
    for documents_first in [true, false] {
        let folder = Folder::new();
        if documents_first {
            folder.take(&document);
        }
        folder.take_lines(line);
        if !documents_first {
            folder.take(&document);
        }
        let registry = folder.answers_on("2022-01-01").registry("9600000062");
        assert_eq!(registry.entries[0]["reason"].get(), "\"CANCEL_CONTRACT\"");
    }
}

#[test]
fn the_same_again_changes_nothing() {
    let folder = Folder::new();
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let (first, problems) = folder.import_paths(std::slice::from_ref(&samples), false);
    assert_eq!(problems, [""; 0]);
    let (version, bytes) = (folder.version(), fs::read(folder.database()));
    let (second, _) = folder.import_paths(&[samples], false);
    for (kind, (tally, _)) in &first.kinds {
        let (again, _) = second.kinds[kind];
        assert_eq!((again.new, again.newer), (0, 0), "{kind}");
        assert_eq!(again.unchanged, tally.new, "{kind}");
    }
    assert_eq!(folder.version(), version);
    assert!(
        bytes.expect("the file") == fs::read(folder.database()).expect("the file"),
        "not a byte of the file"
    );
}

#[test]
fn of_several_names_that_of_the_newest_document_counts() {
    let named = |number, published, name| {
        Version {
            number,
            version: 0,
            published,
            suppliers: &[(A, name)],
        }
        .xml()
    };
    let old = named("3", "2020-01-01T00:00:00Z", "Старое");
    let new = named("1", "2021-01-01T00:00:00Z", "Новое");
    let tie = named("2", "2021-01-01T00:00:00Z", "Равное");
    for (documents, expected) in [
        (vec![&old, &new], "Новое"),
        (vec![&new, &old], "Новое"),
        (vec![&new, &tie, &old], "Равное"),
        (vec![&tie, &old, &new], "Равное"),
    ] {
        let folder = Folder::new();
        for document in documents {
            folder.take(document);
        }
        assert_eq!(folder.answers().name(A), expected);
    }
}

/// Versions of three contracts and two entries, with suppliers that come and go
/// and change their names.
fn family() -> Vec<String> {
    let mut documents = Vec::new();
    for number in ["1", "2", "3"] {
        for version in 0..3 {
            // The third is the newest, and its last version names nobody.
            let year = if number == "3" { 2023 } else { 2020 } + version;
            let published = format!("{year}-0{number}-01T00:00:00Z");
            let name = format!("Имя {number}.{version}");
            let both = [(A, name.as_str()), (B, name.as_str())];
            let suppliers = match (number, version) {
                ("1", 2) | ("2", 1) => &both[1..],
                ("3", 2) => &both[..0],
                ("2", 2) => &both[..1],
                _ => &both[..],
            };
            let published = published.as_str();
            documents.push(
                Version {
                    number,
                    version,
                    published,
                    suppliers,
                }
                .xml(),
            );
        }
    }
    let entry = sample("unfairSupplier_11.xml");
    documents.push(entry.replace("9600000062", A));
    documents.push(
        entry
            .replace("9600000062", B)
            .replace("2021-03-02", "2021-04-02"),
    );
    documents.push(entry.replace("96002", "96003").replace("9600000062", A));
    documents.push(
        entry
            .replace("96002", "96003")
            .replace("9600000062", A)
            .replace("2021-03-02", "2021-04-02")
            .replace("PUBLISHED", "REVIEW_CANCELED"),
    );
    documents
}

fn answers_of(folder: &Folder) -> Vec<String> {
    let mut answers = folder.answers_on("2022-01-01");
    [Endpoint::Contracts, Endpoint::RnpCheck]
        .iter()
        .flat_map(|endpoint| [A, B].map(|inn| (*endpoint, inn)))
        .map(|(endpoint, inn)| answers.json(endpoint, inn))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_order_and_any_split_of_documents_gives_the_same_answers(
        order in Just((0..family().len()).collect::<Vec<_>>()).prop_shuffle(),
        cuts in prop::collection::vec(any::<bool>(), family().len()),
    ) {
        let family = family();
        let expected = {
            let folder = Folder::new();
            folder.take(in_one_file(&family));
            answers_of(&folder)
        };
        let folder = Folder::new();
        let mut together = Vec::new();
        for (index, cut) in order.into_iter().zip(cuts) {
            together.push(family[index].clone());
            if cut {
                folder.take(in_one_file(&std::mem::take(&mut together)));
            }
        }
        if !together.is_empty() {
            folder.take(in_one_file(&together));
        }
        prop_assert_eq!(answers_of(&folder), expected);
    }
}

/// Documents of one file, as in the bulk exports.
fn in_one_file(documents: &[String]) -> String {
    let inner = |document: &String| {
        let start = document.find("export").expect("an export");
        let start = start + document[start..].find('>').expect("its end") + 1;
        let end = document.rfind("</").expect("its end tag");
        document[start..end].replace("ns2:", "")
    };
    let all: String = documents.iter().map(inner).collect();
    format!("<export>{all}</export>")
}

// --- Documents that are not as they should be --------------------------------

const GOOD: &str = "<contract><regNum>1</regNum><suppliers><supplier><inn>9600000016</inn></supplier></suppliers></contract>";

/// The problem of a document that stands between two files that go in.
fn check_bad(content: impl AsRef<[u8]>, expected: &str) {
    let folder = Folder::new();
    let files = [
        ("a.xml", GOOD.as_bytes()),
        ("b.xml", content.as_ref()),
        ("c.xml", &GOOD.replace(">1<", ">2<").into_bytes()),
    ];
    let paths = files.map(|(name, content)| {
        let path = folder.0.path().join(name);
        fs::write(&path, content).expect("the file is written");
        path
    });
    let (summary, problems) = folder.import_paths(&paths, false);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(
        problems[0].starts_with(&format!("b.xml{expected}")),
        "{expected} in {problems:?}"
    );
    assert!(!problems[0].contains('\n'), "one line: {problems:?}");
    assert_eq!(summary.skipped, 1);
    assert_eq!(folder.answers().page(A).contracts.len(), 2);
}

#[test]
fn what_a_document_lacks_or_has_wrong_is_named_with_its_element() {
    let contract = |inside: &str| format!("<export><contract>{inside}</contract></export>");
    let numbered = |inside: &str| contract(&format!("<regNum>77</regNum>{inside}"));
    check_bad(contract(""), ": regNum: is missing");
    for (inside, problem) in [
        ("<signDate>2025-02-30</signDate>", "signDate: not a date"),
        ("<signDate>01.02.2025</signDate>", "signDate: not a date"),
        (
            "<publishDate>yesterday</publishDate>",
            "publishDate: not a date",
        ),
        (
            "<versionNumber>1.5</versionNumber>",
            "versionNumber: not a whole number",
        ),
        ("<price>dear</price>", "price: "),
        (
            "<priceInfo><priceRUR>1,5</priceRUR></priceInfo>",
            "priceInfo/priceRUR: ",
        ),
        (
            "<priceInfo><price>12345678901234567890123456789</price></priceInfo>",
            "priceInfo/price: more than 28 significant digits",
        ),
        (
            "<products><product><sum>1</sum></product><product><sum>x</sum></product></products>",
            "products/product[1]/sum: ",
        ),
        (
            "<currentContractStage>X</currentContractStage>",
            "currentContractStage: ",
        ),
        (
            "<executionDate><month>13</month><year>2014</year></executionDate>",
            "executionDate: not a month of a year",
        ),
        (
            "<quantityContractStages>-1</quantityContractStages>",
            "quantityContractStages: ",
        ),
        (
            "<bankSupportContractRequiredInfo><bankSupportContractRequired>да</bankSupportContractRequired></bankSupportContractRequiredInfo>",
            "bankSupportContractRequiredInfo/bankSupportContractRequired: neither true nor false",
        ),
    ] {
        check_bad(numbered(inside), &format!(": contract 77: {problem}"));
    }
    let unfair =
        |inside: &str| format!("<export><unfairSupplier>{inside}</unfairSupplier></export>");
    check_bad(unfair(""), ": registryNum: is missing");
    check_bad(
        unfair("<registryNum>РНП.1</registryNum><approveDate>2021-13-01</approveDate>"),
        ": unfairSupplier РНП.1: approveDate: not a date",
    );
}

#[test]
fn one_bad_document_of_a_file_does_not_keep_the_others_out() {
    let folder = Folder::new();
    let bad = "<contract><regNum>9</regNum><signDate>never</signDate></contract>";
    let two = GOOD.replace(">1<", ">2<");
    let (summary, problems) = folder.import("x.xml", format!("<export>{GOOD}{bad}{two}</export>"));
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].starts_with("x.xml: contract 9: signDate"),
        "{problems:?}"
    );
    let (tally, skipped) = summary.kinds["contract"];
    assert_eq!((tally.new, skipped), (2, 1));
    assert_eq!(folder.answers().page(A).contracts.len(), 2);
}

#[test]
fn a_malformed_document_is_named_with_line_and_column() {
    for (content, place) in [
        (
            "<export>\n<contract>\n  <regNum>1</regNumber>\n</contract></export>",
            ":3:",
        ),
        ("<export>\n<contract>\n<regNum>1</regNum>\n", ":4:"),
        (
            "<export>\n<contract><regNum>1 & 2</regNum></contract></export>",
            ":2:",
        ),
        (
            "<export>\n\n<contract><regNum>1&nbsp;2</regNum></contract></export>",
            ":3:",
        ),
        ("nothing of XML", ":1:"),
    ] {
        check_bad(content, place);
    }
    // The documents before the place are in.
    let folder = Folder::new();
    let (summary, problems) = folder.import("x.xml", format!("<export>{GOOD}\n<contract><regNum>"));
    assert_eq!((summary.skipped, problems.len()), (1, 1));
    assert!(problems[0].starts_with("x.xml:2:"), "{problems:?}");
    assert_eq!(folder.answers().page(A).contracts.len(), 1);
}

#[test]
fn a_file_that_ends_before_its_export_does_or_goes_on_after_it_is_named() {
    for (content, place) in [
        ("<export>\n", ":2:"),
        ("<export>\n<contractProcedure/>\n", ":3:"),
        ("<export>\n</export>\n<export/>", ":3:"),
        ("<export>\n</export>\n<contractProcedure/>", ":3:"),
        ("<export/>\nafter", ":2:"),
    ] {
        check_bad(content, place);
    }
}

#[test]
fn an_empty_document_is_named() {
    for content in [
        "",
        "\u{feff}",
        "\n\n",
        "<?xml version=\"1.0\"?>",
        "<!-- nothing -->",
    ] {
        check_bad(content, ": not an XML document");
    }
}

#[test]
fn a_document_type_or_an_entity_of_its_own_is_not_accepted() {
    let bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE export [<!ENTITY a \"xxxxxxxx\"><!ENTITY b \"&a;&a;\">]>\n<export><contract><regNum>&b;</regNum></contract></export>";
    check_bad(bomb, ":2:");
    check_bad(
        "<!DOCTYPE export SYSTEM \"file:///etc/passwd\"><export/>",
        ":1:",
    );
    let folder = Folder::new();
    let (_, problems) = folder.import("x.xml", bomb);
    assert!(
        problems[0].contains("a document type declaration"),
        "{problems:?}"
    );
}

#[test]
fn a_document_over_a_bound_is_named() {
    let nested = |depth: usize| {
        let inside = format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
        format!(
            "<export>{}</export>",
            GOOD.replace("</regNum>", &format!("</regNum>{inside}"))
        )
    };
    check_bad(nested(MAX_DEPTH + 1), ":1:");
    check_bad(nested(200_000), ":1:");
    let folder = Folder::new();
    folder.take(nested(MAX_DEPTH - 1));
    assert_eq!(folder.answers().page(A).contracts.len(), 1);
    let many = GOOD.replace(
        "</regNum>",
        &format!("</regNum>{}", "<a/>".repeat(MAX_ELEMENTS)),
    );
    check_bad(many, ":1:");
}

#[test]
fn a_document_that_is_not_utf_8_is_named() {
    let mut windows = b"<?xml version=\"1.0\" encoding=\"windows-1251\"?><contract>".to_vec();
    windows.extend([0xcf, 0xf0, 0xe8]);
    check_bad(&windows, ": not UTF-8 from byte 56 on");
    let utf_16: Vec<u8> = std::iter::once(0xfeff)
        .chain(GOOD.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    check_bad(utf_16, ": not UTF-8 from byte 1 on");
    let folder = Folder::new();
    folder.take(format!("\u{feff}{GOOD}"));
    assert_eq!(folder.answers().page(A).contracts.len(), 1);
}

#[test]
fn a_document_of_another_kind_is_passed_over_by_name() {
    let folder = Folder::new();
    let contract223 = "<contract><header><guid>1</guid></header><body><item/></body></contract>";
    let summary = folder.take(format!(
        "<export><contractProcedure><regNum>1</regNum></contractProcedure>{GOOD}<contractProcedure/>{contract223}</export>"
    ));
    assert_eq!(summary.skipped, 0);
    let passed: Vec<(&str, u64)> = summary
        .passed_over
        .iter()
        .map(|(kind, count)| (kind.as_str(), *count))
        .collect();
    assert_eq!(passed, [("contract (223-FZ)", 1), ("contractProcedure", 2)]);
    assert_eq!(folder.answers().page(A).contracts.len(), 1);
}

// --- Archives ----------------------------------------------------------------

fn archive(entries: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, content) in entries {
        if name.ends_with('/') {
            archive.add_directory(*name, options).expect("a folder");
        } else {
            archive.start_file(*name, options).expect("an entry");
            archive.write_all(content).expect("its content");
        }
    }
    archive.finish().expect("an archive").into_inner()
}

#[test]
fn every_document_of_an_archive_goes_in() {
    let folder = Folder::new();
    let (four, eleven) = (sample("contract_4.5.xml"), sample("unfairSupplier_11.xml"));
    let lines = line(A, "5");
    let content = archive(
        &[
            ("folder/", b""),
            ("folder/one.xml", four.as_bytes()),
            ("folder/notes.txt", b"not for us"),
            (
                "bulk.XML",
                format!("<export>{GOOD}{}</export>", GOOD.replace(">1<", ">2<")).as_bytes(),
            ),
            ("lines.jsonl", lines.as_bytes()),
            ("rnp.xml", eleven.as_bytes()),
        ],
        CompressionMethod::Deflated,
    );
    let (summary, problems) = folder.import("x.zip", &content);
    assert_eq!(problems, [""; 0]);
    assert_eq!((summary.skipped, summary.other_files), (0, 1));
    assert_eq!(summary.kinds["contract"].0.new, 3);
    assert_eq!(summary.kinds["unfairSupplier"].0.new, 1);
    let mut answers = folder.answers_on("2022-01-01");
    assert_eq!(answers.page("9600000023").contracts.len(), 1);
    assert_eq!(answers.page(A).contracts.len(), 3);
    assert!(answers.registry("9600000062").listed);
    let version = folder.version();
    let (again, _) = folder.import("x.zip", &content);
    assert_eq!(again.kinds["contract"].0.unchanged, 3);
    assert_eq!(folder.version(), version);
}

#[test]
fn a_bad_entry_of_an_archive_is_named_and_the_others_go_in() {
    let other = GOOD.replace(">1<", ">2<");
    let inner = archive(&[("a.xml", GOOD.as_bytes())], CompressionMethod::Stored);
    let spaces = format!("<export>{}</export>", " ".repeat(4 << 20));
    let marked = GOOD.replace(">1<", "><!--here--><");
    for method in [CompressionMethod::Deflated, CompressionMethod::Stored] {
        let entries: [(&str, &[u8]); 6] = [
            ("a.xml", GOOD.as_bytes()),
            ("b.xml", b"<export>\n<contract></export>"),
            ("c.zip", &inner),
            ("d.xml", spaces.as_bytes()),
            ("e.xml", marked.as_bytes()),
            ("f.xml", other.as_bytes()),
        ];
        let mut content = archive(&entries, method);
        // The entry e is damaged: found by what it is in the archive.
        let needle = match method {
            CompressionMethod::Stored => b"<!--here-->".to_vec(),
            _ => {
                let alone = archive(&[("e.xml", marked.as_bytes())], method);
                let name = find(&alone, b"e.xml") + 5;
                alone[name + 20..name + 50].to_vec()
            }
        };
        let at = find(&content, &needle);
        content[at + 4] ^= 0xff;
        let folder = Folder::new();
        let (summary, problems) = folder.import("x.zip", content);
        let expected = [
            "x.zip/b.xml:2:",
            "x.zip/c.zip: an archive within an archive is not read",
            "x.zip/d.xml: grows more than 300 times",
            "x.zip/e.xml",
        ];
        let expected: Vec<&str> = match method {
            CompressionMethod::Stored => [&expected[..2], &expected[3..]].concat(),
            _ => expected.to_vec(),
        };
        assert_eq!(problems.len(), expected.len(), "{problems:#?}");
        for (problem, expected) in problems.iter().zip(&expected) {
            assert!(problem.starts_with(expected), "{expected}: {problem}");
        }
        assert_eq!(summary.skipped, expected.len() as u64);
        assert_eq!(folder.answers().page(A).contracts.len(), 2);
    }
    assert_eq!(MAX_RATIO, 300, "as the message has it");
}

fn find(bytes: &[u8], needle: &[u8]) -> usize {
    let mut windows = bytes.windows(needle.len());
    windows
        .position(|window| window == needle)
        .expect("it is in there")
}

#[test]
fn what_is_no_archive_is_named() {
    let whole = archive(&[("a.xml", GOOD.as_bytes())], CompressionMethod::Deflated);
    for content in [
        &b""[..],
        b"not an archive",
        GOOD.as_bytes(),
        &whole[..whole.len() / 2],
    ] {
        let folder = Folder::new();
        let (summary, problems) = folder.import("x.zip", content);
        assert_eq!((summary.skipped, problems.len()), (1, 1));
        assert!(
            problems[0].starts_with("x.zip: not a zip archive"),
            "{problems:?}"
        );
    }
    let folder = Folder::new();
    let empty = archive(&[], CompressionMethod::Deflated);
    let (summary, problems) = folder.import("x.zip", empty);
    assert_eq!((summary.skipped, problems.len()), (0, 0));
}

#[test]
fn a_folder_is_read_to_its_depths() {
    let folder = Folder::new();
    let deep = folder.0.path().join("all/2014/10");
    fs::create_dir_all(&deep).expect("folders");
    fs::write(deep.join("a.xml"), GOOD).expect("a file");
    fs::write(deep.join("readme.md"), "not for us").expect("a file");
    let zipped = archive(
        &[("b.xml", GOOD.replace(">1<", ">2<").as_bytes())],
        CompressionMethod::Deflated,
    );
    fs::write(folder.0.path().join("all/b.zip"), zipped).expect("a file");
    let (summary, problems) = folder.import_paths(&[folder.0.path().join("all")], false);
    assert_eq!(problems, [""; 0]);
    assert_eq!(summary.other_files, 1);
    assert_eq!(folder.answers().page(A).contracts.len(), 2);
}

// --- Real documents ----------------------------------------------------------

/// The documents that `EIS_DOCUMENTS` names, if it does.
fn real_documents() -> Option<PathBuf> {
    let documents = std::env::var_os("EIS_DOCUMENTS").filter(|path| !path.is_empty());
    if documents.is_none() {
        println!("skipped: EIS_DOCUMENTS does not name a folder of real documents");
    }
    documents.map(|path| Path::new(&path).to_owned())
}

/// A supplier's one contract has these values, read by hand in its document.
fn check_real(
    answers: &mut Answers,
    (inn, name): (&str, &str),
    products: (usize, &str),
    fields: &[(&str, &str)],
) {
    let page = answers.page(inn);
    assert_eq!(page.name.as_deref(), Some(name));
    assert_eq!(page.contracts.len(), 1, "{inn}");
    for (field, expected) in fields {
        let value = page.contracts[0][*field].get();
        assert_eq!(value, *expected, "{field} of {inn}");
    }
    let items: Vec<&RawValue> =
        serde_json::from_str(page.contracts[0]["products"].get()).expect("products");
    assert_eq!(items.len(), products.0, "{inn}");
    assert_eq!(items[0].get(), products.1, "{inn}");
}

#[test]
fn real_documents_are_read_as_a_person_reads_them() {
    let Some(documents) = real_documents() else {
        return;
    };
    let folder = Folder::new();
    let paths = ["contract", "rnp"].map(|kind| documents.join(kind));
    let (summary, problems) = folder.import_paths(&paths, false);
    assert_eq!(problems, [""; 0]);
    assert_eq!(summary.skipped, 0);
    assert_eq!(summary.kinds["contract"].0.new, 5);
    assert_eq!(summary.kinds["unfairSupplier"].0.new, 1);
    // That of schema 7.0 names no supplier.
    assert_eq!(summary.without_supplier, 1);
    let mut answers = folder.answers_on("2016-06-01");
    check_real(
        &mut answers,
        (
            "0105070446",
            "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"ШАГДИ\"",
        ),
        (4, r#"{"code":"25.22.11.130","sum":42100}"#),
        &[
            ("regNum", r#""0376200001114000031""#),
            ("purchaseNumber", r#""0376200001114000013""#),
            ("customerInn", r#""0105031422""#),
            ("contractPrice", "145000"),
            ("signDate", r#""2014-10-03""#),
            ("endDate", r#""2014-12-31""#),
            ("contractStage", r#""E""#),
            ("ContractStages", "0"),
            ("budgetName", "null"),
            ("OKTMO", "null"),
            (
                "purchaseObjectInfo",
                r#""Пакет для утилизации медицинских отходов класса Б № 100; Пакет для утилизации медицинских отходов класса А № 100""#,
            ),
        ],
    );
    check_real(
        &mut answers,
        (
            "6901067107",
            "Филиал ПАО \"МРСК Центра\" - \"Белгородэнерго\"",
        ),
        (1, r#"{"code":"35.12.10.110","sum":6987268.99}"#),
        &[
            ("regNum", r#""3312100001816000003""#),
            ("purchaseNumber", r#""0126300030515000080""#),
            ("customerInn", r#""3121000018""#),
            ("contractPrice", "6987268.99"),
            ("signDate", r#""2016-01-22""#),
            ("endDate", r#""2016-12-31""#),
            ("deliveryTerm", r#""2016-01-22..2016-12-31""#),
            ("contractStage", r#""E""#),
            ("ContractStages", "1"),
            ("updateDate", r#""2016-01-25""#),
            (
                "budgetName",
                r#""Бюджет муниципального района \"Яковлевский район\"""#,
            ),
            ("OKTMO", r#""14658101001-г Строитель""#),
            ("contractGuarantee", "null"),
        ],
    );
    check_real(
        &mut answers,
        (
            "6829057730",
            "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ \"Р-ЛАБ\"",
        ),
        (21, r#"{"code":"21.20.23.111","sum":12271}"#),
        &[
            ("regNum", r#""2366200608816001262""#),
            ("purchaseNumber", r#""0131200001016005027""#),
            ("customerInn", r#""3662006088""#),
            ("contractPrice", "1207680.35"),
            ("signDate", r#""2016-11-21""#),
            ("endDate", r#""2016-12-31""#),
            ("contractStage", r#""E""#),
            ("ContractStages", "1"),
            ("updateDate", r#""2016-11-21""#),
            ("contractGuarantee", "60384.02"),
            ("budgetName", r#""Средства бюджетных учреждений""#),
            ("OKTMO", "null"),
        ],
    );
    check_real(
        &mut answers,
        ("994456240858", "Петров Пётр Петрович"),
        (5, r#"{"code":"31.09.14.110","sum":220070.48}"#),
        &[
            ("regNum", r#""1770989550925003831""#),
            ("purchaseNumber", r#""0858400000125000112""#),
            ("purchaseCode", r#""251770989550961674300100288850000244""#),
            ("customerInn", r#""7709895509""#),
            ("contractPrice", "667600"),
            ("signDate", r#""2025-10-07""#),
            ("endDate", r#""2025-12-03""#),
            ("contractStage", r#""E""#),
            ("ContractStages", "1"),
            ("updateDate", r#""2025-10-09""#),
            ("budgetName", r#""Федеральный бюджет""#),
            ("OKTMO", "null"),
            (
                "purchaseObjectInfo",
                r#""Поставка мобильных перегородок с установкой (монтажом) для нужд Управления Федерального казначейства по г. Севастополю (прочая закупка).""#,
            ),
        ],
    );
    let registry = answers.registry("0326497652");
    assert_eq!(
        registry.name.as_deref(),
        Some("Общество с ограниченной ответственностью \"Пилот Групп\"")
    );
    assert!(registry.listed);
    for (name, value) in &registry.entries[0] {
        let expected = match name.as_str() {
            "registrationNumber" => r#""РНП.24120-15""#,
            "registrationDate" => r#""2015-01-13""#,
            "reason" => r#""WINNER_DEVIATION""#,
            "excludeDate" => r#""2017-01-13""#,
            "federalLaw" => r#""44""#,
            _ => "null",
        };
        assert_eq!(value.get(), expected, "{name}");
    }
    assert!(
        !folder.answers().registry("0326497652").listed,
        "it is over"
    );
}
