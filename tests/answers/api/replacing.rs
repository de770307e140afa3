//! Replacing the database file while requests are being answered.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use procurement_lookup::api::{Answerer, Api, DataState, NewFile, Replacement, Request, Response};
use procurement_lookup::import::Options;
use procurement_lookup::store;
use rusqlite::Connection;

use crate::import::folder::{INN, contract, import_into, supplier};
use crate::service::{Service, body, header};

const TARGET: &str =
    "/contract/monitor-supplier44?supplierINN=9600000002&limit=200&format=json&apikey=KEY";

/// A service for one supplier with some contracts.
struct Served(Service);

impl Served {
    fn of(name: &str, contracts: usize) -> Self {
        Self(Service::over(&lines(name, contracts)))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.database().with_file_name(name)
    }

    fn answerer(&self) -> Answerer {
        self.0.api.answerer().expect("a connection")
    }

    fn state(&self) -> DataState {
        self.0.api.data_state().expect("a state")
    }

    fn notice(&self) -> Replacement {
        self.0.api.notice_replacement()
    }

    fn target(&self) -> String {
        self.0.with_keys(TARGET)
    }

    fn mv(&self, from: &str) {
        fs::rename(self.path(from), self.0.database()).expect("the file is moved");
    }

    /// Creates another file and moves it into place.
    fn replace(&self, name: &str, contracts: usize) {
        make(&self.path("new.sqlite"), name, contracts);
        self.mv("new.sqlite");
    }
}

/// Lines for a supplier called `name`; the numbers of its contracts begin with this name.
fn lines(name: &str, contracts: usize) -> String {
    let line = |number: usize| contract(INN, &format!("{name}{number:04}"), "");
    supplier(INN, name) + &(0..contracts).map(line).collect::<String>()
}

fn make(path: &Path, name: &str, contracts: usize) {
    let file = path.with_extension("jsonl");
    fs::write(&file, lines(name, contracts)).expect("the lines");
    let (summary, _) = import_into(path, &[file], &Options::default());
    assert_eq!(summary.skipped, 0);
}

/// Returns the supplier's name and the number of contracts in a response. Checks that all contracts
/// belong to that name.
fn told(response: &Response) -> (String, usize) {
    assert_eq!(response.status, 200, "{}", body(response));
    let answer: serde_json::Value = serde_json::from_slice(&response.body).expect("JSON");
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
    let response = answerer.answer(&get(&served.target()));
    assert_eq!(told(&response), (name.to_owned(), contracts));
}

#[test]
fn a_replaced_file_is_used_from_the_next_request_on() {
    let served = Served::of("OLD", 3);
    let (mut first, mut second) = (served.answerer(), served.answerer());
    let before = first.answer(&get(&served.target()));
    let state = served.state();
    assert_eq!(served.notice(), Replacement::None);
    served.replace("NEW", 5);
    check(&mut first, &served, "NEW", 5);
    assert_eq!(served.notice(), Replacement::None, "noticed");
    check(&mut second, &served, "NEW", 5);
    let after = first.answer(&get(&served.target()));
    assert_ne!(header(&before, "ETag"), header(&after, "ETag"));
    let now = served.state();
    assert_ne!(state.version(), now.version());
    assert_eq!((now.switched, now.refused), (1, 0));
    check(&mut served.answerer(), &served, "NEW", 5);
    // If no requests arrive, a periodic check notices the new file.
    served.replace("LAST", 2);
    assert_eq!(served.notice(), Replacement::Switched);
    assert_eq!(served.state().switched, 2);
}

#[test]
fn copies_with_different_imports_in_the_same_second_have_different_tags() {
    let served = Served::of("OLD", 3);
    let copy = served.path("copy.sqlite");
    fs::copy(served.path("data.sqlite"), &copy).expect("a copy");
    let mut answerer = served.answerer();
    make(&served.path("data.sqlite"), "OLD", 4);
    make(&copy, "OLD", 5);
    let first = answerer.answer(&get(&served.target()));
    served.mv("copy.sqlite");
    let tag = header(&first, "ETag").expect("a tag").to_owned();
    let target = served.target();
    let second = answerer.answer(&Request {
        headers: vec![("If-None-Match", tag.as_str().into())],
        ..get(&target)
    });
    assert_eq!(told(&second), ("OLD".to_owned(), 5), "no 304");
    assert_ne!(header(&second, "ETag"), Some(tag.as_str()));
}

