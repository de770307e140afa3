//! Another file takes the place of the database while requests are answered.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use procurement_lookup::api::{Answerer, Api, DataSource, Endpoint, Replacement, Reply, Request};
use procurement_lookup::import::{Options, import};
use procurement_lookup::store::{self, KeyFile, KeyRing, Writer};
use rusqlite::Connection;
use tempfile::TempDir;

use super::common::{TODAY, body, calendar, header};

const INN: &str = "9600000002";

/// A folder with `data.sqlite`, served, and a key.
struct Served {
    folder: TempDir,
    key: String,
    api: Arc<Api>,
}

impl Served {
    /// Of a supplier called `name` with `contracts` contracts.
    fn of(name: &str, contracts: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        make(&folder.path().join("data.sqlite"), name, contracts);
        Self::at(folder, "data.sqlite")
    }

    fn at(folder: TempDir, file: &str) -> Self {
        let keys = folder.path().join("keys.sqlite");
        let key = KeyFile::open_or_make(&keys)
            .and_then(|file| file.issue("test", SystemTime::UNIX_EPOCH))
            .expect("a key");
        let source = DataSource::File(folder.path().join(file));
        let keys = KeyRing::open(&keys).expect("the keys");
        let api = Api::new(source, keys, calendar(TODAY));
        let api = Arc::new(api.keeping_answers(1 << 20));
        Self { folder, key, api }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn answerer(&self) -> Answerer {
        self.api.answerer().expect("a connection")
    }

    fn target(&self) -> String {
        format!(
            "/contract/monitor-supplier44?supplierINN={INN}&limit=200&format=json&apikey={}",
            self.key
        )
    }

    /// What `mv FROM data.sqlite` does.
    fn mv(&self, from: &str) {
        fs::rename(self.path(from), self.path("data.sqlite")).expect("the file is moved");
    }

    /// Makes another file and moves it into place.
    fn replace(&self, name: &str, contracts: usize) {
        make(&self.path("new.sqlite"), name, contracts);
        self.mv("new.sqlite");
    }
}

/// Imports a supplier called `name` with `contracts` contracts into the file at `path`.
fn make(path: &Path, name: &str, contracts: usize) {
    try_to_make(path, name, contracts).expect("the import");
}

fn try_to_make(path: &Path, name: &str, contracts: usize) -> Result<(), String> {
    let line = |number: usize| {
        format!(
            r#"{{"type":"contract","supplier":{{"inn":"{INN}","name":"{name}"}},"contract":{{"regNum":"{name}{number:04}"}}}}"#
        )
    };
    let lines: Vec<String> = (0..contracts).map(line).collect();
    let file = path.with_extension("jsonl");
    fs::write(&file, lines.join("\n")).expect("the lines");
    let writer = Writer::open(path).map_err(|error| error.to_string())?;
    let summary = import(&[file], writer, &Options::default(), &mut |_| {});
    assert_eq!(summary.map_err(|error| error.to_string())?.skipped, 0);
    Ok(())
}

/// The name and the contracts of an answer, all of which must be of the name.
fn told(reply: &Reply) -> (String, usize) {
    assert_eq!(reply.status, 200, "{}", body(reply));
    let answer: serde_json::Value = serde_json::from_slice(&reply.body).expect("JSON");
    let name = answer["supplierIName"].as_str().expect("a name").to_owned();
    let contracts = answer["contracts"].as_array().expect("contracts");
    assert_eq!(answer["totalcount"].as_u64(), Some(contracts.len() as u64));
    for contract in contracts {
        let number = contract["regNum"].as_str().expect("a number");
        assert!(number.starts_with(&name), "{number} in an answer of {name}");
    }
    (name, contracts.len())
}

fn get(target: &str) -> Request<'_> {
    Request {
        method: "GET",
        target,
        ..Request::default()
    }
}

#[track_caller]
fn check(answerer: &mut Answerer, served: &Served, name: &str, contracts: usize) {
    let reply = answerer.answer(&get(&served.target()));
    assert_eq!(told(&reply), (name.to_owned(), contracts));
}

