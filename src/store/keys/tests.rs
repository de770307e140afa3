//! Tests of issuing, rotating, limiting and revoking keys, and of damaged keys files.

use std::fs;
use std::thread;

use super::super::key_ring::{KeyHolder, KeyRing};
use super::*;

#[cfg(feature = "postgresql")]
#[path = "tests/postgresql.rs"]
pub(in crate::store) mod postgresql;

const WEEK: Duration = Duration::from_secs(7 * 86_400);

struct Folder {
    folder: tempfile::TempDir,
    path: PathBuf,
}

fn folder() -> Folder {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("keys.sqlite");
    Folder { folder, path }
}

fn is_valid(path: &Path, key: &str, at: i64) -> bool {
    is_valid_in(&KeyStore::File(path.to_owned()), key, at)
}

fn is_valid_in(keys: &KeyStore, key: &str, at: i64) -> bool {
    let ring = KeyRing::new(keys).expect("the keys");
    holder(&ring, key, at).is_some()
}

fn holder(ring: &KeyRing, key: &str, at: i64) -> Option<KeyHolder> {
    ring.holder_at(key, || at).expect("known keys")
}

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// Creates two tests from each function: one with a keys file and one with PostgreSQL.
macro_rules! test_file_and_postgresql {
    ($($rule:ident)*) => {
        mod in_a_file {
            $(
                #[test]
                fn $rule() {
                    let super::Folder { folder: _f, path } = super::folder();
                    super::$rule(&super::KeyStore::File(path));
                }
            )*
        }

        #[cfg(feature = "postgresql")]
        mod in_postgresql {
            $(
                #[test]
                #[ignore = "needs TEST_POSTGRESQL"]
                fn $rule() {
                    let database = super::postgresql::TestDatabase::create();
                    super::$rule(&super::KeyStore::Server(database.address().into()));
                }
            )*
        }
    };
}

test_file_and_postgresql! {
    the_old_key_is_valid_until_the_second_in_which_the_overlap_ends
    rotating_without_an_overlap_ends_all_older_keys
    revoking_during_an_overlap_ends_both_keys_for_good
    a_key_can_be_rotated_again_after_the_overlap
    only_issuing_creates_the_keys_file
    concurrent_changes_all_take_effect_or_are_refused
    a_key_with_a_lifetime_ends_to_the_second_and_its_replacement_has_the_same_lifetime
    the_log_lists_changes_in_order
    the_last_day_of_use_is_listed_and_never_moves_back
}

fn the_old_key_is_valid_until_the_second_in_which_the_overlap_ends(keys: &KeyStore) {
    let old = keys
        .issue("office", KeyTerms::default(), at(1000))
        .expect("a key");
    let new = keys.rotate("office", at(2000), WEEK).expect("a key");
    let end = 2000 + 7 * 86_400;
    assert_eq!(new.end_of_old, end);
    for (second, expected) in [(2000, true), (end - 1, true), (end, false)] {
        assert_eq!(is_valid_in(keys, &old, second), expected, "{second}");
        assert!(is_valid_in(keys, &new.key, second), "{second}");
    }
    let list = keys.list().expect("keys");
    let list: Vec<_> = list.iter().map(|key| (key.issued, key.ends)).collect();
    assert_eq!(list, [(1000, Some(end)), (2000, None)]);
}

fn rotating_without_an_overlap_ends_all_older_keys(keys: &KeyStore) {
    let first = keys
        .issue("office", KeyTerms::default(), at(1000))
        .expect("a key");
    let second = keys.rotate("office", at(2000), WEEK).expect("a key").key;
    let third = keys.rotate("office", at(3000), WEEK);
    let error = third.expect_err("three valid keys").to_string();
    assert!(error.contains("two valid keys"), "{error}");
    let third = keys.rotate("office", at(3000), Duration::ZERO);
    let third = third.expect("a key").key;
    assert_eq!(
        [&first, &second, &third].map(|key| is_valid_in(keys, key, 3000)),
        [false, false, true]
    );
}

