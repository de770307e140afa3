//! The same questions to a file and to the servers that it was published to: what is answered
//! is the same.

use std::cell::RefCell;
use std::fmt::Write as _;

use procurement_lookup::model::{
    ContractFilter, ContractOrder, ContractStage, Date, Inn, LogPosition, LogSubject, NameQuery,
    OrderBy, Overdue, PurchaseNumber, Stages,
};
use procurement_lookup::store::postgresql::publish;
use procurement_lookup::store::{
    Database, Error, KnownSupplier, NameKinds, Prefetch, RemoteServers,
};
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};

use crate::postgresql::TestDatabase;
use crate::service::Service;

/// Suppliers: all kinds of names, none at all, and one that the data does not have.
const SUPPLIERS: [(&str, &str); 13] = [
    ("9600000001", "ООО \\\"ЛЕС\\\""),
    (
        "9600000002",
        "Общество с ограниченной ответственностью «Лес и поле»",
    ),
    ("960000000003", "ИП Лесов Лес Лесович"),
    ("9600000004", "АНО НКО «Лес»"),
    ("9600000005", "Публичное акционерное общество ЁЛКА-ЛЕС"),
    ("9600000006", ""),
    ("9600000007", "Крестьянское (фермерское) хозяйство Лес"),
    ("9600000008", "Полесье"),
    ("9600000009", "лес"),
    (
        "9600000010",
        "Государственное бюджетное учреждение здравоохранения «Общество»",
    ),
    ("9600000011", "100% _лес_ \\\\ 'лес'"),
    ("9600000012", "лес\\u0000\\u0001"),
    ("9699999999", ""),
];

/// What may be looked for in names, beside parts of them.
const PARTS: [&str; 16] = [
    "лес",
    "общество",
    "ооо",
    "ооо лес",
    "акционерное",
    "ано нко лес",
    "фермерское",
    "кфх лес",
    "общество с огра",
    "100% _",
    "\\ '",
    "лес\0",
    "ао лес",
    "полесбе",
    "елак лес",
    "больница",
];

const CUSTOMERS: [&str; 6] = [
    "9600000101",
    "960000010",
    "",
    "007",
    "ИНН 1",
    "96000001020000000000",
];
const STAGES: [&str; 5] = ["E", "EC", "ET", "IN", ""];
const PRICES: [&str; 21] = [
    "null",
    "0",
    "0.01",
    "0.005",
    "5",
    "5.001",
    "5.0011",
    "5.009",
    "-5",
    "-5.001",
    "-5.009",
    "-1e-5",
    "-1e22",
    "100000.5",
    "1e20",
    "1e-7",
    "1e-900",
    "1e900",
    "99999999999999999999.99",
    "180143985094819.83",
    "180143985094819.84",
];

/// Numbers that follow one another without a pattern, from a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        let number = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = number.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

fn reg_num(number: usize) -> String {
    match number % 7 {
        0 => format!("Д-{number}"),
        1 => format!("9{number:018}"),
        _ => format!("39600000000250{number:05}"),
    }
}

fn entry_number(number: usize) -> String {
    format!("РНП.{number:06}-25")
}

fn purchase_number(number: usize) -> String {
    match number % 3 {
        0 => format!("0373100000125{number:06}"),
        1 => format!("325{number:08}"),
        _ => format!("0296200041024{number:05}"),
    }
}

fn day(number: usize) -> String {
    format!("202{}-0{}-1{}", number % 4, number % 3 + 1, number % 5)
}