/// Sets something in the file and leaves it in its log: the connection is to be kept.
fn left_in_the_log(path: &Path, statements: &str) -> Connection {
    let connection = Connection::open(path).expect("the file");
    connection
        .execute_batch(&format!("PRAGMA wal_autocheckpoint = 0; {statements}"))
        .expect("the statements");
    let log = fs::metadata(beside(path, "-wal")).expect("a log");
    assert!(log.len() > 0);
    connection
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[test]
fn a_file_moved_into_place_is_answered_from_once_it_is_noticed_and_its_answers_have_other_tags() {
    let served = Served::of("OLD", 3);
    let (mut first, mut second) = (served.answerer(), served.answerer());
    let before = first.answer(&get(&served.target()));
    let state = served.api.data_state().expect("a state");
    assert_eq!(served.api.notice_replacement(), Replacement::None);
    served.replace("NEW", 5);
    check(&mut first, &served, "OLD", 3);
    assert_eq!(served.api.notice_replacement(), Replacement::Switched);
    assert_eq!(served.api.notice_replacement(), Replacement::None);
    check(&mut first, &served, "NEW", 5);
    check(&mut second, &served, "NEW", 5);
    let after = first.answer(&get(&served.target()));
    assert_ne!(header(&before, "ETag"), header(&after, "ETag"));
    let now = served.api.data_state().expect("a state");
    assert_ne!(state.version(), now.version());
    assert_eq!((now.switched, now.refused), (1, 0));
    check(&mut served.answerer(), &served, "NEW", 5);
}

#[test]
fn an_import_into_the_new_file_is_seen_and_the_next_replacement_too() {
    let served = Served::of("OLD", 3);
    let mut answerer = served.answerer();
    for (name, contracts) in [("B", 4), ("C", 5), ("D", 6)] {
        served.replace(name, contracts);
        assert_eq!(served.api.notice_replacement(), Replacement::Switched);
        check(&mut answerer, &served, name, contracts);
        make(&served.path("data.sqlite"), name, contracts + 2);
        check(&mut answerer, &served, name, contracts + 2);
        assert_eq!(served.api.notice_replacement(), Replacement::None);
    }
    store::check(&served.path("data.sqlite")).expect("a whole file");
}

#[test]
fn a_log_that_the_old_file_left_is_never_applied_to_the_new_one() {
    let served = Served::of("OLD", 150);
    let mut answerer = served.answerer();
    let old = left_in_the_log(
        &served.path("data.sqlite"),
        "UPDATE supplier SET given_name = 'OLD'; UPDATE meta SET revision = revision + 1; \
         UPDATE contract SET record = CAST(record || x'00' AS BLOB); UPDATE contract_key SET digest = 7;",
    );
    served.replace("NEW", 20);
    assert_eq!(served.api.notice_replacement(), Replacement::Switched);
    check(&mut answerer, &served, "NEW", 20);
    store::check(&served.path("data.sqlite")).expect("a whole file");
    drop(old);
    check(&mut answerer, &served, "NEW", 20);
    make(&served.path("data.sqlite"), "NEW", 21);
    check(&mut answerer, &served, "NEW", 21);
    drop(answerer);
    store::check(&served.path("data.sqlite")).expect("a whole file");
}

#[test]
fn before_it_is_noticed_an_import_into_the_new_file_does_not_take_the_old_log_for_its_own() {
    let served = Served::of("OLD", 150);
    let mut answerer = served.answerer();
    let path = served.path("data.sqlite");
    let old = left_in_the_log(&path, "UPDATE meta SET revision = revision + 1;");
    served.replace("NEW", 20);
    let refused = try_to_make(&path, "NEW", 30).expect_err("a log of another file");
    assert!(refused.contains("of another file"), "{refused}");
    assert!(store::check(&path).is_err());
    check(&mut answerer, &served, "OLD", 150);
    assert_eq!(served.api.notice_replacement(), Replacement::Switched);
    drop(old);
    make(&path, "NEW", 30);
    check(&mut answerer, &served, "NEW", 30);
    store::check(&path).expect("a whole file");
}

#[test]
fn before_it_is_noticed_an_import_beside_an_empty_old_log_goes_into_the_new_file_alone() {
    for (old, new) in [(150, 3), (3, 150)] {
        let served = Served::of("OLD", old);
        let mut answerer = served.answerer();
        let path = served.path("data.sqlite");
        served.replace("NEW", new);
        make(&path, "NEW", new + 10);
        check(&mut answerer, &served, "OLD", old);
        assert_eq!(served.api.notice_replacement(), Replacement::Switched);
        check(&mut answerer, &served, "NEW", new + 10);
        make(&path, "NEW", new + 20);
        check(&mut answerer, &served, "NEW", new + 20);
        store::check(&path).expect("a whole file");
    }
}

#[test]
fn a_log_left_when_no_server_runs_is_not_applied_to_another_file_either() {
    let served = Served::of("OLD", 150);
    let path = served.path("data.sqlite");
    let old = left_in_the_log(&path, "UPDATE meta SET revision = revision + 1;");
    // As a process that is killed leaves it.
    fs::copy(beside(&path, "-wal"), served.path("log")).expect("a copy");
    drop(old);
    served.replace("NEW", 20);
    fs::rename(served.path("log"), beside(&path, "-wal")).expect("moved");
    let refused = served.api.answerer().map(|_| ()).expect_err("refused");
    assert!(refused.to_string().contains("-wal"), "{refused}");
    fs::remove_file(beside(&path, "-wal")).expect("removed");
    check(&mut served.answerer(), &served, "NEW", 20);
}

#[test]
fn what_a_killed_import_left_in_the_log_of_the_same_file_is_kept() {
    let served = Served::of("OLD", 3);
    let path = served.path("data.sqlite");
    let old = left_in_the_log(
        &path,
        "UPDATE supplier SET given_name = 'LATER'; UPDATE contract_key SET digest = 7; \
         UPDATE meta SET revision = revision + 1;",
    );
    let folder = tempfile::tempdir().expect("a folder");
    for suffix in ["", "-wal"] {
        let name = folder.path().join(format!("data.sqlite{suffix}"));
        fs::copy(beside(&path, suffix), name).expect("a copy");
    }
    drop(old);
    let again = Served::at(folder, "data.sqlite");
    let reply = again.answerer().answer(&get(&again.target()));
    assert!(body(&reply).contains("LATER"), "{}", body(&reply));
    make(&again.path("data.sqlite"), "OLD", 4);
    let log = fs::metadata(beside(&again.path("data.sqlite"), "-wal"));
    assert!(log.is_ok_and(|log| log.len() == 0), "the import emptied it");
}

#[test]
fn a_new_file_that_comes_with_its_own_log_keeps_it() {
    let served = Served::of("OLD", 3);
    let mut answerer = served.answerer();
    let new = served.path("new.sqlite");
    make(&new, "NEW", 4);
    let writing = left_in_the_log(
        &new,
        "UPDATE supplier SET given_name = 'NEW'; UPDATE meta SET revision = revision + 1;",
    );
    let folder = served.path("moved");
    fs::create_dir(&folder).expect("a folder");
    for suffix in ["", "-wal"] {
        fs::copy(
            beside(&new, suffix),
            folder.join(format!("new.sqlite{suffix}")),
        )
        .expect("copied");
    }
    drop(writing);
    let revision = served.api.data_state().expect("a state").revision;
    let path = served.path("data.sqlite");
    fs::rename(folder.join("new.sqlite-wal"), beside(&path, "-wal")).expect("moved");
    fs::rename(folder.join("new.sqlite"), &path).expect("moved");
    assert_eq!(served.api.notice_replacement(), Replacement::Switched);
    check(&mut answerer, &served, "NEW", 4);
    assert_eq!(
        served.api.data_state().expect("a state").revision,
        revision + 1,
        "what is in its log counts"
    );
}

#[test]
fn a_file_that_fails_the_check_is_refused_once_and_the_old_one_goes_on() {
    let served = Served::of("OLD", 150);
    let mut answerer = served.answerer();
    let good = served.path("good.sqlite");
    make(&good, "NEW", 150);
    let bytes = fs::read(&good).expect("the file");
    let altered = |statement: &str| {
        let path = served.path("altered.sqlite");
        fs::write(&path, &bytes).expect("a file");
        let connection = Connection::open(&path).expect("the file");
        connection.execute_batch(statement).expect("altered");
        connection.close().expect("closed");
        fs::read(path).expect("the file")
    };
    let bad = [
        b"not a database, but long enough to be one\n".repeat(1000),
        Vec::new(),
        bytes[..bytes.len() / 2].to_vec(),
        fs::read(served.path("keys.sqlite")).expect("the keys"),
        altered("PRAGMA user_version = 1"),
        altered("PRAGMA application_id = 1"),
        altered("DELETE FROM meta"),
        altered("DROP TABLE purchase"),
        altered("DROP INDEX rnp_entry_of_supplier"),
        altered("ALTER TABLE supplier RENAME COLUMN given_name TO other"),
        bytes[..bytes.len() - 1].to_vec(),
    ];
    for (number, bytes) in bad.iter().enumerate() {
        fs::write(served.path("bad.sqlite"), bytes).expect("a file");
        served.mv("bad.sqlite");
        assert_eq!(
            served.api.notice_replacement(),
            Replacement::Refused,
            "{number}"
        );
        for _ in 0..3 {
            assert_eq!(served.api.notice_replacement(), Replacement::None);
            check(&mut answerer, &served, "OLD", 150);
        }
    }
    let state = served.api.data_state().expect("a state");
    assert_eq!((state.switched, state.refused), (0, bad.len() as u64));
    served.mv("good.sqlite");
    assert_eq!(served.api.notice_replacement(), Replacement::Switched);
    check(&mut answerer, &served, "NEW", 150);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_its_place_is_refused_and_nobody_waits_for_a_writer() {
    let served = Served::of("OLD", 150);
    let mut answerer = served.answerer();
    let made = std::process::Command::new("mkfifo")
        .arg(served.path("pipe"))
        .status();
    assert!(made.expect("mkfifo").success());
    served.mv("pipe");
    assert_eq!(served.api.notice_replacement(), Replacement::Refused);
    assert_eq!(served.api.notice_replacement(), Replacement::None);
    check(&mut answerer, &served, "OLD", 150);
    served.replace("NEW", 150);
    assert_eq!(served.api.notice_replacement(), Replacement::Switched);
    check(&mut answerer, &served, "NEW", 150);
}

#[test]
fn a_file_that_is_missing_is_told_once_and_noticed_when_it_comes() {
    let served = Served::of("OLD", 3);
    let mut answerer = served.answerer();
    make(&served.path("new.sqlite"), "NEW", 4);
    for _ in 0..2 {
        fs::rename(served.path("data.sqlite"), served.path("away")).expect("moved");
        assert_eq!(served.api.notice_replacement(), Replacement::Missing);
        assert_eq!(served.api.notice_replacement(), Replacement::None);
        check(&mut answerer, &served, "OLD", 3);
        served.mv("away");
        assert_eq!(served.api.notice_replacement(), Replacement::None);
    }
    make(&served.path("data.sqlite"), "OLD", 5);
    check(&mut answerer, &served, "OLD", 5);
    fs::remove_file(served.path("data.sqlite")).expect("removed");
    assert_eq!(served.api.notice_replacement(), Replacement::Missing);
    served.mv("new.sqlite");
    assert_eq!(served.api.notice_replacement(), Replacement::Switched);
    check(&mut answerer, &served, "NEW", 4);
}

#[test]
fn an_import_into_the_served_file_under_another_name_is_refused() {
    let served = Served::of("OLD", 3);
    let mut answerer = served.answerer();
    let away = served.path("away.sqlite");
    fs::rename(served.path("data.sqlite"), &away).expect("moved");
    let refused = try_to_make(&away, "OLD", 5).expect_err("it is served from another name");
    assert!(refused.contains("another process"), "{refused}");
    check(&mut answerer, &served, "OLD", 3);
}

#[test]
fn the_file_that_was_replaced_can_be_put_back() {
    let served = Served::of("OLD", 3);
    let mut answerer = served.answerer();
    for _ in 0..3 {
        fs::hard_link(served.path("data.sqlite"), served.path("kept")).expect("a link");
        served.replace("NEW", 4);
        assert_eq!(served.api.notice_replacement(), Replacement::Switched);
        check(&mut answerer, &served, "NEW", 4);
        served.mv("kept");
        assert_eq!(served.api.notice_replacement(), Replacement::Switched);
        check(&mut answerer, &served, "OLD", 3);
    }
    make(&served.path("data.sqlite"), "OLD", 6);
    check(&mut answerer, &served, "OLD", 6);
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_that_leads_elsewhere_is_a_replacement_too() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder");
    for (file, contracts) in [("monday.sqlite", 3), ("tuesday.sqlite", 4)] {
        make(&folder.path().join(file), "X", contracts);
    }
    symlink("monday.sqlite", folder.path().join("data.sqlite")).expect("a link");
    let served = Served::at(folder, "data.sqlite");
    let mut answerer = served.answerer();
    check(&mut answerer, &served, "X", 3);
    for (file, contracts) in [("tuesday.sqlite", 4), ("monday.sqlite", 3)] {
        symlink(file, served.path("next")).expect("a link");
        served.mv("next");
        assert_eq!(served.api.notice_replacement(), Replacement::Switched);
        check(&mut answerer, &served, "X", contracts);
    }
    make(&served.path("monday.sqlite"), "X", 7);
    check(&mut answerer, &served, "X", 7);
}

#[cfg(target_os = "linux")]
#[test]
fn the_old_file_is_closed_though_its_workers_are_idle() {
    let served = Served::of("OLD", 3);
    let _idle: Vec<Answerer> = (0..4).map(|_| served.answerer()).collect();
    let held = || {
        let links = fs::read_dir("/proc/self/fd").expect("descriptors");
        let here = served.folder.path();
        links
            .filter_map(|link| fs::read_link(link.ok()?.path()).ok())
            .filter(|file| file.starts_with(here))
            .filter(|file| file.to_string_lossy().ends_with("(deleted)"))
            .count()
    };
    served.replace("NEW", 4);
    assert!(held() > 0, "the old one is open until it is noticed");
    assert_eq!(served.api.notice_replacement(), Replacement::Switched);
    assert_eq!(held(), 0);
}

#[test]
fn while_requests_are_under_way_every_answer_is_whole_and_of_one_file() {
    let served = Served::of("A", 40);
    let (stop, answered) = (AtomicBool::new(false), AtomicU64::new(0));
    let sizes = [("A", 40), ("B", 180), ("C", 7)];
    thread::scope(|scope| {
        for _ in 0..4 {
            let (mut answerer, target) = (served.answerer(), served.target());
            let (stop, answered, sizes) = (&stop, &answered, &sizes);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let (name, count) = told(&answerer.answer(&get(&target)));
                    assert!(sizes.contains(&(name.as_str(), count)), "{name} {count}");
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let _end = Set(&stop);
        for round in 0..12 {
            let (name, contracts) = sizes[(round + 1) % 3];
            served.replace(name, contracts);
            assert_eq!(served.api.notice_replacement(), Replacement::Switched);
            let before = answered.load(Ordering::Relaxed);
            while answered.load(Ordering::Relaxed) < before + 20 {
                thread::yield_now();
            }
        }
    });
    store::check(&served.path("data.sqlite")).expect("a whole file");
}

/// Sets a flag when it goes, also by a panic.
struct Set<'a>(&'a AtomicBool);

impl Drop for Set<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn the_state_of_the_data_tells_its_version_its_time_and_its_imports() {
    let served = Served::of("OLD", 3);
    let state = served.api.data_state().expect("a state");
    assert_eq!(state.revision, 1);
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(state.updated.unsigned_abs());
    assert_eq!(
        state.age(time + Duration::from_secs(90)),
        Duration::from_secs(90)
    );
    assert_eq!(state.age(time - Duration::from_secs(90)), Duration::ZERO);
    let mut answerer = served.answerer();
    let tag = |answerer: &mut Answerer| {
        header(&answerer.answer(&get(&served.target())), "ETag").map(str::to_owned)
    };
    let before = tag(&mut answerer);
    make(&served.path("data.sqlite"), "OLD", 3);
    assert_eq!(
        served.api.data_state().expect("a state"),
        state,
        "nothing changed"
    );
    assert_eq!(tag(&mut answerer), before);
    make(&served.path("data.sqlite"), "OLD", 4);
    let later = served.api.data_state().expect("a state");
    assert_eq!(later.revision, 2);
    assert_ne!(later.version(), state.version());
    let bundled = Api::new(DataSource::Bundled, KeyRing::empty(), calendar(TODAY));
    assert!(bundled.data_state().expect("a state").revision > 0);
    assert_eq!(bundled.notice_replacement(), Replacement::None);
    let mut offline = Arc::new(bundled).answerer().expect("the data");
    let page = offline.look_up_offline(Endpoint::Contracts, &[("supplierINN", "9602003012")]);
    assert!(page.is_ok());
}

#[test]
fn two_copies_that_went_on_from_one_file_each_on_its_own_have_other_tags() {
    let served = Served::of("OLD", 3);
    let mut answerer = served.answerer();
    let path = served.path("data.sqlite");
    let before = answerer.answer(&get(&served.target()));
    fs::copy(&path, served.path("copy.sqlite")).expect("a copy");
    let copy = Connection::open(served.path("copy.sqlite")).expect("the copy");
    copy.execute("UPDATE meta SET updated = updated + 1", ())
        .expect("changed");
    copy.close().expect("closed");
    served.mv("copy.sqlite");
    assert_eq!(served.api.notice_replacement(), Replacement::Switched);
    let after = answerer.answer(&get(&served.target()));
    assert_ne!(header(&before, "ETag"), header(&after, "ETag"));
    assert_ne!(
        header(&before, "X-Data-Updated"),
        header(&after, "X-Data-Updated")
    );
}

#[test]
fn an_import_leaves_all_its_data_in_the_file_though_a_server_has_it_open() {
    let served = Served::of("OLD", 3);
    let mut answerer = served.answerer();
    check(&mut answerer, &served, "OLD", 3);
    make(&served.path("data.sqlite"), "OLD", 150);
    fs::copy(served.path("data.sqlite"), served.path("alone.sqlite")).expect("a copy");
    fs::rename(served.path("alone.sqlite"), served.path("data.sqlite")).expect("moved");
    assert_eq!(served.api.notice_replacement(), Replacement::Switched);
    check(&mut answerer, &served, "OLD", 150);
}
