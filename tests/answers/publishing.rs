//! Publishing to PostgreSQL either leaves the database unchanged, or leaves it in the state that a
//! full publication of the file would produce.

use std::cell::Cell;
use std::fs;
use std::thread;

use procurement_lookup::api::Endpoint;
use procurement_lookup::import;
use procurement_lookup::model::Date;
use procurement_lookup::store::postgresql::{Published, ServerAddress, publish};
use procurement_lookup::store::register_row_sum;
use proptest::prelude::*;
use rusqlite::Connection;

use crate::import::folder::*;
use crate::import::log::any_line;
use crate::postgresql::{Cut, PublishedFile, TestDatabase, Way, psql};
use crate::service::TODAY;
use crate::source::Source;

impl TestDatabase {
    /// Returns each row of each table, and the version of the data.
    fn rows(&self) -> String {
        let tables = [
            "supplier",
            "contract",
            "contract_items",
            "contract_items_total",
            "purchase",
            "rnp_entry",
            "document",
            "registry",
            "coverage",
            "revision",
            "change",
        ];
        let rows = tables.map(|table| format!("SELECT '{table}', it::text FROM {table} AS it"));
        let version = "SELECT '', concat_ws(' ', format, identity, revision, updated) \
                       FROM procurement_lookup.publication";
        let all = rows.join(" UNION ALL ");
        self.sql(&format!("{all} UNION ALL {version} ORDER BY 1, 2"))
    }

    /// Returns the number of the current publication and the schema that holds its tables.
    fn publication(&self) -> (i64, String) {
        let row = self.sql("SELECT number, data_schema FROM procurement_lookup.publication");
        let (number, schema) = row.trim().split_once('|').expect("two columns");
        (number.parse().expect("a number"), schema.to_owned())
    }

    fn schemas(&self) -> String {
        let sql = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'procurement\\_lookup\\_%'";
        self.sql(sql)
    }

    /// Makes the database look as if nothing had been published.
    fn forget(&self) {
        self.sql("DELETE FROM procurement_lookup.publication");
    }
}

impl Folder {
    fn publish(&self, database: &TestDatabase) -> Result<Published, String> {
        self.publish_at(&database.server_address())
    }

    fn publish_at(&self, address: &ServerAddress) -> Result<Published, String> {
        self.publish_with(address, &mut |_, _| ())
    }

    /// Publishes, and retries until the server has noticed that an earlier connection was cut.
    fn publish_at_last(&self, database: &TestDatabase) -> Result<Published, String> {
        loop {
            match self.publish(database) {
                Err(error) if error.contains("another publication") => thread::yield_now(),
                outcome => return outcome,
            }
        }
    }

    fn publish_with(
        &self,
        address: &ServerAddress,
        report: &mut dyn FnMut(u64, u64),
    ) -> Result<Published, String> {
        publish(&self.database(), address, false, report).map_err(|error| error.to_string())
    }

    fn alter(&self, statements: &str) {
        let file = Connection::open(self.database()).expect("the file");
        register_row_sum(&file).expect("the function");
        file.execute_batch(statements).expect("the statements");
    }

    /// Deletes all but the latest revisions from the log, as imports do with old revisions.
    fn trim_log(&self) {
        let revision = self.version().revision;
        self.alter(&format!(
            "DELETE FROM change WHERE revision < {revision}; \
             DELETE FROM revision WHERE number < {revision} - 1"
        ));
    }
}

