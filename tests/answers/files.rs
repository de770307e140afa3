//! The data files of every release, in `tests/files/VERSION`: the current code upgrades them and
//! reads their contents. Published files never change (`tests/released.rs`).
//!
//! Before a release, write the files of the version in `Cargo.toml`, and add the printed lines to
//! `FROZEN`:
//!
//! ```text
//! GOLDEN=files cargo test --test answers files -- --nocapture
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use generate::demonstration;
use procurement_lookup::import::Options;
use procurement_lookup::model::{
    Cell, Date, DocumentType, NAMES_VERSION, Rate, Region, Sha256, WORDS_VERSION,
};
use procurement_lookup::store::{
    self, Database, FetchLedger, KeyStore, KeyTerms, ReplacedAsOf, Upgraded,
};
use zip::CompressionMethod;

use crate::documents::archives::archive;
use crate::documents::derived::records;
use crate::import::folder::{Folder, import_into};
use crate::released::{FROZEN, is_golden};

/// One file of each kind, and a text file with the contents of all.
const NAMES: [&str; 4] = ["data.sqlite", "keys.sqlite", "fetch.sqlite", "contents.txt"];

/// 2026-11-22 00:00 UTC, in milliseconds.
const NOW: i64 = 1_795_305_600_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

/// Creates a file of each kind, with rows in every table.
fn make(folder: &Path) {
    make_data(&folder.join("data.sqlite"));
    make_keys(&folder.join("keys.sqlite"));
    make_ledger(&folder.join("fetch.sqlite"));
    for name in &NAMES[..3] {
        assert_eq!(empty_tables(&folder.join(name)), [""; 0], "{name}");
    }
    fs::write(folder.join("contents.txt"), contents(folder)).expect("written");
}

fn make_data(path: &Path) {
    let sources = tempfile::tempdir().expect("a folder");
    let source = |name: &str, content: &[u8]| {
        let path = sources.path().join(name);
        fs::write(&path, content).expect("written");
        path
    };
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/documents");
    let contract = fs::read(documents.join("contract.xml")).expect("a document");
    let in_archive = archive(&[("contract.xml", &contract)], CompressionMethod::Deflated);
    let coverage = r#"{"type":"coverage","subsystem":"RGK","documents":"contract","region":"77","from":"2026-11-01","to":"2026-11-20"}"#;
    let paths = [
        source("archive.zip", &in_archive),
        documents,
        source("lines.jsonl", demonstration().as_bytes()),
        source("coverage.jsonl", coverage.as_bytes()),
    ];
    import_into(path, &paths, &Options::default());

    // A whole registry contains an entry whose inclusion a document cancels.
    let line = r#"{"type":"rnpEntry","supplier":{"inn":"9602003012"},"entry":{"registrationNumber":"26999","registrationDate":"2026-02-10","federalLaw":"44"}}"#;
    let cancelled = inclusion("26999", "<inn>9602003012</inn>", "REVIEW_CANCELED");
    let whole = Options {
        replace_rnp: Some(ReplacedAsOf::Given(cell("contract").day)),
        ..Options::default()
    };
    let paths = [
        source("cancelled.xml", cancelled.as_bytes()),
        source("registry.jsonl", line.as_bytes()),
    ];
    let (_, problems) = import_into(path, &paths, &whole);
    assert_eq!(problems, [""; 0]);

    let unreadable = inclusion("26998", "<inn>9602</inn>", "PUBLISHED");
    let unreadable = source("unreadable.xml", unreadable.as_bytes());
    let (summary, _) = import_into(path, &[unreadable], &Options::default());
    assert_eq!(summary.skipped, 1);
}

fn inclusion(number: &str, inn: &str, state: &str) -> String {
    format!(
        "<unfairSupplier schemeVersion=\"11.0\"><registryNum>{number}</registryNum>\
         <publishDate>2026-02-11T10:00:00+03:00</publishDate><approveDate>2026-02-10</approveDate>\
         <state>{state}</state><unfairSupplier><type>U</type>{inn}</unfairSupplier></unfairSupplier>"
    )
}