/// Lines of all kinds; few values of each, so that many are equal.
fn lines(seed: u64) -> String {
    let mut numbers = Numbers(seed);
    let mut lines = String::new();
    let quoted = |numbers: &mut Numbers| match numbers.below(5) {
        0 => "null".to_owned(),
        _ => format!("\"{}\"", day(numbers.below(60))),
    };
    for at in 0..700 {
        // The last of them are of one supplier, who has pages in the middle.
        let (inn, name) = SUPPLIERS[match at {
            0..300 => numbers.below(9).min(numbers.below(9)),
            _ => 0,
        }];
        let number = reg_num(if at < 300 { numbers.below(180) } else { at });
        let customer = CUSTOMERS[numbers.below(CUSTOMERS.len())];
        let customer_name = ["", "Школа", "Школа № 1", "Больница \\\"А\\\""][numbers.below(4)];
        let price = PRICES[numbers.below(PRICES.len())];
        let stage = STAGES[numbers.below(STAGES.len())];
        let (signed, updated) = (quoted(&mut numbers), quoted(&mut numbers));
        let ends = quoted(&mut numbers);
        let subject = numbers.below(1000);
        writeln!(
            lines,
            r#"{{"type":"contract","supplier":{{"inn":"{inn}","name":"{name}"}},"contract":{{"regNum":"{number}","purchaseObjectInfo":"{subject}","customerInn":"{customer}","customerName":"{customer_name}","contractPrice":{price},"contractStage":"{stage}","signDate":{signed},"updateDate":{updated},"endDate":{ends},"subContractors":{}}}}}"#,
            subject.is_multiple_of(2)
        )
        .expect("a line");
    }
    for (inn, name) in &SUPPLIERS[8..11] {
        writeln!(
            lines,
            r#"{{"type":"supplier","supplier":{{"inn":"{inn}","name":"{name}"}}}}"#
        )
        .expect("a line");
    }
    for _ in 0..20 {
        let (inn, name) = SUPPLIERS[numbers.below(11)];
        let number = entry_number(numbers.below(30));
        let (from, to) = (day(numbers.below(60)), quoted(&mut numbers));
        let law = ["44", "223", "615"][numbers.below(3)];
        writeln!(
            lines,
            r#"{{"type":"rnpEntry","supplier":{{"inn":"{inn}","name":"{name}"}},"entry":{{"registrationNumber":"{number}","registrationDate":"{from}","excludeDate":{to},"federalLaw":"{law}"}}}}"#
        )
        .expect("a line");
    }
    for _ in 0..250 {
        let number = numbers.below(400);
        let kind = ["purchase44", "purchase223", "purchase615"][number % 3];
        let number = purchase_number(number);
        let subject = "предмет ".repeat(numbers.below(600));
        writeln!(
            lines,
            r#"{{"type":"{kind}","purchase":{{"purchaseNumber":"{number}","purchaseObjectInfo":"{subject}"}}}}"#
        )
        .expect("a line");
    }
    let law = ["44", "223"][numbers.below(2)];
    let until = day(numbers.below(60));
    writeln!(
        lines,
        r#"{{"type":"registry","federalLaw":"{law}","completeAsOf":"{until}"}}"#
    )
    .expect("a line");
    for region in 1..5 {
        let from = day(numbers.below(60));
        writeln!(
            lines,
            r#"{{"type":"coverage","subsystem":"RGK","documents":"contract","region":"0{region}","from":"{from}","to":"2026-01-0{region}"}}"#
        )
        .expect("a line");
    }
    lines
}

/// What is asked.
#[derive(Clone, Debug)]
enum Question {
    Check(Vec<Inn>),
    Page(Inn, ContractFilter, ContractOrder, u64, u64),
    Customer(String, ContractFilter, ContractOrder, u64, u64),
    Summary(Inn, ContractFilter),
    Names(String, usize),
    Number(String),
    ChangesAfter(LogPosition, u64),
    ChangesOf(Inn, LogPosition),
    Revision(u64, i64),
    Whole,
}

fn inn() -> impl Strategy<Value = Inn> {
    select(&SUPPLIERS[..]).prop_map(|(inn, _)| Inn::parse(inn).expect("an INN"))
}

fn date() -> impl Strategy<Value = Option<Date>> {
    weighted(
        0.3,
        (0..60_usize).prop_map(|number| Date::parse_iso(&day(number)).expect("a day")),
    )
}

fn filter() -> impl Strategy<Value = ContractFilter> {
    let stage = select(&ContractStage::ALL[..]);
    let price = || {
        let price = select(&PRICES[1..]).prop_map(|price| price.parse().expect("an amount"));
        weighted(0.3, price)
    };
    let customer = select(&CUSTOMERS[..]).prop_map(str::to_owned);
    (
        proptest::collection::vec(stage, 0..3),
        (date(), date(), date()),
        weighted(0.2, customer),
        (price(), price()),
        weighted(0.3, any::<bool>()),
        weighted(0.3, (any::<bool>(), date())),
    )
        .prop_map(
            |(stages, days, customer_inn, prices, has, overdue)| ContractFilter {
                stages: Stages::new(stages),
                signed_from: days.0,
                signed_to: days.1,
                updated_from: days.2,
                customer_inn,
                price_from: prices.0,
                price_to: prices.1,
                has_subcontractors: has,
                overdue: overdue.and_then(|(is_overdue, on)| {
                    Some(Overdue {
                        is_overdue,
                        on: on?,
                    })
                }),
            },
        )
}