fn revoking_during_an_overlap_ends_both_keys_for_good(keys: &KeyStore) {
    let old = keys
        .issue("office", KeyTerms::default(), at(1000))
        .expect("a key");
    let new = keys.rotate("office", at(2000), WEEK).expect("a key").key;
    assert!(keys.issue("office", KeyTerms::default(), at(3000)).is_err());
    keys.revoke("office", at(3000)).expect("revoked");
    // A revoked key stays invalid even if the clock is set back.
    for second in [0, 3000] {
        assert!(!is_valid_in(keys, &old, second) && !is_valid_in(keys, &new, second));
    }
    assert!(keys.revoke("office", at(3001)).is_err());
    assert!(keys.rotate("office", at(3001), WEEK).is_err());
    keys.issue("office", KeyTerms::default(), at(3001))
        .expect("a key");
}

fn a_key_can_be_rotated_again_after_the_overlap(keys: &KeyStore) {
    keys.issue("office", KeyTerms::default(), at(1000))
        .expect("a key");
    let second = keys.rotate("office", at(2000), WEEK).expect("a key").key;
    let later = 2000 + 7 * 86_400;
    keys.rotate("office", at(later), WEEK).expect("a key");
    assert!(is_valid_in(keys, &second, 2000 + 8 * 86_400));
}

fn only_issuing_creates_the_keys_file(keys: &KeyStore) {
    assert_eq!(keys.list().expect("no keys"), []);
    assert_eq!(KeyRing::new(keys).expect("no keys").count(), 0);
    assert!(keys.revoke("office", at(1)).is_err());
    assert!(keys.rotate("office", at(1), WEEK).is_err());
    assert_eq!(keys.list().expect("no keys"), [], "only `issue` makes them");
}

fn concurrent_changes_all_take_effect_or_are_refused(keys: &KeyStore) {
    let issue = |name: &'static str| {
        let keys = keys.clone();
        thread::spawn(move || keys.issue(name, KeyTerms::default(), at(1)).is_ok())
    };
    let threads = ["one", "one", "two", "three"].map(issue);
    let issued = threads.map(|thread| thread.join().expect("no panic"));
    assert!(issued[2] && issued[3], "{issued:?}");
    assert!(issued[0] != issued[1], "{issued:?}");
    let list = keys.list().expect("keys");
    let mut names: Vec<_> = list.iter().map(|key| key.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["one", "three", "two"]);
}

fn a_key_with_a_lifetime_ends_to_the_second_and_its_replacement_has_the_same_lifetime(
    keys: &KeyStore,
) {
    let limit = Some(Rate {
        per_second: 5,
        burst: 7,
    });
    let terms = KeyTerms {
        lasts: Some(1000),
        limit,
    };
    let key = keys.issue("office", terms, at(500)).expect("a key");
    assert!(is_valid_in(keys, &key, 1499) && !is_valid_in(keys, &key, 1500));
    let new = keys.rotate("office", at(600), WEEK).expect("a key");
    assert_eq!(new.ends, Some(1600));
    // The overlap does not extend the life of the old key.
    assert!(!is_valid_in(keys, &key, 1500) && is_valid_in(keys, &new.key, 1599));
    assert!(!is_valid_in(keys, &new.key, 1600));
    let ring = KeyRing::new(keys).expect("the keys");
    let holder = holder(&ring, &new.key, 1000).expect("valid");
    assert_eq!((&*holder.name, holder.limit), ("office", limit));
    keys.limit("office", None, at(700)).expect("another limit");
    let limits: Vec<_> = keys
        .list()
        .expect("keys")
        .iter()
        .map(|key| key.limit)
        .collect();
    assert_eq!(limits, [Ok(None), Ok(None)]);
    // A name whose key has ended can get a new one.
    assert!(keys.rotate("office", at(1700), WEEK).is_err());
    assert!(keys.limit("office", limit, at(1700)).is_err());
    keys.issue("office", KeyTerms::default(), at(1700))
        .expect("a key");
}