fn empty_tables(path: &Path) -> Vec<String> {
    let file = rusqlite::Connection::open(path).expect("the file");
    // Only a migration fills the table of the feature `trial-format`.
    let sql = "SELECT name FROM sqlite_schema \
               WHERE type = 'table' AND rootpage > 0 AND name <> 'trial'";
    let mut tables = file.prepare(sql).expect("a statement");
    let names = tables.query_map((), |row| row.get(0)).expect("names");
    let mut names: Vec<String> = names.collect::<Result<_, _>>().expect("names");
    names.retain(|name| {
        let sql = format!("SELECT 1 FROM {name} LIMIT 1");
        let mut rows = file.prepare(&sql).expect("a statement");
        !rows.exists(()).expect("the table is read")
    });
    names
}

fn make_keys(path: &Path) {
    let keys = KeyStore::File(path.to_owned());
    let at = |seconds: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_000_000 + seconds);
    let limit = Rate {
        per_second: 5,
        burst: 10,
    };
    let terms = KeyTerms {
        lasts: Some(86_400_000),
        limit: Some(limit),
    };
    for (name, terms) in [
        ("office", KeyTerms::default()),
        ("partner", terms),
        ("gone", KeyTerms::default()),
    ] {
        keys.issue(name, terms, at(0)).expect("issued");
    }
    let overlap = Duration::from_secs(3600);
    keys.rotate("office", at(10), overlap).expect("rotated");
    keys.limit("office", Some(limit), at(20)).expect("limited");
    keys.revoke("gone", at(30)).expect("revoked");
    // This file reserves space for revoking keys on a full disk, and contains no keys.
    let _ = fs::remove_file(path.with_file_name("keys.sqlite-reserve"));
}

fn make_ledger(path: &Path) {
    let ledger = FetchLedger::open(path, NOW).expect("a ledger");
    let [settled, asked, failed] = ["contract", "contractProcedure", "contractCancel"].map(cell);
    ledger
        .settle(&settled, &[([1; 32], 10)], NOW)
        .expect("settled");
    let links = ["https://example.org/1", "https://example.org/2"].map(str::to_owned);
    ledger.answered(&asked, &links, NOW).expect("answered");
    ledger
        .saved(&asked, &links[0], &[2; 32], 20)
        .expect("saved");
    ledger.fail(&failed).expect("failed");
    ledger.begin_run("a run", NOW).expect("begun");
}

fn cell(name: &'static str) -> Cell {
    Cell {
        day: Date::new(2026, 11, 20).expect("a day"),
        region: Region::from_code("77").expect("a region"),
        documents: DocumentType {
            subsystem: "RGK",
            name,
        },
    }
}

/// Returns the contents that every release must be able to read from the files.
fn contents(folder: &Path) -> String {
    let data = folder.join("data.sqlite");
    let checked = store::check(&data).expect("the data is as it must be");
    let mut text = format!(
        "suppliers {}, contracts {}, purchases {}, RNP entries {}, documents {}\n",
        checked.suppliers,
        checked.contracts,
        checked.purchases,
        checked.rnp_entries,
        checked.documents
    );
    let keys = KeyStore::File(folder.join("keys.sqlite"));
    for key in keys.list().expect("the keys") {
        let (name, ends, revoked, limit) = (key.name, key.ends, key.revoked, key.limit);
        text += &format!("key {name} {} {ends:?} {revoked:?} {limit:?}\n", key.issued);
    }
    for event in keys.events().expect("the events") {
        let (at, action, name) = (event.at, event.action, event.name);
        text += &format!("event {at} {action} {name}: {}\n", event.details);
    }
    let ledger = FetchLedger::open(&folder.join("fetch.sqlite"), NOW).expect("a ledger");
    for name in ["contract", "contractProcedure", "contractCancel"] {
        let cell = cell(name);
        let state = ledger.states(cell.day).expect("states").get(&cell);
        let (archives, links) = (ledger.archives(&cell), ledger.links(&cell));
        text += &format!("cell {name} {state:?} {archives:?} {links:?}\n");
    }
    let run = ledger.unfinished_run("a run", NOW).expect("a run");
    text + &format!("run {run:?}\n")
}