fn filters() -> impl Strategy<Value = ContractFilter> {
    prop_oneof![Just(ContractFilter::default()), filter()]
}

fn order() -> impl Strategy<Value = ContractOrder> {
    let by = select(&[OrderBy::SignDate, OrderBy::Price, OrderBy::UpdateDate][..]);
    (by, any::<bool>()).prop_map(|(by, ascending)| ContractOrder { by, ascending })
}

/// A number of contracts or changes: mostly few, sometimes more than there can be.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0..40_u64, 3 => 0..600_u64, 1 => Just(u64::MAX)]
}

/// A position in the log, often in the middle of a revision.
fn position() -> impl Strategy<Value = LogPosition> {
    let customer = select(&CUSTOMERS[..]).prop_filter_map("digits", LogSubject::customer);
    let other = (0..200_i64).prop_map(LogSubject::Number);
    let row = (0..8_u8, prop_oneof![other, customer]);
    (0..6_u64, weighted(0.7, row)).prop_map(|(revision, row)| LogPosition { revision, row })
}

/// A part of a name, or what is none.
fn part() -> impl Strategy<Value = String> {
    let part =
        (select(&SUPPLIERS[..]), 0..40_usize, 3..12_usize).prop_map(|((_, name), from, many)| {
            let part: String = name.chars().skip(from).take(many).collect();
            part
        });
    prop_oneof![part, select(&PARTS[..]).prop_map(str::to_owned)]
}

fn question() -> impl Strategy<Value = Question> {
    let customer = || select(&CUSTOMERS[..]).prop_map(str::to_owned);
    let any_number = (0..3, 0..400_usize).prop_map(|(kind, number)| match kind {
        0 => reg_num(number),
        1 => entry_number(number % 40),
        _ => purchase_number(number),
    });
    let range = || (number(), number());
    prop_oneof![
        proptest::collection::vec(inn(), 1..5).prop_map(Question::Check),
        (inn(), filters(), order(), range()).prop_map(|(inn, filter, order, (skip, limit))| {
            Question::Page(inn, filter, order, skip, limit)
        }),
        (customer(), filters(), order(), range()).prop_map(
            |(inn, filter, order, (skip, limit))| {
                Question::Customer(inn, filter, order, skip, limit)
            }
        ),
        (inn(), filters()).prop_map(|(inn, filter)| Question::Summary(inn, filter)),
        (part(), 0..15_usize).prop_map(|(part, limit)| Question::Names(part, limit)),
        any_number.prop_map(Question::Number),
        (position(), number()).prop_map(|(after, limit)| Question::ChangesAfter(after, limit)),
        (inn(), position()).prop_map(|(inn, after)| Question::ChangesOf(inn, after)),
        (number(), -10..10_i64).prop_map(|(number, time)| Question::Revision(number, time)),
        Just(Question::Whole),
    ]
}