#[test]
fn a_file_that_fails_the_check_is_refused_once() {
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
        // The next empty file is reported as well, although the reason is the same.
        Vec::new(),
        bytes[..bytes.len() / 2].to_vec(),
        fs::read(served.path("keys.sqlite")).expect("the keys"),
        altered("PRAGMA user_version = 3"),
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
        assert_eq!(served.notice(), Replacement::Refused, "{number}");
        for _ in 0..3 {
            assert_eq!(served.notice(), Replacement::None);
            check(&mut answerer, &served, "OLD", 150);
        }
    }
    let state = served.state();
    assert_eq!((state.switched, state.refused), (0, bad.len() as u64));
    served.mv("good.sqlite");
    assert_eq!(served.notice(), Replacement::Switched);
    check(&mut answerer, &served, "NEW", 150);
}

/// Polls for up to ten seconds until `look` returns something.
fn found<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "not found: {what}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Polls until the service notices a replacement.
fn noticed(served: &Served) -> Replacement {
    let news = || Some(served.notice()).filter(|news| *news != Replacement::None);
    found("a replacement", news)
}

#[test]
fn with_checks_enabled_a_damaged_file_is_never_used() {
    let lines = lines("OLD", 3);
    let served = Served(Service::over_with(&lines, Api::check_new_files));
    let mut answerer = served.answerer();
    let bad = served.path("bad.sqlite");
    make(&bad, "BAD", 4);
    let connection = Connection::open(&bad).expect("the file");
    connection
        .execute_batch(
            "DELETE FROM contract_facet WHERE rowid = (SELECT max(rowid) FROM contract_facet)",
        )
        .expect("altered");
    connection.close().expect("closed");
    served.mv("bad.sqlite");
    assert_eq!(served.notice(), Replacement::Checking);
    check(&mut answerer, &served, "OLD", 3);
    // The end of the check may already have been noticed by a request, so only the state is
    // reliable here.
    let is_refused = |state: &DataState| state.new_file == Some(NewFile::Refused);
    let state = found("a refused file", || Some(served.state()).filter(is_refused));
    assert_eq!((state.switched, state.refused), (0, 1));
    check(&mut answerer, &served, "OLD", 3);
    assert_eq!(served.notice(), Replacement::None, "once");
    served.replace("NEW", 5);
    assert_eq!(noticed(&served), Replacement::Checking);
    assert_eq!(noticed(&served), Replacement::Switched);
    check(&mut answerer, &served, "NEW", 5);
    let state = served.state();
    assert_eq!((state.switched, state.new_file), (1, None));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_without_waiting_for_a_writer() {
    let served = Served::of("OLD", 150);
    let mut answerer = served.answerer();
    let made = std::process::Command::new("mkfifo")
        .arg(served.path("pipe"))
        .status();
    assert!(made.expect("mkfifo").success());
    served.mv("pipe");
    assert_eq!(served.notice(), Replacement::Refused);
    assert_eq!(served.notice(), Replacement::None);
    check(&mut answerer, &served, "OLD", 150);
    served.replace("NEW", 150);
    assert_eq!(served.notice(), Replacement::Switched);
    check(&mut answerer, &served, "NEW", 150);
}

#[test]
fn a_missing_file_is_reported_once_and_noticed_later() {
    let served = Served::of("OLD", 3);
    let mut answerer = served.answerer();
    make(&served.path("new.sqlite"), "NEW", 4);
    for _ in 0..2 {
        fs::rename(served.path("data.sqlite"), served.path("away")).expect("moved");
        assert_eq!(served.notice(), Replacement::Missing);
        assert_eq!(served.notice(), Replacement::None);
        check(&mut answerer, &served, "OLD", 3);
        served.mv("away");
        assert_eq!(served.notice(), Replacement::None);
    }
    make(&served.path("data.sqlite"), "OLD", 5);
    check(&mut answerer, &served, "OLD", 5);
    fs::remove_file(served.path("data.sqlite")).expect("removed");
    assert_eq!(served.notice(), Replacement::Missing);
    check(&mut answerer, &served, "OLD", 5);
    served.mv("new.sqlite");
    check(&mut answerer, &served, "NEW", 4);
}

#[cfg(unix)]
#[test]
fn an_unreadable_path_is_not_a_missing_file() {
    let served = Served::of("OLD", 3);
    let mut answerer = served.answerer();
    fs::rename(served.path("data.sqlite"), served.path("away")).expect("moved");
    // This symbolic link points to itself.
    std::os::unix::fs::symlink("data.sqlite", served.0.database()).expect("a link");
    assert_eq!(served.notice(), Replacement::Refused);
    assert_eq!(served.notice(), Replacement::None, "once");
    assert_eq!(served.state().new_file, Some(NewFile::Refused));
    check(&mut answerer, &served, "OLD", 3);
    fs::remove_file(served.0.database()).expect("removed");
    assert_eq!(served.notice(), Replacement::Missing);
    assert_eq!(served.state().new_file, Some(NewFile::Missing));
    check(&mut answerer, &served, "OLD", 3);
    served.mv("away");
    assert_eq!(served.notice(), Replacement::None);
    assert_eq!(served.state().new_file, None);
}

#[cfg(unix)]
#[test]
fn a_changed_symbolic_link_is_a_replacement() {
    use std::os::unix::fs::symlink;
    let served = Served::of("X", 3);
    fs::rename(served.0.database(), served.path("monday.sqlite")).expect("moved");
    make(&served.path("tuesday.sqlite"), "X", 4);
    symlink("monday.sqlite", served.0.database()).expect("a link");
    let mut answerer = served.answerer();
    check(&mut answerer, &served, "X", 3);
    for (file, contracts) in [("tuesday.sqlite", 4), ("monday.sqlite", 3)] {
        symlink(file, served.path("next")).expect("a link");
        served.mv("next");
        assert_eq!(served.notice(), Replacement::Switched);
        check(&mut answerer, &served, "X", contracts);
    }
    make(&served.path("monday.sqlite"), "X", 7);
    check(&mut answerer, &served, "X", 7);
}

#[cfg(target_os = "linux")]
#[test]
fn the_old_file_is_closed_even_if_workers_are_idle() {
    let served = Served::of("OLD", 3);
    let _idle: Vec<Answerer> = (0..4).map(|_| served.answerer()).collect();
    let held = || {
        let links = fs::read_dir("/proc/self/fd").expect("descriptors");
        let here = served.path("");
        links
            .filter_map(|link| fs::read_link(link.ok()?.path()).ok())
            .filter(|file| file.starts_with(&here))
            .filter(|file| file.to_string_lossy().ends_with("(deleted)"))
            .count()
    };
    served.replace("NEW", 4);
    assert!(held() > 0, "the old one is open until it is noticed");
    assert_eq!(served.notice(), Replacement::Switched);
    assert_eq!(held(), 0);
}

#[test]
fn every_answer_during_replacements_is_complete_and_from_one_file() {
    let served = Served::of("A", 40);
    let sizes = [("A", 40), ("B", 180), ("C", 7)];
    let answered = AtomicUsize::new(0);
    thread::scope(|scope| {
        let clients: Vec<_> = (0..4)
            .map(|_| {
                let (mut answerer, target) = (served.answerer(), served.target());
                let answered = &answered;
                scope.spawn(move || {
                    for _ in 0..200 {
                        let (name, count) = told(&answerer.answer(&get(&target)));
                        assert!(sizes.contains(&(name.as_str(), count)), "{name} {count}");
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        let have_ended = || clients.iter().all(thread::ScopedJoinHandle::is_finished);
        for (name, contracts) in sizes.into_iter().cycle().skip(1) {
            served.replace(name, contracts);
            // Leave each file in place long enough to be opened. Otherwise no request would ever be
            // answered.
            let enough = answered.load(Ordering::Relaxed) + 20;
            while answered.load(Ordering::Relaxed) < enough && !have_ended() {
                thread::sleep(Duration::from_millis(1));
            }
            if have_ended() {
                break;
            }
        }
    });
    assert!(served.state().switched > 3);
    store::check(&served.path("data.sqlite")).expect("a whole file");
}