/// Returns one line of every kind.
fn some_lines() -> String {
    let day = r#","signDate":"2025-01-02","contractPrice":12.5,"customerInn":"7700000001""#;
    contract(INN, "1", day)
        + &contract(INN, "2", "")
        + &contract(OTHER, "2", r#","signDate":"2025-01-01""#)
        + &entry(OTHER, "7", "44")
        + &purchase("44", N44, "")
        + &complete("223", "2025-01-01")
        + &supplier(INN, "ООО А")
}

fn coverage(day: u8) -> String {
    format!(
        r#"{{"type":"coverage","subsystem":"RGK","documents":"contract","region":"77","from":"2026-11-{day:02}","to":"2026-11-{day:02}"}}"#
    ) + "\n"
}

/// A random import: whether it replaces the registry, its lines, whether the log is trimmed
/// afterwards, and whether the result is published.
fn any_import() -> impl Strategy<Value = (bool, Vec<String>, bool, bool)> {
    let line = prop_oneof![
        9 => any_line(),
        1 => (1..20_u8).prop_map(coverage),
        1 => (1..9_u8).prop_map(|day| complete("615", &format!("2025-01-0{day}"))),
    ];
    (
        prop::bool::weighted(0.2),
        prop::collection::vec(line, 0..6),
        prop::bool::weighted(0.1),
        prop::bool::weighted(0.7),
    )
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn incremental_publications_equal_full_ones() {
    let [changed, whole] = [TestDatabase::new(), TestDatabase::new()];
    Folder::with_lines(&some_lines())
        .publish(&whole)
        .expect("published");
    let sent = Cell::new(0);
    let config = ProptestConfig {
        cases: 8,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(imports in prop::collection::vec(any_import(), 1..8))| {
        let folder = Folder::with_lines(&some_lines());
        let outcome = folder.publish(&changed).expect("published");
        prop_assert!(matches!(outcome, Published::All(_)), "{outcome:?}");
        for (replaces, lines, trims, publishes) in imports {
            let before = folder.version();
            folder.write("x.jsonl", lines.concat());
            folder.import_files(&["x.jsonl"], replaces);
            // Real imports trim the log only if they have changed the data.
            if trims && folder.version() != before {
                folder.trim_log();
            }
            if !publishes {
                continue;
            }
            if let Published::Changes(..) = folder.publish(&changed).expect("published") {
                sent.set(sent.get() + 1);
            }
            whole.forget();
            folder.publish(&whole).expect("published");
            prop_assert_eq!(changed.rows(), whole.rows());
        }
    });
    assert!(sent.get() > 5, "changes were sent {} times", sent.get());
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn items_are_published_incrementally_or_in_full() {
    let [changed, whole] = [TestDatabase::new(), TestDatabase::new()];
    let folder = Folder::new();
    folder.write(
        "contract.xml",
        document("contract.xml", "3960100124525000001"),
    );
    folder.import_files(&["contract.xml"], false);
    let with_price = |price: u8| {
        let items = format!(r#","products":[{{"code":"1","name":"x","price":{price}}}]"#);
        contract(INN, "1", &items) + &contract(INN, "2", "")
    };
    folder.take(with_price(1));
    publish_all(&folder, &changed);
    folder.take(with_price(2));
    let outcome = folder.publish(&changed).expect("published");
    assert!(matches!(outcome, Published::Changes(_, 1)), "{outcome:?}");
    publish_all(&folder, &whole);
    assert_eq!(changed.rows(), whole.rows());
    assert_eq!(changed.sql("SELECT count(*) FROM contract_items"), "2\n");

    // Bring the file into the state in which a release without contract items would leave it.
    folder.alter(
        "DELETE FROM contract_items; \
         UPDATE contract_items_total SET with_items = 0, digest = 0, \
         without_items = with_items + without_items, sum = row_sum(0, with_items + without_items, 0); \
         UPDATE search_rules SET words = 0, sum = row_sum(0, names); \
         UPDATE derivation SET rules = 1, sum = row_sum(1)",
    );
    publish_all(&folder, &changed);
    assert_eq!(changed.sql("SELECT count(*) FROM contract_items"), "0\n");
    folder.import_files(&[], false);
    let outcome = folder.publish(&changed).expect("published");
    assert!(matches!(outcome, Published::All(_)), "{outcome:?}");
    publish_all(&folder, &whole);
    assert_eq!(changed.rows(), whole.rows());
    assert_eq!(changed.sql("SELECT count(*) FROM contract_items"), "1\n");
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn damaged_tables_are_published_again() {
    let (database, folder) = (TestDatabase::new(), Folder::with_lines(&some_lines()));
    folder.publish(&database).expect("published");
    let whole = database.rows();
    database.sql("DROP TABLE rnp_entry");
    assert!(matches!(folder.publish(&database), Ok(Published::All(_))));
    assert_eq!(database.rows(), whole);
    database.sql("UPDATE contract SET record = ''");
    assert_eq!(folder.publish(&database), Ok(Published::Nothing(1)));
    let address = database.server_address();
    let outcome = publish(&folder.database(), &address, true, &mut |_, _| ());
    assert!(matches!(outcome, Ok(Published::All(_))));
    assert_eq!(database.rows(), whole);
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn missing_or_stale_rows_cause_a_full_publication() {
    let (database, folder) = (TestDatabase::new(), Folder::with_lines(&some_lines()));
    folder.write(
        "contract.xml",
        document("contract.xml", "3960100124525000001"),
    );
    folder.import_files(&["contract.xml"], false);
    for statement in [
        "DELETE FROM supplier WHERE id = 1",
        "UPDATE supplier SET sum = sum + 1 WHERE id = 1",
        "DELETE FROM contract",
        "DELETE FROM purchase",
        "UPDATE purchase SET id = id + 1",
        "DELETE FROM rnp_entry",
        "UPDATE rnp_entry SET sum = 0",
        "DELETE FROM document",
        "UPDATE document SET id = id + 100",
    ] {
        publish_all(&folder, &database);
        let whole = database.rows();
        database.sql(statement);
        let again = folder.publish(&database);
        assert!(
            matches!(again, Ok(Published::All(_))),
            "{statement}: {again:?}"
        );
        assert_eq!(database.rows(), whole, "{statement}");
    }
    // An incremental publication detects the damage too.
    database.sql("DELETE FROM purchase");
    folder.take(contract(INN, "3", ""));
    let outcome = folder.publish(&database);
    assert!(matches!(outcome, Ok(Published::All(_))), "{outcome:?}");
    let repaired = database.rows();
    publish_all(&folder, &database);
    assert_eq!(database.rows(), repaired);
}

fn publish_all(folder: &Folder, database: &TestDatabase) {
    let address = database.server_address();
    publish(&folder.database(), &address, true, &mut |_, _| ()).expect("published");
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn pages_at_any_depth_equal_those_of_the_file() {
    let folder = Folder::new();
    folder.take(supplier(INN, ""));
    let file = folder.database();
    let server = Source::Server(PublishedFile::new(&file));
    let mut answers = [Source::File(file), server].map(|source| Answers::on(TODAY, source));
    // Deep pages are located by marks at every 500th contract.
    for (from, to) in [(0, 499), (499, 500), (500, 501), (501, 1002)] {
        let line = |number: u32| contract(INN, &(number * 7 % 1009).to_string(), "");
        folder.take((from..to).map(line).collect::<String>());
        let edges = [0, 1, 2, 498, 499, 500, 501, 502, 998, 999, 1000, 1001, 1002];
        for skip in edges.into_iter().chain([1003, 1600, u64::MAX]) {
            for limit in ["1", "200"] {
                let skip = skip.to_string();
                let parameters = [("supplierINN", INN), ("skip", &skip), ("limit", limit)];
                let [file, server] = answers
                    .each_mut()
                    .map(|answers| answers.ask(Endpoint::CONTRACTS, &parameters));
                assert_eq!(server, file, "{to} contracts: {skip} {limit}");
            }
        }
    }
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn only_differences_are_sent() {
    let (database, folder) = (TestDatabase::new(), Folder::with_lines(&some_lines()));
    assert!(matches!(folder.publish(&database), Ok(Published::All(_))));
    let before = (database.rows(), database.publication());
    assert_eq!(folder.publish(&database), Ok(Published::Nothing(1)));
    assert_eq!((database.rows(), database.publication()), before);
    folder.take(contract(INN, "3", r#","signDate":"2020-01-01""#) + &contract(INN, "2", ""));
    assert_eq!(folder.publish(&database), Ok(Published::Changes(1, 1)));
    let (number, schema) = before.1;
    assert_eq!(database.publication(), (number + 1, schema));
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn other_files_and_earlier_states_are_published_in_full() {
    let (database, folder) = (TestDatabase::new(), Folder::with_lines(&some_lines()));
    folder.publish(&database).expect("published");
    let backup = fs::read(folder.database()).expect("the file");
    folder.take(contract(INN, "3", ""));
    folder.publish(&database).expect("published");
    let mut published = database.publication();
    let mut check = |folder: &Folder| {
        let outcome = folder.publish(&database);
        assert!(matches!(outcome, Ok(Published::All(_))), "{outcome:?}");
        let now = database.publication();
        assert!(now.0 > published.0 && now.1 != published.1, "{now:?}");
        assert_eq!(database.schemas().trim(), now.1);
        published = now;
    };
    // This is a different file with the same revision number.
    let other = Folder::with_lines(&some_lines());
    other.take(contract(INN, "4", ""));
    check(&other);
    check(&folder);
    // A backup is restored, then another import changes it.
    fs::write(folder.database(), backup).expect("restored");
    check(&folder);
    folder.take(contract(INN, "5", ""));
    let outcome = folder.publish(&database);
    assert!(
        matches!(outcome, Ok(Published::Changes(1, _))),
        "{outcome:?}"
    );
    // Meanwhile, the published revision has been trimmed from the log.
    folder.take(contract(INN, "6", ""));
    folder.take(contract(INN, "7", ""));
    folder.trim_log();
    check(&folder);
    // The tables were dropped by someone else.
    folder.take(contract(INN, "8", ""));
    let statement = format!("DROP SCHEMA {} CASCADE", database.publication().1);
    psql(&database.address(), "public", &statement);
    check(&folder);
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn tables_with_dependent_objects_are_kept() {
    let (database, folder) = (TestDatabase::new(), Folder::with_lines(&some_lines()));
    folder.publish(&database).expect("published");
    let before = database.publication().1;
    database.sql("CREATE VIEW public.of_their_own AS SELECT * FROM contract");
    let other = Folder::with_lines(&some_lines());
    other.publish(&database).expect("published");
    let of_their_own = database.sql("SELECT count(*) FROM public.of_their_own");
    assert_eq!(of_their_own.trim(), "3");
    let now = database.publication().1;
    assert_eq!(database.schemas().lines().count(), 2);
    assert!(now != before && database.schemas().contains(&before));
    database.sql("DROP VIEW public.of_their_own");
    assert!(matches!(
        other.publish(&database),
        Ok(Published::Nothing(_))
    ));
    assert_eq!(database.schemas().trim(), now);
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn documents_about_forgotten_entries_are_removed() {
    let (database, folder) = (TestDatabase::new(), Folder::with_lines(&some_lines()));
    let documents = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/data/documents/dishonestSupplier.xml"
    );
    folder.write("entry.xml", fs::read(documents).expect("a document"));
    folder.import_files(&["entry.xml"], false);
    folder.publish(&database).expect("published");
    let about_entries = "SELECT count(*) FROM document JOIN rnp_entry USING (number)";
    assert_eq!(database.sql(about_entries).trim(), "1");
    let options = import::Options {
        forget_before: Date::parse_iso("2099-01-01"),
        ..import::Options::default()
    };
    let (summary, _) = folder.import_with(&[], &options);
    assert!(summary.rnp_entries_forgotten > Some(0), "{summary:?}");
    let outcome = folder.publish(&database);
    assert!(matches!(outcome, Ok(Published::Changes(..))), "{outcome:?}");
    let changed = database.rows();
    database.forget();
    folder.publish(&database).expect("published");
    assert_eq!(changed, database.rows());
}

/// An invented document. A contract document is changed to be about `reg_num`.
fn document(name: &str, reg_num: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/documents/");
    let text = fs::read_to_string(format!("{folder}{name}")).expect("a document");
    text.replace("3960100124525000311", reg_num)
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn documents_after_forgotten_ones_are_published() {
    let (database, folder) = (TestDatabase::new(), Folder::new());
    let import = |name: &str, reg_num: &str| {
        folder.write("x.xml", document(name, reg_num));
        folder.import_files(&["x.xml"], false);
    };
    import("contract.xml", "3960100124525000001");
    import("dishonestSupplier.xml", "");
    folder.publish(&database).expect("published");
    let options = import::Options {
        forget_before: Date::parse_iso("2099-01-01"),
        ..import::Options::default()
    };
    let (summary, _) = folder.import_with(&[], &options);
    assert!(summary.rnp_entries_forgotten > Some(0), "{summary:?}");
    import("contract.xml", "3960100124525000002");
    import("contract.xml", "3960100124525000003");
    let outcome = folder.publish(&database);
    assert!(matches!(outcome, Ok(Published::Changes(..))), "{outcome:?}");
    let published = database.sql("SELECT number FROM document ORDER BY number");
    let expected = "3960100124525000001\n3960100124525000002\n3960100124525000003\n";
    assert_eq!(published, expected);
    let changed = database.rows();
    publish_all(&folder, &database);
    assert_eq!(changed, database.rows());
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn other_schemas_are_kept_whatever_their_name() {
    let (database, folder) = (TestDatabase::new(), Folder::with_lines(&some_lines()));
    folder.publish(&database).expect("published");
    database.sql("CREATE SCHEMA procurement_lookup_5");
    database.sql("CREATE TABLE procurement_lookup_5.contract (theirs text)");
    let other = Folder::with_lines(&some_lines());
    other.publish(&database).expect("published");
    let now = database.publication().1;
    assert_eq!(database.schemas(), format!("procurement_lookup_5\n{now}\n"));
    database.sql("SELECT theirs FROM procurement_lookup_5.contract");
}

/// Reads, publishes and follows while another publication is in progress.
#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_publication_is_isolated_until_it_ends() {
    let (database, folder) = (TestDatabase::new(), Folder::with_lines(&some_lines()));
    folder.publish(&database).expect("published");
    let other = Folder::with_lines(&some_lines());
    let address = database.server_address();
    let check = |folder: &Folder| {
        let before = database.rows();
        let mut asked = 0;
        let mut during = |_, _| {
            asked += 1;
            assert_eq!(database.rows(), before);
            thread::scope(|scope| {
                let second = scope.spawn(|| other.publish_at(&address));
                let error = second.join().expect("it ends").expect_err("refused");
                assert!(error.contains("another publication"), "{error}");
            });
        };
        let published = folder.publish_with(&address, &mut during);
        assert!(asked >= 2, "{asked}");
        assert_ne!(database.rows(), before);
        published.expect("published")
    };
    assert!(matches!(check(&other), Published::All(_)));
    other.take(contract(INN, "9", ""));
    assert!(matches!(check(&other), Published::Changes(..)));
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn a_cut_connection_keeps_the_published_state() {
    let (database, folder) = (TestDatabase::new(), Folder::with_lines(&some_lines()));
    folder.publish(&database).expect("published");
    for is_full in [false, true] {
        let mut failed = 0;
        for after in (300..).step_by(3700) {
            folder.take(contract(INN, &format!("{is_full}{after}"), ""));
            if is_full {
                folder.trim_log();
                folder.take(contract(INN, &format!("{is_full}{after}+"), ""));
                folder.trim_log();
            }
            let before = database.rows();
            let address = Way::new(&database, Some(Cut::After(after))).server_address();
            let outcome = folder.publish_at(&address);
            if outcome.is_ok() {
                break;
            }
            failed += 1;
            assert_eq!(database.rows(), before, "{after}");
            let again = folder.publish_at_last(&database).expect("published");
            assert_eq!(matches!(again, Published::All(_)), is_full, "{again:?}");
            assert_ne!(database.rows(), before, "{after}");
        }
        assert!(failed > 2, "{failed}");
    }
    // If the connection is cut after the commit, the previous tables remain until the next
    // publication drops them, and the session may still be open.
    folder.publish_at_last(&database).expect("published");
    let (_, schema) = database.publication();
    assert_eq!(database.schemas().trim(), schema);
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn an_unanswered_commit_is_resolved_by_the_next_publication() {
    let (database, folder) = (TestDatabase::new(), Folder::with_lines(&some_lines()));
    folder.publish(&database).expect("published");
    folder.take(contract(INN, "3", ""));
    let address = Way::new(&database, Some(Cut::AtCommit)).server_address();
    let error = folder.publish_at(&address).expect_err("nobody knows");
    assert!(error.contains("run this again"), "{error}");
    let outcome = folder.publish_at_last(&database);
    assert_eq!(outcome, Ok(Published::Nothing(2)));
    // The server does not carry out the commit, because the session is terminated.
    let function = "CREATE FUNCTION public.ends() RETURNS trigger LANGUAGE plpgsql AS \
                    'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'";
    let trigger = "CREATE CONSTRAINT TRIGGER ends AFTER UPDATE ON procurement_lookup.publication \
                   DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.ends()";
    database.sql(function);
    database.sql(trigger);
    let before = database.rows();
    folder.take(contract(INN, "4", ""));
    let error = folder.publish(&database).expect_err("it ends");
    assert!(error.contains("terminating connection"), "{error}");
    assert_eq!(database.rows(), before);
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn privileges_apply_to_later_publications() {
    let (database, folder) = (TestDatabase::new(), Folder::with_lines(&some_lines()));
    let role = format!("reader_{}", std::process::id());
    for statement in [
        format!("CREATE ROLE {role} LOGIN"),
        format!("ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO {role}"),
        format!("ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO {role}"),
    ] {
        psql(&database.address(), "public", &statement);
    }
    let address = database.address_of(&role);
    let as_reader = ServerAddress::parse(&address, &|_| None).expect("an address");
    let error = folder.publish_at(&as_reader).expect_err("no rights");
    assert!(error.contains("CREATE and TEMPORARY"), "{error}");
    for _ in 0..2 {
        folder.publish(&database).expect("published");
        let (_, schema) = database.publication();
        let counted = psql(&address, &schema, "SELECT count(*) FROM contract");
        assert_eq!(counted.trim(), "3");
        database.forget();
    }
    psql(
        &database.address(),
        "public",
        &format!("DROP OWNED BY {role}; DROP ROLE {role}"),
    );
}

#[test]
#[ignore = "needs TEST_POSTGRESQL"]
fn unpublishable_files_are_reported() {
    let (database, folder) = (TestDatabase::new(), Folder::with_lines(&some_lines()));
    folder.publish(&database).expect("published");
    database.sql("UPDATE procurement_lookup.publication SET format = 999999");
    folder.take(contract(INN, "3", ""));
    let error = folder.publish(&database).expect_err("a later format");
    assert!(error.contains("format 99"), "{error}");
    // A publication in an earlier format is replaced.
    database.sql("UPDATE procurement_lookup.publication SET format = 0");
    let outcome = folder.publish(&database);
    assert!(matches!(outcome, Ok(Published::All(_))), "{outcome:?}");
}