fn the_log_lists_changes_in_order(keys: &KeyStore) {
    assert_eq!(keys.events().expect("none"), []);
    let terms = KeyTerms {
        lasts: Some(86_400),
        limit: Some(Rate {
            per_second: 50,
            burst: 100,
        }),
    };
    keys.issue("office", terms, at(0)).expect("a key");
    assert!(
        keys.issue("office", terms, at(1)).is_err(),
        "nothing is done"
    );
    keys.rotate("office", at(3600), Duration::ZERO)
        .expect("a key");
    keys.limit("office", None, at(7200)).expect("a limit");
    keys.revoke("office", at(10_800)).expect("revoked");
    let events = keys.events().expect("events");
    let logged: Vec<String> = events
        .iter()
        .map(|event| {
            format!(
                "{} {} {}: {}",
                event.at, event.action, event.name, event.details
            )
        })
        .collect();
    let expected = [
        "0 issued office: ends 1970-01-02T00:00:00Z; 50 a second, 100 at once",
        "3600 rotated office: the old one until 1970-01-01T01:00:00Z; the new one until 1970-01-02T01:00:00Z",
        "7200 limited office: as the server limits all keys",
        "10800 revoked office: ",
    ];
    assert_eq!(logged, expected);
}

fn the_last_day_of_use_is_listed_and_never_moves_back(keys: &KeyStore) {
    let key = keys
        .issue("office", KeyTerms::default(), at(1))
        .expect("a key");
    keys.issue("other", KeyTerms::default(), at(1))
        .expect("a key");
    let ring = KeyRing::new(keys).expect("the keys");
    assert!(ring.used().is_empty(), "no key was used yet");
    for _ in 0..2 {
        holder(&ring, &key, 2).expect("valid");
    }
    assert_eq!(ring.used(), [hash(&key)]);
    assert!(ring.used().is_empty(), "until it is used again");
    let day = |day| Date::new(2026, 11, day).expect("a day");
    let used = || -> Vec<_> {
        keys.list()
            .expect("keys")
            .iter()
            .map(|key| key.used)
            .collect()
    };
    assert_eq!(used(), [None, None]);
    for (noted, expected) in [(20, 20), (24, 24), (22, 24)] {
        let days = [(hash(&key), day(noted))].into();
        keys.note_use(&days).expect("noted");
        assert_eq!(used(), [Some(day(expected)), None]);
    }
}

#[test]
fn a_key_with_a_damaged_limit_is_refused_until_it_gets_another() {
    let Folder { folder: _f, path } = folder();
    let file = KeyStore::File(path.clone());
    let terms = KeyTerms {
        lasts: None,
        limit: Some(Rate {
            per_second: 5,
            burst: 7,
        }),
    };
    let key = file.issue("office", terms, at(1)).expect("a key");
    let other = file.issue("other", terms, at(1)).expect("a key");
    for damage in [
        "rate = -1",
        "rate = 4294967296",
        "rate = NULL",
        "burst = NULL",
        "burst = -1",
    ] {
        let connection = rusqlite::Connection::open(&path).expect("the file");
        let sql = format!("UPDATE key SET {damage} WHERE name = 'office'");
        assert_eq!(connection.execute(&sql, []).expect("damaged"), 1);
        drop(connection);
        assert!(!is_valid(&path, &key, 2), "{damage}");
        assert!(is_valid(&path, &other, 2), "{damage}");
        assert_eq!(file.list().expect("keys")[0].limit, Err(DamagedLimit));
        let error = file.rotate("office", at(2), WEEK).expect_err(damage);
        assert!(error.to_string().contains("keys limit"), "{error}");
        file.limit("office", terms.limit, at(2)).expect("a limit");
        assert!(is_valid(&path, &key, 2), "{damage}");
    }
    let connection = rusqlite::Connection::open(&path).expect("the file");
    connection
        .execute("UPDATE key SET rate = -1", [])
        .expect("damaged");
    drop(connection);
    file.revoke("office", at(3)).expect("revoked");
    file.limit("office", None, at(4)).expect_err("no valid key");
    assert!(!is_valid(&path, &key, 4));
}