/// Upgrades copies of a release's files, and compares their contents with the recorded ones.
fn check_release(release: &Path) {
    let folder = tempfile::tempdir().expect("a folder");
    for name in NAMES {
        fs::copy(release.join(name), folder.path().join(name)).expect("a copy");
    }
    let [data, keys, ledger, expected] = NAMES.map(|name| folder.path().join(name));
    let all: [fn(&Path) -> store::Result<Upgraded>; 3] = [
        |path| store::upgrade_data(path, &mut |_| true),
        |path| store::upgrade_keys(path, &mut |_| true),
        |path| FetchLedger::upgrade(path, &mut |_| true).map(|upgraded| upgraded.expect("a file")),
    ];
    for (upgrade, path) in all.into_iter().zip([data, keys, ledger]) {
        upgrade(&path).unwrap_or_else(|error| panic!("{error}"));
        let again = upgrade(&path).expect("it is current");
        assert!(matches!(again, Upgraded::Already(_)), "{again:?}");
    }
    let expected = fs::read_to_string(expected).expect("what is in them");
    assert_eq!(contents(folder.path()), expected, "{}", release.display());
}

/// The files in `tests/files`, as `VERSION/NAME`.
fn files() -> Vec<String> {
    let mut files = Vec::new();
    for release in fs::read_dir(root()).into_iter().flatten() {
        let release = release.expect("an entry").path();
        for file in fs::read_dir(&release).expect("a folder of files") {
            let file = file.expect("an entry").path();
            let name = file.strip_prefix(root()).expect("below").to_str();
            files.push(name.expect("a name").to_owned());
        }
    }
    files.sort();
    files
}

