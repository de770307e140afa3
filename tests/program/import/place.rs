//! How an import replaces the data file: it builds a new one in the same folder. Only one import
//! may run at a time.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

/// Returns the names of all files in the folder, except the imported ones.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("the folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("UTF-8"));
    let mut names: Vec<String> = names.filter(|name| !name.ends_with(".jsonl")).collect();
    names.sort();
    names
}

fn inode(folder: &Folder) -> u64 {
    fs::metadata(folder.database()).expect("the database").ino()
}

/// Runs an import that must fail. Returns the exit status and the message, which must be a single
/// line.
fn refused(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(folder, arguments, "");
    let message = stderr(&output);
    assert_eq!(message.lines().count(), 1, "{message}");
    (output.status.code(), message)
}

#[test]
fn an_import_leaves_a_single_file_and_replaces_it_only_if_something_changed() {
    let folder = Folder::new();
    folder.take(contract(INN, "1", ""));
    assert_eq!(names(&folder), ["data.sqlite"]);
    let before = inode(&folder);
    folder.take(contract(INN, "1", ""));
    assert_eq!(inode(&folder), before);
    folder.take(contract(INN, "2", ""));
    assert_ne!(inode(&folder), before);
    assert_eq!(names(&folder), ["data.sqlite"]);
}

#[test]
fn read_only_files_and_folders_can_be_read() {
    let folder = Folder::new();
    folder.take(contract(INN, "1", ""));
    for (path, mode) in [
        (folder.database(), 0o444),
        (folder.path().to_owned(), 0o555),
    ] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    }
    store::check(&folder.database()).expect("a whole file");
    assert_eq!(folder.answers().contracts(INN), ["1"]);
    assert_eq!(names(&folder), ["data.sqlite"]);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("set");
}

#[test]
fn checks_and_answers_during_imports_see_complete_files() {
    let folder = Folder::new();
    folder.take(contract(INN, "0", ""));
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    store::check(&folder.database()).expect("a whole file");
                    assert!(!folder.answers().contracts(INN).is_empty());
                }
            });
        }
        for number in 1..40 {
            folder.take(contract(INN, &number.to_string(), ""));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(folder.answers().contracts(INN).len(), 40);
}

#[test]
fn a_restored_backup_has_the_data_of_the_backup() {
    let folder = Folder::new();
    folder.take(contract(INN, "1", ""));
    fs::copy(folder.database(), folder.file("backup")).expect("a copy");
    folder.take(contract(INN, "2", ""));
    fs::rename(folder.file("backup"), folder.database()).expect("moved back");
    store::check(&folder.database()).expect("a whole file");
    assert_eq!(folder.answers().contracts(INN), ["1"]);
    folder.take(contract(INN, "4", ""));
    assert_eq!(folder.answers().contracts(INN), ["4", "1"]);
}

#[test]
fn a_file_that_replaced_the_database_during_an_import_stays() {
    let folder = Folder::new();
    folder.take(contract(INN, "1", ""));
    fs::copy(folder.database(), folder.file("backup")).expect("a copy");
    let lines = folder.write("more.jsonl", contract(INN, "2", ""));
    let writer = Writer::open(&folder.database()).expect("the database opens");
    fs::rename(folder.file("backup"), folder.database()).expect("moved");
    let error = import(&[lines], writer, &Options::default(), &mut |_| {}).expect_err("no import");
    assert!(
        error.to_string().contains("another file has replaced it"),
        "{error}"
    );
    assert_eq!(folder.answers().contracts(INN), ["1"]);
    assert_eq!(names(&folder), ["data.sqlite"]);
}

#[test]
fn of_two_concurrent_imports_both_succeed_or_one_is_refused() {
    let folder = Folder::new();
    folder.write("a.jsonl", contract(INN, "1", ""));
    folder.write("b.jsonl", contract(INN, "2", ""));
    for _ in 0..8 {
        let children = ["a.jsonl", "b.jsonl"].map(|name| {
            let child = command(&folder, &[name]).spawn();
            child.expect("the program starts")
        });
        let outputs = children.map(|child| child.wait_with_output().expect("its end"));
        assert!(outputs.iter().any(|output| output.status.success()));
        let contracts = folder.answers().contracts(INN);
        for (number, output) in ["1", "2"].iter().zip(&outputs) {
            let message = stderr(output);
            match output.status.code() {
                Some(0) => assert!(contracts.iter().any(|it| it == number), "{contracts:?}"),
                Some(1) => assert!(
                    message.contains("another process is changing it"),
                    "{message}"
                ),
                other => panic!("{other:?}: {message}"),
            }
        }
        assert_eq!(names(&folder), ["data.sqlite"]);
        store::check(&folder.database()).expect("a whole file");
    }
}

#[test]
fn an_import_replaces_the_target_of_a_symbolic_link() {
    let folder = Folder::new();
    fs::create_dir(folder.file("there")).expect("a folder");
    symlink("there/real.sqlite", folder.database()).expect("a link");
    // The target of the link does not exist yet.
    folder.take(contract(INN, "1", ""));
    folder.take(contract(INN, "2", ""));
    let link = fs::symlink_metadata(folder.database()).expect("the link");
    assert!(link.is_symlink());
    assert!(folder.file("there/real.sqlite").is_file());
    assert_eq!(folder.answers().contracts(INN), ["2", "1"]);
    assert_eq!(names(&folder), ["data.sqlite", "there"]);
    symlink("b", folder.file("a")).expect("a link");
    symlink("a", folder.file("b")).expect("a link");
    let error = Writer::open(&folder.file("a")).expect_err("no end");
    assert!(error.to_string().contains("symbolic links"), "{error}");
}

#[test]
fn the_new_file_has_the_permissions_of_the_old_one() {
    let folder = Folder::new();
    folder.take(contract(INN, "1", ""));
    for mode in [0o600, 0o664, 0o640] {
        fs::set_permissions(folder.database(), fs::Permissions::from_mode(mode)).expect("set");
        folder.take(contract(INN, &mode.to_string(), ""));
        let now = fs::metadata(folder.database()).expect("the database");
        assert_eq!(now.permissions().mode() & 0o777, mode);
    }
}

#[test]
fn a_foreign_file_with_the_name_that_an_import_needs_is_left_alone() {
    let folder = Folder::new();
    folder.take(contract(INN, "1", ""));
    folder.write("more.jsonl", contract(INN, "2", ""));
    let building = folder.file("data.sqlite-building");
    fs::write(&building, "my notes").expect("written");
    let (status, message) = refused(&folder, &["more.jsonl"]);
    assert_eq!(status, Some(1));
    assert!(
        message.contains("data.sqlite-building: this file is not a leftover"),
        "{message}"
    );
    assert_eq!(fs::read(&building).expect("the notes"), b"my notes");
    fs::remove_file(&building).expect("removed");
    fs::create_dir(&building).expect("a folder");
    let (status, message) = refused(&folder, &["more.jsonl"]);
    assert_eq!(status, Some(1));
    assert!(
        message.contains("data.sqlite-building: not a regular file"),
        "{message}"
    );
    assert_eq!(folder.answers().contracts(INN), ["1"]);
}
