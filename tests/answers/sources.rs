//! Responses are the same whether they come from a file or from a server to which the file was
//! published.

use std::cell::RefCell;
use std::fmt::Write as _;

use procurement_lookup::api::Endpoint;
use procurement_lookup::model::{
    ContractFilter, ContractOrder, Date, Ground, Inn, LogPosition, LogSubject, VerdictRules,
};
use procurement_lookup::store::postgresql::publish;
use procurement_lookup::store::{Database, Error, Prefetch, RemoteServers, SupplierRow};
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::filters::{self, DIGITS, asked};
use crate::golden;
use crate::import::folder::{Answers, supplier};
use crate::import::log::any_line;
use crate::postgresql::{PublishedFile, TestDatabase};
use crate::service::{Service, TODAY};
use crate::source::Source;

/// Suppliers with names in many forms.
const NAMED: [(&str, &str); 9] = [
    ("9600000811", "ООО \\\"ЛЕС\\\""),
    (
        "9600000812",
        "Общество с ограниченной ответственностью «Лес и поле»",
    ),
    ("960000000813", "ИП Лесов Лес Лесович"),
    ("9600000814", "АНО НКО «Лес»"),
    ("9600000815", "Крестьянское (фермерское) хозяйство Лес"),
    ("9600000816", "Полесье"),
    ("9600000817", "лес"),
    ("9600000818", "100% _лес_ \\\\ 'лес'"),
    ("9600000819", "лес\\u0000\\u0001"),
];

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
    "контракт",
    "больница",
];

/// A supplier with many pages of contracts.
const LARGE: &str = filters::SUPPLIERS[0];

/// Other suppliers, including one without data.
const OTHERS: [&str; 8] = [
    filters::SUPPLIERS[1],
    "9600000027",
    "960000000004",
    "9600000021",
    "9600000022",
    "9600000261",
    NAMED[0].0,
    "9699999999",
];

const NUMBERS: [&str; 12] = [
    "3960000000225000001",
    "396000000000000000007",
    "0",
    "1",
    "0960000000025000001",
    "0960000000025000003",
    "39600000001",
    "39600000003",
    "096000000000000001",
    "096000000000000003",
    "РНП.960100-24",
    "РНП.960500-26",
];

/// Lines of all kinds. They are drawn from a few distinct values, so that many of them are equal.
fn lines(seed: u8) -> String {
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let lines = (vec(filters::line(900), 500), vec(any_line(), 60));
    let (contracts, others) = lines.new_tree(&mut runner).expect("lines").current();
    let coverage = format!(
        r#"{{"type":"coverage","subsystem":"RGK","documents":"contract","region":"0{seed}","from":"2025-01-0{seed}","to":"2026-01-0{seed}"}}"#
    );
    filters::lines(&contracts) + &others.concat() + &contents(seed) + &coverage
}

/// Contracts and purchases with subjects and items. Each seed changes some of them.
fn contents(seed: u8) -> String {
    let mut lines = String::new();
    for number in 0..120_u32 {
        let part = |count: u32| (number + u32::from(seed) * (number % 3)) % count;
        let subject = ["Поставка бумаги А4", "Ремонт кровли", "бумага", ""][part(4) as usize];
        let name = ["Бумага офисная", "Черепица", "бумаги"][part(3) as usize];
        let inn = [LARGE, OTHERS[0], OTHERS[1]][part(3) as usize];
        let (customer, day) = (DIGITS[part(2) as usize], part(28) + 1);
        writeln!(
            lines,
            r#"{{"type":"contract","supplier":{{"inn":"{inn}"}},"contract":{{"regNum":"3961{number:015}","signDate":"2025-02-{day:02}","contractStage":"E","customerInn":"{customer}","purchaseObjectInfo":"{subject}","contractPrice":{number},"penaltiesTotal":{},"products":[{{"code":"17.12.1{}","name":"{name}","okei":"796","okeiName":"шт","quantity":2,"price":{}.5,"sum":1}}]}}}}"#,
            part(2),
            part(5),
            part(7),
        )
        .expect("a line");
        writeln!(
            lines,
            r#"{{"type":"purchase44","purchase":{{"purchaseNumber":"0961{number:015}","docPublishDate":"{day:02}.02.2025","purchaseObjectInfo":"{subject}","fullNMCK":{number},"responsibleOrg":{{"inn":"{customer}"}}}}}}"#,
        )
        .expect("a line");
    }
    lines
}