fn digest(file: &Path) -> String {
    let digest = Sha256::of(fs::read(file).expect("the file")).into_iter();
    digest.map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn files_of_every_release_are_upgraded_completely() {
    let new = tempfile::tempdir().expect("a folder");
    make(new.path());
    check_release(new.path());
    let version = env!("CARGO_PKG_VERSION");
    let folder = root().join(version);
    if is_golden("files") {
        let is_frozen = FROZEN
            .iter()
            .any(|(file, _)| file.starts_with(&format!("{version}/")));
        assert!(!is_frozen, "the files of {version} are released");
        fs::create_dir_all(&folder).expect("a folder");
        for name in NAMES {
            fs::copy(new.path().join(name), folder.join(name)).expect("written");
            println!(
                "    (\"{version}/{name}\", \"{}\"),",
                digest(&folder.join(name))
            );
        }
    }
    for release in fs::read_dir(root()).into_iter().flatten() {
        check_release(&release.expect("an entry").path());
    }
}

fn data_of_0_1_0() -> Folder {
    let folder = Folder::new();
    let data = root().join("0.1.0/data.sqlite");
    fs::copy(data, folder.database()).expect("a copy");
    folder
}

#[test]
fn the_first_import_into_a_file_of_0_1_0_derives_items_silently() {
    let folder = data_of_0_1_0();
    store::upgrade_data(&folder.database(), &mut |_| true).expect("upgraded");
    let checked = store::check(&folder.database()).expect("the data is as it must be");
    assert_eq!(checked.contracts_without_items, checked.contracts);
    let file = rusqlite::Connection::open(folder.database()).expect("the file");
    let sql = "SELECT words, names FROM search_rules";
    let versions = file.query_row(sql, (), |row| Ok((row.get(0)?, row.get(1)?)));
    let versions: (i64, i64) = versions.expect("the versions");
    assert_eq!(versions, (WORDS_VERSION, NAMES_VERSION));
    drop(file);
    let pages = pages(&folder);
    let before = folder.version();
    let (summary, problems) = folder.import_paths(&[], false);
    assert_eq!(problems, [""; 0]);
    let again = summary.derived_again.expect("records are derived again");
    assert!(again.is_complete && again.changed > 0, "{again:?}");
    assert_eq!(self::pages(&folder), pages);
    // Price responses change, so the identity does too. The log of changes does not cover prices.
    assert_ne!(folder.version().identity, before.identity);
    assert_eq!(
        (summary.changed.suppliers, summary.changed.purchases),
        (0, 0)
    );
    let checked = store::check(&folder.database()).expect("the data is as it must be");
    assert!(checked.contracts_without_items < checked.contracts);

    let fresh = Folder::new();
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/documents");
    fresh.import_paths(&[documents], false);
    let (mut expected, derived) = (contract_lines(&fresh), contract_lines(&folder));
    // Documents that were added later are not in the file.
    let numbers: BTreeSet<String> = derived.iter().map(|line| reg_num(line)).collect();
    expected.retain(|line| numbers.contains(&reg_num(line)));
    assert!(expected.len() > 10, "{}", expected.len());
    for line in expected {
        assert!(derived.contains(&line), "{line}");
    }
}

/// Returns the contract pages of all suppliers.
fn pages(folder: &Folder) -> Vec<String> {
    let mut answers = folder.answers();
    let pages = inns(folder).into_iter().map(|inn| answers.page(&inn));
    pages.collect()
}

fn inns(folder: &Folder) -> Vec<String> {
    let database = Database::open(&folder.database()).expect("the database opens");
    let mut inns = Vec::new();
    let outcome = database.suppliers(|inn, _| -> store::Result<()> {
        if !inn.is_none() {
            inns.push(inn.to_string());
        }
        Ok(())
    });
    outcome.expect("the suppliers are read");
    inns
}

/// Returns the contracts of a file as lines, including their items.
fn contract_lines(folder: &Folder) -> BTreeSet<String> {
    let lines = records(&folder.database());
    let contracts = lines
        .lines()
        .filter(|line| line.starts_with("{\"type\":\"contract\""));
    contracts.map(str::to_owned).collect()
}

/// Returns the registry number in the line of a contract.
fn reg_num(line: &str) -> String {
    let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
    line["contract"]["regNum"].to_string()
}

#[test]
fn an_upgrade_of_a_file_of_0_1_0_can_be_interrupted() {
    let whole = data_of_0_1_0();
    let mut moments = 0;
    let mut count = |_| {
        moments += 1;
        true
    };
    store::upgrade_data(&whole.database(), &mut count).expect("upgraded");
    assert!(moments >= 5, "{moments}");
    let expected = contract_lines(&whole);
    for moment in 1..=moments {
        let folder = data_of_0_1_0();
        let building = folder.file("data.sqlite-building");
        let before = fs::read(folder.database()).expect("the file");
        let (mut count, mut left) = (0, Vec::new());
        let mut at_moment = |_| {
            count += 1;
            if count == moment {
                left = fs::read(&building).expect("the copy");
            }
            count < moment
        };
        let error = store::upgrade_data(&folder.database(), &mut at_moment).expect_err("stopped");
        assert!(error.to_string().contains("stopped"), "{error}");
        assert!(
            fs::read(folder.database()).expect("the file") == before,
            "{moment}"
        );
        // Recreate the file that a killed process would leave behind.
        fs::write(&building, &left).expect("written");
        store::upgrade_data(&folder.database(), &mut |_| true).expect("upgraded");
        store::check(&folder.database()).expect("the data is as it must be");
        assert_eq!(contract_lines(&folder), expected);
    }
}

#[test]
fn released_files_are_unchanged() {
    if is_golden("files") {
        return;
    }
    let frozen: Vec<&str> = FROZEN.iter().map(|(file, _)| *file).collect();
    let mut sorted = frozen.clone();
    sorted.sort_unstable();
    assert_eq!(files(), sorted, "tests/released.rs lists each file");
    for (file, expected) in FROZEN {
        assert_eq!(digest(&root().join(file)), *expected, "{file} has changed");
    }
}