/// What a database answers, as text. Where `is_ahead`, it is told before what will be asked.
fn answer(database: &mut Database, question: &Question, is_ahead: bool) -> Result<String, Error> {
    let number = match question {
        Question::Number(number) => PurchaseNumber::parse(number),
        _ => None,
    };
    let ahead = match (question, &number) {
        _ if !is_ahead => Prefetch::Nothing,
        (Question::Check(inns), _) => Prefetch::Suppliers(inns),
        (Question::Page(supplier, _, _, skip, limit), _) => Prefetch::Newest {
            supplier,
            skip: *skip,
            limit: *limit,
        },
        (_, Some(number)) => Prefetch::Purchase(number),
        _ => Prefetch::Nothing,
    };
    database.begin(ahead)?;
    let mut said = format!("{:?}\n", database.version());
    match question {
        Question::Check(inns) => {
            for inn in inns {
                let supplier = database.supplier(inn)?;
                say(&mut said, &supplier);
                say(&mut said, database.purchases_won(inn, 1, 20)?);
                if let Some(supplier) = &supplier {
                    say(&mut said, database.rnp_entries(&supplier.inn)?);
                }
            }
        }
        Question::Page(inn, filter, order, skip, limit) => {
            if let Some(supplier) = database.supplier(inn)? {
                let selection = database.select(&supplier, filter, *order, *skip, *limit)?;
                say(&mut said, selection.count);
                database.show(&supplier, &selection, &mut |one| say(&mut said, one))?;
            }
        }
        Question::Customer(inn, filter, order, skip, limit) => {
            let selection = database.select_of_customer(inn, filter, *order, *skip, *limit)?;
            say(&mut said, (&selection.name, selection.count));
            database.show_of_customer(&selection, &mut |supplier, one| {
                say(&mut said, (supplier, one));
            })?;
        }
        Question::Summary(inn, filter) => {
            if let Some(supplier) = database.supplier(inn)? {
                let summary = database.summary(&supplier, filter)?;
                say(
                    &mut said,
                    (summary.count, summary.priceless, summary.customers_count),
                );
                say(&mut said, summary.sum.text());
                for share in &summary.years {
                    say(&mut said, (share.key, share.count, share.sum.text()));
                }
                for share in &summary.stages {
                    say(&mut said, (share.key, share.count, share.sum.text()));
                }
                for one in &summary.customers {
                    say(&mut said, (&one.inn, &one.name, one.count, one.sum.text()));
                }
            }
        }
        Question::Names(text, limit) => {
            if let Some(query) = NameQuery::new(text) {
                for kinds in [NameKinds::Suppliers, NameKinds::AllBut(SUPPLIERS[0].0)] {
                    say(&mut said, database.find_names(&query, kinds, *limit)?);
                }
            }
        }
        Question::Number(text) => {
            say(&mut said, database.suppliers_of_contract(text)?);
            say(&mut said, database.purchases_of_contract(text)?);
            say(&mut said, database.sources(text)?);
            say(&mut said, database.rnp_entry(text)?);
            if let Some(number) = &number {
                say(&mut said, database.purchase(number)?);
            }
        }
        Question::ChangesAfter(position, limit) => {
            say(&mut said, database.changes_after(position, *limit)?);
            let cursor = database.cursor_at(position.clone());
            say(&mut said, database.has_changes_since(&cursor)?);
            let _ = writeln!(said, "{cursor}");
        }
        Question::ChangesOf(inn, after) => {
            if let Some(supplier) = database.supplier(inn)? {
                say(&mut said, database.changes_of(&supplier, after)?);
            }
        }
        Question::Revision(number, time) => {
            say(&mut said, database.oldest_revision()?);
            say(&mut said, database.revision(*number)?);
            let time = database.version().updated + time;
            say(&mut said, database.revision_before(time)?);
        }
        Question::Whole => {
            say(
                &mut said,
                (
                    database.counts()?,
                    database.registries(),
                    database.coverage()?,
                ),
            );
        }
    }
    Ok(said)
}

fn say(said: &mut String, what: impl std::fmt::Debug) {
    writeln!(said, "{what:?}").expect("a line");
}

/// All suppliers with their contracts and entries, and all purchases, as an export reads them.
fn scanned(database: &mut Database) -> Result<String, Error> {
    database.hold()?;
    let said = RefCell::new(String::new());
    let database = &*database;
    database.suppliers(|inn: &Inn, supplier: &KnownSupplier| -> Result<(), Error> {
        say(&mut said.borrow_mut(), (inn, supplier));
        say(&mut said.borrow_mut(), database.rnp_entries(&supplier.inn)?);
        database.contracts(supplier, &mut |one| say(&mut said.borrow_mut(), one))
    })?;
    database.purchases(|purchase| -> Result<(), Error> {
        say(&mut said.borrow_mut(), purchase);
        Ok(())
    })?;
    Ok(said.into_inner())
}

/// A file of several imports, and the servers that it was published to.
struct Sources {
    service: Service,
    published: TestDatabase,
    servers: RemoteServers,
}

impl Sources {
    fn new() -> Self {
        let service = Service::over(&lines(1));
        for seed in 2..5 {
            service.import(&lines(seed));
        }
        let published = TestDatabase::new();
        let servers = RemoteServers::from(published.server_address());
        let sources = Self {
            service,
            published,
            servers,
        };
        sources.publish();
        sources
    }

    fn publish(&self) {
        let address = self.published.server_address();
        publish(&self.service.database(), &address, false, &mut |_, _| ())
            .expect("it is published");
    }

    fn file(&self) -> Database {
        Database::open(&self.service.database()).expect("the file opens")
    }