/// A search by content: for contracts, a summary of contracts, or purchases.
fn by_content() -> impl Strategy<Value = Question> {
    let words = select(
        &[
            "бумагу",
            "ремонт",
            "A4 бумага",
            "офисный",
            "кровля or",
            "слон",
        ][..],
    );
    let code = select(&["17", "17.12", "17.12.11,17.12.13", "17.12.1"][..]);
    let region = select(&["96", "96,77", "50"][..]);
    let fact = select(&["penalties", "overdue", "signedWhileListed,penalties"][..]);
    let parameters = (
        [weighted(0.7, words.boxed()), weighted(0.3, code.boxed())],
        [weighted(0.3, region.boxed()), weighted(0.2, fact.boxed())],
        weighted(0.2, select(&DIGITS[..])),
        (weighted(0.2, inn()), asked(), page()),
    );
    (0..3, parameters).prop_map(
        |(kind, ([q, code], [region, fact], customer, (supplier, asked, page)))| {
            let of_contracts = kind < 2;
            let given = [
                ("q", q.map(str::to_owned)),
                ("code", code.map(str::to_owned)),
                ("region", region.map(str::to_owned)),
                ("customerInn", customer.map(str::to_owned)),
                ("supplierINN", supplier.filter(|_| of_contracts)),
                ("fact", fact.filter(|_| of_contracts).map(str::to_owned)),
            ];
            let given = given.into_iter();
            let given = given.filter_map(|(name, value)| Some((name, value?)));
            let mut parameters: Vec<_> = given.collect();
            match kind {
                0 => parameters.extend(asked.without("customerInn").0.into_iter().chain(page)),
                1 => parameters.extend(asked.without("customerInn").without("sort").0),
                _ => parameters.extend(page),
            }
            let endpoint = match kind {
                0 => Endpoint::CONTRACT_SEARCH,
                1 => Endpoint::CONTENT_SUMMARY,
                _ => Endpoint::PURCHASE_SEARCH,
            };
            Question(endpoint, parameters, None)
        },
    )
}