#[test]
fn damaged_or_foreign_files_are_refused_and_stay_unchanged() {
    let Folder { folder: _f, path } = folder();
    let file = KeyStore::File(path.clone());
    file.issue("lost", KeyTerms::default(), at(1))
        .expect("a key");
    let whole = fs::read(&path).expect("a file");
    let demo = include_bytes!("../../../data/demo.sqlite").to_vec();
    let mut others = vec![
        b"a text".to_vec(),
        b"SQLite is a library".to_vec(),
        vec![0; whole.len()],
        demo[..demo.len() / 2].to_vec(),
        demo,
    ];
    for length in [1, 16, 72, 100, 4096, 8192, whole.len() - 1] {
        others.push(whole[..length].to_vec());
    }
    for other in others {
        fs::write(&path, &other).expect("a file");
        assert!(
            file.issue("office", KeyTerms::default(), at(1)).is_err(),
            "{}",
            other.len()
        );
        assert!(file.list().is_err(), "{}", other.len());
        assert!(KeyRing::new(&file).is_err(), "{}", other.len());
        assert!(fs::read(&path).expect("a file") == other);
    }
}

#[test]
fn the_first_key_can_be_issued_into_an_empty_file() {
    let Folder { folder, path } = folder();
    fs::write(&path, "").expect("a file");
    let file = KeyStore::File(path.clone());
    assert!(KeyRing::new(&file).is_err());
    let key = file
        .issue("office", KeyTerms::default(), at(1))
        .expect("a key");
    assert!(is_valid(&path, &key, 1));
    // A process that is killed may leave part of a new file, or zeros.
    let whole = fs::read(&path).expect("a file");
    let building = folder.path().join("keys.sqlite-building");
    for leftover in [&whole[..10], &whole[..8192], &[0; 8192]] {
        fs::write(&building, leftover).expect("a file");
        let key = file.rotate("office", at(3), Duration::ZERO);
        assert!(is_valid(&path, &key.expect("a key").key, 3));
    }
}

#[test]
fn keys_of_an_earlier_build_are_refused_with_advice() {
    let Folder { folder: _f, path } = folder();
    let file = KeyStore::File(path.clone());
    file.issue("office", KeyTerms::default(), at(1))
        .expect("a key");
    let mut earlier = fs::read(&path).expect("a file");
    earlier[68..72].copy_from_slice(b"pRLK");
    fs::write(&path, &earlier).expect("a file");
    for error in [
        file.issue("other", KeyTerms::default(), at(1))
            .expect_err("an earlier build"),
        file.list().expect_err("an earlier build"),
        KeyRing::new(&file).expect_err("an earlier build"),
    ] {
        let error = error.to_string();
        assert!(error.contains("keys file of an earlier build"), "{error}");
        assert!(error.contains("issue the keys again"), "{error}");
    }
    assert!(fs::read(&path).expect("a file") == earlier);
}

#[test]
fn keys_stay_valid_while_their_path_cannot_be_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).expect("a folder");
    let path = inner.join("keys.sqlite");
    let keys = KeyStore::File(path.clone());
    let key = keys
        .issue("office", KeyTerms::default(), at(10))
        .expect("a key");
    let ring = KeyRing::new(&keys).expect("the keys");
    fs::rename(&inner, folder.path().join("away")).expect("moved");
    // A path below a file cannot be followed.
    fs::write(&inner, "").expect("a file");
    let state = until_failing(&ring, true);
    assert_eq!((state.valid, state.is_missing), (1, false));
    assert!(holder(&ring, &key, 10).is_some());
    assert!(KeyRing::new(&keys).is_err(), "a server cannot start either");
    assert!(keys.list().is_err());
    fs::remove_file(&inner).expect("removed");
    fs::rename(folder.path().join("away"), &inner).expect("moved back");
    until_failing(&ring, false);
    fs::remove_file(&path).expect("removed");
    while ring.count() > 0 {
        thread::sleep(Duration::from_millis(1));
    }
    assert!(ring.state().is_missing);
}

/// Waits until the ring notices that reading the keys fails, or that it succeeds again.
fn until_failing(ring: &KeyRing, fails: bool) -> super::super::key_ring::KeyState {
    loop {
        let state = ring.state();
        if state.failing.is_some() == fails {
            return state;
        }
        thread::sleep(Duration::from_millis(1));
    }
}