    fn server(&self) -> Database {
        self.servers.database()
    }
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn servers_answer_any_question_as_the_file_does() {
    let sources = Sources::new();
    let databases = RefCell::new((sources.file(), sources.server()));
    let config = Config {
        cases: 3000,
        failure_persistence: None,
        ..Config::default()
    };
    let questions = (question(), any::<bool>());
    let outcome = TestRunner::new(config).run(&questions, |(question, is_ahead)| {
        let (file, server) = &mut *databases.borrow_mut();
        let expected = answer(file, &question, is_ahead).expect("the file answers");
        let answered = answer(server, &question, is_ahead).expect("the server answers");
        prop_assert_eq!(answered, expected);
        Ok(())
    });
    outcome.unwrap();
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn servers_are_scanned_in_the_order_of_the_file() {
    let sources = Sources::new();
    let expected = scanned(&mut sources.file()).expect("the file is read");
    let mut server = sources.server();
    // The second time in another transaction.
    for _ in 0..2 {
        assert_eq!(scanned(&mut server).expect("the server is read"), expected);
    }
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn what_is_held_is_of_one_state_to_the_end_whatever_is_published_meanwhile() {
    let sources = Sources::new();
    let mut server = sources.server();
    server.hold().expect("a server answers");
    let expected = sources.file().version();
    let supplier = Inn::parse(SUPPLIERS[0].0).expect("an INN");
    // What has changed; then all, so that the tables are others.
    sources.service.import(&lines(5));
    sources.publish();
    let other = Service::over(&lines(6));
    let address = sources.published.server_address();
    publish(&other.database(), &address, false, &mut |_, _| ()).expect("it is published");
    let supplier = server.supplier(&supplier).expect("it is read");
    let changes = server.changes_of(
        &supplier.expect("a supplier"),
        &LogPosition::after_revision(0),
    );
    assert!(!changes.expect("they are read").is_empty());
    assert_eq!(server.version(), expected);
    // What comes after that is of the newest state.
    server.hold().expect("a server answers");
    let newest = Database::open(&other.database()).expect("the file opens");
    assert_eq!(server.version(), newest.version());
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn an_answer_that_is_overtaken_by_a_publication_says_so_and_is_begun_anew() {
    let sources = Sources::new();
    let mut server = sources.server();
    let inn = Inn::parse(SUPPLIERS[0].0).expect("an INN");
    server.begin(Prefetch::Nothing).expect("a server answers");
    let before = server.version();
    let supplier = server
        .supplier(&inn)
        .expect("it is read")
        .expect("a supplier");
    sources.service.import(&lines(5));
    sources.publish();
    let overtaken = server.summary(&supplier, &ContractFilter::default());
    assert!(overtaken.is_err() && server.has_moved(), "{overtaken:?}");
    server.begin(Prefetch::Nothing).expect("a server answers");
    assert!(!server.has_moved());
    assert_eq!(server.version().revision, before.revision + 1);
    assert_eq!(server.version(), sources.file().version());
    let question = Question::Summary(inn, ContractFilter::default());
    assert_eq!(
        answer(&mut server, &question, false).expect("the server answers"),
        answer(&mut sources.file(), &question, false).expect("the file answers"),
    );
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_damaged_record_is_an_error_that_names_the_server_and_the_remedy() {
    let sources = Sources::new();
    sources
        .published
        .sql("UPDATE contract SET record = substr(record, 2)");
    let mut server = sources.server();
    let inn = Inn::parse(SUPPLIERS[0].0).expect("an INN");
    let question = Question::Page(
        inn,
        ContractFilter::default(),
        ContractOrder::default(),
        0,
        5,
    );
    let error = answer(&mut server, &question, true).expect_err("the record is damaged");
    let said = error.to_string();
    assert!(
        said.starts_with("postgresql://") && said.contains("publish"),
        "{said}"
    );
    assert!(!error.is_unreachable() && !server.has_moved());
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn where_nothing_was_published_the_error_says_how_to() {
    let database = TestDatabase::new();
    let mut server = RemoteServers::from(database.server_address()).database();
    let error = server
        .begin(Prefetch::Nothing)
        .expect_err("nothing is there");
    assert!(
        error.to_string().contains("procurement-lookup publish"),
        "{error}"
    );
    assert!(!error.is_unreachable());
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_session_that_ends_is_replaced_in_the_middle_of_an_answer() {
    let sources = Sources::new();
    let mut server = sources.server();
    server.begin(Prefetch::Nothing).expect("a server answers");
    sources.published.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    let inn = Inn::parse(SUPPLIERS[0].0).expect("an INN");
    let found = server.supplier(&inn).expect("another session reads it");
    assert_eq!(
        found,
        sources.file().supplier(&inn).expect("the file is read")
    );
}