/// A request: the endpoint, its parameters, and the log position to encode as a cursor.
#[derive(Clone, Debug)]
struct Question(
    &'static Endpoint,
    Vec<(&'static str, String)>,
    Option<LogPosition>,
);

fn inn() -> impl Strategy<Value = String> {
    prop_oneof![Just(LARGE), select(&OTHERS[..])].prop_map(str::to_owned)
}

/// A range within a list, sometimes past its end.
fn page() -> impl Strategy<Value = [(&'static str, String); 2]> {
    let skip = prop_oneof![8 => 0..40_u64, 3 => 0..1500_u64, 1 => Just(u64::MAX)];
    (skip, 0..=200_u64)
        .prop_map(|(skip, limit)| [("skip", skip.to_string()), ("limit", limit.to_string())])
}

/// A position in the log, often inside a revision.
fn position() -> impl Strategy<Value = LogPosition> {
    let customer = select(&DIGITS[..]).prop_filter_map("digits", LogSubject::customer);
    let other = (0..200_i64).prop_map(LogSubject::Number);
    let row = (0..8_u8, prop_oneof![other, customer]);
    (0..6_u64, weighted(0.7, row)).prop_map(|(revision, row)| LogPosition { revision, row })
}

fn question() -> impl Strategy<Value = Question> {
    let of_inn = |endpoint| {
        move |(inn, asked, page): (String, filters::Asked, [_; 2])| {
            let mut parameters = asked.0;
            parameters.push(("supplierINN", inn));
            parameters.extend(page);
            Question(endpoint, parameters, None)
        }
    };
    let plain = |endpoint, name| {
        move |value: &str| Question(endpoint, vec![(name, value.to_owned())], None)
    };
    let checked = (vec(inn(), 1..5), 0..2_u8).prop_map(|(inns, history)| {
        let parameters = vec![
            ("supplierINN", inns.join(",")),
            ("history", history.to_string()),
        ];
        Question(Endpoint::RNP_CHECK_MANY, parameters, None)
    });
    let of_customer = (select(&DIGITS[..]), asked(), page()).prop_map(|(customer, asked, page)| {
        let mut parameters = asked.without("customerInn").0;
        parameters.push(("customerINN", customer.to_owned()));
        parameters.extend(page);
        Question(Endpoint::CUSTOMER_CONTRACTS, parameters, None)
    });
    let names = (select(&PARTS[..]), 0..15_u8).prop_map(|(part, limit)| {
        let parameters = vec![("q", part.to_owned()), ("limit", limit.to_string())];
        Question(Endpoint::FIND, parameters, None)
    });
    let changes = (position(), 0..600_u64).prop_map(|(position, limit)| {
        let limit = ("limit", limit.to_string());
        Question(Endpoint::CHANGES, vec![limit], Some(position))
    });
    let by_number = prop_oneof![
        select(&NUMBERS[..]).prop_map(plain(Endpoint::FIND, "q")),
        select(&NUMBERS[..]).prop_map(plain(Endpoint::DOCUMENTS, "number")),
        select(&NUMBERS[..]).prop_map(plain(Endpoint::CONTRACT, "regNum")),
        select(&NUMBERS[4..6]).prop_map(plain(Endpoint::PURCHASE_44, "purchaseNumber")),
        select(&NUMBERS[6..10]).prop_map(plain(Endpoint::PURCHASE_223, "purchaseNumber")),
    ];
    prop_oneof![
        3 => (inn(), asked(), page()).prop_map(of_inn(Endpoint::CONTRACTS)),
        1 => (inn(), asked(), page()).prop_map(of_inn(Endpoint::CONTRACT_SUMMARY)),
        1 => (inn(), Just(filters::Asked(Vec::new())), page()).prop_map(of_inn(Endpoint::PURCHASES_WON)),
        3 => of_customer,
        2 => checked,
        2 => names,
        2 => changes,
        4 => by_number,
        5 => by_content(),
    ]
}

fn say(said: &mut String, what: impl std::fmt::Debug) {
    writeln!(said, "{what:?}").expect("a line");
}

/// Reads everything that an export reads: all suppliers with their contracts, entries and changes,
/// and all purchases. Also reads the log of revisions, and the counts.
fn scanned(database: &mut Database) -> Result<String, Error> {
    database.hold()?;
    let said = RefCell::new(String::new());
    let database = &*database;
    database.suppliers(|inn: &Inn, supplier: &SupplierRow| -> Result<(), Error> {
        say(&mut said.borrow_mut(), (inn, supplier));
        say(&mut said.borrow_mut(), database.rnp_entries(&supplier.inn)?);
        for revision in 0..5 {
            let changes = database.changes_of(supplier, &LogPosition::after_revision(revision))?;
            say(&mut said.borrow_mut(), changes);
        }
        database.contracts(supplier, &mut |one| say(&mut said.borrow_mut(), one))
    })?;
    database.purchases(|purchase| -> Result<(), Error> {
        say(&mut said.borrow_mut(), purchase);
        Ok(())
    })?;
    let mut said = said.into_inner();
    for number in 0..6 {
        say(&mut said, database.revision(number)?);
        let time = database.version().updated + i64::try_from(number).expect("few") - 3;
        say(&mut said, database.revision_before(time)?);
    }
    let registries = database.registries();
    say(
        &mut said,
        (database.counts()?, registries, database.coverage()?),
    );
    Ok(said)
}

/// Reads the summary of a supplier's contracts from a file or server.
fn summary(database: &mut Database, inn: &Inn) -> Result<String, Error> {
    database.begin(Prefetch::Nothing)?;
    let supplier = database.supplier(inn)?.expect("a supplier");
    let ground = ground(database);
    let summary = database.summary(&supplier, &ContractFilter::default(), 10, &ground)?;
    Ok(format!("{} {}", summary.count, summary.sum.text()))
}

/// Returns the facts about the registries on which today's verdicts are based.
fn ground(database: &Database) -> Ground {
    let day = Date::parse_iso(TODAY).expect("a day");
    let (registries, unread) = (database.registries(), database.unread_entries());
    Ground::new(&registries, &unread, day, VerdictRules::default())
}

/// Returns a service whose file has had several imports.
fn several_imports() -> Service {
    let named = NAMED.map(|(inn, name)| supplier(inn, name)).concat();
    let service = Service::over(&(golden::DATA.to_owned() + &named));
    for seed in 1..5 {
        service.import(&lines(seed));
    }
    service
}

/// A file after several imports, and servers to which it was published.
struct Sources {
    service: Service,
    published: TestDatabase,
    servers: RemoteServers,
}

impl Sources {
    fn new() -> Self {
        let published = TestDatabase::new();
        let servers = RemoteServers::from(published.server_address());
        let sources = Self {
            service: several_imports(),
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
fn servers_answer_like_the_file() {
    let service = several_imports();
    let path = service.database();
    let server = Source::Server(PublishedFile::new(&path));
    let answers =
        [Source::File(path.clone()), server].map(|source| RefCell::new(Answers::on(TODAY, source)));
    let file = Database::open(&path).expect("the file opens");
    let config = Config {
        cases: 3000,
        failure_persistence: None,
        ..Config::default()
    };
    let questions = (question(), select(&["xml", "json", "csv"][..]));
    let outcome = TestRunner::new(config).run(&questions, |(question, format)| {
        let Question(endpoint, mut parameters, position) = question;
        let cursor = position.map(|position| file.cursor_at(position).to_string());
        parameters.extend(cursor.map(|cursor| ("after", cursor)));
        parameters.push(("format", format.to_owned()));
        let parameters: Vec<(&str, &str)> = parameters
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let [expected, answered] = answers
            .each_ref()
            .map(|answers| answers.borrow_mut().ask(endpoint, &parameters));
        prop_assert_eq!(answered, expected);
        Ok(())
    });
    outcome.unwrap();
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn scans_of_servers_have_the_order_of_the_file() {
    let sources = Sources::new();
    let expected = scanned(&mut sources.file()).expect("the file is read");
    let mut server = sources.server();
    // The second scan runs in another transaction.
    for _ in 0..2 {
        assert_eq!(scanned(&mut server).expect("the server is read"), expected);
    }
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_held_state_does_not_change_during_publications() {
    let sources = Sources::new();
    let mut server = sources.server();
    server.hold().expect("a server answers");
    let expected = sources.file().version();
    let supplier = Inn::parse(LARGE).expect("an INN");
    // The first publication sends only changes. The second sends everything and replaces the tables.
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
    // Holding the connection again makes it read the newest state.
    server.hold().expect("a server answers");
    let newest = Database::open(&other.database()).expect("the file opens");
    assert_eq!(server.version(), newest.version());
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn an_answer_overtaken_by_a_publication_starts_again() {
    let sources = Sources::new();
    let mut server = sources.server();
    let inn = Inn::parse(LARGE).expect("an INN");
    server.begin(Prefetch::Nothing).expect("a server answers");
    let before = server.version();
    let supplier = server
        .supplier(&inn)
        .expect("it is read")
        .expect("a supplier");
    sources.service.import(&lines(5));
    sources.publish();
    let ground = ground(&server);
    let overtaken = server.summary(&supplier, &ContractFilter::default(), 10, &ground);
    assert!(overtaken.is_err() && server.has_moved(), "{overtaken:?}");
    server.begin(Prefetch::Nothing).expect("a server answers");
    assert!(!server.has_moved());
    assert_eq!(server.version().revision, before.revision + 1);
    assert_eq!(server.version(), sources.file().version());
    assert_eq!(
        summary(&mut server, &inn).expect("the server answers"),
        summary(&mut sources.file(), &inn).expect("the file answers"),
    );
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn the_error_about_a_damaged_record_names_server_and_remedy() {
    let sources = Sources::new();
    sources
        .published
        .sql("UPDATE contract SET record = substr(record, 2)");
    let mut server = sources.server();
    let inn = Inn::parse(LARGE).expect("an INN");
    server.begin(Prefetch::Nothing).expect("a server answers");
    let supplier = server
        .supplier(&inn)
        .expect("it is read")
        .expect("a supplier");
    let (filter, order) = (ContractFilter::default(), ContractOrder::default());
    let selection = server.select(&supplier, &filter, order, 0, 5);
    let shown = selection.and_then(|selection| server.show(&supplier, &selection, &mut |_| ()));
    let error = shown.expect_err("the record is damaged");
    let said = error.to_string();
    assert!(
        said.starts_with("postgresql://") && said.contains("publish"),
        "{said}"
    );
    assert!(!error.is_unreachable() && !server.has_moved());
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn without_a_publication_the_error_explains_how_to_publish() {
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
fn a_lost_session_is_replaced_during_an_answer() {
    let sources = Sources::new();
    let mut server = sources.server();
    server.begin(Prefetch::Nothing).expect("a server answers");
    sources.published.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    let inn = Inn::parse(LARGE).expect("an INN");
    let found = server.supplier(&inn).expect("another session reads it");
    assert_eq!(
        found,
        sources.file().supplier(&inn).expect("the file is read")
    );
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn the_last_change_of_contracts_is_found_without_reading_all_changes() {
    let sources = Sources::new();
    let database = &sources.published;
    // After a first publication, all changes belong to the second of two revisions.
    database.sql("DELETE FROM change; DELETE FROM revision WHERE number > 1");
    database.sql(
        "INSERT INTO change (key, part, subject, revision) \
         SELECT number, 1, 0, 1 FROM generate_series(1, 100000) AS number",
    );
    database.sql("VACUUM ANALYZE change, revision");
    let reads = |what: &str| -> u64 {
        let sql = format!("SELECT {what} FROM pg_stat_user_tables WHERE relname = 'change'");
        database.sql(&sql).trim().parse().expect("a number")
    };
    let [scans, uses] = ["seq_scan", "idx_scan"].map(reads);
    let mut server = sources.server();
    server.begin(Prefetch::Nothing).expect("a server answers");
    let changed = server.contracts_changed().expect("it is read");
    let time = database.sql("SELECT time FROM revision WHERE number = 1");
    assert_eq!(changed, time.trim().parse().ok());
    drop(server);
    // PostgreSQL adds the reads of a session to its statistics when the session ends.
    drop(sources.servers);
    while reads("seq_scan + idx_scan") == scans + uses {}
    assert_eq!(reads("seq_scan"), scans);
}
